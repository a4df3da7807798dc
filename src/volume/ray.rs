//! A ball that moves along a line before the nodes of a model: what a cast asks a volume.

/// The path of a ball's centre in the node frame of the model, and probes of the model's family.
#[derive(Clone, Copy, Debug)]
pub struct Ray<P> {
    /// Where the path begins.
    pub origin: [f32; 3],
    /// Of length 1, or zero where the ball does not move.
    pub direction: [f32; 3],
    pub length: f32,
    /// The radius of the ball and what the kernels of `Volume::entry` that use origin and direction may err by:
    /// 64 roundings of the length, of the distance to the origin of the node frame, and of the reach of the volumes.
    pub ball: f32,
    /// The whole path as a volume, and the bound of its distance above which the ball misses.
    pub path: P,
    pub path_ball: f32,
    /// The beginning as a volume. A bound of its distance times `shorter` less `start_ball` is how far the ball can go at least.
    pub start: P,
    pub start_ball: f32,
    pub shorter: f32,
}
