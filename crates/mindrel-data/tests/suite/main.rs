//! All integration tests of `mindrel-data`, in one binary so that they are linked once.

mod archives;
mod common;
mod fetch;
mod sources;
