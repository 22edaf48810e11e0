//! Tables and paragraphs that fit a terminal: framed on one, plain when piped.

use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};

use super::output::is_colourful;

/// The maximum width of tables and paragraphs.
pub const WIDTH: usize = 80;

/// Longer words than this are broken in a table's first column.
const LONGEST_WORD: usize = 30;

/// Wraps a text at `width` characters.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a first line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            *line += &format!(" {word}");
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

/// An empty table: numbers to the right, cells wrapped where they are too long.
pub fn new_table(headings: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(if is_colourful() { presets::UTF8_BORDERS_ONLY } else { presets::NOTHING });
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH as u16);
    table.set_header(headings.iter().map(|heading| Cell::new(*heading)).collect::<Vec<Cell>>());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A table as text, without trailing spaces. Names in its first column are wrapped between words.
pub fn finish(mut table: Table) -> String {
    keep_words(&mut table);
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().replace('\u{a0}', " ")).collect();
    lines.join("\n") + "\n"
}

/// Widens the first column if one of its words would be broken.
fn keep_words(table: &mut Table) {
    let text = table.to_string();
    let names: Vec<String> = table.row_iter().filter_map(|row| row.cell_iter().next()).map(Cell::content).collect();
    let words = || names.iter().flat_map(|name| name.split([' ', '\n']));
    let kept = || words().filter(|word| word.chars().count() <= LONGEST_WORD);
    if let Some(column) = table.column_mut(0)
        && kept().any(|word| !text.contains(word))
    {
        let longest = kept().map(|word| word.chars().count()).max().unwrap_or(0);
        let padding = 2;
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed((longest + padding) as u16)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_wrapped_between_words_and_only_where_they_must_be() {
        let figures = ["8.92 (7.89–9.95)", "0.0 (0.0–13.7)", "100.0 (79.6–100.0)", "100.0 (79.6–100.0)"];
        let shown = |name: &str, figures: &[&str]| {
            let mut table = new_table(&[&["name"], figures].concat());
            table.add_row([&[name], figures].concat());
            finish(table)
        };
        for word in ["Amer-Indian-Eskimo", "Asian-Pac-Islander"] {
            assert!(shown(&format!("Female, {word}"), &figures).contains(word));
        }
        let name = "logistic regression, regularization 1000";
        assert!(shown(name, &figures[..2]).contains(name), "there is room for it");
    }
}
