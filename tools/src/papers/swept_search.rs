//! [Larsen 1999, table 5]: search orders and triangle caching; and that the ideal search is a dilated collision query.

use super::distance_walk::{Ask, DistanceWalk, Order};
use super::frames::Frames;
use super::plain_queries::PlainPair;
use super::plain_tree::{Cut, PlainModel};
use super::progress::Progress;
use super::published::Published;
use super::report::{Conclusion, Section, Table, Verdict};
use super::scenes;
use super::settings::Settings;
use crate::measured::{Means, ask, short};
use crate::tally::Tally;
use crate::{Workload, cells, ideal_tree};
use feeler::Pair;
use feeler::internals::model::{BuildParams, Model, VolumeKind};
use feeler::internals::query::DistanceParams;
use feeler::internals::volume::swept::rss::Rss;

/// Pairs in the queue, as in the paper.
const QUEUE: usize = 200;

const TECHNIQUES: [&str; 5] = [
    "Depth First Search",
    "Priority Directed Search (PDS)",
    "Triangle Caching (TC)",
    "PDS & TC",
    "Ideal Distance Query",
];

fn in_plain_trees(scene: &Workload, settings: &Settings, bar: &mut Progress) -> Vec<Means> {
    let [a, b] = [&scene.a, &scene.b].map(|mesh| PlainModel::<Rss>::new(mesh, Cut::Mean));
    let pair = PlainPair { a: &a, b: &b };
    (0..TECHNIQUES.len())
        .map(|technique| {
            let means = pair.distances(&scene.poses, settings.patience(), |pose, last| {
                let depth_first = Ask { order: Order::LeftFirst, ..Ask::default() };
                let priority = Ask { order: Order::Priority(QUEUE), ..Ask::default() };
                match technique {
                    0 => depth_first,
                    1 => priority,
                    2 => Ask { cached: last, ..depth_first },
                    3 => Ask { cached: last, ..priority },
                    _ => {
                        let frames = Frames::new(&a, &b, pose);
                        let found = DistanceWalk { a: &a, b: &b, frames: &frames, ask: priority };
                        Ask { known: found.run(&mut Tally::default()).distance, ..depth_first }
                    }
                }
            });
            bar.step();
            means
        })
        .collect()
}

/// feeler's own searches: cold, and with what it keeps between queries.
fn in_feeler(scene: &Workload, settings: &Settings) -> [Means; 2] {
    let [a, b] = scene.models(&BuildParams { volume: VolumeKind::Rss, ..BuildParams::default() });
    let mut pair = Pair::new(&a, &b).expect("one volume");
    [true, false].map(|cold| {
        ask(&mut pair, &scene.poses, settings.patience(), |pair: &mut Pair<&Model>| {
            pair.distance(&DistanceParams { cold, ..DistanceParams::default() });
        })
    })
}

/// In how many poses the ideal search and the dilated collision query made the same tests, and how many poses there were.
fn dilated(scene: &Workload) -> (usize, usize) {
    let [a, b] = scene.models(&BuildParams::default());
    let mut pair = Pair::new(&a, &b).expect("one volume");
    let (mut equal, mut all) = (0, 0);
    for pose in scene.poses.iter().take(60) {
        pair.set_transforms(None, Some(pose)).expect("a legal pose");
        if let Some(counts) = ideal_tree::count(&mut pair) {
            all += 1;
            // Triangle pairs aside: the search leaves out those that the direction of the best one rules out.
            equal += (counts.ideal.0 == counts.dilated.0) as usize;
        }
    }
    (equal, all)
}

pub fn run(settings: &Settings, published: &Published, section: &mut Section) {
    let planning = scenes::path_planning(settings);
    let verification = scenes::path_verification(settings);
    let columns = ["path planning computation (2880 random configurations)", "path planning verification (487 steps)"];
    let mut bar = Progress::new("swept spheres: table 5", 2 * (TECHNIQUES.len() + 1));
    let measured: Vec<(Vec<Means>, [Means; 2])> = [&planning, &verification]
        .into_iter()
        .map(|scene| {
            let plain = in_plain_trees(scene, settings, &mut bar);
            let feeler = in_feeler(scene, settings);
            bar.step();
            (plain, feeler)
        })
        .collect();
    let mut rows = Vec::new();
    for (place, technique) in TECHNIQUES.iter().enumerate() {
        let mut row = cells![technique];
        for (column, (plain, _)) in columns.iter().zip(&measured) {
            let paper = |what: &str| published.number("table5", technique, &format!("{column}: {what}"));
            let means = &plain[place];
            row.extend(cells![
                paper("N_bv"),
                paper("N_p"),
                paper("average query time"),
                short(means.volumes()),
                short(means.triangles),
                short(means.microseconds)
            ]);
        }
        rows.push(row);
    }
    for (place, name) in ["feeler, RSS, cold", "feeler, RSS, warm"].into_iter().enumerate() {
        let mut row = cells![name];
        for (_, feeler) in &measured {
            let means = &feeler[place];
            row.extend(cells!["", "", "", short(means.volumes()), short(means.triangles), short(means.microseconds)]);
        }
        rows.push(row);
    }
    let tests = |scene: usize, technique: usize| measured[scene].0[technique].volumes();
    let over_ideal = tests(0, 3) / tests(0, 4);
    let gain = [0, 1].map(|scene| tests(scene, 0) / tests(scene, 3));
    let priority_helps = [0, 1].map(|scene| tests(scene, 1) < tests(scene, 0));
    let caching_helps = [0, 1].map(|scene| tests(scene, 2) < tests(scene, 0));
    let time_gain = [0, 1].map(|scene| measured[scene].0[0].microseconds / measured[scene].0[3].microseconds);
    section.table(Table {
        name: "larsen_table5".to_string(),
        title: "Table 5: search orders and triangle caching".to_string(),
        caption: format!(
            "Exact distance with RSS in binary trees; left before right, a heap of {QUEUE} pairs. {} random configurations and {} \
             steps of a path; our counts are per query, the paper's are millions over the benchmark.",
            planning.poses.len(),
            verification.poses.len()
        ),
        head: cells![
            "technique",
            "planning: paper N_bv, 10^6",
            "paper N_p, 10^6",
            "paper ms",
            "N_bv",
            "N_p",
            "us",
            "path: paper N_bv, 10^6",
            "paper N_p, 10^6",
            "paper ms",
            "N_bv",
            "N_p",
            "us"
        ],
        rows,
        conclusion: Conclusion::new(
            "both techniques together are more than ten times faster than depth first search and close to the ideal.",
            Verdict::of(&[gain.iter().all(|gain| *gain > 10.0), over_ideal < 1.3]),
            format!(
                "Together they need {} and {} times fewer tests ({} and {} times less time), and {} times the tests of the ideal \
                 search; the gain is what the first guesses of depth first search cost in this scene.",
                short(gain[0]),
                short(gain[1]),
                short(time_gain[0]),
                short(time_gain[1]),
                short(over_ideal)
            ),
        ),
    });
    let numbers = |technique: usize| {
        let pairs = [0, 1].map(|scene| format!("{} for {}", short(tests(scene, technique)), short(tests(scene, 0))));
        pairs.join(", ")
    };
    section.claim("priority search reduces volume tests", priority_helps.iter().all(|helps| *helps), numbers(1));
    section.claim("triangle caching reduces volume tests", caching_helps.iter().all(|helps| *helps), numbers(2));
    let (equal, all) = dilated(&planning);
    section.claim(
        "the ideal distance query makes the tests of the dilated collision query",
        equal == all && all > 0,
        format!("in {equal} of {all} poses"),
    );
}
