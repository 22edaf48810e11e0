//! Random compositions of a few small models of every family.

use mindrel::model::{
    ComposedValue, Composition, CompositionParts, Condition, LinearModel, Node, PartModel, QuadraticModel, Tree,
    TreeEnsemble,
};

use super::*;

/// How a random composition is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Composed {
    pub n_models: usize,
    pub way: Composing,
    pub trees: Trees,
    /// Whether the last of equals wins.
    pub last_wins: bool,
}

/// What becomes of the models' scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Composing {
    /// The sum of the scores.
    Scores,
    /// The mean of probabilities, by the sigmoid or, with more classes, by softmax.
    SoftVote,
    /// The sum of votes, of equal or different weight.
    HardVote,
    /// The mean of calibrated shares, by tables with steps.
    Calibrated,
    /// Trees over probabilities in single precision.
    Stacked,
    /// Votes, and confidences that break their ties.
    Confidences,
}

pub fn composed() -> impl Strategy<Value = Composed> {
    use Composing::*;
    let way = prop::sample::select(vec![Scores, SoftVote, HardVote, Calibrated, Stacked, Confidences]);
    (1usize..=3, way, trees(), any::<bool>()).prop_map(|(n_models, way, trees, last_wins)| {
        let trees = Trees { depth: trees.depth.min(3), n_trees: trees.n_trees.min(4), two_outputs: false, ..trees };
        Composed { n_models, way, trees, last_wins }
    })
}

/// Any plan of a composition.
pub fn composed_recipe(
    classes: std::ops::RangeInclusive<usize>,
    questions: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Recipe> {
    (recipe(classes, questions), composed())
        .prop_map(|(recipe, composed)| Recipe { composed: Some(composed), ..recipe })
}

/// Values as they are added, one after the other.
#[derive(Default)]
struct Values(Vec<ComposedValue>);

impl Values {
    fn push(&mut self, value: ComposedValue) -> usize {
        self.0.push(value);
        self.0.len() - 1
    }

    fn sum(&mut self, start: f64, terms: Vec<(usize, f64)>, divisor: f64) -> usize {
        self.push(ComposedValue::Sum { start, terms, divisor })
    }

    /// A value for each class of a model: its scores, or of two classes its score and nothing.
    fn scores(&mut self, model: usize, n_classes: usize) -> Vec<usize> {
        if n_classes == 2 {
            let nothing = self.sum(0.0, Vec::new(), 1.0);
            return vec![nothing, self.push(ComposedValue::Score { model, score: 0 })];
        }
        (0..n_classes).map(|score| self.push(ComposedValue::Score { model, score })).collect()
    }

    fn probabilities(&mut self, scores: &[usize]) -> Vec<usize> {
        if let [_, score] = *scores {
            let yes = self.push(ComposedValue::Sigmoid { of: score });
            return vec![self.sum(1.0, vec![(yes, -1.0)], 1.0), yes];
        }
        (0..scores.len()).map(|class| self.push(ComposedValue::Softmax { of: scores.to_vec(), class })).collect()
    }

    fn votes(&mut self, scores: &[usize]) -> Vec<usize> {
        if let [_, score] = *scores {
            let yes = self.push(ComposedValue::AtLeast { of: score, bound: 0.0 });
            return vec![self.sum(1.0, vec![(yes, -1.0)], 1.0), yes];
        }
        (0..scores.len()).map(|class| self.push(ComposedValue::Largest { of: scores.to_vec(), class })).collect()
    }

    fn calibrated(&mut self, scores: &[usize], random: &mut Pcg64Mcg) -> Vec<usize> {
        let tables: Vec<usize> = scores
            .iter()
            .map(|&of| {
                let mut at: Vec<f64> = (0..4).map(|_| 4.0 * unit(random) - 2.0).collect();
                at.sort_by(f64::total_cmp);
                at.dedup();
                let mut heights: Vec<f64> = at.iter().map(|_| below(random, 5) as f64 / 4.0).collect();
                heights.sort_by(f64::total_cmp);
                self.push(ComposedValue::Table { of, at, heights })
            })
            .collect();
        (0..scores.len()).map(|class| self.push(ComposedValue::Share { of: tables.clone(), class })).collect()
    }
}

impl Composed {
    /// A random composition over the columns of a schema.
    pub fn build(&self, weights: Weights, schema: &Schema, n_classes: usize, random: &mut Pcg64Mcg) -> Composition {
        let models: Vec<PartModel> =
            (0..self.n_models).map(|_| self.model(weights, schema, n_classes, random)).collect();
        let mut values = Values::default();
        let parts: Vec<Vec<usize>> = (0..self.n_models)
            .map(|model| {
                let scores = values.scores(model, n_classes);
                match self.way {
                    Composing::Scores => scores,
                    Composing::SoftVote | Composing::Stacked => values.probabilities(&scores),
                    Composing::HardVote | Composing::Confidences => values.votes(&scores),
                    Composing::Calibrated => values.calibrated(&scores, random),
                }
            })
            .collect();
        let outputs = match self.way {
            Composing::Stacked => self.stacked(&parts, &mut values, n_classes, random),
            Composing::Confidences => (0..n_classes)
                .map(|class| {
                    let votes: Vec<(usize, f64)> = parts.iter().map(|part| (part[class], 1.0)).collect();
                    let confidence = values.push(ComposedValue::Confidence { of: parts[0][class] });
                    values.sum(0.0, votes.into_iter().chain([(confidence, 1.0)]).collect(), 1.0)
                })
                .collect(),
            _ => {
                let weights: Vec<f64> = parts.iter().map(|_| 1.0 + below(random, 3) as f64 / 2.0).collect();
                let total = weights.iter().sum();
                let terms =
                    |class: usize| parts.iter().zip(&weights).map(|(part, weight)| (part[class], *weight)).collect();
                (0..n_classes).map(|class| values.sum(0.0, terms(class), total)).collect()
            }
        };
        let mut tie_order: Vec<usize> = (0..n_classes).collect();
        if self.last_wins {
            tie_order.reverse();
        }
        let parts = CompositionParts { n_columns: schema.n_columns(), models, values: values.0, outputs, tie_order };
        Composition::new(parts).expect("a sound composition")
    }

    fn model(&self, weights: Weights, schema: &Schema, n_classes: usize, random: &mut Pcg64Mcg) -> PartModel {
        let (n_columns, n_scores) = (schema.n_columns(), if n_classes == 2 { 1 } else { n_classes });
        let family = below(random, 4);
        let mut draw = |count: usize| (0..count).map(|_| weight(weights, random)).collect::<Vec<f64>>();
        match family {
            0 => {
                let (weights, intercepts) = (draw(n_scores * n_columns), draw(n_scores));
                PartModel::Linear(LinearModel::new(n_columns, weights, intercepts).expect("finite weights"))
            }
            1 => {
                let (weights, squares) = (draw(n_scores * n_columns), draw(n_scores * n_columns));
                let model = QuadraticModel::new(n_columns, weights, squares, draw(n_scores));
                PartModel::Quadratic(model.expect("finite weights"))
            }
            2 => PartModel::Network(network(weights, n_columns, &[3], n_scores, random)),
            _ => PartModel::Trees(self.trees.build(schema, n_classes, random)),
        }
    }

    /// Trees over the models' probabilities: one for each class.
    fn stacked(
        &self,
        parts: &[Vec<usize>],
        values: &mut Values,
        n_classes: usize,
        random: &mut Pcg64Mcg,
    ) -> Vec<usize> {
        let of: Vec<usize> = parts.iter().map(|part| values.push(ComposedValue::Single { of: part[1] })).collect();
        let split = |column: usize, random: &mut Pcg64Mcg| {
            let condition = Condition::AtMost { column, threshold: below(random, 5) as f64 / 4.0 };
            let nodes =
                vec![Node::Split { condition, left: 1, right: 2 }, Node::Leaf { value: 0 }, Node::Leaf { value: 1 }];
            Tree { class: None, nodes, values: vec![below(random, 4) as f64, below(random, 4) as f64] }
        };
        (0..n_classes)
            .map(|_| {
                let mut parts = self.trees.build(&one_number(), 2, random).to_parts();
                parts.n_columns = of.len();
                parts.trees = (0..of.len()).map(|column| split(column, random)).collect();
                let ensemble = TreeEnsemble::new(parts).expect("a sound ensemble");
                values.push(ComposedValue::Trees { of: of.clone(), ensemble, score: 0 })
            })
            .collect()
    }
}

fn one_number() -> Schema {
    let kind = Kind::Number { lower: -1.0, upper: 1.0, missing: None };
    Schema::new(target(2), vec![Question::new("number", Visibility::Sensitive, kind)]).expect("a sound schema")
}
