//! One session with answers nobody gave.

use serde::{Deserialize, Serialize};

use super::typical::{ColumnBelief, answer_at, few_answers};
use crate::Session;
use crate::inference::predictive;
use crate::plan::Plan;
use crate::region::{Asked, Region};
use crate::rules::Guarantee;
use crate::schema::{Answer, AnswerError, QuestionId, Visibility};
use crate::selector::Reason;
use crate::session::{Answers, Decision, Next};

/// What the average person is asked: everybody's expected answers, one after the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TypicalPerson {
    /// The questions, in order.
    pub steps: Vec<TypicalStep>,
    /// The class that is decided on.
    pub class: String,
    /// What that rests on.
    pub guarantee: Guarantee,
}

/// One question of the average person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TypicalStep {
    /// Its name.
    pub question: String,
    /// Why it is asked.
    pub reason: String,
    /// The expected answer, as a person would write it.
    pub answer: String,
}

/// A value that is known beforehand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublicValue {
    /// The name of its question.
    pub question: String,
    /// The value, as a person would write it.
    pub value: String,
    /// Whether it was given; else it is what is expected before anything is known.
    pub given: bool,
}

/// The public answers that were given, and the expected ones in place of the others.
pub(super) fn public_answers(plan: &Plan, given: &Answers) -> (Answers, Vec<PublicValue>) {
    let schema = plan.schema();
    let mut answers = given.clone();
    let mut values = Vec::new();
    for id in schema.ids_with(Visibility::Public) {
        let question = schema.question(id);
        let was_given = given.get(id).is_some();
        if !was_given {
            let mean: Vec<f64> = schema.columns(id).map(|column| plan.belief().marginal(column).0).collect();
            answers.insert(id, expected_public(plan, &answers, id, answer_at(question, &mean)));
        }
        let answer = answers.get(id).expect("it was given or put in");
        values.push(PublicValue { question: question.name.clone(), value: question.show(answer), given: was_given });
    }
    (answers, values)
}

/// An expected public answer, or one that breaks no rule with those before if that does.
fn expected_public(plan: &Plan, before: &Answers, id: QuestionId, expected: Answer) -> Answer {
    let (schema, questions) = (plan.schema(), &plan.prepared().questions);
    if questions.implications.is_empty() {
        return expected;
    }
    let all: Vec<Asked> = schema.ids().map(|id| Asked::new(schema, id)).collect();
    let mut region = Region::whole(schema.n_columns(), all.iter());
    let known = before.questions().filter_map(|known| Some((known, before.get(known)?)));
    for (known, answer) in known.chain([(id, &expected)]) {
        let mut columns = vec![0.0; schema.question(known).n_columns()];
        schema.question(known).encode(answer, &mut columns).expect("an answer to the question");
        let before = region.clone();
        region.set_point(schema.columns(known), &columns);
        if known == id && questions.implications.somebody(&region, &all).is_none() {
            region = before;
        }
    }
    let somebody = questions.implications.somebody(&region, &all);
    somebody.map_or(expected, |person| schema.question(id).decode(&person[schema.columns(id)]))
}

/// The path of the average person.
pub(super) fn typical_person(plan: &Plan, public: &Answers) -> Result<TypicalPerson, AnswerError> {
    let mut asking = Asking::start(plan, public)?;
    let mut steps = Vec::new();
    loop {
        match asking.next() {
            Standing::Asked(id, reason) => {
                let question = plan.schema().question(id);
                let answer = asking.expected_answer(id);
                let (name, text) = (question.name.clone(), question.show(&answer));
                steps.push(TypicalStep { question: name, reason: reason.to_string(), answer: text });
                asking.answer(answer)?;
            }
            Standing::Settled(decision) => {
                let class = plan.schema().class(decision.label).to_owned();
                return Ok(TypicalPerson { steps, class, guarantee: decision.guarantee });
            }
        }
    }
}

/// Where a session stands in which nothing is declined.
pub(super) enum Standing {
    Asked(QuestionId, Reason),
    Settled(Decision),
}

/// A session, and what the belief says of what it asks next.
pub(super) struct Asking {
    session: Session,
}

impl Asking {
    pub fn start(plan: &Plan, public: &Answers) -> Result<Self, AnswerError> {
        Ok(Asking { session: Session::start(plan, public)? })
    }

    pub fn next(&self) -> Standing {
        match self.session.next() {
            Next::Ask { question, reason } => Standing::Asked(question, reason),
            Next::Done(decision) => Standing::Settled(decision),
            Next::Undecided(_) => unreachable!("nothing is declined"),
        }
    }

    /// Answers the question that is being asked.
    pub fn answer(&mut self, answer: Answer) -> Result<(), AnswerError> {
        if let Next::Ask { question, .. } = self.session.next() {
            self.session.answer(question, answer)?;
        }
        Ok(())
    }

    /// The expected answer, or one that breaks no rule if that does.
    fn expected_answer(&self, id: QuestionId) -> Answer {
        let question = self.session.plan().schema().question(id);
        let expected = self.believe(id, |belief| answer_at(question, &belief.mean()));
        self.session.nearest_possible(id, expected)
    }

    /// A few typical answers that break no rule, and how many levels are not among them.
    pub fn few_answers(&self, id: QuestionId) -> (Vec<Answer>, usize) {
        let question = self.session.plan().schema().question(id);
        let (answers, others) = self.believe(id, |belief| few_answers(question, belief));
        let mut possible: Vec<Answer> = Vec::with_capacity(answers.len());
        for answer in answers {
            let answer = self.session.nearest_possible(id, answer);
            if !possible.contains(&answer) {
                possible.push(answer);
            }
        }
        (possible, others)
    }

    fn believe<T>(&self, id: QuestionId, look: impl FnOnce(&ColumnBelief<'_>) -> T) -> T {
        let plan = self.session.plan();
        let place = |id: QuestionId| plan.sensitive().iter().position(|other| *other == id);
        let place = |id| place(id).expect("only sensitive questions are asked");
        let implied = self.session.implied().map(|implied| implied.question);
        let known: Vec<usize> = self.session.revealed().chain(implied).map(place).collect();
        let predictive = predictive(plan, self.session.known_columns(), &known);
        look(&ColumnBelief { predictive: &predictive, columns: plan.prepared().questions.columns_of(place(id)) })
    }
}
