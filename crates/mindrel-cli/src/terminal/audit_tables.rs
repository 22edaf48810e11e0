//! An audit as tables.

use std::collections::BTreeMap;

use comfy_table::{Attribute, Cell};
use mindrel::core_test::Test;
use mindrel::plan::{Calibration, Evidence, GroupThreshold};
use mindrel::{Schema, Selector};
use mindrel_audit::{Agreement, AuditOutcome, FlipRate, PromisedFlips, Rule, RunOutcome, SMALLEST_GROUP};

use super::output::is_colourful;
use super::tables::{WIDTH, finish, new_table, wrapped};
use super::words::{grouped, percent, short_percent};

/// One line for each run.
pub fn runs_table(outcome: &AuditOutcome) -> String {
    let mut headings = vec!["delta", "rule", "asked"];
    headings.extend(outcome.cost_all.map(|_| "cost"));
    headings.extend(["leakage", "accuracy", "flips"]);
    if is_outside(outcome) {
        headings.push("outside");
    }
    if has_run_out(outcome) {
        headings.push("out of budget");
    }
    let mut table = new_table(&headings);
    for run in &outcome.runs {
        table.add_row(run_row(outcome, run));
    }
    finish(table)
}

fn run_row(outcome: &AuditOutcome, run: &RunOutcome) -> Vec<Cell> {
    let mut texts = vec![delta(run), rule(outcome, run), format!("{:.2} of {}", run.mean_asked, outcome.questions)];
    texts.extend(run.mean_cost.map(|cost| format!("{cost:.2}")));
    texts.extend([percent(run.leakage), run.accuracy.map_or("-".to_owned(), percent), flips(run)]);
    if is_outside(outcome) {
        texts.push(percent(run.outside_domain));
    }
    if has_run_out(outcome) {
        texts.push(percent(run.undecided_budget));
    }
    let ours = run.rule == Rule::Asking(Selector::Decisive) && is_colourful();
    let style = |text: String| {
        if ours { Cell::new(text).add_attribute(Attribute::Bold) } else { Cell::new(text) }
    };
    texts.into_iter().map(style).collect()
}

/// The outcome of an audit with only some of its runs.
pub fn only(outcome: &AuditOutcome, places: &[usize]) -> AuditOutcome {
    let mut some = outcome.clone();
    some.runs = places.iter().map(|&place| outcome.runs[place].clone()).collect();
    for grouping in some.burden.iter_mut().flat_map(|burden| &mut burden.groupings) {
        grouping.runs = places.iter().map(|&place| grouping.runs[place].clone()).collect();
    }
    some
}

/// The outcome with classes and levels in the words that people are shown.
pub fn in_words(outcome: &AuditOutcome, schema: &Schema) -> AuditOutcome {
    let mut worded = outcome.clone();
    for run in &mut worded.runs {
        let classes = std::mem::take(&mut run.flips_by_class).into_iter();
        run.flips_by_class = classes.map(|(name, flips)| (schema.target().words.of(&name).to_owned(), flips)).collect();
        let Some(PromisedFlips { by: Some(by), groups, .. }) = &mut run.calibrated else { continue };
        for level in groups.iter_mut().filter_map(|group| group.level.as_mut()) {
            *level = level_words(schema, by, level).to_owned();
        }
    }
    worded
}

/// What people are shown for a level of a question.
fn level_words<'a>(schema: &'a Schema, question: &str, level: &'a str) -> &'a str {
    schema.find(question).map_or(level, |id| schema.question(id).words.of(level))
}

/// For each run, the place of the first run with the same figures.
pub fn first_alike(outcome: &AuditOutcome) -> Vec<usize> {
    let groupings = || outcome.burden.iter().flat_map(|burden| &burden.groupings);
    let alike = |place: usize, other: usize| {
        let (left, right) = (&outcome.runs[place], &outcome.runs[other]);
        let counts = |run: &RunOutcome| (run.delta, run.flips, run.accuracy, run.undecided_budget, run.outside_domain);
        let is_same = counts(left) == counts(right)
            && (left.test, &left.asked, &left.histogram) == (right.test, &right.asked, &right.histogram)
            && (&left.guarantees, &left.flips_by_class) == (&right.guarantees, &right.flips_by_class)
            && (&left.giveaway, &left.calibrated) == (&right.giveaway, &right.calibrated);
        is_same && groupings().all(|grouping| grouping.runs[place].groups == grouping.runs[other].groups)
    };
    let runs = 0..outcome.runs.len();
    runs.map(|place| (0..place).find(|&other| alike(other, place)).unwrap_or(place)).collect()
}

/// A run in words: `delta 0.05, f-score`.
pub fn run_name(outcome: &AuditOutcome, run: &RunOutcome) -> String {
    format!("delta {}, {}", delta(run), rule(outcome, run))
}

/// The failure probability of a run; the largest if calibrated groups differ.
fn delta(run: &RunOutcome) -> String {
    let groups = run.calibrated.as_ref().map_or(&[][..], |calibrated| &calibrated.groups);
    let varies = groups.iter().any(|group| group.delta != run.delta);
    if varies { format!("up to {}", run.delta) } else { run.delta.to_string() }
}

/// The rule of a run, with what distinguishes it from the others.
fn rule(outcome: &AuditOutcome, run: &RunOutcome) -> String {
    let mut text = run.rule.to_string();
    if run.calibrated.is_some() {
        text += ", calibrated";
    }
    if let Some(test) = test_name(outcome, run) {
        text += &format!(", {test}");
    }
    if let Some(belief) = belief(outcome, run) {
        text += &format!(", {belief}");
    }
    text
}

/// The belief of a run, where there are several plans; numbered where several are of the same kind.
fn belief(outcome: &AuditOutcome, run: &RunOutcome) -> Option<String> {
    let file = run.name.as_deref()?;
    compared(outcome).into_iter().find(|plan| plan.file == file).map(|plan| plan.short)
}

/// A plan among several: what the tables call it, and its file.
struct Compared<'a> {
    short: String,
    file: &'a str,
}

/// The plans that are compared, in order.
fn compared(outcome: &AuditOutcome) -> Vec<Compared<'_>> {
    let mut plans: Vec<(&str, &str)> = Vec::new();
    for run in &outcome.runs {
        match &run.name {
            Some(file) if plans.iter().all(|(_, other)| other != file) => plans.push((run.belief, file)),
            _ => (),
        }
    }
    let alike = |plans: &[(&str, &str)], belief: &str| plans.iter().filter(|(other, _)| *other == belief).count();
    let places = plans.iter().enumerate();
    let name = |(place, &(belief, file))| {
        let number = alike(&plans[..=place], belief);
        let short = if alike(&plans, belief) == 1 { belief.to_owned() } else { format!("{belief} {number}") };
        Compared { short, file }
    };
    places.map(name).collect()
}

/// What the tables call each of several plans: a line for each, short name and file. A file's own name may be of any
/// length.
pub fn plans_key(outcome: &AuditOutcome) -> String {
    let plans = compared(outcome);
    let longest = plans.iter().map(|plan| plan.short.len()).max().unwrap_or(0);
    plans
        .iter()
        .map(|plan| format!("{:<width$}  {}\n", format!("{}:", plan.short), plan.file, width = longest + 1))
        .collect()
}

/// How a run tests, where the runs of a report do not all test by proof.
fn test_name(outcome: &AuditOutcome, run: &RunOutcome) -> Option<Test> {
    run.test.filter(|_| has_samples(outcome) && !run.rule.is_baseline())
}

fn has_samples(outcome: &AuditOutcome) -> bool {
    outcome.runs.iter().any(|run| run.test == Some(Test::Sampled))
}

fn is_outside(outcome: &AuditOutcome) -> bool {
    outcome.runs.iter().any(|run| run.outside_domain > 0.0)
}

fn has_run_out(outcome: &AuditOutcome) -> bool {
    outcome.runs.iter().any(|run| run.undecided_budget > 0.0)
}

/// What the columns of the runs mean.
pub fn legend(outcome: &AuditOutcome) -> String {
    let mut text = String::from("asked: average number of sensitive questions. ");
    if let Some(cost) = outcome.cost_all {
        text += &format!("cost: what they cost on average; all questions cost {cost:.2}. ");
    }
    text += "leakage: the share of all sensitive questions. ";
    if let Some(accuracy) = outcome.accuracy_all {
        text += &format!("accuracy: {} with all answers. ", percent(accuracy));
    }
    text += "flips: decisions that differ from those made with all answers; ";
    text += if has_samples(outcome) {
        "at delta 0 a certified test has none among people within the declared ranges, while a sampled test only finds \
         no counterexample: it proves nothing and may have some. "
    } else {
        "at delta 0 there are none among people within the declared ranges. "
    };
    if is_outside(outcome) {
        text += "outside: people with a value outside its declared range, for whom nothing is proved. ";
    }
    if has_run_out(outcome) {
        text += "out of budget: people for whom a test ended without a result, so more may have been asked than \
                 necessary; raise --budget or --deadline. ";
    }
    if outcome.runs.iter().any(|run| run.rule == Rule::Optimal) {
        text += "optimal: the fewest questions that prove the decision (delta 0), found by knowing all answers. ";
    }
    if outcome.runs.iter().any(|run| run.delta > 0.0) {
        text += "*: more flips than delta or the promise allows; the belief does not fit these people. ";
    }
    wrapped(text.trim_end(), WIDTH)
}

/// Flips, with a star if there are more than δ allows.
fn flips(run: &RunOutcome) -> String {
    let allowed = run.calibrated.as_ref().map_or(run.delta, |calibrated| calibrated.promised);
    let star = if run.delta > 0.0 && run.flips > allowed { " *" } else { "" };
    percent(run.flips) + star
}

/// One line for each class: the share of flips among people whom the model puts in that class.
pub fn classes_table(outcome: &AuditOutcome) -> String {
    by_run(outcome, "flips among", |run| {
        run.flips_by_class.iter().map(|(class, share)| (class.clone(), percent(*share))).collect()
    })
}

/// One line for each sensitive question: how often it is asked under each rule.
pub fn questions_table(outcome: &AuditOutcome) -> String {
    by_run(outcome, "how often asked", |run| {
        let mut asked: Vec<(String, f64)> = run.asked.iter().map(|(name, share)| (name.clone(), *share)).collect();
        asked.sort_by(|left, right| right.1.total_cmp(&left.1));
        asked.into_iter().map(|(name, share)| (name, percent(share))).collect()
    })
}

/// A column for each asking rule, in the order of the first one's rows; as many tables as it takes to stay narrow.
pub(super) fn by_run(
    outcome: &AuditOutcome,
    heading: &str,
    figures: impl Fn(&RunOutcome) -> Vec<(String, String)>,
) -> String {
    let runs: Vec<&RunOutcome> = outcome.runs.iter().filter(|run| !run.rule.is_baseline()).collect();
    let Some(first) = runs.first() else {
        return String::new();
    };
    let names: Vec<String> = figures(first).into_iter().map(|(name, _)| name).collect();
    if names.is_empty() {
        return String::new();
    }
    let longest = names.iter().map(String::as_str).chain([heading]).map(|name| name.chars().count()).max();
    let headings: Vec<String> = runs.iter().map(|run| run_heading(outcome, run)).collect();
    let mut tables = Vec::new();
    let mut start = 0;
    while start < runs.len() {
        let end = start + how_many_fit(&headings[start..], WIDTH.saturating_sub(longest.unwrap_or(0) + PADDING));
        let all: Vec<&str> = std::iter::once(heading).chain(headings[start..end].iter().map(String::as_str)).collect();
        let mut table = new_table(&all);
        let columns: Vec<BTreeMap<String, String>> =
            runs[start..end].iter().map(|run| figures(run).into_iter().collect()).collect();
        for name in &names {
            let cells = columns.iter().map(|column| Cell::new(&column[name]));
            table.add_row(std::iter::once(Cell::new(name)).chain(cells).collect::<Vec<Cell>>());
        }
        tables.push(finish(table));
        start = end;
    }
    tables.join("\n")
}

/// A run in two lines: its selector, then its delta and how it tests; in a third the belief, where there are several
/// plans.
///
/// Empty for a run alone, which has been named already.
fn run_heading(outcome: &AuditOutcome, run: &RunOutcome) -> String {
    if outcome.runs.len() == 1 {
        return String::new();
    }
    let mut heading = format!("{}\n{}", run.rule, delta(run));
    if let Some(test) = test_name(outcome, run) {
        heading += &format!(", {test}");
    }
    if let Some(belief) = belief(outcome, run) {
        heading += &format!("\n{belief}");
    }
    heading
}

/// One line for each run at δ > 0: promised against observed agreement. Empty without such runs.
pub fn calibration_table(outcome: &AuditOutcome) -> String {
    let is_one = outcome.runs.len() == 1;
    let headings = ["delta", "rule", "promised", "agree with all, %", "verdict", "probable only, %", "verdict"];
    let mut table = new_table(if is_one { &headings[2..] } else { &headings });
    let mut found = false;
    for run in &outcome.runs {
        let Some(calibration) = &run.calibration else {
            continue;
        };
        found = true;
        let name = if is_one { vec![] } else { vec![delta(run), rule(outcome, run)] };
        table.add_row(name.into_iter().chain([
            percent(calibration.promised),
            agreement(&calibration.everybody),
            calibration.everybody.verdict.to_string(),
            agreement(&calibration.probable),
            calibration.probable.verdict.to_string(),
        ]));
    }
    if !found {
        return String::new();
    }
    // Two spaces between columns would be too wide.
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    let legend = "agree with all: share of decisions that are the same with all answers, with its exact 95 % \
                  interval. probable only: among decisions that rest on a probability. broken: significantly fewer \
                  than promised; the belief does not fit these people, see mindrel calibrate.";
    finish(table) + "\n" + &wrapped(legend, WIDTH) + "\n"
}

fn agreement(agreement: &Agreement) -> String {
    observed(agreement.observed, agreement.lower, agreement.upper)
}

/// A share in percent with its interval: `98.5 (97.7–99.1)`.
fn observed(share: Option<f64>, lower: f64, upper: f64) -> String {
    match share {
        None => "no one".to_owned(),
        Some(share) => {
            let value = percent(share).replace(" %", "");
            format!("{value} ({:.1}–{:.1})", 100.0 * lower, 100.0 * upper)
        }
    }
}

/// One line for each group under calibrated rules: promised against observed flips. Empty without calibrated rules.
pub fn calibrated_table(outcome: &AuditOutcome) -> String {
    let mut table = new_table(&["calibrated", "delta", "people", "promised", "flips, %", "verdict"]);
    let mut found = false;
    for run in &outcome.runs {
        let Some(calibrated) = &run.calibrated else {
            continue;
        };
        found = true;
        let whose =
            |group: &str| belief(outcome, run).map_or_else(|| group.to_owned(), |belief| format!("{group}, {belief}"));
        let mut row = |name: &str, delta: String, flips: &FlipRate| {
            table.add_row(vec![
                whose(name),
                delta,
                grouped(flips.people as usize),
                format!("at most {}", short_percent(calibrated.promised)),
                observed(flips.observed, flips.lower, flips.upper),
                flips.verdict.to_string(),
            ]);
        };
        if let Some(by) = &calibrated.by {
            for group in &calibrated.groups {
                let name = match group.merged {
                    0 => group_name(by, group.level.as_deref()),
                    merged => format!("{merged} small groups"),
                };
                row(&name, group.delta.to_string(), &group.flips);
            }
        }
        row("everyone", delta(run), &calibrated.everybody);
    }
    if found { finish(table) } else { String::new() }
}

/// The thresholds of a calibration, one line for each group.
pub fn thresholds_table(calibration: &Calibration, schema: &Schema) -> String {
    let mut table = new_table(&["group", "people", "flips", "at most", "delta", "rests on"]);
    for group in &calibration.groups {
        let (flips, upper, basis) = match group.evidence {
            Evidence::Table { flips, upper } => {
                (grouped(flips as usize), format!("{:.2} %", 100.0 * upper), "these people")
            }
            Evidence::Proof => ("-".to_owned(), "-".to_owned(), "proofs"),
        };
        let people = group.people.map_or_else(|| format!("under {SMALLEST_GROUP}"), |count| grouped(count as usize));
        let name = threshold_name(calibration, group, schema);
        table.add_row(vec![name, people, flips, upper, group.delta.to_string(), basis.to_owned()]);
    }
    finish(table)
}

/// Whose threshold it is: `everyone`, `region north`.
pub fn threshold_name(calibration: &Calibration, group: &GroupThreshold, schema: &Schema) -> String {
    let Some(by) = &calibration.by else { return "everyone".to_owned() };
    group_name(by, group.level.as_deref().map(|level| level_words(schema, by, level)))
}

/// A group in words: `region north`.
fn group_name(by: &str, level: Option<&str>) -> String {
    match level.unwrap_or_default() {
        "" => format!("{by} missing"),
        level => format!("{by} {level}"),
    }
}

/// Spaces and rules around a column.
const PADDING: usize = 3;

/// How many columns with these headings fit into `width`; at least one.
fn how_many_fit(headings: &[String], width: usize) -> usize {
    let widths =
        headings.iter().map(|heading| heading.lines().map(|line| line.chars().count()).max().unwrap_or(0) + PADDING);
    let ends = widths.scan(0, |end, width| {
        *end += width;
        Some(*end)
    });
    ends.take_while(|end| *end <= width).count().max(1)
}
