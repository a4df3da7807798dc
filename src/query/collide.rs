//! Do the models touch, and where: the first touching pair.

use super::Query;
use super::contact::Contact;
use super::first_find::FirstFind;
use crate::search::memory::QuestionKind;
use crate::search::within::{End, WithinSearch};
use glam::DVec3;

/// How `Pair::collide` asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct CollideParams {
    /// Forget what earlier queries left behind.
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

impl Query<'_> {
    #[inline(always)]
    pub fn collide(mut self, params: &CollideParams) -> CollideAnswer {
        if self.is_apart(None) {
            return CollideAnswer { complete: true, contact: None };
        }
        self.collide_near(*params)
    }

    #[inline(never)]
    fn collide_near(mut self, params: CollideParams) -> CollideAnswer {
        let models = self.models;
        let mut first = FirstFind { placement: models.placement, limit: None, found: None };
        let question = self.question(params.cold, QuestionKind::Collide, [0.0; 3]);
        let cached = self.memory.last.filter(|_| !params.cold);
        let answer = self.search(|query| WithinSearch {
            visitor: &mut first,
            threshold: None,
            max_work: params.max_work,
            cached,
            question,
            stack: &mut query.workspace.stack,
            memory: &mut *query.memory,
            counters: &mut *query.counters,
        });
        let contact = first.found.map(|slots| {
            self.memory.last = Some(slots);
            let Contact { triangle_a, triangle_b, point_a, .. } = Contact::of_touching(&models, slots);
            (triangle_a, triangle_b, point_a)
        });
        CollideAnswer { complete: answer.end != End::Spent, contact }
    }
}
