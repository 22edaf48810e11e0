//! How often each question is asked, and which are never asked.

use mindrel::schema::Question;
use mindrel_audit::IntervalEstimate;
use mindrel_plot::{Axis, DataPoint, Figure, Mark, NumberFormat, Panel, Series};

use super::front::interval;
use crate::reading::Reading;
use crate::section::{Mood, ReportSection};
use crate::words::{colour, listed, percent};

pub(super) fn section(reading: &Reading<'_>) -> ReportSection {
    let asked = sorted(reading);
    let never: Vec<String> = asked.iter().filter(|(_, share)| *share == 0.0).map(|(it, _)| in_words(it)).collect();
    let always: Vec<&str> = asked.iter().filter(|(_, share)| *share == 1.0).map(|(it, _)| it.name.as_str()).collect();
    let mut section = ReportSection::new("questions", "How often each question is asked");
    section = match never.as_slice() {
        [] => {
            let (rarest, share) = asked.last().expect("a plan has questions");
            section.text(format!(
                "Every question was asked of somebody. The rarest was {}, asked of {} of the people.",
                rarest.name,
                percent(*share)
            ))
        }
        never => section
            .finding(
                Mood::Good,
                format!(
                    "Nobody in this table was asked {}. If future people are like these, it need not be on the form.",
                    listed(never)
                ),
            )
            .text(
                "This is no proof that nobody ever is: a person with rarer answers may need the question. Without it, \
                 only a human can decide about them. `mindrel inspect` shows which questions provably nobody is ever \
                 asked.",
            ),
    };
    if !always.is_empty() {
        section = section.text(format!("Asked of everyone: {}.", listed(&always)));
    }
    section.figure(figure(reading, &asked))
}

/// The sensitive questions with the share of people asked each, the most frequent first.
fn sorted<'a>(reading: &Reading<'a>) -> Vec<(&'a Question, f64)> {
    let run = reading.chosen();
    let share = |question: &Question| run.asked.get(&question.name).copied().unwrap_or(0.0);
    let mut asked: Vec<(&Question, f64)> = reading.questions().map(|question| (question, share(question))).collect();
    asked.sort_by(|left, right| right.1.total_cmp(&left.1));
    asked
}

/// The name of a question, and its prompt if that says more.
fn in_words(question: &Question) -> String {
    let Question { name, prompt, .. } = question;
    if prompt.is_empty() || prompt == name { name.clone() } else { format!("{name} (“{prompt}”)") }
}

fn figure(reading: &Reading<'_>, asked: &[(&Question, f64)]) -> Figure {
    let bars = asked.iter().enumerate().map(|(place, (_, share))| {
        let IntervalEstimate { value, lower, upper } = interval(*share, reading.outcome.people);
        DataPoint::new(value, place as f64).within(lower, upper)
    });
    Figure::new(
        "How often each question is asked",
        "The share of people who were asked each sensitive question, the commonest first. Whiskers are exact 95 % \
         intervals.",
    )
    .panel(
        Panel::new("")
            .x(Axis::new("share of people").format(NumberFormat::Percent).range(0.0, 1.0))
            .y(Axis::new("question").categories(asked.iter().map(|(question, _)| question.name.as_str())))
            .series(Series::new("asked", colour(reading.chosen().rule), Mark::Bars, bars)),
    )
}
