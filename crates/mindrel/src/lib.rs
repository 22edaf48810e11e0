//! Decide about a person with a trained classifier while asking for as little as possible.
//!
//! ```text
//! Schema ─┐
//! Model  ─┼─► Plan ──► Session ──► Decision + Certificate
//! Belief ─┘
//! ```
//!
//! A [`Schema`] says what can be asked; some of it is public, the rest sensitive. A [`model`] decides; a [`belief`]
//! says what the open answers probably are. Together with [`Rules`] they make a [`Plan`]. A [`Session`] under a plan
//! asks for one sensitive answer at a time and stops when the answers so far are a *core feature set* [TF23, Def. 1]:
//! no value of what is still unknown can change the decision (δ = 0, a proof), or only with probability at most δ.
//!
//! # Example
//!
//! The paper's example [TF23, §2]: a loan is granted when `1.0 Job − 0.5 Loc + 0.5 Inc ≥ 0`, with `Job` public.
//!
//! ```
//! use mindrel::belief::GaussianBelief;
//! use mindrel::rules::Guarantee;
//! use mindrel::model::LinearModel;
//! use mindrel::schema::{Answer, Question, Target};
//! use mindrel::session::{Answers, Next};
//! use mindrel::{Plan, Rules, Schema, Session, verify};
//!
//! let questions = vec![
//!     Question::number("Job", -1.0, 1.0).public(),
//!     Question::number("Loc", -1.0, 1.0),
//!     Question::number("Inc", -1.0, 1.0),
//! ];
//! let target = Target::new("loan", "Is the loan granted?", ["no", "yes"]);
//! let schema = Schema::new(target, questions)?;
//! let model = LinearModel::new(3, vec![1.0, -0.5, 0.5], vec![0.0])?;
//! let belief = GaussianBelief::new(vec![0.0; 3], vec![0.2, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.2])?;
//! let plan = Plan::new(schema, model, belief, Rules::default())?;
//!
//! let public = Answers::parse(&plan, [("Job", "-0.9")])?;
//! let mut session = Session::start(&plan, &public)?;
//! let Next::Ask { question, reason } = session.next() else { panic!("user B must be asked something") };
//! assert_eq!(plan.schema().question(question).name, "Loc");
//! println!("asked because {reason}");
//! session.answer(question, Answer::Number(1.0))?;
//!
//! let Next::Done(decision) = session.next() else { panic!("and that settles it") };
//! assert_eq!((plan.schema().class(decision.label), decision.guarantee), ("no", Guarantee::Proved));
//! let certificate = session.certificate().expect("a decision has a certificate");
//! assert!(verify::verify(&plan, &certificate).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! - [`schema`] — questions, answers, domains, encoding;
//! - [`model`] — classifiers;
//! - [`belief`] — what the open columns probably are;
//! - [`plan`], [`session`] — everything put together, and one person asked;
//! - [`rules`] — when to stop, how to choose questions, and what a decision rests on;
//! - [`core_test`], [`selector`] — may we stop, and what to ask next;
//! - [`inference`] — what follows about questions that were not asked;
//! - [`certificate`], [`proof`], [`verify`] — what a decision rests on, and checking it by other arithmetic;
//! - [`inspect`] — a plan as something to look at: what it asks, at most and typically, and what that rests on;
//! - [`optimal`] — the pure test on its own, and the smallest core set, the bound that leakage is measured against;
//! - [`math`] — numerics that know no people.
//!
//! # Sources
//!
//! - \[TF23\]: C. Tran, F. Fioretto, *Data Minimization at Inference Time*, NeurIPS 2023. `docs/paper-map.md` in the
//!   repository ties
//!   each of its items to code and tests.
//! - \[Zhang 2018\]: H. Zhang, T.-W. Weng, P.-Y. Chen, C.-J. Hsieh, L. Daniel, *Efficient Neural Network Robustness
//!   Certification with
//!   General Activation Functions* (CROWN), NeurIPS 2018.
//! - \[Singh 2019\]: G. Singh, T. Gehr, M. Püschel, M. Vechev, *An Abstract Domain for Certifying Neural Networks*
//!   (DeepPoly), POPL 2019.
//! - \[Shewchuk 1997\]: J. R. Shewchuk, *Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
//!   Predicates*.
//! - \[Genz 2004\]: A. Genz, *Numerical computation of rectangular bivariate and trivariate normal and t
//!   probabilities*.

pub mod belief;
pub mod certificate;
mod checked;
pub mod core_test;
pub mod inference;
pub mod inspect;
mod label;
pub mod math;
pub mod model;
pub mod optimal;
mod people;
pub mod plan;
pub mod proof;
mod questionnaire;
mod region;
pub mod rules;
pub mod schema;
pub mod selector;
pub mod session;
pub mod verify;

pub use certificate::Certificate;
pub use label::Label;
pub use people::{People, Person};
pub use plan::Plan;
pub use region::check_implications;
pub use rules::Rules;
pub use rules::Selector;
pub use schema::Schema;
pub use session::Session;
