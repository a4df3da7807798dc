//! Running bounds of points, with the two instructions per coordinate that finite numbers need.

use glam::DVec3;

/// The smallest box of the points added so far.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub low: DVec3,
    pub high: DVec3,
}

impl Bounds {
    pub const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// The box of all points of both.
    #[inline(always)]
    pub fn unite(&mut self, other: &Self) {
        let least = |a: f64, b: f64| if a < b { a } else { b };
        let most = |a: f64, b: f64| if a > b { a } else { b };
        let ((a, b), (c, d)) = ((self.low, self.high), (other.low, other.high));
        self.low = DVec3::new(least(c.x, a.x), least(c.y, a.y), least(c.z, a.z));
        self.high = DVec3::new(most(d.x, b.x), most(d.y, b.y), most(d.z, b.z));
    }

    /// `DVec3::min` handles NaN, too, which costs four instructions more per coordinate.
    #[inline(always)]
    pub fn add(&mut self, point: DVec3) {
        let least = |a: f64, b: f64| if a < b { a } else { b };
        let most = |a: f64, b: f64| if a > b { a } else { b };
        let (low, high) = (self.low, self.high);
        self.low = DVec3::new(least(point.x, low.x), least(point.y, low.y), least(point.z, low.z));
        self.high = DVec3::new(most(point.x, high.x), most(point.y, high.y), most(point.z, high.z));
    }
}
