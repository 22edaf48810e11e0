//! What the answers not asked for still give away.

use mindrel_audit::{BeforeAfter, Giveaway, Inferred};
use mindrel_plot::{Axis, Colour, Figure, Mark, NumberFormat, Panel, Series};

use crate::reading::Reading;
use crate::section::{Mood, ReportSection};
use crate::words::{colour, grouped, percent};

pub(super) fn section(reading: &Reading<'_>) -> Option<ReportSection> {
    let giveaway = reading.chosen().giveaway.as_ref()?;
    let mut section = ReportSection::new("giveaway", "What answers not asked for still give away").text(
        "The number of questions is not the whole of privacy: an answer that was not asked for may follow from those that were. Here somebody who knows the plan, what is \
         known beforehand and what was revealed guesses the rest; once from what is known beforehand alone, once with the answers given.",
    );
    let numbers = giveaway.variance_explained.map(|it| {
        format!(
            "Of {} numbers not asked for, what is known beforehand explains {} of the variance, and with the answers given {}.",
            grouped(giveaway.hidden_numbers),
            percent(it.before),
            percent(it.after)
        )
    });
    let choices = giveaway.guessed_right.map(|it| {
        format!(
            "Of {} choices not asked for, {} are guessed right from what is known beforehand, and {} with the answers given.",
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
        "The one who guesses goes by the plan’s belief. Somebody with a better one, or with other sources about the same person, may infer more: these are lower bounds. \
         Variance explained is 100 % where a number is known exactly and 0 % where its mean is all that is known; below zero, the belief fits these people badly. All figures are about the people who were not asked the question.",
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
        format!("How well {kind} not asked for can be inferred"),
        "The further the answers given move a dot to the right, the more they tell about the one that was not asked for.",
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
