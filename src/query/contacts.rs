//! All pairs of triangles within a margin.

use super::QueryContext;
use super::contact::Contact;
use super::contact_sink::{ContactCollector, ContactSink};
use super::write_touching::write_touching;
use crate::coherence::clearance::Question;
use crate::coherence::pace::Mode;
use crate::search::within::{End, VisitAll, WithinSearch};
use crate::simd::level::on_widest_level;

/// How `Pair::contacts` asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactsParams {
    /// Use nothing that earlier queries left.
    pub cold: bool,
    /// End the walk when the caller's array is full.
    pub stop_when_full: bool,
    /// Tell which triangles, not where: all other fields of the contacts are 0.
    pub ids_only: bool,
    /// Expansions and triangle pairs to spend at most; 0 is unlimited.
    pub max_work: u64,
    /// Pairs at most this far apart count as contacts, in world units; 0 means touching.
    pub margin: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactsAnswer {
    /// Whether all contacts were counted.
    pub complete: bool,
    /// Contacts that were met, and those that the sink received.
    pub found: u64,
    pub written: u64,
}

impl ContactsAnswer {
    /// Nothing is within the margin.
    pub const NONE: Self = Self { complete: true, found: 0, written: 0 };
}

impl QueryContext<'_> {
    #[inline(always)]
    pub fn contacts(mut self, params: &ContactsParams, sink: &mut impl ContactSink) -> ContactsAnswer {
        let threshold = (params.margin > 0.0).then(|| self.models.placement.distance_from_world(params.margin));
        if self.is_apart(threshold.unwrap_or(0.0)) {
            return ContactsAnswer::NONE;
        }
        let mode = self.mode(Question::Contacts, params.cold, params.max_work);
        if self.is_clear(Question::Contacts, mode, threshold.unwrap_or(0.0)) {
            return ContactsAnswer::NONE;
        }
        self.contacts_near(*params, mode, threshold, sink)
    }

    #[inline(never)]
    fn contacts_near(
        mut self,
        params: ContactsParams,
        mut mode: Mode,
        threshold: Option<f64>,
        sink: &mut impl ContactSink,
    ) -> ContactsAnswer {
        let models = self.models;
        let mut collector = ContactCollector::new(models, &params, sink);
        let (looks_beyond, asks_front) = self.coherence(Question::Contacts, &mut mode, params.max_work);
        // What is collected in the order of the walk cannot come along the front.
        let asks_front = asks_front && !(params.stop_when_full && self.memory.clearance.found_last(Question::Contacts));
        let mut visitor = VisitAll(&mut collector);
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
        let (found, written) = (collector.found, collector.written);
        collector.sort();
        self.note_walk(Question::Contacts, mode, params.max_work, found > 0, answer.clearance);
        if params.ids_only {
            for index in (0..written).rev() {
                let ids = sink.key(index);
                sink.write(index, Contact::of_ids(ids));
            }
        } else if params.margin > 0.0 {
            for index in (0..written).rev() {
                let (id_a, id_b) = sink.key(index);
                let slots = (models.a.slot(id_a) as u32, models.b.slot(id_b) as u32);
                sink.write(index, Contact::of_slots(&models, slots));
            }
        } else {
            on_widest_level!(self.level, simd => write_touching(simd, &models, sink, written));
        }
        ContactsAnswer { complete: answer.end == End::Exhausted, found, written: written as u64 }
    }
}
