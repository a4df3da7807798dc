//! The exact squared distance of two triangles, as a fraction of integers.
//!
//! The nearest points lie in the relative interior of one face (vertex, edge, triangle) of each; among all nearest
//! pairs one has faces so small that its points are unique, so it is enough to try every pair of faces whose normal
//! equations are regular, and to keep solutions with no negative weight. Zero comes out exactly when they intersect.

use num_traits::{Num, Signed};

/// 7 faces: which vertices.
const FACES: [&[usize]; 7] = [&[0], &[1], &[2], &[0, 1], &[1, 2], &[0, 2], &[0, 1, 2]];

fn dot<T: Num + Clone>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0].clone() * b[0].clone() + a[1].clone() * b[1].clone() + a[2].clone() * b[2].clone()
}

fn minus<T: Num + Clone>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [0, 1, 2].map(|k| a[k].clone() - b[k].clone())
}

fn determinant<T: Num + Clone>(m: &[Vec<T>]) -> T {
    match m.len() {
        0 => T::one(),
        1 => m[0][0].clone(),
        2 => m[0][0].clone() * m[1][1].clone() - m[0][1].clone() * m[1][0].clone(),
        _ => {
            let minor = |x: usize, y: usize| m[1][x].clone() * m[2][y].clone() - m[1][y].clone() * m[2][x].clone();
            m[0][0].clone() * minor(1, 2) - m[0][1].clone() * minor(0, 2) + m[0][2].clone() * minor(0, 1)
        }
    }
}

/// (numerator, denominator) of the squared distance, denominator positive.
pub fn squared_distance<T: Num + Signed + Clone + PartialOrd>(pair: &[[[T; 3]; 3]; 2]) -> (T, T) {
    let mut best: Option<(T, T)> = None;
    for face_a in FACES {
        for face_b in FACES {
            let unknowns = face_a.len() + face_b.len() - 2;
            if unknowns > 3 {
                continue;
            }
            let origin_a = &pair[0][face_a[0]];
            let origin_b = &pair[1][face_b[0]];
            let base = minus(origin_b, origin_a);
            // difference = base + sum of z_k direction_k
            let mut directions: Vec<[T; 3]> = Vec::new();
            for vertex in &face_a[1..] {
                directions.push(minus(origin_a, &pair[0][*vertex]));
            }
            for vertex in &face_b[1..] {
                directions.push(minus(&pair[1][*vertex], origin_b));
            }
            let gram: Vec<Vec<T>> = directions.iter().map(|d| directions.iter().map(|e| dot(d, e)).collect()).collect();
            let whole = determinant(&gram);
            if whole.is_zero() {
                continue;
            }
            let solution: Vec<T> = (0..unknowns)
                .map(|column| {
                    let replaced: Vec<Vec<T>> = (0..unknowns)
                        .map(|row| {
                            (0..unknowns)
                                .map(|c| if c == column { -dot(&directions[row], &base) } else { gram[row][c].clone() })
                                .collect()
                        })
                        .collect();
                    determinant(&replaced)
                })
                .collect();
            let split = face_a.len() - 1;
            let feasible = |weights: &[T]| {
                let sum = weights.iter().fold(T::zero(), |s, w| s + w.clone());
                weights.iter().all(|w| !w.is_negative()) && sum <= whole
            };
            if !feasible(&solution[..split]) || !feasible(&solution[split..]) {
                continue;
            }
            let difference = [0, 1, 2].map(|k| {
                directions
                    .iter()
                    .zip(&solution)
                    .fold(base[k].clone() * whole.clone(), |s, (d, z)| s + d[k].clone() * z.clone())
            });
            let candidate = (dot(&difference, &difference), whole.clone() * whole);
            let nearer = match &best {
                None => true,
                Some((n, d)) => candidate.0.clone() * d.clone() < n.clone() * candidate.1.clone(),
            };
            if nearer {
                best = Some(candidate);
            }
        }
    }
    best.expect("two vertices always make a candidate")
}
