//! Eigenvectors of symmetric three by three matrices by Jacobi's rotations.

use glam::{DMat3, DVec3};

/// Every sweep squares the relative size of the entries off the diagonal. Six sweeps are enough for any f64 matrix.
const SWEEPS: usize = 8;

/// Orthonormal, right-handed eigenvectors, as columns in no particular order, of the matrix with entries xx, yy, zz,
/// yz, zx, xy. The identity if the matrix has no finite scale.
pub fn eigenvectors(matrix: &[f64; 6]) -> DMat3 {
    let largest = matrix.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    let scale = 1.0 / largest;
    if !scale.is_finite() || !largest.is_finite() || matrix.iter().any(|entry| entry.is_nan()) {
        return DMat3::IDENTITY;
    }
    // Spelt out: `map` would not be inlined.
    let [xx, yy, zz, yz, zx, xy] = *matrix;
    let [xx, yy, zz] = [xx * scale, yy * scale, zz * scale];
    let [yz, zx, xy] = [yz * scale, zx * scale, xy * scale];
    let mut a = [[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]];
    let mut vectors = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..SWEEPS {
        // The entries are at most 1, so squares below 2^-106 no longer change an eigenvalue by an ulp.
        if a[0][1] * a[0][1] + a[1][2] * a[1][2] + a[0][2] * a[0][2] < 1e-32 {
            break;
        }
        for (p, q) in [(0, 1), (1, 2), (0, 2)] {
            rotate(&mut a, &mut vectors, p, q);
        }
    }
    let (x, y) = (DVec3::from_array(vectors[0]), DVec3::from_array(vectors[1]));
    let x = x.normalize();
    let y = (y - x * x.dot(y)).normalize();
    DMat3::from_cols(x, y, x.cross(y))
}

/// One rotation that makes entry (p, q) zero. `vectors` holds the eigenvectors as rows.
#[inline(always)]
fn rotate(a: &mut [[f64; 3]; 3], vectors: &mut [[f64; 3]; 3], p: usize, q: usize) {
    let off = a[p][q];
    // Smaller entries change no digit of the eigenvectors, and their squares would underflow.
    if off.abs() < 1e-140 {
        (a[p][q], a[q][p]) = (0.0, 0.0);
        return;
    }
    let (twice, apart) = (2.0 * off, a[q][q] - a[p][p]);
    let tangent = twice * apart.signum() / (apart.abs() + (apart * apart + twice * twice).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let r = 3 - p - q;
    a[p][p] -= tangent * off;
    a[q][q] += tangent * off;
    (a[p][q], a[q][p]) = (0.0, 0.0);
    let (rp, rq) = (a[r][p], a[r][q]);
    (a[r][p], a[r][q]) = (cosine * rp - sine * rq, sine * rp + cosine * rq);
    (a[p][r], a[q][r]) = (a[r][p], a[r][q]);
    let (of_p, of_q) = (DVec3::from_array(vectors[p]), DVec3::from_array(vectors[q]));
    vectors[p] = (of_p * cosine - of_q * sine).to_array();
    vectors[q] = (of_p * sine + of_q * cosine).to_array();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_diagonalise() {
        let matrices = [
            [2.0, 3.0, 1.0, 0.5, -0.25, 1.0],
            [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
            [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
            [1e-300, 2e-300, 1e-300, 1e-301, 0.0, 0.0],
            [1.0, 1e-30, 1e-8, 0.0, 1e-5, 1e-16],
        ];
        for matrix in matrices {
            let [xx, yy, zz, yz, zx, xy] = matrix;
            let full = DMat3::from_cols(DVec3::new(xx, xy, zx), DVec3::new(xy, yy, yz), DVec3::new(zx, yz, zz));
            let vectors = eigenvectors(&matrix);
            let diagonal = vectors.transpose() * full * vectors;
            let largest = matrix.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
            for (p, q) in [(0, 1), (1, 2), (0, 2)] {
                assert!(diagonal.col(p)[q].abs() <= 1e-15 * largest, "{diagonal} of {matrix:?}");
                assert!(vectors.col(p).dot(vectors.col(q)).abs() < 1e-15);
            }
            assert!((vectors.determinant() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn nonsense_gives_the_identity() {
        assert_eq!(eigenvectors(&[0.0; 6]), DMat3::IDENTITY);
        assert_eq!(eigenvectors(&[f64::NAN; 6]), DMat3::IDENTITY);
        assert_eq!(eigenvectors(&[5e-324; 6]), DMat3::IDENTITY);
    }
}
