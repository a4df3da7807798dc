//! Functions on pairs, except the queries.

use super::block::{self, ReadModel, ReadPair, UsedPair};
use super::checks::{at_most, known_flags};
use super::constants::*;
use super::growing::{self, Output};
use super::guard::{guard, guard_computation, null_argument};
use super::structs::*;
use super::transform::read_pose;
use crate::pair::{Pair, PairParams};
use core::ptr;

/// More entries of a front never pay: this is 64 times the largest default.
const MOST_FRONT_ENTRIES: u32 = 1 << 20;

/// Makes a pair of two built models. a and b may be the same model. Both start at the identity pose. params NULL means
/// the defaults. The new handle goes to out; on failure out becomes NULL. This call allocates and touches all memory
/// that the queries of the pair need.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_create(
    a: *const feeler_model,
    b: *const feeler_model,
    params: *const feeler_pair_params,
    out: *mut *mut feeler_pair,
) -> feeler_status {
    guard_computation(|| {
        if out.is_null() {
            return Err(null_argument("out"));
        }
        // SAFETY: the caller owns a pointer's room at `out`, handles of this library and a struct.
        unsafe {
            out.write_unaligned(ptr::null_mut());
            let (a, b) = (ReadModel::begin(a, "a")?, ReadModel::begin(b, "b")?);
            let params = growing::read_or_default(params, "params")?;
            known_flags(params.flags, FEELER_PAIR_NO_FRONT, "params.flags")?;
            at_most(params.max_front, MOST_FRONT_ENTRIES, "params.max_front")?;
            let params = PairParams {
                no_front: params.flags & FEELER_PAIR_NO_FRONT != 0,
                max_queue: params.max_queue,
                max_front: params.max_front,
            };
            out.write_unaligned(block::new_pair_handle(&a, &b, |a, b| Pair::with_params(a, b, &params))?);
        }
        Ok(())
    })
}

/// Destroys the pair. NULL is allowed and does nothing. A pair that another thread is using is not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_destroy(pair: *mut feeler_pair) {
    if !pair.is_null() {
        // SAFETY: a handle of this library.
        guard(|| unsafe { block::destroy_pair_handle(pair) });
    }
}

/// Forgets what earlier queries found, as if the pair were new. The poses stay. Does nothing to NULL or to a pair that
/// another thread is using.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_reset(pair: *mut feeler_pair) {
    if pair.is_null() {
        return;
    }
    guard(|| {
        // SAFETY: a handle of this library.
        unsafe { UsedPair::begin(pair)? }.reset();
        Ok(())
    });
}

/// Memory of the pair in bytes, without its models. 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_memory(pair: *const feeler_pair) -> usize {
    let mut memory = 0;
    if pair.is_null() {
        return memory;
    }
    guard(|| {
        // SAFETY: a handle of this library.
        memory = unsafe { block::pair_memory(pair)? };
        Ok(())
    });
    memory
}

/// Replaces the models of the pair. NULL keeps a model. The poses stay, the pair forgets what earlier queries found, and
/// nothing is allocated. FEELER_STATUS_INCOMPATIBLE for models of different families, FEELER_STATUS_UNSUPPORTED for a
/// volume that cannot take the scale of its pose; then nothing has changed. A model without a handle is freed here if
/// this pair was the last to use it, so keep the handle where that would take too long.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_set_models(
    pair: *mut feeler_pair,
    a: *const feeler_model,
    b: *const feeler_model,
) -> feeler_status {
    guard(|| {
        // SAFETY: handles of this library.
        unsafe {
            let read = |model: *const feeler_model, name| {
                (!model.is_null()).then(|| ReadModel::begin(model, name)).transpose()
            };
            let (a, b) = (read(a, "a")?, read(b, "b")?);
            block::set_models(pair, a.as_ref(), b.as_ref())
        }
    })
}

/// Sets the poses of both models. NULL keeps the pose of that model. When one pose is not valid, neither changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_set_transforms(
    pair: *mut feeler_pair,
    a: *const feeler_transform,
    b: *const feeler_transform,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library.
        let mut pair = unsafe { UsedPair::begin(pair)? };
        pair.set_poses(
            #[inline(always)]
            // SAFETY: structs of the caller's, or NULL.
            |[given_a, given_b]| unsafe { [read_pose(a, given_a), read_pose(b, given_b)] },
        )?;
        // Not the result itself: it would be copied with the room for a sentence.
        Ok(())
    })
}

/// Writes the counts of the last query of the pair to counters. All counts are 0 before the first query.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_get_counters(
    pair: *const feeler_pair,
    counters: *mut feeler_counters,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library and a struct of the caller's.
        let (pair, output) = unsafe { (ReadPair::begin(pair)?, Output::checked(counters, "counters")?) };
        let counters = pair.counters();
        output.write(feeler_counters {
            struct_size: 0,
            reserved: 0,
            expansions: counters.expansions,
            volume_tests: counters.volume_tests,
            cheap_tests: counters.cheap_tests,
            triangle_tests: counters.triangle_tests,
            robust_tests: counters.robust_tests,
            front_tests: counters.front_tests,
            front_updates: counters.front_updates,
            front_rebuilds: counters.front_rebuilds,
            work: counters.work,
        });
        Ok(())
    })
}
