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
use crate::terminal::words::{grouped, percent, promise, quoted};

/// Check the certificate of a decision against its plan.
///
/// Proofs are checked by different arithmetic from the one that found them: for a linear model in exact rational
/// numbers, for networks and trees part by part with outward rounding. A probability is recomputed by the direct
/// formula or with more draws. The session is replayed to see that the plan asks the same questions and stops at the
/// same point. A sampled decision is sampled again, which proves nothing. If the certificate says that a test ran out
/// of budget or time, so that another question was asked, this is not checked.
///
/// Exit code 0: the certificate is valid. 1: it is not. 2: it cannot be checked.
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
                say_line(&format!("{name}: NOT valid: {refutation}."))?;
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
                    "probability {} (at least {} required)",
                    percent(probability),
                    percent(1.0 - certificate.rules.delta)
                )
            }
            (Guarantee::Sampled, _) => {
                let samples = grouped(certificate.rules.samples);
                format!("sampled, not proved: none of {samples} random draws of the other answers changes it")
            }
            _ => format!("proved{}: no answer to the open questions can change it", parts(certificate.proof.as_ref())),
        };
        say_line(&format!(
            "{name}: valid. Decision: {}, {how}; {} of {n_questions} questions were answered.",
            quoted(label),
            verified.n_revealed
        ))?;
        if let Some(stated) = &certificate.calibration {
            say_line(&promise(stated))?;
        }
        if !verified.out_of_budget.is_empty() {
            say_line("The certificate says that a test ran out of budget or time; this is not checked.")?;
        }
        Ok(ExitCode::SUCCESS)
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
