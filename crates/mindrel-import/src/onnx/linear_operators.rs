//! ONNX's own linear classifier.

use super::graph_value::{ClassifierOutput, Features, OutputForm};
use super::node::GraphNode;
use crate::ReadError;
use crate::pipeline::Predictor;

/// `LinearClassifier`: a row of coefficients for each class, or one for two.
///
/// Two rows of scikit-learn's are the same but for the sign, and the second decides; otherwise their difference does.
pub(super) fn read(node: &GraphNode<'_>, features: &Features) -> Result<Option<ClassifierOutput>, ReadError> {
    let (Some(features), n_columns) = (features.as_single(), features.columns.len()) else { return Ok(None) };
    let (coefficients, mut intercepts) = (node.floats("coefficients"), node.floats("intercepts"));
    let n_rows = coefficients.len() / n_columns.max(1);
    if n_rows == 0 || n_rows * n_columns != coefficients.len() {
        return Err(node.damaged("its coefficients do not fit the number of columns"));
    }
    intercepts.resize(n_rows, 0.0);
    let mut weights: Vec<Vec<f64>> = coefficients.chunks(n_columns).map(<[f64]>::to_vec).collect();
    if let ([first, second], [first_intercept, second_intercept]) = (&weights[..], &intercepts[..]) {
        let mirrored =
            first.iter().zip(second).all(|(first, second)| *first == -second) && *first_intercept == -second_intercept;
        let softmax = node.text("post_transform").is_some_and(|transform| transform.starts_with("SOFTMAX"));
        let difference = |first: f64, second: f64| if mirrored && !softmax { second } else { second - first };
        let row = first.iter().zip(second).map(|(first, second)| difference(*first, *second)).collect();
        (intercepts, weights) = (vec![difference(*first_intercept, *second_intercept)], vec![row]);
    }
    let predictor = Predictor::Linear { weights, intercepts };
    Ok(Some(ClassifierOutput { features: features.columns, predictor, form: OutputForm::Classes }))
}
