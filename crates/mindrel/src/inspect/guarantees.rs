//! What decisions under a plan can rest on.

use serde::{Deserialize, Serialize};

use crate::model::ProvedBy;
use crate::plan::{Calibration, Evidence, Plan};

/// One thing that a decision can rest on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuaranteeFacts {
    /// Its name, as in certificates; `calibrated` for a promise about many people.
    pub name: String,
    /// Whether decisions under this plan can have it at all.
    pub available: bool,
    /// When a decision has it, or why none does.
    pub when: String,
    /// What it rests on.
    pub rests_on: String,
}

pub(super) fn guarantees(plan: &Plan) -> Vec<GuaranteeFacts> {
    vec![proved(plan), complete(), probable(plan), sampled(plan), calibrated(plan)]
}

fn facts(name: &str, available: bool, when: impl Into<String>, rests_on: impl Into<String>) -> GuaranteeFacts {
    GuaranteeFacts { name: name.to_owned(), available, when: when.into(), rests_on: rests_on.into() }
}

fn proved(plan: &Plan) -> GuaranteeFacts {
    let Some(how) = plan.model().proof_in_words() else {
        let when = "of a black box only scores are known, so that nothing can be certified";
        return facts("proved", false, when, "a model whose inside can be looked at");
    };
    let when = "no answer to the open questions changes the decision; delta 0 asks until then";
    facts("proved", true, when, format!("the domains declared in the schema{}, and {how}", rules_in_words(plan)))
}

/// What proofs take of the rules between questions.
fn rules_in_words(plan: &Plan) -> String {
    let schema = plan.schema();
    if schema.implications().is_empty() {
        return String::new();
    }
    let relaxed: Vec<&str> = plan.relaxed().iter().map(|&id| schema.question(id).name.as_str()).collect();
    let relaxed = if relaxed.is_empty() {
        String::new()
    } else {
        format!(
            " (too many rules join {} to go through every case: only what follows from one rule is used)",
            relaxed.join(", ")
        )
    };
    format!(", the rules between its questions{relaxed}")
}

fn complete() -> GuaranteeFacts {
    facts("complete", true, "every question was answered", "nothing else: the decision is the model's own")
}

fn probable(plan: &Plan) -> GuaranteeFacts {
    let belief = plan.belief().describe();
    let trained = plan.training().map_or(String::new(), |training| format!(", fitted on {} rows", training.rows));
    let estimated =
        if plan.model().proved_by() == ProvedBy::Sums { "" } else { "; the probability itself is estimated" };
    let when = "at delta above 0, the decision changes with probability at most delta";
    facts("probable", true, when, format!("the plan's belief ({belief}{trained}){estimated}"))
}

fn sampled(plan: &Plan) -> GuaranteeFacts {
    let is_searched = plan.model().proved_by() != ProvedBy::Sums;
    let when = if is_searched {
        "at delta 0 with the sampled test, no counterexample was found"
    } else {
        "a linear model's decisions are proved by a sum"
    };
    facts(
        "sampled",
        is_searched,
        when,
        "the search, the belief and luck; it is no proof, and a counterexample may exist",
    )
}

fn calibrated(plan: &Plan) -> GuaranteeFacts {
    let Some(calibration) = plan.calibration() else {
        let when = "the plan was not calibrated on people it was not fitted on";
        return facts("calibrated", false, when, "people drawn like those asked later, whatever the belief");
    };
    let Calibration { flips, confidence, by, groups, .. } = calibration;
    let each = by.as_ref().map_or(String::new(), |by| format!(", for every answer to {by}"));
    let when = format!(
        "by the calibrated rules, at most {flips} of decisions differ from the full model's, with confidence {confidence}{each}"
    );
    let proved = groups.iter().filter(|group| group.evidence == Evidence::Proof).count();
    let proofs = if proved == 0 { String::new() } else { format!("; {proved} of {} groups on proofs", groups.len()) };
    let people = calibration.people();
    facts(
        "calibrated",
        true,
        when,
        format!("{people} people drawn like those asked later, whatever the belief{proofs}"),
    )
}
