//! The page.

use askama::Template;

use super::paper_tables::{PaperTable, tables};
use crate::claims::{CheckedClaim, ClaimVerdict, OURS, claims};
use crate::design::{Design, DesignClassifier};
use crate::figures::{NamedFigure, figures};
use crate::prepare::PreparedTable;
use crate::summaries::Summaries;

/// What the page says of the run.
#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentFacts {
    /// The command that makes it again.
    pub command: String,
    /// The seed.
    pub seed: u64,
    /// The version of the program.
    pub version: &'static str,
    /// Of each table: its name, and whether it is the one of the catalogue.
    pub tables: Vec<DataSetLine>,
}

/// A line about a data set.
#[derive(Debug, Clone, PartialEq)]
pub struct DataSetLine {
    /// The data set.
    pub name: &'static str,
    paper_name: &'static str,
    rows: usize,
    features: usize,
    paper_features: usize,
    classes: usize,
    digest: String,
    /// Whether its table is the one of the catalogue.
    pub as_catalogued: bool,
    note: &'static str,
}

impl DataSetLine {
    /// A table as it was prepared; `as_catalogued` says whether its checksum is the expected one.
    #[must_use]
    pub fn new(data: &PreparedTable, as_catalogued: bool) -> Self {
        DataSetLine {
            name: data.recipe.name,
            paper_name: data.recipe.paper_name,
            rows: data.people.len(),
            features: data.n_features(),
            paper_features: data.recipe.paper_features,
            classes: data.schema.target().classes.len(),
            digest: data.digest[..12].to_owned(),
            as_catalogued,
            note: data.recipe.note,
        }
    }
}

struct ExperimentSection {
    design: &'static Design,
    basis: String,
    figures: Vec<NamedFigure>,
    tables: Vec<PaperTable>,
    claims: Vec<CheckedClaim>,
}

#[derive(Template)]
#[template(path = "report.html")]
struct ExperimentPage<'a> {
    about: &'a ExperimentFacts,
    page_style: &'static str,
    plot_style: String,
    sections: Vec<ExperimentSection>,
}

impl ExperimentPage<'_> {
    /// How many claims of the paper have a verdict; ours are not counted.
    fn count(&self, verdict: &ClaimVerdict) -> usize {
        let claims = self.sections.iter().flat_map(|section| &section.claims);
        claims.filter(|claim| claim.source != OURS && claim.verdict == *verdict).count()
    }
}

/// The whole report as one page that opens without a network.
///
/// # Panics
/// Never: the template is checked when the program is built.
#[must_use]
pub fn page(about: &ExperimentFacts, found: &[Summaries<'_>]) -> String {
    let page = ExperimentPage {
        about,
        page_style: mindrel_plot::page_stylesheet(),
        plot_style: mindrel_plot::stylesheet(),
        sections: found.iter().map(section).collect(),
    };
    page.render().expect("everything it shows is text")
}

fn section(found: &Summaries<'_>) -> ExperimentSection {
    let measured = found.measured();
    ExperimentSection {
        design: measured.design,
        basis: basis(found),
        figures: figures(found),
        tables: tables(found),
        claims: claims(found),
    }
}

fn basis(found: &Summaries<'_>) -> String {
    let measured = found.measured();
    let model = match measured.design.family {
        DesignClassifier::Logistic => "logistic regression (L2, C = 1)",
        DesignClassifier::Network => {
            "two hidden layers of 10 ReLU units, SGD, batches of 32, learning rate 0.001, 300 epochs"
        }
    };
    let people = match measured.people {
        Some(people) => format!("up to {people} people of the 30 % tested on"),
        None => "everybody of the 30 % tested on".to_owned(),
    };
    let fewer = match measured.design.most_repetitions {
        Some(most) if measured.repetitions == most => " (never more, for the time it takes)",
        _ => "",
    };
    let times = if measured.repetitions == 1 { "repetition" } else { "repetitions" };
    format!(
        "{} {times}{fewer}, each with its own split, classifier and draw of S; {people}; {model}.",
        measured.repetitions
    )
}
