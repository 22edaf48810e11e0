//! Calibrated plans keep their promises, whatever the belief; and an audit says when a belief does not keep its own.
//!
//! `cargo test -p mindrel-audit --test calibration -- --nocapture` prints the figures of docs/calibration.md.

use std::path::Path;

use mindrel::belief::GaussianBelief;
use mindrel::model::{LinearModel, Model};
use mindrel::plan::{Evidence, PlanParts};
use mindrel::schema::{Answer, Encoding, Question, Target};
use mindrel::session::{Answers, Next, Walk};
use mindrel::verify::{Refutation, VerifyError, verify};
use mindrel::{Certificate, People, Plan, Rules, Schema, Session};
use mindrel_audit::{
    Audit, AuditOutcome, CalibrationOptions, FixedSequence, PromiseVerdict, Run, SMALLEST_GROUP, THRESHOLDS, calibrate,
    group_confidence,
};
use mindrel_testing::{Trained, data_folder};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// What is promised in these tests.
const FLIPS: f64 = 0.02;
const CONFIDENCE: f64 = 0.95;

/// Splits of each data set, and how many of its people each calibrates on.
const SPLITS: u64 = 200;
const CALIBRATED_ON: usize = 1000;

/// Broken promises allowed for: of Binomial(200, 0.05), 22 or more have a chance of 5 · 10⁻⁴.
const MOST_BROKEN: usize = 21;

/// Ten columns that hang together, well within [−1, 1]: each has a standard deviation of 1/4.
fn covariance() -> Vec<f64> {
    let entry = |row: usize, column: usize| 0.0625 * 0.6f64.powi(row.abs_diff(column) as i32);
    (0..10).flat_map(|row| (0..10).map(move |column| entry(row, column))).collect()
}

/// Ten numbers, two of them public, and a linear model; the belief's covariance is the people's own divided by a
/// number.
fn gaussian_plan(overconfidence: f64) -> Plan {
    let questions = (0..10).map(|place| {
        let question = Question::number(format!("x{place}"), -1.0, 1.0);
        if place < 2 { question.public() } else { question }
    });
    let target = Target::new("label", "Yes or no?", ["no", "yes"]);
    let schema = Schema::new(target, questions.collect()).expect("sound questions");
    let weights = vec![0.4, -0.7, 1.0, -0.8, 0.7, 0.6, -0.5, 0.4, 0.3, -0.2];
    let model = LinearModel::new(10, weights, vec![0.1]).expect("a sound model");
    let covariance = covariance().iter().map(|value| value / overconfidence).collect();
    let belief = GaussianBelief::new(vec![0.0; 10], covariance).expect("a sound belief");
    Plan::new(schema, model, belief, Rules::default()).expect("they fit together")
}

/// People as the covariance has them: an autoregression of order one.
fn gaussian_people(count: usize, seed: u64) -> People {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut people = People::new(10);
    for line in 0..count {
        let columns = people.push(line as u64 + 2);
        let mut last = 0.0;
        for (place, column) in columns.iter_mut().enumerate() {
            let drawn: f64 = StandardNormal.sample(&mut random);
            last = if place == 0 { drawn } else { 0.6 * last + 0.8 * drawn };
            *column = 0.25 * last;
        }
    }
    people
}

/// The same plan with a belief whose covariance is divided by a number.
fn overconfident(plan: &Plan, by: f64) -> Plan {
    let parts = plan.to_parts();
    let n_columns = plan.schema().n_columns();
    let gaussian = parts.belief.gaussian().expect("one Gaussian").clone();
    let entry = |place: usize| gaussian.covariance().at(place / n_columns, place % n_columns) / by;
    let covariance = (0..n_columns * n_columns).map(entry).collect();
    let belief = GaussianBelief::new(gaussian.mean().to_vec(), covariance).expect("as sound as before");
    Plan::try_from(PlanParts { belief: belief.into(), ..parts }).expect("as sound as before")
}

/// For every person, whether each threshold flips them.
fn flips_of_everybody(plan: &Plan, people: &People) -> Vec<[bool; 30]> {
    let plans = THRESHOLDS.map(|delta| plan.with_rules(Rules { delta, ..*plan.rules() }).expect("sound rules"));
    let some = |chunk: usize| {
        let mut walks: Vec<Walk> = plans.iter().map(Walk::new).collect();
        let places = chunk * 100..people.len().min((chunk + 1) * 100);
        let flips = |place: usize| {
            let person = people.person(place).columns;
            let full = plan.model().label(person);
            let mut flipped = [false; 30];
            for (flip, walk) in flipped.iter_mut().zip(&mut walks) {
                *flip = walk.decide(person, 0).0 != full;
            }
            flipped
        };
        places.map(flips).collect::<Vec<[bool; 30]>>()
    };
    let chunks: Vec<Vec<[bool; 30]>> = (0..people.len().div_ceil(100)).into_par_iter().map(some).collect();
    chunks.concat()
}

fn count(flips: &[[bool; 30]], chosen: &[usize], threshold: usize) -> u64 {
    chosen.iter().filter(|&&place| flips[place][threshold]).count() as u64
}

/// The promises that splits of a data set break: of everybody in it, and of those that were not calibrated on.
struct Broken {
    everybody: usize,
    others: usize,
    mean_delta: f64,
    /// The flips of everybody at the mean split's threshold.
    mean_rate: f64,
}

/// Splits the people in two, calibrates on the one part and looks at the flips of the other; 200 times.
fn broken_promises(flips: &[[bool; 30]], confidence: f64) -> Broken {
    let mut broken = Broken { everybody: 0, others: 0, mean_delta: 0.0, mean_rate: 0.0 };
    let mut places: Vec<usize> = (0..flips.len()).collect();
    for seed in 0..SPLITS {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        for place in 0..CALIBRATED_ON {
            let rest = (places.len() - place) as u64;
            places.swap(place, place + (random.next_u64() % rest) as usize);
        }
        let (calibrated_on, others) = places.split_at(CALIBRATED_ON);
        let mut sequence = FixedSequence::new(FLIPS, confidence, CALIBRATED_ON as u64);
        let mut chosen = None;
        for (threshold, &delta) in THRESHOLDS.iter().enumerate() {
            sequence.test(delta, count(flips, calibrated_on, threshold));
            chosen = sequence.is_open().then_some(threshold).or(chosen);
        }
        // At δ = 0 nobody is flipped.
        let Some(threshold) = chosen else { continue };
        let rate = |people: &[usize]| count(flips, people, threshold) as f64 / people.len() as f64;
        broken.everybody += usize::from(rate(&places) > FLIPS);
        broken.others += usize::from(rate(others) > FLIPS);
        broken.mean_delta += THRESHOLDS[threshold] / SPLITS as f64;
        broken.mean_rate += rate(&places) / SPLITS as f64;
    }
    broken
}

/// Of 200 splits, no more break their promise than 5 % can by luck. With the data set as all the people there are,
/// each split breaks it with a chance of at most 5 %, so that this test fails by luck with a chance of at most 5 ·
/// 10⁻⁴ for each data set; seeds are fixed. The share among those not calibrated on is asserted alike: it differs
/// from everybody's by what the calibrated ones make up.
#[expect(clippy::print_stdout, reason = "the table is what this is for")]
fn check(name: &str, plan: &Plan, people: &People) -> Vec<[bool; 30]> {
    let flips = flips_of_everybody(plan, people);
    let Broken { everybody, others, mean_delta, mean_rate } = broken_promises(&flips, CONFIDENCE);
    let coin = broken_promises(&flips, 0.5);
    println!(
        "| {name} | {} | {mean_delta:.4} | {:.2} % | {everybody} | {others} | {} |",
        people.len(),
        100.0 * mean_rate,
        coin.others
    );
    assert!(everybody <= MOST_BROKEN && others <= MOST_BROKEN, "{name}: {everybody}, {others} of 200 are broken");
    flips
}

#[test]
fn promises_are_kept_with_a_belief_that_is_true() {
    let flips = check("Gaussian people, their own belief", &gaussian_plan(1.0), &gaussian_people(20_000, 1));
    // What a true belief promises is true: at δ, no more than about that share is flipped. Four standard deviations.
    for (threshold, delta) in THRESHOLDS.iter().enumerate() {
        let rate = flips.iter().filter(|flipped| flipped[threshold]).count() as f64 / flips.len() as f64;
        assert!(rate <= delta + 4.0 * (delta / flips.len() as f64).sqrt(), "{rate} at {delta}");
    }
}

/// At twice too sure some thresholds are still borne out, at ten times none is.
#[test]
fn promises_are_kept_with_a_belief_that_is_too_sure() {
    let people = gaussian_people(20_000, 2);
    check("Gaussian people, covariance / 2", &gaussian_plan(2.0), &people);
    check("Gaussian people, covariance / 10", &gaussian_plan(10.0), &people);
}

/// The tests above can fail: with the confidence of a coin, far more promises are broken than they allow for.
#[test]
fn with_less_confidence_more_promises_are_broken() {
    let flips = flips_of_everybody(&gaussian_plan(2.0), &gaussian_people(20_000, 2));
    assert!(broken_promises(&flips, 0.5).others > MOST_BROKEN);
}

/// Loan applications, of one-hot categories that are anything but Gaussian, all 4,454.
#[test]
fn promises_are_kept_on_loans() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mindrel-cli/data/loan.csv");
    let trained = Trained::on(&table, Encoding::Onehot, 1);
    let people = mindrel_testing::read_people(
        &mindrel_io::table::Table::at(&table).expect("the table is there"),
        trained.plan.schema(),
    );
    check("loan, one-hot", &trained.with_sensitive(8, 3), &people);
    check("loan, one-hot, covariance / 2", &overconfident(&trained.with_sensitive(8, 3), 2.0), &people);
    check("loan, one-hot, covariance / 10", &overconfident(&trained.with_sensitive(8, 3), 10.0), &people);
}

#[test]
fn promises_are_kept_on_bank_customers() {
    let Some(folder) = data_folder("promises_are_kept_on_bank_customers") else { return };
    let trained = Trained::on(&folder.join("bank.csv"), Encoding::Onehot, 1);
    let people = trained.held_out.spread(8000);
    let plan = trained.with_sensitive(10, 3);
    check("bank, one-hot", &plan, &people);
    check("bank, one-hot, covariance / 2", &overconfident(&plan, 2.0), &people);
    check("bank, one-hot, covariance / 10", &overconfident(&plan, 10.0), &people);
}

fn report(plan: &Plan, runs: &[Run], people: &People) -> AuditOutcome {
    // Every group is looked at, also the smallest.
    let audit = Audit::new(plan, runs).with_smallest_group(1);
    audit.run(std::iter::once(Ok::<_, ()>(people.clone())), Ok).expect("nothing can fail")
}

/// A true belief keeps what it promises, one that is too sure breaks it, and the report tells which. The chance of an
/// interval to miss is 5 % at most, and seeds are fixed.
#[test]
fn a_report_tells_a_true_belief_from_one_that_is_too_sure() {
    let people = gaussian_people(5000, 3);
    for (overconfidence, broken) in [(1.0, false), (10.0, true)] {
        let plan = gaussian_plan(overconfidence);
        let runs = [0.0, 0.05, 0.2].map(|delta| Run::asking(&plan, Rules::with_delta(delta)).expect("sound rules"));
        let report = report(&plan, &runs, &people);
        assert!(report.runs[0].calibration.is_none(), "a proof promises more than a share");
        for run in &report.runs[1..] {
            let calibration = run.calibration.as_ref().expect("the belief promises something");
            assert_eq!(run.belief, "gaussian");
            assert_eq!(calibration.promised, 1.0 - run.delta);
            assert_eq!(calibration.everybody.people, 5000);
            let observed = calibration.everybody.observed.expect("there are people");
            assert!((observed - (1.0 - run.flips)).abs() < 1e-12);
            assert!(calibration.everybody.lower <= observed && observed <= calibration.everybody.upper);
            assert!(calibration.probable.people <= 5000, "those that are proved are not among them");
            let flipped = |agreement: &mindrel_audit::Agreement| agreement.people - agreement.agreeing;
            assert_eq!(flipped(&calibration.everybody), flipped(&calibration.probable), "proofs flip nobody");
            assert_eq!(
                calibration.probable.verdict == PromiseVerdict::Broken,
                broken,
                "{overconfidence}: {calibration:?}"
            );
        }
    }
}

fn options(by: Option<&str>) -> CalibrationOptions {
    CalibrationOptions {
        flips: FLIPS,
        confidence: CONFIDENCE,
        by: by.map(str::to_owned),
        rules: Rules::default(),
        table: "a table".to_owned(),
        stopped_by: None,
    }
}

/// Calibration on a walk of its own is what the fixed sequence says about flips counted here.
#[test]
fn a_calibration_is_the_fixed_sequence_over_the_flips_there_are() {
    let (plan, people) = (gaussian_plan(3.0), gaussian_people(1500, 4));
    let flips = flips_of_everybody(&plan, &people);
    let everybody: Vec<usize> = (0..people.len()).collect();
    let mut sequence = FixedSequence::new(FLIPS, CONFIDENCE, 1500);
    THRESHOLDS.iter().enumerate().for_each(|(place, &delta)| sequence.test(delta, count(&flips, &everybody, place)));
    let expected = sequence.passed().expect("some threshold is borne out");
    let calibration = calibrate(&plan, &people, &options(None), &|_| ()).expect("it can be calibrated");
    let [group] = &calibration.groups[..] else { panic!("everybody is one group") };
    assert_eq!((group.delta, group.people), (expected.delta, Some(1500)));
    assert_eq!(group.evidence, Evidence::Table { flips: expected.flips, upper: expected.upper });
    let calibrated = plan.with_calibration(calibration).expect("it fits");
    assert_ne!(calibrated.fingerprint(), plan.fingerprint());
    let run = Run::calibrated(&calibrated).expect("it is calibrated");
    let report = report(&calibrated, &[run], &people);
    let found = report.runs[0].calibrated.as_ref().expect("the run is calibrated");
    assert_eq!((found.everybody.flipped, report.runs[0].delta), (expected.flips, expected.delta), "asked alike");
    assert!(report.runs[0].calibration.is_none() && Run::calibrated(&plan).is_none());
}

/// The loans, with a public category to tell groups apart.
fn loans() -> (Plan, People) {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mindrel-cli/data/loan.csv");
    let trained = Trained::on(&table, Encoding::Onehot, 1);
    let mut parts = trained.plan.to_parts();
    let mut questions = parts.schema.questions().to_vec();
    for question in questions.iter_mut().filter(|question| ["Home", "Amount"].contains(&question.name.as_str())) {
        question.visibility = mindrel::schema::Visibility::Public;
    }
    parts.schema = Schema::new(parts.schema.target().clone(), questions).expect("only visibilities changed");
    (Plan::try_from(parts).expect("only visibilities changed"), trained.held_out.clone())
}

/// Each group gets what it would alone, at the confidence it needs for all promises to hold together; too small ones
/// and levels that do not occur get δ = 0.
#[test]
fn every_group_has_its_own_threshold() {
    let (plan, people) = loans();
    let calibration = calibrate(&plan, &people, &options(Some("Home")), &|_| ()).expect("it can be calibrated");
    let id = plan.schema().find("Home").expect("a question");
    let question = plan.schema().question(id);
    let levels = question.levels().expect("it has levels");
    assert_eq!(calibration.groups.len(), levels.len());
    let member = |columns: &[f64]| question.level_of(&columns[plan.schema().columns(id)]).expect("a level");
    let tested = calibration.groups.iter().filter(|group| group.people.is_some_and(|people| people > 0)).count();
    let each = group_confidence(CONFIDENCE, tested);
    let mut fallen_back = 0;
    for (place, group) in calibration.groups.iter().enumerate() {
        assert_eq!(group.level.as_ref(), Some(&levels[place]));
        let members = people.filter(|person| member(person.columns) == place);
        let is_small = (1..SMALLEST_GROUP).contains(&(members.len() as u64));
        assert_eq!(group.people, (!is_small).then_some(members.len() as u64));
        if is_small || members.is_empty() {
            assert_eq!((group.delta, group.evidence), (0.0, Evidence::Proof));
            fallen_back += 1;
            continue;
        }
        let alone = CalibrationOptions { confidence: each, ..options(None) };
        let alone = calibrate(&plan, &members, &alone, &|_| ()).expect("it can be calibrated");
        assert_eq!((group.delta, group.evidence), (alone.groups[0].delta, alone.groups[0].evidence));
    }
    assert!(fallen_back < levels.len());
    let calibrated = plan.with_calibration(calibration.clone()).expect("it fits");
    for person in people.iter().take(50) {
        let rules = calibrated.calibrated_rules(person.columns).expect("it is calibrated");
        assert_eq!(rules.delta, calibration.groups[member(person.columns)].delta);
    }
    let found = report(&calibrated, &[Run::calibrated(&calibrated).expect("it is calibrated")], &people);
    let found = found.runs[0].calibrated.as_ref().expect("the run is calibrated");
    assert_eq!(found.groups.iter().map(|group| group.flips.people).sum::<u64>(), people.len() as u64);
    for (group, threshold) in found.groups.iter().zip(&calibration.groups) {
        let expected = match threshold.evidence {
            Evidence::Table { flips, .. } => flips,
            Evidence::Proof => 0,
        };
        assert_eq!((group.flips.flipped, group.delta), (expected, threshold.delta));
    }
}

/// Asks a person by the calibrated rules.
fn certificate(plan: &Plan, home: &str) -> Certificate {
    let public = Answers::parse(plan, [("Home", home), ("Amount", "1000")]).expect("public answers");
    let mut session = Session::start_calibrated(plan, &public).expect("a calibrated plan");
    while let Next::Ask { question, .. } = session.next() {
        let answer = match plan.schema().question(question).levels() {
            Some(levels) if levels == ["no", "yes"] => Answer::Boolean(false),
            Some(_) => Answer::Level(1),
            None => Answer::Number(40.0),
        };
        session.answer(question, answer).expect("an answer of its kind");
    }
    session.certificate().expect("a decision")
}

type Edit = fn(&mut Certificate);

#[test]
fn a_certificate_states_the_promise_and_a_changed_one_does_not_hold() {
    let (plan, people) = loans();
    let options = CalibrationOptions { flips: 0.05, ..options(Some("Home")) };
    let calibration = calibrate(&plan, &people, &options, &|_| ()).expect("it can be calibrated");
    let plan = plan.with_calibration(calibration.clone()).expect("it fits");
    for (home, level) in [("owner", 3), ("ignore", 1)] {
        let group = &calibration.groups[level];
        let good = certificate(&plan, home);
        let promise = good.calibration.clone().expect("it was calibrated");
        assert_eq!((promise.flips, promise.confidence, promise.people), (0.05, CONFIDENCE, calibration.people()));
        assert_eq!(promise.group.as_ref().map(|it| (it.level.as_str(), it.people)), Some((home, group.people)));
        assert_eq!((good.rules.delta, promise.proved), (group.delta, group.evidence == Evidence::Proof));
        verify(&plan, &good).expect("it holds");
        assert!(!format!("{good:?} {promise:?}").contains(home), "the level is an answer");
        let edits: [(&str, Edit); 7] = [
            ("flips", |it| it.calibration.as_mut().unwrap().flips = 0.01),
            ("confidence", |it| it.calibration.as_mut().unwrap().confidence = 0.99),
            ("people", |it| it.calibration.as_mut().unwrap().people += 1),
            ("group", |it| it.calibration.as_mut().unwrap().group = None),
            ("level", |it| it.calibration.as_mut().unwrap().group.as_mut().unwrap().level = "rent".to_owned()),
            ("proved", |it| {
                let promise = it.calibration.as_mut().unwrap();
                promise.proved = !promise.proved;
            }),
            ("declined", |it| it.declined.push(it.never_asked.pop().unwrap_or_default())),
        ];
        for (name, edit) in edits {
            let mut edited = good.clone();
            edit(&mut edited);
            let found = verify(&plan, &edited);
            let promised = VerifyError::Refuted(Refutation::OtherPromise);
            assert!(found == Err(promised) || name == "declined" && found.is_err(), "{name}: {found:?}");
        }
        let mut other_rules = good.clone();
        other_rules.rules.delta = 0.3;
        assert_eq!(verify(&plan, &other_rules), Err(VerifyError::Refuted(Refutation::OtherRules)));
        let mut unpromised = good.clone();
        unpromised.calibration = None;
        verify(&plan, &unpromised).expect("a decision holds without the promise, which is of many");
    }
}

#[test]
fn nothing_is_promised_to_those_who_decline() {
    let (plan, people) = loans();
    let calibration = calibrate(&plan, &people, &options(None), &|_| ()).expect("it can be calibrated");
    let calibrated = plan.with_calibration(calibration).expect("it fits");
    let public = Answers::parse(&plan, [("Home", "rent"), ("Amount", "1000")]).expect("public answers");
    let mut session = Session::start_calibrated(&calibrated, &public).expect("a calibrated plan");
    assert!(session.promise().is_some());
    let Next::Ask { question, .. } = session.next() else { panic!("something is asked") };
    session.decline(question).expect("it is being asked");
    assert!(session.promise().is_none());
    assert!(Session::start_calibrated(&plan, &public).is_err(), "without a calibration there is nothing to go by");
}
