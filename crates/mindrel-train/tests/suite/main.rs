//! All integration tests of `mindrel-train`, in one binary so that they are linked once.

mod bayes;
mod common;
mod copula;
mod logistic;
mod matches_scikit_learn;
mod mlp;
mod moments;
