//! The page.

use askama::Template;
use mindrel::Plan;
use mindrel_audit::AuditOutcome;
use mindrel_plot::Figure;

use crate::ReportFacts;
use crate::parts::front::{Card, cards, headline, warnings};
use crate::parts::sections;
use crate::reading::Reading;
use crate::section::{ReportBlock, ReportCell, ReportSection};

#[derive(Template)]
#[template(path = "audit.html")]
struct ReportPage<'a> {
    about: &'a ReportFacts,
    page_style: &'static str,
    plot_style: String,
    decision: &'a str,
    classes: String,
    headline: String,
    warnings: Vec<String>,
    cards: Vec<Card>,
    sections: Vec<ReportSection>,
}

/// What a reader of an audit should know first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFindings {
    /// The main result in a sentence or two.
    pub headline: String,
    /// What to know before relying on the figures.
    pub warnings: Vec<String>,
}

/// What a reader of an audit should know first: the top of its [`page`].
///
/// # Panics
/// When there is no run with the index `about.chosen`.
#[must_use]
pub fn findings(outcome: &AuditOutcome, plan: &Plan, about: &ReportFacts) -> ReportFindings {
    let reading = Reading { outcome, plan, about };
    ReportFindings { headline: headline(&reading), warnings: warnings(&reading) }
}

/// The charts of the [`page`], each with the name of its section; of several in one section, with a number.
///
/// # Panics
/// When there is no run with the index `about.chosen`.
#[must_use]
pub fn figures(outcome: &AuditOutcome, plan: &Plan, about: &ReportFacts) -> Vec<(String, Figure)> {
    let mut all = Vec::new();
    for section in sections(&Reading { outcome, plan, about }) {
        let charts = section.blocks.into_iter().filter_map(|block| match block {
            ReportBlock::Figure(figure) => Some(*figure),
            _ => None,
        });
        let name =
            |place: usize| if place == 0 { section.id.to_owned() } else { format!("{}-{}", section.id, place + 1) };
        all.extend(charts.enumerate().map(|(place, figure)| (name(place), figure)));
    }
    all
}

/// The report of an audit as one self-contained HTML page.
///
/// # Panics
/// When there is no run with the index `about.chosen`.
#[must_use]
pub fn page(outcome: &AuditOutcome, plan: &Plan, about: &ReportFacts) -> String {
    let reading = Reading { outcome, plan, about };
    let target = plan.schema().target();
    let page = ReportPage {
        about,
        page_style: mindrel_plot::page_stylesheet(),
        plot_style: mindrel_plot::stylesheet(),
        decision: &target.prompt,
        classes: target.classes.iter().map(|class| target.words.of(class)).collect::<Vec<&str>>().join(" / "),
        headline: headline(&reading),
        warnings: warnings(&reading),
        cards: cards(&reading),
        sections: sections(&reading),
    };
    let html = page.render().expect("a page is plain text");
    // Names come from tables: control characters, and those that change the direction of text, are replaced.
    html.chars().map(|character| if character == '\n' { '\n' } else { mindrel_plot::shown(character) }).collect()
}
