//! The sections of a file, and what its first one says.

use std::collections::HashMap;

use serde_json::Value;

use crate::ReadError;
use crate::pipeline::{Category, ProbabilityLink};

/// More columns or classes than a table has.
const MOST: usize = 1_000_000;

/// Lines of `key=value`, up to an empty one; its name is that of its first line.
#[derive(Debug)]
pub(super) struct Section<'a> {
    pub name: String,
    values: HashMap<&'a str, &'a str>,
}

impl<'a> Section<'a> {
    pub fn damaged(&self, what: impl Into<String>) -> ReadError {
        ReadError::damaged(&self.name, what)
    }

    pub fn find(&self, key: &str) -> Option<&'a str> {
        self.values.get(key).copied()
    }

    pub fn get(&self, key: &str) -> Result<&'a str, ReadError> {
        self.find(key).ok_or_else(|| self.damaged(format!("`{key}` is missing")))
    }

    pub fn number<T: std::str::FromStr>(&self, key: &str) -> Result<T, ReadError> {
        self.get(key)?.trim().parse().map_err(|_| self.damaged(format!("`{key}` is not a number")))
    }

    /// Numbers with blanks in between.
    pub fn list<T: std::str::FromStr>(&self, key: &str) -> Result<Vec<T>, ReadError> {
        let numbers = self.get(key)?.split_ascii_whitespace().map(str::parse);
        numbers.collect::<Result<_, _>>().map_err(|_| self.damaged(format!("`{key}` is not a list of numbers")))
    }
}

/// The head of the file and its trees; the end of the trees must be there.
pub(super) fn sections(text: &str) -> Result<Vec<Section<'_>>, ReadError> {
    let mut sections = vec![Section { name: "the first lines".to_owned(), values: HashMap::new() }];
    for line in text.lines() {
        let line = line.trim_end();
        if line == "end of trees" {
            return Ok(sections);
        }
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        if key == "Tree" {
            sections.push(Section { name: format!("tree {value}"), values: HashMap::new() });
        } else if !key.is_empty() {
            sections.last_mut().expect("there is a first").values.insert(key, value);
        }
    }
    Err(ReadError::damaged("the end of the file", "`end of trees` is missing"))
}

/// The first lines of the file, and what follows the trees about categories.
pub(super) struct LightGbmHeader {
    pub n_outputs: usize,
    /// The names of the columns, unless they were made up by LightGBM.
    pub names: Option<Vec<String>>,
    /// Whether outputs are divided by the number of trees.
    pub average: bool,
    /// How a score becomes a probability, with two classes.
    pub probability: Option<ProbabilityLink>,
    /// The whole numbers that are the levels of each column; `None` for a column that is not a category.
    codes: Vec<Option<Vec<f64>>>,
    /// The levels of those that pandas held as categories.
    pandas: HashMap<usize, Vec<Category>>,
}

impl LightGbmHeader {
    pub fn read(first: &Section<'_>, text: &str) -> Result<Self, ReadError> {
        let n_features = first.number::<usize>("max_feature_idx")?.saturating_add(1);
        let n_outputs: usize = first.number("num_tree_per_iteration")?;
        let infos: Vec<&str> = first.get("feature_infos")?.split_ascii_whitespace().collect();
        let names: Vec<String> = first.get("feature_names")?.split_ascii_whitespace().map(str::to_owned).collect();
        if n_features > MOST || infos.len() != n_features || names.len() != n_features {
            return Err(first.damaged("there is not one name and one description for each column"));
        }
        check_objective(first, n_outputs)?;
        let made_up = names.iter().enumerate().all(|(place, name)| *name == format!("Column_{place}"));
        let codes: Vec<Option<Vec<f64>>> = infos.iter().map(|info| listed_codes(info)).collect();
        Ok(LightGbmHeader {
            n_outputs,
            names: (!made_up).then_some(names),
            average: first.find("average_output").is_some(),
            probability: probability(first),
            pandas: pandas_categories(text, &codes)?,
            codes,
        })
    }

    pub fn n_features(&self) -> usize {
        self.codes.len()
    }

    pub fn pandas_levels(&self, place: usize) -> Option<&[Category]> {
        self.pandas.get(&place).map(Vec::as_slice)
    }

    pub fn codes(&self, place: usize) -> Option<&[f64]> {
        self.codes[place].as_deref()
    }
}

/// `binary sigmoid:1`.
fn probability(first: &Section<'_>) -> Option<ProbabilityLink> {
    let mut words = first.find("objective")?.split_ascii_whitespace();
    words.next().filter(|name| *name == "binary")?;
    let slope = words.find_map(|word| word.strip_prefix("sigmoid:")?.parse().ok()).unwrap_or(1.0);
    Some(ProbabilityLink::Logistic { slope })
}

fn check_objective(first: &Section<'_>, n_outputs: usize) -> Result<(), ReadError> {
    let objective = first.find("objective").unwrap_or("none").split_ascii_whitespace().next().unwrap_or("none");
    let fits = match objective {
        "binary" => n_outputs == 1,
        "multiclass" | "multiclassova" => (3..=MOST).contains(&n_outputs),
        other => {
            let remedy = "train a classifier: binary, multiclass or multiclassova";
            return Err(ReadError::unsupported(&first.name, format!("the objective \"{other}\""), remedy));
        }
    };
    if fits { Ok(()) } else { Err(first.damaged("the number of trees in a round is not that of the objective")) }
}

/// `0:2:1` for a category, `[0.5:3]` for a number, `none` for a column that is not used.
fn listed_codes(info: &str) -> Option<Vec<f64>> {
    if info.starts_with('[') || info == "none" {
        return None;
    }
    let mut codes: Vec<f64> =
        info.split(':').filter_map(|code| code.parse().ok()).filter(|code| *code >= 0.0).collect();
    codes.sort_by(f64::total_cmp);
    Some(codes)
}

/// The levels of pandas' categories, in one line of JSON at the end, in the order of the columns that have them.
fn pandas_categories(text: &str, codes: &[Option<Vec<f64>>]) -> Result<HashMap<usize, Vec<Category>>, ReadError> {
    let damaged = || ReadError::damaged("pandas_categorical", "it is not a list of levels for each category");
    let Some(line) = text.lines().rev().find_map(|line| line.strip_prefix("pandas_categorical:")) else {
        return Ok(HashMap::new());
    };
    let lists: Option<Vec<Vec<Value>>> = serde_json::from_str(line.trim()).map_err(|_| damaged())?;
    let lists = lists.unwrap_or_default();
    if lists.is_empty() {
        return Ok(HashMap::new());
    }
    let named = text.lines().rev().find_map(|line| line.strip_prefix("[categorical_feature: ")?.strip_suffix(']'));
    let named = named.map(|list| list.split(',').filter_map(|place| place.trim().parse().ok()).collect::<Vec<usize>>());
    let described = || (0..codes.len()).filter(|place| codes[*place].is_some()).collect();
    let mut places = named.filter(|places| places.len() == lists.len()).unwrap_or_else(described);
    places.sort_unstable();
    if places.len() != lists.len() || places.iter().any(|place| *place >= codes.len()) {
        return Err(damaged());
    }
    Ok(places.into_iter().zip(lists.into_iter().map(|levels| levels.iter().map(category).collect())).collect())
}

fn category(level: &Value) -> Category {
    match level {
        Value::String(text) => Category::Text(text.clone()),
        Value::Bool(value) => Category::Boolean(*value),
        other => Category::Number(other.as_f64().unwrap_or(f64::NAN)),
    }
}
