//! Sums over chunks, kept as lines of text: `sum <table> <row> count touching robust wrong worst`.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};

/// What was asked in one row of a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub count: u64,
    pub touching: u64,
    /// Triangle pairs that took the robust path.
    pub robust: u64,
    pub wrong: u64,
    /// The largest relative error.
    pub worst: f64,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.touching += other.touching;
        self.robust += other.robust;
        self.wrong += other.wrong;
        self.worst = self.worst.max(other.worst);
    }
}

#[derive(Default)]
pub struct Tallies {
    pub instruction_set: String,
    rows: BTreeMap<(String, String), Tally>,
    /// Wrong answers, in words.
    findings: Vec<String>,
}

impl Tallies {
    /// Counts one answer in the given row of each table.
    pub fn add(&mut self, rows: &[(&str, &str)], tally: Tally) {
        for (table, row) in rows {
            self.rows.entry((table.to_string(), row.to_string())).or_default().add(&tally);
        }
    }

    pub fn note(&mut self, finding: String) {
        self.findings.push(finding.replace('\n', " "));
    }

    /// The sums of many chunks.
    pub fn of_lines(lines: &[String]) -> Self {
        let mut all = Self::default();
        for line in lines {
            if let Some(finding) = line.strip_prefix("found ") {
                all.note(finding.to_string());
            }
            let fields: Vec<&str> = line.split('\t').collect();
            if let ["sum", table, row, count, touching, robust, wrong, worst] = fields[..] {
                let whole = |text: &str| text.parse().unwrap_or(0);
                let tally = Tally {
                    count: whole(count),
                    touching: whole(touching),
                    robust: whole(robust),
                    wrong: whole(wrong),
                    worst: worst.parse().unwrap_or(f64::INFINITY),
                };
                all.add(&[(table, row)], tally);
            }
        }
        all
    }

    pub fn wrong(&self) -> u64 {
        self.rows.values().map(|tally| tally.wrong).sum()
    }

    /// Markdown.
    pub fn tables(&self) -> String {
        let mut text = String::new();
        let mut last = "";
        for ((table, row), tally) in &self.rows {
            let is_pairs = table.starts_with("pairs");
            if table != last {
                let columns = if is_pairs {
                    "pairs | touching | robust | wrong | worst relative error |\n|---|--:|--:|--:|--:|--:|"
                } else {
                    "queries | of touching models | wrong |\n|---|--:|--:|--:|"
                };
                let _ = writeln!(
                    text,
                    "\n| {} | {columns}",
                    table.split_once(' ').map_or(table.as_str(), |(_, name)| name)
                );
                last = table;
            }
            let Tally { count, touching, robust, wrong, worst } = tally;
            // Rows are sorted by a number that is not shown.
            let name = row.split_once('@').map_or(row.as_str(), |(_, name)| name);
            let _ = if is_pairs {
                let robust = 100.0 * *robust as f64 / (*count).max(1) as f64;
                writeln!(text, "| {name} | {count} | {touching} | {robust:.1} % | {wrong} | {worst:.1e} |")
            } else {
                writeln!(text, "| {name} | {count} | {touching} | {wrong} |")
            };
        }
        for finding in self.findings.iter().take(20) {
            let _ = writeln!(text, "\nfound: {finding}");
        }
        text
    }
}

impl Display for Tallies {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        for ((table, row), tally) in &self.rows {
            let Tally { count, touching, robust, wrong, worst } = tally;
            writeln!(f, "sum\t{table}\t{row}\t{count}\t{touching}\t{robust}\t{wrong}\t{worst:e}")?;
        }
        self.findings.iter().try_for_each(|finding| writeln!(f, "found {finding}"))
    }
}
