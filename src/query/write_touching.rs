//! From the sorted ids of touching pairs to contacts: four at a time, into the world, and the last first, because a contact
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
    let mut end = written;
    while end > 0 {
        let start = end.saturating_sub(4);
        let mut batch = TriangleBatch::default();
        let mut ids = [(0, 0); 4];
        for index in start..end {
            ids[index - start] = sink.key(index);
            let (id_a, id_b) = ids[index - start];
            batch.push((models.a.slot(id_a) as u32, models.b.slot(id_b) as u32));
        }
        let touching = batch.touching(simd, models);
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
        for lane in (0..end - start).rev() {
            let ((triangle_a, triangle_b), point, normal) = (ids[lane], points[lane], normals[lane]);
            let feature = touching.features[lane];
            let contact = if touching.certain >> lane & 1 == 0 {
                let (a, b) = batch.triangles(models, lane);
                Contact::new(models, ids[lane], primitive::closest_of_awkward(&a, &b))
            } else if to_world.is_some() {
                Contact { triangle_a, triangle_b, distance: 0.0, point_a: point, point_b: point, normal, feature }
            } else {
                let closest = Closest { distance: 0.0, point_a: point, point_b: point, normal, feature };
                Contact::new(models, ids[lane], closest)
            };
            sink.write(start + lane, contact);
        }
        end = start;
    }
}
