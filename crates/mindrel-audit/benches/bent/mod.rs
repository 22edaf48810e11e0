//! Generated people whose classes no line separates, certified tests of models of them, and whole sessions.

use std::hint::black_box;
use std::time::{Duration, Instant};

use mindrel::core_test::Budget;
use mindrel::optimal::{Verdict, certify};
use mindrel::schema::{Question, Target};
use mindrel::session::Walk;
use mindrel::{Label, People, Plan, Rules, Schema};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

pub const COLUMNS: usize = 16;
pub const SENSITIVE: usize = 8;
pub const OPEN: usize = 5;
pub const PEOPLE: usize = 2_000;

/// A plan and the people to ask under it.
pub type Case = (Plan, People);

/// People whose columns share five hidden causes, and whose class depends on them in a non-linear way.
pub fn people(count: usize, random: &mut Pcg64Mcg) -> People {
    let mut normal = || -> f64 { StandardNormal.sample(random) };
    let loadings: Vec<f64> = (0..COLUMNS * 5).map(|_| normal()).collect();
    let mut people = People::new(COLUMNS);
    for line in 0..count {
        let causes: Vec<f64> = (0..5).map(|_| normal()).collect();
        let noise = normal();
        let row = people.push(line as u64);
        for (column, value) in row.iter_mut().enumerate() {
            let shared: f64 = causes.iter().zip(&loadings[column * 5..]).map(|(cause, loading)| cause * loading).sum();
            *value = (0.12 * shared + 0.15 * normal()).clamp(-1.0, 1.0);
        }
        let bent = row[0] - row[9] + 2.0 * row[1] * row[2] + (row[3] + row[10]).abs() - 0.5 * row[4] + row[11];
        people.set_label(Some(Label::new(usize::from(bent + 0.1 * noise > 0.3))));
    }
    people
}

/// The first of some people to fit a model to, and the others to ask.
pub fn split(people: &People, n_fitted: usize) -> (People, People) {
    let is_fitted = |line: u64| line < n_fitted as u64;
    (people.filter(|person| is_fitted(person.line)), people.filter(|person| !is_fitted(person.line)))
}

/// The questions about these people.
pub fn schema() -> Schema {
    let question = |column: usize| {
        let question = Question::number(format!("column {column}"), -1.0, 1.0);
        if column < SENSITIVE { question } else { question.public() }
    };
    let target = Target::new("label", "", ["no", "yes"]);
    Schema::new(target, (0..COLUMNS).map(question).collect()).expect("the questions are sound")
}

/// The sensitive questions that are not open, drawn at random.
fn revealed(random: &mut Pcg64Mcg) -> Vec<usize> {
    let mut places: Vec<usize> = (0..SENSITIVE).collect();
    for place in 0..SENSITIVE - OPEN {
        places.swap(place, place + (random.next_u64() % (SENSITIVE - place) as u64) as usize);
    }
    places.truncate(SENSITIVE - OPEN);
    places
}

/// The times of certified tests, one for each person.
pub struct TestTimes {
    /// In microseconds, ascending.
    pub times: Vec<f64>,
    /// How many sets were core.
    pub n_core: usize,
    /// How many tests ran out of budget.
    pub n_undecided: usize,
}

impl TestTimes {
    pub fn of(cases: &[Case], budget: impl Fn(&Plan) -> Budget) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(7);
        let mut measured = TestTimes { times: Vec::new(), n_core: 0, n_undecided: 0 };
        for (plan, people) in cases {
            for person in people.iter() {
                let revealed = revealed(&mut random);
                let start = Instant::now();
                let verdict = black_box(certify(plan, person.columns, &revealed, budget(plan)));
                measured.times.push(start.elapsed().as_secs_f64() * 1e6);
                measured.n_core += usize::from(matches!(verdict, Verdict::Core(_)));
                measured.n_undecided += usize::from(verdict == Verdict::OutOfBudget);
            }
        }
        measured.times.sort_by(f64::total_cmp);
        measured
    }
}

pub fn quantile(times: &[f64], share: f64) -> f64 {
    times[((times.len() - 1) as f64 * share) as usize]
}

/// Whole sessions per second, and their mean number of questions.
pub fn sessions(cases: &[Case], rules: Rules, most: usize) -> (f64, f64) {
    let (mut asked, mut count) = (0, 0);
    let mut time = Duration::ZERO;
    for (plan, people) in cases {
        let plan = plan.with_rules(rules).expect("the rules can be followed");
        let mut walk = Walk::new(&plan);
        let start = Instant::now();
        for person in people.iter().take(most) {
            black_box(walk.decide(person.columns, person.line));
            asked += walk.n_revealed();
            count += 1;
        }
        time += start.elapsed();
    }
    (f64::from(count) / time.as_secs_f64(), asked as f64 / f64::from(count))
}
