//! The definition: every pair of triangles measured once.

use feeler::internals::primitive;
use feeler::internals::query::Contact;
use feeler::{Model, Pair};

/// What the definition says about a scene: every pair measured once.
pub struct Walk {
    /// World distance of every pair, A's ids slowest.
    pub distances: Vec<f64>,
    pub nearest: Contact,
    count_b: usize,
}

impl Walk {
    pub fn new(pair: &Pair<&Model>) -> Self {
        let plain = pair.plain_walk();
        let (count_a, count_b) = (plain.a.triangle_count(), plain.b.triangle_count());
        let in_b: Vec<_> = (0..count_b as u32).map(|id| plain.placed_b(id)).collect();
        let mut distances = Vec::with_capacity(count_a * count_b);
        let (mut best, mut smallest) = ((0, 0), f64::INFINITY);
        for id_a in 0..count_a as u32 {
            let in_a = plain.placed_a(id_a);
            for (id_b, in_b) in in_b.iter().enumerate() {
                let distance = primitive::distance(&in_a, in_b).distance;
                if distance < smallest {
                    (best, smallest) = ((id_a, id_b as u32), distance);
                }
                distances.push(plain.placement.distance_to_world(distance));
            }
        }
        Self { distances, nearest: plain.contact(best.0, best.1), count_b }
    }

    pub fn distance(&self) -> f64 {
        self.nearest.distance
    }

    pub fn of(&self, id_a: u32, id_b: u32) -> f64 {
        self.distances[id_a as usize * self.count_b + id_b as usize]
    }

    /// Ids of the pairs within the margin, in order.
    pub fn within(&self, margin: f64) -> Vec<(u32, u32)> {
        let ids = |place: usize| ((place / self.count_b) as u32, (place % self.count_b) as u32);
        (0..self.distances.len()).filter(|&place| self.distances[place] <= margin).map(ids).collect()
    }
}
