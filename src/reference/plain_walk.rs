//! The four queries by looking at every triangle pair: the definition of the exact answer.
//!
//! The exact distance is the smallest value that the triangle kernel computes over all pairs in the working frame; among equal
//! values the smallest ids win. Nothing here prunes, so nothing here can prune wrongly. This code and the queries share the
//! triangle kernel and the arithmetic of the placement, nothing else.

use crate::math::placement::Placement;
use crate::model::Model;
use crate::primitive::{self, Triangle};
use crate::query::{
    CollideAnswer, Contact, ContactsAnswer, ContactsParams, Counters, DistanceAnswer, DistanceParams, ToleranceAnswer,
    ToleranceParams,
};

/// Two placed models, ready to be walked.
#[derive(Clone, Copy)]
pub struct PlainWalk<'a> {
    pub a: &'a Model,
    pub b: &'a Model,
    pub placement: Placement,
}

impl PlainWalk<'_> {
    pub fn placed_a(&self, id: u32) -> Triangle {
        let [p, q, r] = self.a.triangle(id);
        [self.placement.place_a(p), self.placement.place_a(q), self.placement.place_a(r)]
    }

    pub fn placed_b(&self, id: u32) -> Triangle {
        let [p, q, r] = self.b.triangle(id);
        [self.placement.place_b(p), self.placement.place_b(q), self.placement.place_b(r)]
    }

    /// Calls `visit` with the ids and the placed triangles of every pair, A's ids slowest, until it returns false.
    fn every_pair(&self, mut visit: impl FnMut(u32, u32, &Triangle, &Triangle) -> bool) {
        for id_a in 0..self.a.triangle_count() as u32 {
            let triangle_a = self.placed_a(id_a);
            for id_b in 0..self.b.triangle_count() as u32 {
                if !visit(id_a, id_b, &triangle_a, &self.placed_b(id_b)) {
                    return;
                }
            }
        }
    }

    /// The full answer for one pair, in world space.
    pub fn contact(&self, triangle_a: u32, triangle_b: u32) -> Contact {
        let closest = primitive::closest(&self.placed_a(triangle_a), &self.placed_b(triangle_b));
        let (a, b) = (closest.point_a, closest.point_b);
        let point_a = self.placement.point_of_a_to_world(a);
        let point_b = if closest.distance > 0.0 { self.placement.point_of_b_to_world(b) } else { point_a };
        let (distance, normal) =
            (self.placement.distance_to_world(closest.distance), self.placement.normal_to_world(closest.normal, a, b));
        Contact { triangle_a, triangle_b, distance, point_a, point_b, normal, feature: closest.feature }
    }

    pub fn collide(&self, counters: &mut Counters) -> CollideAnswer {
        let mut touching = None;
        self.every_pair(|id_a, id_b, a, b| {
            counters.triangle_tests += 1;
            if primitive::intersects(a, b) {
                touching = Some((id_a, id_b));
            }
            touching.is_none()
        });
        counters.work = counters.triangle_tests;
        CollideAnswer { complete: true, contact: touching.map(|(a, b)| (a, b, self.contact(a, b).point_a)) }
    }

    /// The first `capacity` contacts in order, and how many there are.
    pub fn contacts(
        &self,
        params: &ContactsParams,
        capacity: usize,
        counters: &mut Counters,
    ) -> (ContactsAnswer, Vec<Contact>) {
        let (mut found, mut contacts) = (0u64, Vec::new());
        let mut complete = true;
        self.every_pair(|id_a, id_b, a, b| {
            counters.triangle_tests += 1;
            let distance = self.placement.distance_to_world(primitive::distance(a, b).distance);
            if distance <= params.margin {
                if params.stop_when_full && contacts.len() == capacity {
                    complete = false;
                    return false;
                }
                if contacts.len() < capacity {
                    let ids = (id_a, id_b);
                    contacts.push(if params.ids_only { Contact::of_ids(ids) } else { self.contact(id_a, id_b) });
                }
                found += 1;
            }
            true
        });
        counters.work = counters.triangle_tests;
        (ContactsAnswer { complete, found, written: contacts.len() as u64 }, contacts)
    }

    /// The nearest pair and its distance in the working frame, or none within `max_distance` (world units).
    fn nearest(&self, max_distance: f64, counters: &mut Counters) -> Option<(u32, u32)> {
        let mut best = None;
        let mut smallest = f64::INFINITY;
        self.every_pair(|id_a, id_b, a, b| {
            counters.triangle_tests += 1;
            let measured = primitive::distance(a, b);
            counters.robust_tests += measured.robust as u64;
            if measured.distance < smallest {
                smallest = measured.distance;
                best = Some((id_a, id_b));
            }
            true
        });
        counters.work = counters.triangle_tests;
        best.filter(|_| self.placement.distance_to_world(smallest) <= max_distance)
    }

    pub fn distance(&self, params: &DistanceParams, counters: &mut Counters) -> DistanceAnswer {
        match self.nearest(params.max_distance, counters) {
            Some((a, b)) => {
                let contact = self.contact(a, b);
                let value = contact.distance;
                DistanceAnswer { complete: true, lower: value, upper: value, nearest: Some(contact) }
            }
            None => DistanceAnswer { complete: true, lower: params.max_distance, upper: f64::INFINITY, nearest: None },
        }
    }

    pub fn tolerance(&self, params: &ToleranceParams, counters: &mut Counters) -> ToleranceAnswer {
        match self.nearest(params.tolerance, counters) {
            Some((a, b)) => {
                let contact = self.contact(a, b);
                ToleranceAnswer {
                    complete: true,
                    closer: true,
                    lower: 0.0,
                    upper: contact.distance,
                    nearest: Some(contact),
                }
            }
            None => ToleranceAnswer {
                complete: true,
                closer: false,
                lower: params.tolerance,
                upper: f64::INFINITY,
                nearest: None,
            },
        }
    }
}
