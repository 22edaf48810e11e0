//! How many more questions people were asked than a proof needs.

use mindrel::model::ProvedBy;
use mindrel_audit::Regret;
use mindrel_plot::{Axis, Figure, Mark, NumberFormat, Panel, Series};

use crate::reading::Reading;
use crate::section::ReportSection;
use crate::words::{colour, percent, questions};

pub(super) fn section(reading: &Reading<'_>) -> Option<ReportSection> {
    let run = reading.chosen();
    let regret = run.regret.as_ref()?;
    let stops_early = run.delta > 0.0;
    let mut section = ReportSection::new("regret", "Compared with the fewest questions that prove a decision")
        .text(
            "For each person, the number of questions is compared with the fewest that prove the decision. Finding \
             those takes all answers in advance, so the difference (regret) is the price of not knowing them.",
        )
        .text(sentence(reading, regret));
    if stops_early {
        section = section.text(
            "Below zero are people who were asked less than a proof needs: the chosen rule may stop at a probability.",
        );
    }
    if reading.plan.model().proved_by() != ProvedBy::Sums {
        section = section.text("For this model, the fewest questions are those found within the budget.");
    }
    Some(section.figure(figure(reading, regret)))
}

fn sentence(reading: &Reading<'_>, regret: &Regret) -> String {
    let counted = |kept: fn(i64) -> bool| -> u64 {
        regret.histogram.iter().filter(|count| kept(count.questions)).map(|count| count.people).sum()
    };
    let share = |people: u64| percent(people as f64 / reading.outcome.people as f64);
    let mean = &regret.mean;
    let (amount, which) = if mean.value >= 0.0 { (mean.value, "more") } else { (-mean.value, "fewer") };
    format!(
        "On average, people were asked {} questions {which} than the fewest that prove the decision (95 % interval of \
         the difference: {} to {}). {} of the people were asked no more than those, and {} were asked more.",
        questions(amount),
        questions(mean.lower),
        questions(mean.upper),
        share(counted(|questions| questions <= 0)),
        share(counted(|questions| questions > 0)),
    )
}

fn figure(reading: &Reading<'_>, regret: &Regret) -> Figure {
    let bars = regret.histogram.iter().map(|count| (count.questions as f64, count.people as f64));
    Figure::new(
        "People by how many more questions they were asked than a proof needs",
        "Zero stands for the fewest questions that prove the decision.",
    )
    .panel(
        Panel::new("")
            .x(Axis::new("questions more than the fewest needed").format(NumberFormat::Count))
            .y(Axis::new("people").format(NumberFormat::Count))
            .series(Series::new("people", colour(reading.chosen().rule), Mark::Bars, bars)),
    )
}
