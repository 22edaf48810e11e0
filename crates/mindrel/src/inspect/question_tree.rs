//! The first questions of a plan and where typical answers lead, found by real sessions.

use serde::{Deserialize, Serialize};

use super::path::{Asking, shown};
use crate::plan::Plan;
use crate::rules::Guarantee;
use crate::schema::{Answer, AnswerError};
use crate::session::{Answers, Next};

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
        /// Where a few typical answers lead.
        branches: Vec<Branch>,
        /// How many levels of a category are not among them.
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

/// One answer, and where it leads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Branch {
    /// The answer, as a person would write it.
    pub answer: String,
    /// Where it leads.
    pub then: QuestionNode,
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
        Next::Ask { question, reason } => (question, reason),
        Next::Done(decision) => {
            let class = schema.class(decision.label).to_owned();
            return Ok(QuestionNode::Settled { class, guarantee: decision.guarantee, asked: decision.n_revealed });
        }
        Next::Undecided(_) => unreachable!("nothing was declined"),
    };
    let asked = schema.question(question);
    if given.len() == depth {
        return Ok(QuestionNode::More { question: asked.name.clone() });
    }
    let (answers, other_levels) = asking.few_answers(question);
    let mut branches = Vec::with_capacity(answers.len());
    for answer in answers {
        let text = shown(asked, &answer);
        given.push(answer);
        let then = follow(plan, public, given, depth)?;
        given.pop();
        branches.push(Branch { answer: text, then });
    }
    Ok(QuestionNode::Ask { question: asked.name.clone(), reason: reason.to_string(), branches, other_levels })
}
