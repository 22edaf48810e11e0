//! All integration tests of `mindrel-serve`, in one binary so that they are linked once.

mod any_body;
mod api;
mod browser;
mod common;
mod implied;
mod ledger;
mod outside;
mod server;
mod words;
mod workers;
