//! What an experiment hands over: tables, figures, and whether the paper's conclusions hold.

use super::plot::Chart;
use std::path::Path;

/// Whether a paper's conclusion holds here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    Partly,
    Fails,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Partly => "holds in part",
            Self::Fails => "does not hold",
        }
    }

    /// Holds if all of these do, fails if none does.
    pub fn of(parts: &[bool]) -> Self {
        match parts.iter().filter(|part| **part).count() {
            0 => Self::Fails,
            count if count == parts.len() => Self::Holds,
            _ => Self::Partly,
        }
    }
}

/// What the paper concludes, and one sentence on it.
#[derive(Clone, Debug)]
pub struct Conclusion {
    pub paper: String,
    pub verdict: Verdict,
    pub sentence: String,
}

impl Conclusion {
    pub fn new(paper: &str, verdict: Verdict, sentence: impl Into<String>) -> Self {
        Self { paper: paper.to_string(), verdict, sentence: sentence.into() }
    }
}

#[derive(Clone, Debug)]
pub struct Table {
    /// Also the name of its file.
    pub name: String,
    pub title: String,
    /// What was measured, and where the paper's numbers are from.
    pub caption: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
    pub conclusion: Conclusion,
}

#[derive(Clone, Debug)]
pub struct Figure {
    pub name: String,
    pub title: String,
    pub caption: String,
    pub chart: Chart,
    pub conclusion: Option<Conclusion>,
}

/// A statement that a test relies on.
#[derive(Clone, Debug)]
pub struct Claim {
    pub name: String,
    pub holds: bool,
    /// The numbers behind it.
    pub numbers: String,
}

#[derive(Clone, Debug)]
pub enum Block {
    Table(Table),
    Figure(Figure),
}

/// All that one paper's experiments gave.
#[derive(Clone, Debug)]
pub struct Section {
    pub name: &'static str,
    /// Authors, title, year.
    pub paper: &'static str,
    pub blocks: Vec<Block>,
    pub claims: Vec<Claim>,
}

impl Section {
    pub fn new(name: &'static str, paper: &'static str) -> Self {
        Self { name, paper, blocks: Vec::new(), claims: Vec::new() }
    }

    pub fn table(&mut self, table: Table) {
        for row in &table.rows {
            assert_eq!(row.len(), table.head.len(), "{}: a row has as many cells as the head", table.name);
        }
        self.blocks.push(Block::Table(table));
    }

    pub fn figure(&mut self, figure: Figure) {
        self.blocks.push(Block::Figure(figure));
    }

    pub fn claim(&mut self, name: &str, holds: bool, numbers: impl Into<String>) {
        self.claims.push(Claim { name: name.to_string(), holds, numbers: numbers.into() });
    }

    /// Name, title and conclusion of every table and figure that has one.
    pub fn conclusions(&self) -> impl Iterator<Item = (&str, &str, &Conclusion)> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some((&table.name[..], &table.title[..], &table.conclusion)),
            Block::Figure(figure) => Some((&figure.name[..], &figure.title[..], figure.conclusion.as_ref()?)),
        })
    }
}

/// Writes each table and each figure's points as a file of comma-separated values, and one file each of conclusions and claims.
pub fn write_csv(sections: &[Section], folder: &Path) {
    std::fs::create_dir_all(folder).expect("a writable folder");
    let write = |name: &str, lines: Vec<Vec<String>>| {
        let text: String = lines
            .iter()
            .map(|line| line.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",") + "\n")
            .collect();
        std::fs::write(folder.join(format!("{name}.csv")), text).expect("a writable folder");
    };
    for block in sections.iter().flat_map(|section| &section.blocks) {
        match block {
            Block::Table(table) => {
                write(&table.name, [vec![table.head.clone()], table.rows.clone()].concat());
            }
            Block::Figure(figure) => {
                let points = figure.chart.series.iter().flat_map(|series| {
                    series.points.iter().map(|(x, y)| vec![series.name.clone(), x.to_string(), y.to_string()])
                });
                let head = vec!["curve".to_string(), figure.chart.x.label.clone(), figure.chart.y.label.clone()];
                write(&figure.name, core::iter::once(head).chain(points).collect());
            }
        }
    }
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let mut conclusions = vec![words(&["experiment", "table", "the paper", "verdict", "here"])];
    let mut claims = vec![words(&["experiment", "claim", "holds", "numbers"])];
    for section in sections {
        for (name, _, conclusion) in section.conclusions() {
            conclusions.push(words(&[
                section.name,
                name,
                &conclusion.paper,
                conclusion.verdict.name(),
                &conclusion.sentence,
            ]));
        }
        for claim in &section.claims {
            claims.push(words(&[section.name, &claim.name, if claim.holds { "yes" } else { "no" }, &claim.numbers]));
        }
    }
    write("conclusions", conclusions);
    write("claims", claims);
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_string() }
}

/// The cells of a row.
#[macro_export]
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
}
