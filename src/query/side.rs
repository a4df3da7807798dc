//! Whether a point is inside of a closed mesh: the parity of the triangles that a segment to the outside crosses.
//!
//! Crossings are exact. A segment that touches the boundary of a triangle, or runs in its plane, decides nothing: then
//! another direction is tried, and after the last one the side stays unknown.

use crate::posed::shape::{Clipped, PlacedPoints};
use crate::primitive::segment_crosses;
use crate::search::around::{Around, Seeker};
use fearless_simd::Simd;
use glam::DVec3;

/// Where a point is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Side {
    /// On the surface, or the mesh is not closed, or nothing was asked.
    #[default]
    Unknown = 0,
    Outside = 1,
    Inside = 2,
}

/// Directions without a pattern that meshes share.
const DIRECTIONS: [DVec3; 8] = [
    DVec3::new(0.836_295_47, 0.421_173_19, 0.350_917_83),
    DVec3::new(-0.312_719_53, 0.876_431_07, 0.366_190_37),
    DVec3::new(0.287_164_31, -0.392_715_91, 0.873_690_13),
    DVec3::new(-0.593_172_89, -0.618_330_41, 0.515_519_07),
    DVec3::new(0.612_913_57, 0.313_759_73, -0.725_190_83),
    DVec3::new(-0.735_510_29, 0.517_310_63, -0.437_790_11),
    DVec3::new(0.441_903_71, -0.690_317_19, -0.572_930_57),
    DVec3::new(-0.193_750_61, -0.350_173_97, -0.916_430_51),
];

struct Crossings {
    ends: [DVec3; 2],
    /// Odd so far.
    is_odd: bool,
    /// The segment touches something where crossings cannot be counted.
    is_spoilt: bool,
}

impl Seeker for Crossings {
    fn limit(&self) -> f64 {
        1.0
    }

    fn take<S: Simd>(&mut self, _simd: S, placed: &PlacedPoints, slot: u32) {
        match segment_crosses(self.ends, &placed.triangle(slot)) {
            Some(crosses) => self.is_odd ^= crosses,
            None => self.is_spoilt = true,
        }
    }

    fn is_done(&self) -> bool {
        self.is_spoilt
    }
}

/// The side of the first of the placed points, which is `distance` away from the surface (working units).
pub fn side(placed: &PlacedPoints, distance: f64) -> Side {
    let is_closed = placed.built.topology.as_ref().is_some_and(|topology| topology.is_closed);
    if !is_closed || !(distance > 0.0) || !placed.is_in_place() {
        return Side::Unknown;
    }
    let from = placed.points[0];
    let Some(beyond) = placed.beyond() else { return Side::Outside };
    for direction in DIRECTIONS {
        // Any point outside will do: it need not lie exactly in that direction.
        let ends = [from, from + direction * beyond];
        let placed = placed.with_points(ends);
        let Some(clipped) = Clipped::whole(&placed, 0.0).shortened(&placed) else { return Side::Outside };
        let mut crossings = Crossings { ends, is_odd: false, is_spoilt: false };
        Around { placed: &placed, path: Some(&clipped), max_work: 0, seeker: &mut crossings }.run();
        if !crossings.is_spoilt {
            return if crossings.is_odd { Side::Inside } else { Side::Outside };
        }
    }
    Side::Unknown
}
