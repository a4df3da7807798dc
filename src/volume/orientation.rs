//! Which way a box around some triangles should turn.

use super::Quality;
use super::cluster::Cluster;
use glam::DMat3;

/// Axes of a tight box; provisional.
pub fn axes(_cluster: &Cluster, _quality: Quality) -> DMat3 {
    DMat3::IDENTITY
}
