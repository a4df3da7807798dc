//! Any mesh is either refused with the right status, or every build of it is a sound tree of bounded size.
#![no_main]

use arbitrary::{Result, Unstructured};
use feeler::{BuildParams, Inline, Model, Status, VolumeKind};
use feeler_fuzz::{builds, meshes, numbers};
use feeler_tools::Mesh;
use glam::DVec3;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = check(&mut Unstructured::new(data));
});

fn check(u: &mut Unstructured) -> Result<()> {
    let mut mesh = meshes::mesh(u, 120)?;
    for _ in 0..u.int_in_range(0..=2u8)? {
        if u.arbitrary()? {
            let place = u.choose_index(mesh.vertices.len())?;
            mesh.vertices[place] = DVec3::new(numbers::garbage(u)?, numbers::garbage(u)?, numbers::garbage(u)?);
        } else {
            let place = u.choose_index(mesh.triangles.len())?;
            mesh.triangles[place][0] = u.arbitrary()?;
        }
    }
    let is_legal = mesh.vertices.iter().all(|v| v.is_finite() && v.abs().max_element() <= 1e300)
        && mesh.triangles.iter().flatten().all(|&index| (index as usize) < mesh.vertices.len());
    let model = match Model::new(&mesh.source()) {
        Err(error) => {
            assert!(!is_legal && error.status == Status::InvalidMesh, "{error} {mesh:?}");
            return Ok(());
        }
        Ok(model) => model,
    };
    assert!(is_legal, "{mesh:?}");
    check_unbuilt(&model, &mesh);
    let all = if u.ratio(1, 8u8)? { VolumeKind::ALL.to_vec() } else { vec![*u.choose(&VolumeKind::ALL)?] };
    for volume in all {
        let deformable = u.arbitrary()?;
        let params = builds::params(u, volume, deformable)?;
        check_built(&builds::model(&mesh, &params), &mesh, &params);
    }
    // A second build in the place of the first, of another kind.
    let mut model = model;
    for _ in 0..2 {
        let volume = *u.choose(&VolumeKind::ALL)?;
        let params = builds::params(u, volume, false)?;
        model.build_with(&params, &Inline).unwrap();
        check_built(&model, &mesh, &params);
    }
    Ok(())
}

/// The model holds the numbers of the mesh, up to its power of two.
fn check_unbuilt(model: &Model, mesh: &Mesh) {
    let used = || mesh.triangles.iter().flatten().map(|&index| mesh.vertices[index as usize]);
    let low = used().fold(DVec3::INFINITY, DVec3::min);
    let high = used().fold(DVec3::NEG_INFINITY, DVec3::max);
    assert_eq!(model.bounds(), [low, high]);
    assert!(model.degenerate_count() <= mesh.triangles.len() as u64);
    assert_eq!(model.triangle_count(), mesh.triangles.len());
}

fn check_built(model: &Model, mesh: &Mesh, params: &BuildParams) {
    model.validate().unwrap_or_else(|defect| panic!("{defect} {params:?} {mesh:?}"));
    let info = model.info();
    let count = mesh.triangles.len() as u64;
    assert_eq!((info.volume, info.triangle_count), (params.volume, count));
    // Nodes have eight lanes and hold two children at least; the depth is capped.
    assert!(info.node_count >= 1 && info.node_count <= count.max(1), "{info:?} {params:?} {mesh:?}");
    assert!(info.depth >= 1 && info.depth <= 64, "{info:?} {params:?} {mesh:?}");
    assert!(info.memory_bytes < 4096 + 2048 * (count + mesh.vertices.len() as u64), "{info:?} {params:?}");
    assert!(info.boundary_edges + info.nonmanifold_edges <= 3 * count, "{info:?}");
    assert_eq!(info.refit_quality, 1.0);
    for depth in [0, info.depth - 1] {
        let mut shown = 0u64;
        let draw = |triangle: [DVec3; 3]| {
            assert!(triangle.iter().all(|corner| !corner.is_nan()), "{triangle:?} {params:?} {mesh:?}");
            shown += 1;
        };
        model.show_volumes(depth, &mut { draw }).unwrap();
    }
}
