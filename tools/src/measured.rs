//! What queries need on a list of poses: means of counts and of times.

use crate::clock::{reading, thread_seconds};
use crate::tally::Tally;
use feeler::internals::model::Model;
use feeler::internals::query::*;
use feeler::{Pair, Transform};

/// A cold distance query.
pub fn distance(pair: &mut Pair<&Model>) {
    pair.distance(&DistanceParams { cold: true, ..Default::default() });
}

/// A cold collision query.
pub fn collide(pair: &mut Pair<&Model>) {
    pair.collide(&CollideParams { cold: true, ..Default::default() });
}

/// How long poses are asked about.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The first pass is cut short after this many seconds.
    pub one_pass: f64,
    /// No further pass begins after this many seconds.
    pub all_passes: f64,
    pub passes: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Self { one_pass: 3.0, all_passes: 2.0, passes: 12 }
    }
}

/// Means over the poses that were asked about.
pub struct Means {
    /// Volume tests that a cheaper first stage decided.
    pub cheap: f64,
    /// The other volume tests.
    pub full: f64,
    pub triangles: f64,
    pub microseconds: f64,
    /// Set when that was not all of them.
    pub cut: Option<usize>,
}

impl Means {
    /// All volume tests: N_bv.
    pub fn volumes(&self) -> f64 {
        self.cheap + self.full
    }

    pub fn volume_tests(&self) -> String {
        let cheap = if self.cheap > 0.0 { format!("{} + ", short(self.cheap)) } else { String::new() };
        cheap + &short(self.full)
    }

    pub fn cells(&self, timed: bool) -> String {
        let cut = self.cut.map_or(String::new(), |poses| format!(" ({poses} of the poses)"));
        let time = if timed { format!(" | {}{cut}", short(self.microseconds)) } else { cut };
        format!("{} | {}{time}", self.volume_tests(), short(self.triangles))
    }
}

/// Three digits or the whole number, which ever is longer.
pub fn short(value: f64) -> String {
    match value {
        ..10.0 => format!("{value:.2}"),
        ..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// Asks about each pose several times. Times are CPU time of this thread; each pose has the time of its quietest pass.
pub fn ask(
    pair: &mut Pair<&Model>,
    poses: &[Transform],
    patience: Patience,
    query: impl Fn(&mut Pair<&Model>),
) -> Means {
    each(poses, patience, |pose| {
        pair.set_transforms(None, Some(pose)).expect("a legal pose");
        let start = thread_seconds();
        query(pair);
        (thread_seconds() - start, Tally::from(pair.counters()))
    })
}

/// `ask` for any query: it gives its seconds and its tests.
pub fn each<P>(poses: &[P], patience: Patience, mut query: impl FnMut(&P) -> (f64, Tally)) -> Means {
    let clock = reading();
    let mut least = vec![f64::INFINITY; poses.len()];
    let mut sum = Tally::default();
    let mut asked = poses.len();
    let mut spent = 0.0;
    for pass in 0..patience.passes {
        let mut total = 0.0;
        for (number, pose) in poses[..asked].iter().enumerate() {
            let (seconds, tally) = query(pose);
            let seconds = (seconds - clock).max(0.0);
            total += seconds;
            least[number] = least[number].min(seconds);
            if pass == 0 {
                sum.add(&tally);
                if total > patience.one_pass {
                    asked = number + 1;
                    break;
                }
            }
        }
        spent += total;
        if spent > patience.all_passes {
            break;
        }
    }
    let per = |count: u64| count as f64 / asked as f64;
    Means {
        cheap: per(sum.first_stage),
        full: per(sum.volumes - sum.first_stage),
        triangles: per(sum.triangles),
        microseconds: least[..asked].iter().sum::<f64>() / asked as f64 * 1e6,
        cut: (asked < poses.len()).then_some(asked),
    }
}
