//! A model as `save_model(format="json")` writes it.

use serde_json::Value;

use super::ensemble::{CatBoostColumn, CatBoostModel, CatBoostSplit, node, oblivious, refuse_statistics};
use crate::ReadError;
use crate::model_field::ModelField;
use crate::pipeline::{Pipeline, RawNode, RawTree};

/// Reads a model in JSON.
///
/// # Errors
/// When the file is damaged, or holds something that is not supported.
pub fn read_json(bytes: &[u8]) -> Result<Pipeline, ReadError> {
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        ReadError::damaged(place, if error.is_eof() { "the file ends here" } else { "this is no JSON" })
    })?;
    let root = ModelField::root(&value);
    let features = JsonFeatures::read(&root.get("features_info")?)?;
    let info = root.get("model_info")?;
    let (scale, bias) = scale_and_bias(&root)?;
    let n_outputs = n_outputs(&root, bias.len())?;
    let trees = match root.find("oblivious_trees") {
        Some(trees) => {
            trees.items()?.iter().map(|tree| features.oblivious(tree, n_outputs)).collect::<Result<Vec<_>, _>>()?
        }
        None => {
            let trees = root.get("trees")?.items()?;
            trees.iter().map(|tree| features.tree(tree, n_outputs)).collect::<Result<Vec<_>, _>>()?
        }
    };
    let model = CatBoostModel {
        columns: features.columns,
        trees,
        n_outputs,
        scale,
        bias,
        classes: classes(info.find("class_params").as_ref().map(|field| field.value)),
        loss: loss(info.get("params")?.value),
        probability: info.find("binclass_probability_threshold").and_then(|field| as_number(field.value)),
    };
    model.into_pipeline()
}

/// The names of the classes, in order.
pub(super) fn classes(parameters: Option<&Value>) -> Option<Vec<String>> {
    let names = parameters?.get("class_names")?.as_array().filter(|names| names.len() > 1)?;
    let name = |name: &Value| match name {
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 && whole.abs() < 1e15 => format!("{whole}"),
            _ => number.to_string(),
        },
        other => other.to_string(),
    };
    Some(names.iter().map(name).collect())
}

/// The name of the loss that the model was trained with.
pub(super) fn loss(parameters: &Value) -> String {
    let kind = parameters.get("loss_function").and_then(|loss| loss.get("type")).and_then(Value::as_str);
    kind.unwrap_or_default().to_owned()
}

/// A number, perhaps written as a text.
pub(super) fn as_number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn scale_and_bias(root: &ModelField<'_>) -> Result<(f64, Vec<f64>), ReadError> {
    let Some(field) = root.find("scale_and_bias") else { return Ok((1.0, vec![0.0])) };
    let [scale, bias] = &field.items()?[..] else { return Err(field.damaged("it is not a scale and a bias")) };
    let number = |field: &ModelField<'_>| field.value.as_f64().ok_or_else(|| field.damaged("it is no number"));
    let biases = match bias.value {
        Value::Array(_) => bias.items()?.iter().map(number).collect::<Result<Vec<f64>, _>>()?,
        _ => vec![number(bias)?],
    };
    Ok((number(scale)?, if biases.is_empty() { vec![0.0] } else { biases }))
}

/// How many outputs there are: as many as a leaf has numbers.
fn n_outputs(root: &ModelField<'_>, n_biases: usize) -> Result<usize, ReadError> {
    if let Some(trees) = root.find("oblivious_trees") {
        let trees = trees.items()?;
        let first = trees.first().ok_or_else(|| root.damaged("it has no trees"))?;
        let n_splits = first.find("splits").map_or(Ok(0), |splits| splits.items().map(|splits| splits.len()))?;
        let n_values = first.get("leaf_values")?.items()?.len();
        return match u32::try_from(n_splits).ok().and_then(|n_splits| n_values.checked_shr(n_splits)) {
            Some(n_outputs) if n_outputs > 0 => Ok(n_outputs),
            _ => Err(first.damaged("it has fewer leaves than its splits make")),
        };
    }
    Ok(n_biases.max(1))
}

/// The columns, by kind and the order of their kind.
struct JsonFeatures {
    columns: Vec<CatBoostColumn>,
    floats: Vec<usize>,
    categories: Vec<usize>,
}

impl JsonFeatures {
    fn read(info: &ModelField<'_>) -> Result<Self, ReadError> {
        let mut read = JsonFeatures { columns: Vec::new(), floats: Vec::new(), categories: Vec::new() };
        for (kind, is_category) in [("float_features", false), ("categorical_features", true)] {
            for field in info.find(kind).map_or(Ok(Vec::new()), |list| list.items())? {
                let index = field.get("feature_index")?.count()?;
                let places = if is_category { &mut read.categories } else { &mut read.floats };
                if index != places.len() {
                    return Err(field.damaged("the columns are not in their order"));
                }
                places.push(read.columns.len());
                read.columns.push(CatBoostColumn {
                    place: field.get("flat_feature_index")?.count()?,
                    name: field.find("feature_id").and_then(|name| name.value.as_str()).unwrap_or_default().to_owned(),
                    is_category,
                    missing_is_above: field.find("nan_value_treatment").is_some_and(|kind| kind.value == "AsTrue"),
                });
            }
        }
        for kind in ["text_features", "embedding_features"] {
            if let Some(list) = info.find(kind).filter(|list| list.items().is_ok_and(|list| !list.is_empty())) {
                let what = "a column of texts or embeddings";
                return Err(ReadError::unsupported(&list.place, what, "train on numbers and categories"));
            }
        }
        Ok(read)
    }

    fn split(&self, field: &ModelField<'_>) -> Result<CatBoostSplit, ReadError> {
        let place = |places: &[usize], name: &str| {
            let index = field.get(name)?.count()?;
            places.get(index).copied().ok_or_else(|| field.damaged("it looks at a column that is not there"))
        };
        match field.get("split_type")?.text()? {
            "FloatFeature" => {
                let border =
                    field.get("border")?.value.as_f64().ok_or_else(|| field.damaged("its border is no number"))?;
                Ok(CatBoostSplit::Above {
                    column: place(&self.floats, "float_feature_index")?,
                    border: f64::from(border as f32),
                })
            }
            "OneHotFeature" => {
                let value =
                    field.get("value")?.value.as_i64().ok_or_else(|| field.damaged("its value is no number"))?;
                // The hash's bits, written as a number with a sign.
                Ok(CatBoostSplit::Is { column: place(&self.categories, "cat_feature_index")?, level: value as u32 })
            }
            "OnlineCtr" => Err(refuse_statistics(&field.place)),
            other => {
                let what = format!("a split of the kind \"{other}\"");
                Err(ReadError::unsupported(&field.place, what, "train on numbers and categories"))
            }
        }
    }

    fn oblivious(&self, tree: &ModelField<'_>, n_outputs: usize) -> Result<RawTree, ReadError> {
        let splits = tree.find("splits").filter(|splits| !splits.value.is_null());
        let splits = splits.map_or(Ok(Vec::new()), |splits| splits.items())?;
        let splits = splits.iter().map(|split| self.split(split)).collect::<Result<Vec<_>, _>>()?;
        let leaves = numbers(&tree.get("leaf_values")?)?;
        oblivious(&self.columns, &splits, &leaves, n_outputs)
            .ok_or_else(|| tree.damaged("its leaves are not as many as its splits make"))
    }

    /// A tree whose branches ask different things, which nest.
    fn tree(&self, root: &ModelField<'_>, n_outputs: usize) -> Result<RawTree, ReadError> {
        let mut nodes = Vec::new();
        // A child that is still to be made, and the place in its parent that is to point to it.
        let mut waiting: Vec<(ModelField<'_>, Option<(usize, bool)>)> = vec![(root.clone(), None)];
        while let Some((field, parent)) = waiting.pop() {
            let here = nodes.len();
            if let Some((parent, is_yes)) = parent {
                point(&mut nodes[parent], is_yes, here);
            }
            match field.find("split") {
                None => nodes.push(RawNode::Leaf(leaf(&field.get("value")?, n_outputs)?)),
                Some(split) => {
                    let made = node(&self.columns, self.split(&split)?, usize::MAX, 0);
                    nodes.push(made.ok_or_else(|| split.damaged("it looks at a column of another kind"))?);
                    waiting.push((field.get("right")?, Some((here, true))));
                    waiting.push((field.get("left")?, Some((here, false))));
                }
            }
        }
        Ok(RawTree { class: None, nodes })
    }
}

/// Sets the child of a node for those for whom its split holds, or for the others, which `usize::MAX` marks until then.
fn point(parent: &mut RawNode, is_yes: bool, child: usize) {
    if let RawNode::Split { condition, left, right, .. } = parent {
        let yes_is_left = matches!(condition, crate::pipeline::RawCondition::OneOf(_));
        *(if is_yes == yes_is_left { left } else { right }) = child;
    }
}

fn leaf(field: &ModelField<'_>, n_outputs: usize) -> Result<Vec<f64>, ReadError> {
    let values = if field.value.is_array() { numbers(field)? } else { field.value.as_f64().into_iter().collect() };
    let fits = values.len() == n_outputs && values.iter().all(|value| value.is_finite());
    if fits { Ok(values) } else { Err(field.damaged("its values are not one for each class")) }
}

fn numbers(field: &ModelField<'_>) -> Result<Vec<f64>, ReadError> {
    let items = field.value.as_array().ok_or_else(|| field.damaged("it is no list"))?;
    items.iter().map(Value::as_f64).collect::<Option<_>>().ok_or_else(|| field.damaged("a number is none"))
}
