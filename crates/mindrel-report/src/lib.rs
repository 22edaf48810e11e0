//! The report of an audit: one HTML page for the people who answer for a decision procedure, not only for those who
//! built it.
//!
//! [`page`] makes it from the outcome of an audit, its plan, and the [`ReportFacts`]. It uses no file and no clock,
//! so the same input always gives the same bytes. The page loads nothing, follows the reader's light or dark theme,
//! and can be printed. It shows counts and shares only, never a person's answers.
//!
//! ```
//! use mindrel::belief::GaussianBelief;
//! use mindrel::model::LinearModel;
//! use mindrel::schema::{Question, Target};
//! use mindrel::{People, Plan, Rules, Schema};
//! use mindrel_audit::{Run, audit};
//! use mindrel_report::{ReportFacts, page};
//!
//! let target = Target::new("loan", "Is it granted?", ["no", "yes"]);
//! let questions = vec![Question::number("Job", -1.0, 1.0), Question::number("Income", -1.0, 1.0)];
//! let model = LinearModel::new(2, vec![1.0, 0.5], vec![0.0])?;
//! let belief = GaussianBelief::new(vec![0.0; 2], vec![0.2, 0.0, 0.0, 0.2])?;
//! let plan = Plan::new(Schema::new(target, questions)?, model, belief, Rules::default())?;
//!
//! let mut people = People::new(2);
//! people.push(2).copy_from_slice(&[-0.9, 0.2]);
//! people.push(3).copy_from_slice(&[0.1, 0.2]);
//! let runs = [Run::asking(&plan, *plan.rules())?];
//! let blocks = [Ok::<_, std::convert::Infallible>(people)].into_iter();
//! let report = audit(&plan, &runs, blocks, Ok)?;
//!
//! let html = page(&report, &plan, &ReportFacts { plan: "loan.plan".into(), ..ReportFacts::default() });
//! assert!(html.contains("Decided from 1.5 of 2 sensitive questions on average"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`figures`] are its charts alone, and [`question_tree`] draws the first questions of a plan.
//!
//! A report is a list of sections. Each is written by a file of `parts`, from a `reading` of the audit.

mod facts;
mod parts;
mod question_tree;
mod reading;
mod report_page;
mod section;
mod words;

pub use facts::{PeopleTaken, ReportFacts};
pub use question_tree::{other_answers, public_line, question_tree};
pub use report_page::{ReportFindings, figures, findings, page};
