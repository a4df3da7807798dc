//! A ball that moves along a line before the nodes of a model: what a cast asks a volume.

use fearless_simd::{Simd, f32x8, mask32x8};

/// The path of a ball's centre in the node frame of the model.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Where the path begins.
    pub origin: [f32; 3],
    /// The motion of the whole path: how far the ball has gone is told in shares of that.
    pub direction: [f32; 3],
    /// One over each entry of the direction, with its sign; as large as 1e20 where the entry is 0.
    pub inverse: [f32; 3],
    /// The radius of the ball and what the kernels of `Volume::entry` that use the line may err by:
    /// 64 roundings of the length, of the distance to the origin of the node frame, and of the reach of the volumes.
    pub ball: f32,
}

/// Dividing by this or less says that along a plane nothing is entered or left.
pub const SMALLEST: f32 = 1e-20;

/// One over each entry of a direction, as `Line::inverse` has it.
pub fn inverse(direction: [f32; 3]) -> [f32; 3] {
    direction.map(|entry| 1f32.copysign(entry) / entry.abs().max(SMALLEST))
}

/// The same path as probes of the model's family.
#[derive(Clone, Copy, Debug)]
pub struct Swept<P> {
    /// The whole path as a volume, and the bound of its distance above which the ball misses.
    pub path: P,
    pub path_ball: f32,
    /// The beginning as a volume. A bound of its distance times `shorter` less `start_ball` is how far the ball can go at least.
    pub start: P,
    pub start_ball: f32,
    pub shorter: f32,
}

/// What `Volume::entry` tells about eight lanes.
#[derive(Clone, Copy, Debug)]
pub struct Entries<S: Simd> {
    /// How far the ball has gone at least when it touches something in the lane.
    pub gone: f32x8<S>,
    /// The lanes that it may touch within the limit.
    pub entered: mask32x8<S>,
}

/// What `Volume::entry` is given.
#[derive(Clone, Copy, Debug)]
pub struct Ray<P> {
    pub line: Line,
    /// None for volumes that look at the line alone (`Volume::SEES_LINES`).
    pub swept: Option<Swept<P>>,
}
