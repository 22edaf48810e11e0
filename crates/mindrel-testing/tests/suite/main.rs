//! Tests of the repository as a whole: what its documents say, and what its types are called.

mod documents;
mod names;
