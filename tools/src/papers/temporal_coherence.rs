//! [Tropp 2006]: feeler's queries with and without what they keep between queries.

use super::coherence_parameters;
use super::plot::Chart;
use super::progress::Progress;
use super::published::Published;
use super::report::{Conclusion, Figure, Section, Table, Verdict};
use super::scenes::{self, stored_or};
use super::settings::Settings;
use crate::clock::thread_seconds;
use crate::measured::{Patience, each, short};
use crate::tally::Tally;
use crate::{Mesh, Workload, cells, paths, workloads};
use feeler::internals::model::{BuildParams, VolumeKind};
use feeler::{CollideParams, DistanceParams, Model, Pair, PairParams, Transform};
use glam::DQuat;

/// Steps above this share of e_o are large [Tropp 2006, table 1].
const LARGE: f64 = 0.1;
/// Motion sizes of figures 8 and 9, in units of e_o.
const MOTIONS: [f64; 8] = [0.001, 0.003, 0.01, 0.03, 0.05, 0.1, 0.2, 0.4];
/// The interpolated paths of table 2.
pub(super) const INTERPOLATED: f64 = 0.03;

/// A path, with the paper's name of what it stands for.
pub(super) struct Path {
    pub name: &'static str,
    what: &'static str,
    pub scene: Workload,
    /// Longest edge of the smaller model's box along its axes: e_o.
    pub edge: f64,
}

fn longest_edge(mesh: &Mesh) -> f64 {
    let first = mesh.vertices[0];
    let low = mesh.vertices.iter().fold(first, |low, vertex| low.min(*vertex));
    let high = mesh.vertices.iter().fold(first, |high, vertex| high.max(*vertex));
    (high - low).max_element()
}

fn scenarios(settings: &Settings) -> Vec<Path> {
    let own = |name: &str, detail: u32| workloads::find(name).expect("a workload of the project").make(detail);
    let paths = [
        (
            "Pipes",
            "an animal passes another one",
            stored_or("bunny_bunny_path", || own("animals_path", settings.choose(21, 5))),
        ),
        ("Torus", "a wrinkled torus flies through a cave", scenes::path_verification(settings)),
        ("Hand", "a hand over a table", scenes::hand(settings)),
        ("Flange", "a peg is pushed into a hole", scenes::flange(settings)),
    ];
    paths
        .into_iter()
        .map(|(name, what, scene)| {
            let edge = longest_edge(&scene.a).min(longest_edge(&scene.b));
            Path { name, what, scene, edge }
        })
        .collect()
}

/// How far points of B move at most per step, in units of e_o [Tropp 2006, eq. 9].
fn motion_sizes(path: &Path, poses: &[Transform]) -> Vec<f64> {
    let reach = path.scene.b.vertices.iter().map(|vertex| vertex.length()).fold(0.0, f64::max);
    let step = |two: &[Transform]| {
        let [first, last] = [&two[0], &two[1]].map(|pose| DQuat::from_mat3(&pose.rotation));
        ((two[1].translation - two[0].translation).length() + first.angle_between(last) * reach) / path.edge
    };
    poses.windows(2).map(step).collect()
}

/// The first poses of the path from its second quarter, in steps of this size, whatever the steps of the path are.
pub(super) fn in_steps(path: &Path, size: f64, count: usize) -> Vec<Transform> {
    let poses = &path.scene.poses[path.scene.poses.len() / 4..];
    let fine = paths::small_steps(poses, path.edge, size / 8.0, 10 * count);
    let mut chosen = vec![fine[0]];
    for pose in &fine {
        if paths::motion(chosen.last().expect("one pose"), pose, path.edge) >= size * path.edge {
            chosen.push(*pose);
        }
    }
    chosen.truncate(count);
    chosen
}

/// Microseconds per query of a path: with what queries keep, and cold.
#[derive(Clone, Copy, Default)]
struct Compared {
    coherent: f64,
    plain: f64,
}

impl Compared {
    fn ratio(&self) -> f64 {
        self.coherent / self.plain
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Query {
    Collide,
    Distance,
}

/// feeler's query along a path, with all that a pair keeps and cold. One after the other, because the second of two queries in
/// the same pose would find the nodes in the processor's cache.
fn compare(models: &[Model; 2], query: Query, poses: &[Transform], passes: usize) -> Compared {
    let patience = Patience { one_pass: f64::INFINITY, all_passes: f64::INFINITY, passes };
    let along = |no_front: bool| {
        let params = PairParams { no_front, ..PairParams::default() };
        let mut pair = Pair::with_params(&models[0], &models[1], &params).expect("one volume");
        let mut answers = Vec::new();
        let cold = no_front;
        let means = each(poses, patience, |pose| {
            pair.set_transforms(None, Some(pose)).expect("a legal pose");
            let start = thread_seconds();
            let answer = match query {
                Query::Collide => pair.collide(&CollideParams { cold, max_work: 0 }).contact.is_some() as u64,
                Query::Distance => pair.distance(&DistanceParams { cold, ..Default::default() }).upper.to_bits(),
            };
            let seconds = thread_seconds() - start;
            answers.push(answer);
            (seconds, Tally::from(pair.counters()))
        });
        (means.microseconds, answers)
    };
    let ((coherent, answers), (plain, expected)) = (along(false), along(true));
    assert!(answers == expected, "coherence changes no answer");
    Compared { coherent, plain }
}

fn models(path: &Path, volume: VolumeKind) -> [Model; 2] {
    path.scene.models(&BuildParams { volume, ..BuildParams::default() })
}

pub fn run(settings: &Settings) -> Section {
    let published = Published::of("temporal_coherence");
    let mut section = Section::new(
        "temporal_coherence",
        "Tropp, Tal, Shimshoni, Dobkin: Temporal Coherence in Bounding Volume Hierarchies for Collision Detection, 2006.",
    );
    let paths = scenarios(settings);
    let mut bar = Progress::new("temporal coherence", 1 + 4 * paths.len() + 3);
    characteristics(&paths, &published, &mut section);
    bar.step();
    table2(settings, &paths, &published, &mut section, &mut bar);
    motion_figures(settings, &paths, &mut section, &mut bar);
    coherence_parameters::run(settings, &paths[1..3], &mut section, &mut bar);
    section
}

/// The share of large steps in per cent, and the median, of sorted motion sizes.
fn large_and_median(sizes: &[f64]) -> (f64, f64) {
    let large = sizes.iter().filter(|size| **size > LARGE).count();
    (100.0 * large as f64 / sizes.len() as f64, sizes[sizes.len() / 2])
}

/// Table 1.
fn characteristics(paths: &[Path], published: &Published, section: &mut Section) {
    let motions: Vec<(f64, f64)> = paths
        .iter()
        .map(|path| {
            let mut sizes = motion_sizes(path, &path.scene.poses);
            sizes.sort_by(f64::total_cmp);
            large_and_median(&sizes)
        })
        .collect();
    let large_paths = motions.iter().filter(|(large, _)| *large > 10.0).count();
    let rows = paths.iter().zip(&motions).map(|(path, (large, median))| {
        let paper = |row: &str| published.number("table1", row, path.name);
        cells![
            path.name,
            path.what,
            paper("triangles, environment"),
            paper("triangles, object"),
            paper("frames"),
            paper("OBB: median motion size"),
            paper("OBB: large motions"),
            path.scene.a.triangles.len(),
            path.scene.b.triangles.len(),
            path.scene.poses.len(),
            format!("{median:.3}"),
            format!("{large:.1}")
        ]
    });
    section.table(Table {
        name: "tropp_table1".to_string(),
        title: "Table 1: characteristics of the scenarios".to_string(),
        caption: "Motion sizes are bounds of how far a point of the moving model goes per step, in units of the longest edge of the smaller \
                  model's box; steps above 0.1 are large."
            .to_string(),
        head: cells![
            "scenario", "stands for it here", "paper: environment", "object", "frames", "median motion", "large, %", "here: environment",
            "object", "frames", "median motion", "large, %"
        ],
        rows: rows.collect(),
        conclusion: Conclusion::new(
            "its scenarios go from small motions to very large ones.",
            Verdict::Partly,
            format!(
                "{large_paths} of our {} paths have more than a tenth of large motions: our steps are smaller, so table 2 and figures 8 and 9 \
                 also have paths in equal steps.",
                paths.len()
            ),
        ),
    });
}

/// Table 2.
fn table2(settings: &Settings, paths: &[Path], published: &Published, section: &mut Section, bar: &mut Progress) {
    let count = settings.choose(300, 60);
    let passes = 3;
    let mut rows = Vec::new();
    let mut speedups = Vec::new();
    for volume in [VolumeKind::Obb, VolumeKind::Aabb] {
        let (without, with) = match volume {
            VolumeKind::Obb => ("OBB non-coherence", "OBB coherence"),
            _ => ("AABBlite non-coherence", "AABB coherence"),
        };
        for path in paths {
            let models = models(path, volume);
            let original: Vec<Transform> = path.scene.poses.iter().copied().take(count).collect();
            let interpolated = in_steps(path, INTERPOLATED, count);
            for (name, column, poses) in
                [("original", "original", &original), ("in steps of 0.03", "interpolated 0.03", &interpolated)]
            {
                let paper = |row: &str| published.number("table2", row, &format!("{column}: {}", path.name));
                let [collide, distance] =
                    [Query::Collide, Query::Distance].map(|query| compare(&models, query, poses, passes));
                if column != "original" {
                    speedups.push((volume, 1.0 / collide.ratio(), 1.0 / distance.ratio()));
                }
                rows.push(cells![
                    volume.name(),
                    path.name,
                    name,
                    paper(without),
                    paper(with),
                    format!("{:.2}", paper(without) / paper(with)),
                    short(collide.plain),
                    short(collide.coherent),
                    format!("{:.2}", 1.0 / collide.ratio()),
                    short(distance.plain),
                    short(distance.coherent),
                    format!("{:.2}", 1.0 / distance.ratio())
                ]);
            }
            bar.step();
        }
    }
    let range = |volume: VolumeKind, value: fn(&(VolumeKind, f64, f64)) -> f64| {
        let values = speedups.iter().filter(|entry| entry.0 == volume).map(value);
        (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max))
    };
    let obb = [range(VolumeKind::Obb, |entry| entry.1), range(VolumeKind::Obb, |entry| entry.2)];
    let aabb = [range(VolumeKind::Aabb, |entry| entry.1), range(VolumeKind::Aabb, |entry| entry.2)];
    section.table(Table {
        name: "tropp_table2".to_string(),
        title: "Table 2: with and without coherence".to_string(),
        caption: "feeler's queries along the paths, in microseconds per query: cold, and with all that a pair keeps between queries (the last \
                  triangles, and the front where there is one). The paper's times have no unit. The paper's AABB row is that of SAT lite."
            .to_string(),
        head: cells![
            "volume", "scenario", "path", "paper: without", "with", "faster by", "collide: cold", "coherent", "faster by",
            "distance: cold", "coherent", "faster by"
        ],
        rows,
        conclusion: Conclusion::new(
            "coherence is always faster: 1.27 to 2 times for OBB and 1.04 to 1.26 times for AABB in steps of 0.03.",
            Verdict::of(&[obb[0].0 > 1.0 && aabb[0].0 > 1.0, obb[1].0 > 1.0 && aabb[1].0 > 1.0]),
            format!(
                "In steps of 0.03 the factor is {} to {} for collide and {} to {} for distance with OBB, {} to {} and {} to {} with AABB: a \
                 cold query of a few microseconds leaves little to save, and in such steps a front costs about what it gives; figures 8 and 9 show \
                 where coherence begins to pay.",
                short(obb[0].0), short(obb[0].1), short(obb[1].0), short(obb[1].1),
                short(aabb[0].0), short(aabb[0].1), short(aabb[1].0), short(aabb[1].1)
            ),
        ),
    });
}

/// Figures 8 and 9.
fn motion_figures(settings: &Settings, paths: &[Path], section: &mut Section, bar: &mut Progress) {
    let count = settings.choose(200, 50);
    let passes = 3;
    let mut below = Vec::new();
    for (volume, figure) in [(VolumeKind::Obb, 8), (VolumeKind::Aabb, 9)] {
        let chart = |what: &str| {
            Chart::new("motion size per step, in units of e_o", &format!("{what}: coherent / cold time"))
                .logarithmic(true, false)
        };
        let mut charts = [(Query::Collide, chart("collide")), (Query::Distance, chart("distance"))];
        let mut smallest = [Vec::new(), Vec::new()];
        for path in paths {
            let models = models(path, volume);
            for (place, (query, chart)) in charts.iter_mut().enumerate() {
                let mut points = Vec::new();
                for size in MOTIONS {
                    let poses = in_steps(path, size, count);
                    if poses.len() < 8 {
                        continue;
                    }
                    let compared = compare(&models, *query, &poses, passes);
                    points.push((size, compared.ratio()));
                    if size == 0.003 {
                        smallest[place].push(compared.ratio());
                    }
                    if volume == VolumeKind::Obb && *query == Query::Distance && size == 0.003 {
                        below.push((path.name, compared));
                    }
                }
                chart.curve(path.name, points);
            }
            bar.step();
        }
        for (place, (query, chart)) in charts.into_iter().enumerate() {
            let name = if query == Query::Collide { "collide" } else { "distance" };
            let ratios = &smallest[place];
            let (least, most) =
                (ratios.iter().copied().fold(f64::INFINITY, f64::min), ratios.iter().copied().fold(0.0, f64::max));
            section.figure(Figure {
                name: format!("tropp_figure{figure}_{name}"),
                title: format!("Figure {figure}: {name} by motion size, {}", volume.name()),
                caption: "feeler's query with all that a pair keeps, by the cold query, on paths in equal steps; below 1 coherence pays.".to_string(),
                chart,
                conclusion: Some(Conclusion::new(
                    "the smaller the motion, the more coherence saves; half of the time at 0.05 for OBB on the hand.",
                    Verdict::of(&ratios.iter().map(|ratio| *ratio < 1.0).collect::<Vec<bool>>()),
                    format!("At a motion of 0.003 coherent queries take {least:.2} to {most:.2} of the cold time."),
                )),
            });
        }
    }
    let sums =
        below.iter().fold((0.0, 0.0), |sums, (_, compared)| (sums.0 + compared.coherent, sums.1 + compared.plain));
    let numbers: Vec<String> = below.iter().map(|(name, compared)| format!("{name} {:.2}", compared.ratio())).collect();
    section.claim(
        "coherence is faster below its switch (distance, OBB, steps of 0.003)",
        sums.0 < 0.9 * sums.1,
        format!("{:.2} of the cold time; {}", sums.0 / sums.1, numbers.join(", ")),
    );
}
