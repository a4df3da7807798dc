//! Answers held against the definition: what every query owes, whatever its options and its past.

use super::{Array, FixedRoom, Walk, minima};
use crate::Mesh;
use feeler::internals::query::Counters;
use feeler::internals::reference::one_model;
use feeler::{
    CastParams, ClosestParams, CollideParams, Contact, ContactsParams, DistanceParams, Hit, MinimaParams, Minimum,
    Model, NO_TRIANGLE, Pair, Side, Status, SweepParams, ToleranceParams, Transform,
};
use glam::DVec3;

/// What is wrong with an answer.
pub type Verdict = Result<(), String>;

/// Fails with the given words unless the condition holds.
macro_rules! owes {
    ($condition:expr, $($words:tt)*) => {
        if !$condition {
            return Err(format!("{}: {}", stringify!($condition), format!($($words)*)));
        }
    };
}

/// More than this a query does not spend beyond its budget: one expansion and the triangle pairs of its lanes.
const OVERSHOT: u64 = 9;

/// A pair in one pose, every triangle pair measured.
pub struct Judge {
    walk: Walk,
}

impl Judge {
    pub fn new(pair: &Pair<&Model>) -> Self {
        Self { walk: Walk::new(pair) }
    }

    pub fn value(&self) -> f64 {
        self.walk.distance()
    }

    /// A triangle pair that a query names is as far apart as it says.
    fn contact(&self, contact: &Contact, distance: f64) -> Verdict {
        let true_distance = self.walk.of(contact.triangle_a, contact.triangle_b);
        owes!(true_distance.to_bits() == distance.to_bits(), "{true_distance:e} {contact:?}");
        owes!(contact.distance.to_bits() == distance.to_bits(), "{distance:e} {contact:?}");
        owes!((contact.normal.length() - 1.0).abs() < 1e-9, "{contact:?}");
        owes!(contact.point_a.is_finite() && contact.point_b.is_finite(), "{contact:?}");
        owes!(distance > 0.0 || contact.point_a == contact.point_b, "{contact:?}");
        Ok(())
    }

    fn budget(counters: &Counters, max_work: u64, complete: bool) -> Verdict {
        owes!(complete || max_work > 0, "unlimited, but {counters:?}");
        owes!(max_work == 0 || counters.work <= max_work.saturating_add(OVERSHOT), "of {max_work}: {counters:?}");
        Ok(())
    }

    pub fn distance(&self, pair: &mut Pair<&Model>, params: &DistanceParams) -> Verdict {
        let value = self.value();
        let answer = pair.distance(params);
        let told = || format!("{value:e} {answer:?} {params:?}");
        owes!(answer.lower >= 0.0 && answer.lower <= value && value <= answer.upper, "{}", told());
        Self::budget(pair.counters(), params.max_work, answer.complete)?;
        if let Some(nearest) = &answer.nearest {
            self.contact(nearest, answer.upper)?;
        }
        owes!(answer.nearest.is_some() == answer.upper.is_finite(), "{}", told());
        owes!(answer.upper.is_finite() || params.max_distance < f64::INFINITY, "{}", told());
        if !answer.complete {
            return Ok(());
        }
        if value > params.max_distance {
            owes!(answer.lower == params.max_distance && answer.nearest.is_none(), "{}", told());
            return Ok(());
        }
        owes!(answer.proves(params), "{}", told());
        if params.relative_error == 0.0 && params.absolute_error == 0.0 {
            owes!(answer.lower.to_bits() == value.to_bits() && answer.upper.to_bits() == value.to_bits(), "{}", told());
            // Of several nearest pairs a cold query names the one with the smallest numbers.
            owes!(!params.cold || value == 0.0 || answer.nearest == Some(self.walk.nearest), "{}", told());
        }
        Ok(())
    }

    pub fn collide(&self, pair: &mut Pair<&Model>, params: &CollideParams) -> Verdict {
        let value = self.value();
        let answer = pair.collide(params);
        Self::budget(pair.counters(), params.max_work, answer.complete)?;
        owes!(!answer.complete || answer.contact.is_some() == (value == 0.0), "{value:e} {answer:?} {params:?}");
        owes!(answer.complete || answer.contact.is_none(), "{answer:?} {params:?}");
        if let Some((a, b, point)) = answer.contact {
            owes!(self.walk.of(a, b) == 0.0 && point.is_finite(), "{answer:?} {params:?}");
        }
        Ok(())
    }

    pub fn tolerance(&self, pair: &mut Pair<&Model>, params: &ToleranceParams) -> Verdict {
        let value = self.value();
        let answer = pair.tolerance(params);
        let told = || format!("{value:e} {answer:?} {params:?}");
        Self::budget(pair.counters(), params.max_work, answer.complete)?;
        owes!(!answer.complete || answer.closer == (value <= params.tolerance), "{}", told());
        owes!(answer.complete || !answer.closer, "{}", told());
        owes!(answer.lower >= 0.0 && answer.lower <= value && value <= answer.upper, "{}", told());
        if let Some(nearest) = &answer.nearest {
            self.contact(nearest, answer.upper)?;
        }
        Ok(())
    }

    pub fn contacts(&self, pair: &mut Pair<&Model>, params: &ContactsParams, capacity: usize) -> Verdict {
        let expected = self.walk.within(params.margin);
        let mut array = Array::new(capacity);
        let answer = pair.contacts(params, &mut array);
        let told = || format!("{} expected, {answer:?} {params:?} {capacity}", expected.len());
        let ids = array.ids();
        owes!(answer.written as usize == ids.len() && ids.len() <= capacity, "{}", told());
        owes!(answer.found >= answer.written && answer.found as usize <= expected.len(), "{}", told());
        owes!(ids.is_sorted() && ids.iter().all(|id| expected.binary_search(id).is_ok()), "{} {ids:?}", told());
        let stops = params.stop_when_full && expected.len() > capacity;
        if params.max_work == 0 {
            owes!(answer.complete != stops, "{}", told());
            owes!(!stops || answer.found as usize == capacity, "{}", told());
        } else {
            owes!(pair.counters().work <= params.max_work + OVERSHOT, "{} {:?}", told(), pair.counters());
        }
        if answer.complete {
            owes!(answer.found as usize == expected.len(), "{}", told());
            owes!(ids == expected[..expected.len().min(capacity)], "{} {ids:?}", told());
        }
        let walk = pair.plain_walk();
        for contact in array.contacts.iter().flatten() {
            let (a, b) = (contact.triangle_a, contact.triangle_b);
            if params.ids_only {
                owes!(contact.distance == 0.0 && contact.normal == DVec3::ZERO && contact.feature == 0, "{contact:?}");
            } else {
                self.contact(contact, self.walk.of(a, b))?;
                // Where triangles touch, several points do; one that the definition names is demanded of distances only.
                owes!(
                    contact.distance == 0.0 || *contact == walk.contact(a, b),
                    "{contact:?} {:?}",
                    walk.contact(a, b)
                );
            }
        }
        Ok(())
    }

    /// Minima are judged between two strictnesses of the definition, because the library's own is subject to rounding.
    pub fn minima(
        &self,
        pair: &mut Pair<&Model>,
        meshes: [&Mesh; 2],
        params: &MinimaParams,
        capacity: usize,
    ) -> Verdict {
        let mut room = FixedRoom(Vec::<Minimum>::new(), capacity);
        let answer = pair.local_minima(params, &mut room).map_err(|error| error.to_string())?;
        let mut found = room.0;
        let told = |found: &[Minimum]| format!("{answer:?} {params:?} {capacity} {found:?}");
        owes!(answer.written <= answer.found && answer.written as usize <= capacity, "{}", told(&found));
        owes!(answer.complete || params.max_work > 0, "{}", told(&found));
        found.truncate(answer.written as usize);
        for minimum in &found {
            let contact = &minimum.contact;
            owes!(contact.distance <= params.margin && contact.normal.is_finite(), "{}", told(&found));
            owes!(contact.point_a.is_finite() && contact.point_b.is_finite(), "{}", told(&found));
            for weights in [minimum.barycentric_a, minimum.barycentric_b] {
                let sum: f64 = weights.iter().sum();
                let is_convex = weights.iter().all(|weight| (0.0..=1.0).contains(weight)) && (sum - 1.0).abs() < 1e-9;
                owes!(is_convex, "{weights:?} {}", told(&found));
            }
        }
        let order = |minimum: &Minimum| (minimum.contact.distance, minimum.id);
        owes!(found.is_sorted_by(|p, q| order(p) < order(q)), "{}", told(&found));
        if !answer.complete {
            return Ok(());
        }
        // Distances that are all rounding have no relative error that a definition could refer to.
        let farthest = self.walk.distances.iter().copied().fold(0.0, f64::max);
        if params.margin > 0.0 && params.margin < 1e-12 * farthest {
            return Ok(());
        }
        let least = minima::local_minima(pair, meshes, params.margin, 1e-14);
        let most = minima::local_minima(pair, meshes, params.margin, 1e-11);
        owes!((least.len()..=most.len()).contains(&(answer.found as usize)), "{} {least:?} {most:?}", told(&found));
        owes!(found.iter().all(|minimum| most.contains_key(&minimum.id)), "{} {most:?}", told(&found));
        let has_all = answer.found as usize <= capacity && params.merge_distance == 0.0;
        let is_found = |id: &u64| found.iter().any(|minimum| minimum.id == *id);
        owes!(!has_all || least.keys().all(is_found), "{} {least:?}", told(&found));
        let merged: u64 = found.iter().map(|minimum| minimum.merged as u64).sum();
        owes!(merged == answer.found.min(capacity as u64), "{}", told(&found));
        Ok(())
    }
}

/// The sweep of a pair from its poses to others, against samples of the path.
pub fn sweep(
    pair: &mut Pair<&Model>,
    from: [&Transform; 2],
    to: [&Transform; 2],
    params: &SweepParams,
    samples: u32,
) -> Verdict {
    let refused = |error: feeler::Error| if error.status == Status::Internal { Err(error.to_string()) } else { Ok(()) };
    if let Err(error) = pair.set_transforms(Some(from[0]), Some(from[1])) {
        return refused(error);
    }
    let exact = DistanceParams { cold: true, ..DistanceParams::default() };
    let before = pair.distance(&exact).upper;
    let answer = match pair.sweep(Some(to[0]), Some(to[1]), params) {
        Ok(answer) => answer,
        Err(error) => return refused(error),
    };
    owes!(pair.distance(&exact).upper.to_bits() == before.to_bits(), "the poses stay, {answer:?}");
    let (free, hit) = (answer.time_free, answer.time_hit);
    owes!((0.0..=1.0).contains(&free) && free <= hit && hit <= 1.0, "{answer:?}");
    owes!(answer.hit.is_none() || answer.complete, "{answer:?}");
    owes!(before > params.tolerance || !answer.complete || (free, hit) == (0.0, 0.0), "{before:e} {answer:?}");
    owes!(answer.hit.is_some() || hit == 1.0, "{answer:?}");
    owes!(answer.hit.is_some() || !answer.complete || free == 1.0, "{answer:?}");
    let (a, b) = pair.models();
    let at = |time: f64| -> Result<f64, String> {
        let between = |model: &Model, side: usize| model.pose_between(from[side], to[side], time);
        let poses = [between(a, 0).map_err(|e| e.to_string())?, between(b, 1).map_err(|e| e.to_string())?];
        let mut pair = Pair::new(a, b).map_err(|e| e.to_string())?;
        pair.set_transforms(Some(&poses[0]), Some(&poses[1])).map_err(|e| e.to_string())?;
        Ok(pair.distance(&exact).upper)
    };
    if free > 0.0 {
        for k in 0..=samples {
            let time = free * f64::from(k) / f64::from(samples.max(1));
            let apart = at(time)?;
            owes!(apart > 0.5 * params.tolerance, "{apart:e} at {time} {answer:?} {params:?}");
        }
    }
    if let Some(contact) = &answer.hit {
        let apart = at(hit)?;
        owes!(apart <= params.tolerance && contact.distance >= apart, "{apart:e} {answer:?} {params:?}");
    }
    Ok(())
}

/// The point of a model that is nearest to a point of space.
pub fn closest_point(model: &Model, pose: &Transform, point: DVec3, params: &ClosestParams) -> Verdict {
    let found = model.closest_point(pose, point, params).map_err(|error| error.to_string())?;
    let (distance, id, _) = one_model::closest_point(model, pose, point).map_err(|error| error.to_string())?;
    let told = || format!("{distance:e} by {id}, {found:?} {params:?}");
    owes!(found.complete || params.max_work > 0, "{}", told());
    owes!(found.distance >= distance, "{}", told());
    if found.triangle != NO_TRIANGLE {
        let sum: f64 = found.barycentric.iter().sum();
        let is_convex = found.barycentric.iter().all(|weight| (0.0..=1.0).contains(weight)) && (sum - 1.0).abs() < 1e-9;
        owes!(is_convex && found.point.is_finite() && (found.normal.length() - 1.0).abs() < 1e-9, "{}", told());
    }
    if found.complete {
        let is_within = distance <= params.max_distance;
        let expected = if is_within { (distance, id) } else { (f64::INFINITY, NO_TRIANGLE) };
        owes!((found.distance, found.triangle) == expected, "{}", told());
    }
    owes!(params.side || found.side == Side::Unknown, "{}", told());
    Ok(())
}

/// What a segment or a moving ball meets.
pub fn cast(model: &Model, pose: &Transform, ends: [DVec3; 2], params: &CastParams, capacity: usize) -> Verdict {
    let mut room = FixedRoom(Vec::<Hit>::new(), capacity);
    let answer = model.cast(pose, ends, params, &mut room).map_err(|error| error.to_string())?;
    let expected = one_model::cast(model, pose, ends, params).map_err(|error| error.to_string())?;
    let hits = room.0;
    let told = || format!("{hits:?} of {expected:?}, {answer:?} {params:?} {ends:?}");
    owes!(answer.complete || params.max_work > 0, "{}", told());
    owes!(answer.written as usize == hits.len() && answer.written <= answer.found, "{}", told());
    let is_sound = |hit: &Hit| (0.0..=1.0).contains(&hit.time) && hit.point.is_finite() && hit.normal.is_finite();
    owes!(hits.iter().all(is_sound), "{}", told());
    if !answer.complete {
        owes!(hits.iter().all(|hit| expected.contains(hit)), "{}", told());
        return Ok(());
    }
    owes!(answer.found as usize == if params.all { expected.len() } else { expected.len().min(1) }, "{}", told());
    let kept = capacity.min(answer.found as usize);
    owes!(hits == expected[..kept], "{}", told());
    Ok(())
}

/// The triangles that a ball touches.
pub fn within_ball(model: &Model, pose: &Transform, centre: DVec3, radius: f64, capacity: usize) -> Verdict {
    let mut room = FixedRoom(Vec::<u32>::new(), capacity);
    let count = model.within_ball(pose, centre, radius, &mut room).map_err(|error| error.to_string())?;
    let expected = one_model::within_ball(model, pose, centre, radius).map_err(|error| error.to_string())?;
    owes!(count == expected.len() as u64, "{count} of {expected:?}, {centre} {radius:e}");
    owes!(room.0 == expected[..expected.len().min(capacity)], "{:?} of {expected:?}, {centre} {radius:e}", room.0);
    Ok(())
}
