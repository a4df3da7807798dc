//! How many volume and triangle tests collide needs with the usual axes (six, seven for OBB), with fifteen, and with a sphere and five: the
//! comparisons of [van den Bergen 1997, 4] and [Chang 2009, 4].
//! `cargo run --release -p feeler-tools --bin separating_axes -- [--write docs/volumes.md] [workload ...]`
//!
//! A plain simultaneous descent that visits all overlapping pairs, so that counts do not depend on a search order.

use feeler::internals::math::motion::Motion;
use feeler::internals::model::{BuildParams, Hierarchy, Model, VolumeKind};
use feeler::internals::tree::node::Tree;
use feeler::internals::volume::Volume;
use feeler::{Pair, Transform};
use feeler_tools::arguments::{arguments, option};
use feeler_tools::clock::thread_seconds;
use feeler_tools::papers::collision_walk::{CollisionWalk, by_diameter};
use feeler_tools::papers::overlap_test::{Fifteen, OverlapTest, Usual};
use feeler_tools::{Workload, document};

const STORED: &[&str] = &["bunny_bunny_close", "torus_cave", "rings", "buddha_d1", "teapot_patches"];
const OWN: &[&str] = &["animals_close", "cave_visits", "linked_rings", "drilled_plates", "bent_patches"];

/// The motions between the node frames of models of equal scale.
fn motions(a: &Model, b: &Model, pose: &Transform) -> (Motion<f32>, Motion<f32>) {
    let mut pair = Pair::new(a, b).unwrap();
    pair.set_transforms(None, Some(pose)).unwrap();
    let placement = pair.placement();
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
fn count<V: Volume, T: OverlapTest<V>>(
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
            let into = (&into_a, &into_b);
            let walk = CollisionWalk { trees, into, test, size: by_diameter::<V>, stack: &mut stack };
            let tally = walk.run(|_, _| false);
            total += thread_seconds() - start;
            (volumes, triangles) = (volumes + tally.volumes, triangles + tally.triangles);
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
