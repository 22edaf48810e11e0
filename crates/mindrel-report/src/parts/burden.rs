//! Whether some groups are asked more than others, or decided about less well.

use mindrel_audit::{Difference, DifferenceVerdict, GroupingReport, Rule, RunBurden};
use mindrel_plot::{Axis, Figure, Format, Mark, Panel, Point, Series, Sharing};

use crate::reading::Reading;
use crate::section::{Cell, Mood, Section, Table};
use crate::words::{colour, grouped, listed, questions_within, share_within};

pub(super) fn section(reading: &Reading<'_>) -> Option<Section> {
    let burden = reading.report.burden.as_ref()?;
    let mut section = Section::new("burden", "Are some groups asked more than others?").text(format!(
        "An average hides who pays for it. Groups with fewer than {} people are shown and not compared. All {} comparisons of this audit are corrected \
         for their number together: the chance that any difference is reported where there is none is at most {} %. “No difference found” never means that there is none; the \
         sentence says how large one may still be.",
        burden.fewest_people,
        burden.tests,
        100.0 * burden.level,
    ));
    for grouping in &burden.groupings {
        section = one(section, reading, grouping);
    }
    Some(section.text(
        "A difference is not explained by being found: groups differ in their answers, and those whose answers lie near the classifier’s border need more questions. People are \
         taken as independent of each other. Equal burden is one idea of fairness among many.",
    ))
}

/// What was found by one column, or by two at once.
fn one(section: Section, reading: &Reading<'_>, grouping: &GroupingReport) -> Section {
    let run = &grouping.runs[reading.about.chosen];
    let mut section = section.heading(format!("By {}", listed(&grouping.by)));
    let differences =
        [("Questions", &run.asked), ("Decisions as with all data", &run.flips), ("Right decisions", &run.accuracy)];
    for (what, difference) in differences {
        if let Some(difference) = difference {
            section = section.finding(mood(difference), format!("{what}: {}", difference.sentence));
        }
    }
    if let Some(sentence) = unavoidable(reading, grouping) {
        section = section.text(sentence);
    }
    section.figure(figure(reading, grouping, run)).table(table(reading, grouping, run))
}

fn mood(difference: &Difference) -> Mood {
    match difference.verdict {
        DifferenceVerdict::Found => Mood::Bad,
        DifferenceVerdict::NoneFound | DifferenceVerdict::TooFew => Mood::Unclear,
    }
}

/// What no rule that proves its decisions could have avoided.
fn unavoidable(reading: &Reading<'_>, grouping: &GroupingReport) -> Option<String> {
    let place = reading.report.runs.iter().position(|run| run.rule == Rule::Optimal)?;
    let difference = grouping.runs[place].asked.as_ref().filter(|_| place != reading.about.chosen)?;
    Some(format!(
        "For comparison, the fewest questions that prove each decision, which no rule that proves can go below: {}",
        difference.sentence
    ))
}

fn names(grouping: &GroupingReport) -> impl Iterator<Item = String> {
    grouping.groups.iter().map(|group| {
        let few = if group.too_few { " (too few to tell)" } else { "" };
        format!("{}{few}", group.levels.join(", "))
    })
}

fn figure(reading: &Reading<'_>, grouping: &GroupingReport, run: &RunBurden) -> Figure {
    let colour = colour(reading.chosen().rule);
    let group_axis = || Axis::new("group").categories(names(grouping));
    let points = |figure: fn(&mindrel_audit::GroupFigures) -> mindrel_audit::Figure| {
        run.groups.iter().enumerate().map(move |(place, group)| {
            let figure = figure(group);
            Point::new(figure.value, place as f64).within(figure.lower, figure.upper)
        })
    };
    let mut drawn = Figure::new(
        format!("What is asked of each group by {}", listed(&grouping.by)),
        "Whiskers are 95 % intervals, each of its group alone; whether groups differ is said above.",
    )
    .sharing(Sharing::Nothing)
    .panel(
        Panel::new("questions").x(Axis::new("questions asked, on average")).y(group_axis()).series(Series::new(
            "asked",
            colour,
            Mark::Points,
            points(|group| group.mean_asked),
        )),
    );
    if run.flips.is_some() {
        drawn = drawn.columns(2).panel(
            Panel::new("decisions that differ")
                .x(Axis::new("decisions that differ from those with all data").format(Format::Percent))
                .y(group_axis())
                .series(Series::new("differ", colour, Mark::Points, points(|group| group.flips))),
        );
    }
    drawn
}

fn table(reading: &Reading<'_>, grouping: &GroupingReport, run: &RunBurden) -> Table {
    let labelled = reading.report.accuracy_all.is_some();
    let mut head = vec!["group", "people", "questions asked", "differ from all data"];
    head.extend(labelled.then_some("right"));
    head.push("compared");
    let mut table = Table::new("Each group, with 95 % intervals", head);
    for ((members, figures), name) in grouping.groups.iter().zip(&run.groups).zip(names(grouping)) {
        let mut cells = vec![
            Cell::words(name),
            Cell::number(grouped(members.people)),
            Cell::number(questions_within(&figures.mean_asked)),
            Cell::number(share_within(&figures.flips)),
        ];
        cells.extend(labelled.then(|| Cell::number(figures.accuracy.as_ref().map_or(String::new(), share_within))));
        cells.push(Cell::words(if members.too_few { "no: too few people to tell" } else { "yes" }));
        table.row(false, cells);
    }
    table
}
