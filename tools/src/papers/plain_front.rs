//! Collision with the front of the last frame, as [Tropp 2006] describes it, on plain binary trees of boxes.
//!
//! Box tests are scalar and stop at the first separating axis, as RAPID's: the paper's saving is that of a few axes.

use super::plain_tree::PlainModel;
use feeler::Transform;
use feeler::internals::primitive;
use feeler::internals::tree::node::Lane;
use feeler::internals::volume::Volume;
use feeler::internals::volume::boxes::aabb::Aabb;
use feeler::internals::volume::boxes::obb::Obb;
use glam::{DMat3, DQuat, DVec3};

/// A box in the node frame of its model.
#[derive(Clone, Copy)]
pub struct PlainBox {
    centre: DVec3,
    axes: DMat3,
    half: DVec3,
}

impl PlainBox {
    /// The longest edge: e in the paper.
    pub fn longest_edge(&self) -> f64 {
        2.0 * self.half.max_element()
    }
}

/// Volumes that are boxes.
pub trait Boxed: Volume {
    /// Axes that are tested: fifteen, or the six of SAT lite.
    const AXES: usize;
    fn plain(&self) -> PlainBox;
}

fn double(v: [f32; 3]) -> DVec3 {
    DVec3::from_array(v.map(f64::from))
}

impl Boxed for Obb {
    const AXES: usize = 15;
    fn plain(&self) -> PlainBox {
        let [x, y] = self.axes.map(double);
        PlainBox { centre: double(self.centre), axes: DMat3::from_cols(x, y, x.cross(y)), half: double(self.half) }
    }
}

impl Boxed for Aabb {
    const AXES: usize = 6;
    fn plain(&self) -> PlainBox {
        PlainBox { centre: double(self.centre), axes: DMat3::IDENTITY, half: double(self.half) }
    }
}

/// Where B is in the node frame of A.
#[derive(Clone, Copy)]
pub struct Place {
    turn: DMat3,
    shift: DVec3,
}

/// The parameters of the paper, in units of the longest edge of the smaller model.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Larger motions use no coherence; 0 never uses it.
    pub coherence: f64,
    /// Boxes that are smaller than the motion by this factor are not put into the front; infinite for leaves only.
    pub sprout: f64,
    /// The front is pruned after this much motion.
    pub prune: f64,
}

impl Policy {
    /// The plain algorithm.
    pub const NONE: Self = Self { coherence: 0.0, sprout: f64::INFINITY, prune: f64::INFINITY };
}

/// Tests of one frame or of many.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrontTally {
    /// Box tests in full.
    pub boxes: u64,
    /// Boxes that stayed apart by their margin, and by their axis.
    pub margins: u64,
    pub axes: u64,
    pub triangles: u64,
    pub contacts: u64,
}

impl FrontTally {
    pub fn add(&mut self, other: &Self) {
        self.boxes += other.boxes;
        self.margins += other.margins;
        self.axes += other.axes;
        self.triangles += other.triangles;
        self.contacts += other.contacts;
    }
}

/// An axis in the frame of B that separates two boxes, by how much at least, and half the width of B's box along it.
#[derive(Clone, Copy)]
struct Separation {
    axis: DVec3,
    margin: f64,
    radius_b: f64,
}

#[derive(Clone, Copy)]
struct Entry {
    lanes: (u32, u32),
    /// The pair that was opened above this one, as an index; none for the roots.
    parent: u32,
    apart: Option<Separation>,
}

/// A pair of boxes that was opened, and the pair above it.
#[derive(Clone, Copy)]
struct Opened {
    lanes: (u32, u32),
    parent: u32,
}

const NONE: u32 = u32::MAX;

/// Two models and the front of their last frame.
pub struct PlainFront<'a, V: Boxed> {
    a: &'a PlainModel<V>,
    b: &'a PlainModel<V>,
    boxes_a: Vec<[PlainBox; 2]>,
    boxes_b: Vec<[PlainBox; 2]>,
    policy: Policy,
    entries: Vec<Entry>,
    opened: Vec<Opened>,
    last: Option<Place>,
    since_pruning: f64,
    /// Longest edge of the smaller model, and the farthest point of B from the origin of its frame.
    edge: f64,
    reach: f64,
}

/// The boxes of all nodes, of which two lanes are used.
fn boxes<V: Boxed>(model: &PlainModel<V>) -> Vec<[PlainBox; 2]> {
    model.tree.nodes.iter().map(|node| [0, 1].map(|lane| V::load(&node.wide, lane).plain())).collect()
}

impl<'a, V: Boxed> PlainFront<'a, V> {
    pub fn new(a: &'a PlainModel<V>, b: &'a PlainModel<V>, policy: Policy) -> Self {
        let (boxes_a, boxes_b) = (boxes(a), boxes(b));
        let edge = boxes_a[0][0].longest_edge().min(boxes_b[0][0].longest_edge());
        let reach = b.triangles.iter().flatten().map(|vertex| vertex.length()).fold(0.0, f64::max);
        let (entries, opened) = (Vec::new(), Vec::new());
        Self { a, b, boxes_a, boxes_b, policy, entries, opened, last: None, since_pruning: 0.0, edge, reach }
    }

    /// How far a point of B moves at most between two poses [Tropp 2006, eq. 9].
    fn moved(&self, from: &Place, to: &Place) -> f64 {
        let [first, last] = [from, to].map(|place| DQuat::from_mat3(&place.turn));
        (to.shift - from.shift).length() + first.angle_between(last) * self.reach
    }

    fn place(&self, pose: &Transform) -> Place {
        let turn = pose.rotation;
        Place { turn, shift: turn * self.b.origin + pose.translation - self.a.origin }
    }

    /// All contacts in a pose.
    pub fn frame(&mut self, pose: &Transform) -> FrontTally {
        let place = self.place(pose);
        let mut tally = FrontTally::default();
        let moved = self.last.map_or(f64::INFINITY, |last| self.moved(&last, &place));
        self.last = Some(place);
        let keeps = self.policy.coherence > 0.0;
        if !(moved <= self.policy.coherence * self.edge) {
            self.entries.clear();
            self.opened.clear();
            self.since_pruning = 0.0;
            let mut entries = Vec::new();
            // The first frame knows no motion.
            let moved = if moved.is_finite() { moved } else { 0.0 };
            self.descend((0, 0), NONE, &place, moved, keeps, &mut entries, &mut tally);
            self.entries = entries;
            return tally;
        }
        let old = core::mem::take(&mut self.entries);
        let mut entries = Vec::with_capacity(old.len());
        for entry in old {
            if let Some(kept) = entry.apart.and_then(|apart| self.still_apart(&entry, apart, &place, moved, &mut tally))
            {
                entries.push(Entry { apart: Some(kept), ..entry });
            } else {
                self.descend(entry.lanes, entry.parent, &place, moved, true, &mut entries, &mut tally);
            }
        }
        self.entries = entries;
        self.since_pruning += moved;
        if self.since_pruning > self.policy.prune * self.edge {
            self.since_pruning = 0.0;
            self.prune(&place, &mut tally);
        }
        tally
    }

    fn pair(&self, lanes: (u32, u32)) -> (&PlainBox, &PlainBox) {
        let ((node_a, lane_a), (node_b, lane_b)) = (Lane(lanes.0).split(), Lane(lanes.1).split());
        (&self.boxes_a[node_a][lane_a], &self.boxes_b[node_b][lane_b])
    }

    /// The margin test, then the axis test [Tropp 2006, 4.2 and 4.3].
    fn still_apart(
        &self,
        entry: &Entry,
        apart: Separation,
        place: &Place,
        moved: f64,
        tally: &mut FrontTally,
    ) -> Option<Separation> {
        let margin = apart.margin - moved;
        if margin > 0.0 {
            tally.margins += 1;
            return Some(Separation { margin, ..apart });
        }
        let (a, b) = self.pair(entry.lanes);
        let in_a = place.turn * apart.axis;
        let between = place.shift.dot(in_a) + b.centre.dot(apart.axis) - a.centre.dot(in_a);
        let radius_a = (a.axes.transpose() * in_a).abs().dot(a.half);
        let margin = between.abs() - radius_a - apart.radius_b;
        if margin > 0.0 {
            tally.axes += 1;
            return Some(Separation { margin, ..apart });
        }
        None
    }

    /// The full test of a pair; what is below goes to the front, or to `tally` if it is triangles.
    #[allow(clippy::too_many_arguments)]
    fn descend(
        &mut self,
        lanes: (u32, u32),
        parent: u32,
        place: &Place,
        moved: f64,
        keeps: bool,
        entries: &mut Vec<Entry>,
        tally: &mut FrontTally,
    ) {
        tally.boxes += 1;
        let (a, b) = self.pair(lanes);
        let (edge_a, edge_b) = (a.longest_edge(), b.longest_edge());
        let apart = separation(a, b, place, V::AXES);
        if apart.is_some() {
            if keeps {
                entries.push(Entry { lanes, parent, apart });
            }
            return;
        }
        let ((node_a, lane_a), (node_b, lane_b)) = (Lane(lanes.0).split(), Lane(lanes.1).split());
        let (child_a, child_b) = (self.a.tree.nodes[node_a].child(lane_a), self.b.tree.nodes[node_b].child(lane_b));
        if child_a.is_triangle() && child_b.is_triangle() {
            tally.triangles += 1;
            let placed = self.b.triangles[child_b.index()].map(|vertex| place.turn * vertex + place.shift);
            tally.contacts += primitive::intersects(&self.a.triangles[child_a.index()], &placed) as u64;
            if keeps {
                entries.push(Entry { lanes, parent, apart: None });
            }
            return;
        }
        // Boxes that are small against the motion stay in the front themselves: what is below changes too fast.
        let stays = keeps && moved > self.policy.sprout * edge_a.max(edge_b);
        if stays {
            entries.push(Entry { lanes, parent, apart: None });
        }
        let keeps_below = keeps && !stays;
        let index = if keeps_below {
            self.opened.push(Opened { lanes, parent });
            self.opened.len() as u32 - 1
        } else {
            NONE
        };
        let opens_b = !child_b.is_triangle() && (child_a.is_triangle() || edge_b >= edge_a);
        let opened = if opens_b { child_b.index() } else { child_a.index() };
        for lane in 0..2 {
            let next = Lane::new(opened, lane).0;
            let below = if opens_b { (lanes.0, next) } else { (next, lanes.1) };
            self.descend(below, index, place, moved, keeps_below, entries, tally);
        }
    }

    /// Replaces two siblings that are apart by the pair above them where that is apart, too.
    fn prune(&mut self, place: &Place, tally: &mut FrontTally) {
        loop {
            let mut apart = vec![0u8; self.opened.len()];
            for entry in self.entries.iter().filter(|entry| entry.apart.is_some() && entry.parent != NONE) {
                apart[entry.parent as usize] += 1;
            }
            let mut closed = vec![false; self.opened.len()];
            let mut above = Vec::new();
            for (index, _) in apart.iter().enumerate().filter(|(_, count)| **count == 2) {
                tally.boxes += 1;
                let Opened { lanes, parent } = self.opened[index];
                let (a, b) = self.pair(lanes);
                if let Some(separation) = separation(a, b, place, V::AXES) {
                    closed[index] = true;
                    above.push(Entry { lanes, parent, apart: Some(separation) });
                }
            }
            if above.is_empty() {
                return;
            }
            self.entries.retain(|entry| entry.parent == NONE || !closed[entry.parent as usize]);
            self.entries.extend(above);
        }
    }
}

/// The first axis that separates two boxes, in the order of SAT.
fn separation(a: &PlainBox, b: &PlainBox, place: &Place, axes: usize) -> Option<Separation> {
    let turned = place.turn * b.axes;
    let between = place.turn * b.centre + place.shift - a.centre;
    let try_axis = |axis: DVec3| {
        let radius_a = (a.axes.transpose() * axis).abs().dot(a.half);
        let radius_b = (turned.transpose() * axis).abs().dot(b.half);
        let margin = between.dot(axis).abs() - radius_a - radius_b;
        (margin > 0.0).then(|| Separation { axis: place.turn.transpose() * axis, margin, radius_b })
    };
    for k in 0..3 {
        if let Some(found) = try_axis(a.axes.col(k)) {
            return Some(found);
        }
    }
    for k in 0..3 {
        if let Some(found) = try_axis(turned.col(k)) {
            return Some(found);
        }
    }
    if axes == 6 {
        return None;
    }
    for i in 0..3 {
        for j in 0..3 {
            let axis = a.axes.col(i).cross(turned.col(j));
            // Parallel edges give no direction.
            if axis.length_squared() > 1e-12
                && let Some(found) = try_axis(axis.normalize())
            {
                return Some(found);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::plain_tree::Cut;
    use super::*;
    use crate::{meshes, paths};

    #[test]
    fn a_front_finds_the_contacts_of_the_plain_algorithm() {
        let torus = meshes::torus(16, 10, 0.35);
        let model = PlainModel::<Obb>::new(&torus, Cut::Mean);
        let poses =
            paths::timed(60, |t| paths::turned(DVec3::new(1.0, 0.3, 0.2), 2.0 * t, DVec3::new(1.9 - t, 0.3, 0.2)));
        let mut plain = PlainFront::new(&model, &model, Policy::NONE);
        let policies = [(0.5, f64::INFINITY, 0.17), (0.5, 2.0, 0.05), (0.02, f64::INFINITY, 0.05)];
        let mut fronts = policies
            .map(|(coherence, sprout, prune)| PlainFront::new(&model, &model, Policy { coherence, sprout, prune }));
        let (mut found, mut by_margin) = (0, 0);
        for pose in &poses {
            let contacts = plain.frame(pose).contacts;
            found += contacts;
            for front in &mut fronts {
                let tally = front.frame(pose);
                assert_eq!(tally.contacts, contacts);
                by_margin += tally.margins;
            }
        }
        assert!(found > 100 && by_margin > 1000, "{found} contacts, {by_margin} margins");
    }
}
