//! A pair: two models, their poses, the workspace of its queries and what they remember.
//!
//! `params` holds what a caller may choose about a pair, `sweep` moves it along a path.

mod params;
mod sweep;

pub use params::PairParams;
pub use sweep::{SweepAnswer, SweepParams};

use crate::coherence::clearance::Question;
use crate::coherence::departure::{Ball, Departure, WorldPoses};
use crate::error::{Error, Status};
use crate::math::placement::{Placement, Side};
use crate::math::pose::{Pose, Rows};
use crate::math::transform::{LARGEST_COORDINATE, Transform};
use crate::model::{Hierarchy, Model, VolumeKind};
use crate::posed::posed_models::PosedModels;
use crate::query::contact_sink::ContactSink;
use crate::query::local_minima::check_topology;
use crate::query::{
    CLEARANCE_COST, CollideAnswer, CollideParams, ContactsAnswer, ContactsParams, Counters, DistanceAnswer,
    DistanceParams, MinimaParams, Minimum, QueryContext, Room, ToleranceAnswer, ToleranceParams,
};
#[cfg(any(test, feature = "internals"))]
use crate::reference::plain_walk::PlainWalk;
use crate::search::memory::Memory;
use crate::search::workspace::Workspace;
use crate::simd::level::{self, on_level};
use crate::volume::FamiliesInWords;
use core::ops::Deref;
use fearless_simd::{Level, Simd};
use glam::DVec3;

/// Two models that are asked about each other; `M` is any handle to a model: `&Model`, `Arc<Model>`, ...
///
/// ```
/// use feeler::glam::DVec3;
/// use feeler::{BuildParams, CollideParams, Model, Pair, ToleranceParams, Transform};
///
/// let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let mut triangle = Model::new(&(&vertices[..], &[[0, 1, 2]][..]))?;
/// triangle.build(&BuildParams::default())?;
/// let mut pair = Pair::new(&triangle, &triangle)?;
/// for step in 0..5 {
///     // B comes down; what a query learns makes the next one faster.
///     let height = 1.0 - 0.25 * step as f64;
///     pair.set_transforms(None, Some(&Transform { translation: DVec3::Z * height, ..Transform::IDENTITY }))?;
///     assert_eq!(pair.collide(&CollideParams::default()).contact.is_some(), height == 0.0);
///     let near = pair.tolerance(&ToleranceParams { tolerance: 0.5, ..Default::default() });
///     assert_eq!(near.closer, height <= 0.5);
/// }
/// # Ok::<(), feeler::Error>(())
/// ```
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
    /// Where the models are, of these poses if `is_placed`: a query places them unless it needs not even that.
    placement: Placement,
    is_placed: bool,
    /// Chosen at creation, so that no query meets the once-lock or the environment.
    level: Level,
    counters: Counters,
    workspace: Workspace,
    memory: Memory,
    /// Counts the changes of the poses and of the models.
    generation: u64,
    /// The last change of each pose.
    moved: [u64; 2],
    /// Spheres around the models, of the scales given.
    balls: [Ball; 2],
    /// The models as the placement and the memory know them.
    known: [Known; 2],
}

/// Which state of a model something was computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    generation: u64,
    layout: u64,
}

impl Known {
    fn of(model: &Model) -> Self {
        Self { generation: model.generation(), layout: model.layout() }
    }
}

impl<M: Deref<Target = Model>> Pair<M> {
    /// A pair of built models, both at the identity, with memory chosen from the models.
    pub fn new(a: M, b: M) -> Result<Self, Error> {
        Self::with_params(a, b, &PairParams::default())
    }

    /// Allocates all that the queries of this pair are ever going to need, and touches it.
    pub fn with_params(a: M, b: M, params: &PairParams) -> Result<Self, Error> {
        let (tree_a, tree_b) = (hierarchy_of(&a, "a")?, hierarchy_of(&b, "b")?);
        check_family(&a, &b)?;
        let placement = Placement::new(&Transform::IDENTITY, a.exponent(), &Transform::IDENTITY, b.exponent());
        let (pose, rows) = (Pose::new(&Transform::IDENTITY), IDENTITY_ROWS);
        let workspace = Workspace::new(params.queue_entries(tree_a, tree_b))?;
        let memory = Memory::new(params.front_blocks(tree_a, tree_b))?;
        let known = [Known::of(&a), Known::of(&b)];
        let balls = [ball(&a, DVec3::ONE), ball(&b, DVec3::ONE)];
        Ok(Self {
            a,
            b,
            given_a: pose,
            given_b: pose,
            rows_a: rows,
            rows_b: rows,
            placement,
            is_placed: true,
            level: level::level(),
            counters: Counters::default(),
            workspace,
            memory,
            generation: 0,
            moved: [0; 2],
            balls,
            known,
        })
    }

    /// Asks about other models from now on; `None` keeps one. The poses stay, what earlier queries left behind is forgotten,
    /// and nothing is allocated. Everything is checked before anything changes.
    pub fn set_models(&mut self, a: Option<M>, b: Option<M>) -> Result<(), Error> {
        let (new_a, new_b) = (a.as_deref().unwrap_or(&self.a), b.as_deref().unwrap_or(&self.b));
        hierarchy_of(new_a, "a")?;
        hierarchy_of(new_b, "b")?;
        check_family(new_a, new_b)?;
        check_scale(new_a, &self.given_a, "a")?;
        check_scale(new_b, &self.given_b, "b")?;
        if let Some(a) = a {
            self.a = a;
        }
        if let Some(b) = b {
            self.b = b;
        }
        self.reset();
        self.take_over_models();
        Ok(())
    }

    /// Whether a model has changed since this pair last looked.
    #[inline]
    pub(crate) fn is_behind(&self) -> bool {
        self.known != [Known::of(&self.a), Known::of(&self.b)]
    }

    /// Follows models that changed: a handle may lead to a model that others update. Call it before queries where that is
    /// possible; the functions of the C header do.
    pub fn follow_models(&mut self) -> Result<(), Error> {
        if !self.is_behind() {
            return Ok(());
        }
        check_scale(&self.a, &self.given_a, "a")?;
        check_scale(&self.b, &self.given_b, "b")?;
        // After an update a slot still holds the same triangle, so that the last pair is as good a guess as before.
        let same_slots =
            [&self.a, &self.b].iter().zip(&self.known).all(|(model, known)| model.layout() == known.layout);
        let remembered = self.memory.remembered.filter(|_| same_slots);
        self.memory.forget();
        self.memory.remembered = remembered;
        self.take_over_models();
        Ok(())
    }

    /// The models as they are now are placed by the next query.
    fn take_over_models(&mut self) {
        self.generation += 1;
        self.is_placed = false;
        self.balls = [ball(&self.a, self.given_a.scale()), ball(&self.b, self.given_b.scale())];
        self.known = [Known::of(&self.a), Known::of(&self.b)];
    }

    /// Moves the models; `None` keeps a pose. The poses are checked before anything changes.
    pub fn set_transforms(&mut self, a: Option<&Transform>, b: Option<&Transform>) -> Result<(), Error> {
        let poses = [a.map_or(self.given_a, Pose::new), b.map_or(self.given_b, Pose::new)];
        self.set_poses(
            #[inline(always)]
            |_| poses,
        )
    }

    /// Moves the models to the poses that `read` returns; `read` receives the poses as they are. Reading happens on the lanes of
    /// the instruction set: on their way through memory the poses would cost as much as all that is done with them.
    #[inline(always)]
    pub(crate) fn set_poses(&mut self, read: impl FnOnce([&Pose; 2]) -> [Pose; 2]) -> Result<(), Error> {
        on_level!(self.level, simd => {
            let [a, b] = read([&self.given_a, &self.given_b]);
            self.place(simd, a, b)
        })
    }

    /// The poses as the caller gave them.
    fn given(&self) -> [&Pose; 2] {
        [&self.given_a, &self.given_b]
    }

    /// Moves both models. Inlined into whoever reads the poses.
    #[inline(always)]
    fn place<S: Simd>(&mut self, simd: S, a: Pose, b: Pose) -> Result<(), Error> {
        // A pose that is given again needs no second check; most callers move one model only.
        let (moves_a, moves_b) = (!a.is_same(simd, &self.given_a), !b.is_same(simd, &self.given_b));
        if !(moves_a | moves_b) {
            // The models stay where they are: what an unfinished query knows stays valid.
            return Ok(());
        }
        let rows_a = if moves_a { rows_for(simd, &self.a, &a) } else { Some(Rows::load(simd, &self.rows_a)) };
        let Some(rows_a) = rows_a else { return Err(refusal(&self.a, a, "a")) };
        let rows_b = if moves_b { rows_for(simd, &self.b, &b) } else { Some(Rows::load(simd, &self.rows_b)) };
        let Some(rows_b) = rows_b else { return Err(refusal(&self.b, b, "b")) };
        // What earlier queries found is about models that move rigidly.
        if (a.scale() != self.given_a.scale()) | (b.scale() != self.given_b.scale()) {
            self.memory.forget();
            self.balls = [ball(&self.a, a.scale()), ball(&self.b, b.scale())];
        }
        self.generation += 1;
        self.is_placed = false;
        if moves_a {
            (self.given_a, self.rows_a, self.moved[0]) = (a, rows_a.to_arrays(), self.generation);
        }
        if moves_b {
            (self.given_b, self.rows_b, self.moved[1]) = (b, rows_b.to_arrays(), self.generation);
        }
        Ok(())
    }

    #[inline(always)]
    fn ensure_placed(&mut self) {
        if !self.is_placed {
            self.place_models();
        }
    }

    /// Places the models in the poses given.
    #[inline(never)]
    fn place_models(&mut self) {
        self.placement = self.placed();
        self.is_placed = true;
    }

    /// The placement of the poses given.
    #[inline(always)]
    fn placed(&self) -> Placement {
        on_level!(self.level, simd => {
            let (rows_a, rows_b) = (Rows::load(simd, &self.rows_a), Rows::load(simd, &self.rows_b));
            let a = Side { pose: &self.given_a, rows: rows_a, exponent: self.a.exponent() };
            let b = Side { pose: &self.given_b, rows: rows_b, exponent: self.b.exponent() };
            Placement::of_rows(simd, a, b)
        })
    }

    /// Do the models touch, and where: the first contact.
    #[inline]
    pub fn collide(&mut self, params: &CollideParams) -> CollideAnswer {
        if self.is_clear(Question::Collide, params.cold, params.max_work, 0.0) {
            return CollideAnswer::APART;
        }
        let answer = self.query().collide(params);
        self.note_departure();
        answer
    }

    /// All triangle pairs within the margin, ordered by the triangle of A, then by that of B.
    #[inline]
    pub fn contacts(&mut self, params: &ContactsParams, sink: &mut impl ContactSink) -> ContactsAnswer {
        if self.is_clear(Question::Contacts, params.cold, params.max_work, params.margin) {
            return ContactsAnswer::NONE;
        }
        let answer = self.query().contacts(params, sink);
        self.note_departure();
        answer
    }

    /// How far the models are apart, and where.
    pub fn distance(&mut self, params: &DistanceParams) -> DistanceAnswer {
        let is_bounded = params.max_distance < f64::INFINITY;
        if is_bounded && self.is_clear(Question::Distance, params.cold, params.max_work, params.max_distance) {
            return DistanceAnswer::beyond(params.max_distance);
        }
        let answer = self.query().distance(params);
        if is_bounded {
            self.note_departure();
        }
        if answer.complete && !answer.proves(params) { self.distance_exactly(answer, params) } else { answer }
    }

    /// Near underflow the world's lengths are coarser than the error that was asked, and only an exact answer proves itself.
    /// `answer` is what the search with errors found.
    #[cold]
    fn distance_exactly(&mut self, answer: DistanceAnswer, params: &DistanceParams) -> DistanceAnswer {
        let spent = self.counters.work;
        if params.max_work > 0 && spent >= params.max_work {
            return DistanceAnswer { complete: false, ..answer };
        }
        let max_work = params.max_work.saturating_sub(spent);
        let exact = DistanceParams { relative_error: 0.0, absolute_error: 0.0, max_work, ..*params };
        let answer = self.query().distance(&exact);
        self.counters.work += spent;
        answer
    }

    /// Are the models closer than a tolerance?
    #[inline]
    pub fn tolerance(&mut self, params: &ToleranceParams) -> ToleranceAnswer {
        if self.is_clear(Question::Tolerance, params.cold, params.max_work, params.tolerance) {
            return ToleranceAnswer::farther(params.tolerance);
        }
        let answer = self.query().tolerance(params);
        self.note_departure();
        answer
    }

    /// Where the models are nearest locally, within a margin: by distance, the nearest that there is room for.
    pub fn local_minima(
        &mut self,
        params: &MinimaParams,
        room: &mut dyn Room<Item = Minimum>,
    ) -> Result<ContactsAnswer, Error> {
        check_topology([&self.a, &self.b])?;
        if self.is_clear(Question::Contacts, params.cold, params.max_work, params.margin) {
            return Ok(ContactsAnswer::NONE);
        }
        let answer = self.query().local_minima(params, room);
        self.note_departure();
        Ok(answer)
    }

    /// Whether the poses alone tell that nothing is within the threshold (world units): then the query is answered before the models are
    /// placed.
    #[inline(always)]
    fn is_clear(&mut self, question: Question, cold: bool, max_work: u64, threshold: f64) -> bool {
        let poses = self.world_poses();
        let between = poses.between();
        let is_apart = question != Question::Distance && poses.are_apart(&between, threshold);
        if !is_apart {
            let Memory { clearance, departure, paces, .. } = &self.memory;
            let is_resting = max_work == 0 && paces[question as usize].is_resting();
            let is_known = clearance.generation() == Some(departure.generation());
            // Spelt out: `map` is a call.
            let moved = [self.moved[0] > departure.generation(), self.moved[1] > departure.generation()];
            if cold | is_resting | !is_known || !departure.is_clear(threshold, &poses, &between, moved) {
                return false;
            }
            self.memory.clearance.note_served();
            self.memory.paces[question as usize].note_warm(CLEARANCE_COST);
        }
        (self.counters, self.memory.suspended) = (Counters::default(), None);
        true
    }

    #[inline(always)]
    fn world_poses(&self) -> WorldPoses<'_> {
        WorldPoses {
            rows: [&self.rows_a, &self.rows_b],
            translations: [self.given_a.translation(), self.given_b.translation()],
            balls: &self.balls,
        }
    }

    /// Keeps the poses if the query that just ended found a clearance.
    #[inline(always)]
    fn note_departure(&mut self) {
        if self.memory.clearance.generation() == Some(self.generation) {
            self.keep_departure();
        }
    }

    #[inline(never)]
    fn keep_departure(&mut self) {
        let query = self.query();
        let (pose, exponent) = (query.pose(), query.models.placement.exponent);
        if let Some(room) = query.memory.clearance.room(&pose) {
            self.memory.departure = Departure::new(self.generation, &self.world_poses(), room, exponent);
        }
    }

    #[inline(always)]
    fn query(&mut self) -> QueryContext<'_> {
        self.ensure_placed();
        QueryContext {
            level: self.level,
            models: PosedModels::new(&self.a, &self.b, &self.placement),
            workspace: &mut self.workspace,
            memory: &mut self.memory,
            counters: &mut self.counters,
            generation: self.generation,
        }
    }

    /// The same questions answered by looking at every triangle pair: the definition that the queries are tested against.
    #[cfg(any(test, feature = "internals"))]
    pub fn plain_walk(&self) -> PlainWalk<'_> {
        PlainWalk { a: &self.a, b: &self.b, placement: self.placement() }
    }

    /// What the last query did.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Forgets what earlier queries left behind; the poses stay.
    pub fn reset(&mut self) {
        self.counters = Counters::default();
        self.memory.forget();
    }

    /// Bytes that this pair occupies, itself included and its models excluded.
    pub fn memory(&self) -> usize {
        size_of::<Self>() + self.workspace.memory() + self.memory.size()
    }

    /// The handles of the models.
    pub(crate) fn handles(&self) -> (&M, &M) {
        (&self.a, &self.b)
    }

    /// A and B.
    pub fn models(&self) -> (&Model, &Model) {
        (&self.a, &self.b)
    }

    #[cfg(any(test, feature = "internals"))]
    pub fn placement(&self) -> Placement {
        if self.is_placed { self.placement } else { self.placed() }
    }

    /// The instruction set that the queries of this pair run on.
    #[cfg(any(test, feature = "internals"))]
    pub fn level(&self) -> Level {
        self.level
    }
}

fn hierarchy_of<'m>(model: &'m Model, name: &str) -> Result<&'m Hierarchy, Error> {
    let refused = || Error::new(Status::NotBuilt, format_args!("{name} has not been built"));
    Ok(&model.built().ok_or_else(refused)?.hierarchy)
}

fn check_family(a: &Model, b: &Model) -> Result<(), Error> {
    if a.volume().pairs_with(b.volume()) {
        return Ok(());
    }
    Err(Error::new(
        Status::Incompatible,
        format_args!(
            "a is built of {}, b of {}, which do not pair: build both of one volume, or of one family ({FamiliesInWords})",
            a.volume().name(),
            b.volume().name()
        ),
    ))
}

/// A sphere around a model that is scaled.
fn ball(model: &Model, scale: DVec3) -> Ball {
    let built = model.built().expect("a pair is made of built models");
    Ball::new(built.origin, built.radius, model.exponent(), scale)
}

/// Whether this model can take the scale of a pose that is one.
fn check_scale(model: &Model, pose: &Pose, name: &str) -> Result<(), Error> {
    let scale = pose.scale();
    if takes(model, scale) & stays_in_range(model, scale) { Ok(()) } else { Err(refusal(model, *pose, name)) }
}

const IDENTITY_ROWS: [[f64; 4]; 3] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// The rotation of a pose that this model can take: in range when scaled, and of a scale that its volume is sound for.
#[inline(always)]
fn rows_for<S: Simd>(simd: S, model: &Model, pose: &Pose) -> Option<Rows<S>> {
    let scale = pose.scale();
    if takes(model, scale) & stays_in_range(model, scale) { pose.corrected(simd) } else { None }
}

/// Whether the volume of the model is sound for this scale: mirrors keep every volume, factors of different sizes only boxes
/// along the axes.
#[inline(always)]
fn takes(model: &Model, scale: DVec3) -> bool {
    let sizes = scale.abs();
    (sizes.x == sizes.y) & (sizes.y == sizes.z) || model.volume() == VolumeKind::Aabb
}

/// Written so that an overflow to infinity is refused as well.
#[inline(always)]
fn stays_in_range(model: &Model, scale: DVec3) -> bool {
    let [low, high] = model.bounds();
    (low.abs().max(high.abs()) * scale.abs()).max_element() <= LARGEST_COORDINATE
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
            format_args!(
                "{name}.scale differs between axes, which volume {} cannot take: build the model of AABB, or scale its vertices",
                model.volume().name()
            ),
        );
    }
    Error::new(Status::InvalidArgument, format_args!("{name}.scale moves the model beyond 1e300"))
}
