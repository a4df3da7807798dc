//! The tables of the papers behind feeler, measured again:
//! `cargo run --release -p feeler-tools --bin papers -- [--only NAME] [--quick] [--out DIR]`.
//!
//! Writes `index.html` and one file of comma-separated values per table into DIR (default build/papers). `--only` takes the name of
//! one experiment, `--quick` uses small models and few poses. No files are needed; FEELER_DATA gives real models. The
//! program fails when a statement that the tests rely on does not hold.

use feeler::internals::simd::level;
use feeler_tools::arguments::{arguments, flag, option};
use feeler_tools::papers::settings::Settings;
use feeler_tools::papers::{ALL, page, report};
use feeler_tools::stored;
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let mut words = arguments();
    let settings = Settings { quick: flag(&mut words, "--quick") };
    let only = option(&mut words, "--only");
    let folder = PathBuf::from(option(&mut words, "--out").unwrap_or_else(|| "build/papers".to_string()));
    let names: Vec<&str> = ALL.iter().map(|experiment| experiment.name).collect();
    let is_known = only.as_deref().is_none_or(|only| names.contains(&only));
    if !words.is_empty() || !is_known {
        eprintln!("usage: papers [--only NAME] [--quick] [--out DIR]; NAME is one of {}", names.join(", "));
        std::process::exit(2);
    }
    let start = Instant::now();
    let chosen = ALL.iter().filter(|experiment| only.as_deref().is_none_or(|only| only == experiment.name));
    let sections: Vec<report::Section> = chosen.map(|experiment| (experiment.run)(&settings)).collect();
    let head = [
        "The tables and figures of the five papers behind feeler, measured again, with the papers' numbers beside ours. Times are CPU \
         time of one thread; a kernel call counts as one volume test for each of its lanes in use."
            .to_string(),
        format!(
            "Measured on {}, instruction set {}, {}{} in {:.0} s.",
            processor(),
            level::name(),
            if stored::folder().is_some() { "with stored models where there are any" } else { "with models made by rule" },
            if settings.quick { ", a quick run," } else { "" },
            start.elapsed().as_secs_f64()
        ),
        "Write this page again: cargo run --release -p feeler-tools --bin papers -- --out docs/papers".to_string(),
    ];
    report::write_csv(&sections, &folder);
    let path = folder.join("index.html");
    std::fs::write(&path, page::page(&sections, &head)).expect("a writable folder");
    println!("{}", path.display());
    let claims = sections.iter().flat_map(|section| &section.claims);
    let mut is_sound = true;
    for claim in claims {
        println!("{}: {} ({})", if claim.holds { "holds" } else { "FAILS" }, claim.name, claim.numbers);
        is_sound &= claim.holds;
    }
    std::process::exit(!is_sound as i32);
}

/// The name of the processor, where the system tells it.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("model name"));
    line.map_or_else(
        || "an unnamed processor".to_string(),
        |line| line.trim_start_matches([' ', '\t', ':']).to_string(),
    )
}
