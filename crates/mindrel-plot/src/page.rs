//! A page of its own for a few figures.

use crate::figure::Figure;
use crate::style;
use crate::xml::Xml;

/// A table on a page: names in the first column, anything in the others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageTable {
    /// What the columns hold.
    pub head: Vec<String>,
    /// As many cells in each row.
    pub rows: Vec<Vec<String>>,
}

/// A whole page: a title, some paragraphs, figures with their numbers, and tables. It opens without a network.
pub fn page_of(title: &str, paragraphs: &[&str], figures: &[&Figure], tables: &[PageTable]) -> String {
    let mut html = Xml::default();
    html.append("<!doctype html>\n");
    html.open("html", &[("lang", "en")]);
    html.open("head", &[]);
    html.empty("meta", &[("charset", "utf-8")]);
    html.empty("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    html.leaf("title", &[], title);
    html.append(&format!("<style>\n{}{}\n</style>\n", style::page_stylesheet(), style::stylesheet()));
    html.close("head");
    html.open("body", &[]);
    html.open("header", &[]);
    html.leaf("h1", &[], title);
    for paragraph in paragraphs {
        html.leaf("p", &[], paragraph);
    }
    html.close("header");
    html.open("main", &[]);
    for figure in figures {
        html.append(&figure.to_html());
    }
    for table in tables {
        write_table(&mut html, table);
    }
    html.close("main");
    html.close("body");
    html.close("html");
    html.finish()
}

fn write_table(html: &mut Xml, table: &PageTable) {
    html.open("div", &[("class", "scroll")]);
    html.open("table", &[("class", "report-table")]);
    html.open("thead", &[]);
    html.open("tr", &[]);
    for head in &table.head {
        html.leaf("th", &[], head);
    }
    html.close("tr");
    html.close("thead");
    html.open("tbody", &[]);
    for cells in &table.rows {
        html.open("tr", &[]);
        // On a narrow screen cells stand below each other, each after its head.
        for (cell, head) in cells.iter().zip(&table.head) {
            html.leaf("td", &[("data-head", head)], cell);
        }
        html.close("tr");
    }
    html.close("tbody");
    html.close("table");
    html.close("div");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_hostile_names_as_text() {
        let figure = Figure::new("</figure><script>alert(1)</script>", "\" onload='x'");
        let table = PageTable { head: vec!["<i>".to_owned()], rows: vec![vec!["</td><script>".to_owned()]] };
        let page = page_of("<b>title</b>", &["<img src=x onerror=alert(1)>"], &[&figure], &[table]);
        assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("<b>"), "{page}");
        let document = page.strip_prefix("<!doctype html>\n").expect("a page says what it is");
        assert!(roxmltree::Document::parse(document).is_ok());
    }
}
