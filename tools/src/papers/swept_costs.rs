//! [Larsen 1999, table 1]: what the distance of two core shapes costs.

use super::published::Published;
use super::report::{Conclusion, Section, Table, Verdict};
use super::settings::Settings;
use crate::cells;
use crate::clock::quietest;
use crate::measured::short;
use crate::papers::gjk;
use crate::papers::progress::Progress;
use crate::{Random, scenes};
use fearless_simd::{Simd, SimdBase, f32x8};
use feeler::internals::simd::eight::{LaneArithmetic, load3};
use feeler::internals::simd::level::{Operation, dispatch, level};
use feeler::internals::simd::three::{difference, dot, minus_scaled};
use feeler::internals::volume::swept::swept_spheres::{
    RectangleProbe, Segments, point_rectangle, rectangle_rectangle, segment_rectangle,
};
use glam::DVec3;
use std::hint::black_box;

const PAIRS: [&str; 6] =
    ["point-point", "point-line", "point-rectangle", "line-line", "line-rectangle", "rectangle-rectangle"];
const NODES: usize = 128;

/// Eight cores: rows of eight lanes.
#[derive(Clone, Default)]
struct Cores {
    centre: [[f32; 8]; 3],
    axes: [[[f32; 8]; 3]; 2],
    half: [[f32; 8]; 2],
}

/// Cores of about the size of their distance, in random turns, as searches meet them.
fn cores(random: &mut Random) -> Vec<Cores> {
    (0..NODES)
        .map(|_| {
            let mut cores = Cores::default();
            for lane in 0..8 {
                let turn = scenes::random_rotation(random);
                let centre = random.direction() * (0.8 + random.unit());
                for k in 0..3 {
                    cores.centre[k][lane] = centre[k] as f32;
                    cores.axes[0][k][lane] = turn.x_axis[k] as f32;
                    cores.axes[1][k][lane] = turn.y_axis[k] as f32;
                }
                cores.half[0][lane] = (0.1 + 0.5 * random.unit()) as f32;
                cores.half[1][lane] = (0.1 + 0.2 * random.unit()) as f32;
            }
            cores
        })
        .collect()
}

/// A probe whose sides are as long as the shape of this pair needs.
fn probe(random: &mut Random, pair: usize) -> RectangleProbe<f32> {
    let turn = scenes::random_rotation(random);
    let single = |v: DVec3| v.as_vec3().to_array();
    let sides = [0, 1, 2, 1, 2, 2][pair];
    let half = |side: usize, length: f64| if side < sides { length as f32 } else { 0.0 };
    RectangleProbe {
        centre: single(random.point() * 0.1),
        axes: [single(turn.x_axis), single(turn.y_axis)],
        normal: single(turn.z_axis),
        half: [half(0, 0.1 + 0.5 * random.unit()), half(1, 0.1 + 0.2 * random.unit())],
        radius: 0.0,
    }
}

struct Pass<'a> {
    pair: usize,
    cores: &'a [Cores],
    probes: &'a [RectangleProbe<f32>],
}

impl Operation for Pass<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f32 {
        let mut sum = f32x8::splat(simd, 0.0);
        for (cores, probe) in self.cores.iter().zip(self.probes) {
            sum += match self.pair {
                0 => point_point(simd, cores, probe),
                1 => point_line(simd, cores, probe),
                2 => point_rectangle(simd, &cores.centre, probe),
                3 | 4 => {
                    let segments = Segments { centre: &cores.centre, axis: &cores.axes[0], half: &cores.half[0] };
                    segment_rectangle(simd, &segments, probe)
                }
                _ => {
                    let beyond = f32x8::splat(simd, f32::MAX);
                    rectangle_rectangle(simd, &cores.centre, &cores.axes, &cores.half, probe, beyond)
                }
            };
        }
        sum.as_slice().iter().sum()
    }
}

/// The library tests points and lines as rectangles without sides; these two kernels are what the paper has.
#[inline(always)]
fn point_point<S: Simd>(simd: S, cores: &Cores, probe: &RectangleProbe<f32>) -> f32x8<S> {
    let centre = load3::<S, f32x8<S>>(simd, &cores.centre);
    let d: [f32x8<S>; 3] = difference(&centre, &probe.centre);
    fearless_simd::SimdFloat::sqrt(dot(&d, &d))
}

#[inline(always)]
fn point_line<S: Simd>(simd: S, cores: &Cores, probe: &RectangleProbe<f32>) -> f32x8<S> {
    let centre = load3::<S, f32x8<S>>(simd, &cores.centre);
    let d: [f32x8<S>; 3] = difference(&centre, &probe.centre);
    let half = f32x8::splat(simd, probe.half[0]);
    let along = LaneArithmetic::smaller(LaneArithmetic::larger(dot(&d, &probe.axes[0]), -half), half);
    let n: [f32x8<S>; 3] = minus_scaled(&d, along, &probe.axes[0]);
    fearless_simd::SimdFloat::sqrt(dot(&n, &n))
}

/// Nanoseconds of one pair of cores.
fn nanoseconds(settings: &Settings, pair: usize) -> f64 {
    let mut random = Random(3);
    let cores = cores(&mut random);
    let probes: Vec<_> = (0..NODES).map(|_| probe(&mut random, pair)).collect();
    let repeats = 200;
    let seconds = quietest(settings.choose(40, 10), || {
        for _ in 0..repeats {
            black_box(dispatch(level(), Pass { pair, cores: black_box(&cores), probes: &probes }));
        }
    });
    seconds / (repeats * NODES * 8) as f64 * 1e9
}

/// Corners of a rectangle.
type Corners = [DVec3; 4];

/// Rectangles in lanes, single ones, and the corners of all pairs of them.
type Rectangles = (Vec<Cores>, Vec<RectangleProbe<f32>>, Vec<(Corners, Corners)>);

/// The rectangles that the last kernel is timed with.
fn rectangles() -> Rectangles {
    let mut random = Random(3);
    let cores = cores(&mut random);
    let probes: Vec<_> = (0..NODES).map(|_| probe(&mut random, 5)).collect();
    let double = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
    let corners = |centre: DVec3, first: DVec3, second: DVec3| {
        [centre - first - second, centre + first - second, centre + first + second, centre - first + second]
    };
    let mut pairs = Vec::new();
    for (cores, probe) in cores.iter().zip(&probes) {
        let [first, second] = [0, 1].map(|side| double(probe.axes[side]) * f64::from(probe.half[side]));
        let a = corners(double(probe.centre), first, second);
        for lane in 0..8 {
            let column = |rows: &[[f32; 8]; 3]| DVec3::from_array([0, 1, 2].map(|k| f64::from(rows[k][lane])));
            let [first, second] = [0, 1].map(|side| column(&cores.axes[side]) * f64::from(cores.half[side][lane]));
            pairs.push((a, corners(column(&cores.centre), first, second)));
        }
    }
    (cores, probes, pairs)
}

/// The bounds of the rectangle kernel, lane by lane.
struct Bounds<'a> {
    cores: &'a [Cores],
    probes: &'a [RectangleProbe<f32>],
}

impl Operation for Bounds<'_> {
    type Output = Vec<f32>;

    fn run<S: Simd>(self, simd: S) -> Vec<f32> {
        let beyond = f32x8::splat(simd, f32::MAX);
        let bounds =
            self.cores.iter().zip(self.probes).map(|(cores, probe)| {
                rectangle_rectangle(simd, &cores.centre, &cores.axes, &cores.half, probe, beyond)
            });
        bounds.flat_map(|bounds: f32x8<S>| bounds.as_slice().to_vec()).collect()
    }
}

/// Nanoseconds of one pair of rectangles by a general algorithm for convex bodies, and the mean of the kernel's bound by the
/// distance.
fn by_gjk(settings: &Settings) -> (f64, f64) {
    let (cores, probes, pairs) = rectangles();
    let seconds = quietest(settings.choose(20, 5), || {
        for (a, b) in &pairs {
            black_box(gjk::distance(a, b));
        }
    });
    let bounds = dispatch(level(), Bounds { cores: &cores, probes: &probes });
    let exact = pairs.iter().map(|(a, b)| gjk::distance(a, b));
    let shares: Vec<f64> = bounds
        .iter()
        .zip(exact)
        .filter(|(_, exact)| *exact > 0.05)
        .map(|(bound, exact)| f64::from(*bound) / exact)
        .collect();
    (seconds / pairs.len() as f64 * 1e9, shares.iter().sum::<f64>() / shares.len() as f64)
}

pub fn run(settings: &Settings, published: &Published, section: &mut Section) {
    let mut bar = Progress::new("swept spheres: core distances", PAIRS.len() + 1);
    let times: Vec<f64> = (0..PAIRS.len())
        .map(|pair| {
            let time = nanoseconds(settings, pair);
            bar.step();
            time
        })
        .collect();
    let (general, share) = by_gjk(settings);
    bar.step();
    let costs: Vec<f64> = PAIRS.iter().map(|pair| published.number("table1", pair, "relative cost")).collect();
    let rows = (0..PAIRS.len()).map(|k| {
        cells![PAIRS[k], format!("{:.2}", costs[k]), format!("{:.2}", times[k] / times[0]), format!("{:.2}", times[k])]
    });
    let is_rising = times[..5].windows(2).all(|two| two[1] > two[0]);
    let (most, factor) = (times.iter().copied().fold(0.0, f64::max) / times[0], general / times[5]);
    let sentence = format!(
        "The order is the paper's up to line-rectangle; the range is {} instead of 3.1, because a kernel call for eight lanes has \
         hardly any of the overhead that levelled the paper's times. Rectangles are cheaper than line and rectangle here, because \
         their kernel is a lower bound, {:.1} % of the distance on average. One rectangle pair takes {:.1} ns, GJK {:.0} ns on one lane: {} times as long (the paper: \
         4 times), {} times if the eight lanes are not counted.",
        short(most),
        100.0 * share,
        times[5],
        general,
        short(factor),
        short(factor / 8.0)
    );
    section.table(Table {
        name: "larsen_table1".to_string(),
        title: "Table 1: relative cost of the distance between core shapes".to_string(),
        caption:
            "Kernels of eight lanes on random shapes; nanoseconds per pair of shapes. The library itself runs three of \
                  these kernels."
                .to_string(),
        head: cells!["core shapes", "paper", "here", "ns per pair"],
        rows: rows.collect(),
        conclusion: Conclusion::new(
            "the cost rises from points over lines to rectangles, by a factor of 3.1; GJK takes four times as long.",
            Verdict::of(&[is_rising, times[5] > times[4], factor / 8.0 >= 2.0]),
            sentence,
        ),
    });
}
