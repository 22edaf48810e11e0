//! Features: what scalers and encoders make of one raw column.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A function of one input, step after step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// The input, by its place.
    pub input: usize,
    /// What is done to it, in order.
    #[serde(default)]
    pub steps: Vec<FeatureStep>,
}

impl Feature {
    /// Whether it tells a missing value from all others.
    #[must_use]
    pub fn tells_missing(&self) -> bool {
        self.steps.contains(&FeatureStep::Missing)
    }

    /// Whether a missing value is still missing after all steps.
    #[must_use]
    pub fn leaves_missing(&self) -> bool {
        !self.steps.iter().any(|step| {
            matches!(step, FeatureStep::Impute { .. } | FeatureStep::Missing | FeatureStep::Indicator { .. })
        })
    }
}

/// What is done to a value. Where `single` is set, the result is rounded to single precision, as the library does.
///
/// All steps on numbers but [`Staircase`](FeatureStep::Staircase) are monotone, and all but that and
/// [`Clip`](FeatureStep::Clip) are affine up to rounding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "lowercase", deny_unknown_fields)]
pub enum FeatureStep {
    /// Rounded to single precision.
    Single,
    /// `x + value`.
    Add {
        /// What is added.
        value: f64,
        /// Whether in single precision.
        #[serde(default)]
        single: bool,
    },
    /// `x · value`.
    Multiply {
        /// The factor.
        value: f64,
        /// Whether in single precision.
        #[serde(default)]
        single: bool,
    },
    /// `x / value`.
    Divide {
        /// The divisor.
        value: f64,
        /// Whether in single precision.
        #[serde(default)]
        single: bool,
    },
    /// Brought between two bounds.
    Clip {
        /// The least.
        lower: f64,
        /// The most.
        upper: f64,
    },
    /// Replaces a missing value; everything else passes unchanged.
    Impute {
        /// The stand-in.
        value: f64,
    },
    /// 1 for a missing value, 0 for all others.
    Missing,
    /// 1 for one level, 0 for all others.
    Indicator {
        /// The level.
        of: Category,
    },
    /// The place of a level among those of the input; `unknown` for one that is not there.
    Code {
        /// The code of levels the model never saw; `None` if it refuses them.
        #[serde(default)]
        unknown: Option<f64>,
    },
    /// The hash of a level's text, as CatBoost has it: the last 32 bits of CityHash64.
    Hash {
        /// Those that splits ask for, by which a boolean is told from the texts that stood for it.
        listed: Vec<u32>,
    },
    /// A number for each level of a category; `None` is a missing value.
    Map {
        /// The levels.
        of: Vec<Category>,
        /// What each becomes.
        values: Vec<Option<f64>>,
        /// What any other level becomes.
        #[serde(default)]
        others: Option<f64>,
        /// Whether other levels are refused.
        #[serde(default)]
        refuses: bool,
    },
    /// One of some numbers, by where a number lies: `values[i]` if it is at most `cuts[i]` and more than those before.
    ///
    /// In front of trees, any function of one column is as good as the staircase that changes wherever a split does. It
    /// is a feature's first step but for the replacement of missing values.
    Staircase {
        /// Where it changes, in ascending order.
        cuts: Vec<f64>,
        /// What it is in between; one more than there are cuts.
        values: Vec<f64>,
    },
}

/// A level as a model knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Category {
    /// No or yes.
    Boolean(bool),
    /// Texts.
    Text(String),
    /// Numbers, compared as numbers.
    Number(f64),
}

/// The name of the level in a schema; empty for a missing one.
impl fmt::Display for Category {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Category::Boolean(value) => formatter.write_str(if *value { "yes" } else { "no" }),
            Category::Text(text) => formatter.write_str(text),
            Category::Number(number) if number.is_nan() => Ok(()),
            Category::Number(number) => write!(formatter, "{number}"),
        }
    }
}

/// The levels a model knows of a category.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// The levels, in the model's order.
    pub known: Vec<Category>,
    /// Whether the model accepts other levels too; if not, a table with other levels is refused.
    pub others: bool,
}
