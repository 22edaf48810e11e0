//! Answers already known, given with `--public`.

use anyhow::{Context, bail, ensure};
use mindrel::schema::Visibility;
use mindrel::session::Answers;
use mindrel::{Plan, Session};

/// The public answers in `name=value,name=value`; a question not named there stays unanswered.
pub fn given_public(plan: &Plan, pieces: &[String]) -> anyhow::Result<Answers> {
    let pairs = public_pairs(pieces)?;
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    check_public_names(plan, &pairs)?;
    let answers = Answers::parse(plan, pairs).context("--public")?;
    for id in answers.questions() {
        plan.schema().question(id).admit(answers.get(id).expect("it is among the answers")).context("--public")?;
    }
    Session::check_public(plan, &answers).context("--public")?;
    Ok(answers)
}

/// Names and values from `name=value,name=value`; a piece without `=` belongs to the value before it, comma and all.
fn public_pairs(pieces: &[String]) -> anyhow::Result<Vec<(String, String)>> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for piece in pieces {
        match (piece.split_once('='), pairs.last_mut()) {
            (Some((name, value)), _) => pairs.push((name.trim().to_owned(), value.trim().to_owned())),
            (None, Some((_, value))) => *value = format!("{value},{piece}"),
            (None, None) => bail!("--public expects name=value pairs separated by commas"),
        }
    }
    Ok(pairs)
}

/// Refuses names of sensitive questions and names given twice.
fn check_public_names(plan: &Plan, pairs: &[(&str, &str)]) -> anyhow::Result<()> {
    let is_sensitive = |id| plan.schema().question(id).visibility == Visibility::Sensitive;
    for (place, (name, _)) in pairs.iter().enumerate() {
        ensure!(
            !plan.schema().find(name).is_some_and(is_sensitive),
            "--public: `{name}` is sensitive and is asked only when needed; leave it out"
        );
        ensure!(
            pairs[..place].iter().all(|(earlier, _)| earlier != name),
            "--public: `{name}` is given twice; give it once"
        );
    }
    Ok(())
}
