//! What selectors ask next, against brute force [TF23, Eqs (2)-(4), App. D].

use crate::common::*;
use mindrel::math::normal::{binary_entropy, cdf};
use mindrel::model::Model;
use mindrel::plan::{Plan, Rules};
use mindrel::schema::{QuestionId, Schema};
use mindrel::selector::Selector;
use mindrel::session::Walk;
use nalgebra::DVector;
use proptest::prelude::*;

/// Half-width, in standard deviations, and number of points of the grid that integrates over a question's value. The
/// integrand is smooth on the scale of a standard deviation, and what lies beyond nine of them has mass 1e-19.
const GRID_HALF_WIDTH: f64 = 9.0;
const GRID_POINTS: usize = 4001;

/// Two expected entropies closer than this are a tie that rounding may break either way.
const ENTROPY_TIE: f64 = 1e-9;

/// An estimated entropy is off by more than this many of its standard errors with probability 2e-9.
const SIGMAS: f64 = 6.0;

/// The moments of a binary model's score given what is known, and for one open number `x` those of `x` and how the
/// score moves with it, by the direct formula [TF23, Props 3-4].
struct Channel {
    mean: f64,
    variance: f64,
    deviation_of_x: f64,
    covariance: f64,
}

impl Channel {
    fn new(walk: &Walk, person: &[f64], question: QuestionId) -> Self {
        let plan = walk.plan();
        let (known, open) = columns_by_knowledge(plan.schema(), &known_questions(walk));
        let (mut mean, covariance) = direct_condition(gaussian_of(plan), &known, person);
        for &column in &known {
            mean[column] = person[column];
        }
        let weights = DVector::from_column_slice(linear(plan).weights(0));
        let open_weights =
            DVector::from_fn(weights.len(), |column, _| if open.contains(&column) { weights[column] } else { 0.0 });
        let moved = &covariance * &open_weights;
        let column = plan.schema().columns(question).start;
        Channel {
            mean: linear(plan).intercept(0) + weights.dot(&mean),
            variance: open_weights.dot(&moved),
            deviation_of_x: covariance[(column, column)].max(0.0).sqrt(),
            covariance: moved[column],
        }
    }

    /// The entropy of the label once `x` is known to lie so many of its standard deviations from its mean.
    fn entropy_at(&self, deviations: f64) -> f64 {
        let signal = if self.deviation_of_x > 0.0 { self.covariance / self.deviation_of_x } else { 0.0 };
        let rest = (self.variance - signal * signal).max(0.0);
        let mean = self.mean + signal * deviations;
        binary_entropy(if rest > 0.0 { cdf(mean / rest.sqrt()) } else { f64::from(u8::from(mean >= 0.0)) })
    }

    fn entropy_now(&self) -> f64 {
        binary_entropy(cdf(self.mean / self.variance.sqrt()))
    }

    /// Mean and variance over `x` of the entropy of the label: minus the f-score [TF23, Eq. (3)], and the square of
    /// what one draw of Eq. (4) is off by.
    fn expected_entropy(&self) -> (f64, f64) {
        let step = 2.0 * GRID_HALF_WIDTH / (GRID_POINTS - 1) as f64;
        let (mut total, mut first, mut second) = (0.0, 0.0, 0.0);
        for point in 0..GRID_POINTS {
            let at = -GRID_HALF_WIDTH + step * point as f64;
            let (weight, entropy) = ((-0.5 * at * at).exp(), self.entropy_at(at));
            total += weight;
            first += weight * entropy;
            second += weight * entropy * entropy;
        }
        let mean = first / total;
        (mean, (second / total - mean * mean).max(0.0))
    }
}

/// A plan of numbers whose costs are all one; every question is open.
fn first_question(plan: &Plan, person: &[f64], seed: u64) -> Option<QuestionId> {
    asking(&begun(plan, person, seed))
}

/// The first plans of numbers, and a person of each, that are not settled at once.
fn undecided_cases(n_questions: usize, count: usize) -> Vec<(Case, Vec<f64>)> {
    (0..)
        .map(|seed| {
            let mut case = numbers(2, n_questions, seed).build();
            let person = case.person();
            (case, person)
        })
        .filter(|(case, person)| first_question(&case.plan, person, 0).is_some())
        .take(count)
        .collect()
}

/// The plan with one question's cost multiplied.
fn with_cost(plan: &Plan, id: QuestionId, factor: f64) -> Plan {
    let mut questions = plan.schema().questions().to_vec();
    questions[id.index()].cost *= factor;
    let schema = Schema::new(plan.schema().target().clone(), questions).expect("a sound schema");
    Plan::new(schema, plan.model().clone(), gaussian_of(plan).clone(), *plan.rules()).expect("a sound plan")
}

proptest! {
    #![proptest_config(cases(150))]

    /// [TF23, Eqs (2)-(3)] by brute force: the closed form asks for what the integral says, at every step of the walk.
    #[test]
    fn f_score_asks_for_the_least_expected_entropy(n_questions in 2usize..=6, seed in any::<u64>()) {
        let mut case = numbers(2, n_questions, seed).build();
        prop_assume!(smallest_eigenvalue(gaussian_of(&case.plan)) > 1e-5);
        let person = case.person();
        let mut walk = begun(&case.with(rules(0.0, Selector::FScore)), &person, 0);
        while let Some(asked) = asking(&walk) {
            let known = known_questions(&walk);
            let entropy = |id: QuestionId| Channel::new(&walk, &person, id).expected_entropy().0;
            let least = case.plan.schema().ids().filter(|id| !known[id.index()]).map(entropy).fold(f64::INFINITY, f64::min);
            prop_assert!(entropy(asked) <= least + ENTROPY_TIE, "{} is not {least}", entropy(asked));
            walk.reveal(&person);
        }
    }

    /// Knowing more never makes the label less certain on average [TF23, Prop. 2, which states it for every value].
    #[test]
    fn entropy_falls_in_expectation(n_questions in 2usize..=5, seed in any::<u64>()) {
        let mut case = numbers(2, n_questions, seed).build();
        let person = case.person();
        let walk = begun(&case.with(rules(0.0, Selector::FScore)), &person, 0);
        for id in case.plan.schema().ids() {
            let channel = Channel::new(&walk, &person, id);
            prop_assert!(channel.expected_entropy().0 <= channel.entropy_now() + ENTROPY_TIE);
        }
    }

    #[test]
    fn importance_asks_for_the_largest_weights_first(recipe in recipe(2..=5, 1..=7)) {
        let mut case = recipe.build();
        let person = case.person();
        let asked = questions_asked(&case.with(rules(0.0, Selector::Importance)), &person, 0);
        let model = linear(&case.plan);
        let norm = |id: &QuestionId| {
            let columns = case.plan.schema().columns(*id);
            let rows = (0..model.n_scores()).flat_map(|score| &model.weights(score)[columns.clone()]);
            rows.map(|weight| weight * weight).sum::<f64>().sqrt()
        };
        prop_assert!(asked.windows(2).all(|pair| norm(&pair[0]) >= norm(&pair[1])));
        let mut open = case.plan.sensitive().iter().filter(|id| !asked.contains(id));
        prop_assert!(open.all(|id| asked.iter().all(|earlier| norm(earlier) >= norm(id))));
    }

    /// At δ > 0 and two classes, the question that explains most variance is also the most decisive.
    #[test]
    fn decisive_is_the_f_score_for_two_classes_and_a_positive_delta(recipe in recipe(2..=2, 1..=7), delta in 0.001f64..0.2) {
        let mut case = recipe.build();
        let person = case.person();
        let asked = |selector: Selector| questions_asked(&case.with(rules(delta, selector)), &person, 0);
        prop_assert_eq!(asked(Selector::Decisive), asked(Selector::FScore));
    }

    /// Everything but one question's cost the same: it is asked no earlier, and what is asked before it stays.
    #[test]
    fn a_dearer_question_can_only_move_back(
        recipe in recipe(2..=3, 2..=6),
        selector in selector(),
        delta in prop::sample::select(vec![0.0, 0.05]),
        place in any::<prop::sample::Index>(),
        factor in prop::sample::select(vec![1.5, 2.0, 10.0]),
    ) {
        let mut case = recipe.build();
        prop_assume!(!case.plan.sensitive().is_empty());
        let person = case.person();
        let plan = case.with(rules(delta, selector));
        let id = plan.sensitive()[place.index(plan.sensitive().len())];
        let before = questions_asked(&plan, &person, 1);
        let after = questions_asked(&with_cost(&plan, id, factor), &person, 1);
        let unchanged = before.iter().position(|asked| *asked == id).unwrap_or(before.len());
        prop_assert!(after.len() >= unchanged);
        prop_assert_eq!(&after[..unchanged], &before[..unchanged], "{:?} became dearer", id);
    }
}

#[test]
fn random_repeats_itself_and_picks_every_question() {
    let (case, person) = undecided_cases(6, 1).remove(0);
    let plan = case.with(rules(0.0, Selector::Random));
    let mut seen = [0usize; 6];
    for seed in 0..600 {
        let first = first_question(&plan, &person, seed).expect("not settled at once");
        assert_eq!(first_question(&plan, &person, seed), Some(first));
        assert_eq!(questions_asked(&plan, &person, seed), questions_asked(&plan, &person, seed));
        seen[first.index()] += 1;
    }
    // Each is drawn 100 times on average, with a standard deviation of 9.1; the seeds are fixed.
    assert!(seen.iter().all(|count| (45..=155).contains(count)), "{seen:?}");
}

/// Where the best expected entropy leads the second by more than six standard errors of the difference of two
/// estimates, the draws find it too. 400 plans and 4 numbers of draws: chance of failing by luck below 400 · 4 · 5 ·
/// 1e-9 < 1e-5, had once, since everything is seeded.
#[test]
fn f_score_by_draws_agrees_with_the_closed_form_where_draws_can_tell() {
    let mut agreed = [0usize; 4];
    let numbers_of_draws = [10, 100, 1_000, 10_000];
    let all = undecided_cases(5, 400);
    for (case, person) in &all {
        let exact = begun(&case.with(rules(0.0, Selector::FScore)), person, 0);
        let asked = asking(&exact).expect("not settled at once");
        let scores: Vec<(QuestionId, (f64, f64))> =
            case.plan.schema().ids().map(|id| (id, Channel::new(&exact, person, id).expected_entropy())).collect();
        let (best, best_variance) = scores[asked.index()].1;
        for (place, draws) in numbers_of_draws.into_iter().enumerate() {
            let rules = Rules { draws, ..rules(0.0, Selector::FScoreMc) };
            let drawn = first_question(&case.with(rules), person, 1).expect("not settled at once");
            agreed[place] += usize::from(drawn == asked);
            let (entropy, variance) = scores[drawn.index()].1;
            let error = ((best_variance + variance) / draws as f64).sqrt();
            assert!(
                entropy - best <= SIGMAS * error + ENTROPY_TIE,
                "{draws} draws ask for {entropy} instead of {best} ± {error}"
            );
        }
    }
    // Shares of agreement; the standard error of each is below 0.025.
    let share = agreed.map(|count| count as f64 / all.len() as f64);
    assert!(share.windows(2).all(|pair| pair[1] >= pair[0] - 0.05), "{share:?}");
    assert!(share[3] >= 0.9, "{share:?}");
    assert!(share[3] > share[0], "{share:?}");
}

/// Selectors see only what is known: whatever the unrevealed values are, the question is the same.
#[test]
fn the_question_does_not_depend_on_what_is_not_known() {
    for seed in 0..60 {
        let recipe = Recipe {
            questions: vec![
                (Shape::Number, true),
                (Shape::OneHot(3), false),
                (Shape::Number, false),
                (Shape::Boolean, false),
                (Shape::Number, false),
                (Shape::Ordinal(4), false),
            ],
            ..numbers(2 + seed as usize % 3, 0, seed)
        };
        let mut case = recipe.build();
        for selector in Selector::ALL {
            for delta in [0.0, 0.05] {
                let plan = case.with(rules(delta, selector));
                let (one, other) = (case.person(), case.person());
                // The second person has the first one's known values, and others everywhere else.
                let mixed = |known: &dyn Fn(QuestionId) -> bool| {
                    let mut mixed = other.clone();
                    for columns in plan.schema().ids().filter(|id| known(*id)).map(|id| plan.schema().columns(id)) {
                        mixed[columns.clone()].copy_from_slice(&one[columns]);
                    }
                    mixed
                };
                let is_public = |id: QuestionId| !plan.sensitive().contains(&id);
                let mut walks = [begun(&plan, &one, 9), begun(&plan, &mixed(&is_public), 9)];
                assert_eq!(walks[0].stage(), walks[1].stage(), "{selector}, delta {delta}, seed {seed}");
                while let Some(asked) = asking(&walks[0]) {
                    let known = known_questions(&walks[0]);
                    let mixed = mixed(&|id: QuestionId| known[id.index()] || id == asked);
                    walks[0].reveal(&one);
                    walks[1].reveal(&mixed);
                    assert_eq!(walks[0].stage(), walks[1].stage(), "{selector}, delta {delta}, seed {seed}");
                }
            }
        }
    }
}
