//! When the nodes of a model need frames of their own, and where these are.
//!
//! A node is stored in f32. In the frame of the model its numbers are rounded to a share of the model's reach, which is harmless
//! while the triangles are not much smaller than that share. Fine detail in a large scene, or one stray triangle far away, makes
//! the rounding larger than the detail: no bound tells near parts from far ones any more.

use crate::allocation::try_collect;
use crate::error::Error;
use crate::math::bounds::Bounds;
use crate::tree::build::emit::Slots;
use crate::tree::node::{Child, Node, NodeFrame};
use crate::volume::Volume;
use crate::volume::fit::cluster::Cluster;
use glam::DVec3;

/// Triangles smaller than this share of the model's reach are detail. The slack of the kernels is about 50 roundings of the
/// reach, 3e-6 of it: a thirtieth of such a triangle.
const DETAIL: f32 = 1e-4;

/// A model is detailed when at least one in this many of its triangles is detail.
const ONE_IN: usize = 8;

/// Whether the nodes of a hierarchy, fitted in the frame of the model, need frames of their own.
pub fn is_detailed<V: Volume>(nodes: &[Node<V::Wide>], reach: f64) -> bool {
    let limit = DETAIL * reach as f32;
    let (mut triangles, mut small) = (0, 0);
    for node in nodes {
        for lane in (0..8).filter(|&lane| node.child(lane).is_triangle()) {
            // Empty lanes look like triangles; they are the last.
            if node.child(lane) == Child::EMPTY {
                break;
            }
            triangles += 1;
            // A point needs no precision: only its place is rounded.
            let size = V::enclosing_radii(&node.wide)[lane];
            small += (size < limit) as usize;
        }
    }
    small * ONE_IN >= triangles && small > 0
}

/// Near the lanes of a node: the median of their middles, coordinate by coordinate. One lane far away does not move the median.
pub fn origin(cluster: &Cluster, slots: &Slots) -> DVec3 {
    let mut middles = [[0.0; 8]; 3];
    let mut count = 0;
    for lane in 0..8 {
        let triangles = &cluster.triangles[slots[lane] as usize..slots[lane + 1] as usize];
        if triangles.is_empty() {
            break;
        }
        let mut bounds = Bounds::EMPTY;
        triangles.iter().flatten().for_each(|&vertex| bounds.add(cluster.vertices[vertex as usize]));
        let middle = bounds.low * 0.5 + bounds.high * 0.5;
        (0..3).for_each(|axis| middles[axis][count] = middle[axis]);
        count += 1;
    }
    let mut median = |axis: usize| {
        middles[axis][..count].sort_unstable_by(f64::total_cmp);
        middles[axis][count / 2]
    };
    DVec3::new(median(0), median(1), median(2))
}

/// A sphere around seven eighths of the nodes: its centre is the median of their origins, coordinate by coordinate.
pub fn core_of(frames: &[NodeFrame]) -> Result<NodeFrame, Error> {
    let mut numbers = try_collect("node frames", frames.iter().map(|_| 0.0))?;
    let mut ranked = |number: &dyn Fn(&NodeFrame) -> f64, rank: usize| {
        numbers.iter_mut().zip(frames).for_each(|(place, frame)| *place = number(frame));
        *numbers.select_nth_unstable_by(rank, f64::total_cmp).1
    };
    let middle = frames.len() / 2;
    let centre =
        DVec3::new(ranked(&|f| f.origin.x, middle), ranked(&|f| f.origin.y, middle), ranked(&|f| f.origin.z, middle));
    let radius = ranked(&|frame| (frame.origin - centre).length() + frame.reach, frames.len() - 1 - frames.len() / 8);
    Ok(NodeFrame { origin: centre, reach: radius })
}
