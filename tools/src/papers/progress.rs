//! A bar on the terminal while an experiment runs.

use std::io::{IsTerminal, Write};
use std::time::Instant;

const WIDTH: usize = 30;

/// How much of an experiment is done.
pub struct Progress {
    name: String,
    steps: usize,
    done: usize,
    start: Instant,
}

impl Progress {
    /// A bar of this many steps.
    pub fn new(name: &str, steps: usize) -> Self {
        let bar = Self { name: name.to_string(), steps, done: 0, start: Instant::now() };
        bar.draw();
        bar
    }

    /// One step is done.
    pub fn step(&mut self) {
        self.done += 1;
        assert!(self.done <= self.steps, "{}: more steps than were announced", self.name);
        self.draw();
    }

    fn draw(&self) {
        let is_over = self.done == self.steps;
        let is_terminal = std::io::stderr().is_terminal();
        if !is_terminal && !is_over {
            return;
        }
        let filled = WIDTH * self.done / self.steps.max(1);
        let bar: String = (0..WIDTH).map(|place| if place < filled { '#' } else { '.' }).collect();
        let seconds = self.start.elapsed().as_secs_f64();
        let begin = if is_terminal { "\r" } else { "" };
        eprint!("{begin}{:<42} [{bar}] {:3} of {:3}, {seconds:.1} s", self.name, self.done, self.steps);
        if is_over {
            eprintln!();
        }
        let _ = std::io::stderr().flush();
    }
}
