//! Do the models touch, and where: the first touching pair.

use super::QueryContext;
use super::contact::Contact;
use super::first_find::FirstFind;
use crate::coherence::clearance::Question;
use crate::search::memory::ResumeKind;
use crate::search::within::{End, WithinSearch};
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

impl QueryContext<'_> {
    #[inline(always)]
    pub fn collide(mut self, params: &CollideParams) -> CollideAnswer {
        if self.is_apart(0.0, params.cold) {
            return CollideAnswer { complete: true, contact: None };
        }
        self.collide_near(*params)
    }

    #[inline(never)]
    fn collide_near(mut self, params: CollideParams) -> CollideAnswer {
        let models = self.models;
        let mut first = FirstFind { placement: models.placement, world_limit: None, found: None };
        let resume_key = self.resume_key(params.cold, ResumeKind::Collide, [0.0; 3]);
        let remembered = self.memory.remembered.filter(|_| !params.cold);
        let looks_beyond = self.looks_beyond(Question::Collide, params.cold, params.max_work);
        let answer = self.search(|query| WithinSearch {
            visitor: &mut first,
            threshold: None,
            looks_beyond,
            max_work: params.max_work,
            remembered,
            resume_key,
            stack: &mut query.workspace.stack,
            memory: &mut *query.memory,
            counters: &mut *query.counters,
        });
        self.note_walk(Question::Collide, params.cold, first.found.is_some(), answer.clearance);
        let contact = first.found.map(|slots| {
            self.memory.remembered = Some(slots);
            let Contact { triangle_a, triangle_b, point_a, .. } = Contact::of_touching(&models, slots);
            (triangle_a, triangle_b, point_a)
        });
        CollideAnswer { complete: answer.end != End::Spent, contact }
    }
}
