//! The project's own workloads: every query against the definition, warm against cold along the paths, far against near.

use feeler::internals::model::{BuildParams, VolumeKind};
use feeler::internals::query::*;
use feeler::{Model, Pair, Transform};
use feeler_tools::scenes::{Array, Walk};
use feeler_tools::{Workload, scenes, stored, workloads};
use glam::DMat3;
use std::collections::HashSet;
use std::time::Instant;

/// Poses of each workload that are compared with all pairs of triangles.
const POSES: usize = 6;

fn models(workload: &Workload) -> [Model; 2] {
    [&workload.a, &workload.b].map(|mesh| scenes::build(mesh, VolumeKind::default()).expect("the default volume"))
}

fn distance(pair: &mut Pair<&Model>, cold: bool) -> DistanceAnswer {
    pair.distance(&DistanceParams { cold, ..Default::default() })
}

#[test]
fn queries_agree_with_the_definition() {
    for recipe in workloads::ALL {
        let start = Instant::now();
        let workload = recipe.make(1);
        let made = start.elapsed().as_secs_f64();
        let [a, b] = models(&workload);
        let mut pair = Pair::new(&a, &b).expect("equal volumes");
        let count = workload.poses.len();
        let mut touching = 0;
        for number in (0..POSES.min(count)).map(|k| k * count / POSES.min(count)) {
            pair.set_transforms(None, Some(&workload.poses[number])).expect("a legal pose");
            let walk = Walk::new(&pair);
            let (exact, label) = (walk.distance(), format!("{}, pose {number}", recipe.name));
            touching += usize::from(exact == 0.0);
            for cold in [true, false] {
                let answer = distance(&mut pair, cold);
                assert!(answer.complete, "{label}: {answer:?}");
                assert_eq!((answer.lower, answer.upper), (exact, exact), "{label}: cold {cold}");
                let found = pair.collide(&CollideParams { cold, ..Default::default() }).contact.is_some();
                assert_eq!(found, exact == 0.0, "{label}: cold {cold}");
                for tolerance in [0.7 * exact, exact, 1.4 * exact, 0.01] {
                    let params = ToleranceParams { cold, tolerance, ..Default::default() };
                    assert_eq!(pair.tolerance(&params).closer, exact <= tolerance, "{label}: within {tolerance}");
                }
            }
            for margin in [0.0, 1.001 * exact] {
                let expected = walk.within(margin);
                let mut array = Array::new(expected.len() + 1);
                let answer = pair.contacts(&ContactsParams { margin, ..Default::default() }, &mut array);
                assert!(answer.complete, "{label}: {answer:?}");
                assert_eq!(array.ids(), expected, "{label}: within {margin}");
            }
        }
        println!(
            "{}: {} x {} triangles, {count} poses, {touching} of {} touch, made in {:.1} ms, all {:.2} s",
            recipe.name,
            workload.a.triangles.len(),
            workload.b.triangles.len(),
            POSES.min(count),
            made * 1e3,
            start.elapsed().as_secs_f64()
        );
    }
}

/// Along a path nothing but speed depends on the earlier queries.
#[test]
fn paths_give_the_same_distances_warm_and_cold() {
    let mut slow = [0, 0];
    for recipe in workloads::ALL {
        let workload = recipe.make(2);
        let [a, b] = models(&workload);
        let [mut warm, mut cold] = [(); 2].map(|()| Pair::new(&a, &b).expect("equal volumes"));
        let (mut touching, mut work) = (0, [0, 0]);
        for (number, pose) in workload.poses.iter().enumerate() {
            for pair in [&mut warm, &mut cold] {
                pair.set_transforms(None, Some(pose)).expect("a legal pose");
            }
            let (kept, fresh) = (distance(&mut warm, false).upper, distance(&mut cold, true).upper);
            assert_eq!(kept.to_bits(), fresh.to_bits(), "{}, pose {number}: {kept:e} {fresh:e}", recipe.name);
            touching += usize::from(kept == 0.0);
            work = [work[0] + warm.counters().work, work[1] + cold.counters().work];
        }
        println!("{}: {touching} of {} touch, work warm and cold {work:?}", recipe.name, workload.poses.len());
        if recipe.name.ends_with("_slow") {
            slow = [slow[0] + work[0], slow[1] + work[1]];
        }
    }
    assert!(slow[0] < slow[1], "small steps need less work warm than cold: {slow:?}");
}

/// Both verdicts occur where a workload is about contact, so that none of them is idle.
#[test]
fn workloads_are_what_they_say() {
    let mut names = HashSet::new();
    for recipe in workloads::ALL {
        assert!(names.insert(recipe.name) && !recipe.what.is_empty(), "{}: twice", recipe.name);
        let workload = recipe.make(1);
        let again = recipe.make(1);
        assert!(workload.a == again.a && workload.b == again.b, "{}: made twice, two meshes", recipe.name);
        assert_eq!(workload.poses.len(), recipe.make(2).poses.len(), "{}: poses in another detail", recipe.name);
        for pose in &workload.poses {
            let gram = pose.rotation.transpose() * pose.rotation - DMat3::IDENTITY;
            let off = gram.to_cols_array().iter().fold(0.0f64, |largest, entry| largest.max(entry.abs()));
            assert!(off < 1e-14 && pose.translation.is_finite(), "{}: {pose:?}", recipe.name);
        }
        let [a, b] = models(&workload);
        let mut pair = Pair::new(&a, &b).expect("equal volumes");
        let touching = workload.poses.iter().filter(|pose| {
            pair.set_transforms(None, Some(pose)).expect("a legal pose");
            pair.collide(&CollideParams::default()).contact.is_some()
        });
        let (touching, all) = (touching.count(), workload.poses.len());
        match recipe.name {
            "boxes_coinciding" | "tori_coinciding" => assert_eq!(touching, all, "{}", recipe.name),
            "far_apart" | "bent_patches" | "parted_spheres" => assert_eq!(touching, 0, "{}", recipe.name),
            name if name.ends_with("_slow") => assert!(touching < all, "{name} is always in touch"),
            name => assert!(0 < touching && touching < all, "{name}: {touching} of {all} touch"),
        }
    }
}

/// What is written for other programs reads back as the same bits.
#[test]
fn files_hold_the_same_workload() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("data");
    let workload = workloads::find("peg_in_hole").expect("one of the workloads").make(1);
    stored::write(&folder.join("workloads"), &workload);
    let read = stored::read(&folder, "peg_in_hole");
    assert!(read.a == workload.a && read.b == workload.b);
    assert_eq!(read.poses.len(), workload.poses.len());
    for (read, made) in read.poses.iter().zip(&workload.poses) {
        assert_eq!((read.rotation, read.translation), (made.rotation, made.translation));
    }
}

/// Far translations keep pruning: expansions against those of the same scene moved close along the same direction.
#[test]
fn far_poses_need_no_more_than_near_ones() {
    let workload = workloads::find("far_apart").expect("one of the workloads").make(6);
    let [a, b] = workload.models(&BuildParams::default());
    let mut pair = Pair::new(&a, &b).expect("equal volumes");
    for pose in &workload.poses {
        let mut ask = |pose: &Transform| {
            pair.set_transforms(None, Some(pose)).expect("a legal pose");
            distance(&mut pair, true);
            *pair.counters()
        };
        let (far, length) = (ask(pose), pose.translation.length());
        let near = ask(&Transform { translation: pose.translation / length * 30.0, ..*pose });
        println!("{length:.0e}: {} expansions, {} near", far.expansions, near.expansions);
        assert!(far.expansions <= 2 * near.expansions, "{length:e}: {far:?} against {near:?}");
    }
}
