//! What is drawn of each experiment.

pub(crate) mod beliefs;
pub(crate) mod comparison;
pub(crate) mod core_sets;
pub(crate) mod times;

use mindrel::Selector;
use mindrel_audit::Rule;
use mindrel_plot::{Axis, Colour, DataPoint, Figure, NumberFormat};

use crate::design::Sizes;
use crate::prepare::Recipe;
use crate::repeated_mean::{FEWEST_DRAWN, RepeatedMean};
use crate::summaries::Summaries;

/// A figure and the name its files have.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedFigure {
    /// The stem of its files.
    pub name: String,
    /// The figure.
    pub figure: Figure,
}

/// The figures of an experiment.
#[must_use]
pub fn figures(found: &Summaries<'_>) -> Vec<NamedFigure> {
    let name = found.measured().design.name;
    let of = |suffix: &str| if suffix.is_empty() { name.to_owned() } else { format!("{name}-{suffix}") };
    let figures = (found.measured().design.figures)(found);
    figures.into_iter().map(|(suffix, figure)| NamedFigure { name: of(suffix), figure }).collect()
}

/// The colour and the words of a rule.
fn rule(rule: Rule) -> (Colour, &'static str) {
    match rule {
        Rule::Asking(Selector::Decisive) => (Colour::DECISIVE, "decisive"),
        Rule::Asking(Selector::FScore) => (Colour::F_SCORE, "f-score"),
        Rule::Asking(Selector::FScoreMc) => (Colour::F_SCORE.shaded(0.5), "f-score, 100 draws"),
        Rule::Asking(Selector::Importance | Selector::ImportanceLogistic) => (Colour::IMPORTANCE, "importance"),
        Rule::Asking(Selector::Random) => (Colour::RANDOM, "random"),
        Rule::Optimal => (Colour::OPTIMAL, "optimal"),
        Rule::All => (Colour::ALL_FEATURES, "all features"),
    }
}

/// A mean and its interval at a place.
fn point(x: f64, estimate: &RepeatedMean) -> DataPoint {
    let point = DataPoint::new(x, estimate.mean);
    estimate.drawn_interval().map_or(point, |(low, high)| point.within(low, high))
}

/// What the paper calls a data set, with our name where that is another.
fn data_set_title(name: &str) -> String {
    let paper = Recipe::of(name).paper_name;
    if paper.to_lowercase() == name { paper.to_owned() } else { format!("{paper} ({name})") }
}

/// The numbers of sensitive features of a data set. Where they go up to all, every data set has an axis of its own.
fn sizes(found: &Summaries<'_>, data_set: &str) -> Axis {
    let sizes = found.sizes(data_set);
    let label = match (found.measured().design.sizes, sizes.last()) {
        (Sizes::ToAll(_), Some(all)) => format!("sensitive features |S|, of {all}"),
        _ => "sensitive features |S|".to_owned(),
    };
    Axis::new(label).format(NumberFormat::Count).ticks(sizes.into_iter().map(|size| size as f64))
}

/// How often and about how many people, for captions.
fn basis(found: &Summaries<'_>) -> String {
    let measured = found.measured();
    let repetitions = match measured.repetitions {
        1 => "One repetition, so that no interval can be given".to_owned(),
        count if count < FEWEST_DRAWN => format!("Means of {count} repetitions, too few to draw intervals"),
        count => format!("Means of {count} repetitions with 95 % intervals"),
    };
    let people = match measured.people {
        Some(people) => format!("up to {people} test people each"),
        None => "all test people".to_owned(),
    };
    format!("{repetitions}, {people}.")
}
