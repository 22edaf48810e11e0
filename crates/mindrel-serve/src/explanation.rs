//! Decisions explained in plain words.

use mindrel::Session;
use mindrel::core_test::Guarantee;
use mindrel::session::{Decision, ImpliedAnswer, Outlook};

/// A decision's guarantee, explained to the person it is about.
pub(crate) fn guarantee(session: &Session, decision: &Decision) -> String {
    match decision.guarantee {
        Guarantee::Complete if session.implied().next().is_some() => {
            "You answered every question, or its answer follows from your others, so nothing is left open.".to_owned()
        }
        Guarantee::Complete => "You answered every question, so nothing is left open.".to_owned(),
        Guarantee::Proved if goes_by_rules(session) => {
            "This is proved: the decision would be the same whatever your answers to the other questions, within \
             their stated ranges and as far as they can go together."
                .to_owned()
        }
        Guarantee::Proved => {
            "This is proved: the decision would be the same whatever your answers to the other questions, within \
             their stated ranges."
                .to_owned()
        }
        Guarantee::Probable => format!(
            "Your other answers would change this decision with an estimated probability of at most {}, judging by \
             people with similar answers. This is not a proof.",
            percent(session.plan().rules().delta)
        ),
        Guarantee::Sampled => format!(
            "No counterexample was found: we tried up to {} sets of other answers, and the decision was the same for \
             all of them. This is not a proof; other answers may still change it.",
            session.plan().rules().samples
        ),
    }
}

/// Whether what is proved is about people whose answers go together by the plan's rules between questions.
fn goes_by_rules(session: &Session) -> bool {
    !session.plan().schema().implications().is_empty() && !session.breaks_rules()
}

/// An end without a decision, explained.
pub(crate) fn undecided(session: &Session, outlook: &Outlook) -> String {
    format!(
        "No further question can settle this. “{}” is most likely ({}), but a person should look at it.",
        session.plan().schema().class_words(outlook.label),
        percent(outlook.probability)
    )
}

/// What an implied answer follows from, as people know it: follows from “Outcome” and “Loan”. Empty if nothing in
/// particular.
pub(crate) fn follows_from(session: &Session, implied: &ImpliedAnswer) -> String {
    let schema = session.plan().schema();
    let prompts: Vec<&str> = implied.follows_from.iter().map(|&id| schema.question(id).prompt.as_str()).collect();
    if prompts.is_empty() { String::new() } else { format!("follows from {}", quoted_list(prompts)) }
}

/// Some texts in a sentence: “one”, “two” and “three”.
pub(crate) fn quoted_list(texts: Vec<&str>) -> String {
    let mut quoted: Vec<String> = texts.into_iter().map(|text| format!("“{text}”")).collect();
    match (quoted.pop(), quoted.is_empty()) {
        (Some(last), false) => format!("{} and {last}", quoted.join(", ")),
        (last, _) => last.unwrap_or_default(),
    }
}

/// A share as a percentage, never rounded up to 100 %.
pub(crate) fn percent(share: f64) -> String {
    let tenths = (share * 1000.0).round() / 10.0;
    if share < 1.0 && tenths >= 100.0 { "more than 99.9 %".to_owned() } else { format!("{tenths} %") }
}
