//! Certificates of networks: true ones are accepted, and no false one is.

mod cuts_and_bounds;
mod tampering;

use std::time::Duration;

use crate::common::*;
use cuts_and_bounds::*;
use mindrel::Label;
use mindrel::certificate::{Certificate, Stated, StepOutOfTime};
use mindrel::core_test::{Estimate, Guarantee, Test, TimeLimit};
use mindrel::model::{Layer, Model, Network};
use mindrel::plan::{Plan, Rules};
use mindrel::proof::{Beaten, Proof, ProofCut, ProofPart};
use mindrel::schema::StatedAnswer;
use mindrel::schema::{Answer, Domain, Kind, Question, Schema};
use mindrel::selector::Selector;
use mindrel::session::{Next, Session};
use mindrel::verify::{Refutation, VerifyError, verify};
use proptest::prelude::*;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;
use tampering::*;

/// People drawn to find out whether a statement is true.
const DRAWS: usize = 2_000;

/// A random plan whose model is a network.
#[derive(Debug, Clone)]
struct NetworkRecipe {
    recipe: Recipe,
    hidden: Vec<usize>,
    /// How much the biases of the scores weigh: with large ones, sessions settle early.
    lean: f64,
}

fn network_recipe(questions: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = NetworkRecipe> {
    let weights = prop::sample::select(vec![Weights::Normal, Weights::Normal, Weights::Dyadic, Weights::Sparse]);
    let hidden = prop::collection::vec(1usize..=8, 0..=3);
    let lean = prop::sample::select(vec![0.2, 1.0, 2.0]);
    (recipe(2..=4, questions), weights, hidden, lean).prop_map(|(recipe, weights, hidden, lean)| NetworkRecipe {
        recipe: Recipe { weights, ..recipe },
        hidden,
        lean,
    })
}

impl NetworkRecipe {
    fn build(&self) -> Case {
        let mut case = self.recipe.build();
        let mut random = Pcg64Mcg::seed_from_u64(self.recipe.seed ^ 1);
        let (schema, belief) = (case.plan.schema().clone(), case.plan.belief().clone());
        let n_scores = if self.recipe.n_classes == 2 { 1 } else { self.recipe.n_classes };
        let mut n_inputs = schema.n_columns();
        let mut layers = Vec::new();
        for (place, &width) in self.hidden.iter().chain([&n_scores]).enumerate() {
            let last = place == self.hidden.len();
            let scale = 1.0 / (n_inputs as f64).sqrt();
            let weights = (0..width * n_inputs).map(|_| self.weight(scale, &mut random)).collect();
            let lean = if last { self.lean } else { 0.5 };
            let biases = (0..width).map(|_| self.weight(lean, &mut random)).collect();
            layers.push(Layer::new(n_inputs, weights, biases).unwrap());
            n_inputs = width;
        }
        case.plan = Plan::new(schema, Network::new(layers).unwrap(), belief, Rules::default()).unwrap();
        case
    }

    /// Where a share of the people have exactly the same score for two labels, rounding decides about all of them at
    /// once: quarters as weights make such ties, and so do columns without variance, which follow from fewer people
    /// than columns.
    fn without_ties(self) -> Self {
        let weights = if self.recipe.weights == Weights::Dyadic { Weights::Normal } else { self.recipe.weights };
        NetworkRecipe { recipe: Recipe { sample: 60, weights, ..self.recipe }, ..self }
    }

    fn weight(&self, scale: f64, random: &mut Pcg64Mcg) -> f64 {
        match self.recipe.weights {
            // Quarters: sums are exact, and bounds are often the same in size.
            Weights::Dyadic => (below(random, 9) as f64 - 4.0) / 4.0,
            Weights::Sparse => scale * normal(random) * below(random, 2) as f64 * 1.5,
            _ => scale * normal(random) * 1.5,
        }
    }
}

fn certified(selector: Selector) -> Rules {
    Rules { budget: 10_000_000, ..rules(0.0, selector) }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let selectors = vec![Selector::Decisive, Selector::Importance, Selector::Random, Selector::FScore];
    let delta = prop::sample::select(vec![0.02, 0.1, 0.3]);
    let estimate = prop::sample::select(vec![Estimate::Taylor, Estimate::Qmc]);
    (prop::sample::select(selectors), 0..4, delta, estimate).prop_map(|(selector, kind, delta, estimate)| match kind {
        0 | 1 => certified(selector),
        2 => Rules { test: Test::Sampled, samples: 300, ..certified(selector) },
        _ => Rules { delta, estimate, ..certified(selector) },
    })
}

fn certificate(plan: &Plan, answers: &[Answer]) -> Certificate {
    ended(plan, answers, &[false]).certificate().expect("nothing was declined")
}

fn declines() -> impl Strategy<Value = Vec<bool>> {
    prop::collection::vec(prop::bool::weighted(0.15), 8)
}

fn refutation(plan: &Plan, certificate: &Certificate) -> Option<Refutation> {
    match verify(plan, certificate) {
        Err(VerifyError::Refuted(refutation)) => Some(refutation),
        Ok(_) => None,
        Err(other) => panic!("{other}"),
    }
}

/// A value of the domain; every second one a vertex.
fn draw_answer(domain: Domain, random: &mut Pcg64Mcg) -> Vec<f64> {
    let vertex = below(random, 2) == 1;
    match domain {
        Domain::Interval if vertex => vec![[-1.0, 1.0][below(random, 2)]],
        Domain::Interval => vec![2.0 * unit(random) - 1.0],
        Domain::Grid { points } => {
            let index = if vertex { [0, points - 1][below(random, 2)] } else { below(random, points) };
            vec![-1.0 + 2.0 * (index as f64 / (points - 1) as f64)]
        }
        Domain::OneOf { levels } => {
            let level = below(random, levels);
            (0..levels).map(|other| f64::from(u8::from(other == level))).collect()
        }
        Domain::OrMissing { .. } if below(random, 3) == 0 => MISSING.to_vec(),
        Domain::OrMissing { points } => {
            let numbers = points.map_or(Domain::Interval, |points| Domain::Grid { points });
            vec![draw_answer(numbers, random)[0] / 2.0; 2]
        }
    }
}

/// Whether what a certificate calls proved is true, as far as many draws can tell: every person who answers as stated
/// has the label, by at least the margin stated, if everything rests on bounds.
fn is_proved_by_draws(plan: &Plan, certificate: &Certificate) -> bool {
    let schema = plan.schema();
    let Some(label) = schema.target().classes.iter().position(|class| *class == certificate.label) else {
        return false;
    };
    let mut person = vec![0.0; schema.n_columns()];
    let mut known = vec![false; schema.questions().len()];
    for stated in certificate.public.iter().chain(&certificate.revealed) {
        let id = schema.find(&stated.question).unwrap();
        schema.encode(id, &schema.question(id).accept(&stated.answer).unwrap(), &mut person).unwrap();
        known[id.index()] = true;
    }
    let proof = certificate.proof.as_ref().expect("it was accepted");
    let n_rivals = schema.target().classes.len() - 1;
    let only_bounds = proof.parts.len() == 1 && proof.parts[0].beaten.len() == n_rivals;
    let mut random = Pcg64Mcg::seed_from_u64(7);
    (0..DRAWS).all(|_| {
        for id in schema.ids().filter(|id| !known[id.index()]) {
            person[schema.columns(id)].copy_from_slice(&draw_answer(schema.question(id).domain(), &mut random));
        }
        let margin = smallest_margin(plan, label, &person);
        let least = certificate.worst_margin.filter(|_| only_bounds).unwrap_or(0.0);
        plan.model().label(&person) == Label::new(label) && margin >= least - 1e-9 * (1.0 + least)
    })
}

/// The smallest margin of a label over its rivals at one person.
fn smallest_margin(plan: &Plan, label: usize, person: &[f64]) -> f64 {
    let mut scores = vec![0.0; plan.model().n_scores()];
    plan.model().scores(person, &mut scores);
    match (&scores[..], label) {
        ([score], 0) => -score,
        ([score], _) => *score,
        (scores, _) => {
            let rivals = (0..scores.len()).filter(|rival| *rival != label);
            rivals.map(|rival| scores[label] - scores[rival]).fold(f64::INFINITY, f64::min)
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn the_certificate_of_a_session_is_accepted(
        recipe in network_recipe(1..=6),
        rules in any_rules(),
        declines in declines(),
    ) {
        let recipe = if rules.delta > 0.0 { recipe.without_ties() } else { recipe };
        let mut case = recipe.build();
        let answers = case.answers();
        let session = ended(&case.with(rules), &answers, &declines);
        let Some(certificate) = session.certificate() else { return Ok(()) };
        let written = serde_json::to_string(&certificate).unwrap();
        let read: Certificate = serde_json::from_str(&written).unwrap();
        // The one who checks has the plan from a file, not the memory of the one who asked.
        let verified = verify(&recipe.build().plan, &read);
        prop_assert!(verified.is_ok(), "{verified:?} {:?}", certificate.guarantee);
        let Next::Done(decision) = session.next() else { return Err(TestCaseError::fail("certified but not done")) };
        let verified = verified.unwrap();
        prop_assert_eq!((verified.label, verified.guarantee), (decision.label, decision.guarantee));
        prop_assert_eq!(certificate.proof.is_some(), decision.guarantee == Guarantee::Proved);
        if decision.guarantee == Guarantee::Proved {
            prop_assert!(is_proved_by_draws(&case.plan, &certificate));
        }
    }

    #[test]
    fn the_certificate_of_answers_outside_their_domain_is_accepted(recipe in network_recipe(2..=5)) {
        let mut case = recipe.build().accepting_outside();
        let outside = |answer| match answer {
            Answer::Number(value) => Answer::Number(3.0 * value + 20.0),
            other => other,
        };
        let answers: Vec<Answer> = case.answers().into_iter().map(outside).collect();
        let certificate = certificate(&case.with(certified(Selector::Decisive)), &answers);
        let verified = verify(&case.plan, &certificate);
        prop_assert!(verified.is_ok(), "{verified:?}");
    }

    /// What is said of the label is checked before the questions are: a certificate refused only for its questions has
    /// passed.
    #[test]
    fn a_changed_proof_is_accepted_only_if_what_it_says_is_true(
        recipe in network_recipe(2..=6),
        changes in prop::collection::vec(tampering(), 12),
    ) {
        let mut case = recipe.build();
        let (answers, other) = (case.answers(), case.answers());
        let plan = case.with(certified(Selector::Decisive));
        let certificate = certificate(&plan, &answers);
        for change in changes {
            let Some(changed) = tamper(&plan, &certificate, change, &other) else { continue };
            if matches!(verify(&plan, &changed), Ok(_) | Err(VerifyError::Refuted(Refutation::OtherQuestions))) {
                prop_assert!(is_proved_by_draws(&plan, &changed), "{change:?}");
            }
        }
    }

    /// The other direction: these changes make something in the certificate false, whatever the network.
    #[test]
    fn changes_that_make_a_proof_false_are_all_refused(recipe in network_recipe(2..=6), place in 0usize..64) {
        let mut case = recipe.build();
        let (answers, other) = (case.answers(), case.answers());
        let plan = case.with(certified(Selector::Decisive));
        let certificate = certificate(&plan, &answers);
        let always = [
            Tampering::OtherLabel(place),
            Tampering::ProofStripped,
            Tampering::PartDropped(place),
            Tampering::PartTwice(place),
            Tampering::CutWithGap(place),
            Tampering::CutThatOverlaps(place),
            Tampering::BoundTwice(place),
            Tampering::MarginNotANumber(place),
            Tampering::OnAdded(place, 9, 0),
            Tampering::OnAdded(place, 0, 99),
            Tampering::WorstMarginRaised,
            Tampering::WorstMarginDropped,
        ];
        for change in always {
            let Some(changed) = tamper(&plan, &certificate, change, &other) else { continue };
            prop_assert!(verify(&plan, &changed).is_err(), "{change:?} is accepted");
        }
    }
}

/// `bias + weight max(one + other, 0)` with two questions that are answered no or yes.
fn two_booleans(weight: f64, bias: f64) -> Plan {
    let schema = Schema::new(target(2), vec![Question::boolean("one"), Question::boolean("other")]).unwrap();
    let layers = [Layer::new(2, vec![1.0, 1.0], vec![0.0]), Layer::new(1, vec![weight], vec![bias])];
    let network = Network::new(layers.map(Result::unwrap).to_vec()).unwrap();
    let people = [vec![1.0, -1.0], vec![-1.0, 1.0], vec![1.0, 1.0]];
    Plan::new(schema, network, moments(&people), certified(Selector::Importance)).unwrap()
}

/// A score of exactly zero has label 1, but no bound shows it: such points are evaluated one by one.
#[test]
fn single_points_are_evaluated() {
    for (weight, bias, least) in [(-0.5, 1.0, Some(1.0)), (0.0, 0.0, None)] {
        let plan = two_booleans(weight, bias);
        let certificate = certificate(&plan, &[Answer::Boolean(true), Answer::Boolean(true)]);
        assert_eq!((certificate.guarantee, certificate.revealed.len()), (Guarantee::Proved, 0));
        assert_eq!(certificate.worst_margin.map(f64::round), least);
        assert_eq!(refutation(&plan, &certificate), None);
        let other = if least.is_none() { Some(0.0) } else { None };
        let stated = Certificate { worst_margin: other, ..certificate.clone() };
        assert_eq!(refutation(&plan, &stated), Some(Refutation::OtherMargin));
        let mut uncut = certificate.clone();
        uncut.proof = Some(Proof { parts: vec![ProofPart { narrowed: false, beaten: Vec::new(), cut: None }] });
        let rival = "class 0".to_owned();
        assert_eq!(refutation(&plan, &uncut), Some(Refutation::NotBeaten { part: 1, rival }));
        let mut other_label = Certificate { label: "class 0".to_owned(), ..certificate };
        let beaten = other_label.proof.iter_mut().flat_map(|proof| &mut proof.parts).flat_map(|part| &mut part.beaten);
        beaten.for_each(|beaten| beaten.class = "class 1".to_owned());
        assert!(matches!(refutation(&plan, &other_label), Some(Refutation::NotBeaten { .. })));
    }
}

#[test]
fn a_proof_belongs_to_what_is_proved_about_a_network() {
    let plan = tents();
    let original = tents_certificate(&plan);
    let stripped = Certificate { proof: None, worst_margin: None, ..original.clone() };
    assert_eq!(refutation(&plan, &stripped), Some(Refutation::NoProof));
    let with_margin = Certificate { proof: None, ..original.clone() };
    assert_eq!(refutation(&plan, &with_margin), Some(Refutation::NoProof));
    let with_probability = Certificate { probability: Some(1.0), ..original.clone() };
    assert_eq!(refutation(&plan, &with_probability), Some(Refutation::Numbers));
    for guarantee in [Guarantee::Complete, Guarantee::Sampled, Guarantee::Probable] {
        let other = Certificate { guarantee, ..original.clone() };
        assert_eq!(refutation(&plan, &other), Some(Refutation::Numbers), "{guarantee:?}");
    }
    let mut case = numbers(2, 2, 3).build();
    let answers = case.answers();
    let linear = ended(&case.plan, &answers, &[false]).certificate().unwrap();
    let linear = Certificate { guarantee: Guarantee::Proved, worst_margin: Some(0.1), proof: original.proof, ..linear };
    assert_eq!(refutation(&case.plan, &linear), Some(Refutation::Numbers));
}

/// Nothing is proved by samples: they are drawn again, under the rules and the seed stated.
#[test]
fn samples_are_accepted_only_where_the_rules_take_them_and_the_draws_agree() {
    let plan =
        tents().with_rules(Rules { test: Test::Sampled, samples: 500, ..certified(Selector::Importance) }).unwrap();
    let sampled = certificate(&plan, &tents_answers());
    assert_eq!(sampled.guarantee, Guarantee::Sampled);
    let verified = verify(&plan, &sampled).unwrap();
    assert_eq!((verified.guarantee, verified.probability), (Guarantee::Sampled, None));
    let certified_rules = Rules { test: Test::Certified, ..sampled.rules };
    let other = Certificate { rules: certified_rules, ..sampled.clone() };
    assert_eq!(refutation(&plan, &other), Some(Refutation::NotSampled));
    let other = Certificate { rules: Rules { delta: 0.1, ..sampled.rules }, ..sampled.clone() };
    assert_eq!(refutation(&plan, &other), Some(Refutation::NotSampled));
    let other = Certificate { label: "class 0".to_owned(), ..sampled.clone() };
    assert_eq!(refutation(&plan, &other), Some(Refutation::OtherQuestions));
    let mut unasked = sampled.clone();
    unasked.never_asked.extend(unasked.revealed.drain(..).map(|stated| stated.question));
    assert_eq!(refutation(&plan, &unasked), Some(Refutation::OtherQuestions));
    let other = Certificate { guarantee: Guarantee::Proved, ..sampled };
    assert_eq!(refutation(&plan, &other), Some(Refutation::NoProof));
}

#[test]
fn a_complete_answer_sheet_has_the_models_label() {
    let plan = tents();
    // 2.5 less the three tents, each of them 1 for these answers: whichever is still open, it decides.
    let answers =
        [Answer::Number(0.0), Answer::Number(-0.14), Answer::Number(0.0), Answer::Number(2.0), Answer::Level(2)];
    let complete = certificate(&plan, &answers);
    assert_eq!(complete.guarantee, Guarantee::Complete);
    assert_eq!(refutation(&plan, &complete), None);
    let other = if complete.label == "class 0" { "class 1" } else { "class 0" };
    let changed = Certificate { label: other.to_owned(), ..complete };
    assert_eq!(refutation(&plan, &changed), Some(Refutation::NotComplete));
}

/// Both estimates, with the probability stated and with another.
#[test]
fn a_probability_that_is_not_the_one_stated_is_refused() {
    for estimate in [Estimate::Taylor, Estimate::Qmc] {
        let plan = tents().with_rules(Rules { delta: 0.3, estimate, ..certified(Selector::Importance) }).unwrap();
        let probable = certificate(&plan, &tents_answers());
        assert_eq!(probable.guarantee, Guarantee::Probable, "{estimate}");
        let verified = verify(&plan, &probable).unwrap();
        let stated = probable.probability.unwrap();
        assert!((verified.probability.unwrap() - stated).abs() < 0.02);
        for wrong in [stated - 0.1, 2.0, f64::NAN] {
            let changed = Certificate { probability: Some(wrong), ..probable.clone() };
            assert_eq!(refutation(&plan, &changed), Some(Refutation::NotProbable), "{estimate} {wrong}");
        }
        let missing = Certificate { probability: None, ..probable.clone() };
        assert_eq!(refutation(&plan, &missing), Some(Refutation::Numbers));
        let strict = Rules { delta: 1e-3, ..probable.rules };
        assert!(verify(&plan, &Certificate { rules: strict, ..probable }).is_err(), "{estimate}");
    }
}

/// With one look no tent is settled. That follows from the rules and the answers: a certificate under such rules does
/// not pass for one under better ones, which would have stopped earlier.
#[test]
fn tests_that_ran_out_of_budget_are_seen_again() {
    let plan = tents().with_rules(Rules { budget: 1, ..certified(Selector::Importance) }).unwrap();
    let original = certificate(&plan, &tents_answers());
    assert!(!verify(&plan, &original).unwrap().out_of_budget.is_empty());
    let better = Rules { budget: Rules::default().budget, ..original.rules };
    let changed = Certificate { rules: better, ..original };
    assert_eq!(refutation(&plan, &changed), Some(Refutation::OtherQuestions));
}

/// Only what a clock is said to have cut short is believed, and it must have been asked there.
#[test]
fn a_step_said_to_be_cut_short_is_named_and_must_fit() {
    let plan = tents().with_rules(certified(Selector::Importance)).unwrap();
    let answers = tents_answers();
    let public = public_answers(&plan, &answers);
    let mut session =
        Session::start_within(&plan, &public, TimeLimit { clock: || Duration::ZERO, each: Duration::ZERO }).unwrap();
    while let Next::Ask { question, .. } = session.next() {
        session.answer(question, answers[question.index()].clone()).unwrap();
    }
    let late = session.certificate().expect("nothing was declined");
    assert!(!late.out_of_time.is_empty());
    assert_eq!(verify(&plan, &late).unwrap().out_of_time, late.out_of_time);
    let untold = Certificate { out_of_time: Vec::new(), ..late.clone() };
    assert_eq!(refutation(&plan, &untold), Some(Refutation::OtherQuestions));
    let never = StepOutOfTime { after: 99, ..late.out_of_time[0].clone() };
    let unknown = StepOutOfTime { after: 0, asked: "?".to_owned() };
    for wrong in [never, unknown] {
        let out_of_time = late.out_of_time.iter().cloned().chain([wrong]).collect();
        let changed = Certificate { out_of_time, ..late.clone() };
        assert_eq!(refutation(&plan, &changed), Some(Refutation::OtherQuestions));
    }
}

/// Neither an error's words nor its `Debug` show an answer or a number that one could be worked out from.
#[test]
fn errors_show_no_values() {
    let plan = tents();
    let original = tents_certificate(&plan);
    let mut shown = String::new();
    for change in [
        Tampering::OtherLabel(0),
        Tampering::ProofStripped,
        Tampering::PartDropped(0),
        Tampering::CutWithGap(0),
        Tampering::LevelAdded(0, 9),
        Tampering::BoundTwice(0),
        Tampering::MarginRaised(1, 0.5),
        Tampering::WorstMarginRaised,
        Tampering::OtherAnswer(0),
        Tampering::RevealedWasNeverAsked(0),
    ] {
        let other = [0.3125, -0.484375, 0.5, 3.0].map(Answer::Number);
        let changed = tamper(&plan, &original, change, &[&other[..], &[Answer::Level(1)]].concat()).unwrap();
        let error = verify(&plan, &changed).unwrap_err();
        shown.push_str(&format!("{error} {error:?} {changed:?}\n"));
    }
    let margins = original.proof.iter().flat_map(|proof| &proof.parts).flat_map(|part| &part.beaten);
    let values = margins.map(|beaten| beaten.margin).chain([0.3125, 0.078125, -0.484375]);
    for value in values.filter(|value| value.fract() != 0.0) {
        assert!(!shown.contains(&value.to_string()), "{value} in {shown}");
    }
}
