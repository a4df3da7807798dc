//! Queries of a pair that haptics and planners ask: local minima and sweeps.

use super::block::UsedPair;
use super::checks::{finite_amount, known_flags};
use super::constants::*;
use super::growing::{self, Output};
use super::guard::{guard, null_argument};
use super::query::{contact_to_c, is_cold};
use super::structs::*;
use super::transform::read_transform;
use crate::error::{Error, Status};
use crate::pair::SweepParams;
use crate::query::{Contact, MinimaParams, Minimum, NO_TRIANGLE, Room};
use glam::DVec3;

/// The caller's array of minima.
struct CallerMinima {
    out: *mut feeler_minimum,
    capacity: usize,
}

impl Room for CallerMinima {
    type Item = Minimum;

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn item(&self, index: usize) -> Minimum {
        assert!(index < self.capacity);
        // SAFETY: the caller owns `capacity` minima at `out`, and this one was set before.
        let minimum = unsafe { self.out.add(index).read_unaligned() };
        let contact = &minimum.contact;
        Minimum {
            contact: Contact {
                triangle_a: contact.triangle_a,
                triangle_b: contact.triangle_b,
                distance: contact.distance,
                point_a: DVec3::from_array(contact.point_a),
                point_b: DVec3::from_array(contact.point_b),
                normal: DVec3::from_array(contact.normal),
                feature: contact.feature,
            },
            id: minimum.id,
            barycentric_a: minimum.barycentric_a,
            barycentric_b: minimum.barycentric_b,
            merged: minimum.merged,
        }
    }

    fn set_item(&mut self, index: usize, minimum: Minimum) {
        assert!(index < self.capacity);
        let minimum = feeler_minimum {
            contact: contact_to_c(&minimum.contact),
            id: minimum.id,
            barycentric_a: minimum.barycentric_a,
            barycentric_b: minimum.barycentric_b,
            merged: minimum.merged,
            reserved: 0,
        };
        // SAFETY: the caller owns `capacity` minima at `out`.
        unsafe { self.out.add(index).write_unaligned(minimum) };
    }
}

/// Where are the models nearest locally? A minimum is a pair of mesh features (vertex, edge, face) within the margin
/// such that no triangles around them are nearer; intersecting triangles are minima of distance 0. Few contacts
/// instead of all triangle pairs, with ids that stay while the models slide. Counts all in result.found, keeps the
/// nearest, ordered by distance, then by id, in out, up to its capacity, and then merges them; out NULL with capacity
/// 0 only counts. params NULL means defaults: intersecting triangles. UNSUPPORTED for models without topology.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_local_minima(
    pair: *mut feeler_pair,
    params: *const feeler_minima_params,
    out: *mut feeler_minimum,
    capacity: usize,
    result: *mut feeler_contacts_result,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library and structs of the caller's.
        let (mut pair, params, output) = unsafe {
            (UsedPair::begin(pair)?, growing::read_or_default(params, "params")?, Output::checked(result, "result")?)
        };
        known_flags(params.flags, FEELER_QUERY_NO_COHERENCE, "params.flags")?;
        if out.is_null() && capacity > 0 {
            return Err(null_argument("out"));
        }
        let params = MinimaParams {
            cold: is_cold(params.flags),
            max_work: params.max_work,
            margin: finite_amount(params.margin, "params.margin")?,
            merge_distance: finite_amount(params.merge_distance, "params.merge_distance")?,
        };
        let answer = pair.local_minima(&params, &mut CallerMinima { out, capacity })?;
        output.write(feeler_contacts_result {
            struct_size: 0,
            complete: answer.complete as u32,
            found: answer.found,
            written: answer.written,
        });
        Ok(())
    })
}

/// When do the models meet if they move from the poses of the pair to others? NULL: that model stays. Each moves as
/// feeler_model_pose_between says, all at once, from time 0 to time 1. The search is by conservative advancement:
/// nothing is passed, however thin or fast. A start within the tolerance is a hit at time 0. The poses of the pair stay.
/// Where several triangle pairs are equally near, the last digits of the times may depend on earlier queries. params
/// NULL or a tolerance of 0: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_sweep(
    pair: *mut feeler_pair,
    a_end: *const feeler_transform,
    b_end: *const feeler_transform,
    params: *const feeler_sweep_params,
    result: *mut feeler_sweep_result,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library and structs of the caller's.
        let (mut pair, params, output) = unsafe {
            (UsedPair::begin(pair)?, growing::read_or_default(params, "params")?, Output::checked(result, "result")?)
        };
        known_flags(params.flags, FEELER_QUERY_NO_COHERENCE, "params.flags")?;
        let tolerance = finite_amount(params.tolerance, "params.tolerance")?;
        if tolerance == 0.0 {
            return Err(Error::new(
                Status::InvalidArgument,
                format_args!("params.tolerance is 0, but a sweep needs one"),
            ));
        }
        // SAFETY: structs of the caller's.
        let end = |pose: *const feeler_transform| (!pose.is_null()).then(|| unsafe { read_transform(pose) });
        let (a_end, b_end) = (end(a_end), end(b_end));
        let params = SweepParams { cold: is_cold(params.flags), max_work: params.max_work, tolerance };
        let answer = pair.sweep(a_end.as_ref(), b_end.as_ref(), &params)?;
        let at = |of: fn(&Contact) -> DVec3| answer.hit.as_ref().map_or([0.0; 3], |hit| of(hit).to_array());
        output.write(feeler_sweep_result {
            struct_size: 0,
            complete: answer.complete as u32,
            hit: answer.hit.is_some() as u32,
            reserved: 0,
            time_free: answer.time_free,
            time_hit: answer.time_hit,
            point_a: at(|hit| hit.point_a),
            point_b: at(|hit| hit.point_b),
            normal: at(|hit| hit.normal),
            triangle_a: answer.hit.map_or(NO_TRIANGLE, |hit| hit.triangle_a),
            triangle_b: answer.hit.map_or(NO_TRIANGLE, |hit| hit.triangle_b),
        });
        Ok(())
    })
}
