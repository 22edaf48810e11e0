//! The paper's evaluation [TF23, App. D]: every figure and table, our rule next to the paper's.

mod cell;
mod design;
mod measure;
mod prepare;
mod runner;
mod store;

pub use cell::{Cell, Setting, Time};
pub use design::{DELTAS, DESIGNS, Design, Family, Kind, Sizes};
pub use measure::{MeasureError, Repetition, measure};
pub use prepare::{Prepared, RECIPES, Recipe};
pub use runner::{Measured, Progress, RunError, Settings, run};
pub use store::{Key, Store, StoreError};
