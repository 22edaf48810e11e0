//! Tree ensembles and black boxes.

mod model;
