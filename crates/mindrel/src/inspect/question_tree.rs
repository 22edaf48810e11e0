//! The first questions of a plan and where answers lead, found by real sessions.

use serde::{Deserialize, Serialize};

use super::number_ranges::{NumberGrid, number_ranges};
use super::path::{Asking, Standing};
use crate::plan::Plan;
use crate::rules::Guarantee;
use crate::schema::{Answer, AnswerError};
use crate::session::Answers;

/// Where a session stands after some answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "next", rename_all = "lowercase")]
pub enum QuestionNode {
    /// A question is asked.
    Ask {
        /// Its name.
        question: String,
        /// Why this one.
        reason: String,
        /// Where answers lead: ranges of a number, a few levels of a category.
        branches: Vec<Branch>,
        /// How many levels or ranges are not among them.
        other_levels: usize,
    },
    /// The decision is settled.
    Settled {
        /// The class.
        class: String,
        /// What it rests on.
        guarantee: Guarantee,
        /// After how many questions.
        asked: usize,
    },
    /// A question is asked, and it is not followed further.
    More {
        /// Its name.
        question: String,
    },
}

/// Some answers, and where they lead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Branch {
    /// A typical one of them, as a person would write it; further questions are those that follow it.
    pub answer: String,
    /// Of a number, all that lead to the same next question or the same decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<AnswerRange>,
    /// Where they lead.
    pub then: QuestionNode,
}

/// Numbers from one to another, which are among them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AnswerRange {
    /// The smallest.
    pub lower: f64,
    /// The largest.
    pub upper: f64,
    /// Whether no smaller number can be answered.
    pub from_first: bool,
    /// Whether no larger number can be answered.
    pub to_last: bool,
}

impl Branch {
    /// The answers in words: `good`, `up to 12`, `13 to 40`, `41 or more`.
    #[must_use]
    pub fn label(&self) -> String {
        let Some(AnswerRange { lower, upper, from_first, to_last }) = self.range else {
            return self.answer.clone();
        };
        match (from_first, to_last) {
            (true, true) => "any answer".to_owned(),
            _ if lower == upper => lower.to_string(),
            (true, false) => format!("up to {upper}"),
            (false, true) => format!("{lower} or more"),
            (false, false) => format!("{lower} to {upper}"),
        }
    }
}

/// The tree of the first `depth` questions.
///
/// A session cannot be copied, so each node starts one of its own: O(nodes · depth) steps.
pub(super) fn tree(plan: &Plan, public: &Answers, depth: usize) -> Result<QuestionNode, AnswerError> {
    follow(plan, public, &mut Vec::new(), depth)
}

fn follow(plan: &Plan, public: &Answers, given: &mut Vec<Answer>, depth: usize) -> Result<QuestionNode, AnswerError> {
    let mut asking = Asking::start(plan, public)?;
    for answer in given.iter() {
        asking.answer(answer.clone())?;
    }
    let schema = plan.schema();
    let (question, reason) = match asking.next() {
        Standing::Asked(question, reason) => (question, reason),
        Standing::Settled(decision) => {
            let class = schema.class(decision.label).to_owned();
            return Ok(QuestionNode::Settled { class, guarantee: decision.guarantee, asked: decision.n_revealed });
        }
    };
    let asked = schema.question(question);
    if given.len() == depth {
        return Ok(QuestionNode::More { question: asked.name.clone() });
    }
    let typical = asking.few_answers(question);
    let (answers, other_levels) = match NumberGrid::of(asked) {
        Some(grid) => {
            let (mut ranges, others) = number_ranges(plan, public, given, &grid, &typical.0)?;
            ranges.extend(typical.0.contains(&Answer::Missing).then_some((Answer::Missing, None)));
            (ranges, others)
        }
        None => (typical.0.into_iter().map(|answer| (answer, None)).collect(), typical.1),
    };
    let mut branches = Vec::with_capacity(answers.len());
    for (answer, range) in answers {
        let text = asked.show(&answer);
        given.push(answer);
        let then = follow(plan, public, given, depth)?;
        given.pop();
        branches.push(Branch { answer: text, range, then });
    }
    Ok(QuestionNode::Ask { question: asked.name.clone(), reason: reason.to_string(), branches, other_levels })
}
