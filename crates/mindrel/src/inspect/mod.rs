//! A description of a plan, before anyone is asked anything.
//!
//! It says what can be asked, what decisions rest on, what the average person is asked, the most a person can be
//! asked, and where typical answers to the first questions lead. None of its answers was given by a person: they are
//! what the belief expects, or public values given for the purpose.
//!
//! # Example
//!
//! ```
//! use mindrel::belief::GaussianBelief;
//! use mindrel::inspect::{AskedOf, Inspection};
//! use mindrel::model::LinearModel;
//! use mindrel::schema::{Question, Target};
//! use mindrel::session::Answers;
//! use mindrel::{Plan, Rules, Schema};
//!
//! let questions = vec![Question::number("income", 0.0, 90.0), Question::boolean("smoker")];
//! let target = Target::new("loan", "Granted?", ["no", "yes"]);
//! let model = LinearModel::new(2, vec![1.0, 0.0], vec![0.2])?;
//! let belief = GaussianBelief::new(vec![0.0; 2], vec![0.2, 0.0, 0.0, 0.9])?;
//! let plan = Plan::new(Schema::new(target, questions)?, model, belief, Rules::default())?;
//!
//! let inspection = Inspection::of(&plan, &Answers::new(), 3)?;
//! assert_eq!((inspection.most_asked.at_most, inspection.most_asked.is_exact()), (1, true));
//! assert_eq!(inspection.typical_person.steps[0].question, "income");
//! let smoker = inspection.questions[1].need.expect("it is sensitive");
//! assert!(smoker.never_matters && smoker.asked_of == AskedOf::Nobody);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod guarantees;
mod number_ranges;
mod path;
mod question_tree;
mod typical;
mod worst_case;

pub use guarantees::GuaranteeFacts;
pub use path::{PublicValue, TypicalPerson, TypicalStep};
pub use question_tree::{AnswerRange, Branch, QuestionNode};
pub use worst_case::{AskedOf, Basis, MostAsked, Need};

use serde::{Deserialize, Serialize};

use crate::model::{Classifier, Model};
use crate::plan::{Calibration, Plan, Training};
use crate::rules::Rules;
use crate::schema::{AnswerError, Question, Target};
use crate::session::Answers;

/// All there is to see of a plan under its rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    /// The fingerprint of the plan.
    pub plan: String,
    /// What is decided.
    pub target: Target,
    /// The rules it is looked at under.
    pub rules: Rules,
    /// What can be asked.
    pub questions: Vec<QuestionFacts>,
    /// The classifier.
    pub model: ModelFacts,
    /// What is believed of the open columns.
    pub belief: BeliefFacts,
    /// What decisions can rest on.
    pub guarantees: Vec<GuaranteeFacts>,
    /// What it was trained on, if it was trained here.
    pub training: Option<Training>,
    /// How loosely it may stop, if that was calibrated.
    pub calibration: Option<Calibration>,
    /// The public values that the average person and the tree have.
    pub public: Vec<PublicValue>,
    /// What the average person is asked.
    pub typical_person: TypicalPerson,
    /// The most questions a person is asked, whatever the public values.
    pub most_asked: MostAsked,
    /// The first questions.
    pub tree: QuestionNode,
}

/// A question, and what is known of it for all people together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuestionFacts {
    /// The question.
    #[serde(flatten)]
    pub question: Question,
    /// How many columns it has.
    pub columns: usize,
    /// Whether it is needed; `None` for public ones.
    pub need: Option<Need>,
}

/// The size of a classifier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFacts {
    /// `linear`, `network`, `trees` or `black-box`.
    pub family: String,
    /// What it is, in a few words.
    pub description: String,
    /// How many columns it reads.
    pub columns: usize,
    /// How many weights and intercepts it has.
    pub parameters: usize,
}

/// The kind of a belief.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BeliefFacts {
    /// Its name.
    pub kind: String,
    /// What it is, in a few words.
    pub description: String,
}

impl Inspection {
    /// Looks at a plan. Public values that are not given are the expected ones; the tree has `depth` questions on a
    /// path, at most.
    ///
    /// # Errors
    /// When a public value does not fit its question, or belongs to one that is not public.
    pub fn of(plan: &Plan, public: &Answers, depth: usize) -> Result<Self, AnswerError> {
        let (public, values) = path::public_answers(plan, public);
        let typical_person = path::typical_person(plan, &public)?;
        let tree = question_tree::tree(plan, &public, depth)?;
        let (most_asked, needs) = worst_case::worst_case(plan);
        Ok(Inspection {
            plan: plan.fingerprint().to_string(),
            target: plan.schema().target().clone(),
            rules: *plan.rules(),
            questions: question_facts(plan, &needs),
            model: model_facts(plan.model()),
            belief: BeliefFacts { kind: plan.belief().name().to_owned(), description: plan.belief().describe() },
            guarantees: guarantees::guarantees(plan),
            training: plan.training().cloned(),
            calibration: plan.calibration().cloned(),
            public: values,
            typical_person,
            most_asked,
            tree,
        })
    }
}

fn question_facts(plan: &Plan, needs: &[Need]) -> Vec<QuestionFacts> {
    let schema = plan.schema();
    let facts = |id| {
        let place = plan.sensitive().iter().position(|other| *other == id);
        let question = schema.question(id);
        QuestionFacts {
            question: question.clone(),
            columns: question.n_columns(),
            need: place.map(|place| needs[place]),
        }
    };
    schema.ids().map(facts).collect()
}

fn model_facts(model: &Classifier) -> ModelFacts {
    ModelFacts {
        family: model.family().to_owned(),
        description: model.describe(),
        columns: model.n_columns(),
        parameters: model.n_parameters(),
    }
}
