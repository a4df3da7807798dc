//! Bounds of points along turned axes, in lanes: the largest part of fitting.

use crate::math::bounds::Bounds;
use crate::primitive::Triangle;
use crate::simd::level::{self, Operation, dispatch};
use crate::volume::fit::cluster::Cluster;
use fearless_simd::{Simd, SimdBase, f64x4};
use glam::{DMat3, DVec3};

/// Bounds of `matrix * point` over the points of a cluster.
pub fn of_cluster(cluster: &Cluster, matrix: &DMat3) -> Bounds {
    dispatch(level::level(), OfCluster { cluster, matrix })
}

/// `Bounds` of `matrix * vertex` over the vertices of triangles.
pub fn of_triangles(triangles: &[Triangle], matrix: &DMat3) -> Bounds {
    dispatch(level::level(), OfTriangles { triangles, matrix })
}

struct OfCluster<'a> {
    cluster: &'a Cluster<'a>,
    matrix: &'a DMat3,
}

impl Operation for OfCluster<'_> {
    type Output = Bounds;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Bounds {
        let mut bounds = Turned::new(simd, self.matrix);
        // Not a chain of both, which asks at every point where it is.
        self.cluster.own_points().for_each(|point| bounds.add(simd, point));
        self.cluster.shared_points().for_each(|point| bounds.add(simd, point));
        bounds.finish()
    }
}

struct OfTriangles<'a> {
    triangles: &'a [Triangle],
    matrix: &'a DMat3,
}

impl Operation for OfTriangles<'_> {
    type Output = Bounds;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Bounds {
        let mut bounds = Turned::new(simd, self.matrix);
        for &[a, b, c] in self.triangles {
            bounds.add(simd, a);
            bounds.add(simd, b);
            bounds.add(simd, c);
        }
        bounds.finish()
    }
}

/// Running bounds; the fourth lane is idle.
struct Turned<S: Simd> {
    columns: [f64x4<S>; 3],
    low: f64x4<S>,
    high: f64x4<S>,
}

impl<S: Simd> Turned<S> {
    #[inline(always)]
    fn new(simd: S, matrix: &DMat3) -> Self {
        let (x, y, z) = (matrix.x_axis, matrix.y_axis, matrix.z_axis);
        Self {
            columns: [
                f64x4::load_array(simd, [x.x, x.y, x.z, 0.0]),
                f64x4::load_array(simd, [y.x, y.y, y.z, 0.0]),
                f64x4::load_array(simd, [z.x, z.y, z.z, 0.0]),
            ],
            low: f64x4::splat(simd, f64::INFINITY),
            high: f64x4::splat(simd, f64::NEG_INFINITY),
        }
    }

    #[inline(always)]
    fn add(&mut self, simd: S, point: DVec3) {
        let [x, y, z] = self.columns;
        let turned =
            x * f64x4::splat(simd, point.x) + y * f64x4::splat(simd, point.y) + z * f64x4::splat(simd, point.z);
        self.low = self.low.min(turned);
        self.high = self.high.max(turned);
    }

    #[inline(always)]
    fn finish(self) -> Bounds {
        let ([a, b, c, _], [d, e, f, _]) = (self.low.to_array(), self.high.to_array());
        Bounds { low: DVec3::new(a, b, c), high: DVec3::new(d, e, f) }
    }
}
