//! How many questions people were asked.

use mindrel_plot::{Axis, Figure, Mark, NumberFormat, Panel, Series, Sharing};

use crate::reading::Reading;
use crate::section::ReportSection;
use crate::words::{colour, grouped, percent};

pub(super) fn section(reading: &Reading<'_>) -> ReportSection {
    let (people, run) = (reading.outcome.people, reading.chosen());
    let last = run.histogram.len() - 1;
    let share = |count: u64| percent(count as f64 / people as f64);
    let most = run.histogram.iter().rposition(|&count| count > 0).unwrap_or(0);
    let half = match within(&run.histogram, 0.5) {
        0 => "nothing".to_owned(),
        most => format!("up to {}", of_questions(most)),
    };
    let text = format!(
        "Half of the people were asked {}, nine in ten up to {}, and nobody more than {}. {} were asked nothing, and \
         {} all {}.",
        half,
        within(&run.histogram, 0.9),
        most,
        share(run.histogram[0]),
        share(run.histogram[last]),
        of_questions(last),
    );
    ReportSection::new("asked", "How many questions people were asked").text(text).figure(figure(reading))
}

fn of_questions(count: usize) -> String {
    if count == 1 { "1 question".to_owned() } else { format!("{} questions", grouped(count as u64)) }
}

/// The smallest number of questions that a share of people does not exceed.
fn within(histogram: &[u64], share: f64) -> usize {
    let people: u64 = histogram.iter().sum();
    let needed = (share * people as f64).ceil() as u64;
    let mut so_far = 0;
    let reached = histogram.iter().position(|count| {
        so_far += count;
        so_far >= needed
    });
    reached.unwrap_or(histogram.len() - 1)
}

fn figure(reading: &Reading<'_>) -> Figure {
    let (people, run) = (reading.outcome.people as f64, reading.chosen());
    let x = || Axis::new("questions asked").format(NumberFormat::Count);
    let counts = run.histogram.iter().enumerate().map(|(asked, &count)| (asked as f64, count as f64));
    let mut so_far = 0;
    let cumulative = run.histogram.iter().enumerate().map(|(asked, &count)| {
        so_far += count;
        (asked as f64, so_far as f64 / people)
    });
    let colour = colour(run.rule);
    Figure::new(
        "People by the number of questions they were asked",
        "How many people were asked exactly this many questions, and what share was asked up to this many.",
    )
    .columns(2)
    .sharing(Sharing::Nothing)
    .panel(
        Panel::new("exactly this many").x(x()).y(Axis::new("people").format(NumberFormat::Count)).series(Series::new(
            "people",
            colour,
            Mark::Bars,
            counts,
        )),
    )
    .panel(
        Panel::new("up to this many")
            .x(x())
            .y(Axis::new("share of people").format(NumberFormat::Percent).range(0.0, 1.0))
            .series(Series::new("share", colour, Mark::Steps, cumulative)),
    )
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn half_of_the_people_are_asked_no_more_than_the_median() {
        assert_eq!([0.5, 0.51, 0.9, 1.0].map(|share| within(&[2, 3, 4, 1], share)), [1, 2, 2, 3]);
        assert_eq!(within(&[0, 0, 5], 0.5), 2);
    }
}
