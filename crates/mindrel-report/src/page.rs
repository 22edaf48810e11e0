//! The page.

use askama::Template;
use mindrel::Plan;
use mindrel_audit::AuditReport;

use crate::About;
use crate::parts::front::{Card, cards, headline, warnings};
use crate::parts::sections;
use crate::reading::Reading;
use crate::section::{Block, Cell, Section};

#[derive(Template)]
#[template(path = "audit.html")]
struct Page<'a> {
    about: &'a About,
    page_style: &'static str,
    style: &'static str,
    plot_style: String,
    decision: &'a str,
    classes: String,
    headline: String,
    warnings: Vec<String>,
    cards: Vec<Card>,
    sections: Vec<Section>,
}

/// What an audit of a plan found, as one page of HTML that needs nothing else.
///
/// # Panics
/// When `about.chosen` is no place among the audit's runs.
#[must_use]
pub fn page(report: &AuditReport, plan: &Plan, about: &About) -> String {
    let reading = Reading { report, plan, about };
    let target = plan.schema().target();
    let page = Page {
        about,
        page_style: mindrel_plot::page_stylesheet(),
        style: include_str!("../templates/audit.css"),
        plot_style: mindrel_plot::stylesheet(),
        decision: &target.prompt,
        classes: target.classes.join(" / "),
        headline: headline(&reading),
        warnings: warnings(&reading),
        cards: cards(&reading),
        sections: sections(&reading),
    };
    let html = page.render().expect("everything it shows is text");
    // Names come from tables: what is no text, or turns the direction of what follows, is not passed on.
    html.chars().map(|character| if character == '\n' { '\n' } else { mindrel_plot::shown(character) }).collect()
}
