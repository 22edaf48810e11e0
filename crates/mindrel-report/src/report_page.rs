//! The page.

use askama::Template;
use mindrel::Plan;
use mindrel_audit::AuditOutcome;

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

/// What a reader of an audit should know first, in plain words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFindings {
    /// The finding in a sentence or two.
    pub headline: String,
    /// What must be known before the figures are believed.
    pub warnings: Vec<String>,
}

/// What a reader of an audit should know first: what stands on top of its [`page`].
///
/// # Panics
/// When `about.chosen` is no place among the audit's runs.
#[must_use]
pub fn findings(outcome: &AuditOutcome, plan: &Plan, about: &ReportFacts) -> ReportFindings {
    let reading = Reading { outcome, plan, about };
    ReportFindings { headline: headline(&reading), warnings: warnings(&reading) }
}

/// What an audit of a plan found, as one page of HTML that needs nothing else.
///
/// # Panics
/// When `about.chosen` is no place among the audit's runs.
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
    let html = page.render().expect("everything it shows is text");
    // Names come from tables: what is no text, or turns the direction of what follows, is not passed on.
    html.chars().map(|character| if character == '\n' { '\n' } else { mindrel_plot::shown(character) }).collect()
}
