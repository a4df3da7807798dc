//! The spherical shell around some triangles [Krishnan 1998, 4].
//!
//! A sphere is described from a point on it, not from its centre: `base`, the outward unit normal `axis` there and the
//! curvature. The centre is `base - axis / curvature`, but it is never computed. With `w = x - base` the height `w .
//! axis + curvature |w|^2 / 2` is `(|x - centre|^2 - radius^2) / (2 radius)`. The height loses no digits for large
//! radii, and a plane has curvature 0. So flat sets, whose least-squares centre is at infinity, need no special case.

use crate::math::bounds::Bounds;
use crate::math::eigen::eigenvectors;
use crate::math::enclosing_sphere::smallest_sphere;
use crate::primitive::Triangle;
use crate::volume::Quality;
use crate::volume::fit::cluster::Cluster;
use crate::volume::fit::turned_bounds;
use arrayvec::ArrayVec;
use glam::{DMat3, DVec3};

/// Cells of the grid along each axis of the bounds. A surface crosses about 100 of the 512 cells.
const CELLS: usize = 8;

/// Candidates are compared on at most this many triangles. The chosen one is then fitted to all of them.
const SAMPLE: usize = 128;

/// Radii below `2^-30` of the model's unit are finer than f32 coordinates. Such shells are flat.
const MOST_CURVED: f64 = 1_073_741_824.0;

/// A sphere through `base` with outward unit normal `axis` there, or a plane.
#[derive(Clone, Copy, Debug)]
pub struct Sphere {
    pub base: DVec3,
    pub axis: DVec3,
    /// At least 0.
    pub curvature: f64,
}

impl Sphere {
    /// `(|x - centre|^2 - radius^2) / (2 radius)`.
    pub fn height(&self, point: DVec3) -> f64 {
        let w = point - self.base;
        w.dot(self.axis) + 0.5 * self.curvature * w.length_squared()
    }

    /// `|x - centre| - radius` of a point of this height.
    pub fn beyond(&self, height: f64) -> f64 {
        2.0 * height / (1.0 + (1.0 + 2.0 * self.curvature * height).max(0.0).sqrt())
    }

    /// From the centre to the point, in radii: unit length on the sphere.
    fn ray(&self, point: DVec3) -> DVec3 {
        self.axis + (point - self.base) * self.curvature
    }

    /// Square of the distance between `base` and the radial projection of the point on the sphere. A cone that just
    /// holds the point has the half angle with `1 - cos = curvature^2 chord^2 / 2`, up to 180 degrees.
    pub fn chord_squared(&self, point: DVec3) -> f64 {
        let beyond = self.beyond(self.height(point));
        // |w|^2 = beyond^2 + (radius + beyond) / radius * chord^2, by the law of cosines.
        let stretch = 1.0 + self.curvature * beyond;
        if stretch < 1e-6 {
            return self.opposite();
        }
        (((point - self.base).length_squared() - beyond * beyond) / stretch).max(0.0)
    }

    /// Square of the chord of 180 degrees.
    fn opposite(&self) -> f64 {
        4.0 / (self.curvature * self.curvature)
    }

    /// The same sphere, described from the radial projection of `point`; the new axis points to it [Krishnan 1998,
    /// 4.4].
    fn based_at(&self, point: DVec3) -> Self {
        let w = point - self.base;
        let beyond = self.beyond(self.height(point));
        let stretch = 1.0 + self.curvature * beyond;
        let ray = self.ray(point);
        if !(stretch > 1e-6 && ray.length_squared() > 1e-12) {
            return *self;
        }
        Self { base: self.base + (w - self.axis * beyond) / stretch, axis: ray.normalize(), ..*self }
    }

    /// The sphere where `height + x . (1, u, v, |w|^2 / 2) = 0`, with `u`, `v` the coordinates in the tangent plane and all
    /// lengths in units of `extent`.
    fn changed(&self, x: [f64; 4], extent: f64) -> Self {
        let (first, second) = self.axis.any_orthonormal_pair();
        let normal = self.axis + first * x[1] + second * x[2];
        let scale = 1.0 / extent;
        let (length, curvature) = (normal.length(), self.curvature + x[3] * scale);
        let offset = x[0] * extent;
        let steepness = (length * length - 2.0 * offset * curvature).max(0.0).sqrt();
        let axis = normal / length;
        let base = self.base - axis * (2.0 * offset / (length + steepness));
        let curvature = curvature / steepness;
        if curvature < 0.0 {
            Self { base, axis: -axis, curvature: -curvature }
        } else {
            Self { base, axis, curvature }
        }
    }

    /// The lowest height on a triangle: its point nearest to the centre [Krishnan 1998, 4.3].
    fn lowest(&self, triangle: &Triangle) -> f64 {
        let heights = triangle.map(|point| self.height(point));
        let mut lowest = heights[0].min(heights[1]).min(heights[2]);
        if self.curvature == 0.0 {
            return lowest;
        }
        for k in 0..3 {
            let edge = triangle[(k + 1) % 3] - triangle[k];
            let slope = edge.dot(self.ray(triangle[k]));
            let bend = self.curvature * edge.length_squared();
            if slope < 0.0 && -slope < bend {
                lowest = lowest.min(heights[k] - 0.5 * slope * slope / bend);
            }
        }
        // Inside the triangle, at the foot of the centre, the gradient vanishes along both edges.
        let (e, f, ray) = (triangle[1] - triangle[0], triangle[2] - triangle[0], self.ray(triangle[0]));
        let (ee, ef, ff) = (e.length_squared(), e.dot(f), f.length_squared());
        let (eg, fg) = (e.dot(ray), f.dot(ray));
        let determinant = self.curvature * (ee * ff - ef * ef);
        let (u, v) = ((fg * ef - eg * ff) / determinant, (eg * ef - fg * ee) / determinant);
        if u > 0.0 && v > 0.0 && u + v < 1.0 {
            lowest = lowest.min(heights[0] + 0.5 * (u * eg + v * fg));
        }
        lowest
    }

    /// The widest chord of a triangle when the cone may open beyond 90 degrees, where vertices are not enough [Krishnan
    /// 1998, 4.5].
    fn widest_chord_squared(&self, triangle: &Triangle) -> f64 {
        let rays = triangle.map(|point| self.ray(point));
        let mut widest = triangle.iter().map(|&point| self.chord_squared(point)).fold(0.0, f64::max);
        for k in 0..3 {
            // cos = axis . v / |v| has one extremum along v + t d: the quadratic of case 3 has no square term.
            let (v, d) = (rays[k], rays[(k + 1) % 3] - rays[k]);
            let (av, ad, vv, vd, dd) =
                (self.axis.dot(v), self.axis.dot(d), v.length_squared(), v.dot(d), d.length_squared());
            let t = (av * vd - ad * vv) / (ad * vd - av * dd);
            if t > 0.0 && t < 1.0 {
                let extreme = v + d * t;
                let length = extreme.length();
                if length < 1e-6 {
                    return self.opposite();
                }
                let cosine = self.axis.dot(extreme) / length;
                widest = widest.max((1.0 - cosine) * 0.5 * self.opposite());
            }
        }
        // The ray against the axis hits the triangle if -axis is a combination of the corners without negative weights.
        let scale = rays.iter().map(|ray| ray.length()).fold(0.0, f64::max);
        let determinant = rays[0].dot(rays[1].cross(rays[2]));
        let against = -self.axis * determinant.signum();
        let hit = (0..3).all(|k| against.dot(rays[(k + 1) % 3].cross(rays[(k + 2) % 3])) >= -1e-12 * scale * scale);
        if hit || self.beyond(self.lowest(triangle)) * self.curvature < -1.0 + 1e-6 {
            return self.opposite();
        }
        widest
    }

    /// How far triangles lie below and above the sphere.
    fn span<'a>(&self, triangles: impl Iterator<Item = &'a Triangle>) -> (f64, f64) {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for triangle in triangles {
            low = low.min(self.lowest(triangle));
            high = triangle.iter().map(|&point| self.height(point)).fold(high, f64::max);
        }
        (self.beyond(low), self.beyond(high))
    }
}

/// A sphere in f32 numbers and how far the triangles go from it.
#[derive(Clone, Copy, Debug)]
pub struct Fitted {
    pub sphere: Sphere,
    /// The axis of the sphere as f32 stores it. Rounding the normalised axis again could give another number.
    pub axis: [f32; 3],
    /// At least every `| |x - centre| - radius |`.
    pub half_thickness: f64,
    /// At least every chord.
    pub chord: f64,
}

/// A tight shell around the cluster, for any triangles.
pub fn fit(cluster: &Cluster, quality: Quality) -> Fitted {
    enclose(cluster, if cluster.triangles.len() == 1 { flat(&cluster.triangle(0)) } else { best(cluster, quality) })
}

/// The shell around a cluster that moved, given the sphere that fitted it before: least squares once, from the plane across
/// the old axis.
pub fn refit(cluster: &Cluster, before: &Sphere) -> Fitted {
    let (first, second) = before.axis.any_orthonormal_pair();
    let axes = DMat3::from_cols(first, second, before.axis);
    let Bounds { low, high } = turned_bounds::of_cluster(cluster, &axes.transpose());
    let (plane, extent) = (
        Sphere { base: axes * (low * 0.5 + high * 0.5), axis: before.axis, curvature: 0.0 },
        (high - low).max_element(),
    );
    let scale = 1.0 / extent;
    if !scale.is_finite() || extent == 0.0 {
        return enclose(cluster, plane);
    }
    let mut matrix = [[0.0; 5]; 4];
    cluster.points().for_each(|point| {
        let w = (point - plane.base) * scale;
        let row = [1.0, w.dot(first), w.dot(second), 0.5 * w.length_squared()];
        add_row(&mut matrix, &row, w.dot(plane.axis), 1.0);
    });
    let found = solve(matrix).map(|x| plane.changed(x, extent)).filter(is_usable);
    // The cone is narrow where it opens at the middle of the points.
    enclose(cluster, found.map_or(plane, |sphere| sphere.based_at(plane.base)))
}

/// The thinnest and narrowest shell around the cluster that is concentric with the sphere and has its axis.
fn enclose(cluster: &Cluster, sphere: Sphere) -> Fitted {
    let all = || (0..cluster.triangles.len()).map(|position| cluster.triangle(position));
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for triangle in all() {
        let (from, to) = sphere.span(core::iter::once(&triangle));
        (low, high) = (low.min(from), high.max(to));
    }
    // Half way between the two radii the thickness is the same on both sides.
    let middle = 0.5 * (low + high);
    let stretch = 1.0 + sphere.curvature * middle;
    let curvature = sphere.curvature / stretch;
    let curvature = if curvature.is_finite() && curvature < MOST_CURVED { curvature } else { 0.0 };
    let axis = sphere.axis.as_vec3().to_array();
    let sphere = Sphere {
        base: (sphere.base + sphere.axis * middle).as_vec3().as_dvec3(),
        axis: DVec3::from_array(axis.map(f64::from)).normalize(),
        curvature: f64::from(curvature as f32),
    };
    let (mut thickness, mut chord, mut farthest): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for triangle in all() {
        let (low, high) = sphere.span(core::iter::once(&triangle));
        thickness = thickness.max(high).max(-low);
        for point in triangle {
            chord = chord.max(sphere.chord_squared(point));
            farthest = farthest.max((point - sphere.base).length_squared());
        }
    }
    if chord * curvature * curvature > 1.99 {
        chord = all().map(|triangle| sphere.widest_chord_squared(&triangle)).fold(chord, f64::max);
    }
    // About thirty roundings, at numbers up to the distance of the farthest point and of the base from the origin.
    let magnitude = farthest.sqrt() + sphere.base.abs().max_element();
    // The last term is for squares that underflow.
    let pad = magnitude * 2f64.powi(-46) + f64::from(f32::MIN_POSITIVE);
    Fitted { sphere, axis, half_thickness: thickness + pad, chord: (chord + farthest * 2f64.powi(-44)).sqrt() + pad }
}

/// The plane of one triangle, based at the centre of its smallest circle.
fn flat(triangle: &Triangle) -> Sphere {
    let edges = [triangle[1] - triangle[0], triangle[2] - triangle[1], triangle[0] - triangle[2]];
    let largest = edges.iter().map(|edge| edge.abs().max_element()).fold(0.0, f64::max);
    let scale = 1.0 / largest;
    if !scale.is_finite() || largest == 0.0 {
        return Sphere { base: triangle[0], axis: DVec3::Z, curvature: 0.0 };
    }
    // Scaled to about 1, so that products neither vanish nor overflow.
    let edges = edges.map(|edge| edge * scale);
    let squares = edges.map(|edge| edge.length_squared());
    let longest = if squares[0] >= squares[1] && squares[0] >= squares[2] {
        0
    } else if squares[1] >= squares[2] {
        1
    } else {
        2
    };
    let normal = edges[0].cross(edges[1]);
    let length = normal.length();
    let axis = if length > 1e-14 { normal / length } else { edges[longest].any_orthogonal_vector().normalize() };
    let (next, last) = ((longest + 1) % 3, (longest + 2) % 3);
    let middle = triangle[longest] + edges[longest] * (0.5 * largest);
    let mut base = middle;
    if squares[longest] < squares[next] + squares[last] {
        // Acute: the circumcentre is above the middle of the longest edge by cot(opposite angle) of its half.
        let inward = axis.cross(edges[longest]);
        base += inward * (0.5 * -edges[next].dot(edges[last]) / length * largest);
    }
    Sphere { base, axis, curvature: 0.0 }
}

/// The best of the plane, the local fit and the least-squares sphere, with the base where the cone is narrow.
fn best(cluster: &Cluster, quality: Quality) -> Sphere {
    let mut bounds = Bounds::EMPTY;
    cluster.points().for_each(|point| bounds.add(point));
    let step = cluster.triangles.len().div_ceil(SAMPLE);
    let sample: ArrayVec<Triangle, SAMPLE> =
        (0..cluster.triangles.len()).step_by(step).map(|position| cluster.triangle(position)).collect();
    let mut best = (f64::INFINITY, Sphere { base: bounds.low, axis: DVec3::Z, curvature: 0.0 });
    for candidate in candidates(cluster, &bounds) {
        let (low, high) = candidate.span(sample.iter());
        // The plane comes first, so a sphere has to be better than the plane.
        if high - low < best.0 * (1.0 - 1e-9) {
            best = (high - low, candidate);
        }
    }
    if quality == Quality::High {
        let thinner = thinnest(&best.1, &sample, (bounds.high - bounds.low).max_element());
        let (low, high) = thinner.span(sample.iter());
        if high - low < best.0 && is_usable(&thinner) {
            best.1 = thinner;
        }
    }
    narrowest(cluster, &best.1, &sample)
}

/// Steps of the weighted least squares that approach the thinnest shell.
const THINNING: usize = 24;

/// Lawson's method for the smallest largest deviation: repeated least squares, with weights that grow where the
/// deviation is large. Plain least squares gives thicker shells, because a corner counts as little as any other point.
///
/// All spheres near the given one are `height + x . (1, u, v, |w|^2 / 2) = 0` for some four numbers `x`, with `u`, `v`
/// the coordinates in the tangent plane.
fn thinnest(sphere: &Sphere, sample: &[Triangle], extent: f64) -> Sphere {
    let scale = 1.0 / extent;
    if !scale.is_finite() || extent == 0.0 {
        return *sphere;
    }
    let (first, second) = sphere.axis.any_orthonormal_pair();
    // Centroids stand for the lowest points of the triangles.
    let mut rows: ArrayVec<([f64; 4], f64), { 4 * SAMPLE }> = ArrayVec::new();
    for triangle in sample {
        let centroid = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
        for point in [triangle[0], triangle[1], triangle[2], centroid] {
            let w = (point - sphere.base) * scale;
            rows.push(([1.0, w.dot(first), w.dot(second), 0.5 * w.length_squared()], sphere.height(point) * scale));
        }
    }
    let mut weights: ArrayVec<f64, { 4 * SAMPLE }> = rows.iter().map(|_| 1.0).collect();
    let mut best = (f64::INFINITY, [0.0; 4]);
    for _ in 0..THINNING {
        let mut matrix = [[0.0; 5]; 4];
        for ((row, height), weight) in rows.iter().zip(&weights) {
            add_row(&mut matrix, row, *height, *weight);
        }
        let Some(x) = solve(matrix) else { break };
        let deviation =
            |row: &[f64; 4], height: f64| height + x[0] * row[0] + x[1] * row[1] + x[2] * row[2] + x[3] * row[3];
        let (mut low, mut high, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for ((row, height), weight) in rows.iter().zip(&mut weights) {
            let here = deviation(row, *height);
            (low, high) = (low.min(here), high.max(here));
            *weight *= here.abs();
            sum += *weight;
        }
        if high - low < best.0 {
            best = (high - low, x);
        }
        if !(sum > 0.0) {
            break;
        }
        let normal = rows.len() as f64 / sum;
        weights.iter_mut().for_each(|weight| *weight *= normal);
    }
    sphere.changed(best.1, extent)
}

/// Adds an equation to those of least squares.
#[inline(always)]
fn add_row(matrix: &mut [[f64; 5]; 4], row: &[f64; 4], height: f64, weight: f64) {
    for i in 0..4 {
        for j in i..4 {
            matrix[i][j] += weight * row[i] * row[j];
        }
        matrix[i][4] -= weight * row[i] * height;
    }
}

/// Solves the symmetric system with the given upper triangle and the right side in the last column. None if it is
/// singular.
fn solve(mut m: [[f64; 5]; 4]) -> Option<[f64; 4]> {
    let diagonal = [m[0][0], m[1][1], m[2][2], m[3][3]];
    for i in 0..4 {
        if !(m[i][i] > diagonal[i] * 1e-13) {
            return None;
        }
        for j in i + 1..4 {
            let factor = m[i][j] / m[i][i];
            let pivot = m[i];
            for (entry, above) in m[j].iter_mut().zip(pivot).skip(j) {
                *entry -= factor * above;
            }
        }
    }
    let mut x = [0.0; 4];
    for i in (0..4).rev() {
        let known: f64 = (i + 1..4).map(|j| m[i][j] * x[j]).sum();
        x[i] = (m[i][4] - known) / m[i][i];
    }
    Some(x)
}

/// The means of the vertices in each cell of a grid over the bounds [Krishnan 1998, 4.1].
fn means(cluster: &Cluster, bounds: &Bounds, scale: f64) -> ArrayVec<DVec3, 512> {
    let mut sums = [(DVec3::ZERO, 0.0); CELLS * CELLS * CELLS];
    let middle = bounds.low * 0.5 + bounds.high * 0.5;
    for point in cluster.points() {
        let local = (point - middle) * scale;
        let [x, y, z] = local.to_array().map(|c| (((c + 1.0) * 0.5 * CELLS as f64) as usize).min(CELLS - 1));
        let sum = &mut sums[(x * CELLS + y) * CELLS + z];
        *sum = (sum.0 + local, sum.1 + 1.0);
    }
    sums.iter().filter(|sum| sum.1 > 0.0).map(|sum| sum.0 / sum.1).collect()
}

/// The plane, the local fit, and the least-squares sphere of the means.
fn candidates(cluster: &Cluster, bounds: &Bounds) -> ArrayVec<Sphere, 3> {
    let middle = bounds.low * 0.5 + bounds.high * 0.5;
    let extent = (bounds.high - bounds.low).max_element() * 0.5;
    let scale = 1.0 / extent;
    let mut spheres = ArrayVec::new();
    if !scale.is_finite() || extent == 0.0 {
        return spheres;
    }
    let few: ArrayVec<DVec3, { 3 * SAMPLE }>;
    let many;
    let points: &[DVec3] = if cluster.triangles.len() <= SAMPLE {
        few = cluster.points().map(|point| (point - middle) * scale).collect();
        &few
    } else {
        many = means(cluster, bounds, scale);
        &many
    };
    let count = points.len() as f64;
    let mean = points.iter().sum::<DVec3>() / count;
    let mut second = [0.0; 6];
    for &point in points {
        let p = point - mean;
        let products = [p.x * p.x, p.y * p.y, p.z * p.z, p.y * p.z, p.z * p.x, p.x * p.y];
        second.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
    }
    let mut frame = eigenvectors(&second);
    let spread = |axis: DVec3| points.iter().map(|&p| (p - mean).dot(axis).powi(2)).sum::<f64>();
    let spreads = [spread(frame.x_axis), spread(frame.y_axis), spread(frame.z_axis)];
    // The normal is where the points spread least; it comes last.
    if spreads[0] < spreads[1] && spreads[0] < spreads[2] {
        frame = DMat3::from_cols(frame.y_axis, frame.z_axis, frame.x_axis);
    } else if spreads[1] < spreads[2] {
        frame = DMat3::from_cols(frame.z_axis, frame.x_axis, frame.y_axis);
    }
    let given = |sphere: Sphere| Sphere {
        base: middle + (mean + frame * sphere.base) * extent,
        axis: (frame * sphere.axis).normalize(),
        curvature: sphere.curvature * scale,
    };
    let local = |point: &DVec3| frame.transpose() * (*point - mean);
    spheres.push(given(Sphere { base: DVec3::ZERO, axis: DVec3::Z, curvature: 0.0 }));
    let sums = Sums::of(points.iter().map(local));
    spheres.extend(sums.height_field().map(given).filter(is_usable));
    spheres.extend(sums.least_squares(count).map(given).filter(is_usable));
    spheres
}

fn is_usable(sphere: &Sphere) -> bool {
    sphere.base.is_finite() && sphere.axis.is_finite() && sphere.curvature >= 0.0 && sphere.curvature < MOST_CURVED
}

/// Sums over points relative to their mean, in their principal frame, where mixed products vanish.
struct Sums {
    /// Squares of the coordinates.
    squares: DVec3,
    /// Coordinates times the squared distance from the mean, and times the squared distance in the tangent plane.
    by_distance: DVec3,
    by_lateral: DVec3,
    distance: f64,
    lateral: f64,
    lateral_square: f64,
    count: f64,
}

impl Sums {
    fn of(points: impl Iterator<Item = DVec3>) -> Self {
        let mut sums = Self {
            squares: DVec3::ZERO,
            by_distance: DVec3::ZERO,
            by_lateral: DVec3::ZERO,
            distance: 0.0,
            lateral: 0.0,
            lateral_square: 0.0,
            count: 0.0,
        };
        for point in points {
            let lateral = point.x * point.x + point.y * point.y;
            let distance = lateral + point.z * point.z;
            sums.squares += point * point;
            sums.by_distance += point * distance;
            sums.by_lateral += point * lateral;
            sums.distance += distance;
            sums.lateral += lateral;
            sums.lateral_square += lateral * lateral;
            sums.count += 1.0;
        }
        sums
    }

    /// Least squares of z against 1, x, y and x^2 + y^2. Never singular where the points spread in two directions. Flat
    /// sets get curvature 0.
    fn height_field(&self) -> Option<Sphere> {
        let tilt = |sum: f64, square: f64| if square > 0.0 { sum / square } else { 0.0 };
        let (x, y) = (tilt(self.by_lateral.x, self.squares.x), tilt(self.by_lateral.y, self.squares.y));
        let mean = self.lateral / self.count;
        let square = self.lateral_square - mean * self.lateral - x * self.by_lateral.x - y * self.by_lateral.y;
        if !(square > self.lateral_square * 1e-12) {
            return None;
        }
        // z = bend (x^2 + y^2 - mean - tilt . (x, y))
        let bend = self.by_lateral.z / square;
        let normal = DVec3::new(bend * x, bend * y, 1.0).normalize() * if bend < 0.0 { 1.0 } else { -1.0 };
        Some(Sphere { base: DVec3::new(0.0, 0.0, -bend * mean), axis: normal, curvature: 2.0 * bend.abs() })
    }

    /// The sphere of [Krishnan 1998, 4.1]. In the principal frame its normal equations are diagonal. None where the
    /// points are so flat that the centre is far away.
    fn least_squares(&self, count: f64) -> Option<Sphere> {
        let centre = 0.5 * self.by_distance / self.squares;
        let radius = (self.distance / count + centre.length_squared()).sqrt();
        if !(radius < 1e4) {
            return None;
        }
        let axis = if centre.length() > 1e-6 * radius { -centre.normalize() } else { DVec3::Z };
        Some(Sphere { base: centre + axis * radius, axis, curvature: 1.0 / radius })
    }
}

/// The sphere with its base where the cone is narrowest: at the area-weighted mean direction [Krishnan 1998, 4.4], or
/// at the centre of the smallest ball around the points if that is narrower.
fn narrowest(cluster: &Cluster, sphere: &Sphere, sample: &[Triangle]) -> Sphere {
    let (mut mass, mut mean) = (0.0, DVec3::ZERO);
    for triangle in sample {
        let centroid = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
        // Unit vectors to the centroids: the weight is divided by the length of the ray.
        let stretch = sphere.ray(centroid).length().max(1e-3);
        let weight = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).length() / stretch;
        mass += weight;
        mean += (centroid - sphere.base) * weight;
    }
    let middle = if mass > 0.0 { sphere.base + mean / mass } else { sample[0][0] };
    let widest = |sphere: &Sphere| cluster.points().map(|point| sphere.chord_squared(point)).fold(0.0, f64::max);
    let best = sphere.based_at(middle);
    let least = widest(&best);
    let (ball, _) = smallest_sphere(sample.iter().flatten().copied());
    let other = sphere.based_at(ball);
    let chord = widest(&other);
    if chord < least { other } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::properties::Random;

    /// Points of a triangle: corners, edges and inside.
    fn points(triangle: &Triangle) -> impl Iterator<Item = DVec3> + '_ {
        (0..=12).flat_map(move |i| {
            (0..=12 - i).map(move |j| {
                let (u, v) = (i as f64 / 12.0, j as f64 / 12.0);
                triangle[0] * (1.0 - u - v) + triangle[1] * u + triangle[2] * v
            })
        })
    }

    #[test]
    fn no_point_of_a_triangle_is_lower_or_wider() {
        let mut random = Random(1);
        let (mut opposite, mut hidden) = (0, 0);
        for number in 0..4000 {
            let curvature = if number % 7 == 0 { 0.0 } else { 2f64.powf(2.0 * random.number()) };
            let sphere = Sphere { base: random.point(), axis: random.point().normalize(), curvature };
            let mut triangle = [random.point(), random.point(), random.point()];
            if number % 3 == 0 && curvature > 0.0 {
                // Across the ray from the centre against the axis.
                let through = sphere.base - sphere.axis / curvature * (1.0 + random.number().abs());
                let shift = through - (triangle[0] + triangle[1] + triangle[2]) / 3.0;
                triangle = triangle.map(|corner| corner + shift);
            }
            let lowest = sphere.lowest(&triangle);
            assert!(points(&triangle).all(|point| sphere.height(point) >= lowest - 1e-12));
            if curvature > 0.0 {
                let widest = sphere.widest_chord_squared(&triangle);
                let corners = triangle.iter().map(|&corner| sphere.chord_squared(corner)).fold(0.0, f64::max);
                let seen = points(&triangle).map(|point| sphere.chord_squared(point)).fold(0.0, f64::max);
                assert!(seen <= widest * (1.0 + 1e-9), "{number}: {seen} beyond {widest}");
                opposite += (widest == sphere.opposite()) as u32;
                hidden += (seen > corners * 1.01 && widest < sphere.opposite()) as u32;
            }
        }
        assert!(opposite > 500 && hidden > 50, "{opposite} hit by the ray, {hidden} widest inside an edge");
    }

    /// A part of the unit sphere down to the polar angle, moved and scaled.
    fn cap(angle: f64, radius: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let (bands, meridians) = (12, 24);
        let mut vertices = Vec::new();
        for band in 0..=bands {
            for meridian in 0..meridians {
                let polar = angle * band as f64 / bands as f64;
                let around = core::f64::consts::TAU * meridian as f64 / meridians as f64;
                let direction = DVec3::new(polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos());
                vertices.push(DVec3::new(0.3, -0.2, 0.1 - radius) + direction * radius);
            }
        }
        let mut triangles = Vec::new();
        for band in 0..bands {
            for meridian in 0..meridians {
                let next = (meridian + 1) % meridians;
                let [a, b] = [band * meridians, (band + 1) * meridians];
                triangles.push([a + meridian, b + meridian, b + next]);
                triangles.push([a + meridian, b + next, a + next]);
            }
        }
        (vertices, triangles)
    }

    #[test]
    fn caps_get_their_sphere_at_every_angle_and_radius() {
        for quality in [Quality::High, Quality::Fast] {
            for degrees in [0.01f64, 1.0, 10.0, 60.0, 85.0, 95.0, 130.0, 170.0, 180.0] {
                for radius in [1e-3, 1.0, 1e3] {
                    let angle = degrees.to_radians();
                    let (vertices, triangles) = cap(angle, radius);
                    let cluster = Cluster::new(&vertices, DVec3::ZERO, &triangles);
                    let fitted = fit(&cluster, quality);
                    for position in 0..triangles.len() {
                        for point in points(&cluster.triangle(position)) {
                            let sphere = &fitted.sphere;
                            let beyond = sphere.beyond(sphere.height(point));
                            assert!(beyond.abs() <= fitted.half_thickness, "{degrees} degrees of {radius}");
                            assert!(
                                sphere.chord_squared(point) <= fitted.chord.powi(2),
                                "{degrees} degrees of {radius}"
                            );
                        }
                    }
                    // Triangles are as far below the sphere as the middles of their longest edges.
                    let edge = angle / 12.0 + angle.sin().abs().max((angle > 1.5) as u32 as f64) / 24.0 * 6.3;
                    let sagitta = radius * edge * edge / 8.0;
                    let rounding = (0.5 + radius * angle.min(2.0)) * 2e-7;
                    assert!(
                        fitted.half_thickness <= 0.6 * sagitta + rounding,
                        "{degrees} degrees of {radius}: {} thick, {sagitta}",
                        fitted.half_thickness
                    );
                    assert!((fitted.sphere.curvature * radius - 1.0).abs() < 0.02 || degrees < 5.0);
                }
            }
        }
    }

    #[test]
    fn flat_and_tiny_sets_are_discs() {
        for scale in [1.0, 1e-20, 1e-200, 0.0] {
            let vertices: Vec<DVec3> =
                (0..12).map(|k| DVec3::new((k % 4) as f64, (k / 4) as f64, 0.0) * scale).collect();
            let triangles: Vec<[u32; 3]> = (0..8).map(|k| [k, k + 1, k + 4]).collect();
            let cluster = Cluster::new(&vertices, DVec3::ZERO, &triangles);
            let fitted = fit(&cluster, Quality::High);
            let least = 2.0 * f64::from(f32::MIN_POSITIVE);
            assert!(fitted.half_thickness <= 1e-7 * scale + least, "{fitted:?}");
            assert!(fitted.chord >= 1.8 * scale && fitted.chord <= 1.81 * scale + least, "{fitted:?}");
        }
    }
}
