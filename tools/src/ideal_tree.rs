//! Counts of a distance query that knows the distance from the start, and of those that have to find it.

use feeler::internals::query::contact_sink::ContactSink;
use feeler::internals::query::{Contact, ContactsParams, Counters, DistanceParams, SearchOrder};
use feeler::{Model, Pair};

/// Expansions and triangle pairs.
pub type Work = (u64, u64);

/// Sums over poses.
#[derive(Default)]
pub struct Counts {
    pub poses: u64,
    pub ideal: Work,
    pub dilated: Work,
    pub cold: [Work; 3],
}

impl Counts {
    pub fn add(&mut self, other: &Self) {
        self.poses += other.poses;
        for (sum, work) in [(&mut self.ideal, other.ideal), (&mut self.dilated, other.dilated)]
            .into_iter()
            .chain(self.cold.iter_mut().zip(other.cold))
        {
            *sum = (sum.0 + work.0, sum.1 + work.1);
        }
    }

    pub fn of(&self, search: SearchOrder) -> Work {
        self.cold[ORDERS.iter().position(|order| *order == search).expect("one of the orders")]
    }
}

const ORDERS: [SearchOrder; 3] = [SearchOrder::Auto, SearchOrder::BestFirst, SearchOrder::DepthFirst];

/// Counts contacts and keeps none.
pub struct Nowhere;

impl ContactSink for Nowhere {
    fn capacity(&self) -> usize {
        0
    }
    fn set_packed(&mut self, _: usize, _: u64) {}
    fn packed(&mut self, _: usize) -> &mut [u64] {
        &mut []
    }
    fn write(&mut self, _: usize, _: Contact) {}
}

fn work(counters: &Counters) -> Work {
    (counters.expansions, counters.triangle_tests)
}

/// The counts in the pose of the pair; None when the models touch, where a search may stop at once.
pub fn count(pair: &mut Pair<&Model>) -> Option<Counts> {
    let mut distance = 0.0;
    let cold = ORDERS.map(|search| {
        distance = pair.distance(&DistanceParams { cold: true, search, ..Default::default() }).upper;
        work(pair.counters())
    });
    if distance == 0.0 {
        return None;
    }
    let params =
        DistanceParams { cold: true, search: SearchOrder::DepthFirst, max_distance: distance, ..Default::default() };
    assert_eq!(pair.distance(&params).upper, distance);
    let ideal = work(pair.counters());
    pair.contacts(&ContactsParams { cold: true, margin: distance, ..Default::default() }, &mut Nowhere);
    Some(Counts { poses: 1, ideal, dilated: work(pair.counters()), cold })
}
