//! Where the past cannot help, queries cost what cold ones cost: memory may take 3 % more in the sum, and no query may take more than
//! one and a half cold ones of nearby frames: a pass along the front costs half of one at most. Costs are counted (`Counters::cost`); `scripts/vain_memory.sh` counts instructions.

use feeler::internals::model::VolumeKind;
use feeler::internals::query::contact_sink::ContactList;
use feeler::internals::query::*;
use feeler::{BuildParams, Inline, Model, Pair, Transform};
use feeler_tools::{Mesh, Random, meshes, scenes};
use glam::{DMat3, DQuat, DVec3};

const VOLUMES: [VolumeKind; 5] =
    [VolumeKind::Obb, VolumeKind::Aabb, VolumeKind::Rss, VolumeKind::Kdop18, VolumeKind::Sphere];
const QUESTIONS: [&str; 4] = ["collide", "contacts", "tolerance", "distance"];

/// Where models begin to touch, a cold query ends at once, and a pass along the front looks for the touching pair without an order. So a
/// query is compared with the dearest cold query of as many frames before it.
const NEARBY: usize = 16;

/// Costs that no count tells from one another: a fixed part of every query with memory.
const FIXED: u64 = 128;

fn model(mesh: &Mesh, volume: VolumeKind) -> Model {
    let mut model = Model::new(&mesh.source()).unwrap();
    model.build_with(&BuildParams { volume, ..Default::default() }, &Inline).unwrap();
    model
}

fn bodies() -> Vec<[Mesh; 2]> {
    vec![
        [meshes::torus(40, 20, 0.3), meshes::torus(30, 16, 0.4)],
        [meshes::sphere(40, 30), meshes::random_soup(200, 0.2, 3)],
        [meshes::lattice_box(8), meshes::lattice_box(6)],
    ]
}

/// What each query of a path costs.
fn costs(models: &[Model; 2], path: &[Transform], question: &str, cold: bool) -> Vec<u64> {
    let mut pair = Pair::new(&models[0], &models[1]).unwrap();
    let cost = |pose: &Transform| {
        pair.set_transforms(None, Some(pose)).unwrap();
        let is_complete = match question {
            "collide" => pair.collide(&CollideParams { cold, ..Default::default() }).complete,
            "contacts" => {
                let params = ContactsParams { cold, ..Default::default() };
                pair.contacts(&params, &mut ContactList::default()).complete
            }
            "distance" => pair.distance(&DistanceParams { cold, ..Default::default() }).complete,
            _ => pair.tolerance(&ToleranceParams { cold, tolerance: 0.05, ..Default::default() }).complete,
        };
        assert!(is_complete);
        pair.counters().cost()
    };
    path.iter().map(cost).collect()
}

/// Poses that have nothing to do with one another.
fn random_poses(count: usize) -> Vec<Transform> {
    let mut random = Random(11);
    let pose = |_| {
        let rotation = scenes::random_rotation(&mut random);
        Transform { rotation, translation: random.point() * 1.6, ..Transform::IDENTITY }
    };
    (0..count).map(pose).collect()
}

/// A walk around A, in steps of a share of the size of B.
fn walk(count: usize, step: f64) -> Vec<Transform> {
    let mut random = Random(5);
    let (mut rotation, mut centre) = (DQuat::IDENTITY, DVec3::new(1.4, 0.2, 0.1));
    let mut velocity = random.point();
    let pose = |_| {
        // Home, so that the models stay near each other.
        velocity = velocity * 0.9 + random.point() * 0.2 - centre * 0.03;
        centre += velocity.normalize_or_zero() * step;
        rotation = (DQuat::from_axis_angle(random.point().normalize_or(DVec3::X), step * 0.5) * rotation).normalize();
        Transform { rotation: DMat3::from_quat(rotation), translation: centre, ..Transform::IDENTITY }
    };
    (0..count).map(pose).collect()
}

/// The largest share that memory costs more than a cold query, over paths, bodies, volumes and questions.
fn worst_loss(path: &[Transform]) -> (f64, String) {
    let mut worst = (0.0, String::new());
    for volume in VOLUMES {
        for (number, meshes) in bodies().iter().enumerate() {
            let models = [model(&meshes[0], volume), model(&meshes[1], volume)];
            for question in QUESTIONS {
                let [warm, cold] = [false, true].map(|cold| costs(&models, path, question, cold).iter().sum::<u64>());
                let loss = warm as f64 / cold as f64 - 1.0;
                if loss > worst.0 {
                    worst = (loss, format!("{volume:?} {question}, bodies {number}: {cold} cold, {warm} with memory"));
                }
            }
        }
    }
    worst
}

#[test]
fn unrelated_poses_cost_what_cold_queries_cost() {
    let (loss, label) = worst_loss(&random_poses(400));
    println!("at most {:.2} %: {label}", 100.0 * loss);
    assert!(loss <= 0.03, "{label}");
}

#[test]
fn large_steps_cost_what_cold_queries_cost() {
    for step in [0.1, 0.3] {
        let (loss, label) = worst_loss(&walk(400, step));
        println!("steps of {step}: at most {:.2} %: {label}", 100.0 * loss);
        assert!(loss <= 0.03, "steps of {step}: {label}");
    }
}

#[test]
fn middle_steps_hardly_lose() {
    let (loss, label) = worst_loss(&walk(600, 0.02));
    println!("at most {:.2} %: {label}", 100.0 * loss);
    assert!(loss <= 0.03, "{label}");
}

#[test]
fn no_query_of_a_path_costs_much_more_than_a_cold_one() {
    let mut largest = (0.0, String::new());
    for step in [0.0003, 0.003, 0.02, 0.06] {
        let path = walk(400, step);
        for volume in VOLUMES {
            for (number, meshes) in bodies().iter().enumerate() {
                let models = [model(&meshes[0], volume), model(&meshes[1], volume)];
                for question in QUESTIONS {
                    let [warm, cold] = [false, true].map(|cold| costs(&models, &path, question, cold));
                    for (frame, warm) in warm.iter().enumerate() {
                        let cold = cold[frame.saturating_sub(NEARBY)..=frame].iter().max().unwrap();
                        let share = warm.saturating_sub(FIXED) as f64 / (*cold).max(1) as f64;
                        if share > largest.0 {
                            let label =
                                format!("{volume:?} {question}, bodies {number}, steps of {step}, frame {frame}");
                            largest = (share, format!("{label}: {cold} cold, {warm} with memory"));
                        }
                    }
                }
            }
        }
    }
    println!("at most {:.2} cold queries: {}", largest.0, largest.1);
    assert!(largest.0 <= 1.5, "{}", largest.1);
}
