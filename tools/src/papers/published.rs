//! The papers' own numbers, from the tables in `tools/data/papers`.

/// A number of a paper, with the place where it is printed.
struct Entry {
    paper: String,
    table: String,
    row: String,
    column: String,
    value: String,
}

const FILES: &[&str] = &[
    include_str!("../../data/papers/larsen_table1.csv"),
    include_str!("../../data/papers/larsen_table2.csv"),
    include_str!("../../data/papers/larsen_table3.csv"),
    include_str!("../../data/papers/larsen_table4.csv"),
    include_str!("../../data/papers/larsen_table5.csv"),
    include_str!("../../data/papers/larsen_setup.csv"),
    include_str!("../../data/papers/tropp_table1.csv"),
    include_str!("../../data/papers/tropp_table2.csv"),
    include_str!("../../data/papers/tropp_figures.csv"),
    include_str!("../../data/papers/krishnan_table1.csv"),
    include_str!("../../data/papers/krishnan_table2.csv"),
    include_str!("../../data/papers/krishnan_table3.csv"),
    include_str!("../../data/papers/krishnan_text.csv"),
    include_str!("../../data/papers/chang_table1.csv"),
    include_str!("../../data/papers/chang_table2.csv"),
    include_str!("../../data/papers/chang_setup.csv"),
];

/// The numbers of one paper.
pub struct Published(Vec<Entry>);

impl Published {
    pub fn of(paper: &str) -> Self {
        let entries = FILES.iter().flat_map(|file| file.lines().skip(1)).map(entry);
        Self(entries.filter(|entry| entry.paper == paper).collect())
    }

    /// The number in a cell; there must be such a cell with a number in it.
    pub fn number(&self, table: &str, row: &str, column: &str) -> f64 {
        let found = self.0.iter().find(|entry| entry.table == table && entry.row == row && entry.column == column);
        let entry = found.unwrap_or_else(|| panic!("{table} has no cell {row}, {column}"));
        entry.value.parse().unwrap_or_else(|_| panic!("{table}, {row}, {column}: {:?} is no number", entry.value))
    }
}

fn entry(line: &str) -> Entry {
    let mut fields = fields(line).into_iter();
    let mut next = || fields.next().unwrap_or_default();
    Entry { paper: next(), table: next(), row: next(), column: next(), value: next() }
}

/// The fields of a line; quotes keep commas together.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("one field at least").push(letter),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_their_place() {
        let larsen = Published::of("swept_sphere_volumes");
        assert_eq!(larsen.number("table1", "rectangle-rectangle", "relative cost"), 3.10);
        assert_eq!(larsen.number("table2", "OBB", "falling tori: N_p"), 0.01);
        let chang = Published::of("dual_obb_sphere");
        assert_eq!(chang.number("table1", "scenario I, 0%", "Dual"), 20.6053);
    }
}
