//! What replies say again and again, written once.

use std::fmt;

use mindrel::Plan;
use mindrel::schema::Visibility;
use serde::Serialize;

use super::QuestionView;

/// A plan's texts as they stand in replies, in JSON.
pub(crate) struct Fragments {
    /// What the plan is called.
    pub plan: String,
    /// How many sensitive questions it has.
    pub n_questions: String,
    /// The names of all questions, in the order of the schema.
    pub names: Vec<String>,
    /// All questions as they are put.
    pub questions: Vec<String>,
    /// The names of the classes.
    pub classes: Vec<String>,
}

impl Fragments {
    pub fn new(name: &str, plan: &Plan) -> Self {
        let schema = plan.schema();
        Fragments {
            plan: json(name),
            n_questions: json(&schema.ids_with(Visibility::Sensitive).count()),
            names: schema.questions().iter().map(|question| json(&question.name)).collect(),
            questions: schema.questions().iter().map(|question| json(&QuestionView::new(question))).collect(),
            classes: schema.target().classes.iter().map(json).collect(),
        }
    }
}

impl fmt::Debug for Fragments {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Fragments").field("plan", &self.plan).finish_non_exhaustive()
    }
}

fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data with finite numbers")
}
