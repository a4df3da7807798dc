//! Do the models touch, and where: the first touching pair.

use super::QueryContext;
use super::contact::Contact;
use super::first_find::FirstFind;
use crate::coherence::clearance::Question;
use crate::coherence::pace::Mode;
use crate::search::memory::ResumeKind;
use crate::search::triangle_batch::TriangleBatch;
use crate::search::within::{End, WithinSearch};
use crate::simd::level::on_level;
use glam::DVec3;

/// How `Pair::collide` asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct CollideParams {
    /// Use nothing that earlier queries left.
    pub cold: bool,
    /// Expansions and triangle pairs to spend at most; 0 is unlimited.
    pub max_work: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollideAnswer {
    /// Whether the answer is final; false when `max_work` was spent before.
    pub complete: bool,
    /// The touching triangles of A and of B, and a common point in world space.
    pub contact: Option<(u32, u32, DVec3)>,
}

impl CollideAnswer {
    /// The models do not touch.
    pub const APART: Self = Self { complete: true, contact: None };
}

impl QueryContext<'_> {
    #[inline(always)]
    pub fn collide(mut self, params: &CollideParams) -> CollideAnswer {
        if self.is_apart(0.0) {
            return CollideAnswer::APART;
        }
        let mode = self.mode(Question::Collide, params.cold, params.max_work);
        if self.is_clear(Question::Collide, mode, 0.0) {
            return CollideAnswer::APART;
        }
        self.collide_near(*params, mode)
    }

    #[inline(never)]
    fn collide_near(mut self, params: CollideParams, mut mode: Mode) -> CollideAnswer {
        let models = self.models;
        let mut remembered = self.remembered(Question::Collide, mode);
        let touched = params.max_work == 0 && self.memory.clearance.found_last(Question::Collide);
        if let Some(slots) = remembered.filter(|_| touched) {
            if self.still_touch(slots) {
                self.note_still_found(Question::Collide, mode);
                return self.found(slots);
            }
            remembered = None;
        }
        remembered = remembered.filter(|_| mode.is_warm());
        let mut first = FirstFind { placement: models.placement, world_limit: None, found: None };
        let resume_key = self.resume_key(mode, ResumeKind::Collide, [0.0; 3]);
        let (looks_beyond, asks_front) = self.coherence(Question::Collide, &mut mode, params.max_work);
        let answer = self.search(|query| WithinSearch {
            visitor: &mut first,
            threshold: None,
            looks_beyond,
            asks_front,
            max_work: params.max_work,
            remembered,
            resume_key,
            workspace: &mut *query.workspace,
            memory: &mut *query.memory,
            counters: &mut *query.counters,
        });
        self.note_walk(Question::Collide, mode, params.max_work, first.found.is_some(), answer.clearance);
        match first.found {
            Some(slots) => self.found(slots),
            None => CollideAnswer { complete: answer.end != End::Spent, contact: None },
        }
    }

    /// Whether the pair that an earlier query found touches: tested before a search is prepared.
    fn still_touch(&mut self, slots: (u32, u32)) -> bool {
        let (models, mut robust_tests) = (self.models, 0);
        let mut batch = TriangleBatch::default();
        batch.push(slots);
        let touches = on_level!(self.level, simd => batch.intersections(simd, &models, true, &mut robust_tests)) != 0;
        if touches {
            self.skip();
            (self.counters.triangle_tests, self.counters.robust_tests) = (1, robust_tests);
        }
        touches
    }

    fn found(&mut self, slots: (u32, u32)) -> CollideAnswer {
        self.memory.remembered = Some(slots);
        let Contact { triangle_a, triangle_b, point_a, .. } = Contact::of_touching(&self.models, slots);
        CollideAnswer { complete: true, contact: Some((triangle_a, triangle_b, point_a)) }
    }
}
