//! From the sorted ids of touching pairs to contacts: four at a time, into the world, and the last first, because a contact
//! overwrites the ids of its own place and later ones only.

use crate::posed::posed_models::Placed;
use crate::primitive::{self, Closest};
use crate::query::answer::Contact;
use crate::query::contact_sink::ContactSink;
use crate::reference::plain_walk::PlainWalk;
use crate::search::triangle_batch::TriangleBatch;
use crate::simd::level::Operation;
use crate::simd::three::three;
use fearless_simd::{Simd, f64x4};
use glam::DMat3;

/// The contacts of a query, waiting for an instruction set.
pub struct WriteTouching<'s, 'p, K> {
    pub placed: Placed<'p>,
    pub sink: &'s mut K,
    pub written: usize,
}

impl<K: ContactSink> Operation for WriteTouching<'_, '_, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Placed { a, b, placement, .. } = self.placed;
        let walk = PlainWalk { a, b, placement };
        let to_world = placement.to_world();
        let mut end = self.written;
        while end > 0 {
            let start = end.saturating_sub(4);
            let mut batch = TriangleBatch::default();
            let mut ids = [(0, 0); 4];
            for index in start..end {
                ids[index - start] = self.sink.key(index);
                let (id_a, id_b) = ids[index - start];
                batch.push((a.slot(id_a) as u32, b.slot(id_b) as u32), 0.0);
            }
            let touching = batch.touching(simd, &self.placed);
            let (point, normal) = match to_world {
                // The same operations in the same order as `Placement::point_of_a_to_world` and `normal_to_world`.
                Some((factor, rotation, translation)) => {
                    let point = three(
                        #[inline(always)]
                        |k| touching.point[k] * factor,
                    );
                    let (turned, shift) = (turned(&rotation, &point), translation.to_array());
                    let moved = three(
                        #[inline(always)]
                        |k| turned[k] + shift[k],
                    );
                    (moved, self::turned(&rotation, &touching.normal))
                }
                None => (touching.point, touching.normal),
            };
            let (points, normals) = (primitive::vectors(&point), primitive::vectors(&normal));
            for lane in (0..end - start).rev() {
                let ((triangle_a, triangle_b), point, normal) = (ids[lane], points[lane], normals[lane]);
                let feature = touching.features[lane];
                let contact = if touching.certain >> lane & 1 == 0 {
                    let (a, b) = batch.triangles(&self.placed, lane);
                    walk.in_world(triangle_a, triangle_b, primitive::closest_of_awkward(&a, &b))
                } else if to_world.is_some() {
                    Contact { triangle_a, triangle_b, distance: 0.0, point_a: point, point_b: point, normal, feature }
                } else {
                    let closest = Closest { distance: 0.0, point_a: point, point_b: point, normal, feature };
                    walk.in_world(triangle_a, triangle_b, closest)
                };
                self.sink.write(start + lane, contact);
            }
            end = start;
        }
    }
}

/// The product of a matrix and four vectors, as `DMat3` forms it.
#[inline(always)]
fn turned<S: Simd>(matrix: &DMat3, vectors: &[f64x4<S>; 3]) -> [f64x4<S>; 3] {
    let columns = matrix.to_cols_array_2d();
    let [x, y, z] = *vectors;
    three(
        #[inline(always)]
        |k| x * columns[0][k] + y * columns[1][k] + z * columns[2][k],
    )
}
