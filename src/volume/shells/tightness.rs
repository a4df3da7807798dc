//! How tight the overlap test of shells is, compared with a test that misses only what falls between its samples.
//!
//! Points at distance `p` from the first centre and `q` from the second are on a circle around the line of centres, and
//! each cone cuts an arc out of it. Whether two arcs meet is decided exactly; only `p` and `q` are sampled. [Krishnan
//! 1998, 6] decides this by the roots of a quartic, for extreme radii only.

use crate::math::motion::Motion;
use crate::simd::level::{Operation, dispatch};
use crate::volume::fit::cluster::Cluster;
use crate::volume::properties::{Random, levels};
use crate::volume::shells::exact::{DIVIDED, may_meet};
use crate::volume::shells::fit::{Fitted, Sphere};
use crate::volume::shells::shell::{Shell, WideShell, separation_to_rounding};
use crate::volume::{Quality, Volume};
use fearless_simd::{Simd, SimdBase, f32x8};
use glam::{DMat3, DVec3};

const SLACK: f32 = 1e-6;
/// Discs are replaced by caps of spheres whose curvature is this number over their radius. They bulge by half of it,
/// which cosines can resolve.
const FLAT: f64 = 1e-4;

/// A shell as in [Krishnan 1998, 4].
#[derive(Clone, Copy, Debug)]
struct Cone {
    centre: DVec3,
    axis: DVec3,
    radii: [f64; 2],
    cosine: f64,
}

impl From<&Shell> for Cone {
    fn from(shell: &Shell) -> Self {
        let vector = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
        let least = FLAT / f64::from(shell.chord);
        let (axis, curvature) = (vector(shell.axis).normalize(), f64::from(shell.curvature).max(least));
        let (radius, half) = (1.0 / curvature, f64::from(shell.half_thickness));
        Self {
            centre: vector(shell.base) - axis * radius,
            axis,
            radii: [(radius - half).max(0.0), radius + half],
            cosine: 1.0 - 0.5 * (curvature * f64::from(shell.chord)).powi(2),
        }
    }
}

impl Cone {
    /// The shell of all points within `margin` of this one.
    fn grown(&self, margin: f64) -> Self {
        let angle = self.cosine.clamp(-1.0, 1.0).acos() + 1.2 * margin / self.radii[0].max(margin.abs());
        let cosine = if angle < core::f64::consts::PI { angle.max(0.0).cos() } else { -1.0 };
        Self { radii: [(self.radii[0] - margin).max(0.0), self.radii[1] + margin], cosine, ..*self }
    }
}

/// Whether the arcs of two cones meet, on the circle at these distances from the centres.
fn arcs_meet(a: &Cone, b: &Cone, p: f64, q: f64) -> bool {
    let line = b.centre - a.centre;
    let apart = line.length();
    let towards = line / apart;
    let along = (p * p + apart * apart - q * q) / (2.0 * apart);
    let across = (p * p - along * along).max(0.0).sqrt();
    let (u, v) = towards.any_orthonormal_pair();
    // Each arc has a centre angle and a half width. It is empty when the cone misses the circle.
    let arc = |cone: &Cone, distance: f64, along: f64| {
        let needed = distance * cone.cosine - along * cone.axis.dot(towards);
        let (x, y) = (cone.axis.dot(u) * across, cone.axis.dot(v) * across);
        let reach = x.hypot(y);
        (needed <= reach).then(|| (y.atan2(x), if needed <= -reach { 4.0 } else { (needed / reach).acos() }))
    };
    let (Some((first, wide)), Some((second, other))) = (arc(a, p, along), arc(b, q, along - apart)) else {
        return false;
    };
    let turn = core::f64::consts::TAU;
    let between = (first - second).rem_euclid(turn);
    between.min(turn - between) <= wide + other
}

fn overlap(a: &Cone, b: &Cone, samples: usize) -> bool {
    let apart = (b.centre - a.centre).length();
    let steps = |low: f64, high: f64| (0..=samples).map(move |k| low + (high - low) * k as f64 / samples as f64);
    let found = |a: &Cone, b: &Cone| {
        steps(a.radii[0], a.radii[1]).any(|p| {
            let (low, high) = (b.radii[0].max((apart - p).abs()), b.radii[1].min(apart + p));
            low <= high && steps(low, high).any(|q| arcs_meet(a, b, p, q))
        })
    };
    found(a, b) || found(b, a)
}

struct Gap<'a>(&'a Shell, &'a Shell);

impl Operation for Gap<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f32 {
        let (mut source, mut target) = (WideShell::default(), WideShell::default());
        self.0.store(&mut source, 0);
        self.1.store(&mut target, 0);
        let motion = Motion::<f32>::new(DMat3::IDENTITY, DVec3::ZERO, 1.0, 1.0, f64::from(SLACK));
        let probe = Shell::probe(simd, &source, 0, &motion);
        let gap: f32x8<S> = separation_to_rounding(simd, &target, &probe, SLACK);
        gap.as_slice()[0]
    }
}

fn told_apart(a: &Shell, b: &Shell) -> bool {
    dispatch(levels()[0], Gap(a, b)) > SLACK
}

/// A patch of a smooth surface, fitted as a leaf's shell is: `bend` is its curvature and `size` its half width.
fn patch(random: &mut Random, size: f64, bend: f64, turn: DMat3, place: DVec3) -> Shell {
    let (other, twist) = (bend * (1.0 + 0.3 * random.number()), 0.3 * bend * random.number());
    let mut vertices = Vec::new();
    for row in 0..5 {
        for column in 0..5 {
            let (x, y) = ((row as f64 - 2.0) / 2.0 * size, (column as f64 - 2.0) / 2.0 * size);
            let z = -0.5 * (bend * x * x + other * y * y) + twist * x * y;
            vertices.push(turn * DVec3::new(x, y, z) + place);
        }
    }
    let mut triangles = Vec::new();
    for row in 0..4 {
        for column in 0..4 {
            let corner = 5 * row + column;
            triangles.extend([[corner, corner + 1, corner + 6], [corner, corner + 6, corner + 5]]);
        }
    }
    Shell::fit(&Cluster::new(&vertices, DVec3::ZERO, &triangles), Quality::High)
}

/// What was found about pairs of one kind.
#[derive(Default)]
struct Found {
    /// No sampled point is in both.
    apart: u32,
    missed: u32,
    /// No sampled point is in both even when one shell is grown by more than the distance of the samples.
    clear: u32,
    /// The most divisions that a decision took, and how many pairs ran out of them.
    longest: u32,
    given_up: u32,
}

impl Found {
    fn look(&mut self, a: &Shell, b: &Shell) {
        let told = told_apart(a, b);
        let (first, second) = (Cone::from(a), Cone::from(b));
        let overlap = overlap(&first, &second, SAMPLES);
        let bulge = if a.curvature > 0.0 && b.curvature > 0.0 { 0.0 } else { FLAT * f64::from(a.chord.max(b.chord)) };
        let deep = overlap && (bulge == 0.0 || self::overlap(&first.grown(-bulge), &second.grown(-bulge), SAMPLES));
        assert!(!(told && deep), "told apart, but a point is in both: {a:?} {b:?}");
        self.apart += !overlap as u32;
        self.missed += (!overlap && !told) as u32;
        let thickest = f64::from(a.half_thickness.max(b.half_thickness));
        let margin = (0.01 * f64::from(a.radius.max(b.radius))).max(4.0 * thickest / SAMPLES as f64);
        let clear = !overlap && !self::overlap(&first.grown(margin), &second, SAMPLES);
        assert!(told || !clear, "{margin} apart and not told: {a:?} {b:?}");
        self.clear += clear as u32;
        let (meet, divided) = dispatch(levels()[0], Search(a, b));
        assert!(meet || !deep, "no common point, but a point is in both: {a:?} {b:?}");
        self.longest = self.longest.max(divided);
        self.given_up += (divided == DIVIDED) as u32;
    }

    fn print(&self, name: &str) {
        let Self { apart, missed, clear, longest, given_up } = self;
        println!(
            "{name}: {missed} of {apart} that no sample is in both of are not told apart, none of {clear} by more than samples; \
             at most {longest} divisions, {given_up} given up"
        );
    }
}

/// The last stage alone.
struct Search<'a>(&'a Shell, &'a Shell);

impl Operation for Search<'_> {
    type Output = (bool, u32);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (bool, u32) {
        may_meet(simd, &self.0.exact(), &self.1.exact(), f64::from(SLACK))
    }
}

const SAMPLES: usize = 24;

/// Thin and thick, narrow and closed, curved and flat.
fn anything(random: &mut Random, base: DVec3) -> Shell {
    let curvature = if random.number() < -0.7 { 0.0 } else { 0.2 + 4.0 * random.number().abs() };
    let axis = random.point().normalize().as_vec3().to_array();
    let most = if curvature > 0.0 { 2.0 / curvature } else { 1.0 };
    let thin = 10f64.powf(-1.5 + 1.5 * random.number());
    let half_thickness = if curvature > 0.0 { thin.min(0.9 / curvature) } else { thin };
    given(base, axis, curvature, most.min(2.0) * random.number().abs(), half_thickness)
}

fn given(base: DVec3, axis: [f32; 3], curvature: f64, chord: f64, half_thickness: f64) -> Shell {
    let sphere = Sphere {
        base: base.as_vec3().as_dvec3(),
        axis: DVec3::from_array(axis.map(f64::from)).normalize(),
        curvature: f64::from(curvature as f32),
    };
    Fitted { sphere, axis, half_thickness, chord }.into()
}

#[test]
fn shells_that_are_apart_are_told_apart() {
    let mut random = Random(3);
    let [mut anywhere, mut parallel, mut any, mut discs] = [(); 4].map(|()| Found::default());
    for _ in 0..3000 {
        let (size, bend) = (0.02 + 0.2 * random.number().abs(), 0.3 + 2.0 * random.number().abs());
        let one = patch(&mut random, size, bend, DMat3::IDENTITY, DVec3::ZERO);
        // Anywhere within reach of each other, in any direction.
        let (turn, place) = (random.rotation(), random.point() * 2.0 * size);
        anywhere.look(&one, &patch(&mut random, size, bend, turn, place));
        // Nearly parallel: the same surface a little beside and above, where the paper expects shells to be best.
        let turn = DMat3::from_axis_angle(random.point().normalize(), 0.2 * size * bend * random.number());
        let height = size * size * bend * 10f64.powf(random.number() - 0.1);
        let aside = random.point() * size;
        let drop = -0.5 * bend * (aside.x * aside.x + aside.y * aside.y);
        let place = DVec3::new(aside.x, aside.y, drop + height);
        parallel.look(&one, &patch(&mut random, size, bend, turn, place));
        // Any shells, among them closed and thick ones.
        let one = anything(&mut random, DVec3::ZERO);
        let place = random.point() * 2.0;
        any.look(&one, &anything(&mut random, place));
        let axis = |random: &mut Random| random.point().normalize().as_vec3().to_array();
        let one = given(DVec3::ZERO, axis(&mut random), 0.0, size, 0.02 * size);
        let place = random.point() * 2.0 * size;
        discs.look(&one, &given(place, axis(&mut random), 0.0, size, 0.02 * size));
    }
    for (name, found) in [("anywhere", anywhere), ("parallel", parallel), ("any", any), ("discs", discs)] {
        found.print(name);
        assert!(found.clear > 500, "{}", found.clear);
        // Some of these do have a common point, between samples.
        assert!(f64::from(found.missed) < 0.01 * f64::from(found.apart), "{} of {}", found.missed, found.apart);
        assert!(found.given_up == 0 && found.longest < DIVIDED / 2, "{} divisions", found.longest);
    }
}

/// Two thick shells with narrow cones cross in the middle of their radii: figure 6, where no extreme radius is involved.
#[test]
fn shells_that_cross_between_their_radii_are_not_told_apart() {
    let stick = |base: DVec3, axis: [f32; 3]| given(base, axis, 1.0, 0.1, 0.5);
    let upright = stick(DVec3::ZERO, [0.0, 0.0, 1.0]);
    for aside in [0.0, 0.05, 0.15, 0.17] {
        let lying = stick(DVec3::new(0.0, aside, 0.0), [1.0, 0.0, 0.0]);
        assert!(!told_apart(&upright, &lying) && !told_apart(&lying, &upright), "{aside} aside");
    }
    for aside in [0.21, 0.25, 0.5] {
        let lying = stick(DVec3::new(0.0, aside, 0.0), [1.0, 0.0, 0.0]);
        assert!(told_apart(&upright, &lying) && told_apart(&lying, &upright), "{aside} aside");
    }
}
