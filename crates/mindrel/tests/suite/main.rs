//! All integration tests of `mindrel`, in one binary so that they are linked once.

mod bayesian;
mod belief;
mod beliefs;
mod calibration;
mod certificates;
mod common;
mod compositions;
mod copula;
mod exact_test;
mod implications;
mod inspect;
mod laws;
mod modules;
mod network_certificates;
mod networks;
mod optimal;
mod paper;
mod selectors;
mod sessions;
mod trees;
