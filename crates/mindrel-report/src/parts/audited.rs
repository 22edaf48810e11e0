//! What was audited.

use mindrel::model::Classifier;
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
    if !about.left_out.is_empty() {
        let reasons = about.left_out.iter().map(|(people, reason)| format!("{} because {reason}", grouped(*people)));
        facts.push(("left out", listed(&reasons.collect::<Vec<String>>())));
    }
    facts.push(("rule", chosen(reading)));
    facts.push(("classifier", model(reading)));
    facts.push(("belief about open answers", plan.belief().describe()));
    facts.extend(training(reading).map(|training| ("fitted on", training)));
    facts.push(("sensitive questions", format!("{}: {}", sensitive.len(), listed(&sensitive))));
    if !public.is_empty() {
        facts.push(("known beforehand", format!("{}: {}", public.len(), listed(&public))));
    }
    ReportSection::new("audited", "What was audited").facts(facts).text(
        "For each person in the table, a session was simulated: one question at a time, answered from the table, \
             until the decision was settled. The decision was then compared with the one that the classifier makes \
             from all answers.",
    )
}

fn people(reading: &Reading<'_>) -> String {
    let count = grouped(reading.outcome.people);
    let which = match (reading.about.held_out, reading.about.taken) {
        (true, PeopleTaken::Everyone) => "held out when the plan was fitted",
        (true, PeopleTaken::Sample) => "drawn at random from those held out when the plan was fitted",
        (true, PeopleTaken::First) => "the first of those held out when the plan was fitted",
        (false, PeopleTaken::Everyone) => "everyone in the table",
        (false, PeopleTaken::Sample) => "drawn at random from the table",
        (false, PeopleTaken::First) => "the first in the table",
    };
    let labels = if reading.outcome.accuracy_all.is_some() {
        ""
    } else {
        "; the table does not say which decisions are correct"
    };
    format!("{count}, {which}{labels}")
}

fn chosen(reading: &Reading<'_>) -> String {
    let run = reading.chosen();
    let what = rule(run.rule);
    let stops = if run.rule.is_baseline() {
        String::new()
    } else if run.calibrated.is_some() {
        "; stops at its calibrated threshold".to_owned()
    } else if run.delta == 0.0 {
        "; stops when no open answer can change the decision".to_owned()
    } else {
        format!("; stops when the decision is settled with probability {} or more", short_percent(1.0 - run.delta))
    };
    format!("{}: {what}{stops}", reading.name(run))
}

fn model(reading: &Reading<'_>) -> String {
    let kind = match reading.plan.model() {
        Classifier::Linear(_) => "linear model, in which each answer adds to a score".to_owned(),
        network @ Classifier::Network(_) => format!("neural network ({})", network.describe()),
        other => other.describe(),
    };
    let target = reading.plan.schema().target();
    let classes: Vec<String> = target.classes.iter().map(|class| format!("“{}”", target.words.of(class))).collect();
    format!("{kind}; decides between {}", listed(&classes))
}

fn training(reading: &Reading<'_>) -> Option<String> {
    let training = reading.plan.training()?;
    let aside = if training.holdout > 0.0 {
        format!(", with {} of the table held out", short_percent(training.holdout))
    } else {
        String::new()
    };
    let same = match &reading.about.digest {
        None => "",
        Some(digest) if *digest == training.table => " of the audited table",
        Some(_) => " of another table",
    };
    Some(format!("{} rows{same}{aside}", grouped(training.rows as u64)))
}
