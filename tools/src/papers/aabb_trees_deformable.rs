//! [van den Bergen 1997].

use super::collision_walk::{CollisionWalk, Size, by_diameter};
use super::exit_axes::FirstExit;
use super::frames::Frames;
use super::overlap_test::{Fifteen, OverlapTest, Six};
use super::plain_queries::{PlainPair, Until};
use super::plain_tree::{Cut, PlainModel};
use super::plot::Chart;
use super::progress::Progress;
use super::random_placements::{HIT_RATE, tuned};
use super::report::{Conclusion, Figure, Section, Table, Verdict};
use super::scenes;
use super::settings::Settings;
use crate::clock::{quietest, thread_seconds};
use crate::measured::{ask, collide, distance, short};
use crate::tally::Tally;
use crate::{Mesh, Random, cells, deformations, meshes};
use core::cell::RefCell;
use feeler::internals::model::{BuildParams, Model, VolumeKind};
use feeler::internals::tree::build::workers::Inline;
use feeler::internals::volume::Volume;
use feeler::internals::volume::boxes::aabb::Aabb;
use feeler::internals::volume::boxes::obb::Obb;
use feeler::internals::volume::boxes::separating_axes::FifteenAxes;
use feeler::{Pair, Transform};
use glam::DVec3;

/// A model against itself in random placements.
struct Placed {
    name: &'static str,
    mesh: Mesh,
    poses: Vec<Transform>,
    rate: f64,
}

/// Box tests and triangle tests of all placements, and the time of both.
struct Measured {
    tally: Tally,
    boxes_seconds: f64,
    total_seconds: f64,
}

fn volume_of_obb(wide: &<Obb as Volume>::Wide, lane: usize) -> f32 {
    Obb::load(wide, lane).half.iter().product()
}

fn volume_of_aabb(wide: &<Aabb as Volume>::Wide, lane: usize) -> f32 {
    Aabb::load(wide, lane).half.iter().product()
}

fn measure<V: Volume, T: OverlapTest<V>>(
    model: &PlainModel<V>,
    poses: &[Transform],
    test: T,
    size: Size<V>,
    passes: usize,
) -> Measured {
    let pair = PlainPair { a: model, b: model };
    let mut stack = Vec::new();
    let mut best = Measured { tally: Tally::default(), boxes_seconds: f64::INFINITY, total_seconds: f64::INFINITY };
    for _ in 0..passes {
        let (mut tally, mut boxes_seconds, mut total_seconds) = (Tally::default(), 0.0, 0.0);
        for pose in poses {
            let start = thread_seconds();
            let (tests, touching) = pair.touches(pose, (test, Until::FirstContact), size, &mut stack);
            let middle = thread_seconds();
            // The same walk again without the triangles: it ends where the first one did.
            let frames = Frames::new(model, model, pose);
            let into = (&frames.into_a, &frames.into_b);
            let mut left = tests.triangles;
            let walk = CollisionWalk { trees: (&model.tree, &model.tree), into, test, size, stack: &mut stack };
            walk.run(|_, _| {
                left -= 1;
                left == 0 && touching
            });
            boxes_seconds += thread_seconds() - middle;
            total_seconds += middle - start;
            tally.add(&tests);
        }
        best.tally = tally;
        best.boxes_seconds = best.boxes_seconds.min(boxes_seconds);
        best.total_seconds = best.total_seconds.min(total_seconds);
    }
    best
}

pub fn run(settings: &Settings) -> Section {
    let mut section = Section::new(
        "aabb_trees_deformable",
        "van den Bergen: Efficient Collision Detection of Complex Deformable Models using AABB Trees, 1997. The text at hand has \
         lost its digits, so our numbers stand alone beside the paper's sentences.",
    );
    let detail = settings.choose(4, 2);
    let named = [
        ("torus", meshes::torus(20 * detail, 10 * detail, 0.35)),
        ("wing", scenes::wing(detail)),
        ("pot", scenes::pot(detail)),
    ];
    let mut bar = Progress::new("AABB trees", 5 * named.len());
    let count = settings.choose(1500, 150);
    let placed = named.map(|(name, mesh)| {
        let (poses, rate) = tuned(&mesh, count);
        bar.step();
        Placed { name, mesh, poses, rate }
    });
    separating_axes(settings, &placed, &mut section, &mut bar);
    exits(&placed, &mut section, &mut bar);
    rules(settings, &placed, &mut section, &mut bar);
    deforming(settings, &placed, &mut section, &mut bar);
    section
}

/// Tables 1 and 2.
fn separating_axes(settings: &Settings, placed: &[Placed], section: &mut Section, bar: &mut Progress) {
    let passes = settings.choose(3, 2);
    // By model: OBB and AABB, fifteen axes and six.
    let mut all = Vec::new();
    for Placed { mesh, poses, .. } in placed {
        let obb = PlainModel::<Obb>::new(mesh, Cut::Mean);
        let aabb = PlainModel::<Aabb>::new(mesh, Cut::Middle);
        all.push([
            [
                measure(&obb, poses, Fifteen, volume_of_obb, passes),
                measure(&aabb, poses, Fifteen, volume_of_aabb, passes),
            ],
            [measure(&obb, poses, Six, volume_of_obb, passes), measure(&aabb, poses, Six, volume_of_aabb, passes)],
        ]);
        bar.step();
    }
    let count = placed[0].poses.len() as f64;
    let rates: Vec<String> = placed.iter().map(|model| format!("{} {:.0} %", model.name, 100.0 * model.rate)).collect();
    let ratio = |axes: usize, value: fn(&Measured) -> f64| {
        all.iter().map(|model| value(&model[axes][1]) / value(&model[axes][0])).collect::<Vec<f64>>()
    };
    let tests = |measured: &Measured| measured.tally.volumes as f64;
    let time = |measured: &Measured| measured.total_seconds;
    let gain = |tree: usize| {
        all.iter().map(|model| model[1][tree].total_seconds / model[0][tree].total_seconds).collect::<Vec<f64>>()
    };
    for (axes, title) in
        ["Table 1: OBB and AABB trees, SAT", "Table 2: OBB and AABB trees, SAT lite"].into_iter().enumerate()
    {
        let mut rows = Vec::new();
        for (tree, name) in ["OBB tree", "AABB tree"].into_iter().enumerate() {
            for (model, measured) in placed.iter().zip(&all) {
                let Measured { tally, boxes_seconds, total_seconds } = &measured[axes][tree];
                let triangles_seconds = (total_seconds - boxes_seconds).max(0.0);
                rows.push(cells![
                    name,
                    model.name,
                    short(tally.volumes as f64 / count),
                    short(boxes_seconds / tally.volumes as f64 * 1e9),
                    short(boxes_seconds / count * 1e6),
                    short(tally.triangles as f64 / count),
                    short(triangles_seconds / (tally.triangles as f64).max(1.0) * 1e9),
                    short(triangles_seconds / count * 1e6),
                    short(total_seconds / count * 1e6),
                ]);
            }
        }
        let [more, longer] = [ratio(axes, tests), ratio(axes, time)].map(|ratios| range(&ratios));
        let conclusion = if axes == 0 {
            Conclusion::new(
                "AABB trees need about twice the box tests of OBB trees and take longer, most of all on the torus.",
                Verdict::of(&[more.0 > 1.5 && more.1 < 4.0, longer.0 > 1.0]),
                format!(
                    "AABB trees need {} to {} times the box tests and {} to {} times the time: an OBB test in \
                     lanes costs little more than an AABB test, so tests decide, and thin or smooth models gain most from tight boxes.",
                    short(more.0),
                    short(more.1),
                    short(longer.0),
                    short(longer.1)
                ),
            )
        } else {
            let [of_obb, of_aabb] = [gain(0), gain(1)].map(|ratios| range(&ratios));
            Conclusion::new(
                "with SAT lite AABB trees become faster, OBB trees hardly change.",
                Verdict::of(&[of_aabb.1 < 1.0, of_obb.0 > 0.9 && of_obb.1 < 1.1]),
                format!(
                    "SAT lite takes {} to {} of the time of SAT for AABB and {} to {} for OBB. In lanes without an early exit a test of six axes \
                     still costs about two thirds of one of fifteen, and thin models pay with more tests.",
                    short(of_aabb.0),
                    short(of_aabb.1),
                    short(of_obb.0),
                    short(of_obb.1)
                ),
            )
        };
        section.table(Table {
            name: format!("bergen_table{}", axes + 1),
            title: title.to_string(),
            caption: format!(
                "First contact of a model with itself in {count} random placements, of which about {:.0} % touch ({}). Binary \
                 trees, OBB cut at the mean, AABB in the middle; the node of larger volume is opened. Counts and times per \
                 placement.",
                100.0 * HIT_RATE,
                rates.join(", ")
            ),
            head: cells![
                "tree", "model", "N_b", "C_b, ns", "T_b, us", "N_p", "C_p, ns", "T_p, us", "T_total, us"
            ],
            rows,
            conclusion,
        });
    }
}

/// Smallest and largest.
fn range(values: &[f64]) -> (f64, f64) {
    (values.iter().copied().fold(f64::INFINITY, f64::min), values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

fn exits_of<V: FifteenAxes>(model: &PlainModel<V>, poses: &[Transform], size: Size<V>) -> [u64; 16] {
    let counts = RefCell::new([0; 16]);
    let mut stack = Vec::new();
    for pose in poses {
        PlainPair { a: model, b: model }.touches(pose, (FirstExit(&counts), Until::FirstContact), size, &mut stack);
    }
    counts.into_inner()
}

/// The figure of exit axes.
fn exits(placed: &[Placed], section: &mut Section, bar: &mut Progress) {
    let mut sums = [[0u64; 16]; 2];
    for Placed { mesh, poses, .. } in placed {
        let few = &poses[..poses.len().min(300)];
        let counts = [
            exits_of(&PlainModel::<Obb>::new(mesh, Cut::Mean), few, volume_of_obb),
            exits_of(&PlainModel::<Aabb>::new(mesh, Cut::Middle), few, volume_of_aabb),
        ];
        for (sum, counts) in sums.iter_mut().zip(counts) {
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        bar.step();
    }
    let mut chart = Chart::new("axis: 1 to 6 faces, 7 to 15 pairs of edges", "share of the disjoint boxes, %");
    let (mut by_edges, mut wrong) = (Vec::new(), Vec::new());
    for (name, counts) in ["OBB tree", "AABB tree"].into_iter().zip(&sums) {
        let disjoint: u64 = counts[..15].iter().sum();
        let share = |axis: usize| 100.0 * counts[axis] as f64 / disjoint as f64;
        chart.curve(name, (0..15).map(|axis| (axis as f64 + 1.0, share(axis))).collect());
        let edges: f64 = (6..15).map(share).sum();
        by_edges.push(edges);
        wrong.push(edges * disjoint as f64 / counts.iter().sum::<u64>() as f64);
    }
    section.figure(Figure {
        name: "bergen_exits".to_string(),
        title: "Figure: the axis at which SAT ends".to_string(),
        caption: "Of the box tests that find boxes disjoint, the share that each axis decides first, in the order of SAT; the three \
                  models together."
            .to_string(),
        chart,
        conclusion: Some(Conclusion::new(
            "SAT seldom ends at one of the nine axes of edges, so leaving them out gives few wrong answers.",
            Verdict::of(&[wrong.iter().all(|share| *share < 10.0)]),
            format!(
                "Edges decide {:.1} % of the disjoint boxes of OBB trees and {:.1} % of AABB trees; without them {:.1} % and {:.1} % of all box \
                 tests would call disjoint boxes overlapping.",
                by_edges[0], by_edges[1], wrong[0], wrong[1]
            ),
        )),
    });
}

/// Which node is opened, and where sets are cut.
fn rules(settings: &Settings, placed: &[Placed], section: &mut Section, bar: &mut Progress) {
    let patience = settings.patience();
    let mut rows = Vec::new();
    let (mut by_volume, mut of_eight, mut cuts) = (Vec::new(), Vec::new(), Vec::new());
    for Placed { name, mesh, poses, .. } in placed {
        let few = &poses[..poses.len().min(400)];
        let obb = PlainModel::<Obb>::new(mesh, Cut::Mean);
        let pair = PlainPair { a: &obb, b: &obb };
        let boxes = [volume_of_obb, by_diameter::<Obb>]
            .map(|size| pair.collisions(few, patience, (Six, Until::FirstContact), size));
        let by_cut = [Cut::Middle, Cut::Mean, Cut::Median].map(|cut| {
            let aabb = PlainModel::<Aabb>::new(mesh, cut);
            let pair = PlainPair { a: &aabb, b: &aabb };
            [volume_of_aabb, by_diameter::<Aabb>]
                .map(|size| pair.collisions(few, patience, (Six, Until::FirstContact), size))
        });
        let wide = PlainModel::<Obb>::of_width(mesh, Cut::Mean, 8);
        let pair = PlainPair { a: &wide, b: &wide };
        let eight = [volume_of_obb, by_diameter::<Obb>]
            .map(|size| pair.collisions(few, patience, (Six, Until::FirstContact), size));
        by_volume.push(boxes[0].volumes() / boxes[1].volumes());
        of_eight.push(eight[0].volumes() / eight[1].volumes());
        by_volume.push(by_cut[0][0].volumes() / by_cut[0][1].volumes());
        cuts.push([1, 2].map(|other: usize| by_cut[0][1].volumes() / by_cut[other][1].volumes()));
        let mut row = |tree: &str, means: &[crate::measured::Means; 2]| {
            rows.push(cells![
                name,
                tree,
                short(means[0].volumes()),
                short(means[0].microseconds),
                short(means[1].volumes()),
                short(means[1].microseconds)
            ]);
        };
        row("OBB, mean", &boxes);
        row("OBB, mean, eight children", &eight);
        for (cut, means) in ["AABB, middle", "AABB, mean", "AABB, median"].into_iter().zip(&by_cut) {
            row(cut, means);
        }
        bar.step();
    }
    let (least, most) = range(&by_volume);
    let best_is_middle = cuts.iter().all(|ratios| ratios.iter().all(|ratio| *ratio < 1.03));
    section.table(Table {
        name: "bergen_rules".to_string(),
        title: "Building and descent: where to cut, which node to open".to_string(),
        caption: "SAT lite in binary trees, per placement. The paper opens the node of larger volume and cuts in the middle of the \
                  box; feeler opens the node of larger diameter."
            .to_string(),
        head: cells!["model", "tree", "by volume: N_b", "us", "by diameter: N_b", "us"],
        rows,
        conclusion: Conclusion::new(
            "cutting in the middle of the box is best, and opening the node of larger volume.",
            Verdict::of(&[best_is_middle, most < 1.0]),
            format!(
                "The middle needs {} to {} times the tests of mean and median. Opening by volume needs {} to {} times the tests of opening by \
                 diameter in binary trees, {} to {} times with eight children. feeler keeps the diameter: one rule serves every volume, and the \
                 number is stored anyway, as part of the rounding bounds.",
                short(cuts.iter().flatten().copied().fold(f64::INFINITY, f64::min)),
                short(cuts.iter().flatten().copied().fold(0.0, f64::max)),
                short(least),
                short(most),
                short(range(&of_eight).0),
                short(range(&of_eight).1)
            ),
        ),
    });
}

/// Table 3, and what a refitted tree is worth.
fn deforming(settings: &Settings, placed: &[Placed], section: &mut Section, bar: &mut Progress) {
    let mut rows = Vec::new();
    let mut decay_rows = Vec::new();
    let (mut refit_gain, mut decays) = (Vec::new(), Vec::new());
    for Placed { name, mesh, poses, .. } in placed {
        let few = &poses[..poses.len().min(200)];
        for volume in [VolumeKind::Obb, VolumeKind::Aabb] {
            let params = BuildParams { volume, deformable: true, ..BuildParams::default() };
            let mut model = Model::new(&mesh.source()).expect("a legal mesh");
            let build = quietest(settings.choose(5, 2), || model.build_with(&params, &Inline).expect("memory"));
            let mut phase = 0.0;
            let mut refit = f64::INFINITY;
            for _ in 0..settings.choose(20, 5) {
                phase += 0.1;
                let moved: Vec<DVec3> =
                    mesh.vertices.iter().map(|vertex| deformations::wave(*vertex, 0.05, phase)).collect();
                refit = refit.min(quietest(1, || model.update_vertices(&moved[..]).expect("an update")));
            }
            model.update_vertices(&mesh.vertices[..]).expect("an update");
            let test = {
                let mut pair = Pair::new(&model, &model).expect("one volume");
                ask(&mut pair, few, settings.patience(), collide)
            };
            refit_gain.push(build / refit);
            rows.push(cells![
                name,
                volume.name(),
                mesh.triangles.len(),
                short(build * 1e3),
                short(refit * 1e3),
                short(build / refit),
                short(test.microseconds)
            ]);
            for (how, change) in DEFORMATIONS {
                let ratios = decay(settings, mesh, &params, change);
                decays.extend(ratios);
                decay_rows.push(cells![
                    name,
                    volume.name(),
                    how,
                    format!("{:.2}", ratios[0]),
                    format!("{:.2}", ratios[1])
                ]);
            }
        }
        bar.step();
    }
    let (least, most) = range(&refit_gain);
    section.table(Table {
        name: "bergen_table3".to_string(),
        title: "Table 3: build, refit and test".to_string(),
        caption: "The library on one thread: building the tree again, following vertices that moved (a wave of 5 % of the size), and one collision query in the random placements."
            .to_string(),
        head: cells!["model", "volume", "triangles", "rebuild, ms", "refit, ms", "rebuild / refit", "collide, us"],
        rows,
        conclusion: Conclusion::new(
            "refitting an AABB tree is far faster than rebuilding it, and an OBB tree cannot be refitted cheaply.",
            Verdict::of(&[least > 3.0, refit_gain.chunks(2).all(|two| two[1] > 3.0 * two[0])]),
            format!(
                "A refit is {} to {} times faster than a rebuild, for both volumes: an OBB that keeps its directions is fitted again \
                 to its vertices in one pass, so OBB trees deform as well.",
                short(least),
                short(most)
            ),
        ),
    });
    section.claim("refit is faster than rebuild", least > 1.0, format!("{} to {} times", short(least), short(most)));
    let (_, worst) = range(&decays);
    let mean = decays.iter().sum::<f64>() / decays.len() as f64;
    section.table(Table {
        name: "bergen_decay".to_string(),
        title: "Deformation: tests of a refitted tree, by those of a rebuilt one".to_string(),
        caption: "The library; volume tests of cold queries against a small torus in random poses.".to_string(),
        head: cells!["model", "volume", "deformation", "distance", "collide"],
        rows: decay_rows,
        conclusion: Conclusion::new(
            "as long as neighbours stay neighbours, even severe deformations hardly cost; twists and torn meshes do.",
            Verdict::of(&[mean < 1.3]),
            format!("Refitted trees need {mean:.2} times the tests of rebuilt ones on average and {worst:.2} times at worst."),
        ),
    });
}

/// Where a vertex goes.
type Deformation = fn(DVec3) -> DVec3;

const DEFORMATIONS: [(&str, Deformation); 4] = [
    ("wave, 20 % of the size", |vertex| deformations::wave(vertex, 0.2, 0.4)),
    ("twist, 90 degrees", |vertex| deformations::twist(vertex, 0.785)),
    ("twist, 360 degrees", |vertex| deformations::twist(vertex, core::f64::consts::PI)),
    ("blow-up, 2 radii", |vertex| deformations::blow_up(vertex, 2.0)),
];

/// Volume tests of distance and of collide, refitted by rebuilt.
fn decay(settings: &Settings, mesh: &Mesh, params: &BuildParams, change: Deformation) -> [f64; 2] {
    let mut tool = Model::new(&meshes::torus(30, 12, 0.3).source()).expect("a legal mesh");
    tool.build_with(params, &Inline).expect("memory");
    let mut random = Random(5);
    let poses: Vec<Transform> = (0..settings.choose(100, 20))
        .map(|_| {
            let turn = crate::scenes::random_rotation(&mut random);
            let place = random.direction() * (0.7 + 0.8 * random.unit());
            Transform { scale: DVec3::splat(0.25), ..crate::scenes::pose(turn, place, 1.0) }
        })
        .collect();
    let moved: Vec<DVec3> = mesh.vertices.iter().map(|vertex| change(*vertex)).collect();
    let mut model = Model::new(&mesh.source()).expect("a legal mesh");
    model.build_with(params, &Inline).expect("memory");
    model.update_vertices(&moved[..]).expect("an update");
    let patience = crate::measured::Patience { passes: 1, ..settings.patience() };
    let tests = |model: &Model| {
        let mut pair = Pair::new(model, &tool).expect("one volume");
        [distance, collide as fn(&mut Pair<&Model>)].map(|query| ask(&mut pair, &poses, patience, query).volumes())
    };
    let refitted = tests(&model);
    model.build_with(params, &Inline).expect("memory");
    let rebuilt = tests(&model);
    [refitted[0] / rebuilt[0], refitted[1] / rebuilt[1]]
}
