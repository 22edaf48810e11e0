//! All integration tests of `mindrel-audit`, in one binary so that they are linked once.

mod black_boxes;
mod calibration;
mod data_sets;
mod giveaway;
mod leakage_figures;
mod networks;
