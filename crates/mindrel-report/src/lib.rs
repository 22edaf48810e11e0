//! The report of an audit: one page of HTML for those who answer for a decision procedure, not only for those who built it.
//!
//! [`page`] makes text of what an audit found, of the plan it is about, and of what is said [`About`] the audit. It touches no file and no
//! clock: the same three always give the same bytes. The page asks for nothing from anywhere, follows the reader's theme, light or dark,
//! and prints. It shows counts and shares alone, no person's answers.
//!
//! ```
//! use mindrel::belief::GaussianBelief;
//! use mindrel::model::LinearModel;
//! use mindrel::schema::{Question, Target};
//! use mindrel::{People, Plan, Rules, Schema};
//! use mindrel_audit::{Cohort, Run, audit};
//! use mindrel_report::{About, page};
//!
//! let target = Target { name: "loan".into(), prompt: "Is the loan granted?".into(), classes: vec!["no".into(), "yes".into()] };
//! let schema = Schema::new(target, vec![Question::number("Job", -1.0, 1.0), Question::number("Income", -1.0, 1.0)])?;
//! let model = LinearModel::new(2, vec![1.0, 0.5], vec![0.0])?;
//! let plan = Plan::new(schema, model, GaussianBelief::new(vec![0.0; 2], vec![0.2, 0.0, 0.0, 0.2])?, Rules::default())?;
//!
//! let mut people = People::new(2);
//! people.push(&[-0.9, 0.2], None, 2);
//! people.push(&[0.1, 0.2], None, 3);
//! let runs = [Run::asking(&plan, *plan.rules())?];
//! let report = audit(&plan, &runs, [Ok::<_, std::convert::Infallible>(people)].into_iter(), |people| people.map(Cohort::from))?;
//!
//! let html = page(&report, &plan, &About { plan: "loan.plan".into(), ..About::default() });
//! assert!(html.contains("Decided from 1.5 of 2 sensitive questions on average"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A report is a list of [sections](section), each made in a file of its own by looking at the audit through a [`reading`].

mod about;
mod page;
mod parts;
mod reading;
mod section;
mod words;

pub use about::About;
pub use page::page;
