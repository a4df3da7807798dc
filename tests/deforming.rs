//! Models whose vertices move: after any update every answer is that of a model created from the new vertices.

use feeler::{
    BuildParams, CollideParams, ContactsParams, DistanceParams, HybridSelection, Inline, Model, Pair, Quality, Status,
    ToleranceParams, Transform, VolumeKind,
};
use feeler_tools::scenes::{Array, Walk, pose, random_rotation};
use feeler_tools::{Mesh, Random, deformations, meshes, scenes};
use glam::DVec3;

/// Every volume, and both hybrids.
fn volumes() -> Vec<BuildParams> {
    let mut all: Vec<_> = VolumeKind::ALL
        .into_iter()
        .map(|volume| BuildParams { volume, deformable: true, ..BuildParams::default() })
        .collect();
    let hybrid_selection = HybridSelection::Dynamic;
    all.push(BuildParams { volume: VolumeKind::Hybrid, hybrid_selection, deformable: true, ..BuildParams::default() });
    all
}

fn built(mesh: &Mesh, params: &BuildParams) -> Model {
    let mut model = Model::new(&mesh.source()).unwrap();
    model.build_with(params, &Inline).unwrap();
    model
}

/// What answers depend on is that of a model created from the same vertices, and the hierarchy is sound.
fn check_model(model: &Model, vertices: &[DVec3], triangles: &[[u32; 3]], label: &str) {
    let fresh = Model::new(&(vertices, triangles)).unwrap();
    assert_eq!(model.exponent(), fresh.exponent(), "{label}");
    assert_eq!(model.bounds(), fresh.bounds(), "{label}");
    assert_eq!(model.degenerate_count(), fresh.degenerate_count(), "{label}");
    for id in 0..triangles.len() as u32 {
        assert_eq!(model.triangle(id), fresh.triangle(id), "{label}: triangle {id}");
    }
    model.validate().unwrap_or_else(|defect| panic!("{label}: {defect}"));
}

/// Every query against the plain walk.
fn check_queries(a: &Model, b: &Model, at_b: &Transform, label: &str) {
    let mut pair = Pair::new(a, b).unwrap();
    pair.set_transforms(None, Some(at_b)).unwrap();
    let walk = Walk::new(&pair);
    let distance = walk.distance();
    for cold in [true, false] {
        let answer = pair.distance(&DistanceParams { cold, ..Default::default() });
        assert_eq!((answer.lower, answer.upper), (distance, distance), "{label}");
        let answer = pair.collide(&CollideParams { cold, max_work: 0 });
        assert_eq!(answer.contact.is_some(), distance == 0.0, "{label}");
        for tolerance in [distance, distance.next_down().max(0.0)] {
            let answer = pair.tolerance(&ToleranceParams { cold, max_work: 0, tolerance });
            assert_eq!(answer.closer, distance <= tolerance, "{label}");
        }
    }
    for margin in [0.0, distance * 1.5] {
        let expected = walk.within(margin);
        if expected.len() < 2000 {
            let mut array = Array::new(usize::MAX);
            pair.contacts(&ContactsParams { margin, ..Default::default() }, &mut array);
            assert_eq!(array.ids(), expected, "{label}, margin {margin:e}");
        }
    }
}

/// Where B is near the model.
fn beside(model: &Model, random: &mut Random) -> Transform {
    let [low, high] = model.bounds();
    let size = (high - low).max_element().max(high.abs().max(low.abs()).max_element() * 1e-3);
    let size = if size > 0.0 { size } else { 1.0 };
    let at = low * 0.5 + high * 0.5 + random.point() * size * 0.6;
    pose(random_rotation(random), at, size * 0.2)
}

fn subjects() -> Vec<(&'static str, Mesh)> {
    let mut subjects = scenes::corpus();
    subjects.push(("large torus", meshes::torus(36, 11, 0.35)));
    subjects
}

#[test]
fn an_updated_model_answers_as_a_new_one() {
    let mut random = Random(7);
    for params in volumes() {
        let tool = built(&meshes::random_soup(9, 0.8, 3), &params);
        for (name, mesh) in subjects() {
            let mut model = built(&mesh, &params);
            for (how, vertices) in deformations::all(&mesh.vertices, random.bits()) {
                let label = format!("{:?} {name}, {how}", params.volume);
                model.update_vertices(&vertices[..]).unwrap();
                check_model(&model, &vertices, &mesh.triangles, &label);
                check_queries(&model, &tool, &beside(&model, &mut random), &label);
            }
        }
    }
}

#[test]
fn an_updated_range_is_an_update_of_all() {
    let mut random = Random(11);
    for params in volumes() {
        let tool = built(&meshes::random_soup(9, 0.8, 3), &params);
        for (name, mesh) in subjects() {
            let mut model = built(&mesh, &params);
            let mut vertices = mesh.vertices.clone();
            for step in 0..24 {
                let first = random.bits() as usize % vertices.len();
                let most =
                    (vertices.len() - first).min(if step % 3 == 0 { usize::MAX } else { 1 + vertices.len() / 9 });
                let count = 1 + random.bits() as usize % most;
                let size = [1e-3, 0.3, 1e-9, 3.0, 0.0, 0.05, 0.1, 1e4][step % 8];
                let moved = deformations::jitter(&vertices[first..first + count], size, random.bits());
                vertices[first..first + count].copy_from_slice(&moved);
                if step % 8 == 7 {
                    // Back to where the mesh was, so that bounds and exponent shrink.
                    vertices[first..first + count].copy_from_slice(&mesh.vertices[first..first + count]);
                }
                let label = format!("{:?} {name}, step {step}, {count} from {first}", params.volume);
                model.update_range(&vertices[first..first + count], first).unwrap();
                check_model(&model, &vertices, &mesh.triangles, &label);
                if step % 4 == 0 {
                    check_queries(&tool, &model, &Transform::IDENTITY, &label);
                }
            }
        }
    }
}

/// While the origin stays, a range that is updated leaves the nodes that an update of all vertices leaves.
#[test]
fn an_updated_range_leaves_the_same_nodes() {
    let mesh = meshes::torus(60, 24, 0.4);
    // The others begin from the directions that the last refit left, so that every refit may change them a little.
    let kinds = [VolumeKind::Obb, VolumeKind::Aabb, VolumeKind::Sphere, VolumeKind::Kdop18];
    for params in volumes().into_iter().filter(|params| kinds.contains(&params.volume)) {
        let (mut by_range, mut as_a_whole) = (built(&mesh, &params), built(&mesh, &params));
        let mut vertices = mesh.vertices.clone();
        // Both have been updated before, and the bounds stay.
        by_range.update_vertices(&vertices[..]).unwrap();
        for first in [700, 703, 90, 1400] {
            for vertex in &mut vertices[first..first + 40] {
                *vertex *= DVec3::new(0.9, 0.95, 0.8);
            }
            by_range.update_range(&vertices[first..first + 40], first).unwrap();
            as_a_whole.update_vertices(&vertices[..]).unwrap();
            let nodes = |model: &Model| format!("{:?}", model.built().unwrap().hierarchy);
            assert_eq!(by_range.bounds(), as_a_whole.bounds());
            assert!(nodes(&by_range) == nodes(&as_a_whole), "{:?} from {first}", params.volume);
            assert_eq!(by_range.info().refit_quality, as_a_whole.info().refit_quality);
        }
    }
}

#[test]
fn quality_tells_decay_and_a_rebuild_mends_it() {
    let mesh = meshes::torus(60, 24, 0.4);
    for params in volumes() {
        let mut model = built(&mesh, &params);
        assert_eq!(model.info().refit_quality, 1.0);
        model.update_vertices(&mesh.vertices[..]).unwrap();
        let still = model.info().refit_quality;
        assert!((0.8..1.2).contains(&still), "{:?}: nothing moved, {still}", params.volume);
        let large: Vec<_> = mesh.vertices.iter().map(|vertex| *vertex * 100.0).collect();
        model.update_vertices(&large[..]).unwrap();
        let quality = model.info().refit_quality;
        // Shells are fitted from the directions that the last refit left.
        let most = if params.volume == VolumeKind::Shell { 0.3 } else { 1e-3 };
        assert!((quality - still).abs() < most, "{:?}: grown, {quality}", params.volume);
        let torn: Vec<_> = mesh.vertices.iter().map(|vertex| deformations::twist(*vertex, 9.0)).collect();
        model.update_vertices(&torn[..]).unwrap();
        let decayed = model.info().refit_quality;
        assert!(decayed > 1.05, "{:?}: torn, {decayed}", params.volume);
        model.build_with(&params, &Inline).unwrap();
        assert_eq!(model.info().refit_quality, 1.0);
        check_model(&model, &torn, &mesh.triangles, "rebuilt");
        model.update_vertices(&mesh.vertices[..]).unwrap();
        check_model(&model, &mesh.vertices, &mesh.triangles, "rebuilt and updated");
        model.update_range(&torn[5..9], 5).unwrap();
        let mut vertices = mesh.vertices.clone();
        vertices[5..9].copy_from_slice(&torn[5..9]);
        check_model(&model, &vertices, &mesh.triangles, "rebuilt, updated, a range updated");
    }
}

#[test]
fn refused_updates_change_nothing() {
    let mesh = meshes::torus(12, 5, 0.3);
    for params in volumes() {
        let refused = |model: &mut Model, vertices: &[DVec3], first: Option<usize>| {
            let before = format!("{model:?}");
            let error = match first {
                None => model.update_vertices(vertices),
                Some(first) => model.update_range(vertices, first),
            };
            assert_eq!(format!("{model:?}"), before);
            error.unwrap_err().status
        };
        let mut model = Model::new(&mesh.source()).unwrap();
        assert_eq!(refused(&mut model, &mesh.vertices, None), Status::NotBuilt);
        model.build_with(&params, &Inline).unwrap();
        let count = mesh.vertices.len();
        assert_eq!(refused(&mut model, &mesh.vertices[1..], None), Status::InvalidMesh);
        for (first, length) in [(count, 1), (count - 1, 2), (0, count + 1), (usize::MAX, 1), (count + 1, 0)] {
            assert_eq!(refused(&mut model, &vec![DVec3::ZERO; length], Some(first)), Status::InvalidArgument);
        }
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.1e300] {
            let mut vertices = mesh.vertices.clone();
            vertices[count - 1].y = bad;
            assert_eq!(refused(&mut model, &vertices, None), Status::InvalidMesh);
            assert_eq!(refused(&mut model, &vertices[count - 3..], Some(count - 3)), Status::InvalidMesh);
        }
        let rigid = BuildParams { deformable: false, ..params };
        let mut model = built(&mesh, &rigid);
        assert_eq!(refused(&mut model, &mesh.vertices, None), Status::Unsupported);
        // The vertex numbers of the caller are gone.
        model.build_with(&params, &Inline).unwrap();
        assert_eq!(refused(&mut model, &mesh.vertices, None), Status::Unsupported);
        check_model(&model, &mesh.vertices, &mesh.triangles, "built twice");
    }
}

/// Vertices that no triangle uses are checked and count for nothing else.
#[test]
fn unused_vertices_stay_unused() {
    let mut mesh = meshes::torus(12, 5, 0.3);
    let used = mesh.vertices.len();
    mesh.vertices.insert(0, DVec3::splat(1e9));
    mesh.vertices.push(DVec3::splat(-1e9));
    mesh.triangles.iter_mut().flatten().for_each(|index| *index += 1);
    for quality in [Quality::High, Quality::Fast] {
        let params = BuildParams { deformable: true, quality, ..BuildParams::default() };
        let mut model = built(&mesh, &params);
        let vertices: Vec<_> = mesh.vertices.iter().map(|vertex| *vertex * 1.5).collect();
        model.update_vertices(&vertices[..]).unwrap();
        check_model(&model, &vertices, &mesh.triangles, "all");
        let mut moved = vertices.clone();
        moved[used + 1] = DVec3::splat(7e200);
        model.update_range(&moved[used..], used).unwrap();
        check_model(&model, &moved, &mesh.triangles, "a range");
    }
}
