//! The queries of one model by looking at every triangle: their definition.

use crate::error::Error;
use crate::math::transform::Transform;
use crate::model::Model;
use crate::posed::shape::{PlacedPoints, PosedModel};
use crate::primitive::{self, Closest};
use crate::query::cast::{Cast, CastParams, Hit, is_earlier};
use glam::DVec3;

/// The distance in world units and the id of the nearest triangle, ties by id, and the rest in the working frame.
pub fn closest_point(model: &Model, pose: &Transform, point: DVec3) -> Result<(f64, u32, Closest), Error> {
    let placed = PosedModel::new(model, pose)?.place([point; 2]);
    let at = [placed.points[0]; 3];
    let mut best = (f64::INFINITY, 0);
    for id in 0..model.triangle_count() as u32 {
        let distance = primitive::distance(&by_id(&placed, id), &at).distance;
        if distance < best.0 {
            best = (distance, id);
        }
    }
    let closest = primitive::closest(&by_id(&placed, best.1), &at);
    Ok((placed.placement.distance_to_world(best.0), best.1, closest))
}

fn by_id(placed: &PlacedPoints, id: u32) -> primitive::Triangle {
    placed.triangle(placed.model.slot(id) as u32)
}

/// All hits, in order.
pub fn cast(model: &Model, pose: &Transform, ends: [DVec3; 2], params: &CastParams) -> Result<Vec<Hit>, Error> {
    let posed = PosedModel::new(model, pose)?;
    let placed = posed.place(ends);
    let cast = Cast::new(&posed, &placed, params);
    let mut hits: Vec<Hit> =
        (0..model.triangle_count() as u32).filter_map(|id| cast.hit(model.slot(id) as u32)).collect();
    hits.sort_by(|p, q| if is_earlier(p, q) { core::cmp::Ordering::Less } else { core::cmp::Ordering::Greater });
    Ok(hits)
}

/// The ids of the triangles that a ball touches, ascending.
pub fn within_ball(model: &Model, pose: &Transform, centre: DVec3, radius: f64) -> Result<Vec<u32>, Error> {
    let placed = PosedModel::new(model, pose)?.place([centre; 2]);
    let at = [placed.points[0]; 3];
    let is_touched = |id: &u32| {
        let distance = primitive::distance(&by_id(&placed, *id), &at).distance;
        placed.placement.distance_to_world(distance) <= radius
    };
    Ok((0..model.triangle_count() as u32).filter(is_touched).collect())
}
