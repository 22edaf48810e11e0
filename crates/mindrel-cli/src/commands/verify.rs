//! `mindrel verify`: check a certificate.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use mindrel::core_test::Guarantee;
use mindrel::proof::Proof;
use mindrel::verify::{VerifyError, verify};
use mindrel_io::certificate_file;

use super::plans;
use crate::terminal::output::say_line;
use crate::terminal::words::{grouped, percent, promise};

/// Check a decision's certificate against the plan it was made under.
///
/// The proof of a linear model is checked in rational numbers, without any rounding; that of a network part by part, with
/// every rounding outwards; a probability by the direct formula or with more draws; and the plan is put to work again to
/// see that it asks the same questions and stops at the same place. Samples are drawn again, which proves nothing. That a
/// test ran out of budget or time, so that one more question was asked, is taken at the certificate's word.
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
        let plan = plans::read(&self.plan)?;
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
                    percent(1.0 - certificate.rules.delta)
                )
            }
            (Guarantee::Sampled, _) => {
                let samples = grouped(certificate.rules.samples);
                format!("sampled, not proved: none of {samples} draws from the plan's belief changes it")
            }
            _ => format!("proved{}: no answer to the open questions can change it", parts(certificate.proof.as_ref())),
        };
        say_line(&format!(
            "{name}: holds. {label}, {how}; {} of {n_questions} questions were revealed.",
            verified.n_revealed
        ))?;
        if let Some(stated) = &certificate.calibration {
            say_line(&promise(stated))?;
        }
        if !verified.out_of_budget.is_empty() {
            say_line(
                "A test is said to have run out of budget or time on the way; that no proof was found then is not checked.",
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Of how many parts a proof about a network is: ` in 37 parts`.
fn parts(proof: Option<&Proof>) -> String {
    match proof.map(|proof| proof.parts.len()) {
        None => String::new(),
        Some(1) => " in 1 part".to_owned(),
        Some(n_parts) => format!(" in {} parts", grouped(n_parts)),
    }
}
