//! How well unasked answers can be inferred.

use mindrel_audit::{BeforeAfter, Giveaway, Inferred};
use mindrel_plot::{Axis, Colour, Figure, Mark, NumberFormat, Panel, Series};

use crate::reading::Reading;
use crate::section::{Mood, ReportSection};
use crate::words::{colour, grouped, percent};

pub(super) fn section(reading: &Reading<'_>) -> Option<ReportSection> {
    let giveaway = reading.chosen().giveaway.as_ref()?;
    let mut section = ReportSection::new("giveaway", "How well unasked answers can be inferred").text(
        "The number of questions is not the whole of privacy: an unasked answer may follow from those that were given. \
         Here an observer who knows the plan guesses the unasked answers, first from what is known beforehand and then \
         with the answers given.",
    );
    let numbers = giveaway.variance_explained.map(|it| {
        format!(
            "Of the variance of {} unasked numbers, {} is explained by what is known beforehand, and {} with the \
             answers given.",
            grouped(giveaway.hidden_numbers),
            percent(it.before),
            percent(it.after)
        )
    });
    let choices = giveaway.guessed_right.map(|it| {
        format!(
            "Of {} unasked choices, {} are guessed right from what is known beforehand, and {} with the answers given.",
            grouped(giveaway.hidden_choices),
            percent(it.before),
            percent(it.after)
        )
    });
    for sentence in numbers.into_iter().chain(choices) {
        section = section.finding(Mood::Unclear, sentence);
    }
    let figures = [
        figure(reading, giveaway, number, "numbers", "variance explained"),
        figure(reading, giveaway, choice, "choices", "guessed right"),
    ];
    section = figures.into_iter().flatten().fold(section, ReportSection::figure);
    Some(section.text(
        "The observer uses the plan’s belief. An observer with a better belief, or with other sources about the same \
         person, may infer more, so these are lower bounds. Variance explained is 100 % if a number is known exactly \
         and 0 % if only its mean is known; a negative value means that the belief fits these people badly. All \
         figures are about the people who were not asked the question.",
    ))
}

type Figures = Option<BeforeAfter>;

fn number(inferred: &Inferred) -> Figures {
    match inferred {
        Inferred::Number { variance_explained, .. } => *variance_explained,
        Inferred::Choice { .. } => None,
    }
}

fn choice(inferred: &Inferred) -> Figures {
    match inferred {
        Inferred::Choice { guessed_right, .. } => *guessed_right,
        Inferred::Number { .. } => None,
    }
}

fn figure(
    reading: &Reading<'_>,
    giveaway: &Giveaway,
    figures: fn(&Inferred) -> Figures,
    kind: &str,
    axis: &str,
) -> Option<Figure> {
    let shown: Vec<(&str, BeforeAfter)> = giveaway
        .questions
        .iter()
        .filter_map(|question| Some((question.question.as_str(), figures(&question.inferred)?)))
        .collect();
    if shown.is_empty() {
        return None;
    }
    let points =
        |side: fn(&BeforeAfter) -> f64| shown.iter().enumerate().map(move |(place, (_, it))| (side(it), place as f64));
    let figure = Figure::new(
        format!("How well unasked {kind} can be inferred"),
        "The further the answers given move a dot to the right, the more they reveal about the unasked one.",
    );
    Some(
        figure.panel(
            Panel::new("")
                .x(Axis::new(axis).format(NumberFormat::Percent).at_least(0.2))
                .y(Axis::new("question").categories(shown.iter().map(|(name, _)| *name)))
                .series(Series::new("before any question", Colour::ALL_FEATURES, Mark::Points, points(|it| it.before)))
                .series(Series::new(
                    "with the answers given",
                    colour(reading.chosen().rule),
                    Mark::Points,
                    points(|it| it.after),
                )),
        ),
    )
}
