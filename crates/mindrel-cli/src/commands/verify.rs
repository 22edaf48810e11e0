//! `mindrel verify`: check a certificate.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use mindrel::Plan;
use mindrel::certificate::{Certificate, Promise, StepOutOfTime};
use mindrel::core_test::Guarantee;
use mindrel::proof::Proof;
use mindrel::verify::{Verified, VerifyError, verify};
use mindrel_io::certificate_file;
use mindrel_io::output::Readers;
use serde::Serialize;

use super::json_output::JsonArguments;
use super::plans;
use super::tables::WritingArguments;
use crate::exit_code::ExitCode;
use crate::terminal::output::say_line;
use crate::terminal::words::{grouped, no_counterexample, percent, promise, quoted};

/// Check the certificate of a decision against its plan.
///
/// Proofs are checked by different arithmetic from the one that found them: for a linear model in exact rational
/// numbers, for networks and trees part by part with outward rounding. A probability is recomputed by the direct
/// formula or with more draws. The session is replayed to see that the plan asks the same questions and stops at the
/// same point. If no counterexample was found, the search is repeated, which proves nothing. If the certificate says
/// that a test ran out of budget or time, so that another question was asked, this is not checked.
///
/// Exit code 0: the certificate is valid. 1: it is not. 2: it cannot be checked.
#[derive(Debug, Args)]
pub struct Verify {
    /// Plan file.
    plan: PathBuf,
    /// Certificate file, as written by `mindrel ask --certificate`.
    certificate: PathBuf,
    #[command(flatten)]
    json: JsonArguments,
    #[command(flatten)]
    writing: WritingArguments,
}

/// What became of a certificate, for `--json`.
#[derive(Serialize)]
struct VerifyResult<'a> {
    plan: String,
    valid: bool,
    /// Why it is not valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(flatten)]
    decision: Option<VerifiedDecision<'a>>,
}

#[derive(Serialize)]
struct VerifiedDecision<'a> {
    class: &'a str,
    /// What people are shown for it.
    label: &'a str,
    guarantee: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    answered: usize,
    questions: usize,
    out_of_budget: &'a [usize],
    out_of_time: &'a [StepOutOfTime],
    #[serde(skip_serializing_if = "Option::is_none")]
    promise: Option<&'a Promise>,
}

impl Verify {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        self.json.check(&self.writing, &[&self.plan, &self.certificate])?;
        let plan = plans::read(&self.plan)?;
        let certificate = certificate_file::read(&self.certificate)?;
        let name = self.certificate.display().to_string();
        let fingerprint = plan.fingerprint().to_string();
        let verified = match verify(&plan, &certificate) {
            Ok(verified) => verified,
            Err(VerifyError::Refuted(refutation)) => {
                let problem = Some(refutation.to_string());
                let result = VerifyResult { plan: fingerprint, valid: false, problem, decision: None };
                self.json.write(&result, Readers::Owner)?;
                self.say(&format!("{name}: NOT valid: {refutation}."))?;
                return Ok(ExitCode::FAILURE);
            }
            Err(error) => return Err(error).context(name),
        };
        let decision = Some(VerifiedDecision::new(&plan, &certificate, &verified));
        self.json.write(&VerifyResult { plan: fingerprint, valid: true, problem: None, decision }, Readers::Owner)?;
        self.describe(&plan, &certificate, &verified)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Says something, unless the JSON takes its place.
    fn say(&self, text: &str) -> anyhow::Result<()> {
        if self.json.replaces_text() { Ok(()) } else { say_line(text) }
    }

    fn describe(&self, plan: &Plan, certificate: &Certificate, verified: &Verified) -> anyhow::Result<()> {
        let name = self.certificate.display();
        let label = plan.schema().class_words(verified.label);
        let n_questions = plan.sensitive().len();
        let how = match (verified.guarantee, verified.probability) {
            (Guarantee::Complete, _) => "every question was answered".to_owned(),
            (Guarantee::Probable, Some(probability)) => {
                format!(
                    "probability {} (at least {} required)",
                    percent(probability),
                    percent(1.0 - certificate.rules.delta)
                )
            }
            (Guarantee::Sampled, _) => {
                format!("not proved: {}", no_counterexample(plan, certificate.rules.samples))
            }
            _ => format!("proved{}: no answer to the open questions can change it", parts(certificate.proof.as_ref())),
        };
        self.say(&format!(
            "{name}: valid. Decision: {}, {how}; {} of {n_questions} questions were answered.",
            quoted(label),
            verified.n_revealed
        ))?;
        if let Some(stated) = &certificate.calibration {
            self.say(&promise(stated))?;
        }
        for late in &verified.out_of_time {
            let (after, asked) = (late.after, quoted(&late.asked));
            self.say(&format!(
                "The certificate says that after {after} answers time ran out and {asked} was asked; this is not checked."
            ))?;
        }
        Ok(())
    }
}

impl<'a> VerifiedDecision<'a> {
    fn new(plan: &'a Plan, certificate: &'a Certificate, verified: &'a Verified) -> Self {
        VerifiedDecision {
            class: plan.schema().class(verified.label),
            label: plan.schema().class_words(verified.label),
            guarantee: verified.guarantee.name(),
            probability: verified.probability,
            answered: verified.n_revealed,
            questions: plan.sensitive().len(),
            out_of_budget: &verified.out_of_budget,
            out_of_time: &verified.out_of_time,
            promise: certificate.calibration.as_ref(),
        }
    }
}

/// How many parts a proof has: ` in 37 parts`.
fn parts(proof: Option<&Proof>) -> String {
    match proof.map(|proof| proof.parts.len()) {
        None => String::new(),
        Some(1) => " in 1 part".to_owned(),
        Some(n_parts) => format!(" in {} parts", grouped(n_parts)),
    }
}
