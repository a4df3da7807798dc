//! [Chang 2009, appendix]: what two rectangles lose when their longer axes are not tested.

use glam::DVec2;

/// Lines across the circle whose lengths are summed.
const LINES: usize = 2000;

/// Of the relative places that pass the circles and the two shorter axes, the share that the longer axes would have told apart.
/// Half extents are `h` and 1; the second rectangle is turned by `angle`.
pub fn lost_share(angle: f64, h1: f64, h2: f64) -> f64 {
    let axes = [DVec2::X, DVec2::Y, DVec2::from_angle(angle), DVec2::from_angle(angle).perp()];
    let half = [(h1, 1.0), (h2, 1.0)];
    // Along an axis both rectangles together cover this much to each side.
    let covered = axes.map(|axis| {
        let of = |first: DVec2, second: DVec2, half: (f64, f64)| {
            half.0 * axis.dot(first).abs() + half.1 * axis.dot(second).abs()
        };
        of(axes[0], axes[1], half[0]) + of(axes[2], axes[3], half[1])
    });
    let radius = (1.0 + h1 * h1).sqrt() + (1.0 + h2 * h2).sqrt();
    let (mut all, mut white) = (0.0, 0.0);
    for line in 0..LINES {
        let x = radius * (2.0 * (line as f64 + 0.5) / LINES as f64 - 1.0);
        // The part of the line that is inside of the circle and passes these axes.
        let passing = |chosen: &[usize]| {
            let half = (radius * radius - x * x).sqrt();
            let (mut low, mut high) = (-half, half);
            for &axis in chosen {
                let (along, across, limit) = (axes[axis].y, axes[axis].x * x, covered[axis]);
                if along.abs() < 1e-12 {
                    high = if across.abs() <= limit { high } else { low };
                } else {
                    let ends = [(-limit - across) / along, (limit - across) / along];
                    low = low.max(ends[0].min(ends[1]));
                    high = high.min(ends[0].max(ends[1]));
                }
            }
            (high - low).max(0.0)
        };
        all += passing(&[0, 2]);
        white += passing(&[0, 1, 2, 3]);
    }
    1.0 - white / all
}

/// Mean, share of samples below 10 %, and largest, over the paper's thousand samples.
pub fn statistics() -> [f64; 3] {
    let mut shares = Vec::new();
    for turn in 0..10 {
        for first in 1..=10 {
            for second in 1..=10 {
                shares.push(lost_share((10.0 * turn as f64).to_radians(), first as f64 / 10.0, second as f64 / 10.0));
            }
        }
    }
    let count = shares.len() as f64;
    let below = shares.iter().filter(|share| **share < 0.1).count() as f64;
    [shares.iter().sum::<f64>() / count, below / count, shares.iter().copied().fold(0.0, f64::max)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::PI;

    /// Equal squares side by side: a disc of radius sqrt 8 between the lines x = +-2, less the square of side 4.
    #[test]
    fn the_worst_case_is_that_of_the_paper() {
        let all = 8.0 + 4.0 * PI;
        assert!((lost_share(0.0, 1.0, 1.0) - (all - 16.0) / all).abs() < 2e-3);
    }
}
