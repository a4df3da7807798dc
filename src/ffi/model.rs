//! Functions on models.

use super::block::{self, MODEL_BLOCK_OVERHEAD, ReadModel, WriteModel};
use super::checks::{choice, known_flags, reserved};
use super::constants::*;
use super::growing::{self, Output};
use super::guard::{guard, guard_computation, null_argument};
use super::mesh::{CallerMesh, MovedVertices};
use super::structs::*;
#[cfg(unix)]
use super::workers::{NotCancelled, Pthreads, processors};
use crate::error::Error;
use crate::model::{BuildParams, HybridSelection, Model, Quality, SplitRule, VolumeKind};
use core::ptr;

/// Copies and checks a mesh. The new handle goes to out; on failure out becomes NULL. Build the model with
/// feeler_model_build before you make a pair of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_create(mesh: *const feeler_mesh, out: *mut *mut feeler_model) -> feeler_status {
    guard_computation(|| {
        if out.is_null() {
            return Err(null_argument("out"));
        }
        // SAFETY: the caller owns a pointer's room at `out` and the arrays that the mesh describes.
        unsafe {
            out.write_unaligned(ptr::null_mut());
            let model = Model::new(&CallerMesh::checked(mesh)?)?;
            out.write_unaligned(block::new_model_handle(model)?);
        }
        Ok(())
    })
}

/// Destroys the handle. Pairs that use the model keep the model itself alive. NULL is allowed and does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_destroy(model: *mut feeler_model) {
    if !model.is_null() {
        // SAFETY: a handle of this library.
        guard(|| unsafe { block::destroy_model_handle(model) });
    }
}

/// Builds the tree, or rebuilds it. params NULL means the defaults. FEELER_STATUS_BUSY while a pair uses the model. A
/// model that was built with FEELER_BUILD_DEFORMABLE can be rebuilt while pairs use it, with the same volume,
/// hybrid_selection and flags; it is busy only while a query reads it. On failure the model stays as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_build(
    model: *mut feeler_model,
    params: *const feeler_build_params,
) -> feeler_status {
    #[cfg(unix)]
    let _not_cancelled = NotCancelled::begin();
    guard_computation(|| {
        // SAFETY: a handle of this library and a struct of the caller's.
        let (mut model, params) =
            unsafe { (WriteModel::begin(model, "model")?, growing::read_or_default(params, "params")?) };
        let params = checked_build_params(&params)?;
        model.refuse_while_paired(&params, "model")?;
        // Threads of the standard library abort when memory runs out. Without pthreads, one thread builds.
        #[cfg(unix)]
        let workers = Pthreads(if params.threads == 0 { processors() } else { params.threads as usize });
        #[cfg(not(unix))]
        let workers = crate::tree::build::workers::Inline;
        model.build_with(&params, &workers)
    })
}

fn checked_build_params(params: &feeler_build_params) -> Result<BuildParams, Error> {
    known_flags(params.flags, FEELER_BUILD_DEFORMABLE | FEELER_BUILD_NO_TOPOLOGY, "params.flags")?;
    reserved(params.reserved, "params.reserved")?;
    let splits = [SplitRule::Auto, SplitRule::SurfaceArea, SplitRule::Midpoint, SplitRule::Mean, SplitRule::Median];
    let selections = [HybridSelection::Static, HybridSelection::Dynamic];
    Ok(BuildParams {
        volume: choice(params.volume, &VolumeKind::ALL, "params.volume")?,
        deformable: params.flags & FEELER_BUILD_DEFORMABLE != 0,
        no_topology: params.flags & FEELER_BUILD_NO_TOPOLOGY != 0,
        quality: choice(params.quality, &[Quality::High, Quality::Fast], "params.quality")?,
        split: choice(params.split, &splits, "params.split")?,
        threads: params.threads,
        hybrid_selection: choice(params.hybrid_selection, &selections, "params.hybrid_selection")?,
    })
}

fn flag(is_set: bool, flag: u32) -> u32 {
    if is_set { flag } else { 0 }
}

/// Writes size, bounds, memory and build time of a model to info. Works before the build, too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_get_info(
    model: *const feeler_model,
    info: *mut feeler_model_info,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library and a struct of the caller's.
        let (model, output) = unsafe { (ReadModel::begin(model, "model")?, Output::checked(info, "info")?) };
        let info = model.info();
        output.write(feeler_model_info {
            struct_size: 0,
            volume: info.volume as u32,
            depth: info.depth,
            flags: flag(info.deformable, FEELER_BUILD_DEFORMABLE) | flag(info.no_topology, FEELER_BUILD_NO_TOPOLOGY),
            triangle_count: info.triangle_count,
            degenerate_count: info.degenerate_count,
            node_count: info.node_count,
            memory_bytes: info.memory_bytes + MODEL_BLOCK_OVERHEAD as u64,
            bounds_min: info.bounds[0].to_array(),
            bounds_max: info.bounds[1].to_array(),
            build_seconds: info.build_seconds,
            refit_quality: info.refit_quality,
            boundary_edges: info.boundary_edges,
            nonmanifold_edges: info.nonmanifold_edges,
        });
        Ok(())
    })
}

/// Writes triangles that show the bounding volumes of one depth of the tree, for drawing. Depth 0 is the volume around
/// the whole model; feeler_model_info.depth is the number of depths. A branch that ends above the depth shows its last
/// volume. A triangle is nine numbers in the coordinates of the mesh: three corners, counterclockwise seen from outside.
/// Flat triangles stand for round volumes. At most capacity triangles are written; count becomes the number of all of
/// them. triangles NULL with capacity 0 only counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_export_volumes(
    model: *const feeler_model,
    depth: u32,
    triangles: *mut f64,
    capacity: usize,
    count: *mut usize,
) -> feeler_status {
    guard_computation(|| {
        // SAFETY: a handle of this library.
        let model = unsafe { ReadModel::begin(model, "model")? };
        if triangles.is_null() && capacity > 0 {
            return Err(null_argument("triangles"));
        }
        if count.is_null() {
            return Err(null_argument("count"));
        }
        let mut found = 0;
        model.show_volumes(depth, &mut |triangle| {
            if found < capacity {
                for (corner, point) in triangle.into_iter().enumerate() {
                    for (axis, coordinate) in point.to_array().into_iter().enumerate() {
                        // SAFETY: the caller owns room for `capacity` triangles of nine numbers, aligned or not.
                        unsafe { triangles.add(9 * found + 3 * corner + axis).write_unaligned(coordinate) };
                    }
                }
            }
            found += 1;
        })?;
        // SAFETY: the caller owns room for the count.
        unsafe { count.write_unaligned(found) };
        Ok(())
    })
}

/// Moves the vertices of a model that was built with FEELER_BUILD_DEFORMABLE; the tree follows. mesh holds as many vertices
/// as the model was created from, in the same order. scalar and vertex_stride may differ; indices is NULL or the same as at
/// creation. Afterwards every answer has the bits of a model created from the new vertices. The tree keeps its layout;
/// feeler_model_info.refit_quality says how much the tree has decayed. FEELER_STATUS_BUSY while a query reads the model,
/// and queries are busy while this function runs. It runs on the calling thread and does not allocate. On failure the
/// model stays as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_update_vertices(
    model: *mut feeler_model,
    mesh: *const feeler_mesh,
) -> feeler_status {
    guard_computation(|| {
        // SAFETY: a handle of this library, and the arrays that the mesh describes.
        let (mut model, mesh) = unsafe { (WriteModel::begin(model, "model")?, MovedVertices::checked(mesh)?) };
        mesh.refuse_other_triangles(&model)?;
        model.update_vertices(&mesh)
    })
}

/// As feeler_model_update_vertices for mesh.vertex_count vertices from first_vertex on; the others stay. Touches only the
/// part of the tree above them, unless the unit or the place of the model changes very much. The first call allocates.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_update_range(
    model: *mut feeler_model,
    mesh: *const feeler_mesh,
    first_vertex: usize,
) -> feeler_status {
    guard_computation(|| {
        // SAFETY: a handle of this library, and the arrays that the mesh describes.
        let (mut model, mesh) = unsafe { (WriteModel::begin(model, "model")?, MovedVertices::checked(mesh)?) };
        mesh.refuse_other_triangles(&model)?;
        model.update_range(&mesh, first_vertex)
    })
}
