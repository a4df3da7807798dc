//! [Larsen 1999, tables 2 to 4]: collision, distance and approximate distance by volume, on four scenes.

use super::collision_walk::by_diameter;
use super::distance_walk::Ask;
use super::overlap_test::Usual;
use super::plain_queries::{LARSEN, PerVolume, PlainPair, Until, with_volume};
use super::plain_tree::{Cut, PlainModel};
use super::progress::Progress;
use super::published::Published;
use super::report::{Conclusion, Section, Table, Verdict};
use super::scenes;
use super::settings::Settings;
use crate::measured::{Means, ask, collide, distance, short};
use crate::{Workload, cells};
use feeler::internals::model::{BuildParams, Model, VolumeKind};
use feeler::internals::query::DistanceParams;
use feeler::internals::volume::Volume;
use feeler::{HybridSelection, Pair};

/// The error that the approximate distance may have.
const ERROR: f64 = 0.1;

/// The scenes, with the names of the paper's columns.
const SCENES: [&str; 4] = ["virtual prototyping", "falling tori", "path planning", "dynamic simulation"];

/// What a volume needs for the three queries of a scene, in a plain binary tree and in feeler.
struct Cell {
    scene: usize,
    volume: &'static str,
    plain: [Means; 3],
    feeler: [Means; 3],
}

struct InPlainTrees<'a> {
    scene: &'a Workload,
    settings: &'a Settings,
}

impl PerVolume for InPlainTrees<'_> {
    type Output = [Means; 3];

    fn run<V: Volume>(&self) -> [Means; 3] {
        let Workload { a, b, poses, .. } = self.scene;
        let patience = self.settings.patience();
        let [a, b] = [a, b].map(|mesh| PlainModel::<V>::new(mesh, Cut::Mean));
        let pair = PlainPair { a: &a, b: &b };
        let near =
            |relative_error: f64| pair.distances(poses, patience, |_, _| Ask { relative_error, ..Ask::default() });
        [pair.collisions(poses, patience, (Usual, Until::FirstContact), by_diameter::<V>), near(0.0), near(ERROR)]
    }
}

fn in_feeler(scene: &Workload, volume: &str, settings: &Settings) -> [Means; 3] {
    let kind = VolumeKind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(volume)).expect("a volume");
    let params = BuildParams { volume: kind, hybrid_selection: HybridSelection::Static, ..BuildParams::default() };
    let [a, b] = scene.models(&params);
    let mut pair = Pair::new(&a, &b).expect("one volume");
    let about = |pair: &mut Pair<&Model>| {
        pair.distance(&DistanceParams { cold: true, relative_error: ERROR, ..DistanceParams::default() });
    };
    [collide, distance, about as fn(&mut Pair<&Model>)]
        .map(|query| ask(&mut pair, &scene.poses, settings.patience(), query))
}

pub fn run(settings: &Settings, published: &Published, section: &mut Section) {
    let scenes = [
        scenes::engine(settings),
        scenes::falling_tori(settings),
        scenes::path_planning(settings),
        scenes::falling_rings(settings),
    ];
    let mut bar = Progress::new("swept spheres: tables 2 to 4", scenes.len() * LARSEN.len());
    let mut all = Vec::new();
    for (number, scene) in scenes.iter().enumerate() {
        for volume in LARSEN {
            let plain = with_volume(volume, &InPlainTrees { scene, settings });
            all.push(Cell { scene: number, volume, plain, feeler: in_feeler(scene, volume, settings) });
            bar.step();
        }
    }
    let titles = ["Table 2: collision", "Table 3: exact distance", "Table 4: distance with 10 % error"];
    for (query, title) in titles.into_iter().enumerate() {
        let table = format!("table{}", query + 2);
        let sizes: Vec<String> = scenes
            .iter()
            .zip(SCENES)
            .map(|(scene, name)| {
                let counts = [&scene.a, &scene.b].map(|mesh| mesh.triangles.len());
                format!("{name}: {} and {} triangles, {} queries", counts[0], counts[1], scene.poses.len())
            })
            .collect();
        section.table(Table {
            name: format!("larsen_{table}"),
            title: title.to_string(),
            caption: format!(
                "The paper's N_bv and N_p are millions over its whole benchmark, ours are per query. \"Plain\" is a binary tree \
                 split at the mean, with a heap of 200 pairs for distances; \"feeler\" is the library, cold. {}.",
                sizes.join("; ")
            ),
            head: cells![
                "scene", "volume", "paper N_bv, 10^6", "paper N_p, 10^6", "paper ms", "plain N_bv", "plain N_p", "plain us",
                "feeler N_bv", "feeler N_p", "feeler us"
            ],
            rows: all.iter().map(|cell| row(cell, query, &table, published)).collect(),
            conclusion: conclusion(&all, query),
        });
    }
}

fn row(cell: &Cell, query: usize, table: &str, published: &Published) -> Vec<String> {
    let scene = SCENES[cell.scene];
    let paper = |what: &str| published.number(table, cell.volume, &format!("{scene}: {what}"));
    let mut row = cells![scene, cell.volume, paper("N_bv"), paper("N_p"), paper("average query time")];
    for means in [&cell.plain[query], &cell.feeler[query]] {
        let cut = means.cut.map_or(String::new(), |poses| format!(" ({poses} poses)"));
        row.extend(cells![short(means.volumes()), short(means.triangles), short(means.microseconds) + &cut]);
    }
    row
}

/// The claims of [Larsen 1999, 7.4] that the table of a query is about.
fn conclusion(all: &[Cell], query: usize) -> Conclusion {
    let find = |scene: usize, volume: &str| {
        all.iter().find(|cell| cell.scene == scene && cell.volume == volume).expect("every volume on every scene")
    };
    let plain = |scene: usize, volume: &str| find(scene, volume).plain[query].microseconds;
    let feeler = |scene: usize, volume: &str| find(scene, volume).feeler[query].microseconds;
    let tests = |scene: usize, volume: &str| find(scene, volume).plain[query].volumes();
    let fastest = |scene: usize, time: &dyn Fn(usize, &str) -> f64| {
        LARSEN.into_iter().min_by(|a, b| time(scene, a).total_cmp(&time(scene, b))).expect("six volumes")
    };
    match query {
        0 => {
            let ratios: Vec<f64> = (1..4).map(|scene| feeler(scene, "RSS") / feeler(scene, "OBB")).collect();
            let on_engine = feeler(0, "RSS") / feeler(0, "OBB");
            let engine = fastest(0, &plain);
            Conclusion::new(
                "RSS are competitive with OBB for collision, AABB win on the engine's axis-aligned triangles, spheres lose in the \
                 cave.",
                Verdict::of(&[
                    ratios.iter().all(|ratio| *ratio < 1.5) && on_engine < 1.5,
                    engine == "AABB",
                    tests(2, "Sphere") > 2.0 * tests(2, "OBB"),
                ]),
                format!(
                    "On the engine {engine} is the fastest plain tree; in the cave spheres need {} times the tests of OBB. An RSS \
                     query takes {} to {} times as long as an OBB query in feeler, and {} times on the engine, where boxes fit and \
                     round rectangles do not: the RSS test has divisions and a root, the OBB test only products, and eight lanes \
                     make products cheap.",
                    short(tests(2, "Sphere") / tests(2, "OBB")),
                    short(ratios.iter().copied().fold(f64::INFINITY, f64::min)),
                    short(ratios.iter().copied().fold(0.0, f64::max)),
                    short(on_engine),
                ),
            )
        }
        1 => {
            let ratios: Vec<f64> = (0..4).map(|scene| feeler(scene, "OBB") / feeler(scene, "RSS")).collect();
            let rings = fastest(3, &plain);
            Conclusion::new(
                "RSS are the best volume for distance, OBB are not suitable (their test is too expensive); LSS win on the rings.",
                Verdict::of(&[ratios.iter().all(|ratio| *ratio > 2.0), rings == "LSS"]),
                format!(
                    "OBB take {} to {} times the time of RSS, with {} to {} times the tests: feeler does not compute the distance \
                     of two boxes but a lower bound by projections, which costs little more than the overlap test. On the rings \
                     {rings} is the fastest plain tree.",
                    short(ratios.iter().copied().fold(f64::INFINITY, f64::min)),
                    short(ratios.iter().copied().fold(0.0, f64::max)),
                    short((0..4).map(|scene| tests(scene, "OBB") / tests(scene, "RSS")).fold(f64::INFINITY, f64::min)),
                    short((0..4).map(|scene| tests(scene, "OBB") / tests(scene, "RSS")).fold(0.0, f64::max)),
                ),
            )
        }
        _ => {
            let saved: Vec<f64> = (0..4)
                .flat_map(|scene| LARSEN.map(|volume| tests(scene, volume) / find(scene, volume).plain[1].volumes()))
                .collect();
            let mean = saved.iter().sum::<f64>() / saved.len() as f64;
            Conclusion::new(
                "an error of 10 % saves a few tests in most scenes and half of them on the rings; the order of the volumes stays.",
                Verdict::of(&[saved.iter().all(|share| *share <= 1.02), mean < 0.95]),
                format!(
                    "With 10 % error the plain trees need {} to {} of the tests of the exact distance, {} on average, for every \
                     volume.",
                    short(saved.iter().copied().fold(f64::INFINITY, f64::min)),
                    short(saved.iter().copied().fold(0.0, f64::max)),
                    short(mean)
                ),
            )
        }
    }
}
