//! ReLU networks: gradients, probabilities, proofs, questions, and numbers at the edge.

mod common;

use std::time::Duration;

use common::*;
use mindrel::Label;
use mindrel::belief::GaussianBelief;
use mindrel::core_test::{Budget, Estimate, Guarantee, Test, Verdict, certify};
use mindrel::math::normal::{entropy, quantile};
use mindrel::model::{Classifier, Layer, Model, ModelError, Network};
use mindrel::optimal::{Oracle, proves, smallest_core_set};
use mindrel::plan::{Plan, PlanError, PlanParts, Rules};
use mindrel::schema::{Answer, Kind, Question, QuestionId, Schema};
use mindrel::selector::Selector;
use mindrel::session::{Stage, Walk};
use proptest::prelude::*;
use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Branches enough for every proof here: the finite domains have at most `MOST_PEOPLE` points, and no region of them is looked at twice.
const GENEROUS: u64 = 1_000_000;

/// Points of a domain that are enumerated.
const MOST_PEOPLE: usize = 4096;

/// People a settled label is tried on, where there are too many to try all.
const TRIED: usize = 100;

/// The selectors a network can follow without a logistic regression's weights.
const SELECTORS: [Selector; 5] =
    [Selector::Decisive, Selector::FScore, Selector::FScoreMc, Selector::Importance, Selector::Random];

fn scores(model: &impl Model, person: &[f64]) -> Vec<f64> {
    let mut scores = vec![0.0; model.n_scores()];
    model.scores(person, &mut scores);
    scores
}

/// The places of the sensitive questions in a set of bits.
fn places(plan: &Plan, set: usize) -> Vec<usize> {
    (0..plan.sensitive().len()).filter(|place| set >> place & 1 == 1).collect()
}

/// Some mixed questions, sensitive ones, the first of several orders.
const MIXED: [Shape; 8] = [
    Shape::Number,
    Shape::OneHot(3),
    Shape::Boolean,
    Shape::Number,
    Shape::Integer,
    Shape::Ordinal(4),
    Shape::OneHot(2),
    Shape::Number,
];

/// A network with questions of mixed kinds, all sensitive.
fn mixed(n_classes: usize, hidden: &[usize], n_questions: usize, seed: u64) -> Recipe {
    let questions = (0..n_questions).map(|place| (MIXED[(place + seed as usize) % MIXED.len()], false)).collect();
    Recipe { hidden: Some(hidden.to_vec()), questions, ..numbers(n_classes, 0, seed) }
}

/// A network's last biases moved so that it has given scores at a person.
fn with_scores_at(network: &Network, person: &[f64], wanted: &[f64]) -> Network {
    let mut layers = network.layers().to_vec();
    let last = layers.pop().expect("a network has layers");
    let weights: Vec<f64> = (0..last.n_units()).flat_map(|unit| last.weights(unit).to_vec()).collect();
    let now = scores(network, person);
    let biases = last.biases().iter().zip(&now).zip(wanted).map(|((bias, now), wanted)| bias + wanted - now);
    layers.push(Layer::new(last.n_inputs(), weights, biases.collect()).unwrap());
    Network::new(layers).unwrap()
}

/// A network over some numbers and a belief that lies well inside their domain: what no draw leaves, nothing brings back in.
struct Inside {
    network: Network,
    mean: Vec<f64>,
    covariance: Vec<f64>,
}

impl Inside {
    fn new(n_classes: usize, hidden: &[usize], n_numbers: usize, seed: u64) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let n_scores = if n_classes == 2 { 1 } else { n_classes };
        let network = network(Weights::Normal, n_numbers, hidden, n_scores, &mut random);
        let mean = (0..n_numbers).map(|_| 0.4 * unit(&mut random) - 0.2).collect();
        let root: Vec<Vec<f64>> =
            (0..n_numbers).map(|_| (0..n_numbers).map(|_| normal(&mut random)).collect()).collect();
        // Standard deviations of about 0.15: the ends of the domain are five of them away.
        let scale = 0.15 * 0.15 / n_numbers as f64;
        let dot = |left: &[f64], right: &[f64]| left.iter().zip(right).map(|(left, right)| left * right).sum::<f64>();
        let covariance = root.iter().flat_map(|row| root.iter().map(move |column| scale * dot(row, column)));
        Inside { network, mean, covariance: covariance.collect() }
    }

    /// How far one score is spread under the belief, were the network linear.
    fn deviation(&self, score: usize) -> f64 {
        let mut combination = vec![0.0; self.network.n_scores()];
        combination[score] = 1.0;
        let mut gradient = vec![0.0; self.mean.len()];
        self.network.gradient(&self.mean, &combination, &mut gradient);
        let rows = self.covariance.chunks(self.mean.len()).zip(&gradient);
        let of_row = |row: &[f64]| row.iter().zip(&gradient).map(|(entry, slope)| entry * slope).sum::<f64>();
        rows.map(|(row, slope)| slope * of_row(row)).sum::<f64>().sqrt()
    }

    /// The belief drawn together by a factor around its mean, and scores there so close to each other that the label stays as unsure.
    fn plan(&self, factor: f64) -> Plan {
        let spread = factor * (0..self.network.n_scores()).map(|score| self.deviation(score)).fold(0.0, f64::max);
        let wanted: Vec<f64> =
            [0.5, 0.2, -0.3, 0.0][..self.network.n_scores()].iter().map(|gap| gap * spread).collect();
        let network = with_scores_at(&self.network, &self.mean, &wanted);
        let covariance = self.covariance.iter().map(|entry| factor * factor * entry).collect();
        let belief = GaussianBelief::new(self.mean.clone(), covariance).unwrap();
        let questions = (0..self.mean.len()).map(|place| Question::number(format!("x{place}"), -1.0, 1.0)).collect();
        let n_classes = network.n_scores().max(2);
        let schema = Schema::new(target(n_classes), questions).unwrap();
        Plan::new(schema, network, belief, Rules::default()).unwrap()
    }
}

/// The probability of the likeliest label before anything is asked.
fn outlook(plan: &Plan, estimate: Estimate) -> (Label, f64) {
    let plan = plan.with_rules(Rules { delta: 0.25, estimate, ..*plan.rules() }).unwrap();
    begun(&plan, &vec![0.0; plan.schema().n_columns()], 0).outlook()
}

// ---------------------------------------------------------------------------------------------------------------- gradients

/// Which units are on.
fn active(network: &Network, person: &[f64]) -> Vec<bool> {
    let (_, hidden) = network.layers().split_last().expect("a network has layers");
    let mut values = person.to_vec();
    let mut active = Vec::new();
    for layer in hidden {
        let sum = |unit: usize| {
            let products = layer.weights(unit).iter().zip(&values).map(|(weight, value)| weight * value);
            layer.biases()[unit] + products.sum::<f64>()
        };
        let sums: Vec<f64> = (0..layer.n_units()).map(sum).collect();
        active.extend(sums.iter().map(|sum| *sum > 0.0));
        values = sums.iter().map(|sum| sum.max(0.0)).collect();
    }
    active
}

/// The step of a central difference: a network is linear where no unit switches, so that only rounding limits it, and a larger step
/// makes that smaller.
const STEP: f64 = 1e-3;

/// Every score and random combinations of them, for networks of no to three hidden layers. Where a unit switches within the step there
/// is no gradient to compare.
#[test]
fn gradients_agree_with_central_differences() {
    let (mut compared, mut switched) = (0, 0);
    for seed in 0..200 {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let hidden: Vec<usize> = (0..seed % 4).map(|_| 1 + below(&mut random, 8)).collect();
        let (n_columns, n_scores) = (1 + below(&mut random, 6), [1, 3, 4][below(&mut random, 3)]);
        let network = network(Weights::Normal, n_columns, &hidden, n_scores, &mut random);
        let person: Vec<f64> = (0..n_columns).map(|_| 2.0 * unit(&mut random) - 1.0).collect();
        let one = |score: usize| (0..n_scores).map(|other| f64::from(u8::from(other == score))).collect();
        let mut combinations: Vec<Vec<f64>> = (0..n_scores).map(one).collect();
        combinations.extend((0..2).map(|_| (0..n_scores).map(|_| normal(&mut random)).collect()));
        let mut gradient = vec![0.0; n_columns];
        for combination in &combinations {
            network.gradient(&person, combination, &mut gradient);
            let value = |person: &[f64]| {
                let products =
                    scores(&network, person).into_iter().zip(combination).map(|(score, share)| score * share);
                products.sum::<f64>()
            };
            let shares: f64 = combination.iter().map(|share| share.abs()).sum();
            // Twice, since the slope itself is rounded too.
            let tolerance = 2.0 * network.rounding_bound(2.0) * shares / STEP;
            for column in 0..n_columns {
                let (mut lower, mut upper) = (person.clone(), person.clone());
                lower[column] -= STEP;
                upper[column] += STEP;
                if active(&network, &lower) != active(&network, &upper) {
                    switched += 1;
                    continue;
                }
                let slope = (value(&upper) - value(&lower)) / (upper[column] - lower[column]);
                let off = (slope - gradient[column]).abs();
                assert!(off <= tolerance, "seed {seed}: {slope} is not {}, off by {off:e}", gradient[column]);
                compared += 1;
            }
        }
    }
    assert!(compared > 20 * switched, "{compared} compared, {switched} not");
}

// ------------------------------------------------------------------------------------------------------------ probabilities

/// What 1024 evenly spread draws are off by in a probability, at most: the largest seen here is 0.014.
const QMC_ERROR: f64 = 0.02;

/// Scales of the belief: at the last, its standard deviations are about 0.0001, and no unit of these networks switches so close to the
/// mean.
const SCALES: [f64; 6] = [1.0, 0.25, 0.0625, 0.015_625, 0.003_906_25, 0.000_976_562_5];

/// The closer the belief is drawn together, the straighter the network looks from within it [TF23, Thm 1]. The scores are drawn together
/// with it, so that the label does not become certain as well.
#[test]
fn taylor_and_draws_agree_more_the_smaller_the_variances() {
    const NETWORKS: u64 = 40;
    for n_classes in [2, 3] {
        let mut means = [0.0; SCALES.len()];
        for seed in 0..NETWORKS {
            let inside = Inside::new(n_classes, &[6, 5], 3, seed);
            for (place, scale) in SCALES.into_iter().enumerate() {
                let plan = inside.plan(scale);
                let (label, taylor) = outlook(&plan, Estimate::Taylor);
                let (other, drawn) = outlook(&plan, Estimate::Qmc);
                let difference = if label == other { (taylor - drawn).abs() } else { 1.0 };
                means[place] += difference / NETWORKS as f64;
                let last = place + 1 == SCALES.len();
                assert!(!last || difference <= QMC_ERROR, "seed {seed}: {taylor} and {drawn}");
            }
        }
        // What draws are off by anyway is left; single steps may go up by a part of it.
        assert!(means.windows(2).all(|pair| pair[1] <= pair[0] + QMC_ERROR / 10.0), "{n_classes} classes: {means:?}");
        assert!(means[SCALES.len() - 1] < means[0] / 5.0, "{n_classes} classes: {means:?}");
    }
}

/// Two ways of working out the same closed form differ by rounding, which beliefs with correlations up to 1 − 1e-5 multiply.
const CLOSED_FORM: f64 = 1e-9;

/// A linear model and the same as a network without hidden layers, asked for the same answers.
fn linear_twins(recipe: &Recipe) -> (Plan, Plan) {
    let case = Recipe { weights: Weights::Normal, ..recipe.clone() }.build();
    let model = linear(&case.plan);
    let weights = (0..model.n_scores()).flat_map(|score| model.weights(score).to_vec()).collect();
    let biases = (0..model.n_scores()).map(|score| model.intercept(score)).collect();
    let network = Network::new(vec![Layer::new(model.n_columns(), weights, biases).unwrap()]).unwrap();
    let parts = PlanParts { model: network.into(), ..case.plan.to_parts() };
    (case.plan, Plan::try_from(parts).unwrap())
}

proptest! {
    #![proptest_config(cases(150))]

    /// A network without hidden layers is a linear model, and Taylor's expansion of it is exact [TF23, Props 4-5, App. C].
    #[test]
    fn taylor_without_hidden_layers_is_the_linear_closed_form(recipe in recipe(2..=4, 1..=6), steps in 0usize..4) {
        let (linear, network) = linear_twins(&recipe);
        prop_assume!(smallest_eigenvalue(linear.belief()) > 1e-5);
        let person = recipe.build().person();
        let rules = Rules { estimate: Estimate::Taylor, ..rules(0.0, Selector::Importance) };
        let mut walks = [&linear, &network].map(|plan| begun(&plan.with_rules(rules).unwrap(), &person, 0));
        for _ in 0..steps {
            walks.iter_mut().for_each(|walk| walk.reveal(&person));
        }
        prop_assert_eq!(walks[0].revealed_places(), walks[1].revealed_places());
        let [(label, closed), (other, taylor)] = walks.map(|walk| walk.outlook());
        prop_assert!((closed - taylor).abs() <= CLOSED_FORM, "{closed} and {taylor}");
        prop_assert!(label == other || closed < 0.5 + CLOSED_FORM);
    }

    /// The certified test of such a network says what the exact test says.
    #[test]
    fn without_hidden_layers_a_network_asks_as_a_linear_model_does(
        recipe in recipe(2..=4, 1..=6),
        selector in prop::sample::select(vec![Selector::Importance, Selector::Random]),
    ) {
        let (linear, network) = linear_twins(&recipe);
        let person = recipe.build().person();
        let asked = |plan: &Plan| questions_asked(&plan.with_rules(rules(0.0, selector)).unwrap(), &person, 3);
        prop_assert_eq!(asked(&linear), asked(&network));
    }
}

/// Evenly spread draws through a linear network against the closed form, where the belief lies inside the domain.
#[test]
fn draws_without_hidden_layers_agree_with_the_closed_form() {
    for seed in 0..40 {
        for n_classes in [2, 3, 4] {
            let plan = Inside::new(n_classes, &[], 1 + seed as usize % 5, seed).plan(1.0);
            let ((label, exact), (other, drawn)) = (outlook(&plan, Estimate::Taylor), outlook(&plan, Estimate::Qmc));
            assert!((exact - drawn).abs() <= QMC_ERROR, "seed {seed}, {n_classes} classes: {exact} and {drawn}");
            assert!(label == other || exact < 0.5 + QMC_ERROR);
        }
    }
}

/// Draws behind a share whose standard error is then at most 0.0011; five of them, passed with probability 6e-7, are below 0.006.
const RANDOM_DRAWS: usize = 200_000;
const RANDOM_ERROR: f64 = 0.006;

/// What the 1024 evenly spread draws are off by where questions of all kinds are open, up to twenty columns of them.
const MIXED_QMC_ERROR: f64 = 0.03;

/// The probability of the outlook against so many random draws from the conditional belief by the direct formula, brought into the
/// domain by other code, through networks of no to three hidden layers.
#[test]
fn draws_agree_with_many_more_random_ones() {
    let hidden: [&[usize]; 4] = [&[], &[5], &[8, 4], &[4, 6, 3]];
    for seed in 0..16 {
        let mut case = mixed(2 + seed as usize % 3, hidden[seed as usize % 4], 3 + seed as usize % 5, seed).build();
        let (plan, person) = (case.with(rules(0.25, Selector::Importance)), case.person());
        let mut walk = begun(&plan, &person, 0);
        for _ in 0..seed % 3 {
            walk.reveal(&person);
        }
        let (label, probability) = walk.outlook();
        let believed = Believed::new(&plan, &person, &known_questions(&walk));
        let share = believed.label_shares(RANDOM_DRAWS, case.random())[label.index()];
        let off = (probability - share).abs();
        assert!(off <= MIXED_QMC_ERROR + RANDOM_ERROR, "seed {seed}: {probability} is not {share}");
    }
}

/// Samples of the sampled test here. A label that at least one person in a hundred contradicts passes with probability 0.99²⁰⁰⁰ = 2e-9.
const SAMPLES: usize = 2000;
const CONTRADICTED: f64 = 0.01;

/// What the sampled test settles holds for nearly everybody the belief knows of [TF23, §6.2]; it is not called a proof.
#[test]
fn a_sampled_label_is_that_of_nearly_every_draw() {
    let mut sampled = 0;
    for seed in 0..60 {
        let mut case = mixed(2 + seed as usize % 2, &[6, 5], 4, seed).build();
        let person = case.person();
        let rules = Rules { test: Test::Sampled, samples: SAMPLES, ..rules(0.0, Selector::Decisive) };
        let plan = case.with(rules);
        let mut walk = Walk::new(&plan);
        let (label, guarantee) = walk.decide(&person, seed);
        if guarantee == Guarantee::Complete {
            continue;
        }
        assert_eq!(guarantee, Guarantee::Sampled);
        sampled += 1;
        let believed = Believed::new(&plan, &person, &known_questions(&walk));
        let share = believed.label_shares(10 * SAMPLES, case.random())[label.index()];
        // Three standard errors of a share of 20 000 that is truly 0.99.
        assert!(share >= 1.0 - CONTRADICTED - 0.002, "seed {seed}: {share}");
    }
    assert!(sampled >= 20, "only {sampled} labels rest on samples");
}

// ---------------------------------------------------------------------------------------------------------- finite domains

/// Networks over questions with finitely many answers.
fn finite_recipe() -> impl Strategy<Value = Recipe> {
    network_recipe(2..=4, 1..=6).prop_map(|mut recipe| {
        for (shape, _) in &mut recipe.questions {
            *shape = if *shape == Shape::Number { Shape::Integer } else { *shape };
        }
        recipe
    })
}

/// A set of places, grown until few enough people agree in them.
fn few_enough(plan: &Plan, set: usize) -> Vec<usize> {
    let mut revealed = places(plan, set);
    while n_people(plan.schema(), &known_when_revealed(plan, &revealed)).is_none_or(|count| count > MOST_PEOPLE) {
        let next = (0..plan.sensitive().len()).find(|place| !revealed.contains(place));
        revealed.push(next.expect("what is revealed completely has one value"));
    }
    revealed
}

proptest! {
    #![proptest_config(cases(400))]

    /// The certified test against everybody: core exactly where all have one label, exact ties and all sizes of weights included.
    #[test]
    fn a_set_is_certified_exactly_when_everybody_agrees(recipe in finite_recipe(), set in any::<usize>()) {
        let mut case = recipe.build();
        let person = case.person();
        let revealed = few_enough(&case.plan, set);
        let common = label_of_everybody(&case.plan, &person, &known_when_revealed(&case.plan, &revealed));
        match certify(&case.plan, &person, &revealed, &Budget::nodes(GENEROUS)) {
            Verdict::Core(label) => prop_assert_eq!(common, Some(label)),
            Verdict::Open(_) => prop_assert_eq!(common, None),
            Verdict::OutOfBudget => prop_assert!(false, "out of budget on {MOST_PEOPLE} people at most"),
        }
        for label in (0..recipe.n_classes).map(Label::new) {
            prop_assert_eq!(proves(&case.plan, &person, label, &revealed), common == Some(label));
        }
    }

    /// The same at every step of a walk, with answers outside the domain, which are taken as they are, and declined ones, which can
    /// be anything.
    #[test]
    fn a_walk_stops_exactly_when_everybody_agrees(
        recipe in finite_recipe(),
        selector in selector(),
        factor in prop::sample::select(vec![1.0, 1.0, 3.0, 1e6]),
        declines in prop::collection::vec(prop::bool::weighted(0.3), 6),
    ) {
        let mut case = recipe.build();
        let plan = case.with(Rules { budget: GENEROUS, ..rules(0.0, selector) });
        let person: Vec<f64> = case.person().iter().map(|value| factor * value).collect();
        let mut walk = begun(&plan, &person, 1);
        for decline in declines {
            let known = known_questions(&walk);
            if n_people(plan.schema(), &known).is_some_and(|count| count <= MOST_PEOPLE) {
                let common = label_of_everybody(&plan, &person, &known);
                match walk.stage() {
                    Stage::Settled { label, .. } => prop_assert_eq!(common, Some(label)),
                    Stage::Asking { .. } | Stage::Exhausted => prop_assert_eq!(common, None),
                }
            }
            if decline { walk.decline() } else { walk.reveal(&person) }
        }
        prop_assert!(walk.out_of_budget().is_empty());
    }
}

/// The middle of a grid is nobody: |x| − 1/2 is positive for no and for yes, and negative in between.
#[test]
fn nobody_is_halfway_between_no_and_yes() {
    let questions = vec![Question::boolean("x")];
    let fold = Layer::new(1, vec![1.0, -1.0], vec![0.0, 0.0]).unwrap();
    let network = Network::new(vec![fold, Layer::new(2, vec![1.0, 1.0], vec![-0.5]).unwrap()]).unwrap();
    let plan = plan_of(questions, network);
    assert_eq!(certify(&plan, &[1.0], &[], &Budget::nodes(10)), Verdict::Core(Label::POSITIVE));
    assert!(smallest_core_set(&plan, &[1.0]).is_empty());
}

// ------------------------------------------------------------------------------------------------------- the smallest core set

/// The fewest questions that prove a person's own label, by trying all sets.
fn smallest_by_enumeration(plan: &Plan, person: &[f64]) -> usize {
    let count = plan.sensitive().len();
    let label = plan.model().label(person);
    let proved = |set: &usize| proves(plan, person, label, &places(plan, *set));
    (0..1usize << count).filter(proved).map(|set| set.count_ones() as usize).min().expect("everything is a core set")
}

fn check_smallest(plan: &Plan, person: &[f64]) {
    let mut oracle = Oracle::new(plan);
    let smallest = oracle.smallest_core_set(person);
    assert!(!oracle.ran_out_of_budget());
    assert_eq!(smallest.len(), smallest_by_enumeration(plan, person));
    assert!(proves(plan, person, plan.model().label(person), &smallest));
}

/// Up to eight questions of mixed kinds, with every set of them tried.
#[test]
fn the_smallest_core_set_is_the_smallest_of_all_sets() {
    let hidden: [&[usize]; 4] = [&[4], &[6, 5], &[], &[3, 4, 3]];
    for seed in 0..48 {
        let n_questions = 2 + seed as usize % 7;
        let mut case = mixed(2 + seed as usize % 3, hidden[seed as usize % 4], n_questions, seed).build();
        for _ in 0..2 {
            let person = case.person();
            check_smallest(&case.plan, &person);
        }
    }
}

/// An answer outside its domain can unsettle a label once it is known, so that a superset of a core set need not be core, which is what
/// the search by counterexamples builds on: what it finds proves the label, but is not always the smallest (seed 34 has 4 for 3).
#[test]
fn the_smallest_core_set_is_smallest_for_people_outside_the_domain() {
    let hidden: [&[usize]; 4] = [&[4], &[6, 5], &[], &[3, 4, 3]];
    for seed in 0..48 {
        let n_questions = 2 + seed as usize % 7;
        let mut case = mixed(2 + seed as usize % 3, hidden[seed as usize % 4], n_questions, seed).build();
        for _ in 0..3 {
            let person = outside(&mut case);
            check_smallest(&case.plan, &person);
        }
    }
}

/// What is found for them is a core set nevertheless.
#[test]
fn the_smallest_core_set_of_people_outside_the_domain_proves_their_label() {
    for seed in 0..48 {
        let mut case = mixed(2 + seed as usize % 3, &[6, 5], 2 + seed as usize % 7, seed).build();
        let person = outside(&mut case);
        let smallest = smallest_core_set(&case.plan, &person);
        assert!(proves(&case.plan, &person, case.plan.model().label(&person), &smallest), "seed {seed}");
    }
}

/// Finitely many answers and weights that are quarters: scores of exactly zero are met, and decided as the model decides them.
#[test]
fn the_smallest_core_set_is_smallest_with_exact_ties() {
    let shapes =
        [Shape::Boolean, Shape::Ordinal(3), Shape::OneHot(3), Shape::Boolean, Shape::Ordinal(5), Shape::OneHot(2)];
    for seed in 0..60 {
        let questions = shapes[..2 + seed as usize % 5].iter().map(|shape| (*shape, false)).collect();
        let recipe = mixed(2 + seed as usize % 2, &[3 + seed as usize % 3], 0, seed);
        let mut case = Recipe { questions, weights: Weights::Dyadic, ..recipe }.build();
        let person = case.person();
        check_smallest(&case.plan, &person);
    }
}

#[test]
fn no_selector_asks_for_less_than_the_smallest_core_set() {
    for seed in 0..30 {
        let mut case = mixed(2 + seed as usize % 3, &[6, 5], 5, seed).build();
        let person = case.person();
        let smallest = smallest_core_set(&case.plan, &person).len();
        for selector in Selector::ALL {
            let mut walk = Walk::new(&case.with(rules(0.0, selector)));
            let (label, _) = walk.decide(&person, seed);
            assert_eq!(label, case.plan.model().label(&person), "{selector}, seed {seed}");
            assert!(walk.n_revealed() >= smallest, "{selector}, seed {seed}");
            assert!(proves(&case.plan, &person, label, walk.revealed_places()), "{selector}, seed {seed}");
        }
    }
}

// ------------------------------------------------------------------------------------------------- answers that are not as planned

/// A person whose numbers lie outside their domains, as answers can: whole where whole ones are asked for. A level is one of the levels.
fn outside(case: &mut Case) -> Vec<f64> {
    let mut answers = case.answers();
    let questions = case.plan.schema().questions();
    for (answer, question) in answers.iter_mut().zip(questions) {
        match (answer, &question.kind) {
            (Answer::Number(value), Kind::Number { lower, upper, .. }) => *value += upper - lower,
            (Answer::Number(value), Kind::Integer { lower, upper, .. }) => *value -= upper - lower + 2.0,
            _ => {}
        }
    }
    encode(case.plan.schema(), &answers)
}

/// A revealed value outside its domain is known and enters the network as it is; the label is right, and a proof holds for everybody
/// whose open answers lie within theirs.
#[test]
fn people_outside_the_domain_get_the_right_label() {
    for seed in 0..60 {
        let mut case = mixed(2 + seed as usize % 3, &[6, 5], 5, seed).build();
        let person = outside(&mut case);
        for selector in SELECTORS {
            let mut walk = Walk::new(&case.with(rules(0.0, selector)));
            let (label, guarantee) = walk.decide(&person, 0);
            let known = known_questions(&walk);
            assert_eq!(case.contradiction(&person, &known, label, TRIED), None, "{selector}, seed {seed}");
            if guarantee == Guarantee::Complete {
                assert_eq!(label, case.plan.model().label(&person), "{selector}, seed {seed}");
            }
        }
    }
}

/// Whatever was declined, and whatever was never asked.
#[test]
fn a_proof_holds_whatever_the_declined_answers_are() {
    let mut proved_with_declines = 0;
    for seed in 0..120 {
        let mut case = mixed(2 + seed as usize % 3, &[6, 5], 5, seed).build();
        let person = case.person();
        for selector in SELECTORS {
            let mut walk = begun(&case.with(rules(0.0, selector)), &person, 0);
            let mut n_declined = 0;
            while asking(&walk).is_some() {
                if below(case.random(), 3) == 0 {
                    walk.decline();
                    n_declined += 1;
                } else {
                    walk.reveal(&person);
                }
            }
            if let Stage::Settled { label, guarantee } = walk.stage() {
                assert!(guarantee == Guarantee::Proved || n_declined == 0);
                proved_with_declines += usize::from(n_declined > 0);
                let known = known_questions(&walk);
                assert_eq!(case.contradiction(&person, &known, label, TRIED), None, "{selector}, seed {seed}");
            } else {
                assert!(n_declined > 0, "without a refusal every walk ends settled");
            }
        }
    }
    assert!(proved_with_declines >= 50, "only {proved_with_declines} proofs in spite of refusals");
}

// ------------------------------------------------------------------------------------------------------------ budget and time

/// With one branch for each test fewer sets are proved, more is asked, and the label is as right.
#[test]
fn a_budget_of_one_branch_asks_for_more_and_is_never_wrong() {
    let mut ran_out = 0;
    for seed in 0..100 {
        let mut case = mixed(2 + seed as usize % 3, &[8, 8], 5, seed).build();
        let person = case.person();
        // By importance, the order of the questions does not depend on what was proved.
        let rules = |budget: u64| Rules { budget, ..rules(0.0, Selector::Importance) };
        let (mut poor, mut rich) = (Walk::new(&case.with(rules(1))), Walk::new(&case.with(rules(GENEROUS))));
        let ((label, _), (other, _)) = (poor.decide(&person, 0), rich.decide(&person, 0));
        assert_eq!((label, other), (case.plan.model().label(&person), label), "seed {seed}");
        assert!(poor.n_revealed() >= rich.n_revealed(), "seed {seed}");
        assert!(rich.out_of_budget().is_empty(), "seed {seed}");
        // Where the one stopped, the other says that it ran out.
        for step in rich.n_revealed()..poor.n_revealed() {
            assert!(poor.out_of_budget().contains(&step), "seed {seed}, after {step} answers");
        }
        assert!(poor.out_of_budget().iter().all(|step| *step < poor.n_revealed()));
        ran_out += usize::from(!poor.out_of_budget().is_empty());
    }
    assert!(ran_out >= 20, "only {ran_out} tests needed more than one branch");
}

/// A clock that stands still: whatever was to be done by now is late.
fn stopped() -> Duration {
    Duration::from_secs(7)
}

/// No proof is ever found in no time, so that everything is asked, and the label is the model's own.
#[test]
fn a_deadline_that_has_passed_asks_for_more_and_is_never_wrong() {
    for seed in 0..60 {
        let mut case = mixed(2 + seed as usize % 3, &[6, 5], 5, seed).build();
        let person = case.person();
        for selector in SELECTORS {
            let plan = case.with(rules(0.0, selector));
            let (mut late, mut patient) = (Walk::new(&plan), Walk::new(&plan));
            late.limit_time(stopped, Duration::ZERO);
            let (label, guarantee) = late.decide(&person, 0);
            assert_eq!(
                (label, guarantee),
                (plan.model().label(&person), Guarantee::Complete),
                "{selector}, seed {seed}"
            );
            assert_eq!(patient.decide(&person, 0).0, label, "{selector}, seed {seed}");
            if selector == Selector::Importance && patient.n_revealed() < plan.sensitive().len() {
                assert!(late.out_of_budget().contains(&patient.n_revealed()), "seed {seed}");
            }
            // There is time enough on a clock that never gets there.
            let mut timed = Walk::new(&plan);
            timed.limit_time(stopped, Duration::from_secs(1));
            assert_eq!(timed.decide(&person, 0).0, label);
            assert_eq!(timed.revealed_places(), patient.revealed_places(), "{selector}, seed {seed}");
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------- selectors

/// Strata of a candidate's value, and draws of everything else within each: standard errors of the expected entropy are some 0.003.
const STRATA: usize = 48;
const DRAWS_EACH: usize = 500;

/// What the selector's own estimate of an expected entropy is off by, with 8 nodes and 128 draws at each, in nats.
const ENTROPY_ERROR: f64 = 0.05;

/// The expected entropy of the label once a question is known, by nested sampling [TF23, Eq. (3)].
fn expected_entropy(walk: &Walk, person: &[f64], question: QuestionId, random: &mut Pcg64Mcg) -> f64 {
    let (plan, known) = (walk.plan(), known_questions(walk));
    let column = plan.schema().columns(question).start;
    let (mean, deviation) = Believed::new(plan, person, &known).moments(column);
    let mut then = known.clone();
    then[question.index()] = true;
    let entropy_at = |stratum: usize| {
        let mut person = person.to_vec();
        person[column] = mean + deviation * quantile((stratum as f64 + 0.5) / STRATA as f64);
        let believed = Believed::new(plan, &person, &then).bringing_in_all_but(&known);
        entropy(&believed.label_shares(DRAWS_EACH, random))
    };
    (0..STRATA).map(entropy_at).sum::<f64>() / STRATA as f64
}

/// The question a selector asks first, its expected entropy, and the least and the second least of all.
fn entropies(plan: &Plan, asked: QuestionId, seed: u64) -> (f64, f64, f64) {
    let person = vec![0.0; plan.schema().n_columns()];
    let walk = begun(plan, &person, 0);
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let all: Vec<f64> = plan.schema().ids().map(|id| expected_entropy(&walk, &person, id, &mut random)).collect();
    let mut sorted = all.clone();
    sorted.sort_by(f64::total_cmp);
    (all[asked.index()], sorted[0], sorted[1])
}

/// By draws through networks with hidden layers, and by Taylor's expansion where it is exact.
#[test]
fn f_score_asks_for_nearly_the_least_expected_entropy() {
    let mut clear = 0;
    for seed in 0..36 {
        let (hidden, estimate): (&[usize], Estimate) =
            [(&[6, 5][..], Estimate::Qmc), (&[][..], Estimate::Taylor), (&[7][..], Estimate::Qmc)][seed as usize % 3];
        let plan = Inside::new(2 + seed as usize % 2, hidden, 3, seed).plan(1.0);
        let plan = plan.with_rules(Rules { estimate, ..rules(0.0, Selector::FScore) }).unwrap();
        let Some(asked) = asking(&begun(&plan, &[0.0; 3], 0)) else { continue };
        let (of_asked, least, second) = entropies(&plan, asked, seed);
        assert!(of_asked <= least + ENTROPY_ERROR, "seed {seed}: {of_asked} is not {least}");
        clear += usize::from(second > least + ENTROPY_ERROR);
    }
    assert!(clear >= 10, "only {clear} choices were clear");
}

/// The published estimate with many draws asks for the same, wherever one question is clearly best [TF23, Eq. (4)].
#[test]
fn f_score_by_many_draws_agrees_where_the_difference_is_large() {
    let mut clear = 0;
    for seed in 0..30 {
        let plan = Inside::new(2 + seed as usize % 2, &[6, 5], 3, 100 + seed).plan(1.0);
        let plan = plan.with_rules(Rules { draws: 500, ..rules(0.0, Selector::FScoreMc) }).unwrap();
        let Some(asked) = asking(&begun(&plan, &[0.0; 3], seed)) else { continue };
        let (of_asked, least, second) = entropies(&plan, asked, seed);
        if second > least + ENTROPY_ERROR {
            assert_eq!(of_asked, least, "seed {seed}: {of_asked} is not {least}");
            clear += 1;
        }
    }
    assert!(clear >= 10, "only {clear} choices were clear");
}

/// All questions in the order a selector would ask them: each is declined in turn.
fn whole_order(plan: &Plan, selector: Selector) -> Vec<QuestionId> {
    let plan = plan.with_rules(rules(0.0, selector)).unwrap();
    let mut walk = begun(&plan, &vec![0.0; plan.schema().n_columns()], 0);
    let mut order = Vec::new();
    while let Some(asked) = asking(&walk) {
        order.push(asked);
        walk.decline();
    }
    order
}

proptest! {
    #![proptest_config(cases(100))]

    /// The gradient of a linear network is its weights. The order is that of all questions, unless a label is settled without them.
    #[test]
    fn importance_without_hidden_layers_is_the_size_of_the_weights(recipe in recipe(2..=4, 2..=6)) {
        let (twin, network) = linear_twins(&recipe);
        let (order, model) = (whole_order(&network, Selector::Importance), linear(&twin));
        let size = |id: &QuestionId| {
            let rows = (0..model.n_scores()).flat_map(|score| &model.weights(score)[twin.schema().columns(*id)]);
            rows.map(|weight| weight * weight).sum::<f64>().sqrt()
        };
        prop_assert!(order.windows(2).all(|pair| size(&pair[0]) >= size(&pair[1])));
    }

    /// Whatever the network, and per cost.
    #[test]
    fn importance_logistic_follows_the_weights_of_the_plan(recipe in network_recipe(2..=3, 2..=6)) {
        let plan = Recipe { weights: Weights::Normal, ..recipe }.build().plan;
        let order = whole_order(&plan, Selector::ImportanceLogistic);
        let weights = plan.to_parts().logistic_weights.expect("random networks come with them");
        prop_assert!(order.windows(2).all(|pair| weights[pair[0].index()] >= weights[pair[1].index()]));
    }
}

#[test]
fn rules_a_model_cannot_follow_are_refused() {
    let network = mixed(2, &[3], 3, 0).build().plan;
    let bare = Plan::try_from(PlanParts { logistic_weights: None, ..network.to_parts() }).unwrap();
    let logistic = Rules { selector: Selector::ImportanceLogistic, ..Rules::default() };
    assert!(network.with_rules(logistic).is_ok());
    assert_eq!(bare.with_rules(logistic).err(), Some(PlanError::NoLogisticWeights));
    let made_so = PlanParts { rules: logistic, ..bare.to_parts() };
    assert_eq!(Plan::try_from(made_so).err(), Some(PlanError::NoLogisticWeights));
    for weights in [vec![1.0; 2], vec![1.0; 4], vec![1.0, f64::NAN, 1.0], vec![1.0, f64::INFINITY, 1.0]] {
        let parts = PlanParts { logistic_weights: Some(weights), ..network.to_parts() };
        assert_eq!(Plan::try_from(parts).err(), Some(PlanError::LogisticWeights { questions: 3 }));
    }
    let linear = numbers(2, 3, 0).build().plan;
    let sampled = Rules { test: Test::Sampled, ..Rules::default() };
    assert!(network.with_rules(sampled).is_ok());
    assert_eq!(linear.with_rules(sampled).err(), Some(PlanError::SampledLinear));
    for (samples, budget) in [(0, 1), (100_000_001, 1), (1, 0)] {
        assert!(matches!(network.with_rules(Rules { samples, budget, ..Rules::default() }), Err(PlanError::Rules(_))));
    }
}

// ------------------------------------------------------------------------------------------------------- numbers at the edge

/// A plan for a network over some questions, with the moments of random people for a belief.
fn plan_of(questions: Vec<Question>, network: Network) -> Plan {
    let n_classes = network.n_scores().max(2);
    let schema = Schema::new(target(n_classes), questions).unwrap();
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let person = |_| encode(&schema, &random_answers(&schema, Weights::Normal, &mut random));
    let belief = moments(&(0..30).map(person).collect::<Vec<_>>());
    Plan::new(schema, network, belief, Rules::default()).unwrap()
}

/// Two numbers, no and yes, and one of three: six columns.
fn some_questions() -> Vec<Question> {
    vec![
        Question::number("a", -1.0, 1.0),
        Question::number("b", -1.0, 1.0),
        Question::boolean("c"),
        Question::category("d", ["x", "y", "z"]),
    ]
}

/// A layer whose numbers a function gives.
fn layer(n_inputs: usize, n_units: usize, mut number: impl FnMut() -> f64) -> Layer {
    let weights = (0..n_units * n_inputs).map(|_| number()).collect();
    Layer::new(n_inputs, weights, (0..n_units).map(|_| number()).collect()).unwrap()
}

/// Under every selector, test, estimate and some δ: nothing panics, and what is called settled is.
fn never_wrong(name: &str, plan: &Plan) {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    let schema = plan.schema();
    for selector in SELECTORS {
        for (delta, test, estimate) in [
            (0.0, Test::Certified, Estimate::Qmc),
            (0.0, Test::Sampled, Estimate::Taylor),
            (0.05, Test::Certified, Estimate::Qmc),
            (0.05, Test::Certified, Estimate::Taylor),
        ] {
            let rules = Rules { test, estimate, budget: 200, samples: 200, ..rules(delta, selector) };
            let mut walk = Walk::new(&plan.with_rules(rules).unwrap());
            for seed in 0..4 {
                let person = encode(schema, &random_answers(schema, Weights::Normal, &mut random));
                let (label, guarantee) = walk.decide(&person, seed);
                let (_, probability) = walk.outlook();
                assert!((0.0..=1.0).contains(&probability), "{name}, {selector}: a probability of {probability}");
                if !matches!(guarantee, Guarantee::Complete | Guarantee::Proved) {
                    continue;
                }
                assert_eq!(label, plan.model().label(&person), "{name}, {selector}");
                let known = known_questions(&walk);
                for _ in 0..TRIED {
                    let other = anybody(schema, &person, &known, &mut random);
                    assert_eq!(label, plan.model().label(&other), "{name}, {selector}");
                }
            }
        }
    }
    let plan = plan.with_rules(Rules { budget: 200, ..*plan.rules() }).unwrap();
    let person = encode(schema, &random_answers(schema, Weights::Normal, &mut random));
    let smallest = smallest_core_set(&plan, &person);
    assert!(proves(&plan, &person, plan.model().label(&person), &smallest), "{name}");
}

/// Sizes from what underflows to what is next to being refused, layer by layer, with one score and with three.
#[test]
fn huge_and_tiny_weights_and_dead_units_do_no_harm() {
    let sizes: [(&str, [f64; 3]); 9] = [
        ("plain", [1.0, 1.0, 1.0]),
        ("huge, then tiny", [1e30, 1.0, 1e-30]),
        ("tiny, then huge", [1e-30, 1.0, 1e30]),
        ("huge", [1e18, 1e18, 1e18]),
        ("tiny", [1e-30, 1e-30, 1e-30]),
        ("underflowing", [1e-160, 1e-160, 1e-160]),
        ("smallest, then largest", [5e-324, 1.0, 1e55]),
        ("zero above", [1.0, 1.0, 0.0]),
        ("zero below", [0.0, 1.0, 1.0]),
    ];
    for (name, [first, second, last]) in sizes {
        for n_scores in [1, 3] {
            let mut random = Pcg64Mcg::seed_from_u64(3);
            let mut sized =
                |n_inputs: usize, n_units: usize, size: f64| layer(n_inputs, n_units, || size * normal(&mut random));
            let layers = vec![sized(6, 5, first), sized(5, 4, second), sized(4, n_scores, last)];
            never_wrong(name, &plan_of(some_questions(), Network::new(layers).unwrap()));
        }
    }
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let dead = Layer::new(6, (0..30).map(|_| normal(&mut random)).collect(), vec![-100.0; 5]).unwrap();
    for n_scores in [1, 3] {
        let last = layer(5, n_scores, || normal(&mut random));
        let plan = plan_of(some_questions(), Network::new(vec![dead.clone(), last]).unwrap());
        never_wrong("dead", &plan);
        // Nothing that is asked makes a difference, and nothing is asked.
        let walk = begun(&plan, &[0.0; 6], 0);
        assert!(matches!(walk.stage(), Stage::Settled { guarantee: Guarantee::Proved, .. }));
    }
}

/// A score of exactly zero is label 1, and of equal scores the first wins; over finitely many people that is proved too.
#[test]
fn exact_ties_go_to_label_one_and_to_the_first_of_equals() {
    for (n_scores, expected) in [(1, Label::POSITIVE), (3, Label::new(0)), (4, Label::new(0))] {
        let zero =
            |n_columns: usize| Network::new(vec![layer(n_columns, 3, || 0.0), layer(3, n_scores, || 0.0)]).unwrap();
        let plan = plan_of(some_questions(), zero(6));
        never_wrong("zero", &plan);
        let rules = Rules { budget: 50, ..rules(0.0, Selector::Decisive) };
        let mut walk = Walk::new(&plan.with_rules(rules).unwrap());
        assert_eq!(walk.decide(&[0.5, -0.5, 1.0, 0.0, 1.0, 0.0], 0).0, expected);
        let finite = plan_of(some_questions().split_off(2), zero(4));
        assert_eq!(certify(&finite, &[1.0, 0.0, 1.0, 0.0], &[], &Budget::nodes(100)), Verdict::Core(expected));
    }
    // The last of three is ahead by half, or level with the others, as no and yes have it.
    let network = Network::new(vec![Layer::new(1, vec![0.0, 0.0, 0.25], vec![0.0, 0.0, 0.25]).unwrap()]).unwrap();
    let plan = plan_of(vec![Question::boolean("x")], network);
    assert_eq!(plan.model().label(&[-1.0]), Label::new(0));
    assert_eq!(plan.model().label(&[1.0]), Label::new(2));
    assert!(matches!(certify(&plan, &[1.0], &[], &Budget::nodes(100)), Verdict::Open(_)));
}

#[test]
fn wrong_networks_are_refused_by_name() {
    let fine = |n_inputs: usize, n_units: usize| layer(n_inputs, n_units, || 1.0);
    assert_eq!(
        Layer::new(2, vec![1.0; 3], vec![0.0; 2]).err(),
        Some(ModelError::WeightCount { expected: 4, found: 3 })
    );
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(Layer::new(1, vec![wrong], vec![0.0]).err(), Some(ModelError::NotFinite));
        assert_eq!(Layer::new(1, vec![0.0], vec![wrong]).err(), Some(ModelError::NotFinite));
    }
    assert_eq!(Network::new(vec![]).err(), Some(ModelError::ScoreCount { found: 0 }));
    for found in [0, 2] {
        assert_eq!(Network::new(vec![fine(3, 4), fine(4, found)]).err(), Some(ModelError::ScoreCount { found }));
    }
    let refused = Network::new(vec![fine(3, 4), fine(4, 5), fine(4, 1)]);
    assert_eq!(refused.err(), Some(ModelError::LayerInputs { layer: 2, expected: 5, found: 4 }));
    let refused = Network::new(vec![fine(3, 0), fine(0, 1)]);
    assert_eq!(refused.err(), Some(ModelError::LayerInputs { layer: 1, expected: 0, found: 0 }));
    assert_eq!(Network::new(vec![fine(0, 1)]).err(), Some(ModelError::NoInputs));
    let huge = |n_inputs: usize, n_units: usize| layer(n_inputs, n_units, || 1e30);
    assert_eq!(Network::new(vec![huge(3, 4), huge(4, 1)]).err(), Some(ModelError::TooLarge));
    assert_eq!(Network::new(vec![layer(1, 1, || f64::MAX)]).err(), Some(ModelError::TooLarge));
    // What is written is checked as what is made.
    for written in [
        r#"{"family":"network","layers":[]}"#,
        r#"{"family":"network","layers":[{"n_inputs":2,"weights":[1.0],"biases":[0.0]}]}"#,
        r#"{"family":"network","layers":[{"n_inputs":1,"weights":[1e61],"biases":[0.0]}]}"#,
        r#"{"family":"network","layers":[{"n_inputs":1,"weights":[1.0,1.0],"biases":[0.0,0.0]}]}"#,
    ] {
        assert!(serde_json::from_str::<Classifier>(written).is_err(), "{written}");
    }
    assert!(serde_json::from_str::<Layer>(r#"{"n_inputs":2,"weights":[1.0],"biases":[0.0]}"#).is_err());
}

/// The product of the two upper weights underflows to nothing, and with it what x does to the score: +2e-265 at 0, −6e-265 at 1. A
/// bound that takes nothing for zero proved the label.
#[test]
fn a_product_of_weights_that_underflows_proves_nothing() {
    let one = |weight: f64, bias: f64| Layer::new(1, vec![weight], vec![bias]).unwrap();
    let network = Network::new(vec![one(4e59, 5e59), one(1e-162, 0.0), one(-2e-162, 1.2e-264)]).unwrap();
    let plan = plan_of(vec![Question::number("x", -1.0, 1.0)], network);
    assert_ne!(plan.model().label(&[0.0]), plan.model().label(&[1.0]));
    assert!(!matches!(certify(&plan, &[0.0], &[], &Budget::nodes(10_000)), Verdict::Core(_)));
}

/// A place given twice counts once: it does not stand in for another question.
#[test]
fn a_question_revealed_twice_is_revealed_once() {
    for hidden in [None, Some(vec![4])] {
        let mut case = Recipe { hidden, ..numbers(2, 2, 5) }.build();
        for _ in 0..20 {
            let person = case.person();
            let label = case.plan.model().label(&person);
            for place in [0, 1] {
                assert_eq!(
                    proves(&case.plan, &person, label, &[place, place]),
                    proves(&case.plan, &person, label, &[place])
                );
                let once = certify(&case.plan, &person, &[place], &Budget::nodes(10_000));
                assert_eq!(certify(&case.plan, &person, &[place, place], &Budget::nodes(10_000)), once);
            }
        }
    }
}
