//! Decisions in plain words.

use mindrel::Session;
use mindrel::core_test::Guarantee;
use mindrel::session::{Decision, Outlook};

/// What a decision rests on, in words for the person it is about.
pub(crate) fn guarantee(session: &Session, decision: &Decision) -> String {
    match decision.guarantee {
        Guarantee::Complete => "Every question was answered, and this is what the model says.".to_owned(),
        Guarantee::Proved => {
            "This is proved: whatever the answers to the other questions are, within their stated ranges, the decision is the same.".to_owned()
        }
        Guarantee::Probable => format!(
            "The other answers would change this decision with a probability of at most {}, going by what is usual among people like you. It is an estimate, not a proof.",
            percent(session.plan().rules().delta)
        ),
        Guarantee::Sampled => format!(
            "None of {} imagined sets of other answers changed this decision. That makes a change unlikely; it is not a proof.",
            session.plan().rules().samples
        ),
    }
}

/// What an end without a decision means.
pub(crate) fn undecided(session: &Session, outlook: &Outlook) -> String {
    format!(
        "Nothing that could still be asked settles this. “{}” is likeliest, at {}; a person should look at it.",
        session.plan().schema().class(outlook.label),
        percent(outlook.probability)
    )
}

/// A share as a percentage; never rounded up to 100.
pub(crate) fn percent(share: f64) -> String {
    let tenths = (share * 1000.0).round() / 10.0;
    if share < 1.0 && tenths >= 100.0 { "more than 99.9 %".to_owned() } else { format!("{tenths} %") }
}
