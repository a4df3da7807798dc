//! A pair: two models, their poses, and everything that a query writes to.
//!
//! `params` holds what a caller may choose about it.

mod params;

pub use params::PairParams;

use crate::error::{Error, Status};
use crate::math::placement::Placement;
use crate::math::transform::{LARGEST_COORDINATE, Transform};
use crate::model::Model;
use crate::query::contact_sink::ContactSink;
use crate::query::engine::Engine;
use crate::query::placed::Placed;
use crate::query::plain_walk::PlainWalk;
use crate::query::scratch::Scratch;
use crate::query::{
    CollideAnswer, CollideParams, ContactsAnswer, ContactsParams, Counters, DistanceAnswer, DistanceParams,
    ToleranceAnswer, ToleranceParams,
};
use crate::simd::level;
use core::ops::Deref;
use fearless_simd::Level;

/// Two models that are asked about each other; `M` is any handle to a model: `&Model`, `Arc<Model>`, ...
#[derive(Debug)]
pub struct Pair<M> {
    a: M,
    b: M,
    transform_a: Transform,
    transform_b: Transform,
    /// The poses as the caller gave them, before their rotations were corrected.
    given_a: Transform,
    given_b: Transform,
    placement: Placement,
    /// Chosen at creation, so that no query meets the once-lock or the environment.
    level: Level,
    counters: Counters,
    scratch: Scratch,
    /// Counts the changes of the poses.
    generation: u64,
}

impl<M: Deref<Target = Model>> Pair<M> {
    /// A pair of built models, both at the identity, with memory chosen from the models.
    pub fn new(a: M, b: M) -> Result<Self, Error> {
        Self::with_params(a, b, &PairParams::default())
    }

    /// Allocates all that the queries of this pair are ever going to need, and touches it.
    pub fn with_params(a: M, b: M, params: &PairParams) -> Result<Self, Error> {
        let depths = (depth_of(&a, "a")?, depth_of(&b, "b")?);
        if !a.volume().pairs_with(b.volume()) {
            return Err(Error::new(
                Status::Incompatible,
                format_args!(
                    "a is built of {}, b of {}, which do not pair: build both of one volume, or of one family \
                     (AABB, OBB, OBB_SPHERE or SPHERE, LSS, RSS, HYBRID)",
                    a.volume().name(),
                    b.volume().name()
                ),
            ));
        }
        let (transform_a, transform_b) = (Transform::IDENTITY, Transform::IDENTITY);
        let placement = Placement::new(&transform_a, a.exponent(), &transform_b, b.exponent());
        let scratch = Scratch::new(depths, params.max_queue)?;
        Ok(Self {
            a,
            b,
            transform_a,
            transform_b,
            given_a: transform_a,
            given_b: transform_b,
            placement,
            level: level::level(),
            counters: Counters::default(),
            scratch,
            generation: 0,
        })
    }

    /// Moves the models; `None` keeps a pose. The poses are checked before anything changes.
    #[inline]
    pub fn set_transforms(&mut self, a: Option<&Transform>, b: Option<&Transform>) -> Result<(), Error> {
        // A pose that is given again needs no second check; most callers move one model only.
        let a = a.filter(|pose| !pose.is_same(&self.given_a));
        let b = b.filter(|pose| !pose.is_same(&self.given_b));
        if a.is_none() && b.is_none() {
            // A still scene that is set again and again: what an unfinished query knows stays valid.
            return Ok(());
        }
        let transform_a = match a {
            Some(pose) => pose_for(&self.a, pose, "a")?,
            None => self.transform_a,
        };
        let transform_b = match b {
            Some(pose) => pose_for(&self.b, pose, "b")?,
            None => self.transform_b,
        };
        if let Some(given) = a {
            (self.given_a, self.transform_a) = (*given, transform_a);
        }
        if let Some(given) = b {
            (self.given_b, self.transform_b) = (*given, transform_b);
        }
        self.placement = Placement::new(&transform_a, self.a.exponent(), &transform_b, self.b.exponent());
        self.generation += 1;
        Ok(())
    }

    /// Do the models touch, and where: the first contact.
    pub fn collide(&mut self, params: &CollideParams) -> CollideAnswer {
        self.engine().collide(params)
    }

    /// All triangle pairs within the margin, ordered by the triangle of A, then by that of B.
    pub fn contacts(&mut self, params: &ContactsParams, sink: &mut impl ContactSink) -> ContactsAnswer {
        self.engine().contacts(params, sink)
    }

    /// How far the models are apart, and where.
    pub fn distance(&mut self, params: &DistanceParams) -> DistanceAnswer {
        self.engine().distance(params)
    }

    /// Are the models closer than a tolerance?
    pub fn tolerance(&mut self, params: &ToleranceParams) -> ToleranceAnswer {
        self.engine().tolerance(params)
    }

    fn engine(&mut self) -> Engine<'_> {
        Engine {
            level: self.level,
            placed: Placed::new(&self.a, &self.b, &self.placement),
            scratch: &mut self.scratch,
            counters: &mut self.counters,
            generation: self.generation,
        }
    }

    /// The same questions answered by looking at every triangle pair: the definition that the others are tested against.
    pub fn plain_walk(&self) -> PlainWalk<'_> {
        PlainWalk { a: &self.a, b: &self.b, placement: &self.placement }
    }

    /// What the last query did.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Forgets what earlier queries left behind; the poses stay.
    pub fn reset(&mut self) {
        self.counters = Counters::default();
        self.scratch.forget();
    }

    /// Bytes that this pair occupies, itself included and its models excluded.
    pub fn memory(&self) -> usize {
        size_of::<Self>() + self.scratch.memory()
    }

    pub fn models(&self) -> (&Model, &Model) {
        (&self.a, &self.b)
    }

    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The instruction set that the queries of this pair run on.
    pub fn level(&self) -> Level {
        self.level
    }
}

fn depth_of(model: &Model, name: &str) -> Result<u32, Error> {
    let refused = || Error::new(Status::NotBuilt, format_args!("{name} has not been built"));
    Ok(model.built().ok_or_else(refused)?.hierarchy.depth())
}

/// A pose that this model can take: in range when scaled, and of a scale that its volume is sound for.
#[inline(always)]
fn pose_for(model: &Model, pose: &Transform, name: &str) -> Result<Transform, Error> {
    match pose.corrected() {
        Some(corrected) if pose.is_uniform() & stays_in_range(model, pose) => Ok(corrected),
        // A copy, so that the pose itself need not be in memory.
        _ => Err(refusal(model, *pose, name)),
    }
}

/// Written so that an overflow to infinity is refused as well.
#[inline(always)]
fn stays_in_range(model: &Model, pose: &Transform) -> bool {
    let [low, high] = model.bounds();
    (low.abs().max(high.abs()) * pose.scale).max_element() <= LARGEST_COORDINATE
}

/// Why this model cannot take the pose.
#[cold]
fn refusal(model: &Model, pose: Transform, name: &str) -> Error {
    if pose.corrected().is_none() {
        return pose.refusal(name);
    }
    if !pose.is_uniform() {
        return Error::new(
            Status::Unsupported,
            format_args!("{name}.scale is not uniform, which volume {} does not support", model.volume().name()),
        );
    }
    Error::new(Status::InvalidArgument, format_args!("{name}.scale moves the model beyond 1e300"))
}
