//! Functions on pairs, the queries aside.

use super::block::{self, ReadModel, ReadPair, UsedPair};
use super::checks::known_flags;
use super::constants::*;
use super::growing::{self, Output};
use super::guard::{guard, guard_computation, null_argument};
use super::structs::*;
use super::transform::read_pose;
use crate::pair::{Pair, PairParams};
use core::ptr;

/// Makes a pair of two built models, which may be the same one, both at the identity; params NULL means defaults. The
/// handle goes to out, which becomes NULL on failure. All memory that queries need is allocated and touched here.
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

/// Frees the pair. NULL is fine. A pair that another thread is using is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_destroy(pair: *mut feeler_pair) {
    if !pair.is_null() {
        // SAFETY: a handle of this library.
        guard(|| unsafe { block::destroy_pair_handle(pair) });
    }
}

/// Forgets what earlier queries left behind, as if the pair were new; the poses stay. Does nothing to NULL or to a
/// pair that another thread is using.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_reset(pair: *mut feeler_pair) {
    guard(|| {
        // SAFETY: a handle of this library.
        unsafe { UsedPair::begin(pair)? }.reset();
        Ok(())
    });
}

/// Bytes that the pair occupies, its models excluded; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_pair_memory(pair: *const feeler_pair) -> usize {
    let mut memory = 0;
    guard(|| {
        // SAFETY: a handle of this library.
        memory = unsafe { block::pair_memory(pair)? };
        Ok(())
    });
    memory
}

/// Makes the pair ask about other models; NULL keeps one. The poses stay, what earlier queries left behind is forgotten,
/// and nothing is allocated. INCOMPATIBLE for models of another family, UNSUPPORTED for a volume that cannot take the
/// scale of its pose; nothing has changed then. A model whose handle is destroyed already is freed here if this pair was
/// the last to use it: keep the handle where that would take too long.
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

/// Moves the models; NULL keeps a pose. Both poses are checked before anything changes.
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
        )
    })
}

/// Tells what the last query of the pair did; zeros before the first.
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
