//! How much of the experiments is run.

use crate::measured::Patience;

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Smaller models and fewer poses, so that the whole takes less than two minutes.
    pub quick: bool,
}

impl Settings {
    /// The first number for a full run, the second for a quick one.
    pub fn choose<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// How long one cell of a table is measured.
    pub fn patience(&self) -> Patience {
        self.choose(
            Patience { one_pass: 1.5, all_passes: 0.5, passes: 30 },
            Patience { one_pass: 0.3, all_passes: 0.1, passes: 3 },
        )
    }
}
