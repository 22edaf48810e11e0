//! The pure test on its own: is a set of revealed questions core for a person, and if not, who is the counterexample?

use std::fmt;

use super::Budget;
use super::certified::network::Certifier;
use super::certified::network::bounds::{Bounds, LinearBound, Margin};
use super::certified::region::Region;
use super::certified::trees::TreeProver;
use super::certified::{Claim, Prover, Verdict as Certified, prover};
use super::exact::smallest_vertex;
use super::pairs::{Asked, Pair};
use crate::Label;
use crate::model::{Classifier, LinearModel, Model, Network};
use crate::optimal::{distinct, proves};
use crate::plan::Plan;

/// What the pure test says of a set of revealed questions [TF23, Def. 1, δ = 0].
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// A core feature set: no value of what is open gives another label.
    Core(Label),
    /// Not one: two people who agree in everything known have different labels.
    Open(Witness),
    /// Neither was found within the budget, so not one as far as anybody knows.
    OutOfBudget,
}

/// Two encoded people who agree in everything known and have different labels. Its `Debug` shows nothing of them.
#[derive(Clone, PartialEq)]
pub struct Witness {
    /// The one.
    pub person: Vec<f64>,
    /// The other.
    pub other: Vec<f64>,
}

impl fmt::Debug for Witness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Witness(…)")
    }
}

/// Tests whether revealing some sensitive questions, by their places in [`Plan::sensitive`], settles the label of an encoded person, of
/// whom nothing else is looked at but what is public.
///
/// Exact for linear models, whatever the budget; of a black box nothing is proved or refuted.
///
/// # Panics
/// When a place is not that of a sensitive question.
///
/// # Example
/// ```
/// # use mindrel::belief::GaussianBelief;
/// # use mindrel::model::{Layer, Network};
/// # use mindrel::schema::{Question, Target};
/// # use mindrel::{Plan, Rules, Schema};
/// use mindrel::core_test::{Budget, Verdict, certify};
///
/// // max(x, 0) + max(y, 0) − 0.5: with y = 1 known, x no longer matters.
/// let hidden = Layer::new(2, vec![1.0, 0.0, 0.0, 1.0], vec![0.0, 0.0])?;
/// let network = Network::new(vec![hidden, Layer::new(2, vec![1.0, 1.0], vec![-0.5])?])?;
/// # let questions = vec![Question::number("x", -1.0, 1.0), Question::number("y", -1.0, 1.0)];
/// # let target = Target { name: "z".into(), prompt: String::new(), classes: vec!["no".into(), "yes".into()] };
/// # let belief = GaussianBelief::new(vec![0.0; 2], vec![0.2, 0.0, 0.0, 0.2])?;
/// # let plan = Plan::new(Schema::new(target, questions)?, network, belief, Rules::default())?;
/// let person = [0.3, 1.0];
/// assert!(matches!(certify(&plan, &person, &[1], &Budget::nodes(100)), Verdict::Core(_)));
/// assert!(matches!(certify(&plan, &person, &[0], &Budget::nodes(100)), Verdict::Open(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn certify(plan: &Plan, person: &[f64], revealed: &[usize], budget: &Budget) -> Verdict {
    let asked = &plan.prepared().asked;
    let revealed = &distinct(plan, revealed);
    let is_open = |place: usize| !revealed.contains(&place);
    // Everybody starts from somewhere in the domain: nothing open is looked at.
    let mut known = person.to_vec();
    for question in asked.iter().enumerate().filter(|(place, _)| is_open(*place)).map(|(_, question)| question) {
        move_to_vertex(question, 0, &mut known);
    }
    let label = plan.model().label(&known);
    if asked.iter().enumerate().all(|(place, _)| !is_open(place)) {
        return Verdict::Core(label);
    }
    match plan.model() {
        Classifier::Linear(model) => certify_linear(plan, model, known, label, revealed),
        Classifier::Network(_) | Classifier::Trees(_) | Classifier::BlackBox(_) => {
            certify_by_search(plan, known, label, &is_open, budget)
        }
    }
}

fn certify_linear(plan: &Plan, model: &LinearModel, known: Vec<f64>, label: Label, revealed: &[usize]) -> Verdict {
    if proves(plan, &known, label, revealed) {
        return Verdict::Core(label);
    }
    let prepared = plan.prepared();
    let worst = |pair: &Pair| {
        let mut other = known.clone();
        for (_, question) in prepared.asked.iter().enumerate().filter(|(place, _)| !revealed.contains(place)) {
            move_to_vertex(question, smallest_vertex(model, pair, question).unwrap_or(0), &mut other);
        }
        other
    };
    let others = prepared.linear().margins.by_label().of(label).iter().map(worst);
    let other = others.into_iter().find(|other| model.label(other) != label);
    // Only numbers too small or too large to be compared leave nobody.
    other.map_or(Verdict::OutOfBudget, |other| Verdict::Open(Witness { person: known, other }))
}

fn certify_by_search(
    plan: &Plan,
    known: Vec<f64>,
    label: Label,
    is_open: &dyn Fn(usize) -> bool,
    budget: &Budget,
) -> Verdict {
    let claim = Claim { plan, label };
    let mut prover = prover(plan);
    prover.begin(plan, is_open, &known);
    let start = prover.point_of(&known);
    let refuted = prover.refute(&claim, &start);
    match if refuted { Certified::Open } else { prover.test(&claim, budget) } {
        Certified::Core => Verdict::Core(label),
        Certified::OutOfBudget => Verdict::OutOfBudget,
        Certified::Open => {
            let mut other = known.clone();
            prover.open().place(prover.witness(), &mut other);
            Verdict::Open(Witness { person: known, other })
        }
    }
}

fn move_to_vertex(question: &Asked, vertex: usize, person: &mut [f64]) {
    for (index, column) in question.columns.clone().enumerate() {
        person[column] = question.domain.vertex_value(vertex, index);
    }
}

/// Bounds on every score of a person over all values of what is not revealed, rounded outwards.
///
/// ```text
/// lower_c ≤ score_c(x) ≤ upper_c   for every x that agrees with the person in what is public and revealed
/// ```
///
/// Exact but for rounding for linear models; for networks by one look at intervals and linear bounds, for
/// trees by the extremes of each over the leaves that can be reached, without branching; of a black box nothing is known.
#[must_use]
pub fn score_bounds(plan: &Plan, person: &[f64], revealed: &[usize]) -> Vec<(f64, f64)> {
    match plan.model() {
        Classifier::Linear(model) => {
            (0..model.n_scores()).map(|score| linear_bounds(plan, model, person, revealed, score)).collect()
        }
        Classifier::Network(model) => network_bounds(plan, model, person, revealed),
        Classifier::Trees(_) => {
            let mut prover = TreeProver::default();
            prover.begin(plan, &|place| !revealed.contains(&place), person);
            prover.score_bounds(plan)
        }
        Classifier::BlackBox(model) => vec![(f64::NEG_INFINITY, f64::INFINITY); model.n_scores()],
    }
}

fn linear_bounds(plan: &Plan, model: &LinearModel, person: &[f64], revealed: &[usize], score: usize) -> (f64, f64) {
    let weights = model.weights(score);
    let mut largest: f64 = 1.0;
    let (mut lower, mut upper) = (model.intercept(score), model.intercept(score));
    let asked = &plan.prepared().asked;
    let open: Vec<&Asked> =
        asked.iter().enumerate().filter(|(place, _)| !revealed.contains(place)).map(|(_, q)| q).collect();
    for (column, weight) in weights.iter().enumerate() {
        if !open.iter().any(|question| question.columns.contains(&column)) {
            lower += weight * person[column];
            upper += weight * person[column];
            largest = largest.max(person[column].abs());
        }
    }
    for question in open {
        let at = |vertex: usize| question.domain.at_vertex(vertex, &weights[question.columns.clone()]);
        let vertices = 0..question.domain.n_vertices();
        lower += vertices.clone().map(at).fold(f64::INFINITY, f64::min);
        upper += vertices.map(at).fold(f64::NEG_INFINITY, f64::max);
    }
    let rounding = model.rounding_bound(largest);
    (lower - rounding, upper + rounding)
}

fn network_bounds(plan: &Plan, model: &Network, person: &[f64], revealed: &[usize]) -> Vec<(f64, f64)> {
    let prepared = plan.prepared();
    let network = &prepared.network().network;
    let mut certifier = Certifier::default();
    certifier.begin(plan, &|place| !revealed.contains(&place), person);
    let open = &certifier.open;
    let mut region = Region::default();
    region.set_whole(open);
    let mut bounds = Bounds::default();
    bounds.set_region(network, open, &region);
    let mut linear = LinearBound::default();
    let rounding = network.rounding * open.largest;
    let mut lower = |plus: Option<usize>, minus: Option<usize>| {
        bounds.margin(network, open, &region, &Margin::new(network, plus, minus), &mut linear);
        linear.minimum - rounding
    };
    (0..model.n_scores()).map(|score| (lower(Some(score), None), -lower(None, Some(score)))).collect()
}
