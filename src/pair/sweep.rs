//! When two moving models meet: conservative advancement on certified distances.
//!
//! With d a lower bound of the distance at one time, and m a bound of how far any two points of the models move towards each
//! other per unit of time, the distance is above d - m s a time s later:
//! 1. A point of a model is at most its radius R from the centre of its bounds. The centre moves straight with the velocity v,
//!    and the rotation moves the point by at most w R per unit of time, w being the angle turned by in all.
//! 2. So two points approach each other by at most m = |v_b - v_a| + w_a R_a + w_b R_b.
//! 3. The poses that are asked about are rounded, by less than e = 64 roundings of the largest coordinates involved. What is
//!    true of the rounded pose is true of the path but for 2 e, and the kernel's distance is off by a part in 1e12.
//!
//! Often a plane separates the whole models: with g the gap of their bounding boxes along the normal n of the nearest points, the
//! distance stays above g - c s, where c = n.(v_a - v_b) + w_a R_a + w_b R_b is how fast that gap closes. Models that slide along
//! each other then need no small steps. The larger of both bounds counts.
//!
//! Each step goes as far as keeps the distance above half of the tolerance. So nothing is passed, however thin, and the step
//! that ends within the tolerance of the other model ends the sweep.

use super::Pair;
use crate::error::{Error, Status};
use crate::math::length::careful_length;
use crate::math::power_of_two::shift;
use crate::math::transform::{LARGEST_COORDINATE, Transform};
use crate::math::turning::PosePath;
use crate::model::Model;
use crate::query::{Contact, Counters, DistanceParams};
use core::ops::Deref;
use glam::DVec3;

#[derive(Clone, Copy, Debug)]
pub struct SweepParams {
    pub cold: bool,
    pub max_work: u64,
    /// World units; above 0.
    pub tolerance: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepAnswer {
    pub complete: bool,
    /// The models are farther apart than half of the tolerance at all times up to this.
    pub time_free: f64,
    /// The first time that was looked at with a distance within the tolerance; 1 when there is none.
    pub time_hit: f64,
    /// The nearest points at that time.
    pub hit: Option<Contact>,
}

impl Model {
    /// The way between two poses that sweeps take: the centre of the bounds moves straight.
    pub fn path(&self, from: &Transform, to: &Transform, names: [&str; 2]) -> Result<PosePath, Error> {
        let (from, to) = (from.checked(names[0])?, to.checked(names[1])?);
        if from.scale != to.scale {
            return Err(Error::new(
                Status::InvalidArgument,
                format_args!("{}.scale is not that of {}", names[1], names[0]),
            ));
        }
        Ok(PosePath::new(&from, &to, self.centre_of_bounds()))
    }

    /// The pose that a sweep from one pose to another looks at at a time from 0 to 1.
    pub fn pose_between(&self, from: &Transform, to: &Transform, time: f64) -> Result<Transform, Error> {
        if !(0.0..=1.0).contains(&time) {
            return Err(Error::new(Status::InvalidArgument, format_args!("time is not within 0 to 1")));
        }
        Ok(self.path(from, to, ["from", "to"])?.at(time))
    }
}

/// More than the roundings of numbers so small that their last place does not shrink with them.
const FINEST: f64 = 1024.0 * f64::from_bits(1);

/// How far a model is from its centre of bounds at most, in the world.
fn radius(model: &Model, pose: &Transform) -> f64 {
    let radius = model.built().map_or(0.0, |built| built.radius);
    shift(radius, model.exponent()) * pose.scale.abs().max_element() * (1.0 + 1e-9)
}

impl<M: Deref<Target = Model>> Pair<M> {
    /// Moves the models from their poses to others, `None` for one that stays, and says when they meet. The poses of the pair
    /// stay as they are.
    pub fn sweep(
        &mut self,
        a_end: Option<&Transform>,
        b_end: Option<&Transform>,
        params: &SweepParams,
    ) -> Result<SweepAnswer, Error> {
        let [from_a, from_b] = self.given().map(|pose| pose.transform());
        let way_a = self.way(&self.a, &from_a, a_end, ["the pose of a", "a_end"])?;
        let way_b = self.way(&self.b, &from_b, b_end, ["the pose of b", "b_end"])?;
        let answer = Sweep::new(self, [way_a, way_b], [from_a, from_b], params).run();
        let counters = *self.counters();
        self.set_transforms(Some(&from_a), Some(&from_b))?;
        self.counters = counters;
        answer
    }

    fn way(
        &self,
        model: &Model,
        from: &Transform,
        to: Option<&Transform>,
        names: [&str; 2],
    ) -> Result<PosePath, Error> {
        let to = to.unwrap_or(from);
        let path = model.path(from, to, names)?;
        let farthest = path.end.abs().max_element() + radius(model, to);
        if !(farthest <= LARGEST_COORDINATE) {
            return Err(Error::new(Status::InvalidArgument, format_args!("{} is beyond 1e300", names[1])));
        }
        Ok(path)
    }
}

/// A sweep under way.
struct Sweep<'p, M> {
    pair: &'p mut Pair<M>,
    ways: [PosePath; 2],
    from: [Transform; 2],
    params: SweepParams,
    /// How fast two points approach each other at most: world units per unit of time.
    speed: f64,
    /// The share of that which is due to rotation.
    turning: f64,
    /// What the rounding of poses and placements may hide.
    rounding: f64,
    spent: Counters,
}

impl<'p, M: Deref<Target = Model>> Sweep<'p, M> {
    fn new(pair: &'p mut Pair<M>, ways: [PosePath; 2], from: [Transform; 2], params: &SweepParams) -> Self {
        let radii = [radius(&pair.a, &from[0]), radius(&pair.b, &from[1])];
        let straight = careful_length((ways[1].end - ways[1].start) - (ways[0].end - ways[0].start));
        let turning = (ways[0].angle() * radii[0] + ways[1].angle() * radii[1]) * (1.0 + 1e-9);
        let speed = straight + turning;
        let largest = |way: &PosePath, radius: f64, from: &Transform| {
            careful_length(way.start).max(careful_length(way.end))
                + careful_length(from.translation)
                + careful_length(way.at(1.0).translation)
                + radius
        };
        let largest = largest(&ways[0], radii[0], &from[0]) + largest(&ways[1], radii[1], &from[1]);
        let rounding = 64.0 * f64::EPSILON * largest + FINEST;
        let speed = speed * (1.0 + 1e-9) + FINEST;
        Self { pair, ways, from, params: *params, speed, turning, rounding, spent: Counters::default() }
    }

    fn run(mut self) -> Result<SweepAnswer, Error> {
        let tolerance = self.params.tolerance;
        let mut time = 0.0;
        let answer = loop {
            self.move_to(time)?;
            let left = self.speed * (1.0 - time) + tolerance + 4.0 * self.rounding;
            let max_work = match self.params.max_work {
                0 => 0,
                all => all.saturating_sub(self.spent.work).max(1),
            };
            let distance = self.pair.distance(&DistanceParams {
                cold: self.params.cold,
                max_work,
                max_distance: left * (1.0 + 1e-9),
                ..DistanceParams::default()
            });
            self.spent.add(self.pair.counters());
            let mut free_until = self.free_until(time, distance.lower, self.speed);
            if let Some(nearest) = &distance.nearest {
                let (gap, closing) = self.along(time, nearest.normal);
                free_until = free_until.max(self.free_until(time, gap, closing));
            }
            if distance.complete && distance.nearest.is_none() {
                break SweepAnswer { complete: true, time_free: 1.0, time_hit: 1.0, hit: None };
            }
            if distance.upper <= tolerance {
                break SweepAnswer { complete: true, time_free: time, time_hit: time, hit: distance.nearest };
            }
            if free_until >= 1.0 {
                break SweepAnswer { complete: true, time_free: 1.0, time_hit: 1.0, hit: None };
            }
            let is_spent = !distance.complete || max_work != 0 && self.spent.work >= self.params.max_work;
            if is_spent || !(free_until > time) {
                // The budget is used up, or rounding hides whether the models come nearer.
                break SweepAnswer { complete: false, time_free: free_until.max(time), time_hit: 1.0, hit: None };
            }
            time = free_until;
        };
        self.pair.counters = self.spent;
        Ok(answer)
    }

    fn move_to(&mut self, time: f64) -> Result<(), Error> {
        let (a, b) =
            if time == 0.0 { (self.from[0], self.from[1]) } else { (self.ways[0].at(time), self.ways[1].at(time)) };
        self.pair.set_transforms(Some(&a), Some(&b))
    }

    /// How far the bounding boxes of both models are apart along a direction from A to B, and how fast that gap closes.
    fn along(&self, time: f64, direction: DVec3) -> (f64, f64) {
        let models = [&*self.pair.a, &*self.pair.b];
        let ([mut gap, mut closing], towards) = ([0.0, self.turning], [-1.0, 1.0]);
        for side in 0..2 {
            let (way, model) = (&self.ways[side], models[side]);
            let pose = way.at(time);
            let [low, high] = model.bounds();
            let half = pose.scale.abs() * (high * 0.5 - low * 0.5);
            let reach = (pose.rotation.transpose() * direction).abs().dot(half);
            gap += towards[side] * direction.dot(way.start * (1.0 - time) + way.end * time) - reach;
            closing -= towards[side] * direction.dot(way.end - way.start);
        }
        (gap, closing * (1.0 + 1e-9) + self.speed * 1e-12)
    }

    /// Up to when the distance stays above half of the tolerance if it is `lower` at `time` and shrinks no faster than `speed`;
    /// not beyond 1.
    fn free_until(&self, time: f64, lower: f64, speed: f64) -> f64 {
        let room = lower * (1.0 - 4e-12) - 4.0 * self.rounding - 0.5 * self.params.tolerance;
        if !(room > 0.0) {
            return time;
        }
        if !(speed > 0.0) {
            return 1.0;
        }
        (time + room / speed * (1.0 - 1e-9)).min(1.0)
    }
}
