//! Tables and paragraphs that fit a terminal: framed on one, plain when piped.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use super::output::is_colourful;

/// The maximum width of tables and paragraphs.
pub const WIDTH: usize = 80;

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

/// A table as text, without trailing spaces.
pub fn finish(table: Table) -> String {
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}
