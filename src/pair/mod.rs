//! A pair: two models, their poses, and everything that a query writes to.
//!
//! `params` holds what a caller may choose about it, `sweep` moves it along a path.

mod params;
mod sweep;

pub use params::PairParams;
pub use sweep::{SweepAnswer, SweepParams};

use crate::error::{Error, Status};
use crate::math::placement::{Placement, Side};
use crate::math::pose::{Pose, Rows};
use crate::math::transform::{LARGEST_COORDINATE, Transform};
use crate::model::{Hierarchy, Model};
use crate::posed::posed_models::Placed;
use crate::query::contact_sink::ContactSink;
use crate::query::engine::Engine;
use crate::query::{
    CollideAnswer, CollideParams, ContactsAnswer, ContactsParams, Counters, DistanceAnswer, DistanceParams, MinimaParams,
    Minimum, Room, ToleranceAnswer, ToleranceParams,
};
use crate::reference::plain_walk::PlainWalk;
use crate::search::workspace::Scratch;
use crate::simd::level::{self, Operation, dispatch};
use core::ops::Deref;
use fearless_simd::{Level, Simd};
use glam::DVec3;

/// Two models that are asked about each other; `M` is any handle to a model: `&Model`, `Arc<Model>`, ...
#[derive(Debug)]
pub struct Pair<M> {
    a: M,
    b: M,
    /// The poses as the caller gave them.
    given_a: Pose,
    given_b: Pose,
    /// Their rotations, corrected: rows, each followed by a 0.
    rows_a: [[f64; 4]; 3],
    rows_b: [[f64; 4]; 3],
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
        let (tree_a, tree_b) = (hierarchy_of(&a, "a")?, hierarchy_of(&b, "b")?);
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
        let placement = Placement::new(&Transform::IDENTITY, a.exponent(), &Transform::IDENTITY, b.exponent());
        let (pose, rows) = (Pose::new(&Transform::IDENTITY), IDENTITY_ROWS);
        let depths = (tree_a.depth(), tree_b.depth());
        let scratch = Scratch::new(depths, params.max_queue, params.front_blocks(tree_a, tree_b))?;
        Ok(Self {
            a,
            b,
            given_a: pose,
            given_b: pose,
            rows_a: rows,
            rows_b: rows,
            placement,
            level: level::level(),
            counters: Counters::default(),
            scratch,
            generation: 0,
        })
    }

    /// Moves the models; `None` keeps a pose. The poses are checked before anything changes.
    pub fn set_transforms(&mut self, a: Option<&Transform>, b: Option<&Transform>) -> Result<(), Error> {
        let (a, b) = (a.map_or(self.given_a, Pose::new), b.map_or(self.given_b, Pose::new));
        dispatch(self.level, Move { pair: self, a, b })
    }

    /// The poses as the caller gave them.
    #[inline(always)]
    pub(crate) fn given(&self) -> [&Pose; 2] {
        [&self.given_a, &self.given_b]
    }

    /// Moves both models. The poses are inlined into whoever reads them: on their way through memory they would cost as much
    /// as all that is done with them.
    #[inline(always)]
    pub(crate) fn place<S: Simd>(&mut self, simd: S, a: Pose, b: Pose) -> Result<(), Error> {
        // A pose that is given again needs no second check; most callers move one model only.
        let (moves_a, moves_b) = (!a.is_same(simd, &self.given_a), !b.is_same(simd, &self.given_b));
        if !(moves_a | moves_b) {
            // A still scene that is set again and again: what an unfinished query knows stays valid.
            return Ok(());
        }
        let rows_a = if moves_a { rows_for(simd, &self.a, &a) } else { Some(Rows::load(simd, &self.rows_a)) };
        let Some(rows_a) = rows_a else { return Err(refusal(&self.a, a, "a")) };
        let rows_b = if moves_b { rows_for(simd, &self.b, &b) } else { Some(Rows::load(simd, &self.rows_b)) };
        let Some(rows_b) = rows_b else { return Err(refusal(&self.b, b, "b")) };
        if moves_a {
            (self.given_a, self.rows_a) = (a, rows_a.to_arrays());
        }
        if moves_b {
            (self.given_b, self.rows_b) = (b, rows_b.to_arrays());
        }
        let a = Side { pose: &self.given_a, rows: rows_a, exponent: self.a.exponent() };
        let b = Side { pose: &self.given_b, rows: rows_b, exponent: self.b.exponent() };
        self.placement = Placement::of_rows(simd, a, b);
        self.generation += 1;
        Ok(())
    }

    /// Do the models touch, and where: the first contact.
    #[inline]
    pub fn collide(&mut self, params: &CollideParams) -> CollideAnswer {
        self.engine().collide(params)
    }

    /// All triangle pairs within the margin, ordered by the triangle of A, then by that of B.
    #[inline]
    pub fn contacts(&mut self, params: &ContactsParams, sink: &mut impl ContactSink) -> ContactsAnswer {
        self.engine().contacts(params, sink)
    }

    /// How far the models are apart, and where.
    pub fn distance(&mut self, params: &DistanceParams) -> DistanceAnswer {
        self.engine().distance(params)
    }

    /// Are the models closer than a tolerance?
    #[inline]
    pub fn tolerance(&mut self, params: &ToleranceParams) -> ToleranceAnswer {
        self.engine().tolerance(params)
    }

    /// Where the models are nearest locally, within a margin: by distance, the nearest that there is room for.
    pub fn local_minima(
        &mut self,
        params: &MinimaParams,
        room: &mut impl Room<Item = Minimum>,
    ) -> Result<ContactsAnswer, Error> {
        self.engine().local_minima(params, room)
    }

    #[inline(always)]
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

fn hierarchy_of<'m>(model: &'m Model, name: &str) -> Result<&'m Hierarchy, Error> {
    let refused = || Error::new(Status::NotBuilt, format_args!("{name} has not been built"));
    Ok(&model.built().ok_or_else(refused)?.hierarchy)
}

const IDENTITY_ROWS: [[f64; 4]; 3] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// `Pair::place` on the lanes of an instruction set.
struct Move<'p, M> {
    pair: &'p mut Pair<M>,
    a: Pose,
    b: Pose,
}

impl<M: Deref<Target = Model>> Operation for Move<'_, M> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Result<(), Error> {
        self.pair.place(simd, self.a, self.b)
    }
}

/// The rotation of a pose that this model can take: in range when scaled, and of a scale that its volume is sound for.
#[inline(always)]
fn rows_for<S: Simd>(simd: S, model: &Model, pose: &Pose) -> Option<Rows<S>> {
    let scale = pose.scale();
    let is_uniform = (scale.x == scale.y) & (scale.y == scale.z);
    if is_uniform & stays_in_range(model, scale) { pose.corrected(simd) } else { None }
}

/// Written so that an overflow to infinity is refused as well.
#[inline(always)]
fn stays_in_range(model: &Model, scale: DVec3) -> bool {
    let [low, high] = model.bounds();
    (low.abs().max(high.abs()) * scale).max_element() <= LARGEST_COORDINATE
}

/// Why this model cannot take the pose.
#[cold]
fn refusal(model: &Model, pose: Pose, name: &str) -> Error {
    let pose = pose.transform();
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
