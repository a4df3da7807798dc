//! [Larsen 1999, figures 5 and 6, section 5.4]: how the work grows with the distance.

use super::distance_walk::Ask;
use super::plain_queries::{PerVolume, PlainPair, with_volume};
use super::plain_tree::{Cut, PlainModel};
use super::plot::Chart;
use super::progress::Progress;
use super::report::{Conclusion, Figure, Section, Verdict};
use super::settings::Settings;
use crate::measured::{Means, short};
use crate::{Mesh, Random, meshes, scenes};
use feeler::Transform;
use feeler::internals::volume::Volume;
use glam::DVec3;

const VOLUMES: [&str; 4] = ["Sphere", "LSS", "RSS", "OBB"];

/// The same query on many lists of poses.
struct Sweep<'a> {
    meshes: &'a [(Mesh, Mesh)],
    poses: &'a [Vec<Transform>],
    relative_error: f64,
    settings: &'a Settings,
}

impl PerVolume for Sweep<'_> {
    type Output = Vec<Means>;

    fn run<V: Volume>(&self) -> Vec<Means> {
        let models: Vec<_> =
            self.meshes.iter().map(|(a, b)| [a, b].map(|mesh| PlainModel::<V>::new(mesh, Cut::Mean))).collect();
        let of = |number: usize| &models[number.min(models.len() - 1)];
        let measured = self.poses.iter().enumerate().map(|(number, poses)| {
            let [a, b] = of(number);
            let ask = Ask { relative_error: self.relative_error, ..Ask::default() };
            PlainPair { a, b }.distances(poses, self.settings.patience(), |_, _| ask)
        });
        measured.collect()
    }
}

/// Time and tests of each volume over one number.
fn charts(
    x: &str,
    places: &[f64],
    sweep: &Sweep,
    logarithmic: bool,
    bar: &mut Progress,
) -> ([Chart; 2], Vec<Vec<Means>>) {
    let mut time = Chart::new(x, "microseconds per query").logarithmic(logarithmic, true);
    let mut tests = Chart::new(x, "volume tests per query").logarithmic(logarithmic, true);
    let mut all = Vec::new();
    for volume in VOLUMES {
        let means = with_volume(volume, sweep);
        let points =
            |value: fn(&Means) -> f64| places.iter().zip(&means).map(|(x, means)| (*x, value(means))).collect();
        time.curve(volume, points(|means| means.microseconds));
        tests.curve(volume, points(Means::volumes));
        all.push(means);
        bar.step();
    }
    ([time, tests], all)
}

pub fn run(settings: &Settings, section: &mut Section) {
    let mut bar = Progress::new("swept spheres: figures", 2 * VOLUMES.len() + 1);
    separated(settings, section, &mut bar);
    concentric(settings, section, &mut bar);
    parallel_rows(settings, section);
    bar.step();
}

/// About 40,000 triangles, or 2,500.
fn ball(settings: &Settings) -> Mesh {
    let columns = settings.choose(142, 36);
    meshes::sphere(columns, columns)
}

fn separated(settings: &Settings, section: &mut Section, bar: &mut Progress) {
    let separations = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];
    let count = settings.choose(8, 2);
    let mut random = Random(61);
    let poses: Vec<Vec<Transform>> = separations
        .iter()
        .map(|gap| {
            let pose = |_| scenes::pose(scenes::random_rotation(&mut random), DVec3::X * (2.0 + gap), 1.0);
            (0..count).map(pose).collect()
        })
        .collect();
    let ball = ball(settings);
    let triangles = ball.triangles.len();
    let meshes = [(ball.clone(), ball)];
    let sweep = Sweep { meshes: &meshes, poses: &poses, relative_error: 0.0, settings };
    let ([time, tests], all) = charts("separation of two unit spheres", &separations, &sweep, true, bar);
    let caption = format!(
        "Exact distance between two unit spheres of {triangles} triangles, {count} random turns per separation, binary trees. The \
         paper shows curves without numbers."
    );
    let last = separations.len() - 1;
    let rises = [0, 1, 2].map(|volume: usize| all[volume][last].volumes() > all[volume][0].volumes());
    let rss_wins = (0..=last).all(|k| all[2][k].microseconds < all[0][k].microseconds.min(all[1][k].microseconds));
    section.figure(Figure {
        name: "larsen_figure5".to_string(),
        title: "Figure 5: exact distance of separated spheres, time".to_string(),
        caption: caption.clone(),
        chart: time,
        conclusion: Some(Conclusion::new(
            "RSS are much faster than LSS and spheres, and all of them need more time at larger distances, up to a ceiling.",
            Verdict::of(&[rises.iter().all(|rises| *rises), rss_wins]),
            format!(
                "From the smallest to the largest separation the tests grow by factors of {} (spheres), {} (LSS) and {} (RSS); RSS \
                 need {} of the spheres' time on average.",
                short(all[0][last].volumes() / all[0][0].volumes()),
                short(all[1][last].volumes() / all[1][0].volumes()),
                short(all[2][last].volumes() / all[2][0].volumes()),
                short((0..=last).map(|k| all[2][k].microseconds / all[0][k].microseconds).sum::<f64>() / (last + 1) as f64)
            ),
        )),
    });
    section.figure(Figure {
        name: "larsen_figure5_tests".to_string(),
        title: "Figure 5: exact distance of separated spheres, volume tests".to_string(),
        caption,
        chart: tests,
        conclusion: None,
    });
}

fn concentric(settings: &Settings, section: &mut Section, bar: &mut Progress) {
    let gaps: Vec<f64> = (1..=9).map(|tenth| tenth as f64 / 10.0).collect();
    let count = settings.choose(4, 1);
    let mut random = Random(62);
    let outer = ball(settings);
    let triangles = outer.triangles.len();
    let meshes: Vec<(Mesh, Mesh)> =
        gaps.iter().map(|gap| (outer.clone(), outer.clone().map(|v| v * (1.0 - gap)))).collect();
    let poses: Vec<Vec<Transform>> = gaps
        .iter()
        .map(|_| (0..count).map(|_| scenes::pose(scenes::random_rotation(&mut random), DVec3::ZERO, 1.0)).collect())
        .collect();
    let sweep = Sweep { meshes: &meshes, poses: &poses, relative_error: 0.1, settings };
    let ([time, tests], all) = charts("gap between concentric spheres", &gaps, &sweep, false, bar);
    let caption = format!(
        "Distance with 10 % error between concentric spheres of {triangles} triangles, outer radius 1, {count} random turns per gap, \
         binary trees. The paper shows curves without numbers, and does not say which error it allows."
    );
    let falls = [0, 1, 2].map(|volume: usize| all[volume][8].volumes() < all[volume][0].volumes());
    let share = |k: usize| all[2][k].microseconds / all[0][k].microseconds;
    section.figure(Figure {
        name: "larsen_figure6".to_string(),
        title: "Figure 6: approximate distance of concentric spheres, time".to_string(),
        caption: caption.clone(),
        chart: time,
        conclusion: Some(Conclusion::new(
            "all volumes need more work as the gap becomes smaller, RSS the least; at large gaps the volumes hardly differ.",
            Verdict::of(&[falls.iter().all(|falls| *falls), share(0) < 0.5, share(0) < share(8)]),
            format!(
                "At a gap of 0.1 RSS need {:.3} of the spheres' time, at 0.9 {:.3}; the tests fall by a factor of {} for spheres and {} for \
                 RSS from the first gap to the last.",
                share(0),
                share(8),
                short(all[0][0].volumes() / all[0][8].volumes()),
                short(all[2][0].volumes() / all[2][8].volumes())
            ),
        )),
    });
    section.figure(Figure {
        name: "larsen_figure6_tests".to_string(),
        title: "Figure 6: approximate distance of concentric spheres, volume tests".to_string(),
        caption,
        chart: tests,
        conclusion: None,
    });
}

/// Two parallel rows of equal triangles, tested as spheres: how many of the other row each one touches when the rows are dilated
/// by their distance.
fn parallel_rows(settings: &Settings, section: &mut Section) {
    let count = settings.choose(2000, 500);
    let side = 0.01;
    let row = Mesh::soup((0..count).map(|k| {
        let x = side * k as f64;
        [DVec3::new(x, 0.0, 0.0), DVec3::new(x + side, 0.0, 0.0), DVec3::new(x + 0.5 * side, 1e-4 * side, 0.0)]
    }));
    let radius = 0.5 * side;
    // Circles of this radius in two rows overlap when their middles are at most this far apart along the rows.
    let mut measured = Vec::new();
    let mut predicted = Vec::new();
    for factor in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0] {
        let delta = factor * radius;
        let model = PlainModel::<feeler::internals::volume::swept::sphere::Sphere>::new(&row, Cut::Median);
        let pose = Transform { translation: DVec3::Z * delta, ..Transform::IDENTITY };
        let pair = PlainPair { a: &model, b: &model };
        // Every pair is at the distance or beyond, so this is the ideal search.
        let ask = Ask { known: delta, ..Ask::default() };
        let means = pair.distances(&[pose], crate::measured::Patience { passes: 1, ..settings.patience() }, |_, _| ask);
        // Each half row: the paper counts one side of the swath.
        measured.push((factor, 0.5 * means.triangles / count as f64));
        predicted.push((factor, factor.sqrt()));
    }
    let mut chart = Chart::new("distance of the rows, in radii of a sphere", "spheres touched per sphere, one side")
        .logarithmic(true, true);
    chart.curve("measured", measured.clone());
    chart.dashed("sqrt(distance / radius)", predicted);
    let slope = slope(&measured[2..]);
    section.figure(Figure {
        name: "larsen_section54".to_string(),
        title: "Section 5.4: the ideal search between parallel rows".to_string(),
        caption: format!(
            "Two parallel rows of {count} equal triangles in sphere trees; triangle pairs whose spheres meet when one row is dilated \
             by the distance. The paper's formula is dashed."
        ),
        chart,
        conclusion: Some(Conclusion::new(
            "the number of volumes that each volume meets grows as the square root of the distance.",
            Verdict::of(&[(slope - 0.5).abs() < 0.1]),
            format!("The measured exponent is {slope:.2}; this is geometry, which no processor changes."),
        )),
    });
}

/// The slope of a straight line through the logarithms.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logarithms.len() as f64;
    let (x, y) = logarithms.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / n, sum.1 + point.1 / n));
    let across: f64 = logarithms.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let along: f64 = logarithms.iter().map(|point| (point.0 - x).powi(2)).sum();
    across / along
}
