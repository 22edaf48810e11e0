//! What was audited.

use mindrel::model::ProvedBy;
use mindrel::schema::Visibility;

use crate::PeopleTaken;
use crate::reading::Reading;
use crate::section::ReportSection;
use crate::words::{grouped, listed, rule, short_percent};

pub(super) fn section(reading: &Reading<'_>) -> ReportSection {
    let (about, plan) = (reading.about, reading.plan);
    let schema = plan.schema();
    let public: Vec<&str> = schema.ids_with(Visibility::Public).map(|id| schema.question(id).name.as_str()).collect();
    let sensitive: Vec<&str> = reading.questions().map(|question| question.name.as_str()).collect();
    let mut facts =
        vec![("plan", format!("{}, fingerprint {}", about.plan, reading.outcome.plan)), ("table", about.table.clone())];
    facts.extend(about.digest.iter().map(|digest| ("table’s SHA-256", digest.clone())));
    facts.push(("people", people(reading)));
    facts.push(("rule", chosen(reading)));
    facts.push(("classifier", model(reading)));
    facts.push(("belief", format!("{}, about answers not yet given", plan.belief().describe())));
    facts.extend(training(reading).map(|training| ("fitted on", training)));
    facts.push(("sensitive questions", format!("{}: {}", sensitive.len(), listed(&sensitive))));
    if !public.is_empty() {
        facts.push(("known beforehand", format!("{}: {}", public.len(), listed(&public))));
    }
    ReportSection::new("audited", "What was audited")
        .facts(facts)
        .text(
            "The plan was put to everybody in the table as if each were asked in person: one question at a time, answered truthfully from the table, \
             until the decision was settled. Then the decision was compared with the one the classifier makes from all answers.",
        )
}

fn people(reading: &Reading<'_>) -> String {
    let count = grouped(reading.outcome.people);
    let which = match (reading.about.held_out, reading.about.taken) {
        (true, PeopleTaken::Everyone) => "kept aside when the plan was fitted",
        (true, PeopleTaken::Sample) => "drawn at random from those kept aside when the plan was fitted",
        (true, PeopleTaken::First) => "the first of those kept aside when the plan was fitted",
        (false, PeopleTaken::Everyone) => "everybody in the table",
        (false, PeopleTaken::Sample) => "drawn at random from the table",
        (false, PeopleTaken::First) => "the first of the table",
    };
    let labels =
        if reading.outcome.accuracy_all.is_some() { "" } else { "; the table does not say which decisions are right" };
    format!("{count}, {which}{labels}")
}

fn chosen(reading: &Reading<'_>) -> String {
    let run = reading.chosen();
    let what = rule(run.rule);
    let stops = if run.rule.is_baseline() {
        String::new()
    } else if run.calibrated.is_some() {
        "; stops as its calibration allows".to_owned()
    } else if run.delta == 0.0 {
        "; stops when nothing unknown can change the decision".to_owned()
    } else {
        format!(
            "; stops when the decision is settled with a probability of at least {}",
            short_percent(1.0 - run.delta)
        )
    };
    format!("{}: {what}{stops}", reading.name(run))
}

fn model(reading: &Reading<'_>) -> String {
    let kind = if reading.plan.model().proved_by() == ProvedBy::Sums {
        "linear (each answer adds to a score)"
    } else {
        "neural network of rectified linear units"
    };
    let target = reading.plan.schema().target();
    let classes: Vec<String> = target.classes.iter().map(|class| format!("“{}”", target.words.of(class))).collect();
    format!("{kind}; decides between {}", listed(&classes))
}

fn training(reading: &Reading<'_>) -> Option<String> {
    let training = reading.plan.training()?;
    let aside = if training.holdout > 0.0 {
        format!(", with {} of the table kept aside", short_percent(training.holdout))
    } else {
        String::new()
    };
    let same = match &reading.about.digest {
        None => "",
        Some(digest) if *digest == training.table => " of the table audited",
        Some(_) => " of another table",
    };
    Some(format!("{} rows{same}{aside}", grouped(training.rows as u64)))
}
