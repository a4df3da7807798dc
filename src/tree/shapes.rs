//! What is asked about a model that is no model itself: a point and a segment, each in a volume of the hierarchy's kind.
//!
//! Both are fitted once, when a tree is made. A query moves and scales them like any other volume, so that the bounds and
//! the slack of pairs hold for them.

use crate::volume::fit::cluster::Cluster;
use crate::volume::{Quality, Volume};
use glam::DVec3;

/// Volumes in lane 0 of nodes of their own.
#[derive(Clone, Copy, Debug)]
pub struct Shapes<V: Volume> {
    /// Around the origin.
    pub point: V::Wide,
    /// Around the segment from -1 to 1 on the first axis.
    pub segment: V::Wide,
    /// How far each reaches from the origin.
    pub point_reach: f64,
    pub segment_reach: f64,
}

impl<V: Volume> Shapes<V> {
    #[allow(clippy::new_without_default)] // fitted, not empty: no default
    pub fn new() -> Self {
        let fitted = |vertices: &[DVec3]| {
            let cluster = Cluster::new(vertices, DVec3::ZERO, &[[0, 1, 1]]);
            let volume = V::fit(&cluster, Quality::High);
            let mut wide = V::Wide::default();
            volume.store(&mut wide, 0);
            (wide, volume.reach())
        };
        let (point, point_reach) = fitted(&[DVec3::ZERO; 2]);
        let (segment, segment_reach) = fitted(&[DVec3::NEG_X, DVec3::X]);
        Self { point, segment, point_reach, segment_reach }
    }
}
