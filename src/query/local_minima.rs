//! Where two models are nearest locally: few contacts instead of all triangle pairs within a margin.
//!
//! A local minimum is a pair (f, g) of mesh features (vertex, edge, face) that some triangle pair (s, t) is nearest at, such
//! that no triangle pair around f and g is nearer by more than the kernel may err. Nothing is stored but the caller's array:
//! each triangle pair within the margin is judged by its neighbourhood alone.
//!
//! Judging. With p and q the nearest points, d their distance and n the unit vector between them:
//! 1. If, rounding included, no vertex w around f has n.(w - p) above e, and none around g has n.(q - w) above e, then planes across n separate
//!    the neighbourhoods by d - 2 e at least. With e half of what the kernel may err (f, g) is a minimum.
//! 2. If some w has n.(w - p) = c |w - p| with c well above 0, then on the edge from p to w the distance falls: to
//!    d sqrt(1 - c^2), or, where the edge is too short for that, by half of c |w - p| at least. That is no minimum.
//! 3. What is left is measured. So is everything beside edges that are so long that the kernel's error is not bounded: there
//!    the definition goes by what it measures.
//!
//! Before that, most pairs are ruled out by a nearer pair at the same features (`waiting_pairs`). With r what two distances of the kernel may
//! differ by (`ERROR`), a pair with a neighbour below 1 - 4 r of its distance is not judged to be a minimum by any of the above: its
//! neighbourhood is not separated by 1 - r of its distance, and measuring would find the neighbour. Of minima with the same features only
//! the one with the smallest ids is told of (`is_first`), so that later ones are not judged. Pairs beside edges so long that the
//! kernel's error is not bounded do not wait.

use super::contact::Contact;
use super::kept::{Kept, Room};
use super::{ContactsAnswer, QueryContext};
use crate::coherence::clearance::Question;
use crate::error::{Error, Status};
use crate::math::length::careful_length;
use crate::model::{Model, Neighbourhoods};
use crate::posed::posed_models::PosedModels;
use crate::primitive::{self, Closest, FACE, Triangle, barycentric};
use crate::search::waiting_pairs::{MOST_WAITING, Name, WaitingPair, WaitingPairs};
use crate::search::within::{End, PairVisitor, VisitAll, WithinSearch};
use crate::simd::level::{Operation, dispatch, level};
use arrayvec::ArrayVec;
use core::cell::{Cell, OnceCell};
use fearless_simd::Simd;
use glam::DVec3;

#[derive(Clone, Copy, Debug, Default)]
pub struct MinimaParams {
    pub cold: bool,
    pub max_work: u64,
    /// World units; pairs farther apart are no minima.
    pub margin: f64,
    /// World units; minima that are this near on both models are merged. 0 merges nothing.
    pub merge_distance: f64,
}

/// A local minimum of the distance, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimum {
    pub contact: Contact,
    /// Names the pair of mesh features: the same as long as the models are nearest there.
    pub id: u64,
    pub barycentric_a: [f64; 3],
    pub barycentric_b: [f64; 3],
    /// How many minima this one stands for.
    pub merged: u32,
}

/// The largest number of triangles that a key of 32 bits names along with a feature.
pub const MOST_TRIANGLES: usize = 1 << 29;

/// What two distances of the kernel may differ by where they should be equal, relative to them.
const ERROR: f64 = 2e-12;

/// A pair with a neighbour nearer than this share of its distance is no minimum.
const RULED_OUT: f64 = 1.0 - 4.0 * ERROR;

/// The rounding of points and products, relative to their lengths.
const NOISE: f64 = 1e-15;

/// Lengths below this lose digits when they are squared, and decide nothing.
const SHORTEST: f64 = 1e-140;

/// Coordinates farther than this from the nearest points, in distances, belong to edges for which the kernel's error is not bounded: it
/// is up to edges of 2^53 distances (`primitive/kernel.rs`), and these have twice the coordinate or less.
const LONGEST: f64 = (1u64 << 50) as f64;

/// Cosines above this are not rounding.
const CERTAIN: f64 = 1e-5;

/// By distance, then by id.
pub fn is_nearer(p: &Minimum, q: &Minimum) -> bool {
    p.contact.distance < q.contact.distance || p.contact.distance == q.contact.distance && p.id < q.id
}

/// Collects the local minima of a walk.
pub struct Minima<'k, 'r, 'p> {
    pub models: PosedModels<'p>,
    pub surfaces: [Neighbourhoods<'p>; 2],
    /// No two vertices of one model are farther apart, in the working frame.
    pub reach: f64,
    /// World units.
    pub margin: f64,
    pub kept: &'k mut Kept<'r, Minimum>,
    /// Whether any triangle pair is within the margin.
    pub has_met: bool,
    /// What looking at neighbourhoods has cost since the walk last asked, in shares of a unit of work, and how much it may cost.
    pub spent: Cell<u64>,
    pub allowed: u64,
    /// Pairs to be judged, where no budget has to be kept: then pairs need not be judged one by one.
    pub waiting: Option<&'k mut WaitingPairs>,
}

/// Shares of a unit of work: measuring a triangle pair takes all of them, looking at the vertices of a neighbour one.
const SHARES: u64 = 16;

/// Units of work that the last pairs within a budget may take beyond it to be decided.
const TO_DECIDE: u64 = 4;

/// The triangle (id) and its feature that own a mesh feature, for each model.
type Owners = [(u32, u32); 2];

/// A triangle of each model, a feature of each, and where these are nearest.
struct Candidate {
    slots: [u32; 2],
    features: [u32; 2],
    closest: Closest,
}

impl Candidate {
    fn new(slots: [u32; 2], closest: Closest) -> Self {
        Self { slots, features: [closest.feature & 0xff, closest.feature >> 8 & 0xff], closest }
    }
}

fn is_long(along: DVec3, distance: f64) -> bool {
    along.abs().max_element() > LONGEST * distance
}

/// Whether two pairs that are nearest at the same features are judged alike: `judge` looks at nothing else.
fn is_alike(p: &Closest, q: &Closest) -> bool {
    p.distance == q.distance && p.normal == q.normal && p.point_a == q.point_a && p.point_b == q.point_b
}

/// What a look at the neighbourhood says.
enum Judged {
    Minimum,
    NoMinimum,
    Unsure,
}

impl Minima<'_, '_, '_> {
    fn triangle(&self, side: usize, slot: u32) -> Triangle {
        if side == 0 { self.models.triangle_a(slot) } else { self.models.triangle_b(slot) }
    }

    /// A placed vertex of a triangle.
    fn vertex(&self, side: usize, slot: u32, vertex: u32) -> DVec3 {
        let (model, placement) = (if side == 0 { self.models.a } else { self.models.b }, &self.models.placement);
        let vertex = model.vertex_in_slot(slot as usize, vertex as usize);
        if side == 0 { placement.place_a(vertex) } else { placement.place_b(vertex) }
    }

    fn candidate(&self, slots: [u32; 2]) -> Candidate {
        Candidate::new(slots, primitive::closest(&self.triangle(0, slots[0]), &self.triangle(1, slots[1])))
    }

    fn candidate_by(&self, pair: &WaitingPair) -> Candidate {
        let (a, b) = (self.triangle(0, pair.slots[0]), self.triangle(1, pair.slots[1]));
        Candidate::new(pair.slots, primitive::closest_by(&a, &b, pair.candidate))
    }

    /// Judges all pairs that wait.
    pub fn settle(&mut self) {
        let Some(waiting) = self.waiting.take() else { return };
        let mut seen = ArrayVec::<Name, MOST_WAITING>::new();
        for (_, number) in self.in_order(waiting) {
            let number = number as usize;
            // What the candidate does not tell is known when the pair is measured.
            let known = waiting.features(number).map(|features| waiting.name(number, features));
            if known.is_some_and(|name| seen.contains(&name)) {
                continue;
            }
            let candidate = self.candidate_by(&waiting.pairs()[number]);
            let name = waiting.name(number, candidate.features);
            if known.is_none()
                && (seen.contains(&name) || dispatch(level(), IsRuledOut(waiting, number, candidate.features)))
            {
                continue;
            }
            // One that is no minimum says nothing of the others, which may differ from it by rounding.
            if self.is_minimum(&candidate) {
                seen.push(name);
                let owners = self.owners(&candidate);
                if self.is_first(&candidate, owners) {
                    self.tell(&candidate, owners);
                }
            }
        }
        waiting.clear();
        self.waiting = Some(waiting);
    }

    /// The pairs that wait and are not ruled out: their ids in one number, and which pairs they are, by ids.
    fn in_order(&self, waiting: &WaitingPairs) -> ArrayVec<(u64, u8), MOST_WAITING> {
        let mut left = dispatch(level(), Left(waiting));
        let mut order = ArrayVec::<(u64, u8), MOST_WAITING>::new();
        while left != 0 {
            let number = left.trailing_zeros() as u8;
            left &= left - 1;
            let [a, b] = self.ids(waiting.pairs()[number as usize].slots);
            let next = ((a as u64) << 32 | b as u64, number);
            // They are few.
            let place = order.iter().rposition(|earlier| *earlier < next).map_or(0, |earlier| earlier + 1);
            order.insert(place, next);
        }
        order
    }

    /// False when the budget ran out before the candidate was decided.
    fn consider(&mut self, candidate: &Candidate) -> bool {
        if self.is_minimum(candidate) {
            let owners = self.owners(candidate);
            if self.is_first(candidate, owners) && self.pay(0) {
                self.tell(candidate, owners);
            }
        }
        self.pay(0)
    }

    /// Whether the budget allows what costs these shares. A vertex may have any number of triangles, so that one pair may cost any
    /// amount of work.
    fn pay(&self, shares: u64) -> bool {
        self.spent.set(self.spent.get() + shares);
        self.spent.get() <= self.allowed
    }

    /// Looks at the vertices around both features, as far as the triangles of the pair do not answer for them.
    fn judge(&self, candidate: &Candidate) -> Judged {
        let Closest { distance, normal, point_a, point_b, .. } = candidate.closest;
        let allowed = 0.5 * ERROR * distance;
        let size = point_a.length() + point_b.length();
        let may_be_long = self.may_be_long(distance);
        if may_be_long && self.is_long(candidate) {
            return Judged::Unsure;
        }
        let mut judged = Judged::Minimum;
        for (side, (point, away)) in [(point_a, normal), (point_b, -normal)].into_iter().enumerate() {
            let feature = candidate.features[side];
            if feature == FACE {
                continue;
            }
            self.surfaces[side].around(candidate.slots[side], feature, |slot, there| {
                if !self.pay(1) {
                    return false;
                }
                // An edge's own ends are across the normal.
                let (first, count) = if there < 3 { (there + 1, 2) } else { (there + 2, 1) };
                let end = |vertex: u32| self.vertex(side, slot, vertex % 3) - point;
                let one = end(first);
                let ends = [one, if count == 2 { end(first + 1) } else { one }];
                if may_be_long && ends.iter().any(|along| is_long(*along, distance)) {
                    judged = Judged::Unsure;
                    return true;
                }
                for along in &ends[..count as usize] {
                    let along = *along;
                    let (rise, length) = (away.dot(along), along.length());
                    if length < SHORTEST && along != DVec3::ZERO {
                        judged = Judged::Unsure;
                        continue;
                    }
                    let noise = NOISE * (size + length);
                    if rise + noise <= allowed {
                        continue;
                    }
                    // The direction is off by the rounding of the points over their distance.
                    let tilt = NOISE * (size + length) / distance;
                    if rise > (CERTAIN + tilt) * length + noise && rise > 8.0 * ERROR * distance + noise {
                        judged = Judged::NoMinimum;
                        return false;
                    }
                    judged = Judged::Unsure;
                }
                true
            });
            if matches!(judged, Judged::NoMinimum) {
                return judged;
            }
        }
        judged
    }

    /// Whether any edge is so long that the kernel's error is not bounded at this distance.
    fn may_be_long(&self, distance: f64) -> bool {
        LONGEST * distance < self.reach
    }

    /// Whether the triangles of a pair reach so far that the kernel's error is not bounded.
    #[cold]
    fn is_long(&self, candidate: &Candidate) -> bool {
        [candidate.closest.point_a, candidate.closest.point_b].into_iter().enumerate().any(|(side, point)| {
            let triangle = self.triangle(side, candidate.slots[side]);
            triangle.iter().any(|vertex| is_long(*vertex - point, candidate.closest.distance))
        })
    }

    /// Calls `visit` with every triangle pair around both features until it returns false.
    fn around(&self, candidate: &Candidate, mut visit: impl FnMut([u32; 2]) -> bool) -> bool {
        let [a, b] = &self.surfaces;
        a.around(candidate.slots[0], candidate.features[0], |slot_a, _| {
            b.around(candidate.slots[1], candidate.features[1], |slot_b, _| visit([slot_a, slot_b]))
        })
    }

    fn is_minimum(&self, candidate: &Candidate) -> bool {
        let distance = candidate.closest.distance;
        if distance == 0.0 {
            return true;
        }
        match self.judge(candidate) {
            Judged::Minimum => true,
            Judged::NoMinimum => false,
            Judged::Unsure => self.around(candidate, |[slot_a, slot_b]| {
                let other = || primitive::closest(&self.triangle(0, slot_a), &self.triangle(1, slot_b)).distance;
                self.pay(SHARES) && other() >= distance * (1.0 - ERROR)
            }),
        }
    }

    fn ids(&self, slots: [u32; 2]) -> [u32; 2] {
        [self.surfaces[0].id(slots[0]), self.surfaces[1].id(slots[1])]
    }

    fn owners(&self, candidate: &Candidate) -> Owners {
        let owner = |side: usize| self.surfaces[side].owner(candidate.slots[side], candidate.features[side]);
        [owner(0), owner(1)]
    }

    /// Whether no triangle pair with smaller ids is a minimum at the same features: each minimum is told of once.
    fn is_first(&self, candidate: &Candidate, owners: Owners) -> bool {
        let own = self.ids(candidate.slots);
        // The owners of the features come first and are nearest there, too, unless several features are equally near.
        let first = [owners[0].0, owners[1].0];
        if own == first {
            return true;
        }
        let slots = [self.models.a.slot(first[0]) as u32, self.models.b.slot(first[1]) as u32];
        // All pairs at these features have one neighbourhood. It is measured once, if at all.
        let least = OnceCell::new();
        let least = || *least.get_or_init(|| self.least_around(candidate));
        if self.tells(slots, owners, candidate, least) {
            return false;
        }
        self.around(candidate, |slots| {
            let is_later = self.ids(slots) >= own;
            self.pay(if is_later { 1 } else { SHARES }) && (is_later || !self.tells(slots, owners, candidate, least))
        })
    }

    /// The smallest distance around both features, as far as the budget allows to look.
    fn least_around(&self, candidate: &Candidate) -> f64 {
        let mut least = f64::INFINITY;
        self.around(candidate, |[slot_a, slot_b]| {
            least = least.min(primitive::closest(&self.triangle(0, slot_a), &self.triangle(1, slot_b)).distance);
            self.pay(SHARES)
        });
        least
    }

    /// Whether a pair is within the margin and a minimum at these features, at which `minimum` is one.
    ///
    /// Pairs at the same features are equally near where the kernel's error is small. Where it is not (distances below 2^-53
    /// of the longest edge) one of them may be a minimum and the other not.
    fn tells(&self, slots: [u32; 2], owners: Owners, minimum: &Candidate, least: impl Fn() -> f64) -> bool {
        let other = self.candidate(slots);
        let distance = other.closest.distance;
        let is_minimum = || match self.judge(&other) {
            Judged::Minimum => true,
            Judged::NoMinimum => false,
            Judged::Unsure => least() >= distance * (1.0 - ERROR),
        };
        self.models.placement.distance_to_world(distance) <= self.margin
            && self.owners(&other) == owners
            && (distance == 0.0 || is_alike(&other.closest, &minimum.closest) || is_minimum())
    }

    fn tell(&mut self, candidate: &Candidate, owners: Owners) {
        let [(id_a, feature_a), (id_b, feature_b)] = owners;
        let closest = Closest { feature: feature_a | feature_b << 8, ..candidate.closest };
        let key = |(id, feature): (u32, u32)| (8 * id + feature) as u64;
        let slots = [self.models.a.slot(id_a) as u32, self.models.b.slot(id_b) as u32];
        let triangles = [self.triangle(0, slots[0]), self.triangle(1, slots[1])];
        self.kept.offer(Minimum {
            contact: Contact::new(&self.models, (id_a, id_b), closest),
            id: key(owners[0]) << 32 | key(owners[1]),
            barycentric_a: barycentric(&triangles[0], feature_a, closest.point_a),
            barycentric_b: barycentric(&triangles[1], feature_b, closest.point_b),
            merged: 1,
        });
    }
}

/// `WaitingPairs::left`.
struct Left<'w>(&'w WaitingPairs);

impl Operation for Left<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u64 {
        self.0.left(simd, RULED_OUT)
    }
}

/// `WaitingPairs::is_ruled_out`.
struct IsRuledOut<'w>(&'w WaitingPairs, usize, [u32; 2]);

impl Operation for IsRuledOut<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        self.0.is_ruled_out(simd, self.1, self.2, RULED_OUT)
    }
}

impl PairVisitor for Minima<'_, '_, '_> {
    fn takes_any_order(&self) -> bool {
        true
    }

    fn takes(&self, distance: f64) -> bool {
        self.models.placement.distance_to_world(distance) <= self.margin
    }

    fn start_over(&mut self) {
        self.has_met = false;
        self.kept.clear();
        if let Some(waiting) = &mut self.waiting {
            waiting.clear();
        }
    }

    fn allow(&mut self, left: u64) {
        self.allowed = left.saturating_add(TO_DECIDE).saturating_mul(SHARES);
    }

    fn take_work(&mut self) -> u64 {
        self.spent.take().div_ceil(SHARES)
    }

    fn near(&mut self, (slot_a, slot_b): (u32, u32), _distance: f64) -> bool {
        self.has_met = true;
        let candidate = self.candidate([slot_a, slot_b]);
        self.consider(&candidate)
    }

    fn near_by(&mut self, (slot_a, slot_b): (u32, u32), distance: f64, candidate: f64) -> bool {
        if !self.takes(distance) {
            return true;
        }
        self.has_met = true;
        let pair = WaitingPair { slots: [slot_a, slot_b], distance, candidate };
        let waits = distance > 0.0 && !self.may_be_long(distance);
        match &mut self.waiting {
            Some(waiting) if waits => {
                let [a, b] = &self.surfaces;
                waiting.push(pair, [a.triangles.get(slot_a as usize), b.triangles.get(slot_b as usize)]);
                if waiting.is_full() {
                    self.settle();
                }
                true
            }
            _ => self.consider(&self.candidate_by(&pair)),
        }
    }
}

/// Merges minima that are near to an earlier one on both models; returns how many are left.
pub fn merge(room: &mut dyn Room<Item = Minimum>, count: usize, distance: f64) -> usize {
    if !(distance > 0.0) {
        return count;
    }
    let mut left = 0;
    for index in 0..count {
        let minimum = room.item(index);
        let is_near = |p: DVec3, q: DVec3| careful_length(p - q) <= distance;
        let into = (0..left).find(|&earlier| {
            let kept = room.item(earlier).contact;
            is_near(kept.point_a, minimum.contact.point_a) && is_near(kept.point_b, minimum.contact.point_b)
        });
        match into {
            Some(earlier) => {
                let kept = room.item(earlier);
                room.set_item(earlier, Minimum { merged: kept.merged + 1, ..kept });
            }
            None => {
                room.set_item(left, minimum);
                left += 1;
            }
        }
    }
    left
}

/// Refuses models that minima cannot be told of.
pub fn check_topology([a, b]: [&Model; 2]) -> Result<(), Error> {
    let surface = |model: &Model, name: &str| {
        if model.triangle_count() > MOST_TRIANGLES {
            return Err(Error::new(
                Status::Unsupported,
                format_args!("model {name} of pair has more than 2^29 triangles, which ids of minima cannot name"),
            ));
        }
        if model.neighbourhoods().is_none() {
            return Err(Error::new(
                Status::Unsupported,
                format_args!("model {name} of pair has no topology: build it with topology"),
            ));
        }
        Ok(())
    };
    surface(a, "a")?;
    surface(b, "b")
}

impl QueryContext<'_> {
    /// The local minima of the distance within the margin: the nearest that there is room for. `check_topology` comes first.
    pub fn local_minima(mut self, params: &MinimaParams, room: &mut dyn Room<Item = Minimum>) -> ContactsAnswer {
        let PosedModels { a, b, placement, .. } = self.models;
        let (Some(surface_a), Some(surface_b)) = (a.neighbourhoods(), b.neighbourhoods()) else {
            unreachable!("just checked")
        };
        let threshold = (params.margin > 0.0).then(|| placement.distance_from_world(params.margin));
        let mut kept = Kept::new(room, is_nearer);
        let mut complete = true;
        let within = threshold.unwrap_or(0.0);
        let mode = (!self.is_apart(within)).then(|| self.mode(Question::Contacts, params.cold, params.max_work));
        if let Some(mut mode) = mode
            && !self.is_clear(Question::Contacts, mode, within)
        {
            let (looks_beyond, asks_front) = self.coherence(Question::Contacts, &mut mode, params.max_work);
            // Taken out of the workspace, which the search uses at the same time.
            let mut waiting = core::mem::take(&mut self.workspace.waiting);
            let mut minima = Minima {
                models: self.models,
                surfaces: [surface_a, surface_b],
                // Twice the larger radius would do.
                reach: 4.0 * self.models.radii(),
                margin: params.margin,
                kept: &mut kept,
                has_met: false,
                spent: Cell::new(0),
                allowed: u64::MAX,
                waiting: waiting.first_mut().filter(|_| params.max_work == 0),
            };
            let mut visitor = VisitAll(&mut minima);
            let answer = self.search(|query| WithinSearch {
                visitor: &mut visitor,
                threshold,
                looks_beyond,
                asks_front,
                max_work: params.max_work,
                remembered: None,
                resume_key: None,
                workspace: &mut *query.workspace,
                memory: &mut *query.memory,
                counters: &mut *query.counters,
            });
            minima.settle();
            complete = answer.end == End::Exhausted;
            let has_met = minima.has_met;
            self.workspace.waiting = waiting;
            self.note_walk(Question::Contacts, mode, params.max_work, has_met, answer.clearance);
        }
        kept.sort();
        let (found, written) = (kept.found, kept.written);
        let written = merge(kept.room(), written, params.merge_distance);
        ContactsAnswer { complete, found, written: written as u64 }
    }
}
