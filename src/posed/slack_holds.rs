//! How much of the slack is used: adversarial boxes, found by random search and hill climbing, for every volume.
//!
//! The contents of two volumes are the corners of two boxes, as far out as the reaches say, brought to a chosen gap. What
//! a kernel must be forgiven is its bound minus the distance that the triangle kernel computes for the contents; the
//! largest share of the slack that was needed is printed, and more than all of it is a failure.
//! `FEELER_SLACK_CASES=200000 cargo test --lib slack -- --nocapture` searches longer.

use crate::math::motion::Motion;
use crate::posed::relative_frames::{Extent, motion};
use crate::primitive::{self, Triangle};
use crate::simd::eight::{Eight, Element};
use crate::simd::level::{self, Operation, dispatch};
use crate::volume::fit::cluster::Cluster;
use crate::volume::properties::probe_alone;
use crate::volume::{Family, Quality, Volume};
use fearless_simd::{Simd, f32x8, f64x8};
use glam::{DMat3, DQuat, DVec3};

/// The kernels on eight copies of the same volume.
struct Kernels<'w, V: Volume, E: Element> {
    wide: &'w V::Wide,
    probe: <V::Family as Family>::Probe<E>,
    slack: E,
}

impl<V: Volume, E: Element> Kernels<'_, V, E> {
    /// The lower bound of the distance and the largest gap, in the first lane.
    #[inline(always)]
    fn run<S: Simd, L: Eight<S, Element = E>>(self, simd: S) -> [f64; 2] {
        let mut first_stage = 0;
        let beyond = E::from_f64(1e30);
        let bound: L = V::lower_bound(simd, self.wide, &self.probe, beyond, &mut first_stage);
        let gap: L = V::separation(simd, self.wide, &self.probe, self.slack, &mut first_stage);
        [bound.as_slice()[0].to_f64(), gap.as_slice()[0].to_f64()]
    }
}

struct Near<'w, V: Volume>(Kernels<'w, V, f32>);

impl<V: Volume> Operation for Near<'_, V> {
    type Output = [f64; 2];
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f64; 2] {
        self.0.run::<S, f32x8<S>>(simd)
    }
}

struct Far<'w, V: Volume>(Kernels<'w, V, f64>);

impl<V: Volume> Operation for Far<'_, V> {
    type Output = [f64; 2];
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f64; 2] {
        self.0.run::<S, f64x8<S>>(simd)
    }
}

/// Which arithmetic a case is for.
trait Path: Element {
    /// Whether the models are so far apart that the f64 path is taken.
    const FAR: bool;
    fn kernels<V: Volume>(kernels: Kernels<V, Self>) -> [f64; 2];
}

impl Path for f32 {
    const FAR: bool = false;
    fn kernels<V: Volume>(kernels: Kernels<V, Self>) -> [f64; 2] {
        dispatch(level::level(), Near(kernels))
    }
}

impl Path for f64 {
    const FAR: bool = true;
    fn kernels<V: Volume>(kernels: Kernels<V, Self>) -> [f64; 2] {
        dispatch(level::level(), Far(kernels))
    }
}

pub(super) struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Even over [-1, 1).
    pub fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2f64.powi(-52) - 1.0
    }
}

/// Everything about a case as numbers in [-1, 1], so that a search can change any of them.
type Numbers = [f64; 28];

/// A box of one model and its triangles.
struct Part {
    vertices: Vec<DVec3>,
}

const FACES: [[u32; 3]; 12] = [
    [0, 1, 3],
    [0, 3, 2],
    [4, 5, 7],
    [4, 7, 6],
    [0, 1, 5],
    [0, 5, 4],
    [2, 3, 7],
    [2, 7, 6],
    [0, 2, 6],
    [0, 6, 4],
    [1, 3, 7],
    [1, 7, 5],
];

fn rotation(numbers: &[f64]) -> DMat3 {
    let [x, y, z, w] = [numbers[0], numbers[1], numbers[2], numbers[3]];
    DMat3::from_quat(DQuat::from_xyzw(x, y, z, w + 1e-3).normalize())
}

impl Part {
    /// Centre 3, rotation 4, half extents 3.
    fn new(numbers: &[f64]) -> Self {
        let axes = rotation(&numbers[3..7]);
        let half = DVec3::from_slice(&numbers[7..10]).to_array().map(|x| 10f64.powf(3.0 * x - 3.0));
        let centre = DVec3::from_slice(&numbers[..3]);
        let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { half[axis] } else { -half[axis] };
        let corner = |c: usize| centre + axes * DVec3::new(sign(c, 0), sign(c, 1), sign(c, 2));
        Self { vertices: (0..8).map(corner).collect() }
    }

    fn scaled(mut self, scale: f64) -> Self {
        self.vertices.iter_mut().for_each(|vertex| *vertex *= scale);
        self
    }

    fn fit<V: Volume>(&self) -> (V, V::Wide) {
        let cluster = Cluster::new(&self.vertices, DVec3::ZERO, &FACES);
        let volume = V::fit(&cluster, Quality::High);
        let mut wide = V::Wide::default();
        (0..8).for_each(|lane| volume.store(&mut wide, lane));
        (volume, wide)
    }

    fn triangles(&self, place: impl Fn(DVec3) -> DVec3) -> Vec<Triangle> {
        FACES.iter().map(|face| face.map(|index| place(self.vertices[index as usize]))).collect()
    }
}

/// The smallest distance of two sets of triangles and the pair that attains it.
fn nearest(a: &[Triangle], b: &[Triangle]) -> (f64, usize, usize) {
    let mut best = (f64::INFINITY, 0, 0);
    for (i, in_a) in a.iter().enumerate() {
        for (j, in_b) in b.iter().enumerate() {
            let distance = primitive::distance(in_a, in_b).distance;
            if distance < best.0 {
                best = (distance, i, j);
            }
        }
    }
    best
}

/// The share of the slack that this case needs; nothing when the parts intersect.
fn share<V: Volume, E: Path>(numbers: &Numbers) -> Option<[f64; 2]> {
    share_at::<V, E>(numbers, 1.0, 0.0)
}

/// The same with both parts scaled, and belonging to models that reach at least as far as `whole`.
fn share_at<V: Volume, E: Path>(numbers: &Numbers, scale: f64, whole: f64) -> Option<[f64; 2]> {
    let (source, target) = (Part::new(&numbers[..10]).scaled(scale), Part::new(&numbers[10..20]).scaled(scale));
    let turn = rotation(&numbers[20..24]);
    let ratio = 10f64.powf(numbers[24]);
    let away = DMat3::from_quat(DQuat::from_xyzw(numbers[25], numbers[26], numbers[27], 0.3).normalize()) * DVec3::X;
    let ((volume, from), (target_volume, into)) = (source.fit::<V>(), target.fit::<V>());
    let (reach, target_reach) = (volume.reach(), target_volume.reach());
    let size = (reach * ratio).max(target_reach);
    let far = 10f64.powf(1.3 + 5.0 * (numbers[24] + 1.0));
    let mut translation = away * size * if E::FAR { far } else { 8.0 };
    let place = |translation: DVec3| move |vertex: DVec3| turn * (vertex * ratio) + translation;
    let in_target = target.triangles(|vertex| vertex);
    if !E::FAR {
        // The parts are convex: moving one along the normal of the nearest points leaves these the nearest.
        let in_source = source.triangles(place(translation));
        let (distance, i, j) = nearest(&in_source, &in_target);
        let normal = primitive::closest(&in_source[i], &in_target[j]).normal;
        let gap = size * 10f64.powf(4.0 * numbers[24].abs() - 8.0 + 4.0 * numbers[20].abs());
        translation += normal * (distance - gap);
    }
    let (distance, ..) = nearest(&source.triangles(place(translation)), &in_target);
    if distance == 0.0 {
        return None;
    }
    let motion: Motion<E> = motion(
        turn,
        (translation, translation.length()),
        Extent::new(ratio, reach.max(whole)),
        Extent::new(1.0, target_reach.max(whole)),
        V::SLACK,
        0.0,
    );
    let probe = probe_alone::<V, E>(&from, 0, &motion);
    let values = E::kernels::<V>(Kernels { wide: &into, probe, slack: motion.slack });
    // The search compares `(bound - slack) * unit` with the distance.
    let needed = |value: f64| (value - distance / motion.unit.to_f64()) / motion.slack.to_f64();
    let [bound, gap] = values.map(needed);
    // A gap only has to be at most the slack when the contents touch, which they never do on the f64 path; there it may be
    // longer than the distance by the f32 rounding of an axis's length.
    Some([bound, if E::FAR { 0.0 } else { gap }])
}

/// Minute parts of ordinary models: lengths whose squares are no f32 numbers any more, gaps down to a part in 1e8 of them.
/// What is divided by must not vanish with the squares, else bounds become infinite, which no slack forgives.
#[test]
fn gaps_whose_squares_vanish_need_no_more() {
    fn check<V: Volume>(name: &str, whole: f64, smallest: i32) {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        for case in 0..6000 {
            let numbers = [(); 28].map(|()| random.number());
            let exponent = -58 - case % (-58 - smallest);
            for share in share_at::<V, f32>(&numbers, 2f64.powi(exponent), whole).into_iter().flatten() {
                assert!(share <= 1.0, "{name}: {share} of the slack at 2^{exponent}");
            }
        }
    }
    macro_rules! every {
        ($($name:ident: $volume:ty,)*) => { $(check::<$volume>(stringify!($name), 1.0, -84);)* };
    }
    crate::volume::for_each_volume!(every);
    // As small as a whole, which a model is only in the unit of one that is a point.
    check::<crate::volume::boxes::obb::Obb>("a minute whole", 0.0, -70);
}

/// The largest shares found, of the lower bound and of the gap.
fn search<V: Volume, E: Path>(cases: usize) -> [f64; 2] {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut largest = [f64::NEG_INFINITY; 2];
    for kind in 0..2 {
        let (mut spent, mut best) = (0, [0.0; 28]);
        while spent < cases / 2 {
            // The best of some random cases, then uphill until nothing helps for a while.
            let mut height = f64::NEG_INFINITY;
            for _ in 0..60 {
                let numbers = [(); 28].map(|()| random.number());
                spent += 1;
                if let Some(shares) = share::<V, E>(&numbers)
                    && shares[kind] > height
                {
                    (height, best) = (shares[kind], numbers);
                }
            }
            let mut idle = 0;
            while idle < 250 && spent < cases / 2 {
                let mut numbers = best;
                let step = 10f64.powf(-2.5 + 2.5 * random.number());
                for _ in 0..1 + random.bits() % 3 {
                    let place = random.bits() as usize % numbers.len();
                    numbers[place] = (numbers[place] + step * random.number()).clamp(-1.0, 1.0);
                }
                (spent, idle) = (spent + 1, idle + 1);
                if let Some(shares) = share::<V, E>(&numbers)
                    && shares[kind] > height
                {
                    (height, best, idle) = (shares[kind], numbers, 0);
                }
            }
            largest[kind] = largest[kind].max(height);
        }
    }
    largest
}

macro_rules! measure {
    ($($name:ident: $volume:ty,)*) => {
        #[test]
        fn no_kernel_needs_more_than_its_slack() {
            let cases = std::env::var("FEELER_SLACK_CASES").map_or(6000, |text| text.parse().expect("a number"));
            $(
                let (near, far) = (search::<$volume, f32>(cases), search::<$volume, f64>(cases));
                println!(
                    "{}: largest share of the slack: f32 bound {:.3}, gap {:.3}; f64 bound {:.3}, gap {:.3}",
                    stringify!($name), near[0], near[1], far[0], far[1],
                );
                for share in near.into_iter().chain(far) {
                    assert!(share <= 1.0, "{}: {share}", stringify!($name));
                }
            )*
        }
    };
}

crate::volume::for_each_volume!(measure);
