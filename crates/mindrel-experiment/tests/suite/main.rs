//! All integration tests of `mindrel-experiment`, in one binary so that they are linked once.

mod claims;
mod common;
mod features;
mod frontier;
mod report;
mod running;
