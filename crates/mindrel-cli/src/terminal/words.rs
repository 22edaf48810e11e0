//! Phrases that several commands share.

use mindrel::certificate::Promise;
use mindrel::core_test::Guarantee;
use mindrel::model::ProvedBy;
use mindrel::schema::QuestionId;
use mindrel::session::{Decision, ImpliedAnswer, Outlook, Session};
use mindrel::{Plan, Schema};

/// A share as a percentage with one decimal, never rounded up to 100 % or down to 0 %.
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

/// A share as the user gave it, without trailing digits: 1 %, 0.25 %.
pub fn short_percent(share: f64) -> String {
    format!("{} %", (share * 1e6).round() / 1e4)
}

/// The promise of a calibrated plan as a sentence.
pub fn promise(promise: &Promise) -> String {
    let (flips, confidence) = (short_percent(promise.flips), short_percent(promise.confidence));
    let people = grouped(promise.people as usize);
    let (whose, of_them) = match &promise.group {
        None => (String::new(), String::new()),
        Some(group) => (
            format!(" with the same {}", group.question),
            match group.people {
                Some(count) => format!(", {} of them with the same {}", grouped(count as usize), group.question),
                None => String::new(),
            },
        ),
    };
    let how = if promise.proved { " Here every decision is proved." } else { "" };
    format!(
        "Among people like those the plan was calibrated on{whose}, at most {flips} of decisions differ from those \
         made with all answers, with {confidence} confidence. Calibrated on {people} people{of_them}.{how}"
    )
}

/// A whole number with thousands separators: 100,000.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8_lossy(&groups.join(&b',')).into_owned()
}

/// How the decision looks so far: `“good” is likely, 71.2 %  ▓▓▓▓▓▓▓░░░`.
///
/// Among many classes the most likely one need not be likely.
pub fn outlook(session: &Session) -> String {
    let Outlook { label, probability } = session.outlook();
    let filled = (probability * 10.0 + 1e-9).floor().clamp(0.0, 10.0) as usize;
    let bar = "▓".repeat(filled) + &"░".repeat(10 - filled);
    let how = if probability >= 0.5 { "likely" } else { "the most likely" };
    format!("{} is {how}, {}  {bar}", quoted(session.plan().schema().class_words(label)), percent(probability))
}

/// A class or level as it stands in a sentence.
pub fn quoted(name: &str) -> String {
    format!("“{name}”")
}

/// The decision, and on a second line what it rests on.
pub fn decision(session: &Session, decision: &Decision) -> String {
    let class = quoted(session.plan().schema().class_words(decision.label));
    let of_questions = format!("after {} of {} questions", decision.n_revealed, session.plan().sensitive().len());
    match decision.guarantee {
        Guarantee::Complete if session.implied().next().is_some() => {
            format!("Decision: {class}, with every question answered or known without asking.")
        }
        Guarantee::Complete => format!("Decision: {class}, with every question answered."),
        Guarantee::Proved => {
            format!("Decision: {class}, proved {of_questions}.\nNo answer to the other questions can change it.")
        }
        Guarantee::Sampled => {
            let found_nothing = no_counterexample(session.plan(), session.plan().rules().samples);
            format!("Decision: {class} {of_questions}.\nNot proved: {found_nothing}.")
        }
        Guarantee::Probable => {
            let probability = percent(session.outlook().probability);
            format!(
                "Decision: {class} {of_questions}.\nWith probability {probability} the other answers would not \
                 change it, judging by the training data."
            )
        }
    }
}

/// What a decision at delta 0 rests on that is not proved.
pub fn no_counterexample(plan: &Plan, samples: usize) -> String {
    let samples = grouped(samples);
    if plan.model().proved_by() == ProvedBy::Nothing {
        format!("no counterexample found in a search of the other answers and up to {samples} random draws of them")
    } else {
        format!("no counterexample found among {samples} random draws of the other answers")
    }
}

/// An answer that follows from others, with the words that people are shown: `Days since: -1 (follows from “Outcome”)`.
pub fn implied(schema: &Schema, implied: &ImpliedAnswer) -> String {
    let question = schema.question(implied.question);
    let colon = if question.prompt.ends_with(['?', ':', '.']) { "" } else { ":" };
    let premises: Vec<String> = implied.follows_from.iter().map(|&id| quoted(&schema.question(id).prompt)).collect();
    let follows =
        if premises.is_empty() { String::new() } else { format!(" (follows from {})", premises.join(" and ")) };
    format!("{}{colon} {}{follows}", question.prompt, question.show(&implied.answer))
}

/// The names of some questions, separated by commas.
pub fn names(schema: &Schema, questions: impl Iterator<Item = QuestionId>) -> String {
    let names: Vec<&str> = questions.map(|id| schema.question(id).name.as_str()).collect();
    names.join(", ")
}
