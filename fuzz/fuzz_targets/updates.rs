//! However its vertices have moved, a deformable model has the bits of one created from them, and a sound tree.
#![no_main]

use arbitrary::{Result, Unstructured};
use feeler::{
    CastParams, ClosestParams, CollideParams, ContactsParams, DistanceParams, Inline, Model, Pair, ToleranceParams,
    Transform,
};
use feeler_fuzz::{builds, demand, meshes, numbers, poses};
use feeler_tools::scenes::judge::{self, Judge};
use feeler_tools::{Mesh, deformations};
use glam::DVec3;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = check(&mut Unstructured::new(data));
});

fn check(u: &mut Unstructured) -> Result<()> {
    let kinds = builds::volumes(u)?;
    let mut mesh = meshes::mesh(u, 60)?;
    let tool_mesh = meshes::mesh(u, 12)?;
    let params = builds::params(u, kinds[0], true)?;
    let tool = builds::model(&tool_mesh, &builds::params(u, kinds[1], false)?);
    let mut model = builds::model(&mesh, &params);
    if loses_digits(&mesh) {
        return Ok(());
    }
    for _ in 0..u.int_in_range(1..=6u8)? {
        let first = change(u, &mut mesh)?;
        if loses_digits(&mesh) {
            return Ok(());
        }
        match first {
            Some((first, count)) => {
                let given = &mesh.vertices[first..first + count];
                model.update_range(given, first).unwrap_or_else(|error| panic!("{error} {given:?}"));
            }
            None => model.update_vertices(&mesh.vertices[..]).unwrap_or_else(|error| panic!("{error} {mesh:?}")),
        }
        if u.ratio(1, 8u8)? {
            model.build_with(&params, &Inline).expect("the build of before");
        }
        check_model(&model, &mesh);
        if u.arbitrary()? {
            check_queries(u, &model, &tool, &mesh)?;
        }
    }
    Ok(())
}

/// Whether coordinates are so small beside others that not all of their digits are stored. Vertices that stay where they are keep
/// what was stored, also when the others come nearer.
fn loses_digits(mesh: &Mesh) -> bool {
    let largest = mesh.vertices.iter().map(|v| v.abs().max_element()).fold(0.0, f64::max);
    let is_lost = |x: &f64| *x != 0.0 && x.abs() < largest * 1e-290 || x.abs() < 1e-290 && *x != 0.0;
    mesh.vertices.iter().any(|v| v.to_array().iter().any(is_lost))
}

/// Moves vertices: a range, or all of them.
fn change(u: &mut Unstructured, mesh: &mut Mesh) -> Result<Option<(usize, usize)>> {
    let all = mesh.vertices.len();
    let largest = DVec3::splat(1e300);
    if u.arbitrary()? {
        let ways = deformations::all(&mesh.vertices, u64::from(u.arbitrary::<u8>()?));
        mesh.vertices = u.choose(&ways)?.1.clone();
        mesh.vertices.iter_mut().for_each(|v| *v = if v.is_finite() { v.clamp(-largest, largest) } else { DVec3::ONE });
        return Ok(None);
    }
    let first = u.choose_index(all)?;
    let count = u.int_in_range(1..=(all - first).min(1 + all / 3))?;
    let is_small = u.arbitrary()?;
    for vertex in &mut mesh.vertices[first..first + count] {
        let moved = if is_small { *vertex + numbers::point(u)? * 1e-3 } else { numbers::any_point(u)? };
        *vertex = moved.clamp(-largest, largest);
    }
    Ok(Some((first, count)))
}

fn check_model(model: &Model, mesh: &Mesh) {
    let fresh = Model::new(&mesh.source()).expect("a legal mesh");
    assert_eq!((model.exponent(), model.bounds()), (fresh.exponent(), fresh.bounds()), "{mesh:?}");
    assert_eq!(model.degenerate_count(), fresh.degenerate_count(), "{mesh:?}");
    for id in 0..mesh.triangles.len() as u32 {
        assert_eq!(model.triangle(id), fresh.triangle(id), "triangle {id} {mesh:?}");
    }
    model.validate().unwrap_or_else(|defect| panic!("{defect} {mesh:?}"));
    let quality = model.info().refit_quality;
    assert!(quality >= 0.0 && !quality.is_nan(), "{quality}");
}

fn check_queries(u: &mut Unstructured, model: &Model, tool: &Model, mesh: &Mesh) -> Result<()> {
    let size = builds::size(model);
    let scale = if u.arbitrary()? { size / builds::size(tool) } else { 1.0 };
    let mut at = poses::pose(u, size, false)?;
    at.scale = DVec3::splat(if (1e-250..1e250).contains(&scale) { scale } else { 1.0 });
    at.translation += model.centre_of_bounds() - at.rotation * (at.scale * tool.centre_of_bounds());
    let mut pair = Pair::new(model, tool).expect("one family");
    if pair.set_transforms(None, Some(&at)).is_err() {
        return Ok(());
    }
    let judge = Judge::new(&pair);
    let value = judge.value();
    let told = || format!("{:?} {at:?} {mesh:?}", model.volume());
    for cold in [true, false] {
        demand(judge.distance(&mut pair, &DistanceParams { cold, ..DistanceParams::default() }), told);
        demand(judge.collide(&mut pair, &CollideParams { cold, max_work: 0 }), told);
        for tolerance in [value, value.next_down().max(0.0)] {
            demand(judge.tolerance(&mut pair, &ToleranceParams { cold, max_work: 0, tolerance }), told);
        }
    }
    demand(judge.contacts(&mut pair, &ContactsParams { margin: value, ..ContactsParams::default() }, 40), told);
    let ends =
        [model.centre_of_bounds() + numbers::point(u)? * size, model.centre_of_bounds() + numbers::point(u)? * size];
    if ends.iter().all(|end| end.abs().max_element() <= 1e300) {
        let still = &Transform::IDENTITY;
        demand(judge::closest_point(model, still, ends[0], &ClosestParams::default()), told);
        demand(judge::cast(model, still, ends, &CastParams { all: true, ..CastParams::default() }, 20), told);
        demand(judge::within_ball(model, still, ends[1], size * 0.3, 20), told);
    }
    Ok(())
}
