//! Measures every volume and writes the tables of docs/volumes.md:
//! `cargo run --release -p feeler-tools --bin volume_table -- --write docs/volumes.md`.
//!
//! Without `--write` the tables are printed. `--volume NAME` (repeatable) and names of workloads choose rows, `--only
//! volumes`, `queries` or `claims` one part. Times are CPU time of this thread; each pose has the time of its quietest
//! pass. The whole takes some minutes.

use feeler::internals::model::{BuildParams, Model, VolumeKind};
use feeler::internals::tree::build::workers::Inline;
use feeler::{Pair, Transform};
use feeler_tools::arguments::{arguments, option};
use feeler_tools::clock::thread_seconds;
use feeler_tools::document::publish;
use feeler_tools::kernels::kernel_times;
use feeler_tools::measured::{Means, Patience, ask, collide, distance};
use feeler_tools::volumes::every_volume;
use feeler_tools::{Random, Workload, meshes};
use glam::{DMat3, DQuat, DVec3};
use std::fmt::Write;

/// The first one is the mesh that is built, the last one the patches of `parallel_proximity`.
const STORED: &[&str] = &["bunny_bunny_close", "torus_cave", "rings", "buddha_d1", "spheres_1e-3", "teapot_patches"];
const OWN: &[&str] =
    &["animals_close", "cave_visits", "linked_rings", "drilled_plates", "nested_spheres", "bent_patches"];
type Volumes = [(String, BuildParams)];

fn main() {
    let mut arguments = arguments();
    let mut wanted = Vec::new();
    while let Some(name) = option(&mut arguments, "--volume") {
        wanted.push(name);
    }
    let (document, only) = (option(&mut arguments, "--write"), option(&mut arguments, "--only"));
    let names = Workload::names_or(arguments, STORED, OWN);
    let usual = Workload::names_or(Vec::new(), STORED, OWN);
    let mut volumes = every_volume();
    volumes.retain(|(name, _)| wanted.is_empty() || wanted.contains(name));
    let document = document.as_deref();
    let wants = |block: &str| only.as_ref().is_none_or(|only| only == block);
    if wants("volumes") {
        publish(document, "volumes", &table_of_volumes(&volumes, &Workload::named(&usual[0])));
    }
    if wants("queries") {
        let rows = query_all(&volumes, &names);
        publish(document, "queries", &table_of_queries(&rows));
        publish(document, "ratios", &table_of_ratios(&rows, &names));
    }
    if wants("claims") {
        publish(
            document,
            "claims",
            &format!("{}\n{}", parallel_proximity(&Workload::named(&usual[5])), long_triangles()),
        );
    }
}

fn build(mesh: (&[DVec3], &[[u32; 3]]), params: &BuildParams) -> (Model, f64) {
    let mut model = Model::new(&mesh).expect("a legal mesh");
    let start = thread_seconds();
    model.build_with(params, &Inline).expect("memory");
    (model, thread_seconds() - start)
}

/// What a volume costs before any query is asked.
fn table_of_volumes(volumes: &Volumes, workload: &Workload) -> String {
    let mesh = (&workload.a.vertices[..], &workload.a.triangles[..]);
    let count = workload.a.triangles.len();
    let mut text = format!(
        "| volume | bytes per triangle | build of {count} triangles, s | probe, ns | probe and overlap of 8 lanes, ns | probe and distance of 8 lanes, ns |\n\
         |---|--:|--:|--:|--:|--:|\n"
    );
    for (name, params) in volumes {
        let (model, first) = build(mesh, params);
        let seconds = first.min(build(mesh, params).1);
        let bytes = model.memory() as f64 / count as f64;
        let [probe, overlap, distance] = kernel_times(params);
        writeln!(text, "| {name} | {bytes:.0} | {seconds:.2} | {probe:.0} | {overlap:.0} | {distance:.0} |").unwrap();
    }
    text
}

/// What a volume needs on a workload.
struct Row {
    workload: String,
    volume: String,
    distance: Means,
    collide: Means,
}

fn query_all(volumes: &Volumes, names: &[String]) -> Vec<Row> {
    let mut rows = Vec::new();
    for name in names {
        let Workload { a: mesh_a, b: mesh_b, poses, .. } = Workload::named(name);
        for (volume, params) in volumes {
            let (a, _) = build((&mesh_a.vertices, &mesh_a.triangles), params);
            let same = mesh_a == mesh_b;
            let other = (!same).then(|| build((&mesh_b.vertices, &mesh_b.triangles), params).0);
            let mut pair = Pair::new(&a, other.as_ref().unwrap_or(&a)).expect("one volume");
            let [distance, collide] = [distance, collide as fn(&mut Pair<&Model>)]
                .map(|query| ask(&mut pair, &poses, Patience::default(), query));
            rows.push(Row { workload: name.clone(), volume: volume.clone(), distance, collide });
        }
    }
    rows
}

/// Tests and time per query of every volume on every workload.
fn table_of_queries(rows: &[Row]) -> String {
    let mut text = String::from(
        "| workload | volume | distance: volume tests | triangle tests | us | collide: volume tests | triangle tests | us |\n\
         |---|---|--:|--:|--:|--:|--:|--:|\n",
    );
    for Row { workload, volume, distance, collide } in rows {
        writeln!(text, "| {workload} | {volume} | {} | {} |", distance.cells(true), collide.cells(true)).unwrap();
    }
    text
}

/// What the papers compare, one volume divided by another; nothing when one of them was not asked for.
fn table_of_ratios(rows: &[Row], names: &[String]) -> String {
    let mut text = String::from(
        "| workload | RSS / OBB: volume tests | triangle tests | us | LSS / RSS: volume tests | triangle tests | us \
         | HYBRID dynamic / RSS: rectangle tests | us | OBB_SPHERE / OBB in collide: box tests | us |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for name in names {
        let find = |volume: &str| rows.iter().find(|row| row.workload == *name && row.volume == volume);
        let wanted = ["OBB", "RSS", "LSS", "HYBRID, dynamic", "OBB_SPHERE"].map(find);
        let [Some(obb), Some(rss), Some(lss), Some(hybrid), Some(dual)] = wanted else { continue };
        let distances = |row: &Row, other: &Row| {
            let (a, b) = (&row.distance, &other.distance);
            [a.full / b.full, a.triangles / b.triangles, a.microseconds / b.microseconds]
        };
        let tight = distances(hybrid, rss);
        let boxes = [dual.collide.full / obb.collide.full, dual.collide.microseconds / obb.collide.microseconds];
        let ratios =
            distances(rss, obb).into_iter().chain(distances(lss, rss)).chain([tight[0], tight[2]]).chain(boxes);
        let cells: Vec<String> = ratios.map(|ratio| format!("{ratio:.2}")).collect();
        writeln!(text, "| {name} | {} |", cells.join(" | ")).unwrap();
    }
    text
}

fn params(volume: VolumeKind) -> BuildParams {
    BuildParams { volume, ..BuildParams::default() }
}

/// [Krishnan 1998, table 1]: overlap tests of collide at each displacement.
fn parallel_proximity(workload: &Workload) -> String {
    let mut text = String::from(
        "| displacement | volume tests: SHELL | OBB | SHELL / OBB | triangle tests: SHELL | OBB |\n\
         |--:|--:|--:|--:|--:|--:|\n",
    );
    let [shell, obb] = [VolumeKind::Shell, VolumeKind::Obb]
        .map(|volume| build((&workload.a.vertices, &workload.a.triangles), &params(volume)).0);
    let [mut shells, mut boxes] = [&shell, &obb].map(|model| Pair::new(model, model).expect("one volume"));
    for pose in &workload.poses {
        let [of_shells, of_boxes] = [&mut shells, &mut boxes].map(|pair| {
            pair.set_transforms(None, Some(pose)).expect("a legal pose");
            collide(pair);
            (pair.counters().volume_tests, pair.counters().triangle_tests)
        });
        let displacement = pose.translation.length();
        let ratio = of_shells.0 as f64 / of_boxes.0 as f64;
        let (volumes, triangles) = ((of_shells.0, of_boxes.0), (of_shells.1, of_boxes.1));
        writeln!(
            text,
            "| {displacement} | {} | {} | {ratio:.2} | {} | {} |",
            volumes.0, volumes.1, triangles.0, triangles.1
        )
        .unwrap();
    }
    text
}

/// A tube of long triangles and the same tube of compact ones, each beside itself: what the shape of triangles costs.
fn long_triangles() -> String {
    let mut text = String::from(
        "| triangles | volume | distance: volume tests | triangle tests | collide: volume tests | triangle tests |\n\
         |---|---|--:|--:|--:|--:|\n",
    );
    let tube = |around: u32, along: u32| {
        meshes::grid(around, along, |u, v| {
            let (sine, cosine) = (u * core::f64::consts::TAU).sin_cos();
            DVec3::new(0.5 * cosine, 0.5 * sine, 4.0 * v - 2.0)
        })
    };
    let mut random = Random(7);
    let mut poses = Vec::new();
    for _ in 0..50 {
        let turn = DQuat::from_scaled_axis(random.point() * 0.7);
        let towards = DVec3::new(random.number(), random.number(), 0.3 * random.number()).normalize();
        let translation = towards * (1.25 + 0.25 * random.number());
        poses.push(Transform { rotation: DMat3::from_quat(turn), translation, ..Transform::IDENTITY });
    }
    let shapes = [("400 : 1", tube(1000, 1)), ("100 : 1", tube(500, 2)), ("1 : 1", tube(28, 36))];
    for (aspect, mesh) in shapes {
        for volume in [VolumeKind::Sphere, VolumeKind::Lss, VolumeKind::Rss, VolumeKind::Obb, VolumeKind::Aabb] {
            let model = build(mesh.source(), &params(volume)).0;
            let mut pair = Pair::new(&model, &model).expect("one volume");
            let [distance, collide] = [distance, collide as fn(&mut Pair<&Model>)].map(|query| {
                let means = ask(&mut pair, &poses, Patience::default(), query);
                means.cells(false)
            });
            writeln!(text, "| {aspect} | {} | {distance} | {collide} |", volume.name()).unwrap();
        }
    }
    text
}
