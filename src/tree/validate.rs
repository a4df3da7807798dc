//! Checks a hierarchy: its structure, and that every volume encloses all triangles below it.

use crate::tree::node::{Child, NodeFrame, Tree};
use crate::volume::Volume;
use crate::volume::fit::cluster::Cluster;

/// `cluster` holds the triangles in slot order. The error is a sentence about the first defect.
pub fn validate<V: Volume>(tree: &Tree<V>, cluster: &Cluster) -> Result<(), String> {
    if tree.nodes.is_empty() || tree.nodes[0].used() != 1 {
        return Err("node 0 does not hold just the root".into());
    }
    if tree.nodes.capacity() != tree.nodes.len() {
        return Err(format!("room for {} nodes, but {} nodes", tree.nodes.capacity(), tree.nodes.len()));
    }
    if !tree.frames.is_empty() && tree.frames.len() != tree.nodes.len() {
        return Err(format!("{} frames for {} nodes", tree.frames.len(), tree.nodes.len()));
    }
    let mut walk = Walk {
        tree,
        cluster,
        seen: vec![false; cluster.triangles.len()],
        entered: vec![false; tree.nodes.len()],
        above: Vec::new(),
        depth: 0,
        reach: 0.0,
    };
    walk.node(0)?;
    if let Some(slot) = walk.seen.iter().position(|seen| !seen) {
        return Err(format!("no lane holds slot {slot}"));
    }
    if let Some(node) = walk.entered.iter().position(|entered| !entered) {
        return Err(format!("no lane leads to node {node}"));
    }
    if walk.depth != tree.depth as usize || walk.reach != tree.reach {
        let (depth, reach) = (walk.depth, walk.reach);
        return Err(format!("depth {depth} and reach {reach}, not {} and {}", tree.depth, tree.reach));
    }
    Ok(())
}

struct Walk<'a, V: Volume> {
    tree: &'a Tree<V>,
    cluster: &'a Cluster<'a>,
    seen: Vec<bool>,
    entered: Vec<bool>,
    /// Volumes around the present triangle, each in its frame.
    above: Vec<(V, NodeFrame)>,
    depth: usize,
    reach: f64,
}

impl<V: Volume> Walk<'_, V> {
    fn node(&mut self, index: usize) -> Result<(), String> {
        if core::mem::replace(&mut self.entered[index], true) {
            return Err(format!("two lanes lead to node {index}"));
        }
        let node = &self.tree.nodes[index];
        let used = node.used();
        if used == 0 || used & (used + 1) != 0 {
            return Err(format!("node {index} uses the lanes {used:#b}: not those in front"));
        }
        for lane in 0..used.trailing_ones() as usize {
            let child = node.child(lane);
            let volume = V::load(&node.wide, lane);
            let frame = self.tree.frame(index, self.cluster.origin);
            if volume.reach() > frame.reach || !volume.reach().is_finite() {
                return Err(format!("node {index} lane {lane} reaches beyond {}", frame.reach));
            }
            let has_frames = !self.tree.frames.is_empty();
            let reach = if has_frames { frame.reach_from(self.cluster.origin) } else { volume.reach() };
            self.reach = self.reach.max(reach);
            self.above.push((volume, frame));
            self.depth = self.depth.max(self.above.len());
            if child.is_triangle() {
                self.triangle(child)?;
            } else if child.index() <= index || child.index() >= self.tree.nodes.len() {
                return Err(format!("node {index} lane {lane} leads to node {}", child.index()));
            } else {
                self.node(child.index())?;
            }
            self.above.pop();
        }
        Ok(())
    }

    fn triangle(&mut self, child: Child) -> Result<(), String> {
        let slot = child.index();
        match self.seen.get_mut(slot) {
            None => return Err(format!("slot {slot} does not exist")),
            Some(seen) if *seen => return Err(format!("two lanes hold slot {slot}")),
            Some(seen) => *seen = true,
        }
        // `excess` itself rounds about thirty times, at numbers up to the reach and the distance of the point from the
        // origin.
        for (level, (volume, frame)) in self.above.iter().enumerate() {
            let allowance = frame.reach * 2f64.powi(-48);
            for point in self.cluster.around(frame.origin).triangle(slot) {
                let excess = volume.excess(point);
                if excess > allowance || excess.is_nan() {
                    return Err(format!("slot {slot}: {point} is {excess} outside its volume on level {level}"));
                }
            }
        }
        Ok(())
    }
}
