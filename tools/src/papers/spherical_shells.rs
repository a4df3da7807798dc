//! [Krishnan 1998].

use super::collision_walk::by_diameter;
use super::overlap_test::{ExactShell, Fifteen, Usual};
use super::plain_queries::{PlainPair, Until};
use super::plain_tree::{Cut, PlainModel, divide_once};
use super::plot::Chart;
use super::progress::Progress;
use super::published::Published;
use super::report::{Conclusion, Figure, Section, Table, Verdict};
use super::scenes::stored_or;
use super::settings::Settings;
use super::swept_figures::slope;
use crate::clock::thread_seconds;
use crate::measured::{Means, short};
use crate::paths::shifted;
use crate::{Mesh, Workload, cells, meshes};
use core::f64::consts::{PI, TAU};
use feeler::internals::model::{BuildParams, Model, VolumeKind};
use feeler::internals::tree::build::workers::Inline;
use feeler::internals::volume::boxes::obb::Obb;
use feeler::internals::volume::fit::cluster::Cluster;
use feeler::internals::volume::shells::shell::Shell;
use feeler::internals::volume::{Quality, Volume};
use feeler::{CollideParams, Pair, Transform};
use glam::{DMat3, DVec3};

const DISPLACEMENTS: [f64; 11] = [0.1, 0.05, 0.02, 0.009, 0.006, 0.003, 0.0009, 0.0006, 0.0004, 0.0002, 0.0001];

pub fn run(settings: &Settings) -> Section {
    let published = Published::of("spherical_shells");
    let mut section = Section::new(
        "spherical_shells",
        "Krishnan, Pattekar, Lin, Manocha: Spherical Shell: A Higher Order Bounding Volume for Fast Proximity Queries, 1998.",
    );
    let sizes = settings.choose(6, 2);
    let mut bar = Progress::new("spherical shells", 4 + sizes + 2);
    parallel_proximity(settings, &published, &mut section, &mut bar);
    volumes_by_level(settings, &published, &mut section);
    bar.step();
    interlaced_tori(settings, &published, &mut section, sizes, &mut bar);
    convergence(settings, &mut section);
    bar.step();
    section
}

/// Table 1 and figure 8.
fn parallel_proximity(settings: &Settings, published: &Published, section: &mut Section, bar: &mut Progress) {
    let (columns, rows) = settings.choose((224, 112), (64, 32));
    let scene = stored_or("teapot_patches", || {
        // About as large as the side of the teapot, whose displacements these are.
        let mesh = meshes::belly(columns, rows).map(|vertex| vertex * 3.0);
        let poses = DISPLACEMENTS.iter().map(|by| shifted(DVec3::X * *by)).collect();
        Workload { name: "patches".to_string(), a: mesh.clone(), b: mesh, poses }
    });
    let poses: Vec<Transform> = if settings.quick { scene.poses[..8].to_vec() } else { scene.poses.clone() };
    let mesh = &scene.a;
    let patience = crate::measured::Patience { one_pass: 30.0, all_passes: 0.0, passes: 1 };
    // One pose per cell, so that each has its own counts.
    let per_pose = |collisions: &dyn Fn(&[Transform]) -> Means| {
        poses.iter().map(|pose| collisions(core::slice::from_ref(pose))).collect::<Vec<Means>>()
    };
    let shells = PlainModel::<Shell>::new(mesh, Cut::Mean);
    let pair = PlainPair { a: &shells, b: &shells };
    let cheap = per_pose(&|poses| pair.collisions(poses, patience, (Usual, Until::AllContacts), by_diameter::<Shell>));
    bar.step();
    let exact =
        per_pose(&|poses| pair.collisions(poses, patience, (ExactShell, Until::AllContacts), by_diameter::<Shell>));
    bar.step();
    let limited = PlainModel::<Shell>::new(mesh, Cut::LimitingVertex);
    let pair = PlainPair { a: &limited, b: &limited };
    let limited =
        per_pose(&|poses| pair.collisions(poses, patience, (Usual, Until::AllContacts), by_diameter::<Shell>));
    bar.step();
    let boxes = PlainModel::<Obb>::new(mesh, Cut::Mean);
    let pair = PlainPair { a: &boxes, b: &boxes };
    let boxes = per_pose(&|poses| pair.collisions(poses, patience, (Fifteen, Until::AllContacts), by_diameter::<Obb>));
    bar.step();
    let paper =
        |row: usize, column: &str| published.number("table1", &format!("displacement {}", DISPLACEMENTS[row]), column);
    let table = (0..poses.len()).map(|k| {
        let (ours, theirs) = (cheap[k].volumes() / boxes[k].volumes(), paper(k, "shells") / paper(k, "OBBs"));
        cells![
            poses[k].translation.length(),
            paper(k, "shells"),
            paper(k, "OBBs"),
            format!("{theirs:.2}"),
            short(cheap[k].volumes()),
            short(boxes[k].volumes()),
            format!("{ours:.2}"),
            short(exact[k].volumes()),
            short(limited[k].volumes()),
            short(cheap[k].triangles),
            short(boxes[k].triangles),
            short(cheap[k].microseconds),
            short(exact[k].microseconds),
            short(boxes[k].microseconds)
        ]
    });
    let table: Vec<Vec<String>> = table.collect();
    // Displacements well above the size of the triangles.
    let middle = 2..settings.choose(7, 6);
    let fewer = middle.clone().all(|k| cheap[k].volumes() < boxes[k].volumes());
    let time = middle.clone().map(|k| cheap[k].microseconds / boxes[k].microseconds).fold(f64::INFINITY, f64::min);
    let exact_gain: f64 =
        (0..poses.len()).map(|k| exact[k].volumes() / cheap[k].volumes()).sum::<f64>() / poses.len() as f64;
    let exact_time: f64 =
        (0..poses.len()).map(|k| exact[k].microseconds / cheap[k].microseconds).sum::<f64>() / poses.len() as f64;
    let cut: f64 =
        (0..poses.len()).map(|k| limited[k].volumes() / cheap[k].volumes()).sum::<f64>() / poses.len() as f64;
    let points = |means: &[Means]| -> Vec<(f64, f64)> {
        (0..poses.len()).map(|k| (poses[k].translation.length(), means[k].volumes())).collect()
    };
    let of_paper =
        |column: &str| -> Vec<(f64, f64)> { (0..poses.len()).map(|k| (DISPLACEMENTS[k], paper(k, column))).collect() };
    // Where the triangles are still smaller than the displacement.
    let slopes =
        [points(&cheap), points(&boxes), of_paper("shells"), of_paper("OBBs")].map(|points| slope(&points[..7]));
    // The paper's slopes differ by 0.15.
    let is_flatter = slopes[0] > slopes[1] + 0.05;
    let shares = middle
        .clone()
        .map(|k| cheap[k].volumes() / boxes[k].volumes())
        .fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), share| (least.min(share), most.max(share)));
    let numbers: Vec<String> =
        middle.map(|k| format!("{} for {}", short(cheap[k].volumes()), short(boxes[k].volumes()))).collect();
    section.table(Table {
        name: "krishnan_table1".to_string(),
        title: "Table 1: overlap tests in parallel close proximity".to_string(),
        caption: format!(
            "Collision of a curved patch of {} triangles with its displaced copy, in binary trees split at the mean. Shells by feeler's \
             test, with an exact last stage, and split through the limiting vertex as in the paper; OBB with fifteen axes.",
            mesh.triangles.len()
        ),
        head: cells![
            "displacement", "paper: shells", "OBB", "ratio", "here: shells", "OBB", "ratio", "shells, exact", "shells, paper's cut",
            "N_p: shells", "N_p: OBB", "us: shells", "us: shells, exact", "us: OBB"
        ],
        rows: table,
        conclusion: Conclusion::new(
            "shells need fewer tests than OBB, ever fewer the closer the surfaces are.",
            Verdict::of(&[fewer, is_flatter]),
            format!(
                "Shells need {} to {} of the tests of OBB in the middle displacements, about the same share throughout, but a shell test costs several times an OBB test: at best shells \
                 take {} of the OBB's time. The exact last stage saves {:.0} % of the tests and takes {} times the time; the paper's \
                 cut needs {:.2} times the tests.",
                short(shares.0),
                short(shares.1),
                short(time),
                100.0 * (1.0 - exact_gain),
                short(exact_time),
                cut
            ),
        ),
    });
    section.claim("shells need fewer tests than OBB in the middle displacements", fewer, numbers.join(", "));
    let mut chart = Chart::new("displacement", "overlap tests").logarithmic(true, true);
    chart.curve("shells", points(&cheap));
    chart.curve("OBB", points(&boxes));
    chart.dashed("shells, paper", of_paper("shells"));
    chart.dashed("OBB, paper", of_paper("OBBs"));
    section.figure(Figure {
        name: "krishnan_figure8".to_string(),
        title: "Figure 8: overlap tests by displacement".to_string(),
        caption: "The same counts; dashed lines are the paper's table 1. Slopes are fitted to displacements of 0.0009 and more.".to_string(),
        chart,
        conclusion: Some(Conclusion::new(
            "the curve of the shells is less steep than that of the OBB.",
            Verdict::of(&[is_flatter]),
            format!(
                "Slopes: shells {:.2}, OBB {:.2}; the paper's points give {:.2} and {:.2}. On a patch whose principal curvatures differ \
                 shells converge with the order of boxes, only from a smaller thickness.",
                slopes[0], slopes[1], slopes[2], slopes[3]
            ),
        )),
    });
}

fn split_axes(cluster: &Cluster) -> DMat3 {
    Obb::cut_axes(cluster, Quality::High)
}

/// With r the middle radius, t half the thickness and c the chord: 2 pi (1 - cos) (r2^3 - r1^3) / 3, where 1 - cos = c^2 / (2 r^2).
fn shell_volume(shell: &Shell) -> f64 {
    let [t, c, k] = [shell.half_thickness, shell.chord, shell.curvature].map(f64::from);
    TAU * c * c * t * (1.0 + k * k * t * t / 3.0)
}

fn box_volume(obb: &Obb) -> f64 {
    8.0 * obb.half.iter().map(|half| f64::from(*half)).product::<f64>()
}

/// Table 2.
fn volumes_by_level(settings: &Settings, published: &Published, section: &mut Section) {
    let side = settings.choose(256, 64);
    let mesh = meshes::belly(side, side);
    let all = Cluster::new(&mesh.vertices, DVec3::ZERO, &[]);
    let mut sets = vec![mesh.triangles.clone()];
    let levels = settings.choose(5, 4);
    let mut measured = Vec::new();
    for level in 0..levels {
        if level > 0 {
            for _ in 0..2 {
                sets = sets
                    .into_iter()
                    .flat_map(|mut set| {
                        let first = divide_once(&all, split_axes, Cut::Mean, &mut set);
                        let second = set.split_off(first);
                        [set, second]
                    })
                    .collect();
            }
        }
        let (mut shells, mut boxes) = (0.0, 0.0);
        for set in &sets {
            let cluster = Cluster::new(&mesh.vertices, DVec3::ZERO, set);
            shells += shell_volume(&Shell::fit(&cluster, Quality::High));
            boxes += box_volume(&Obb::fit(&cluster, Quality::High));
        }
        measured.push((shells, boxes));
    }
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    for level in 0..levels {
        let row = format!("level {}", level + 1);
        let paper = |column: &str| published.number("table2", &row, column);
        let mut cells = cells![level + 1, sets_on(level)];
        cells.extend(cells![paper("shells: volume"), paper("OBBs: volume")]);
        let ours = measured[level];
        if level == 0 {
            cells.extend(cells!["", ""]);
        } else {
            cells.extend(cells![paper("shells: ratio"), paper("OBBs: ratio")]);
        }
        cells.extend(cells![format!("{:.3e}", ours.0), format!("{:.3e}", ours.1)]);
        if level == 0 {
            cells.extend(cells!["", ""]);
        } else {
            let above = measured[level - 1];
            ratios.push((above.0 / ours.0, above.1 / ours.1));
            cells.extend(cells![format!("{:.2}", above.0 / ours.0), format!("{:.2}", above.1 / ours.1)]);
        }
        rows.push(cells);
    }
    let texts = |value: fn(&(f64, f64)) -> f64| {
        ratios.iter().map(|ratio| format!("{:.1}", value(ratio))).collect::<Vec<String>>().join(", ")
    };
    let (shells, boxes) = (texts(|ratio| ratio.0), texts(|ratio| ratio.1));
    section.table(Table {
        name: "krishnan_table2".to_string(),
        title: "Table 2: volume per level".to_string(),
        caption: format!(
            "Sums of the volumes on each level of a tree with four children per node over {} triangles of a curved patch; the ratio is the \
             level above by this one.",
            mesh.triangles.len()
        ),
        head: cells![
            "level", "nodes", "paper: shells", "OBB", "ratio, shells", "ratio, OBB", "here: shells", "OBB", "ratio, shells",
            "ratio, OBB"
        ],
        rows,
        conclusion: Conclusion::new(
            "volumes of shells fall by 8 per level (cubic), of OBB by 4 (quadratic).",
            Verdict::of(&[ratios.iter().all(|ratio| ratio.0 > 6.0), ratios.iter().skip(1).all(|ratio| ratio.1 < 5.0)]),
            format!(
                "Shells fall by {shells} from level to level, OBB by {boxes}: the principal curvatures of this patch differ, and then a \
                 sphere cannot follow the surface to second order, as the convergence below shows. The paper's own ratios fall from 6.7 \
                 to 3.9."
            ),
        ),
    });
}

fn sets_on(level: usize) -> usize {
    4usize.pow(level as u32)
}

/// Table 3: neighbours move in opposite directions and turn back when they touch.
fn interlaced_tori(
    settings: &Settings,
    published: &Published,
    section: &mut Section,
    sizes: usize,
    bar: &mut Progress,
) {
    let frames = settings.choose(200, 50);
    let mut rows = Vec::new();
    let (mut slower, mut times) = (Vec::new(), Vec::new());
    for side in [15u32, 21, 24, 27, 30, 33].into_iter().take(sizes) {
        let mesh = meshes::torus(side, side, 0.25);
        let count = mesh.triangles.len();
        let [shell, obb] = [VolumeKind::Shell, VolumeKind::Obb].map(|volume| simulate(&mesh, volume, frames));
        let row = format!("{count} triangles per torus");
        let paper = |column: &str| published.number("table3", &row, column);
        let (calls, total) = (paper("collision calls"), paper("collision query, total"));
        slower.push(shell.microseconds / obb.microseconds);
        times.push(shell.microseconds);
        rows.push(cells![
            count,
            calls,
            paper("tree construction"),
            short(total / calls),
            shell.calls,
            shell.collisions,
            short(shell.build * 1e6),
            short(shell.microseconds),
            short(obb.build * 1e6),
            short(obb.microseconds)
        ]);
        bar.step();
    }
    section.table(Table {
        name: "krishnan_table3".to_string(),
        title: "Table 3: five interlaced tori".to_string(),
        caption: format!(
            "{frames} frames; every pair of tori is asked in each frame by the library, cold. The paper's averages contradict its totals; \
             the average here is its total by its calls."
        ),
        head: cells![
            "triangles", "paper: calls", "construction, us", "us per call", "calls", "collisions", "shells: construction, us",
            "us per call", "OBB: construction, us", "us per call"
        ],
        rows,
        conclusion: Conclusion::new(
            "shells answer in about 42 us per query whatever the tessellation; no comparison with OBB is given.",
            Verdict::of(&[times[times.len() - 1] < 2.0 * times[0]]),
            format!(
                "From the coarsest to the finest torus a query becomes {} times as long. Shells take {} to {} times as long as OBB, \
                 which the paper did not ask.",
                short(times[times.len() - 1] / times[0]),
                short(slower.iter().copied().fold(f64::INFINITY, f64::min)),
                short(slower.iter().copied().fold(0.0, f64::max))
            ),
        ),
    });
}

struct Simulation {
    build: f64,
    calls: u64,
    collisions: u64,
    microseconds: f64,
}

fn simulate(mesh: &Mesh, volume: VolumeKind, frames: usize) -> Simulation {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    let start = thread_seconds();
    model.build_with(&BuildParams { volume, ..BuildParams::default() }, &Inline).expect("memory");
    let build = thread_seconds() - start;
    let mut pair = Pair::new(&model, &model).expect("one volume");
    let turn = |k: usize| if k.is_multiple_of(2) { DMat3::IDENTITY } else { DMat3::from_rotation_x(0.5 * PI) };
    let mut places: Vec<DVec3> = (0..5).map(|k| DVec3::X * 1.1 * k as f64).collect();
    let mut speeds: Vec<f64> = (0..5).map(|k| if k % 2 == 0 { 0.013 } else { -0.011 }).collect();
    let (mut calls, mut collisions, mut seconds) = (0, 0, 0.0);
    for _ in 0..frames {
        (0..5).for_each(|k| places[k] += DVec3::new(0.8, 0.3, 0.52) * speeds[k]);
        for a in 0..5 {
            for b in a + 1..5 {
                let place = |k: usize| Transform { rotation: turn(k), translation: places[k], ..Transform::IDENTITY };
                pair.set_transforms(Some(&place(a)), Some(&place(b))).expect("a legal pose");
                let start = thread_seconds();
                let touching = pair.collide(&CollideParams { cold: true, max_work: 0 }).contact.is_some();
                seconds += thread_seconds() - start;
                calls += 1;
                if touching {
                    collisions += 1;
                    // Both turn back: away from each other.
                    let away = (places[b] - places[a]).dot(DVec3::new(0.8, 0.3, 0.52)).signum();
                    (speeds[a], speeds[b]) = (-away * speeds[a].abs(), away * speeds[b].abs());
                }
            }
        }
    }
    Simulation { build, calls, collisions, microseconds: seconds / calls as f64 * 1e6 }
}

/// A smooth patch over the plane.
type Height = fn(f64, f64) -> f64;

/// Section 5: how the thickness of shells and boxes falls with the size of a patch.
fn convergence(settings: &Settings, section: &mut Section) {
    let patches: [(&str, Height); 5] = [
        ("sphere", |x, y| 1.0 - (1.0 - x * x - y * y).sqrt()),
        ("paraboloid, equal curvatures", |x, y| 0.5 * (x * x + y * y)),
        ("elliptic, curvatures 1 and 1/2", |x, y| 0.5 * (x * x + 0.5 * y * y)),
        ("cylinder", |x, _| 0.5 * x * x),
        ("saddle", |x, y| 0.5 * (x * x - y * y)),
    ];
    let samples = settings.choose(20, 10);
    let sizes: Vec<f64> = (0..5).map(|k| 0.5 * 0.5f64.powi(k)).collect();
    let mut chart = Chart::new("half width of the patch", "thickness of the shell").logarithmic(true, true);
    let mut rows = Vec::new();
    let mut orders = Vec::new();
    for (name, height) in patches {
        let mut of_shells = Vec::new();
        let mut of_boxes = Vec::new();
        for &size in &sizes {
            // Tiny triangles on the smooth surface, so that tessellation does not count.
            let tiny = 1e-4 * size;
            let at = |x: f64, y: f64| DVec3::new(x, y, height(x, y));
            let mesh = Mesh::soup((0..samples * samples).map(|k| {
                let place = |k: usize| size * (2.0 * k as f64 / (samples - 1) as f64 - 1.0);
                let (x, y) = (place(k % samples), place(k / samples));
                [at(x, y), at(x - x.signum() * tiny, y), at(x, y - y.signum() * tiny)]
            }));
            let cluster = Cluster::new(&mesh.vertices, DVec3::ZERO, &mesh.triangles);
            let shell = Shell::fit(&cluster, Quality::High);
            let obb = Obb::fit(&cluster, Quality::High);
            of_shells.push((size, 2.0 * f64::from(shell.half_thickness).max(1e-12)));
            of_boxes.push((size, 2.0 * f64::from(obb.half.into_iter().fold(f32::INFINITY, f32::min))));
        }
        chart.curve(name, of_shells.clone());
        // The sphere has no thickness but rounding.
        let order = if of_shells[0].1 < 1e-5 { f64::INFINITY } else { slope(&of_shells) };
        orders.push(order);
        let text = if order.is_finite() { format!("{order:.2}") } else { "no thickness".to_string() };
        rows.push(cells![
            name,
            text,
            format!("{:.2}", slope(&of_boxes)),
            format!("{:.2e}", of_shells[2].1),
            format!("{:.2e}", of_boxes[2].1)
        ]);
    }
    let sentence = format!(
        "The order is {:.1} where both principal curvatures are equal, but {:.1} on an elliptic patch with different ones, {:.1} on a \
         cylinder and {:.1} on a saddle: a sphere has one curvature, so equal signs are not enough.",
        orders[1], orders[2], orders[3], orders[4]
    );
    section.table(Table {
        name: "krishnan_convergence".to_string(),
        title: "Section 5: order of convergence on smooth patches".to_string(),
        caption: "The exponent with which the thickness of one shell and of one box falls with the size of the patch, and the thickness at \
                  a half width of 0.125."
            .to_string(),
        head: cells!["patch", "order, shell", "order, OBB", "thickness, shell", "thickness, OBB"],
        rows,
        conclusion: Conclusion::new(
            "shells converge cubically where both principal curvatures have the same sign, and not elsewhere.",
            Verdict::of(&[orders[1] > 2.8, orders[2] > 2.8]),
            sentence,
        ),
    });
    section.figure(Figure {
        name: "krishnan_section5".to_string(),
        title: "Section 5: thickness of a shell by the size of the patch".to_string(),
        caption: "The same fits.".to_string(),
        chart,
        conclusion: None,
    });
}
