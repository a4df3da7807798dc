//! The distance of two triangles as the point of least norm in the hull of the nine differences b_j - a_i, by Wolfe's
//! algorithm (Finding the nearest point in a polytope, 1976) in fixed point with 320 fractional bits.

use super::grid::Grid;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

const FRACTION: usize = 320;

fn product(a: &BigInt, b: &BigInt) -> BigInt {
    (a * b) >> FRACTION
}

fn quotient(a: &BigInt, b: &BigInt) -> BigInt {
    (a << FRACTION) / b
}

type Point = [BigInt; 3];

fn dot(a: &Point, b: &Point) -> BigInt {
    product(&a[0], &b[0]) + product(&a[1], &b[1]) + product(&a[2], &b[2])
}

/// Weights (adding up to one) of the point of least norm in the affine hull, or none if the hull is degenerate.
fn affine_minimiser(points: &[Point]) -> Option<Vec<BigInt>> {
    let one = BigInt::from(1) << FRACTION;
    let n = points.len();
    // Bordered system: [0 1; 1 G] [m; w] = [1; 0], solved by elimination with the largest pivot.
    let mut rows: Vec<Vec<BigInt>> = Vec::new();
    rows.push((0..n + 2).map(|k| if k == 0 { BigInt::zero() } else { one.clone() }).collect());
    for i in 0..n {
        let mut row = vec![one.clone()];
        row.extend((0..n).map(|j| dot(&points[i], &points[j])));
        row.push(BigInt::zero());
        rows.push(row);
    }
    let tiny = &one >> 240;
    for column in 0..=n {
        let pivot = (column..=n).max_by_key(|r| rows[*r][column].abs())?;
        rows.swap(column, pivot);
        if rows[column][column].abs() <= tiny {
            return None;
        }
        for r in 0..=n {
            if r != column && !rows[r][column].is_zero() {
                let factor = quotient(&rows[r][column], &rows[column][column]);
                let pivot_row = rows[column].clone();
                for (entry, pivot) in rows[r].iter_mut().zip(&pivot_row).skip(column) {
                    *entry -= product(&factor, pivot);
                }
            }
        }
    }
    Some((0..n).map(|i| quotient(&rows[i + 1][n + 1], &rows[i + 1][i + 1])).collect())
}

/// The squared distance in units of the grid, as a fraction with a power of two below: (numerator, denominator).
/// None when the hull degenerates beyond the arithmetic or the steps run out.
pub fn squared_distance(grid: &Grid) -> Option<(BigInt, BigInt)> {
    // Scaled so that the largest difference is near one.
    let [a, b] = &grid.vertices;
    let mut bodies: Vec<Point> = Vec::new();
    for p in a {
        for q in b {
            bodies.push([0, 1, 2].map(|k| &q[k] - &p[k]));
        }
    }
    let bits = bodies.iter().flatten().map(|c| c.bits()).max().unwrap_or(0) as usize;
    for point in &mut bodies {
        for c in point {
            *c = (&*c << FRACTION) >> bits;
        }
    }
    let tolerance = BigInt::from(1) << (FRACTION - 220);
    let nearest = bodies.iter().min_by_key(|p| dot(p, p))?.clone();
    let mut corral = vec![nearest.clone()];
    let mut weights = vec![BigInt::from(1) << FRACTION];
    let mut x = nearest;
    for _ in 0..60 {
        let (lowest, best) = bodies.iter().map(|p| (dot(&x, p), p)).min_by(|l, r| l.0.cmp(&r.0))?;
        let squared = dot(&x, &x);
        if &squared - &lowest <= tolerance || corral.contains(best) {
            return Some((squared << (2 * bits), BigInt::from(1) << FRACTION));
        }
        corral.push(best.clone());
        weights.push(BigInt::zero());
        loop {
            let Some(target) = affine_minimiser(&corral) else {
                // The newcomer is affinely dependent: the old points suffice except for the most redundant.
                let drop = (0..weights.len() - 1).min_by_key(|k| weights[*k].clone())?;
                corral.remove(drop);
                weights.remove(drop);
                continue;
            };
            if target.iter().all(|w| w.is_positive()) {
                weights = target;
                break;
            }
            let mut step = BigInt::from(1) << FRACTION;
            for (w, t) in weights.iter().zip(&target) {
                if !t.is_positive() && w > t {
                    step = step.min(quotient(w, &(w - t)));
                }
            }
            for (w, t) in weights.iter_mut().zip(&target) {
                let change = product(&step, &(t - &*w));
                *w += change;
            }
            let drop = (0..weights.len()).min_by_key(|k| weights[*k].clone())?;
            corral.remove(drop);
            weights.remove(drop);
        }
        x = [0, 1, 2].map(|k| corral.iter().zip(&weights).fold(BigInt::zero(), |s, (p, w)| s + product(w, &p[k])));
    }
    None
}
