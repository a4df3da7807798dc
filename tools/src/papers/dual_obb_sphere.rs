//! [Chang 2009].

use super::collision_walk::by_diameter;
use super::exit_axes::{AXES, CloseBoxes};
use super::lost_area;
use super::overlap_test::{Fifteen, Six, Usual};
use super::plain_queries::{PlainPair, Until};
use super::plain_tree::{Cut, PlainModel};
use super::plot::Chart;
use super::progress::Progress;
use super::published::Published;
use super::report::{Conclusion, Figure, Section, Table, Verdict};
use super::scenes::{hand, stored_or, thinned};
use super::settings::Settings;
use crate::ideal_tree::Nowhere;
use crate::measured::{Means, Patience, ask, short};
use crate::{Random, Workload, cells, meshes, scenes};
use core::cell::RefCell;
use feeler::internals::model::{BuildParams, VolumeKind};
use feeler::internals::tree::node::Child;
use feeler::internals::volume::Volume;
use feeler::internals::volume::boxes::obb::Obb;
use feeler::internals::volume::boxes::obb_sphere::ObbSphere;
use feeler::internals::volume::slabs::kdop18::Kdop18;
use feeler::{ContactsParams, DistanceParams, Model, Pair};
use glam::DVec3;

/// The methods: four plain trees and two of the library.
const METHODS: [&str; 7] = ["RAPID", "SAT lite", "Dual", "Dual, centred", "KDOP18", "feeler OBB", "feeler OBB_SPHERE"];

struct Row {
    /// The row of the paper's tables.
    name: String,
    means: [Means; 7],
}

pub fn run(settings: &Settings) -> Section {
    let published = Published::of("dual_obb_sphere");
    let mut section = Section::new(
        "dual_obb_sphere",
        "Chang, Wang, Kim: Efficient Collision Detection using a Dual Bounding Volume Hierarchy, 2009.",
    );
    let near = near_pairs(settings);
    let balls = concentric(settings);
    let path = hand(settings);
    let mut bar = Progress::new("dual OBB and sphere", near.len() + balls.len() + 3);
    let mut rows = Vec::new();
    for (name, scene) in near.iter().chain(&balls) {
        rows.push(Row { name: name.clone(), means: measure(settings, scene) });
        bar.step();
    }
    let path = Workload { poses: thinned(&path.poses, settings.choose(400, 40)), ..path };
    rows.push(Row { name: "scenario III, path".to_string(), means: measure(settings, &path) });
    bar.step();
    let triangles = [&near[0].1, &balls[0].1, &path].map(|scene| {
        let counts = [&scene.a, &scene.b].map(|mesh| mesh.triangles.len());
        format!("{} and {} triangles, {} queries", counts[0], counts[1], scene.poses.len())
    });
    times_and_counts(&rows, &published, &mut section, &triangles);
    greedy(&near, &mut section);
    bar.step();
    appendix(&published, &mut section);
    bar.step();
    section
}

/// Scenario I: uneven bodies at distances of 0 to 5 % of the radius of a sphere around them, in random turns.
fn near_pairs(settings: &Settings) -> Vec<(String, Workload)> {
    let stored = |percent: u32| stored_or(&format!("buddha_d{percent}"), || own_near(settings, percent));
    (0..=5)
        .map(|percent| {
            let scene = stored(percent);
            let poses = thinned(&scene.poses, settings.choose(120, 12));
            (format!("scenario I, {percent}%"), Workload { poses, ..scene })
        })
        .collect()
}

fn own_near(settings: &Settings, percent: u32) -> Workload {
    let mesh = meshes::animal(settings.choose(7, 3));
    let model = scenes::build(&mesh, VolumeKind::default()).expect("the default volume");
    let mut pair = Pair::new(&model, &model).expect("equal volumes");
    let mut random = Random(71);
    let radius = mesh.vertices.iter().map(|vertex| vertex.length()).fold(0.0, f64::max);
    let poses = (0..settings.choose(120, 12)).map(|_| {
        let towards = random.direction();
        let mut pose = scenes::pose(scenes::random_rotation(&mut random), towards * 4.0 * radius, 1.0);
        // Nearer along the line of the middles until the distance is the one wanted.
        for _ in 0..40 {
            pair.set_transforms(None, Some(&pose)).expect("a legal pose");
            let left = pair.distance(&DistanceParams::default()).upper - radius * f64::from(percent) / 100.0;
            if left < 1e-6 * radius {
                break;
            }
            pose.translation -= towards * left;
        }
        pose
    });
    let poses = poses.collect();
    Workload { name: format!("animals, {percent} %"), a: mesh.clone(), b: mesh, poses }
}

/// Scenario II: a sphere inside of a slightly larger one.
fn concentric(settings: &Settings) -> Vec<(String, Workload)> {
    let (columns, rows) = settings.choose((200, 199), (40, 40));
    let ball = meshes::sphere(columns, rows);
    let mut random = Random(72);
    let scene = |power: i32| {
        let turn = |_| scenes::pose(scenes::random_rotation(&mut random), DVec3::ZERO, 1.0);
        let poses = (0..settings.choose(3, 1)).map(turn).collect();
        let larger = ball.clone().map(|vertex| vertex * (1.0 + 10f64.powi(-power)));
        (
            format!("scenario II, 1e-{power}"),
            Workload { name: format!("1e-{power}"), a: ball.clone(), b: larger, poses },
        )
    };
    (1..=5).map(scene).collect()
}

/// All contacts by every method.
fn measure(settings: &Settings, scene: &Workload) -> [Means; 7] {
    let Workload { a, b, poses, .. } = scene;
    let patience = Patience { one_pass: 4.0, ..settings.patience() };
    let obb = [a, b].map(|mesh| PlainModel::<Obb>::new(mesh, Cut::Mean));
    let boxes = PlainPair { a: &obb[0], b: &obb[1] };
    let rapid = boxes.collisions(poses, patience, (Fifteen, Until::AllContacts), by_diameter::<Obb>);
    let lite = boxes.collisions(poses, patience, (Six, Until::AllContacts), by_diameter::<Obb>);
    let mut dual = [a, b].map(|mesh| PlainModel::<ObbSphere>::new(mesh, Cut::Mean));
    let smallest = PlainPair { a: &dual[0], b: &dual[1] }.collisions(
        poses,
        patience,
        (Usual, Until::AllContacts),
        by_diameter::<ObbSphere>,
    );
    dual.iter_mut().for_each(centre_spheres);
    let centred = PlainPair { a: &dual[0], b: &dual[1] }.collisions(
        poses,
        patience,
        (Usual, Until::AllContacts),
        by_diameter::<ObbSphere>,
    );
    let slabs = [a, b].map(|mesh| PlainModel::<Kdop18>::new(mesh, Cut::Mean));
    let kdop = PlainPair { a: &slabs[0], b: &slabs[1] }.collisions(
        poses,
        patience,
        (Usual, Until::AllContacts),
        by_diameter::<Kdop18>,
    );
    let [feeler_obb, feeler_dual] = [VolumeKind::Obb, VolumeKind::ObbSphere].map(|volume| {
        let [a, b] = scene.models(&BuildParams { volume, ..BuildParams::default() });
        let mut pair = Pair::new(&a, &b).expect("one volume");
        ask(&mut pair, poses, patience, |pair: &mut Pair<&Model>| {
            let params = ContactsParams { cold: true, ids_only: true, ..ContactsParams::default() };
            pair.contacts(&params, &mut Nowhere);
        })
    });
    [rapid, lite, smallest, centred, kdop, feeler_obb, feeler_dual]
}

/// Puts the spheres at the middles of the boxes, as small as the triangles allow [Chang 2009, 3.1].
fn centre_spheres(model: &mut PlainModel<ObbSphere>) {
    // Slots below each node, children before parents: nodes come after their parents.
    let nodes = &mut model.tree.nodes;
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for index in (0..nodes.len()).rev() {
        let mut all = Vec::new();
        for lane in 0..8 {
            let child = nodes[index].child(lane);
            if child == Child::EMPTY {
                break;
            }
            let slots =
                if child.is_triangle() { vec![child.index()] } else { core::mem::take(&mut below[child.index()]) };
            let mut volume = ObbSphere::load(&nodes[index].wide, lane);
            let centre = DVec3::from_array(volume.obb.centre.map(f64::from));
            let far = |slot: &usize| model.triangles[*slot].map(|vertex| (vertex - centre).length());
            let radius = slots.iter().flat_map(far).fold(0.0, f64::max);
            (volume.centre, volume.radius) = (volume.obb.centre, (radius * 1.000_001) as f32);
            volume.store(&mut nodes[index].wide, lane);
            all.extend(slots);
        }
        below[index] = all;
    }
}

fn times_and_counts(rows: &[Row], published: &Published, section: &mut Section, triangles: &[String; 3]) {
    let caption = format!(
        "All contacts. RAPID is a binary OBB tree with fifteen axes, SAT lite the same with six, Dual has a smallest sphere and five axes, \
         \"centred\" a sphere at the middle of the box, KDOP18 stands for QuickCD. Scenario I: {}; II: {}; III: {}.",
        triangles[0], triangles[1], triangles[2]
    );
    let saved = |row: &Row, other: usize| 100.0 * (1.0 - row.means[2].microseconds / row.means[other].microseconds);
    let first: Vec<&Row> = rows.iter().filter(|row| row.name.starts_with("scenario I,")).collect();
    let span = |other: usize| {
        let values = first.iter().map(|row| saved(row, other));
        (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
    };
    let (rapid, lite) = (span(0), span(1));
    let faster = |other: usize| {
        let faster = rows.iter().filter(|row| row.means[2].microseconds < row.means[other].microseconds);
        faster.count()
    };
    let library: Vec<f64> = rows.iter().map(|row| row.means[6].microseconds / row.means[5].microseconds).collect();
    let times = rows.iter().map(|row| {
        let paper = |column: &str| published.number("table1", &row.name, column);
        let mut cells = cells![row.name, paper("RAPID"), paper("QuickCD"), paper("SAT lite"), paper("Dual")];
        cells.extend(row.means.iter().map(|means| short(means.microseconds)));
        cells
    });
    let mut head = cells!["row", "paper, s: RAPID", "QuickCD", "SAT lite", "Dual"];
    head.extend(
        METHODS.iter().enumerate().map(|(k, name)| if k == 0 { format!("us: {name}") } else { name.to_string() }),
    );
    section.table(Table {
        name: "chang_table1".to_string(),
        title: "Table 1: execution time".to_string(),
        caption: caption.clone(),
        head,
        rows: times.collect(),
        conclusion: Conclusion::new(
            "Dual is 24 to 40 % faster than RAPID and 18 to 36 % faster than SAT lite in scenario I, and faster in most other rows.",
            Verdict::of(&[rapid.0 > 10.0, lite.0 > 10.0]),
            format!(
                "Dual saves {:.0} to {:.0} % of RAPID's time and {:.0} to {:.0} % of SAT lite's in scenario I, and is faster than them in {} and \
                 {} of {} rows; in feeler's eight-wide trees OBB_SPHERE takes {} to {} times the time of OBB with seven axes, because the box \
                 kernel runs unless the spheres decide all eight lanes.",
                rapid.0,
                rapid.1,
                lite.0,
                lite.1,
                faster(0),
                faster(1),
                rows.len(),
                short(library.iter().copied().fold(f64::INFINITY, f64::min)),
                short(library.iter().copied().fold(0.0, f64::max))
            ),
        ),
    });
    let counts = rows.iter().map(|row| {
        let paper = |column: &str| published.number("table2", &row.name, column);
        let [rapid, lite, dual, centred, ..] = &row.means;
        cells![
            row.name,
            paper("RAPID: box"),
            paper("SAT lite: box"),
            paper("Dual: sphere"),
            paper("Dual: box"),
            format!("{:.2}", paper("Dual: box") / paper("RAPID: box")),
            short(rapid.volumes()),
            short(rapid.triangles),
            short(lite.volumes()),
            short(lite.triangles),
            short(dual.volumes()),
            short(dual.full),
            short(dual.triangles),
            format!("{:.2}", dual.full / rapid.volumes()),
            short(centred.volumes()),
            short(centred.full)
        ]
    });
    let fewer = first.iter().filter(|row| row.means[2].full < row.means[1].volumes()).count();
    let numbers = first.iter().map(|row| format!("{} for {}", short(row.means[2].full), short(row.means[1].volumes())));
    section.claim(
        "one sphere and five axes need fewer box tests than SAT lite",
        fewer == first.len(),
        numbers.collect::<Vec<String>>().join(", "),
    );
    let tighter = rows.iter().filter(|row| row.means[2].full <= row.means[3].full).count();
    section.table(Table {
        name: "chang_table2".to_string(),
        title: "Table 2: overlap tests".to_string(),
        caption: format!("Counts per query; the paper's are sums over its row. {caption}"),
        head: cells![
            "row", "paper: RAPID box", "SAT lite box", "Dual sphere", "Dual box", "Dual box / RAPID", "here: RAPID box", "RAPID triangle",
            "SAT lite box", "SAT lite triangle", "Dual sphere", "Dual box", "Dual triangle", "Dual box / RAPID", "centred sphere",
            "centred box"
        ],
        rows: counts.collect(),
        conclusion: Conclusion::new(
            "one sphere and five axes need fewer box tests than SAT lite, and smallest spheres are worth more than centred ones.",
            Verdict::of(&[fewer == first.len(), tighter * 2 > rows.len()]),
            format!(
                "Dual makes fewer box tests than SAT lite in {fewer} of {} rows of scenario I, and smallest spheres leave fewer boxes to test \
                 than centred ones in {tighter} of {} rows.",
                first.len(),
                rows.len()
            ),
        ),
    });
}

/// The greedy choice of axes among boxes whose spheres meet.
fn greedy(near: &[(String, Workload)], section: &mut Section) {
    let records = RefCell::new(Vec::new());
    let mut stack = Vec::new();
    let models = [&near[1].1.a, &near[1].1.b].map(|mesh| PlainModel::<ObbSphere>::new(mesh, Cut::Mean));
    let pair = PlainPair { a: &models[0], b: &models[1] };
    for pose in near[..4].iter().flat_map(|(_, scene)| scene.poses.iter().take(40)) {
        pair.touches(pose, (CloseBoxes(&records), Until::AllContacts), by_diameter::<ObbSphere>, &mut stack);
    }
    let records = records.into_inner();
    let apart: Vec<u16> = records.iter().copied().filter(|axes| *axes != 0).collect();
    let share = |set: u16| 100.0 * apart.iter().filter(|axes| **axes & set != 0).count() as f64 / apart.len() as f64;
    let mut chosen = 0u16;
    let mut rows = Vec::new();
    let mut curve = Vec::new();
    let mut order = Vec::new();
    for count in 1..=15 {
        let free = (0..15).filter(|axis| chosen >> axis & 1 == 0);
        let best =
            free.max_by(|a, b| share(chosen | 1 << a).total_cmp(&share(chosen | 1 << b))).expect("an axis is left");
        chosen |= 1 << best;
        order.push(AXES[best]);
        curve.push((f64::from(count), share(chosen)));
        rows.push(cells![count, AXES[best], format!("{:.1}", share(1 << best)), format!("{:.1}", share(chosen))]);
    }
    let set = |names: &[&str]| {
        names.iter().fold(0u16, |set, name| set | 1 << AXES.iter().position(|axis| axis == name).expect("an axis"))
    };
    let papers = share(set(&["a0", "b0", "c22", "c12", "c21"]));
    let lite = share(set(&["a0", "a1", "a2", "b0", "b1", "b2"]));
    let same = ["a0", "b0", "c22", "c12", "c21"].iter().filter(|axis| order[..5].contains(axis)).count();
    section.table(Table {
        name: "chang_greedy".to_string(),
        title: "Section 3.2: a greedy choice of axes".to_string(),
        caption: format!(
            "{} pairs of boxes of scenario I whose spheres meet, of which {} are apart. Each row adds the axis that tells most of the remaining \
             pairs apart. The paper's five tell {papers:.1} % apart, the six of SAT lite {lite:.1} %.",
            records.len(),
            apart.len()
        ),
        head: cells!["axes", "axis", "alone, %", "together, %"],
        rows,
        conclusion: Conclusion::new(
            "{a0, b0, c22, c12, c21} are the best five of the fifteen axes.",
            Verdict::of(&[same >= 4, papers > lite]),
            format!(
                "The greedy choice begins with {}, {same} of them the paper's, and tells {:.1} % apart with five axes where the paper's five tell \
                 {papers:.1} %; six of SAT lite tell {lite:.1} %.",
                order[..5].join(", "),
                curve[4].1
            ),
        ),
    });
    let mut chart = Chart::new("number of axes", "close boxes told apart, %");
    chart.curve("greedy", curve);
    chart.dashed("the paper's five", vec![(1.0, papers), (15.0, papers)]);
    chart.dashed("SAT lite's six", vec![(1.0, lite), (15.0, lite)]);
    section.figure(Figure {
        name: "chang_greedy_curve".to_string(),
        title: "Section 3.2: what each further axis adds".to_string(),
        caption: "The same pairs.".to_string(),
        chart,
        conclusion: None,
    });
}

/// The loss of discrimination in two dimensions.
fn appendix(published: &Published, section: &mut Section) {
    let ours = lost_area::statistics().map(|share| 100.0 * share);
    let names = ["mean ratio", "samples with ratio below 10 %", "worst ratio"];
    let paper = names.map(|name| published.number("appendix", "loss without the major axes, 2D", name));
    let rows = (0..3).map(|k| cells![names[k], paper[k], format!("{:.1}", ours[k])]);
    let is_near = |k: usize| (paper[k] - ours[k]).abs() < 1.0;
    section.table(Table {
        name: "chang_appendix".to_string(),
        title: "Appendix: the loss of leaving out the longer axes, in the plane".to_string(),
        caption: "1000 pairs of rectangles: angles of 0 to 90 degrees, shorter sides of 0.1 to 1; areas by lines across the circle, in per cent.".to_string(),
        head: cells!["number", "paper, %", "here, %"],
        rows: rows.collect(),
        conclusion: Conclusion::new(
            "leaving out the longer axes costs 6.4 % on average and 22.2 % at worst.",
            Verdict::of(&[is_near(0), is_near(1), is_near(2)]),
            format!("Geometry, and reproduced: {:.1} %, {:.1} %, {:.1} %.", ours[0], ours[1], ours[2]),
        ),
    });
}
