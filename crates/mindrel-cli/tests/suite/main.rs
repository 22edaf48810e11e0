//! All integration tests of `mindrel-cli`, in one binary so that they are linked once.

mod ask;
mod audit;
mod bad_input;
mod beliefs;
mod burden;
mod calibrate;
mod common;
mod conventions;
mod conversation;
mod data;
mod demo;
mod experiment;
mod found_rules;
mod frontier;
mod implied;
mod import;
mod inspect;
mod interrupt;
mod network;
mod report;
mod serve;
mod tables;
mod terminal;
mod verify;
mod words;
mod workflow;
