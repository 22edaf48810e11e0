//! The same words everywhere.

use mindrel::Schema;
use mindrel::certificate::Promise;
use mindrel::core_test::Guarantee;
use mindrel::schema::QuestionId;
use mindrel::session::{Decision, Outlook, Session};

/// A probability or share as a percentage with one decimal; never rounded up to 100, nor down to none.
pub fn percent(share: f64) -> String {
    let tenths = (share * 1000.0).round() / 10.0;
    if share < 1.0 && tenths >= 100.0 {
        ">99.9 %".to_owned()
    } else if share > 0.0 && tenths == 0.0 {
        "<0.1 %".to_owned()
    } else {
        format!("{tenths:.1} %")
    }
}

/// A share as it was asked for, with no more digits than it has: 1 %, 0.25 %.
pub fn short_percent(share: f64) -> String {
    format!("{} %", (share * 1e6).round() / 1e4)
}

/// What a calibrated plan promises, in a sentence.
pub fn promise(promise: &Promise) -> String {
    let (flips, confidence) = (short_percent(promise.flips), short_percent(promise.confidence));
    let people = grouped(promise.people as usize);
    let (whose, of_them) = match &promise.group {
        None => (String::new(), String::new()),
        Some(group) => (
            format!(" with the same {}", group.question),
            format!(", {} of them with the same {}", grouped(group.people as usize), group.question),
        ),
    };
    let how = if promise.proved { " Here it rests on a proof of every decision." } else { "" };
    format!(
        "Among people like those it was calibrated on{whose}, at most {flips} of decisions differ from the full model's, \
         with {confidence} confidence; {people} people{of_them}.{how}"
    )
}

/// A whole number with its thousands set apart: 100,000.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8_lossy(&groups.join(&b',')).into_owned()
}

/// How the decision looks: `good is likely, 71.2 %  ▓▓▓▓▓▓▓░░░`; among many classes the likeliest need not be likely.
pub fn outlook(session: &Session) -> String {
    let Outlook { label, probability } = session.outlook();
    let filled = (probability * 10.0 + 1e-9).floor().clamp(0.0, 10.0) as usize;
    let bar = "▓".repeat(filled) + &"░".repeat(10 - filled);
    let how = if probability >= 0.5 { "likely" } else { "likeliest" };
    format!("{} is {how}, {}  {bar}", session.plan().schema().class(label), percent(probability))
}

/// How a decision ended, and why it may be relied on.
pub fn decision(session: &Session, decision: &Decision) -> String {
    let schema = session.plan().schema();
    let of_questions = format!("after {} of {} questions", decision.n_revealed, session.plan().sensitive().len());
    let how = match decision.guarantee {
        Guarantee::Complete => "decided with every question answered".to_owned(),
        Guarantee::Proved => format!("proved {of_questions}: no answer to the others can change it"),
        Guarantee::Sampled => {
            let samples = grouped(session.plan().rules().samples);
            format!(
                "settled {of_questions}: none of {samples} draws from the plan's belief changed it; sampled, not proved"
            )
        }
        Guarantee::Probable => {
            let probability = percent(session.outlook().probability);
            format!("settled with probability {probability} under the plan's belief, {of_questions}")
        }
    };
    format!("{} — {how}.", schema.class(decision.label))
}

/// The names of some questions in a row.
pub fn names(schema: &Schema, questions: impl Iterator<Item = QuestionId>) -> String {
    let names: Vec<&str> = questions.map(|id| schema.question(id).name.as_str()).collect();
    names.join(", ")
}
