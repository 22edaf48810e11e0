//! The page of a frontier.

use askama::Template;
use mindrel_plot::Figure;

/// A chart, the conclusion and the numbers on a page that opens without a network.
#[derive(Template)]
#[template(path = "frontier.html")]
struct FrontierPage<'a> {
    title: &'static str,
    conclusion: &'a str,
    page_style: &'static str,
    plot_style: String,
    figure: String,
    head: &'a [String],
    rows: &'a [Vec<String>],
}

/// A page with the conclusion, the chart and a table: names in its first column, with as many cells in each row.
///
/// # Panics
/// Never: the template is checked when the program is built.
#[must_use]
pub fn page(conclusion: &str, figure: &Figure, head: &[String], rows: &[Vec<String>]) -> String {
    let page = FrontierPage {
        title: "Which sensitive questions are worth having",
        conclusion,
        page_style: mindrel_plot::page_stylesheet(),
        plot_style: mindrel_plot::stylesheet(),
        figure: figure.to_html(),
        head,
        rows,
    };
    page.render().expect("everything it shows is text")
}
