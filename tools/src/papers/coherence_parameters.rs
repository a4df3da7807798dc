//! [Tropp 2006, figures 4 to 6]: the parameters of the paper's algorithm, on plain trees.

use super::plain_front::{Boxed, FrontTally, PlainFront, Policy};
use super::plain_tree::{Cut, PlainModel};
use super::plot::Chart;
use super::progress::Progress;
use super::report::{Conclusion, Figure, Section, Verdict};
use super::settings::Settings;
use super::temporal_coherence::{INTERPOLATED, Path, in_steps};
use crate::clock::quietest;
use crate::{Random, paths};
use feeler::Transform;
use feeler::internals::volume::boxes::aabb::Aabb;
use feeler::internals::volume::boxes::obb::Obb;

/// The parameters that are not swept have the paper's values.
const USUAL: Policy = Policy { coherence: 0.14, sprout: f64::INFINITY, prune: 0.17 };

/// The place of infinity on a logarithmic axis.
const INFINITE: f64 = 1e3;

/// A parameter that is swept.
struct Parameter {
    figure: u32,
    label: &'static str,
    paper: &'static str,
    values: [f64; 7],
    policy: fn(f64) -> Policy,
    /// Steps of very different sizes, or equal ones.
    uneven: bool,
    /// Best values between these agree with the paper.
    agrees: (f64, f64),
}

const PARAMETERS: [Parameter; 3] = [
    Parameter {
        figure: 4,
        label: "P_coherence",
        paper: "the best P_coherence is 0.14 for OBB and 0.2 for AABB.",
        values: [0.01, 0.03, 0.07, 0.14, 0.2, 0.3, 0.5],
        policy: |value| Policy { coherence: value, ..USUAL },
        uneven: true,
        agrees: (0.07, 0.3),
    },
    Parameter {
        figure: 5,
        label: "P_sprout (last point: infinite)",
        paper: "the time falls as P_sprout grows: leaves only are best.",
        values: [0.03, 0.1, 0.3, 1.0, 3.0, 10.0, INFINITE],
        policy: |value| Policy { sprout: if value >= INFINITE { f64::INFINITY } else { value }, ..USUAL },
        uneven: false,
        agrees: (3.0, INFINITE),
    },
    Parameter {
        figure: 6,
        label: "P_prune",
        paper: "the best P_prune is 0.17 for OBB and 0.15 for AABB.",
        values: [0.02, 0.05, 0.1, 0.17, 0.3, 0.6, 1.2],
        policy: |value| Policy { prune: value, ..USUAL },
        uneven: false,
        agrees: (0.05, 0.6),
    },
];

/// Seconds of the quietest pass, and tests, of the paper's algorithm along a path.
fn along<V: Boxed>(
    models: &[PlainModel<V>; 2],
    policy: Policy,
    poses: &[Transform],
    passes: usize,
) -> (f64, FrontTally) {
    let mut sum = FrontTally::default();
    let seconds = quietest(passes, || {
        let mut front = PlainFront::new(&models[0], &models[1], policy);
        sum = FrontTally::default();
        for pose in poses {
            sum.add(&front.frame(pose));
        }
    });
    (seconds, sum)
}

/// A path in steps of very different sizes, as the paper's original ones: the order of its poses stays.
fn uneven(path: &Path, count: usize) -> Vec<Transform> {
    let fine = paths::small_steps(&path.scene.poses, path.edge, 0.005, 100_000);
    let mut random = Random(81);
    let (mut at, mut poses) = (0, Vec::new());
    while at < fine.len() && poses.len() < count {
        poses.push(fine[at]);
        // Steps of 0.005 to 0.5, most of them small.
        at += 1 + (100.0 * random.unit().powi(3)) as usize;
    }
    poses
}

/// A run of the algorithm along the equal or the uneven steps of a path.
type Run<'a> = &'a dyn Fn(Policy, bool) -> (f64, FrontTally);

/// What the sweeps gave for each parameter: its curves, and the best value of each curve.
struct Results {
    charts: Vec<Chart>,
    best: Vec<Vec<(String, f64, f64)>>,
    /// Every run found the contacts of the plain algorithm.
    equal: bool,
}

impl Results {
    fn sweep(&mut self, name: &str, run: Run) {
        for (place, parameter) in PARAMETERS.iter().enumerate() {
            let (plain_seconds, plain) = run(Policy::NONE, parameter.uneven);
            let mut points = Vec::new();
            for value in parameter.values {
                let (seconds, tally) = run((parameter.policy)(value), parameter.uneven);
                self.equal &= tally.contacts == plain.contacts;
                points.push((value, seconds / plain_seconds));
            }
            let (value, ratio) = points.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).expect("points");
            self.best[place].push((name.to_string(), value, ratio));
            self.charts[place].curve(name, points);
        }
    }
}

pub fn run(settings: &Settings, paths: &[Path], section: &mut Section, bar: &mut Progress) {
    let (count, passes) = settings.choose((120, 3), (12, 1));
    let chart = |parameter: &Parameter| Chart::new(parameter.label, "coherent / plain time").logarithmic(true, false);
    let mut results = Results {
        charts: PARAMETERS.iter().map(chart).collect(),
        best: vec![Vec::new(); PARAMETERS.len()],
        equal: true,
    };
    for path in paths {
        let steps = [in_steps(path, INTERPOLATED, count), uneven(path, count)];
        let obb = [&path.scene.a, &path.scene.b].map(|mesh| PlainModel::<Obb>::new(mesh, Cut::Mean));
        let name = |volume: &str| format!("{}, {volume}", path.name);
        results.sweep(&name("OBB"), &|policy, uneven| along(&obb, policy, &steps[uneven as usize], passes));
        let aabb = [&path.scene.a, &path.scene.b].map(|mesh| PlainModel::<Aabb>::new(mesh, Cut::Middle));
        results.sweep(&name("AABB"), &|policy, uneven| along(&aabb, policy, &steps[uneven as usize], passes));
        bar.step();
    }
    let Results { charts, best, equal } = results;
    for ((parameter, chart), best) in PARAMETERS.iter().zip(charts).zip(best) {
        let Parameter { figure, label, paper, agrees, .. } = parameter;
        let found: Vec<String> =
            best.iter().map(|(name, value, ratio)| format!("{name}: {value} ({ratio:.2} of the plain time)")).collect();
        let verdicts: Vec<bool> = best.iter().map(|(_, value, _)| (agrees.0..=agrees.1).contains(value)).collect();
        let steps = if parameter.uneven { "in steps of very different sizes" } else { "in steps of 0.03" };
        section.figure(Figure {
            name: format!("tropp_figure{figure}"),
            title: format!("Figure {figure}: {label}"),
            caption: format!(
                "The paper's algorithm on plain binary trees, all contacts, scalar tests with early exit; {count} frames {steps}."
            ),
            chart,
            conclusion: Some(Conclusion::new(
                paper,
                Verdict::of(&verdicts),
                format!("Best here: {}.", found.join("; ")),
            )),
        });
    }
    section.claim("the paper's front finds the contacts of the plain algorithm", equal, "all frames of all sweeps");
    bar.step();
}
