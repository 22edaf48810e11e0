//! Generated people, and the questions put to them.

use mindrel::schema::{Question, Target};
use mindrel::{Label, People, Schema};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;

/// People whose columns share five hidden causes, and whose class depends on all columns, the first ones most, in a way
/// that bends. There are at least five columns.
#[must_use]
pub fn people(columns: usize, count: usize, random: &mut Pcg64Mcg) -> People {
    let mut normal = || -> f64 { StandardNormal.sample(random) };
    let loadings: Vec<f64> = (0..columns * 5).map(|_| normal()).collect();
    let weights: Vec<f64> = (0..columns).map(|column| normal() / (1.0 + 0.1 * column as f64)).collect();
    let mut people = People::new(columns);
    for line in 0..count {
        let causes: Vec<f64> = (0..5).map(|_| normal()).collect();
        let noise = normal();
        let row = people.push(line as u64);
        for (column, value) in row.iter_mut().enumerate() {
            let shared: f64 = causes.iter().zip(&loadings[column * 5..]).map(|(cause, loading)| cause * loading).sum();
            *value = (0.12 * shared + 0.15 * normal()).clamp(-1.0, 1.0);
        }
        let straight: f64 = row.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
        let bent = straight + 2.0 * row[1] * row[2] + (row[3] + row[4]).abs();
        people.set_label(Some(Label::new(usize::from(bent + 0.1 * noise > 0.3))));
    }
    people
}

/// Numbers `q0`, `q1`, …, the first of them public.
///
/// # Panics
/// Never: the questions are sound.
#[must_use]
pub fn numbers(columns: usize, n_public: usize) -> Schema {
    let question = |column: usize| {
        let question = Question::number(format!("q{column}"), -1.0, 1.0);
        if column < n_public { question.public() } else { question }
    };
    let target = Target::new("label", "", ["no", "yes"]);
    Schema::new(target, (0..columns).map(question).collect()).expect("the questions are sound")
}
