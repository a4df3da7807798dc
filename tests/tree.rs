//! Hierarchies over all kinds of meshes: valid, shallow, filled, and the same for every number of threads.

use feeler::internals::model::{BuildParams, Hierarchy, Quality, SplitRule};
use feeler::internals::query::DistanceParams;
use feeler::internals::tree::build::workers::{Inline, Threads, Workers};
use feeler::internals::tree::node::Tree;
use feeler::internals::tree::statistics::statistics;
use feeler::internals::tree::validate::validate;
use feeler::internals::tree::{self, Options};
use feeler::internals::volume::boxes::obb::Obb;
use feeler::internals::volume::fit::cluster::Cluster;
use feeler::{Model, Pair, Transform};
use feeler_tools::{Mesh, meshes};
use glam::DVec3;

const RULES: [SplitRule; 5] =
    [SplitRule::Auto, SplitRule::SurfaceArea, SplitRule::Midpoint, SplitRule::Mean, SplitRule::Median];

fn built(mesh: &Mesh, quality: Quality, split: SplitRule, workers: &dyn Workers) -> Model {
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    model.build_with(&BuildParams { quality, split, ..BuildParams::default() }, workers).expect("memory");
    model
}

fn tree(model: &Model) -> &Tree<Obb> {
    let Hierarchy::Obb(tree) = &model.built().expect("a built model").hierarchy else { panic!("not of boxes") };
    tree
}

fn corpus() -> Vec<(&'static str, Mesh)> {
    let clustered = |exponent: i32| {
        let mut mesh = meshes::random_soup(500, 0.3, 7);
        let small = meshes::torus(20, 10, 0.3).map(|vertex| vertex * 2f64.powi(exponent) + DVec3::splat(0.5));
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(&small.vertices);
        mesh.triangles.extend(small.triangles.iter().map(|triangle| triangle.map(|index| index + first)));
        mesh
    };
    vec![
        ("soup", meshes::random_soup(3000, 0.1, 1)),
        ("big soup", meshes::random_soup(700, 1.0, 2)),
        ("sphere", meshes::sphere(60, 30)),
        ("torus", meshes::torus(80, 40, 0.3)),
        ("plane", meshes::plane(50, 50)),
        ("tilted plane", meshes::plane(37, 21).map(|v| DVec3::new(v.x + 0.1 * v.y, v.y - 0.3 * v.x, 0.7 * v.x))),
        ("strip", meshes::plane(1000, 1)),
        ("needles", meshes::needles(1000, 3)),
        ("degenerate", meshes::degenerate(1000, 4)),
        ("one line", meshes::degenerate(500, 5).map(|v| DVec3::new(v.x, 2.0 * v.x, -v.x))),
        ("one point", meshes::degenerate(500, 6).map(|_| DVec3::new(0.3, -0.7, 11.0))),
        ("origin", meshes::degenerate(300, 6).map(|_| DVec3::ZERO)),
        ("tiny part", clustered(-30)),
        ("minute part", clustered(-140)),
        ("far", meshes::sphere(20, 10).map(|v| v + DVec3::new(1e6, -1e7, 1e5))),
        ("huge", meshes::torus(20, 10, 0.4).map(|v| v * 1e300 * 0.5)),
        ("small", meshes::torus(20, 10, 0.4).map(|v| v * 1e-300)),
        ("uneven", meshes::torus(30, 30, 0.4).map(|v| DVec3::new(v.x, v.y * 1e-9, v.z * 1e-20))),
        ("spread", meshes::random_soup(1000, 0.5, 9).map(|v| v * 2f64.powf(40.0 * v.x))),
    ]
}

#[test]
fn every_mesh_gets_a_valid_hierarchy() {
    for (name, mesh) in corpus() {
        for quality in [Quality::High, Quality::Fast] {
            for split in RULES {
                let model = built(&mesh, quality, split, &Inline);
                model.validate().unwrap_or_else(|defect| panic!("{name}, {quality:?}, {split:?}: {defect}"));
                assert!(tree(&model).depth <= tree::build::DEEPEST + 1, "{name}: depth {}", tree(&model).depth);
            }
        }
    }
}

#[test]
fn few_triangles() {
    for count in 1..=70 {
        for seed in 0..4 {
            let mesh = meshes::random_soup(count, 0.2, seed * 1000 + count as u64);
            for quality in [Quality::High, Quality::Fast] {
                let model = built(&mesh, quality, SplitRule::Auto, &Inline);
                model.validate().unwrap_or_else(|defect| panic!("{count} triangles, {quality:?}: {defect}"));
                if (2..=8).contains(&count) {
                    assert_eq!(tree(&model).nodes.len(), 2, "{count} triangles fit one node");
                }
            }
        }
    }
}

#[test]
fn coincident_triangles_stay_shallow() {
    for mesh in [meshes::equal(100_000), meshes::degenerate(100_000, 1).map(|_| DVec3::ONE)] {
        for split in RULES {
            let model = built(&mesh, Quality::High, split, &Inline);
            model.validate().unwrap_or_else(|defect| panic!("{split:?}: {defect}"));
            assert!(tree(&model).depth <= 10, "{split:?}: depth {}", tree(&model).depth);
        }
    }
}

#[test]
fn depth_is_capped() {
    // Sizes and places grow by a factor each: cutting by place peels off one triangle at a time.
    let peeling = Mesh::soup((0..900).map(|k| {
        let place = 2f64.powi(k / 4 - 225);
        [DVec3::X * place, DVec3::new(place, place * 0.1, 0.0), DVec3::new(place * 1.1, 0.0, place * 0.1)]
    }));
    for (mesh, least) in [(&peeling, 10), (&meshes::random_soup(1000, 0.1, 3), 10)] {
        for deepest in [least, 12, 20, 48] {
            for split in RULES {
                let options = Options { split, deepest, ..Options::default() };
                let (tree, order) =
                    tree::build::<Obb>(&mesh.vertices, DVec3::ZERO, mesh.triangles.iter().copied(), &options, &Inline)
                        .expect("memory");
                let cluster = Cluster::new(&mesh.vertices, DVec3::ZERO, &order.triangles);
                validate(&tree, &cluster).unwrap_or_else(|defect| panic!("{deepest}, {split:?}: {defect}"));
                assert!(tree.depth <= deepest + 1, "{} of {deepest}, {split:?}", tree.depth);
            }
        }
    }
}

#[test]
fn every_number_of_threads_builds_the_same() {
    for mesh in [meshes::torus(200, 120, 0.3), meshes::random_soup(20_000, 0.05, 5), meshes::equal(20_000)] {
        for quality in [Quality::High, Quality::Fast] {
            let text = |workers: &dyn Workers| {
                let model = built(&mesh, quality, SplitRule::Auto, workers);
                let built = model.built().expect("a built model");
                format!("{:?} {:?}", built.hierarchy, built.ids)
            };
            let alone = text(&Inline);
            for threads in [1, 2, 3, 8] {
                assert!(text(&Threads(threads)) == alone, "{threads} threads, {quality:?}");
            }
        }
    }
}

/// Ten million are built by examples/ten_million.rs; here as many as a test may take.
#[test]
fn a_million_triangles() {
    let hills =
        |u: f64, v: f64| DVec3::new(u, v, 0.05 * (9.0 * u).sin() * (7.0 * v).cos() + 0.002 * (211.0 * u * v).sin());
    let mesh = meshes::grid(708, 707, hills);
    for quality in [Quality::Fast, Quality::High] {
        let model = built(&mesh, quality, SplitRule::Auto, &Threads(2));
        assert_eq!(model.triangle_count(), 2 * 708 * 707);
        model.validate().expect("a valid hierarchy");
        let info = model.info();
        assert!(info.depth <= 14 && info.memory_bytes < 130 * info.triangle_count, "{info:?}");
        let mut pair = Pair::new(&model, &model).expect("equal volumes");
        let above = Transform { translation: DVec3::new(0.1, 0.2, 0.125), ..Transform::IDENTITY };
        pair.set_transforms(None, Some(&above)).expect("a legal pose");
        let answer = pair.distance(&DistanceParams { cold: true, ..Default::default() });
        let contact = answer.nearest.expect("a nearest pair");
        let again = pair.plain_walk().contact(contact.triangle_a, contact.triangle_b);
        assert!(answer.complete && answer.upper > 0.0 && again == contact, "{answer:?}");
        assert!(pair.counters().work < 100_000, "{:?}", pair.counters());
    }
}

#[test]
fn ids_survive_any_number_of_builds() {
    let mut mesh = meshes::random_soup(500, 0.3, 11);
    mesh.vertices.insert(0, DVec3::splat(0.25)); // a vertex that no triangle uses
    for index in mesh.triangles.iter_mut().flatten() {
        *index += 1;
    }
    let plain = Model::new(&mesh.source()).expect("a legal mesh");
    let once = built(&mesh, Quality::High, SplitRule::Auto, &Inline);
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    for split in [SplitRule::Median, SplitRule::Mean, SplitRule::Auto] {
        model.build_with(&BuildParams { split, ..BuildParams::default() }, &Inline).expect("memory");
        for id in 0..500 {
            assert_eq!(model.triangle(id), plain.triangle(id));
            assert_eq!(model.id_of_slot(model.slot(id)), id);
            assert_eq!(model.triangle_in_slot(model.slot(id)), plain.triangle(id));
        }
    }
    assert_eq!(format!("{:?}", tree(&model)), format!("{:?}", tree(&once)), "a build does not depend on earlier ones");
    assert_eq!(model.memory(), once.memory());
}

/// A broken hierarchy is found out: the validator would otherwise prove nothing.
#[test]
fn the_validator_finds_defects() {
    let mesh = meshes::torus(20, 10, 0.3);
    let fresh = || {
        tree::build::<Obb>(&mesh.vertices, DVec3::ZERO, mesh.triangles.iter().copied(), &Options::default(), &Inline)
            .expect("memory")
    };
    type Defect = fn(&mut Tree<Obb>);
    let defects: [Defect; 5] = [
        |tree| tree.nodes[1].children.swap(0, 1),
        |tree| tree.nodes[1].set_child(0, feeler::internals::tree::node::Child::EMPTY),
        |tree| tree.depth += 1,
        |tree| {
            let node = &mut tree.nodes[2];
            let mut volume = <Obb as feeler::internals::volume::Volume>::load(&node.wide, 0);
            volume.half = volume.half.map(|half| half * 0.999);
            feeler::internals::volume::Volume::store(&volume, &mut node.wide, 0);
        },
        |tree| tree.nodes[1].children[1] = tree.nodes[1].children[0],
    ];
    for (number, defect) in defects.into_iter().enumerate() {
        let (mut tree, order) = fresh();
        let cluster = Cluster::new(&mesh.vertices, DVec3::ZERO, &order.triangles);
        assert_eq!(validate(&tree, &cluster), Ok(()));
        defect(&mut tree);
        assert!(validate(&tree, &cluster).is_err(), "defect {number}");
    }
}

#[test]
fn closed_meshes_fill_their_nodes_and_their_memory_budget() {
    for mesh in [meshes::torus(150, 100, 0.3), meshes::sphere(150, 100)] {
        let model = built(&mesh, Quality::High, SplitRule::Auto, &Inline);
        let figures = statistics(tree(&model), |volume| {
            let [x, y, z] = volume.half.map(f64::from);
            x * y + y * z + z * x
        });
        assert!(figures.fill > 0.75, "{figures:?}");
        let bytes = model.memory() as f64 / mesh.triangles.len() as f64;
        assert!(bytes < 118.0, "{bytes} bytes per triangle");
        // A soup of the same triangles has the same vertices, once each; negative zeros are zeros.
        let soup = Mesh::soup(
            mesh.corners().into_iter().map(|corners| corners.map(|v| v.map(|x| if x == 0.0 { -x } else { x }))),
        );
        assert_eq!(soup.vertices.len(), 3 * mesh.triangles.len());
        let mut merged = built(&soup, Quality::High, SplitRule::Auto, &Inline);
        assert_eq!(merged.memory(), model.memory());
        assert_eq!(merged.info().boundary_edges, model.info().boundary_edges);
        for id in 0..mesh.triangles.len() as u32 {
            assert_eq!(merged.triangle(id), model.triangle(id));
        }
        // Vertices that may move apart stay apart, and keep the caller's numbers.
        merged = Model::new(&soup.source()).expect("a legal mesh");
        merged.build(&BuildParams { deformable: true, ..Default::default() }).expect("memory");
        assert!(merged.memory() > model.memory() + 2 * 24 * mesh.triangles.len());
        let mut moved = soup.vertices.clone();
        moved[0] += DVec3::X;
        merged.update_vertices(&moved[..]).expect("as many vertices");
        let changed = (0..mesh.triangles.len() as u32).filter(|&id| {
            let scale = 2f64.powi(merged.exponent() - model.exponent());
            merged.triangle(id).map(|v| v * scale) != model.triangle(id)
        });
        assert_eq!(changed.collect::<Vec<_>>(), [0]);
    }
}
