//! `mindrel verify`: check a certificate.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use mindrel::core_test::Guarantee;
use mindrel::verify::{VerifyError, verify};
use mindrel_io::{certificate_file, plan_file};

use crate::terminal::output::say_line;
use crate::terminal::words::percent;

/// Check a decision's certificate against the plan it was made under.
///
/// A proof is checked in rational numbers, without any rounding; a probability by the direct formula; and the plan is
/// put to work again to see that it asks the same questions and stops at the same place.
///
/// Exit code 0: the certificate holds. 1: it does not. 2: it cannot be checked.
#[derive(Debug, Args)]
pub struct Verify {
    /// Plan file.
    plan: PathBuf,
    /// Certificate file, as written by `mindrel ask --certificate`.
    certificate: PathBuf,
}

impl Verify {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let plan = plan_file::read(&self.plan)?;
        let certificate = certificate_file::read(&self.certificate)?;
        let name = self.certificate.display().to_string();
        let verified = match verify(&plan, &certificate) {
            Ok(verified) => verified,
            Err(VerifyError::Refuted(refutation)) => {
                say_line(&format!("{name}: does NOT hold: {refutation}."))?;
                return Ok(ExitCode::FAILURE);
            }
            Err(error) => return Err(error).context(name),
        };
        let label = plan.schema().class(verified.label);
        let n_questions = plan.sensitive().len();
        let how = match (verified.guarantee, verified.probability) {
            (Guarantee::Complete, _) => "every question was answered".to_owned(),
            (Guarantee::Probable, Some(probability)) => {
                format!(
                    "probability {} (at least {} was asked for)",
                    percent(probability),
                    percent(1.0 - certificate.delta)
                )
            }
            _ => "proved: no answer to the open questions can change it".to_owned(),
        };
        say_line(&format!(
            "{name}: holds. {label}, {how}; {} of {n_questions} questions were revealed.",
            verified.n_revealed
        ))?;
        Ok(ExitCode::SUCCESS)
    }
}
