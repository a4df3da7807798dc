//! How many volume and triangle tests collide needs with the usual axes (six, seven for OBB), with fifteen, and with a sphere and five: the
//! comparisons of [van den Bergen 1997, 4] and [Chang 2009, 4].
//! `cargo run --release -p feeler-tools --bin separating_axes -- [--write docs/volumes.md] [workload ...]`
//!
//! A plain simultaneous descent that visits all overlapping pairs, so that counts do not depend on a search order.

use fearless_simd::{Simd, SimdBase, SimdMask, f32x8};
use feeler::internals::math::motion::Motion;
use feeler::internals::model::{BuildParams, Hierarchy, Model, VolumeKind};
use feeler::internals::simd::level::{Operation, dispatch, level};
use feeler::internals::tree::node::{Lane, Tree};
use feeler::internals::volume::Volume;
use feeler::internals::volume::boxes::obb::{BoxProbe, Boxes};
use feeler::internals::volume::boxes::separating_axes::FifteenAxes;
use feeler::{Pair, Transform};
use feeler_tools::arguments::{arguments, option};
use feeler_tools::clock::thread_seconds;
use feeler_tools::{Workload, document};

const STORED: &[&str] = &["bunny_bunny_close", "torus_cave", "rings", "buddha_d1", "teapot_patches"];
const OWN: &[&str] = &["animals_close", "cave_visits", "linked_rings", "drilled_plates", "bent_patches"];

/// A kernel to be counted.
trait Test<V: Volume>: Copy {
    fn gaps<S: Simd>(self, simd: S, wide: &V::Wide, probe: &BoxProbe<f32>, slack: f32) -> f32x8<S>;
}

/// What queries use.
#[derive(Clone, Copy)]
struct Usual;
impl<V: Volume<Family = Boxes>> Test<V> for Usual {
    #[inline(always)]
    fn gaps<S: Simd>(self, simd: S, wide: &V::Wide, probe: &BoxProbe<f32>, slack: f32) -> f32x8<S> {
        V::separation::<S, f32x8<S>>(simd, wide, probe, slack, &mut 0)
    }
}

#[derive(Clone, Copy)]
struct Fifteen;
impl<V: FifteenAxes> Test<V> for Fifteen {
    #[inline(always)]
    fn gaps<S: Simd>(self, simd: S, wide: &V::Wide, probe: &BoxProbe<f32>, _slack: f32) -> f32x8<S> {
        V::separation_fifteen::<S, f32x8<S>>(simd, wide, probe)
    }
}

struct Walk<'a, V: Volume, T> {
    a: &'a Tree<V>,
    b: &'a Tree<V>,
    into_a: Motion<f32>,
    into_b: Motion<f32>,
    stack: &'a mut Vec<(u32, u32)>,
    test: T,
}

impl<V: Volume<Family = Boxes>, T: Test<V>> Operation for Walk<'_, V, T> {
    /// Volume tests and triangle tests.
    type Output = (u64, u64);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (u64, u64) {
        let (mut volume_tests, mut triangle_tests) = (0, 0);
        self.stack.push((0, 0));
        while let Some((a, b)) = self.stack.pop() {
            let ((node_a, lane_a), (node_b, lane_b)) = (Lane(a).split(), Lane(b).split());
            let (in_a, in_b) = (&self.a.nodes[node_a], &self.b.nodes[node_b]);
            let (child_a, child_b) = (in_a.child(lane_a), in_b.child(lane_b));
            if child_a.is_triangle() && child_b.is_triangle() {
                triangle_tests += 1;
                continue;
            }
            let a_is_larger = V::enclosing_radii(&in_a.wide)[lane_a] > V::enclosing_radii(&in_b.wide)[lane_b];
            let open_b = !child_b.is_triangle() && (child_a.is_triangle() || !a_is_larger);
            let (opened, probe, motion) = if open_b {
                (&self.b.nodes[child_b.index()], V::probe(simd, &in_a.wide, lane_a, &self.into_b), &self.into_b)
            } else {
                (&self.a.nodes[child_a.index()], V::probe(simd, &in_b.wide, lane_b, &self.into_a), &self.into_a)
            };
            let gaps = self.test.gaps(simd, &opened.wide, &probe, motion.slack);
            let apart = fearless_simd::SimdBase::simd_gt(gaps, f32x8::splat(simd, motion.slack)).to_bitmask() as u32;
            volume_tests += opened.used().count_ones() as u64;
            let mut left = !apart & opened.used();
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                self.stack.push(if open_b {
                    (a, Lane::new(child_b.index(), lane).0)
                } else {
                    (Lane::new(child_a.index(), lane).0, b)
                });
            }
        }
        (volume_tests, triangle_tests)
    }
}

/// The motions between the node frames of models of equal scale.
fn motions(a: &Model, b: &Model, pose: &Transform) -> (Motion<f32>, Motion<f32>) {
    let mut pair = Pair::new(a, b).unwrap();
    pair.set_transforms(None, Some(pose)).unwrap();
    let placement = *pair.placement();
    let (origin_a, origin_b) = (a.built().unwrap().origin, b.built().unwrap().origin);
    let (unit_a, unit_b) = (placement.scale_a.x, placement.scale_b.x);
    let shift = placement.place_b(origin_b) - placement.place_a(origin_a);
    let turn = placement.rotation_b;
    let slack = 1e-5;
    (
        Motion::new(turn, shift / unit_a, unit_b / unit_a, unit_a, slack),
        Motion::new(turn.transpose(), turn.transpose() * -shift / unit_b, unit_a / unit_b, unit_b, slack),
    )
}

/// A row of the table.
fn count<V: Volume<Family = Boxes>, T: Test<V>>(
    name: &str,
    test: T,
    models: (&Model, &Model),
    trees: (&Tree<V>, &Tree<V>),
    poses: &[Transform],
) -> String {
    let (mut volumes, mut triangles, mut seconds, mut spent) = (0, 0, f64::INFINITY, 0.0);
    let mut stack = Vec::with_capacity(1 << 16);
    // The quietest of some passes.
    for _ in 0..20 {
        (volumes, triangles) = (0, 0);
        let mut total = 0.0;
        for pose in poses {
            let (into_a, into_b) = motions(models.0, models.1, pose);
            let start = thread_seconds();
            let walk = Walk { a: trees.0, b: trees.1, into_a, into_b, stack: &mut stack, test };
            let (volume_tests, triangle_tests) = dispatch(level(), walk);
            total += thread_seconds() - start;
            (volumes, triangles) = (volumes + volume_tests, triangles + triangle_tests);
        }
        (seconds, spent) = (f64::min(seconds, total), spent + total);
        if spent > 1.0 {
            break;
        }
    }
    let n = poses.len() as f64;
    format!("| {name} | {:.0} | {:.0} | {:.1} |\n", volumes as f64 / n, triangles as f64 / n, seconds / n * 1e6)
}

fn main() {
    let mut names = arguments();
    let written = option(&mut names, "--write");
    let mut table = String::from(
        "| workload | kernel | volume tests | triangle tests | us without the triangles |\n|---|---|--:|--:|--:|\n",
    );
    for name in Workload::names_or(names, STORED, OWN) {
        let workload = Workload::named(&name);
        let poses = &workload.poses[..workload.poses.len().min(100)];
        for volume in [VolumeKind::Obb, VolumeKind::Aabb, VolumeKind::ObbSphere] {
            let [a, b] = workload.models(&BuildParams { volume, ..Default::default() });
            let row = |kernel: &str| format!("{name} | {kernel}");
            match (&a.built().unwrap().hierarchy, &b.built().unwrap().hierarchy) {
                (Hierarchy::Obb(ta), Hierarchy::Obb(tb)) => {
                    table += &count(&row("OBB, 7 axes"), Usual, (&a, &b), (ta, tb), poses);
                    table += &count(&row("OBB, 15 axes"), Fifteen, (&a, &b), (ta, tb), poses);
                }
                (Hierarchy::Aabb(ta), Hierarchy::Aabb(tb)) => {
                    table += &count(&row("AABB, 6 axes"), Usual, (&a, &b), (ta, tb), poses);
                    table += &count(&row("AABB, 15 axes"), Fifteen, (&a, &b), (ta, tb), poses);
                }
                (Hierarchy::ObbSphere(ta), Hierarchy::ObbSphere(tb)) => {
                    table += &count(&row("OBB_SPHERE, sphere + 5"), Usual, (&a, &b), (ta, tb), poses);
                }
                _ => unreachable!("built of boxes"),
            }
        }
    }
    document::publish(written.as_deref(), "axes", &table);
}
