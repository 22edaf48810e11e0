//! Networks at δ = 0 with 7 and 12 sensitive questions: how much `decisive` and `importance` ask, in one run.
//!
//! Sizes: the six tables of the evaluation, ordinal encoding, two hidden layers of 10; 24 draws of S (seeds 100 to
//! 123), 100 held-out people each. Times are summed over the cores.
//!
//! Run with `cargo bench -p mindrel-audit --bench network_leakage`.

use mindrel::schema::Encoding;
use mindrel::{Rules, Selector};
use mindrel_audit::{Run, audit};
use mindrel_testing::{DATA_SETS, Trained, data_folder};

const DRAWS: u64 = 24;
const PEOPLE: usize = 100;
const SELECTORS: [Selector; 2] = [Selector::Decisive, Selector::Importance];

/// Means over all draws of S.
#[derive(Default, Clone, Copy)]
struct Means {
    leakage: f64,
    milliseconds: f64,
    out_of_budget: f64,
}

fn measure(trained: &Trained, n_sensitive: usize) -> [Means; 2] {
    let people = trained.held_out.spread(PEOPLE);
    let mut means = [Means::default(); 2];
    for draw in 0..DRAWS {
        let plan = trained.with_sensitive(n_sensitive, 100 + draw);
        let runs = SELECTORS.map(|selector| {
            Run::asking(&plan, Rules { selector, ..Rules::default() }).expect("the rules can be followed")
        });
        let outcome = audit(&plan, &runs, std::iter::once(Ok::<_, ()>(people.clone())), Ok).expect("nothing can fail");
        for (mean, run) in means.iter_mut().zip(&outcome.runs) {
            mean.leakage += run.leakage / DRAWS as f64;
            mean.milliseconds += 1e3 * run.seconds / PEOPLE as f64 / DRAWS as f64;
            mean.out_of_budget += run.undecided_budget / DRAWS as f64;
        }
    }
    means
}

#[expect(clippy::print_stdout, reason = "the figures are what this is for")]
fn main() {
    let Some(folder) = data_folder("the leakage of networks") else { return };
    println!("| data set, sensitive | decisive | importance | ms a session | met a budget |");
    println!("| --- | --- | --- | --- | --- |");
    for name in DATA_SETS {
        let trained = Trained::network_on(&folder.join(name).with_extension("csv"), Encoding::Ordinal, 1);
        for n_sensitive in [7, 12] {
            if n_sensitive > trained.plan.schema().questions().len() {
                continue;
            }
            let [decisive, importance] = measure(&trained, n_sensitive);
            println!(
                "| {name}, {n_sensitive} | {:.4} | {:.4} | {:.2}, {:.2} | {:.2} %, {:.2} % |",
                decisive.leakage,
                importance.leakage,
                decisive.milliseconds,
                importance.milliseconds,
                100.0 * decisive.out_of_budget,
                100.0 * importance.out_of_budget
            );
        }
    }
}
