//! How the node frames of two models lie to each other, and what bounds computed between them may be off by.

use crate::coherence::clearance::Cores;
use crate::math::motion::Motion;
use crate::math::placement::Placement;
use crate::posed::posed_models::PosedModels;
use crate::simd::eight::Element;
use crate::tree::Tree;
use crate::tree::node::NodeFrame;
use crate::volume::{Slack, Volume};
use glam::{DMat3, DVec3};

/// Models that are this many times their own size apart take the f64 path.
pub(super) const F64_BEYOND: f64 = 16.0;

/// How the node frames of the two models lie to each other, in f64 and working units.
#[derive(Clone, Copy, Debug)]
pub struct RelativeFrames {
    pub(super) a: Extent,
    pub(super) b: Extent,
    /// From the node origin of A to that of B, in the axes of A's node frame, and its length.
    pub(super) a_to_b: DVec3,
    apart: f64,
    /// What placed vertices and `a_to_b` are off by because the models are far from their own origins.
    rounding: f64,
    /// Turns B's axes into A's.
    pub(super) turn: DMat3,
    /// For models with node frames: a guess of where a search ends.
    cores: Option<Cores>,
}

impl RelativeFrames {
    #[inline(always)]
    pub fn new<A: Volume, B: Volume>(models: &PosedModels, tree_a: &Tree<A>, tree_b: &Tree<B>) -> Self {
        let placement = models.placement;
        let has_node_frames = !(tree_a.frames.is_empty() & tree_b.frames.is_empty());
        Self {
            cores: if has_node_frames { models.cores() } else { None },
            a: Extent::new(placement.unit_a, tree_a.reach),
            b: Extent::new(placement.unit_b, tree_b.reach),
            a_to_b: models.a_to_b * placement.signs_a,
            apart: models.apart,
            rounding: models.rounding,
            turn: placement.rotation_b,
        }
    }

    /// Whether f32 would blur the difference between near and far parts.
    pub fn are_far(&self) -> bool {
        if let Some(cores) = &self.cores {
            return cores.between.length() > F64_BEYOND * cores.radii[0].max(cores.radii[1]);
        }
        self.apart > F64_BEYOND * (self.a.reach * self.a.unit).max(self.b.reach * self.b.unit)
    }

    /// Whether nodes have frames of their own; `base` is then a guess.
    pub fn have_node_frames(&self) -> bool {
        self.cores.is_some()
    }

    /// What bounds are relative to: no computed distance is below this, all of them within a part in 1e13 of the true ones;
    /// 0 on the f32 path.
    pub(super) fn base<E: Element>(&self) -> f64 {
        if E::ROUNDING > f64::EPSILON {
            return 0.0;
        }
        if let Some(Cores { between, radii }) = self.cores {
            return (between.length() - radii[0] - radii[1]).max(0.0);
        }
        let reach = self.a.reach * self.a.unit + self.b.reach * self.b.unit;
        (self.apart - reach - self.rounding).max(0.0) * (1.0 - 1e-12)
    }

    /// The motion of probes from a source into the node frame of a target; each is given by its unit and its reach.
    #[inline(always)]
    pub(super) fn motion<E: Element>(
        &self,
        turn: DMat3,
        shift: DVec3,
        source: Extent,
        target: Extent,
        slack: Slack,
    ) -> Motion<E> {
        motion(turn, (shift, self.apart), source, target, slack, self.rounding)
    }
}

impl RelativeFrames {
    /// The motion from the frame of one node into the frame of another, for models whose nodes have frames of their own:
    /// `opened` is a node of A (side 0) or of B (side 1), `other` one of the other model.
    ///
    /// The f32 errors are shares of what the two nodes reach and are apart. What remains of the whole models is rounded in f64,
    /// with e = 2^-52 and R the reach of a model in working units:
    /// 1. A placed node origin is off by eight roundings of its coordinates and of the translation. These are at most
    ///    `from + R_a`, `b + R_b` and their sum with `apart`, in the terms of `PosedModels::rounding`.
    /// 2. A placed vertex is off by as much (`motion`). Together this is below `32 e apart + 512 e (R_a + R_b) + rounding`.
    pub(super) fn between_nodes<E: Element>(
        &self,
        placement: &Placement,
        side: usize,
        (opened, other): (&NodeFrame, &NodeFrame),
        slack: Slack,
    ) -> Motion<E> {
        let (turn, shift, mut source, mut target) = if side == 0 {
            let shift = (placement.place_b(other.origin) - placement.place_a(opened.origin)) * placement.signs_a;
            (self.turn, shift, self.b, self.a)
        } else {
            let back = self.turn.transpose();
            let shift = (placement.place_a(other.origin) - placement.place_b(opened.origin)) * placement.signs_a;
            let shift = back * shift;
            (back, shift, self.a, self.b)
        };
        let reaches = self.a.reach * self.a.unit + self.b.reach * self.b.unit;
        let of_models = f64::EPSILON * (32.0 * self.apart + 512.0 * reaches) + self.rounding;
        (source.reach, target.reach) = (other.reach, opened.reach);
        let mut motion: Motion<E> = motion(turn, (shift, shift.length()), source, target, slack, of_models);
        if E::ROUNDING < f32::ROUNDING {
            // Triangles need not be small against their distance here: the kernel may err by 1e-12 of it.
            motion.unit = E::from_f64(motion.unit.to_f64() * (1.0 - 4e-12));
        }
        motion
    }
}

/// The motion of probes from a source into the node frame of a target, shifted by a vector of the given length. `rounding` is what
/// placed vertices are off by besides, in working units.
#[inline(always)]
pub(super) fn motion<E: Element>(
    turn: DMat3,
    (shift, apart): (DVec3, f64),
    source: Extent,
    target: Extent,
    slack: Slack,
    rounding: f64,
) -> Motion<E> {
    let inverse = target.per_unit;
    let ratio = source.unit * inverse;
    let (r, t, q) = (source.reach * ratio, apart * inverse, target.reach);
    let rounding = rounding * inverse;
    if !(r + t + q + rounding <= E::LONGEST && target.unit >= E::SMALLEST_UNIT) {
        // In units of the target everything else is so large that squares overflow. All of the target is then at one
        // distance, as far as f64 can tell, and an infinite slack says so: nothing is pruned. The unit is 1, because infinity
        // times a unit that f32 rounds to 0 is no number.
        return Motion::new(turn, DVec3::ZERO, 1.0, 1.0, f64::INFINITY);
    }
    // On the f32 path everything else is far below the first term. On the f64 path, with u = 2^-53 and D = t + r + q:
    // 1. A placed vertex is off by u D.
    // 2. `shift` is off by 4u t as it comes, and by 5.2u t more when it is turned back.
    // 3. Turning lengthens by half of what the rotation is off. The rotation is a product of two, each off by 8u per entry: 30u t.
    // 4. Together below 64u t. The other roundings of placements and triangles are multiples of u (r + q), below 1024.
    let mut bound = E::ROUNDING * (slack.source * r + slack.translation * t + slack.target * q)
        + f64::EPSILON * (32.0 * t + 512.0 * (r + q));
    if E::ROUNDING < f32::ROUNDING {
        bound += f32::ROUNDING * slack.stored * (r + q);
    } else {
        // Squares below 2^-126 lose digits: a norm is then off by up to 5e-23, and what is divided by it by three times that.
        // A unit of the target is about its size, so that this matters for points only, whose reach is 0.
        bound += 4e-22;
    }
    // On the f32 path 256 roundings cover the relative errors of norms (`volume::boxes::obb`), of this conversion, and the
    // 1e-12 by which the triangle kernel may err.
    // On the f64 path norms along centres need 32. There triangles are small against their distance d, and the kernel errs by
    // less than 1e-12. With p and q the directions that it slides on:
    // 1. Before its Newton step the vector v between its points is short of d by 2u D.
    // 2. The products of v with p and q are at most 4u D |p| and 10u D |q| off zero: a product with the start costs 3u D |p|,
    //    rounding v costs u D |p|, and solving for x first adds 6u D |q|. This holds however nearly parallel p and q are,
    //    because y and x are then projected in turn.
    // 3. The step s solves the equations with residuals that are 3u D off, and with a determinant of at least
    //    8u |p|^2 |q|^2. So it has at most 20 D / 8 in p, and v.s is at most 20 * 14 / 8 u D^2.
    // 4. Without a determinant there is no such step: v.s is then at most 22u D^2, the square of D times the sine of the angle.
    // 5. So v loses 35u D^2 / d, forming it costs 6u D, squares and root cost 3u d. With D / d <= 9 / 7, from `F64_BEYOND`,
    //    this is 80u d together.
    let norms = if E::ROUNDING < f32::ROUNDING { 32.0 } else { 256.0 };
    let unit = target.unit * (1.0 - norms * E::ROUNDING - 40.0 * f64::EPSILON);
    let mut motion: Motion<E> = Motion::new(turn, shift * inverse, ratio, unit, bound * 1.0001);
    motion.slack += E::from_f64(rounding * 1.0001);
    motion
}

/// How large a hierarchy is: working units per length of its node frame, and how far its volumes reach in that frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub unit: f64,
    /// One divided by `unit`.
    pub per_unit: f64,
    pub reach: f64,
}

impl Extent {
    pub fn new(unit: f64, reach: f64) -> Self {
        Self { unit, per_unit: 1.0 / unit, reach }
    }
}
