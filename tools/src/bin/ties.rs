//! What exact ties cost: `cargo run --release -p feeler-tools --bin ties -- [workload ...]`.
//!
//! For scenes that consist of ties, and for workloads: the pairs of triangles that a cold distance query measures, how many of them the
//! robust path takes, how many pairs are as near as the nearest one to a part in 1e9, how many different pairs of features these are
//! nearest at, and the time. Features are told apart by the places of their vertices. For scenes that touch: a contacts query.

use feeler::internals::model::{BuildParams, Model};
use feeler::internals::query::contact_sink::ContactList;
use feeler::internals::query::{Contact, ContactsParams, DistanceParams};
use feeler::{Pair, Transform};
use feeler_tools::arguments::arguments;
use feeler_tools::{Mesh, Workload, meshes, scenes};
use glam::DVec3;
use std::collections::HashSet;
use std::time::Instant;

const STORED: &[&str] = &["torus_cave_path", "bunny_bunny_path", "robust_boxes"];
const OWN: &[&str] = &["cave_flight", "animals_path", "drilled_plates", "machine_parts"];
/// Poses of each workload, spread over all.
const POSES: usize = 40;

/// `count` needles along x, one beside the other.
fn needles(count: u32) -> Mesh {
    Mesh::soup((0..count).map(|k| {
        let at = f64::from(k) / f64::from(count);
        [DVec3::new(0.0, at, 0.0), DVec3::new(1.0, at, 0.0), DVec3::new(0.5, at, 0.0)]
    }))
}

/// `count` triangles around the origin.
fn fan(count: u32) -> Mesh {
    Mesh::soup((0..count).map(|k| {
        let at = |k: u32| {
            let angle = f64::from(k) / f64::from(count) * std::f64::consts::TAU;
            DVec3::new(angle.cos(), angle.sin(), 1.0)
        };
        [DVec3::ZERO, at(k), at(k + 1)]
    }))
}

fn scene(name: &str, a: Mesh, b: Mesh, translation: DVec3) -> Workload {
    Workload { name: name.to_string(), a, b, poses: vec![Transform { translation, ..Transform::IDENTITY }] }
}

fn scenes_of_ties() -> Vec<Workload> {
    let grid = |cells| meshes::grid(cells, cells, |u, v| DVec3::new(u, v, 0.0));
    let across = |mesh: Mesh| mesh.map(|v| DVec3::new(v.y, v.x, v.z));
    vec![
        scene("2048 needles across 2048, 1e-3 apart", needles(2048), across(needles(2048)), DVec3::Z * 1e-3),
        scene("2048 needles across 2048, 1 apart", needles(2048), across(needles(2048)), DVec3::Z),
        scene("grids of 2048 triangles, 1e-9 apart", grid(32), grid(32), DVec3::Z * 1e-9),
        scene("grids of 2048 triangles, 1e-3 apart", grid(32), grid(32), DVec3::Z * 1e-3),
        scene("grids of 2048 triangles, 0.1 apart", grid(32), grid(32), DVec3::Z * 0.1),
        scene("fans of 2048, apex over apex", fan(2048), fan(2048).map(|v| -v), DVec3::Z * -0.1),
        scene("fans of 2048 that share an apex", fan(2048), fan(2048).map(|v| -v), DVec3::ZERO),
    ]
}

/// The vertices of a feature, by their bits and in order.
fn feature_of(mesh: &Mesh, triangle: u32, feature: u32) -> Vec<[u64; 3]> {
    let corners = mesh.triangles[triangle as usize].map(|v| mesh.vertices[v as usize].to_array().map(f64::to_bits));
    let mut vertices = match feature {
        0..3 => vec![corners[feature as usize]],
        3..6 => vec![corners[feature as usize - 3], corners[(feature as usize - 2) % 3]],
        _ => corners.to_vec(),
    };
    vertices.sort_unstable();
    vertices
}

fn main() {
    println!("| scene | query | pairs measured | robust | tied pairs | feature pairs | ms |");
    println!("|---|---|--:|--:|--:|--:|--:|");
    let given = arguments();
    let mut workloads = if given.is_empty() { scenes_of_ties() } else { Vec::new() };
    workloads.extend(Workload::names_or(given, STORED, OWN).iter().map(|name| Workload::named(name)));
    for workload in workloads {
        measure(&workload);
    }
}

fn measure(workload: &Workload) {
    let [a, b] = workload.models(&BuildParams::default());
    let mut pair: Pair<&Model> = Pair::new(&a, &b).expect("equal volumes");
    let poses = POSES.min(workload.poses.len());
    let (mut measured, mut robust, mut tied, mut features, mut seconds, mut apart) = (0, 0, 0, 0, 0.0, 0);
    for number in (0..poses).map(|k| k * workload.poses.len() / poses) {
        pair.set_transforms(None, Some(&workload.poses[number])).expect("a legal pose");
        let start = Instant::now();
        let answer = pair.distance(&DistanceParams { cold: true, ..Default::default() });
        let mut taken = start.elapsed().as_secs_f64();
        if answer.upper == 0.0 && workload.poses.len() > 1 {
            continue;
        }
        apart += 1;
        if answer.upper == 0.0 {
            let start = Instant::now();
            let found =
                pair.contacts(&ContactsParams { cold: true, ..Default::default() }, &mut scenes::Array::new(64)).found;
            taken = start.elapsed().as_secs_f64();
            tied += found;
        }
        seconds += taken;
        measured += pair.counters().triangle_tests;
        robust += pair.counters().robust_tests;
        if answer.upper > 0.0 {
            let margin = answer.upper * (1.0 + 1e-9);
            let mut near = ContactList::default();
            pair.contacts(&ContactsParams { cold: true, margin, ..Default::default() }, &mut near);
            let pairs: HashSet<_> =
                near.contacts.iter().flatten().map(|contact| features_of(workload, contact)).collect();
            tied += near.contacts.len() as u64;
            features += pairs.len();
        }
    }
    let mean = |sum: f64| sum / f64::from(apart.max(1));
    let query = if features == 0 && tied > 0 { "contacts" } else { "distance" };
    println!(
        "| {} | {query} | {:.0} | {:.0} | {:.0} | {} | {:.3} |",
        workload.name,
        mean(measured as f64),
        mean(robust as f64),
        mean(tied as f64),
        if features > 0 { format!("{:.0}", mean(features as f64)) } else { String::new() },
        mean(seconds * 1e3)
    );
}

fn features_of(workload: &Workload, contact: &Contact) -> [Vec<[u64; 3]>; 2] {
    let Contact { triangle_a, triangle_b, feature, .. } = *contact;
    [feature_of(&workload.a, triangle_a, feature & 0xff), feature_of(&workload.b, triangle_b, feature >> 8 & 0xff)]
}
