//! The orientation of a box around some triangles.
//!
//! 1. The eigenvectors of the surface's covariance are the first guess.
//! 2. The box is turned about each of its axes, in smaller and smaller steps, and keeps the smallest surface.
//!
//! Only additions, products, divisions and square roots are used, so that every platform gets the same bits.

use crate::math::bounds::Bounds;
use crate::math::eigen::eigenvectors;
use crate::primitive::Triangle;
use crate::simd::eight::smallest_lane;
use crate::simd::level::{self, Operation, dispatch};
use crate::volume::Quality;
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::turned_bounds;
use arrayvec::ArrayVec;
use fearless_simd::{Simd, SimdBase, f32x8};
use glam::{DMat3, DVec3};

/// Eight turns about an axis: four steps to each side.
struct Turns {
    sines: [f32; 8],
    cosines: [f32; 8],
    /// Tangents of half the angles.
    tangents: [f64; 8],
}

impl Turns {
    /// The tangents of half the angles are multiples of `step`.
    const fn in_steps_of(step: f64) -> Self {
        let mut turns = Self { sines: [0.0; 8], cosines: [0.0; 8], tangents: [0.0; 8] };
        let mut k = 0;
        while k < 8 {
            turns.tangents[k] = step * if k < 4 { k as f64 - 4.0 } else { k as f64 - 3.0 };
            let (sine, cosine) = sine_and_cosine(turns.tangents[k]);
            (turns.sines[k], turns.cosines[k]) = (sine as f32, cosine as f32);
            k += 1;
        }
        turns
    }
}

/// Sine and cosine of an angle, from the tangent of its half.
const fn sine_and_cosine(tangent: f64) -> (f64, f64) {
    let square = tangent * tangent;
    (2.0 * tangent / (1.0 + square), (1.0 - square) / (1.0 + square))
}

/// 12, 23, 34 and 45 degrees.
static WIDE: Turns = Turns::in_steps_of(0.1035);
/// 3, 6, 9 and 11 degrees.
static NARROW: Turns = Turns::in_steps_of(0.025);
/// 0.7, 1.4, 2.1 and 2.7 degrees.
static FINE: Turns = Turns::in_steps_of(0.006);

/// The search uses at most this many triangles of a large cluster. Afterwards the box is fitted to all of them.
const SAMPLE: usize = 128;
/// The same number at FAST.
const FAST_SAMPLE: usize = 16;

/// For at most this many triangles, the flat box of the largest one is tried, too.
const FEW: usize = 8;

/// Axes of a tight box around the cluster: orthonormal, right-handed, finite columns for any triangles.
pub fn axes(cluster: &Cluster, quality: Quality) -> DMat3 {
    search(cluster, quality, &[&WIDE, &NARROW, &FINE])
}

/// `axes` without the finest steps: good enough for cutting the cluster in two.
pub fn cut_axes(cluster: &Cluster, quality: Quality) -> DMat3 {
    search(cluster, quality, &[&WIDE, &NARROW])
}

fn search(cluster: &Cluster, quality: Quality, steps: &[&Turns]) -> DMat3 {
    if cluster.triangles.len() == 1 {
        return flat(&cluster.triangle(0));
    }
    let mut sample = ArrayVec::new();
    fill(&mut sample, cluster, if quality == Quality::High { SAMPLE } else { FAST_SAMPLE });
    let points: &[Triangle] = &sample;
    let guess = principal(points);
    if quality == Quality::Fast {
        return guess;
    }
    let mut best = Candidate::new(points, guess);
    if points.len() <= FEW {
        best.improve(points, flat(&largest(points)));
    }
    let mut along = ArrayVec::new();
    let mut turning = Turning::new(points, &best, &mut along);
    dispatch(level::level(), Search { turning: &mut turning, steps });
    turning.axes
}

/// Axes in the order of the extents along them, and these extents.
#[derive(Clone, Copy, Debug)]
pub struct Sorted {
    /// Right-handed. The largest extent is along the first column, the smallest along the last.
    pub axes: DMat3,
    pub low: DVec3,
    pub high: DVec3,
}

/// `axes`, measured with all points and sorted.
pub fn sorted(cluster: &Cluster, quality: Quality) -> Sorted {
    sorted_along(cluster, axes(cluster, quality))
}

/// The given axes, measured with all points and sorted.
pub fn sorted_along(cluster: &Cluster, axes: DMat3) -> Sorted {
    let Bounds { low, high } = turned_bounds::of_cluster(cluster, &axes.transpose());
    let extent = high - low;
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| extent[j].total_cmp(&extent[i]));
    let [x, y, z] = order;
    let mut sorted = Sorted {
        axes: DMat3::from_cols(axes.col(x), axes.col(y), axes.col(z)),
        low: DVec3::new(low[x], low[y], low[z]),
        high: DVec3::new(high[x], high[y], high[z]),
    };
    if sorted.axes.determinant() < 0.0 {
        sorted.axes.z_axis = -sorted.axes.z_axis;
        (sorted.low.z, sorted.high.z) = (-sorted.high.z, -sorted.low.z);
    }
    sorted
}

/// The axes of a volume made of f32 numbers, orthonormal to rounding again; right-handed, and also where an axis is missing.
/// Axes that are rounded each time that they are used again must not move away from that.
pub fn orthonormal(axes: [[f32; 3]; 2]) -> DMat3 {
    let [x, y] = axes.map(|axis| DVec3::from_array(axis.map(f64::from)));
    let x = x.normalize_or(DVec3::X);
    let y = (y - x * x.dot(y)).normalize_or(x.any_orthonormal_vector());
    DMat3::from_cols(x, y, x.cross(y))
}

/// At most `most` triangles at even steps, relative to the first vertex, so that the offset costs no digits. Written in
/// place, because moving nine kilobytes costs as much as filling a few of them.
fn fill(sample: &mut ArrayVec<Triangle, SAMPLE>, cluster: &Cluster, most: usize) {
    let count = cluster.triangles.len();
    let reference = cluster.point(cluster.triangles[0][0]);
    let step = count.div_ceil(most);
    let mut position = 0;
    while position < count {
        let [a, b, c] = cluster.triangle(position);
        sample.push([a - reference, b - reference, c - reference]);
        position += step;
    }
}

/// The exact smallest box of one triangle: flat, along one of its edges.
fn flat(triangle: &Triangle) -> DMat3 {
    let edges = [triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]];
    let [first, second, third] = [edges[0].abs(), edges[1].abs(), edges[2].abs()];
    let largest = first.max(second).max(third).max_element();
    // Scaled to about 1, so that products neither vanish nor overflow.
    let scale = 1.0 / largest;
    if !scale.is_finite() || largest == 0.0 {
        return DMat3::IDENTITY;
    }
    // Spelt out: `map` would not be inlined.
    let edges = [edges[0] * scale, edges[1] * scale, edges[2] * scale];
    let normal = edges[0].cross(edges[1]);
    // All three rectangles are `2 A / |e|` high. Their width is `|e|`, or more when an angle at e is obtuse.
    let mut best = (f64::INFINITY, DVec3::X);
    for (k, &edge) in edges.iter().enumerate() {
        let square = edge.length_squared();
        let along = -edges[(k + 2) % 3].dot(edge);
        let width = along.max(square) - along.min(0.0);
        if square > 0.0 && width / square < best.0 {
            best = (width / square, edge);
        }
    }
    basis(best.1, normal)
}

/// Right-handed axes: along `first`, then across, then as near to `third` as a right angle allows.
fn basis(first: DVec3, third: DVec3) -> DMat3 {
    let square = first.length_squared();
    let x = first / square.sqrt();
    // A third direction that is nearly at a right angle needs no second step. This holds for triangles that are not
    // needles.
    let (along, height) = (x.dot(third), third.length_squared());
    if height > 1e-2 * square * square && along * along <= 1e-31 * height {
        let z = third / height.sqrt();
        return DMat3::from_cols(x, z.cross(x), z);
    }
    let across = third - x * x.dot(third);
    let least = third.length_squared() * 1e-20;
    let z = if across.length_squared() > least { across.normalize() } else { x.any_orthonormal_vector() };
    let z = (z - x * x.dot(z)).normalize();
    DMat3::from_cols(x, z.cross(x), z)
}

fn largest(points: &[Triangle]) -> Triangle {
    let mut best = (-1.0, points[0]);
    for triangle in points {
        let square = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).length_squared();
        if square > best.0 {
            best = (square, *triangle);
        }
    }
    best.1
}

/// Eigenvectors of the covariance of the surface, or of the vertices if there is no surface.
fn principal(points: &[Triangle]) -> DMat3 {
    let (mut mass, mut first, mut second) = (0.0, DVec3::ZERO, Symmetric::default());
    for triangle in points {
        let [a, b, c] = *triangle;
        let area = (b - a).cross(c - a).length();
        let sum = a + b + c;
        mass += area;
        first += sum * (area / 3.0);
        second.add(area / 12.0, &[sum, a, b, c]);
    }
    let least = points.iter().flatten().map(|point| point.length_squared()).fold(0.0, f64::max) * 1e-14;
    if mass <= least * points.len() as f64 {
        (mass, first, second) = (0.0, DVec3::ZERO, Symmetric::default());
        for triangle in points {
            mass += 3.0;
            first += triangle[0] + triangle[1] + triangle[2];
            second.add(1.0, triangle);
        }
    }
    let mean = first / mass;
    second.add(-mass, &[mean]);
    eigenvectors(&second.0)
}

/// A symmetric matrix: xx, yy, zz, yz, zx, xy.
#[derive(Default)]
struct Symmetric([f64; 6]);

impl Symmetric {
    fn add(&mut self, weight: f64, points: &[DVec3]) {
        for p in points {
            let w = *p * weight;
            let products = [w.x * p.x, w.y * p.y, w.z * p.z, w.y * p.z, w.z * p.x, w.x * p.y];
            for (sum, product) in self.0.iter_mut().zip(products) {
                *sum += product;
            }
        }
    }
}

/// A basis and the surface of its box.
struct Candidate {
    axes: DMat3,
    extent: DVec3,
}

/// Half the surface: the chance of an overlap grows with it, also for flat boxes.
fn surface(extent: DVec3) -> f64 {
    extent.x * extent.y + extent.y * extent.z + extent.z * extent.x
}

impl Candidate {
    fn new(points: &[Triangle], axes: DMat3) -> Self {
        let bounds = turned_bounds::of_triangles(points, &axes.transpose());
        Self { axes, extent: bounds.high - bounds.low }
    }

    fn improve(&mut self, points: &[Triangle], axes: DMat3) {
        let other = Self::new(points, axes);
        if surface(other.extent) < surface(self.extent) {
            *self = other;
        }
    }
}

/// A box that turns, and the points along its axes. In f32, because only choices depend on them.
struct Turning<'a> {
    points: &'a mut [[f32; 3]],
    axes: DMat3,
    extent: [f32; 3],
}

impl<'a> Turning<'a> {
    /// Writes the points to `along`, in place as in `fill`.
    #[inline(always)]
    fn new(points: &[Triangle], start: &Candidate, along: &'a mut ArrayVec<[f32; 3], { 3 * SAMPLE }>) -> Self {
        let axes = start.axes;
        for point in points.as_flattened() {
            let [x, y, z] = [axes.x_axis.dot(*point), axes.y_axis.dot(*point), axes.z_axis.dot(*point)];
            along.push([x as f32, y as f32, z as f32]);
        }
        Self { points: along, axes, extent: start.extent.as_vec3().to_array() }
    }

    /// Tries turns about an axis, and takes the one with the smallest surface.
    #[inline(always)]
    fn turn<S: Simd>(&mut self, simd: S, fixed: usize, turns: &Turns) {
        let (i, j) = ((fixed + 1) % 3, (fixed + 2) % 3);
        let (sines, cosines) = (f32x8::load_array_ref(simd, &turns.sines), f32x8::load_array_ref(simd, &turns.cosines));
        let (most, least) = (f32x8::splat(simd, f32::INFINITY), f32x8::splat(simd, f32::NEG_INFINITY));
        let (mut low, mut high) = ([most; 2], [least; 2]);
        for point in &*self.points {
            let (x, y) = (f32x8::splat(simd, point[i]), f32x8::splat(simd, point[j]));
            let (along, across) = (x * cosines + y * sines, y * cosines - x * sines);
            low = [low[0].min(along), low[1].min(across)];
            high = [high[0].max(along), high[1].max(across)];
        }
        let (along, across) = (high[0] - low[0], high[1] - low[1]);
        // Half the surface, as in `surface`.
        let (smallest, k) = smallest_lane(along * across + (along + across) * self.extent[fixed]);
        let [x, y] = [self.extent[i], self.extent[j]];
        if !(smallest < x * y + (x + y) * self.extent[fixed]) {
            return;
        }
        let k = k as usize % 8;
        (self.extent[i], self.extent[j]) = (along.as_slice()[k], across.as_slice()[k]);
        let (sine, cosine) = (turns.sines[k], turns.cosines[k]);
        for point in &mut *self.points {
            let (x, y) = (point[i], point[j]);
            (point[i], point[j]) = (x * cosine + y * sine, y * cosine - x * sine);
        }
        let (sine, cosine) = sine_and_cosine(turns.tangents[k]);
        let (u, v) = (self.axes.col(i), self.axes.col(j));
        *self.axes.col_mut(i) = u * cosine + v * sine;
        *self.axes.col_mut(j) = v * cosine - u * sine;
    }
}

/// Turns a box about one axis after the other, in smaller and smaller steps.
struct Search<'a, 'p> {
    turning: &'a mut Turning<'p>,
    steps: &'a [&'a Turns],
}

impl Operation for Search<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for turns in self.steps {
            for fixed in 0..3 {
                self.turning.turn(simd, fixed, turns);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_orthonormal_whatever_the_triangles() {
        let patterns: [fn(f64) -> DVec3; 7] = [
            |_| DVec3::ZERO,
            |_| DVec3::new(0.1, 0.7, -0.3),
            |t| DVec3::new(t, 2.0 * t, -t),
            |t| DVec3::new(t, t * t, 0.0),
            |t| DVec3::new(t, t * t, t * t * t),
            |t| DVec3::new(1.0 + 1e-16 * t, t * 1e-17, 1e-200 * t * t),
            |t| DVec3::new(t, 1e-9 * t * t, 0.5),
        ];
        for (pattern, at) in patterns.iter().enumerate() {
            for scale in [1.0, 1e-30, 1e-80, 1e-160, 1e-300, 5e-324] {
                for count in [1, 2, 3, 8, 9, 300] {
                    let vertices: Vec<DVec3> =
                        (0..count + 2).map(|k| at((k * 37 % 101) as f64 / 101.0) * scale).collect();
                    let triangles: Vec<[u32; 3]> = (0..count as u32).map(|k| [k, k + 1, k + 2]).collect();
                    let cluster = Cluster::new(&vertices, DVec3::ZERO, &triangles);
                    for quality in [Quality::High, Quality::Fast] {
                        let axes = axes(&cluster, quality);
                        let product = axes.transpose() * axes;
                        let off =
                            (product - DMat3::IDENTITY).to_cols_array().iter().fold(0.0, |m: f64, e| m.max(e.abs()));
                        assert!(off < 4e-15, "pattern {pattern}, {count} times {scale}: {axes} is off by {off}");
                        assert!(axes.determinant() > 0.0);
                    }
                }
            }
        }
    }

    #[test]
    fn one_triangle_gets_its_smallest_rectangle() {
        let vertices = [DVec3::new(1.0, 1.0, 0.0), DVec3::new(4.0, 1.0, 3.0), DVec3::new(1.5, 3.0, 0.5)];
        let cluster = Cluster::new(&vertices, DVec3::ZERO, &[[0, 1, 2]]);
        let extent = Candidate::new(&[vertices], axes(&cluster, Quality::High)).extent;
        let twice = (vertices[1] - vertices[0]).cross(vertices[2] - vertices[0]).length();
        assert!(extent.min_element() < 1e-15);
        assert!((surface(extent) - twice).abs() < 1e-14, "{extent}: an acute triangle fills half of its rectangle");
    }
}
