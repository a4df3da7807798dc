//! From the sorted ids of touching pairs to contacts: as many at a time as the instruction set takes, into the world, and the last first, because a contact
//! overwrites the ids of its own place and later ones only.

use super::contact::Contact;
use super::contact_sink::ContactSink;
use crate::posed::posed_models::PosedModels;
use crate::primitive::{self, Closest};
use crate::search::triangle_batch::TriangleBatch;
use crate::simd::three::{combination, scaled, three};
use fearless_simd::Simd;

/// Turns the first `written` ids of the sink, which are those of touching pairs, into contacts.
#[inline(always)]
pub fn write_touching<S: Simd>(simd: S, models: &PosedModels, sink: &mut impl ContactSink, written: usize) {
    let to_world = models.placement.world_motion();
    let mut next = Group::before::<S>(models, sink, written);
    while !next.batch.is_empty() {
        let Group { start, ids, batch } = next;
        // Ids are in no order of memory, so that triangles are asked for one step ahead.
        next = Group::before::<S>(models, sink, start);
        let halves = batch.touching(simd, models);
        for half in (0..batch.size() / 4).rev() {
            let (touching, first) = (&halves[half], 4 * half);
            let last = batch.len().min(first + 4);
            let (point, normal) = match to_world {
                // The same operations in the same order as `Placement::point_of_a_to_world` and `normal_to_world`.
                Some((factor, rotation, translation)) => {
                    let point = scaled(&touching.point, factor);
                    let columns = rotation.to_cols_array_2d();
                    let (turned, shift) = (combination(&point, &columns), translation.to_array());
                    let moved = three(
                        #[inline(always)]
                        |k| turned[k] + shift[k],
                    );
                    (moved, combination(&touching.normal, &columns))
                }
                None => (touching.point, touching.normal),
            };
            let (points, normals) = (primitive::vectors(&point), primitive::vectors(&normal));
            for place in (first..last).rev() {
                let lane = place - first;
                let ((triangle_a, triangle_b), point, normal) = (ids[place], points[lane], normals[lane]);
                let feature = touching.features[lane];
                let contact = if touching.certain >> lane & 1 == 0 {
                    let (a, b) = batch.triangles(models, place);
                    Contact::new(models, ids[place], primitive::closest_of_awkward(&a, &b))
                } else if to_world.is_some() {
                    Contact { triangle_a, triangle_b, distance: 0.0, point_a: point, point_b: point, normal, feature }
                } else {
                    let closest = Closest { distance: 0.0, point_a: point, point_b: point, normal, feature };
                    Contact::new(models, ids[place], closest)
                };
                sink.write(start + place, contact);
            }
        }
    }
}

/// Pairs that become contacts together.
#[derive(Clone, Copy)]
struct Group {
    /// The place of the first in the sink.
    start: usize,
    ids: [(u32, u32); 8],
    batch: TriangleBatch,
}

impl Group {
    /// The last pairs before a place; empty at the first place.
    #[inline(always)]
    fn before<S: Simd>(models: &PosedModels, sink: &mut impl ContactSink, end: usize) -> Self {
        let (mut ids, mut batch) = ([(0, 0); 8], TriangleBatch::of_widest::<S>());
        let start = end.saturating_sub(batch.size());
        for index in start..end {
            let (id_a, id_b) = sink.key(index);
            ids[index - start] = (id_a, id_b);
            let (slot_a, slot_b) = (models.a.slot(id_a), models.b.slot(id_b));
            models.a.prefetch_triangle(slot_a);
            models.b.prefetch_triangle(slot_b);
            batch.push((slot_a as u32, slot_b as u32));
        }
        Self { start, ids, batch }
    }
}
