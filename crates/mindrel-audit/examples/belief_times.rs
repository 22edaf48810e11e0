//! The paper's tables 1 and 2: how long each belief takes to train, and to decide with about the test set [TF23, App. D].
//!
//! Logistic regression on 70 % of each table, columns ordinal as the paper's feature counts imply, 5 sensitive questions drawn with a
//! seed, f-score at δ = 0 on the held-out 30 %. Prints minutes, as the paper does, and beside them the paper's own.
//!
//! Run with `make tables`, which looks for the evaluation data as the tests do; it takes some ten minutes on two cores, most of them
//! for the 31 networks of each table. `quick` after `--` trains those for 3 epochs instead of 300 and multiplies their time, which is then too
//! long: what comes before the first epoch is multiplied with it.

use std::time::Instant;

use mindrel::schema::Encoding;
use mindrel::{People, Plan, Rules, Selector};
use mindrel_audit::{Run, audit};
use mindrel_testing::{Trained, data_folder};
use mindrel_train::Believer;
use mindrel_train::bayes::BayesOptions;
use mindrel_train::mixture::MixtureOptions;

/// The tables, and the paper's minutes: training and inference, of Bayesian networks and of a Gaussian.
const PAPER: [(&str, [f64; 2], [f64; 2]); 4] = [
    ("bank", [204.0, 0.01], [40.0, 15.0]),
    ("adult", [375.0, 0.02], [254.0, 78.0]),
    ("credit", [125.0, 0.02], [220.0, 66.0]),
    ("insurance", [90.0, 0.01], [34.0, 9.0]),
];

const SENSITIVE: usize = 5;

/// Epochs of `quick`.
const QUICK: usize = 3;

fn believers(quick: bool) -> Vec<(&'static str, Believer, f64)> {
    let published = BayesOptions::default();
    let epochs = if quick { QUICK } else { published.epochs };
    let each = BayesOptions { epochs, ..published };
    let factor = published.epochs as f64 / epochs as f64;
    vec![
        ("Gaussian", Believer::Gaussian, 1.0),
        ("mixture", Believer::Mixture(MixtureOptions::default()), 1.0),
        ("copula", Believer::Copula, 1.0),
        ("Bayesian NN, one for all sets", Believer::BayesNn(BayesOptions::amortised()), 1.0),
        ("Bayesian NN, one for each set", Believer::BayesNnPerSet(each), factor),
    ]
}

fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// Seconds of all cores together for deciding about people by the f-score at δ = 0.
fn seconds_of_deciding(plan: &Plan, people: &People) -> f64 {
    let rules = Rules { selector: Selector::FScore, ..Rules::default() };
    let runs = [Run::asking(plan, rules).expect("the rules can be followed")];
    let report = audit(plan, &runs, std::iter::once(Ok::<_, ()>(people.clone())), Ok).expect("nothing can fail");
    report.runs[0].seconds
}

#[expect(clippy::print_stdout, reason = "an example prints what it finds")]
fn main() {
    let quick = std::env::args().any(|argument| argument == "quick");
    let Some(folder) = data_folder("belief_times") else { return };
    println!("minutes, {SENSITIVE} sensitive questions, delta 0, f-score");
    println!("{:<10} {:<30} {:>10} {:>10} {:>12} {:>12}", "", "", "training", "inference", "paper: tr.", "paper: inf.");
    for (table, training, inference) in PAPER {
        let trained = Trained::on(&folder.join(format!("{table}.csv")), Encoding::Ordinal, 1);
        let gaussian = trained.with_sensitive(SENSITIVE, 1);
        for (name, believer, factor) in believers(quick) {
            let (plan, fitting) = seconds(|| trained.with_belief(&gaussian, &believer));
            let deciding = seconds_of_deciding(&plan, &trained.held_out);
            let published = match believer {
                Believer::Gaussian => Some(1),
                Believer::BayesNnPerSet(_) => Some(0),
                _ => None,
            };
            let show = |minutes: &[f64; 2]| published.map_or("-".to_owned(), |place| minutes[place].to_string());
            println!(
                "{table:<10} {name:<30} {:>10.4} {:>10.4} {:>12} {:>12}",
                factor * fitting / 60.0,
                deciding / 60.0,
                show(&training),
                show(&inference)
            );
        }
    }
}
