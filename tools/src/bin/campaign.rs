//! The oracle campaign: millions of triangle pairs and model queries against exact arithmetic and the definition.
//!
//!     nice cargo run --release -p feeler-tools --bin campaign -- [--pairs 10080000] [--queries 1000000] [--state FILE]
//!
//! Work comes in chunks, each in a process of its own on one instruction set (FEELER_ISA), so that a crash is a finding and
//! not the end. Finished chunks are lines of the state file (target/campaign.txt unless named): started again, the campaign goes
//! on where it was. At the end, and on request (`campaign table`), it prints the tables of docs/accuracy.md.

use feeler::internals::simd::level;
use feeler_tools::campaign::{Tallies, pairs, queries};
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// What FEELER_ISA can ask for.
const INSTRUCTION_SETS: [&str; 3] = ["sse2", "avx2", "avx512"];

struct Options {
    pairs: u64,
    queries: u64,
    state: String,
    only_table: bool,
}

fn options() -> Option<Options> {
    let mut options =
        Options { pairs: 10_080_000, queries: 1_000_000, state: "target/campaign.txt".into(), only_table: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse().ok());
        match argument.as_str() {
            "--pairs" => options.pairs = number()?,
            "--queries" => options.queries = number()?,
            "--state" => options.state = arguments.next()?,
            "table" => options.only_table = true,
            _ => return None,
        }
    }
    Some(options)
}

/// One chunk, here and now: prints its tallies.
fn run_chunk(kind: &str, number: u64) {
    let mut tallies = Tallies::default();
    tallies.instruction_set = level::name().to_string();
    match kind {
        "pairs" => pairs::chunk(number, &mut tallies),
        _ => queries::chunk(number, &mut tallies),
    }
    print!("{tallies}");
}

/// The chunks that the campaign consists of.
fn plan(options: &Options) -> Vec<(&'static str, u64)> {
    let pairs = (0..options.pairs.div_ceil(pairs::CHUNK)).map(|number| ("pairs", number));
    let queries = (0..options.queries.div_ceil(queries::CHUNK)).map(|number| ("queries", number));
    pairs.chain(queries).collect()
}

/// The lines of a chunk from a process of its own, or what is wrong.
fn in_child(kind: &str, number: u64) -> Result<String, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    // Other ones each time that scales and offsets come round.
    let turn = number + number / pairs::CELLS;
    let instruction_set = INSTRUCTION_SETS[(turn % INSTRUCTION_SETS.len() as u64) as usize];
    let output = Command::new(program)
        .args(["chunk", kind, &number.to_string()])
        .env("FEELER_ISA", instruction_set)
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{kind} {number}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

fn progress(done: usize, all: usize, since: Instant, here: usize) {
    const WIDTH: usize = 40;
    let bar = "#".repeat(WIDTH * done / all.max(1));
    let seconds = since.elapsed().as_secs_f64();
    let left = if here > 0 { seconds / here as f64 * (all - done) as f64 } else { 0.0 };
    eprint!("\r[{bar:<WIDTH$}] {done} of {all} chunks, {seconds:.0} s, about {left:.0} s left ");
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, kind, number] = &arguments[..]
        && first == "chunk"
        && let Ok(number) = number.parse()
    {
        run_chunk(kind, number);
        return ExitCode::SUCCESS;
    }
    let Some(options) = options() else {
        eprintln!("campaign [--pairs N] [--queries N] [--state FILE] [table]");
        return ExitCode::FAILURE;
    };
    let mut lines: Vec<String> = fs::File::open(&options.state)
        .map(|file| BufReader::new(file).lines().map_while(Result::ok).collect())
        .unwrap_or_default();
    // A chunk counts when its last line was written.
    let is_done = |lines: &[String], kind: &str, number: u64| lines.contains(&format!("done {kind} {number}"));
    if !options.only_table {
        let plan = plan(&options);
        let open: Vec<_> = plan.iter().filter(|(kind, number)| !is_done(&lines, kind, *number)).collect();
        let before = plan.len() - open.len();
        let since = Instant::now();
        let mut file = match OpenOptions::new().create(true).append(true).open(&options.state) {
            Ok(file) => file,
            Err(error) => {
                eprintln!("{}: {error}", options.state);
                return ExitCode::FAILURE;
            }
        };
        for (here, (kind, number)) in open.iter().enumerate() {
            match in_child(kind, *number) {
                Ok(text) => {
                    let text = format!("{text}done {kind} {number}\n");
                    if let Err(error) = file.write_all(text.as_bytes()) {
                        eprintln!("{}: {error}", options.state);
                        return ExitCode::FAILURE;
                    }
                    lines.extend(text.lines().map(String::from));
                }
                Err(words) => {
                    eprintln!("\n{words}");
                    return ExitCode::FAILURE;
                }
            }
            if std::io::stderr().is_terminal() || here % 50 == 49 || here + 1 == open.len() {
                progress(before + here + 1, plan.len(), since, here + 1);
            }
        }
        eprintln!();
    }
    let tallies = Tallies::of_lines(&lines);
    print!("{}", tallies.tables());
    if tallies.wrong() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
