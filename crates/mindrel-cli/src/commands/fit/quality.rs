//! How well a classifier does on labelled people, with all answers known.

use mindrel::model::Model;
use mindrel::schema::Target;
use mindrel::{Label, People, Plan};
use serde::Serialize;

use crate::terminal::tables::{finish, new_table};
use crate::terminal::words::{grouped, percent};

/// How good a classifier is on some people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quality {
    /// How many people were classified.
    pub people: usize,
    /// The share of the most frequent class: what always deciding for it would get right.
    pub base_rate: f64,
    /// The share classified correctly.
    pub accuracy: f64,
    /// Of two classes, the area under the receiver operating characteristic; nothing if only one of them occurs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auc: Option<f64>,
    /// Of three classes or more, the mean of the classes' F1 scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub macro_f1: Option<f64>,
    /// The classes, in order.
    pub classes: Vec<String>,
    /// How many people of each class (rows) were given each class (columns).
    pub confusion: Vec<Vec<usize>>,
}

impl Quality {
    /// Classifies people whose class is known.
    pub fn of(plan: &Plan, people: &People) -> Self {
        let (model, classes) = (plan.model(), plan.schema().target().classes.clone());
        let n_classes = classes.len();
        let mut confusion = vec![vec![0; n_classes]; n_classes];
        let mut scored = Vec::new();
        let mut scores = vec![0.0; model.n_scores()];
        for person in people.iter() {
            let Some(label) = person.label else { continue };
            confusion[label.index()][model.label(person.columns).index()] += 1;
            model.scores(person.columns, &mut scores);
            scored.push((scores[0], label == Label::POSITIVE));
        }
        let n_people = scored.len();
        let share = |count: usize| count as f64 / n_people.max(1) as f64;
        let most = confusion.iter().map(|row| row.iter().sum::<usize>()).max().unwrap_or(0);
        Quality {
            people: n_people,
            base_rate: share(most),
            accuracy: share((0..n_classes).map(|class| confusion[class][class]).sum()),
            auc: if model.n_scores() == 1 { auc(scored) } else { None },
            macro_f1: (n_classes > 2).then(|| macro_f1(&confusion)),
            classes,
            confusion,
        }
    }

    /// The figures in one line.
    pub fn figures(&self) -> String {
        let mut text = format!("accuracy {} (base rate {})", percent(self.accuracy), percent(self.base_rate));
        if let Some(auc) = self.auc {
            text += &format!(", AUC {auc:.3}");
        }
        if let Some(f1) = self.macro_f1 {
            text += &format!(", macro-F1 {f1:.3}");
        }
        text
    }

    /// The confusion matrix.
    pub fn table(&self, target: &Target) -> String {
        let words = |class: &String| target.words.of(class).to_owned();
        let decided: Vec<String> = self.classes.iter().map(|class| format!("decided “{}”", words(class))).collect();
        let headings: Vec<&str> = std::iter::once("").chain(decided.iter().map(String::as_str)).collect();
        let mut table = new_table(&headings);
        for (class, counts) in self.classes.iter().zip(&self.confusion) {
            let counts = counts.iter().map(|&count| grouped(count));
            table.add_row(std::iter::once(format!("is “{}”", words(class))).chain(counts));
        }
        finish(table)
    }
}

/// The share of pairs, one of each class, that the scores put in the right order; equal scores count half.
///
/// ```text
/// AUC = (Σ ranks of the positive − n₊ (n₊ + 1) / 2) / (n₊ n₋),   equal scores sharing their mean rank
/// ```
fn auc(mut scored: Vec<(f64, bool)>) -> Option<f64> {
    scored.sort_by(|left, right| left.0.total_cmp(&right.0));
    let positive = scored.iter().filter(|(_, positive)| *positive).count();
    let negative = scored.len() - positive;
    if positive == 0 || negative == 0 {
        return None;
    }
    let mut ranks = 0.0;
    let mut before = 0;
    for equal in scored.chunk_by(|left, right| left.0 == right.0) {
        let mean_rank = before as f64 + (equal.len() + 1) as f64 / 2.0;
        ranks += mean_rank * equal.iter().filter(|(_, positive)| *positive).count() as f64;
        before += equal.len();
    }
    let (positive, negative) = (positive as f64, negative as f64);
    Some((ranks - positive * (positive + 1.0) / 2.0) / (positive * negative))
}

/// The mean of the classes' F1 scores; a class that neither occurs nor is decided counts 0.
fn macro_f1(confusion: &[Vec<usize>]) -> f64 {
    let f1 = |class: usize| {
        let right = 2 * confusion[class][class];
        let occurs: usize = confusion[class].iter().sum();
        let decided: usize = confusion.iter().map(|row| row[class]).sum();
        right as f64 / (occurs + decided).max(1) as f64
    };
    (0..confusion.len()).map(f1).sum::<f64>() / confusion.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against counting the pairs.
    #[test]
    fn the_area_is_the_share_of_pairs_in_the_right_order() {
        let scored =
            vec![(0.1, false), (0.4, true), (0.4, false), (0.9, true), (0.9, false), (2.0, true), (-1.0, false)];
        let (mut right, mut pairs) = (0.0, 0.0);
        for (high, _) in scored.iter().filter(|(_, positive)| *positive) {
            for (low, _) in scored.iter().filter(|(_, positive)| !*positive) {
                pairs += 1.0;
                right += if high > low { 1.0 } else { f64::from(u8::from(high == low)) / 2.0 };
            }
        }
        assert_eq!(auc(scored), Some(right / pairs));
        assert_eq!(auc(vec![(1.0, true)]), None);
    }

    /// Precision 2/3 and recall 1 for the first class, 1 and 1/2 for the second, nothing for the third.
    #[test]
    fn macro_f1_is_the_mean_over_classes() {
        let confusion = [vec![2, 0, 0], vec![1, 1, 0], vec![0, 0, 0]];
        assert!((macro_f1(&confusion) - (0.8 + 2.0 / 3.0) / 3.0).abs() < 1e-12);
    }
}
