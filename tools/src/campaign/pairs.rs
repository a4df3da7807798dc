//! Triangle pairs of many families, over 24 decades of scale and 12 of offset, against exact integers.

use super::{Tallies, Tally};
use crate::Random;
use crate::oracle::grid::{Grid, relative_error};
use crate::oracle::{Pair, enumeration};
use feeler::internals::primitive::{self, Triangle};
use glam::DVec3;
use num_traits::Zero;

/// Pairs of one chunk; all are of one scale and one offset.
pub const CHUNK: u64 = 8750;
const SCALES: u64 = 24;
const OFFSETS: u64 = 12;
/// After this many chunks scales and offsets come round.
pub const CELLS: u64 = SCALES * OFFSETS;

/// What the header promises where the distance is not far below the rounding of the edges.
const MOST_OFF: f64 = 1e-12;

const FAMILIES: [&str; 8] = [
    "random",
    "f32 coordinates",
    "needles",
    "nearly touching, 1e-1 to 1e-17 of the size",
    "vertex on face, edge on edge, to rounding",
    "lattice, many shared vertices",
    "segments and points",
    "parallel faces and edges",
];

pub fn chunk(number: u64, tallies: &mut Tallies) {
    let mut random = Random(number.wrapping_mul(0x9E37_79B9).wrapping_add(77));
    let (scale, offset) = ((number % SCALES) as i32 - 12, (number / SCALES % OFFSETS) as i32);
    let scale_row =
        format!("{:02}@10^{} to 10^{}", (scale + 12) / 3, (scale + 12) / 3 * 3 - 12, (scale + 12) / 3 * 3 - 9);
    let offset_row = if offset == 0 {
        "00@none".to_string()
    } else {
        format!(
            "{:02}@10^{} to 10^{} sizes",
            (offset + 2) / 3,
            (offset - 1) / 3 * 3 + 1,
            ((offset - 1) / 3 * 3 + 3).min(11)
        )
    };
    let isa = tallies.instruction_set.clone();
    for index in 0..CHUNK {
        let family = (index % FAMILIES.len() as u64) as usize;
        let pair = placed(make(family, &mut random), scale, offset, &mut random);
        let grid = Grid::of(&pair);
        let (numerator, denominator) = enumeration::squared_distance(&grid.vertices);
        let (a, b): (Triangle, Triangle) = (pair[0].map(DVec3::from_array), pair[1].map(DVec3::from_array));
        let measured = primitive::distance(&a, &b);
        let touching = numerator.is_zero();
        let error = relative_error(measured.distance, &numerator, &denominator, grid.unit);
        let edge = |t: &Triangle| (0..3).map(|k| (t[(k + 1) % 3] - t[k]).length()).fold(0.0, f64::max);
        let is_resolved = measured.distance >= edge(&a).max(edge(&b)) * 2f64.powi(-53);
        let closest = primitive::closest(&a, &b);
        let wrong = primitive::intersects(&a, &b) != touching
            || (measured.distance == 0.0) != touching
            || closest.distance.to_bits() != measured.distance.to_bits()
            || is_resolved && !(error <= MOST_OFF);
        if wrong {
            tallies.note(format!("{measured:?}, exactly {touching}, off by {error:e}: {pair:?}"));
        }
        let tally = Tally {
            count: 1,
            touching: touching as u64,
            robust: measured.robust as u64,
            wrong: wrong as u64,
            worst: if touching || !is_resolved { 0.0 } else { error },
        };
        let family_row = format!("{family:02}@{}", FAMILIES[family]);
        tallies.add(
            &[
                ("pairs-1 family", &family_row),
                ("pairs-2 scale", &scale_row),
                ("pairs-3 moved away by", &offset_row),
                ("pairs-4 instruction set", &isa),
            ],
            tally,
        );
    }
}

/// The pair moved away from the origin, then scaled; both round.
fn placed(pair: Pair, scale: i32, offset: i32, random: &mut Random) -> Pair {
    let away = if offset == 0 { DVec3::ZERO } else { random.direction() * 10f64.powi(offset) };
    let unit = 10f64.powi(scale);
    pair.map(|t| t.map(|v| ((DVec3::from_array(v) + away) * unit).to_array()))
}

fn shifted(t: [[f64; 3]; 3], by: DVec3) -> [[f64; 3]; 3] {
    t.map(|v| (DVec3::from_array(v) + by).to_array())
}

fn make(family: usize, random: &mut Random) -> Pair {
    let beside = |random: &mut Random, reach: f64| {
        let by = random.point() * reach;
        shifted(random.triangle(), by)
    };
    match family {
        0 => [random.triangle(), beside(random, 2.0)],
        1 => [random.triangle(), beside(random, 2.0)].map(|t| t.map(|v| v.map(|x| f64::from(x as f32)))),
        2 => {
            let thin = 10f64.powi(-(random.below(12) as i32) - 1);
            let needle = |random: &mut Random| {
                let [p, q, off] = random.triangle().map(DVec3::from_array);
                let along = if random.below(2) == 0 { random.unit() } else { 1.0 };
                [p, q, p + (q - p) * along + off * thin].map(|v| v.to_array())
            };
            let second = if random.below(2) == 0 { needle(random) } else { random.triangle() };
            let by = random.point();
            [needle(random), shifted(second, by)]
        }
        3 => {
            let [first, second] = [random.triangle(), beside(random, 1.0)];
            let closest = primitive::closest(&first.map(DVec3::from_array), &second.map(DVec3::from_array));
            let gap = 10f64.powi(-(random.below(17) as i32) - 1);
            [first, shifted(second, closest.normal * (gap - closest.distance))]
        }
        4 => {
            let first = random.triangle();
            let [p, q, r] = first.map(DVec3::from_array);
            let (v, w) = (random.unit() * 0.5, random.unit() * 0.5);
            let far = random.point();
            let second = match random.below(3) {
                0 => [p * (1.0 - v - w) + q * v + r * w, random.point(), far],
                1 => [p * (1.0 - v) + q * v, random.point(), far],
                _ => {
                    let border = p * (1.0 - v) + q * v;
                    [border + (border - far) * 0.5, random.point(), far]
                }
            };
            [first, second.map(|v| v.to_array())]
        }
        5 => {
            let mut corner = || [(); 3].map(|()| random.below(9) as f64 * 0.25 - 1.0);
            let mut pair = [[corner(), corner(), corner()], [corner(), corner(), corner()]];
            for k in 0..random.below(3) as usize {
                pair[1][k] = pair[0][(k + 1) % 3];
            }
            pair
        }
        6 => {
            let [p, q, _] = random.triangle().map(DVec3::from_array);
            let flat = match random.below(3) {
                0 => [p, p, p],
                1 => [p, q, p],
                _ => [p, q, (p + q) * 0.5],
            };
            [flat.map(|v| v.to_array()), beside(random, 1.0)]
        }
        _ => {
            let mut plate = || {
                let axis = random.below(3) as usize;
                let corner = [(); 3].map(|()| random.below(33) as f64 / 8.0 - 2.0);
                let mut t = [corner; 3];
                t[1][(axis + 1) % 3] += (1 + random.below(16)) as f64 / 4.0;
                t[2][(axis + 2) % 3] += (1 + random.below(16)) as f64 / 4.0;
                t
            };
            [plate(), plate()]
        }
    }
}
