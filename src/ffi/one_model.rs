//! Queries of one model: they read it beside any number of others.

use super::block::ReadModel;
use super::checks::{amount, finite_amount, known_flags};
use super::constants::*;
use super::float_environment::DefaultFloatEnvironment;
use super::growing::{self, Output};
use super::guard::{guard, null_argument};
use super::structs::*;
use super::transform::{read_transform, write_transform};
use crate::error::{Error, Status};
use crate::math::pose::Pose;
use crate::math::transform::LARGEST_COORDINATE;
use crate::posed::shape::PosedModel;
use crate::query::cast::cast;
use crate::query::closest_point::ClosestPoints;
use crate::query::{CastParams, ClosestParams, Hit, Room, SurfacePoint};
use glam::DVec3;

/// A model that a call computes with, in the default floating-point environment.
struct AskedModel {
    /// Restored before the model is released: a locked operation waits for what stands before it.
    _environment: DefaultFloatEnvironment,
    model: ReadModel,
}

impl AskedModel {
    /// # Safety
    /// As `ReadModel::begin`.
    #[inline(always)]
    unsafe fn begin(handle: *const feeler_model) -> Result<Self, Error> {
        // SAFETY: as promised.
        let model = unsafe { ReadModel::begin(handle, "model")? };
        // After the lock, as in `UsedPair`.
        Ok(Self { _environment: DefaultFloatEnvironment::enter(), model })
    }

    /// The model in a pose of the caller's; NULL is the identity.
    ///
    /// # Safety
    /// `pose` is NULL or readable; it may be unaligned.
    #[inline(always)]
    unsafe fn posed(&self, pose: *const feeler_transform) -> Result<PosedModel<'_>, Error> {
        // SAFETY: as promised.
        match unsafe { read_pose(pose) } {
            None => PosedModel::at_rest(&self.model),
            Some(pose) => PosedModel::of_pose(&self.model, &pose),
        }
    }
}

/// The numbers of a pose; None for NULL, which is the identity.
///
/// # Safety
/// `pose` is NULL or readable; it may be unaligned.
#[inline(always)]
unsafe fn read_pose(pose: *const feeler_transform) -> Option<Pose> {
    // SAFETY: as promised.
    (!pose.is_null()).then(|| Pose(unsafe { pose.cast::<[f64; 15]>().read_unaligned() }))
}

/// A point as it comes from C: finite and in range.
#[inline(always)]
fn checked_point(point: [f64; 3], refused: impl FnOnce([f64; 3]) -> Error) -> Result<DVec3, Error> {
    let [x, y, z] = point;
    if (x.abs() <= LARGEST_COORDINATE) & (y.abs() <= LARGEST_COORDINATE) & (z.abs() <= LARGEST_COORDINATE) {
        return Ok(DVec3::from_array(point));
    }
    Err(refused(point))
}

#[cold]
#[inline(never)]
fn refused_argument(point: [f64; 3], name: &str) -> Error {
    refused_point(point, format_args!("{name}"))
}

#[cold]
fn refused_point(point: [f64; 3], name: core::fmt::Arguments) -> Error {
    let axis = point.iter().position(|entry| !(entry.abs() <= LARGEST_COORDINATE)).unwrap_or(0);
    Error::new(Status::InvalidArgument, format_args!("{name}[{axis}] is not finite or beyond 1e300"))
}

/// # Safety
/// `source` is NULL or three readable numbers, which may be unaligned.
#[inline(always)]
unsafe fn read_point(source: *const f64, name: &str) -> Result<DVec3, Error> {
    if source.is_null() {
        return Err(null_argument(name));
    }
    // One by one: an array would be copied first, in pieces other than those that are loaded from it.
    // SAFETY: as promised.
    let number = |index: usize| unsafe { source.add(index).read_unaligned() };
    checked_point([number(0), number(1), number(2)], |point| refused_argument(point, name))
}

fn checked_closest_params(params: &feeler_closest_params) -> Result<ClosestParams, Error> {
    known_flags(params.flags, FEELER_CLOSEST_SIDE, "params.flags")?;
    Ok(ClosestParams {
        side: params.flags & FEELER_CLOSEST_SIDE != 0,
        max_work: params.max_work,
        max_distance: amount(params.max_distance, "params.max_distance")?,
    })
}

/// # Safety
/// `out` is writable; it may be unaligned.
unsafe fn write_surface_point(out: *mut feeler_surface_point, found: &SurfacePoint) {
    let found = feeler_surface_point {
        distance: found.distance,
        point: found.point.to_array(),
        normal: found.normal.to_array(),
        barycentric: found.barycentric,
        triangle: found.triangle,
        feature: found.feature,
        side: found.side as u32,
        complete: found.complete as u32,
    };
    // SAFETY: as promised.
    unsafe { out.write_unaligned(found) };
}

/// Which point of a model is nearest to a point of space? The model is in the given pose; NULL is the identity. params
/// NULL means defaults. The answer has the bits of feeler_pair_distance between the model and one whose only vertex is
/// the point. With FEELER_CLOSEST_SIDE it tells whether the point is inside, if the mesh is closed: every edge has an
/// even number of triangles.
///
/// cbindgen:ptrs-as-arrays=[[point;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_closest_point(
    model: *const feeler_model,
    pose: *const feeler_transform,
    point: *const f64,
    params: *const feeler_closest_params,
    out: *mut feeler_surface_point,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library, numbers and structs of the caller's.
        unsafe {
            let model = AskedModel::begin(model)?;
            let point = read_point(point, "point")?;
            let params = checked_closest_params(&growing::read_or_default(params, "params")?)?;
            if out.is_null() {
                return Err(null_argument("out"));
            }
            write_surface_point(out, &ClosestPoints::new(model.posed(pose)?, &params)?.ask(point));
        }
        Ok(())
    })
}

/// feeler_model_closest_point for count points, stride bytes from one to the next (0 is packed), one answer for each to
/// out. All points are checked before anything is written; max_work is for each point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_closest_points(
    model: *const feeler_model,
    pose: *const feeler_transform,
    points: *const f64,
    stride: usize,
    count: usize,
    params: *const feeler_closest_params,
    out: *mut feeler_surface_point,
) -> feeler_status {
    const PACKED: usize = 3 * size_of::<f64>();
    guard(|| {
        // SAFETY: a handle of this library and a struct of the caller's.
        let (model, params) = unsafe {
            let model = AskedModel::begin(model)?;
            (model, checked_closest_params(&growing::read_or_default(params, "params")?)?)
        };
        if count > 0 && points.is_null() {
            return Err(null_argument("points"));
        }
        if count > 0 && out.is_null() {
            return Err(null_argument("out"));
        }
        let stride = if stride == 0 { PACKED } else { stride };
        if stride < PACKED {
            return Err(Error::new(
                Status::InvalidArgument,
                format_args!("stride is {stride}, less than the {PACKED} bytes of a point"),
            ));
        }
        // SAFETY: a struct of the caller's.
        let asked = ClosestPoints::new(unsafe { model.posed(pose)? }, &params)?;
        // SAFETY: the caller owns `count` points, `stride` bytes apart.
        let point =
            |index: usize| unsafe { points.cast::<u8>().add(index * stride).cast::<[f64; 3]>().read_unaligned() };
        for index in 0..count {
            checked_point(point(index), |point| refused_point(point, format_args!("points[{index}]")))?;
        }
        for index in 0..count {
            let found = asked.ask(DVec3::from_array(point(index)));
            // SAFETY: the caller owns room for `count` answers.
            unsafe { write_surface_point(out.add(index), &found) };
        }
        Ok(())
    })
}

/// The caller's array of hits.
struct CallerHits {
    out: *mut feeler_hit,
    capacity: usize,
}

impl Room for CallerHits {
    type Item = Hit;

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn item(&self, index: usize) -> Hit {
        assert!(index < self.capacity);
        // SAFETY: the caller owns `capacity` hits at `out`, and this one was set before.
        let hit = unsafe { self.out.add(index).read_unaligned() };
        Hit {
            time: hit.time,
            point: DVec3::from_array(hit.point),
            normal: DVec3::from_array(hit.normal),
            barycentric: hit.barycentric,
            triangle: hit.triangle,
            feature: hit.feature,
        }
    }

    fn set_item(&mut self, index: usize, hit: Hit) {
        assert!(index < self.capacity);
        let hit = feeler_hit {
            time: hit.time,
            point: hit.point.to_array(),
            normal: hit.normal.to_array(),
            barycentric: hit.barycentric,
            triangle: hit.triangle,
            feature: hit.feature,
        };
        // SAFETY: the caller owns `capacity` hits at `out`.
        unsafe { self.out.add(index).write_unaligned(hit) };
    }
}

/// # Safety
/// `params` is readable as far as its size says; it may be unaligned.
#[inline(never)]
unsafe fn checked_cast_params(params: *const feeler_cast_params) -> Result<CastParams, Error> {
    // SAFETY: as promised.
    let params = unsafe { growing::read_or_default(params, "params")? };
    let known = FEELER_CAST_ALL | FEELER_CAST_FRONT_ONLY | FEELER_CAST_BACK_ONLY | FEELER_CAST_IGNORE_START_INSIDE;
    known_flags(params.flags, known, "params.flags")?;
    let is_set = |flag: u32| params.flags & flag != 0;
    if is_set(FEELER_CAST_FRONT_ONLY) && is_set(FEELER_CAST_BACK_ONLY) {
        return Err(Error::new(
            Status::InvalidArgument,
            format_args!("params.flags has both FRONT_ONLY and BACK_ONLY, which leaves nothing"),
        ));
    }
    Ok(CastParams {
        all: is_set(FEELER_CAST_ALL),
        front_only: is_set(FEELER_CAST_FRONT_ONLY),
        back_only: is_set(FEELER_CAST_BACK_ONLY),
        ignore_start_inside: is_set(FEELER_CAST_IGNORE_START_INSIDE),
        max_work: params.max_work,
        radius: finite_amount(params.radius, "params.radius")?,
    })
}

/// What does a segment, or a sphere of params.radius that moves along it, meet of a model in the given pose (NULL is the
/// identity)? Writes the earliest hits to out, ordered by time, then by triangle, up to its capacity; out NULL with
/// capacity 0 only counts. Whether a segment meets a triangle is exact, edges and vertices included: nothing slips
/// through a closed mesh. from and to may be equal: then what is touched at time 0 counts. params NULL means defaults:
/// the first hit of a segment.
///
/// cbindgen:ptrs-as-arrays=[[from;3], [to;3]]
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)] // what a cast needs
pub unsafe extern "C" fn feeler_model_cast(
    model: *const feeler_model,
    pose: *const feeler_transform,
    from: *const f64,
    to: *const f64,
    params: *const feeler_cast_params,
    out: *mut feeler_hit,
    capacity: usize,
    result: *mut feeler_cast_result,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library.
        let model = unsafe { AskedModel::begin(model)? };
        let checked;
        // Most callers ask for the first hit of a segment, and there is nothing to check.
        let params = if params.is_null() {
            const { &CastParams::FIRST }
        } else {
            // SAFETY: a struct of the caller's.
            checked = unsafe { checked_cast_params(params)? };
            &checked
        };
        // SAFETY: a struct of the caller's.
        let output = unsafe { Output::checked(result, "result")? };
        if out.is_null() && capacity > 0 {
            return Err(null_argument("out"));
        }
        let answer = cast(
            &model.model,
            // Inlined, both: what is returned in memory is stored in small pieces and loaded in large ones, which is slow.
            // SAFETY: a struct of the caller's.
            #[inline(always)]
            || unsafe { read_pose(pose) },
            // SAFETY: numbers of the caller's.
            #[inline(always)]
            || unsafe { Ok([read_point(from, "from")?, read_point(to, "to")?]) },
            params,
            &mut CallerHits { out, capacity },
        )?;
        output.write(feeler_cast_result {
            struct_size: 0,
            complete: answer.complete as u32,
            found: answer.found,
            written: answer.written,
        });
        Ok(())
    })
}

/// The caller's array of triangle ids.
struct CallerIds {
    out: *mut u32,
    capacity: usize,
}

impl Room for CallerIds {
    type Item = u32;

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn item(&self, index: usize) -> u32 {
        assert!(index < self.capacity);
        // SAFETY: the caller owns `capacity` ids at `out`, and this one was set before.
        unsafe { self.out.add(index).read_unaligned() }
    }

    fn set_item(&mut self, index: usize, id: u32) {
        assert!(index < self.capacity);
        // SAFETY: the caller owns `capacity` ids at `out`.
        unsafe { self.out.add(index).write_unaligned(id) };
    }
}

/// Which triangles of a model, in the given pose (NULL is the identity), does a ball touch? Writes the smallest ids in
/// ascending order to triangles, up to its capacity; count becomes the number of all of them, also beyond capacity.
/// triangles NULL with capacity 0 counts.
///
/// cbindgen:ptrs-as-arrays=[[centre;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_within(
    model: *const feeler_model,
    pose: *const feeler_transform,
    centre: *const f64,
    radius: f64,
    triangles: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> feeler_status {
    guard(|| {
        // SAFETY: a handle of this library, numbers and a struct of the caller's.
        let (model, centre) = unsafe { (AskedModel::begin(model)?, read_point(centre, "centre")?) };
        let radius = finite_amount(radius, "radius")?;
        if triangles.is_null() && capacity > 0 {
            return Err(null_argument("triangles"));
        }
        if count.is_null() {
            return Err(null_argument("count"));
        }
        // SAFETY: a struct of the caller's.
        let found =
            unsafe { model.posed(pose)? }.within_ball(centre, radius, &mut CallerIds { out: triangles, capacity });
        // SAFETY: the caller owns room for the count.
        unsafe { count.write_unaligned(found as usize) };
        Ok(())
    })
}

/// The pose between two poses that feeler_pair_sweep looks at at a time from 0 to 1: the centre of the model's bounds
/// moves straight, the rotation turns by the smaller angle about one axis. The scales must be equal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn feeler_model_pose_between(
    model: *const feeler_model,
    from: *const feeler_transform,
    to: *const feeler_transform,
    time: f64,
    out: *mut feeler_transform,
) -> feeler_status {
    guard(|| {
        for (pointer, name) in [(from, "from"), (to, "to"), (out.cast_const(), "out")] {
            if pointer.is_null() {
                return Err(null_argument(name));
            }
        }
        // SAFETY: a handle of this library and structs of the caller's.
        unsafe {
            let model = AskedModel::begin(model)?;
            let (from, to) = (read_transform(from), read_transform(to));
            write_transform(out, &model.model.pose_between(&from, &to, time)?);
        }
        Ok(())
    })
}
