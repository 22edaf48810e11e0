//! Core tests: may we stop asking?
//!
//! A set of revealed questions is a *core feature set* [TF23, Def. 1] when nothing that is still unknown can change the
//! label (δ = 0, a proof), or only with probability at most δ.

pub(crate) mod certified;
pub(crate) mod counterexamples;
pub(crate) mod enough_draws;
pub(crate) mod exact_margins;
pub(crate) mod joined_questions;
pub(crate) mod labelled_draws;
pub(crate) mod linear_tables;
pub(crate) mod narrowed_margins;
pub(crate) mod pairs;
pub(crate) mod prediction;
pub(crate) mod probable;
pub(crate) mod sampled;
pub(crate) mod score_belief;
pub(crate) mod search_tables;
pub(crate) mod tried;

pub use crate::rules::{Budget, Clock, Deadline, Estimate, Guarantee, Test, TimeLimit, UnknownName};
