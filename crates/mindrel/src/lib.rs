//! Decide about a person with a trained classifier while asking for as little as possible.
pub mod belief;
pub mod certificate;
pub mod core_test;
mod label;
pub mod math;
pub mod model;
pub mod optimal;
mod people;
pub mod plan;
pub mod schema;
pub mod selector;
pub mod session;
pub mod verify;

pub use certificate::Certificate;
pub use label::Label;
pub use people::{People, Person};
pub use plan::{Plan, Rules};
pub use schema::Schema;
pub use selector::Selector;
pub use session::Session;
