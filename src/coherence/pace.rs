//! Whether it pays to remember: where the past cannot help, a query should not pay for it.
//!
//! Every question of a pair has a pace of its own. Costs are counted from what queries did, never timed.
//! - After two far steps in a row nothing that is remembered is near enough to help. The question rests: its next queries are cold
//!   ones, at the price of one branch.
//! - Else the cost of some queries with memory is compared with that of a query without. If memory does not pay, the question rests.
//! - Each rest after a vain attempt is twice as long, so that a path on which memory never pays hardly notices.
//! - The cost without memory is known from rests. Where it has grown old, one query rests in order to know it again, but only after
//!   queries with memory have cost many times as much.

/// Queries with memory whose mean cost is compared.
const WINDOW: u64 = 8;

/// Queries without memory after a vain attempt: doubled each time.
const SHORTEST_REST: u32 = 8;
const LONGEST_REST: u32 = 128;

/// The cost without memory is measured again when queries with memory have cost this many times as much.
const SAMPLED_AFTER: u64 = 128;

/// How a query deals with what the pair remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It uses and leaves nothing, because the caller wants that.
    Cold,
    /// It uses and leaves nothing, because memory has not paid lately.
    Resting,
    /// It uses what is there and leaves what it finds.
    Warm,
}

impl Mode {
    pub fn is_warm(self) -> bool {
        self == Self::Warm
    }
}

/// The pace of one question.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Queries that go without memory before the next attempt.
    resting: u32,
    next_rest: u32,
    /// Far steps in a row; a rest that they caused ends with the next step that is not far.
    far_steps: u32,
    /// What a query without memory costs, as the last ones did; 0 before the first.
    cold: u64,
    /// Whether `cold` was measured since the last comparison.
    is_fresh: bool,
    /// Queries with memory since the last comparison, and what they cost.
    queries: u64,
    spent: u64,
    /// What queries with memory have cost since `cold` was measured.
    since_cold: u64,
}

impl Pace {
    pub const NEW: Self = Self {
        resting: 0,
        next_rest: SHORTEST_REST,
        far_steps: 0,
        cold: 0,
        is_fresh: false,
        queries: 0,
        spent: 0,
        since_cold: 0,
    };

    /// Whether the next query goes without memory; it counts as one of the rest.
    #[inline(always)]
    pub fn rests(&mut self) -> bool {
        let rests = self.resting > 0;
        self.resting -= rests as u32;
        rests
    }

    /// Whether the next query rests.
    #[inline(always)]
    pub fn is_resting(&self) -> bool {
        self.resting > 0
    }

    /// Whether the rest that the last query belonged to follows far steps: then not even the last pair is a good guess.
    pub fn is_far(&self) -> bool {
        self.far_steps > 1
    }

    /// What a query without memory costs; 0 when that is not known.
    pub fn cold(&self) -> u64 {
        self.cold
    }

    /// Learns whether the models have gone far since the last query; whether the question rests from now on.
    pub fn note_step(&mut self, is_far: bool) -> bool {
        self.far_steps = if is_far { (self.far_steps + 1).min(2) } else { 0 };
        if self.is_far() {
            self.rest();
        }
        self.is_far()
    }

    /// Learns what a query without memory has cost.
    pub fn note_cold(&mut self, cost: u64) {
        let is_next = self.since_cold == 0 && self.cold != 0;
        self.cold = if is_next { (3 * self.cold + cost) / 4 } else { cost }.max(1);
        (self.since_cold, self.is_fresh) = (0, true);
    }

    /// Learns what a query with memory has cost.
    pub fn note_warm(&mut self, cost: u64) {
        (self.queries, self.spent, self.since_cold) =
            (self.queries + 1, self.spent + cost, self.since_cold + cost.max(1));
        if self.queries < WINDOW && (self.cold == 0 || self.spent < WINDOW * self.cold) {
            return;
        }
        // Memory pays if it saves a sixteenth at the least: the counts do not know all.
        let pays = 16 * self.spent <= 15 * self.queries * self.cold;
        let is_old = !self.is_fresh && (!pays || self.since_cold > SAMPLED_AFTER * self.cold);
        if self.cold == 0 || is_old {
            self.resting = 1;
        } else if pays {
            self.next_rest = (self.next_rest / 2).max(SHORTEST_REST);
        } else {
            self.rest();
        }
        (self.queries, self.spent, self.is_fresh) = (0, 0, false);
    }

    fn rest(&mut self) {
        self.resting = self.next_rest;
        self.next_rest = (self.next_rest * 2).min(LONGEST_REST);
        (self.queries, self.spent) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of these queries used memory, each costing `warm` with and `cold` without.
    fn warm_share(pace: &mut Pace, queries: u64, warm: u64, cold: u64) -> f64 {
        let mut with = 0;
        for _ in 0..queries {
            if pace.rests() {
                pace.note_cold(cold);
            } else {
                with += 1;
                pace.note_warm(warm);
            }
        }
        with as f64 / queries as f64
    }

    #[test]
    fn memory_that_does_not_pay_is_hardly_used() {
        let mut pace = Pace::NEW;
        assert!(warm_share(&mut pace, 1000, 110, 100) < 0.12);
        assert!(warm_share(&mut pace, 10_000, 110, 100) < 0.07);
    }

    #[test]
    fn memory_that_pays_is_used_nearly_always_and_soon_again() {
        let mut pace = Pace::NEW;
        assert!(warm_share(&mut pace, 1000, 10, 100) > 0.99);
        warm_share(&mut pace, 1000, 110, 100);
        assert!(warm_share(&mut pace, 1000, 10, 100) > 0.85);
    }

    #[test]
    fn costs_that_change_are_noticed() {
        let mut pace = Pace::NEW;
        warm_share(&mut pace, 1000, 10, 100);
        // The models went apart: cold queries are cheaper now than queries with memory.
        assert!(warm_share(&mut pace, 20_000, 10, 5) < 0.25);
        // And came together again.
        assert!(warm_share(&mut pace, 1000, 100, 1000) > 0.85);
    }

    #[test]
    fn far_steps_rest_and_one_near_step_ends_it() {
        let mut pace = Pace::NEW;
        assert!(!pace.note_step(true) && pace.note_step(true));
        assert_eq!((0..100).take_while(|_| pace.rests()).count(), SHORTEST_REST as usize);
        assert!(pace.note_step(true));
        assert_eq!((0..100).take_while(|_| pace.rests()).count(), 2 * SHORTEST_REST as usize);
        assert!(!pace.note_step(false) && !pace.note_step(true));
        assert!(!pace.rests());
    }
}
