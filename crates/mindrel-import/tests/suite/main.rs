//! All integration tests of `mindrel-import`, in one binary so that they are linked once.

mod common;
mod composed;
mod fixtures;
mod hostile;
mod lowering;
mod missing;
