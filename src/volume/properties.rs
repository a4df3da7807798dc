//! What every volume must do, tested for every volume of the list: containment, sound bounds, equal lanes.

use crate::math::motion::Motion;
use crate::primitive::{self, Triangle};
use crate::simd::eight::Element;
use crate::simd::level::{Operation, dispatch};
use crate::volume::fit::cluster::Cluster;
use crate::volume::{Family, Quality, Volume};
use fearless_simd::{Level, Simd, SimdBase};
use glam::{DMat3, DQuat, DVec3};

/// Numbers between -1 and 1, the same in every run.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn point(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    pub fn rotation(&mut self) -> DMat3 {
        let [x, y, z, w] = [self.number(), self.number(), self.number(), self.number()];
        DMat3::from_quat(DQuat::from_xyzw(x, y, z, w).normalize())
    }
}

/// A few triangles in the node frame.
struct Part {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Part {
    /// Some triangles of a random shape: a blob, a disc, a needle, a cap, one triangle, one point.
    fn random(random: &mut Random, number: usize) -> Self {
        let count = if number.is_multiple_of(5) { 1 } else { 2 + number % 7 };
        let shape = [DVec3::ONE, DVec3::new(1.0, 0.7, 1e-3), DVec3::new(1.0, 1e-4, 1e-4), DVec3::ZERO][number % 4];
        let shape = if shape == DVec3::ZERO && !number.is_multiple_of(16) { DVec3::ONE } else { shape };
        let (turn, size, place) = (random.rotation(), 2f64.powf(4.0 * random.number() - 3.0), random.point());
        let vertices = (0..3 * count)
            .map(|_| {
                let point = if number % 4 == 3 { random.point().normalize() } else { random.point() };
                place + turn * (point * shape) * size
            })
            .collect();
        Self { vertices, triangles: (0..count as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect() }
    }

    fn cluster(&self) -> Cluster<'_> {
        Cluster::new(&self.vertices, DVec3::ZERO, &self.triangles)
    }

    fn placed(&self, rotation: DMat3, ratio: f64, translation: DVec3) -> Vec<Triangle> {
        let place = |index: &u32| rotation * (self.vertices[*index as usize] * ratio) + translation;
        self.triangles.iter().map(|[a, b, c]| [place(a), place(b), place(c)]).collect()
    }
}

/// The results of the kernels for one probe and eight lanes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    pub separation: [f64; 8],
    /// Lower bounds with three values of `beyond`: below everything, at 0, and above everything.
    pub bound: [f64; 8],
    pub of_overlap: [f64; 8],
    pub refined: [f64; 8],
}

struct Probing<'a, V: Volume, E>(&'a V::Wide, usize, &'a Motion<E>);

impl<V: Volume, E: Element> Operation for Probing<'_, V, E> {
    type Output = <V::Family as Family>::Probe<E>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        V::probe(simd, self.0, self.1, self.2)
    }
}

/// `Volume::probe` for callers outside of a kernel.
pub(crate) fn probe_alone<V: Volume, E: Element>(
    wide: &V::Wide,
    lane: usize,
    motion: &Motion<E>,
) -> <V::Family as Family>::Probe<E> {
    dispatch(Level::new(), Probing::<V, E>(wide, lane, motion))
}

pub(super) struct Kernels<'a, V: Volume, E> {
    pub lanes: &'a V::Wide,
    pub source: &'a V::Wide,
    pub motion: &'a Motion<E>,
}

impl<V: Volume, E: Element> Operation for Kernels<'_, V, E> {
    type Output = Said;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Said {
        let probe: <V::Family as Family>::Probe<E> = V::probe(simd, self.source, 0, self.motion);
        let mut first_stage = 0;
        let lanes = |values: E::Lanes<S>| {
            let mut out = [0.0; 8];
            for (place, value) in out.iter_mut().zip(values.as_slice()) {
                *place = value.to_f64();
            }
            out
        };
        let (near, far) = (E::from_f64(-1e9), E::from_f64(1e9));
        Said {
            separation: lanes(V::separation(simd, self.lanes, &probe, self.motion.slack, &mut first_stage)),
            bound: lanes(V::lower_bound(simd, self.lanes, &probe, near, &mut first_stage)),
            of_overlap: lanes(V::lower_bound(simd, self.lanes, &probe, self.motion.slack, &mut first_stage)),
            refined: lanes(V::lower_bound(simd, self.lanes, &probe, far, &mut first_stage)),
        }
    }
}

/// The levels of this machine that are compiled.
pub(super) fn levels() -> Vec<Level> {
    let best = Level::new();
    #[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
    return best
        .as_avx2()
        .map(Level::Avx2)
        .into_iter()
        .chain(best.as_sse2().map(Level::Sse2))
        .take(if cfg!(one_level) { 1 } else { 2 })
        .collect();
    #[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
    vec![best]
}

/// The motion as a query makes it, with the unit of the target 1.
pub(super) fn motion<V: Volume, E: Element>(
    turn: DMat3,
    ratio: f64,
    shift: DVec3,
    source: f64,
    target: f64,
) -> Motion<E> {
    let slack = V::SLACK;
    let (r, t, q) = (source * ratio, shift.length(), target);
    let mut bound =
        E::ROUNDING * (slack.source * r + slack.translation * t + slack.target * q) + 64.0 * f64::EPSILON * (r + t + q);
    if E::ROUNDING < f32::ROUNDING {
        bound += f32::ROUNDING * slack.stored * (r + q);
    }
    Motion::new(turn, shift, ratio, 1.0 - 32.0 * E::ROUNDING - 4e-12, bound * 1.0001)
}

fn contains<V: Volume>(random: &mut Random) {
    for number in 0..400 {
        let part = Part::random(random, number);
        for quality in [Quality::High, Quality::Fast] {
            let fitted = V::fit(&part.cluster(), quality);
            let mut wide = V::Wide::default();
            fitted.store(&mut wide, number % 8);
            let stored = V::load(&wide, number % 8);
            assert_eq!(format!("{fitted:?}"), format!("{stored:?}"), "stored and loaded");
            assert_eq!(V::enclosing_radii(&wide)[number % 8], fitted.enclosing_radius());
            for point in part.cluster().points() {
                assert!(stored.excess(point) <= stored.reach() * 2f64.powi(-48), "{point} outside of {stored:?}");
                assert!(point.length() <= stored.reach());
                // A triangle also contains the points between its corners.
                let inner = (point + part.vertices[0] + part.vertices[1]) / 3.0;
                assert!(stored.excess(inner) <= stored.reach() * 1e-14 || part.triangles.len() > 1);
            }
            let axes = stored.split_axes();
            assert!((axes.transpose() * axes).abs_diff_eq(DMat3::IDENTITY, 1e-5), "{axes}");
        }
    }
}

/// Distances of contents against bounds, near, far and touching, at all levels and in all lanes.
fn bounds_are_sound<V: Volume, E: Element>(random: &mut Random, spread: f64) {
    let mut pruned = 0;
    for number in 0..600 {
        let (source, target) = (Part::random(random, number), Part::random(random, number / 3));
        let (turn, ratio) = (random.rotation(), 2f64.powf(3.0 * random.number()));
        let mut shift = random.point() * spread;
        let others = target.placed(DMat3::IDENTITY, 1.0, DVec3::ZERO);
        if number % 3 == 0 {
            // A vertex on a vertex: touching contents.
            shift = others[0][0] - turn * (source.vertices[0] * ratio);
        }
        let placed = source.placed(turn, ratio, shift);
        let truth = placed.iter().flat_map(|a| others.iter().map(move |b| primitive::distance(a, b).distance));
        let truth = truth.fold(f64::INFINITY, f64::min);
        let (volume_a, volume_b) = (V::fit(&source.cluster(), Quality::High), V::fit(&target.cluster(), Quality::High));
        let (mut wide_a, mut wide_b, mut single) = (V::Wide::default(), V::Wide::default(), V::Wide::default());
        volume_a.store(&mut wide_a, 0);
        let lane = number % 8;
        volume_b.store(&mut single, lane);
        for lane in 0..8 {
            volume_b.store(&mut wide_b, lane);
        }
        let motion = motion::<V, E>(turn, ratio, shift, volume_a.reach(), volume_b.reach());
        let (slack, unit) = (motion.slack.to_f64(), motion.unit.to_f64());
        let mut first: Option<Said> = None;
        for level in levels() {
            let said = dispatch(level, Kernels::<V, E> { lanes: &wide_b, source: &wide_a, motion: &motion });
            let alone = dispatch(level, Kernels::<V, E> { lanes: &single, source: &wide_a, motion: &motion });
            for values in [&said.separation, &said.bound, &said.of_overlap, &said.refined] {
                assert!(values.iter().all(|value| value.to_bits() == values[0].to_bits()), "lanes differ: {values:?}");
            }
            assert_eq!(said.refined[lane].to_bits(), alone.refined[lane].to_bits(), "neighbours matter");
            let bounds = [said.bound[0], said.of_overlap[0], said.refined[0]];
            assert!(bounds[0] <= bounds[1] && bounds[0] <= bounds[2], "{number}: refined {bounds:?}");
            for bound in bounds {
                assert!((bound - slack) * unit <= truth, "{number}: bound {bound} - {slack}, distance {truth}");
            }
            let gap = said.separation[0];
            assert!((gap - slack) * unit <= truth, "{number}: gap {gap} - {slack}, distance {truth}");
            assert!(truth > 0.0 || gap <= slack, "{number}: apart by {gap} though touching");
            pruned += (gap > slack && said.refined[0] > slack) as u32;
            if let Some(first) = &first {
                assert_eq!(first, &said, "levels differ");
            }
            first = Some(said);
        }
    }
    assert!(pruned > 100, "a test that never separates proves nothing: {pruned}");
}

/// The triangles that show a volume enclose its contents: along an axis, no vertex is beyond all of them.
fn shows_itself<V: Volume>(random: &mut Random) {
    for number in [1, 2, 3, 6, 7] {
        let part = Part::random(random, number);
        let mut corners = Vec::new();
        V::fit(&part.cluster(), Quality::High).triangulate(&mut |triangle| corners.extend(triangle));
        assert!(!corners.is_empty());
        // Round volumes are shown by points on them, so flat triangles cut in by a part of their size.
        let size = corners.iter().fold(0.0, |most: f64, corner| most.max((corner - corners[0]).length()));
        for direction in [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z] {
            let shown = corners.iter().fold(f64::NEG_INFINITY, |most, corner| most.max(corner.dot(direction)));
            for point in part.cluster().points() {
                assert!(point.dot(direction) <= shown + 0.05 * size, "{number}: {point} is beyond {shown}");
            }
        }
    }
}

macro_rules! properties {
    ($($name:ident: $volume:ty,)*) => {
        $(#[allow(non_snake_case)]
        mod $name {
            use super::*;

            #[test]
            fn contains_its_triangles() {
                contains::<$volume>(&mut Random(<$volume>::VARIANT as u64));
            }

            #[test]
            fn bounds_are_sound_in_f32() {
                bounds_are_sound::<$volume, f32>(&mut Random(<$volume>::VARIANT as u64 + 100), 3.0);
            }

            #[test]
            fn bounds_are_sound_in_f64() {
                bounds_are_sound::<$volume, f64>(&mut Random(<$volume>::VARIANT as u64 + 200), 3.0);
                bounds_are_sound::<$volume, f64>(&mut Random(<$volume>::VARIANT as u64 + 300), 1e4);
                bounds_are_sound::<$volume, f64>(&mut Random(<$volume>::VARIANT as u64 + 400), 1e9);
            }

            #[test]
            fn can_be_shown() {
                shows_itself::<$volume>(&mut Random(<$volume>::VARIANT as u64 + 500));
            }
        })*
    };
}

crate::volume::for_each_volume!(properties);
