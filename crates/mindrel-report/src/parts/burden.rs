//! Whether some groups are asked more than others, or have less accurate decisions.

use mindrel_audit::{DifferenceVerdict, FEWEST_PEOPLE, GroupDifference, GroupingComparison, Rule, RunBurden};
use mindrel_plot::{Axis, DataPoint, Figure, Mark, NumberFormat, Panel, Series, Sharing};

use crate::reading::Reading;
use crate::section::{Mood, ReportCell, ReportSection, ReportTable};
use crate::words::{colour, grouped, listed, questions_within, share_within, untold_groups};

pub(super) fn section(reading: &Reading<'_>) -> Option<ReportSection> {
    let burden = reading.outcome.burden.as_ref()?;
    let mut introduction = format!(
        "An average hides who bears the burden. Groups with fewer than {} people are not shown on their own, and \
         those with fewer than {} are not compared.",
        reading.outcome.smallest_group, burden.fewest_people,
    );
    if burden.tests > 0 {
        introduction += &format!(
            " All {} comparisons are corrected together: the chance of reporting any difference where there is none \
             is at most {} %. “No difference found” does not mean that there is none; the sentence says how large it \
             may still be.",
            burden.tests,
            100.0 * burden.level,
        );
    }
    let mut section = ReportSection::new("burden", "Are some groups asked more than others?").text(introduction);
    for grouping in &burden.groupings {
        section = one(section, reading, grouping);
    }
    Some(section.text(
        "A difference that was found is not yet explained. Groups differ in their answers, and people near the \
         classifier’s decision boundary need more questions. People are assumed to be independent of each other. \
         Equal burden is one notion of fairness among many.",
    ))
}

/// The results by one column, or by two at once.
fn one(section: ReportSection, reading: &Reading<'_>, grouping: &GroupingComparison) -> ReportSection {
    let run = &grouping.runs[reading.about.chosen];
    let mut section = section.heading(format!("By {}", listed(&grouping.by)));
    let differences = [
        ("Questions", &run.asked),
        ("Decisions unchanged from full data", &run.flips),
        ("Correct decisions", &run.accuracy),
    ];
    for (what, difference) in differences {
        if let Some(difference) = difference {
            section = section.finding(mood(difference), format!("{what}: {}", difference.sentence));
        }
    }
    if let Some(sentence) = unavoidable(reading, grouping) {
        section = section.text(sentence);
    }
    if let Some(sentence) = untold_groups(grouping.groups_untold, reading.outcome.smallest_group) {
        section = section.text(sentence);
    }
    if grouping.groups.is_empty() {
        return section;
    }
    section.figure(figure(reading, grouping, run)).table(table(reading, grouping, run))
}

fn mood(difference: &GroupDifference) -> Mood {
    match difference.verdict {
        DifferenceVerdict::Found => Mood::Bad,
        DifferenceVerdict::NoneFound | DifferenceVerdict::TooFew => Mood::Unclear,
    }
}

/// The difference that no rule with proved decisions could have avoided.
fn unavoidable(reading: &Reading<'_>, grouping: &GroupingComparison) -> Option<String> {
    let place = reading.outcome.runs.iter().position(|run| run.rule == Rule::Optimal)?;
    let difference = grouping.runs[place].asked.as_ref().filter(|_| place != reading.about.chosen)?;
    Some(format!(
        "For comparison, the fewest questions that prove each decision, which no rule with proofs can undercut: {}",
        difference.sentence
    ))
}

fn names(grouping: &GroupingComparison) -> impl Iterator<Item = String> {
    grouping.groups.iter().map(|group| {
        // A mark, because words are cut off where charts are narrow.
        let few = if group.too_few && group.merged == 0 { " †" } else { "" };
        format!("{}{few}", group.name())
    })
}

fn figure(reading: &Reading<'_>, grouping: &GroupingComparison, run: &RunBurden) -> Figure {
    let colour = colour(reading.chosen().rule);
    let group_axis = || Axis::new("group").categories(names(grouping));
    let points = |figure: fn(&mindrel_audit::GroupFigures) -> mindrel_audit::IntervalEstimate| {
        run.groups.iter().enumerate().map(move |(place, group)| {
            let figure = figure(group);
            DataPoint::new(figure.value, place as f64).within(figure.lower, figure.upper)
        })
    };
    let questions = Axis::new("questions asked, on average").format(NumberFormat::Decimal).at_least(1.0);
    let questions = questions.limits(0.0, reading.outcome.questions as f64);
    let has_few = grouping.groups.iter().any(|group| group.too_few && group.merged == 0);
    let few =
        if has_few { format!(" †: fewer than {FEWEST_PEOPLE} people, too few to tell.") } else { String::new() };
    let mut drawn = Figure::new(
        format!("Questions asked of each group by {}", listed(&grouping.by)),
        format!(
            "Whiskers are 95 % intervals of each group alone; the text above says whether groups differ. The axes span \
             at least one question and ten percentage points.{few}"
        ),
    )
    .sharing(Sharing::Nothing)
    .panel(Panel::new("questions").x(questions).y(group_axis()).series(Series::new(
        "asked",
        colour,
        Mark::Points,
        points(|group| group.mean_asked),
    )));
    if run.flips.is_some() {
        drawn = drawn.columns(2).panel(
            Panel::new("decisions that differ")
                .x(Axis::new("decisions that differ from those with all data")
                    .format(NumberFormat::Percent)
                    .at_least(0.1)
                    .limits(0.0, 1.0))
                .y(group_axis())
                .series(Series::new("differ", colour, Mark::Points, points(|group| group.flips))),
        );
    }
    drawn
}

fn table(reading: &Reading<'_>, grouping: &GroupingComparison, run: &RunBurden) -> ReportTable {
    let labelled = reading.outcome.accuracy_all.is_some();
    let mut head = vec!["group", "people", "questions asked", "differ from all data"];
    head.extend(labelled.then_some("correct"));
    head.push("compared");
    let mut table = ReportTable::new("Each group, with 95 % intervals", head);
    for ((members, figures), name) in grouping.groups.iter().zip(&run.groups).zip(names(grouping)) {
        let mut cells = vec![
            ReportCell::words(name),
            ReportCell::number(grouped(members.people)),
            ReportCell::number(questions_within(&figures.mean_asked)),
            ReportCell::number(share_within(&figures.flips)),
        ];
        cells.extend(
            labelled.then(|| ReportCell::number(figures.accuracy.as_ref().map_or(String::new(), share_within))),
        );
        cells.push(ReportCell::words(match (members.merged, members.too_few) {
            (0, false) => "yes",
            (0, true) => "no: too few people to tell",
            _ => "no: several groups",
        }));
        table.row(false, cells);
    }
    table
}
