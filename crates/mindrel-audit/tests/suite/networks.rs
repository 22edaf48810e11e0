//! What must hold for networks on every data set of the evaluation [TF23, §6.3, App. D]: two hidden layers of 10,
//! ordinal encoding.
//!
//! `cargo test -p mindrel-audit --test suite networks -- --nocapture` prints the tables of docs/leakage.md.

use mindrel::core_test::Test;
use mindrel::schema::Encoding;
use mindrel::{People, Plan, Rules, Selector};
use mindrel_audit::{AuditOutcome, Run, RunOutcome, audit};
use mindrel_testing::{DATA_SETS, Trained, data_folder};

/// The seed of split and training; draws of S have the seeds 100, 101, …
const SEED: u64 = 1;

fn report(plan: &Plan, people: &People, rules: &[Rules]) -> AuditOutcome {
    let mut runs: Vec<Run> = rules.iter().map(|&rules| Run::asking(plan, rules).expect("sound rules")).collect();
    runs.push(Run::optimal(plan));
    audit(plan, &runs, std::iter::once(Ok::<_, ()>(people.clone())), Ok).expect("nothing can fail")
}

fn selecting(selector: Selector) -> Rules {
    Rules { selector, ..Rules::default() }
}

/// With five sensitive questions, a certified decision is the model's own for everybody within the domain, no test
/// runs out of budget, and no rule asks for less than the optimum. The sampled test, next to it, promises nothing.
#[test]
#[expect(clippy::print_stdout, reason = "the table is what this is for")]
fn at_delta_zero_the_certified_test_flips_nobody_on_any_data_set() {
    let Some(folder) = data_folder("at_delta_zero_the_certified_test_flips_nobody_on_any_data_set") else { return };
    println!("| data set | certified: leakage, flips | sampled, 1,000 draws: leakage, flips | optimal |");
    println!("| --- | --- | --- | --- |");
    for name in DATA_SETS {
        let trained = Trained::network_on(&folder.join(name).with_extension("csv"), Encoding::Ordinal, SEED);
        let people = trained.held_out.spread(200);
        // Certified, sampled, optimal.
        let mut sums = [[0.0; 2]; 3];
        for draw in 0..4 {
            let plan = trained.with_sensitive(5, 100 + draw);
            // Fewer draws than published, so that there is something to see; it is the same test.
            let sampled = Rules { test: Test::Sampled, samples: 1_000, ..Rules::default() };
            let report = report(&plan, &people, &[Rules::default(), sampled]);
            let [certified, sampled, optimal] = &report.runs[..] else { panic!("three runs") };
            assert_eq!((certified.flips, certified.undecided_budget, certified.sampled), (0.0, 0.0, 0.0), "{name}");
            assert_eq!(certified.certified, 1.0, "{name}");
            assert_eq!(sampled.guarantees.proved, 0.0, "{name}: nothing sampled is called proved");
            assert!(sampled.sampled > 0.0, "{name}");
            assert!(optimal.leakage <= certified.leakage, "{name}");
            for (sum, run) in sums.iter_mut().zip([certified, sampled, optimal]) {
                sum[0] += run.leakage / 4.0;
                sum[1] += run.flips / 4.0;
            }
        }
        let [certified, sampled, optimal] = sums;
        println!(
            "| {name} | {:.3}, {:.1} % | {:.3}, {:.1} % | {:.3} |",
            certified[0],
            100.0 * certified[1],
            sampled[0],
            100.0 * sampled[1],
            optimal[0]
        );
    }
}

/// With eight sensitive questions nobody of any data set is left undecided under the default budget, whatever is
/// asked first.
#[test]
fn with_eight_questions_no_test_runs_out_of_budget_on_any_data_set() {
    let Some(folder) = data_folder("with_eight_questions_no_test_runs_out_of_budget_on_any_data_set") else { return };
    for name in DATA_SETS {
        let trained = Trained::network_on(&folder.join(name).with_extension("csv"), Encoding::Ordinal, SEED);
        let people = trained.held_out.spread(400);
        for draw in 0..4 {
            let plan = trained.with_sensitive(8, 100 + draw);
            let rules = [Selector::Decisive, Selector::Importance, Selector::Random].map(selecting);
            for run in report(&plan, &people, &rules).runs {
                assert_eq!((run.flips, run.undecided_budget), (0.0, 0.0), "{name}, {}", run.rule);
            }
        }
    }
}

/// Mean leakage at δ = 0 with seven sensitive questions: decisive is within a tenth of the optimum on bank and
/// credit, and well below the f-score everywhere.
#[test]
#[expect(clippy::print_stdout, reason = "the table is what this is for")]
fn decisive_is_near_the_optimum_for_networks() {
    const DRAWS: u64 = 24;
    const PEOPLE: usize = 100;
    let Some(folder) = data_folder("decisive_is_near_the_optimum_for_networks") else { return };
    let selectors = [Selector::FScore, Selector::ImportanceLogistic, Selector::Importance, Selector::Decisive];
    println!("| data set, 7 sensitive | f-score | importance-logistic | importance | decisive | optimal |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for name in DATA_SETS {
        let trained = Trained::network_on(&folder.join(name).with_extension("csv"), Encoding::Ordinal, SEED);
        let people = trained.held_out.spread(PEOPLE);
        let mut leakage = [0.0; 5];
        for draw in 0..DRAWS {
            let plan = trained.with_sensitive(7, 100 + draw);
            let report = report(&plan, &people, &selectors.map(selecting));
            for run in &report.runs {
                assert_eq!((run.certified, run.flips, run.undecided_budget), (1.0, 0.0, 0.0), "{name}, {}", run.rule);
            }
            let mean = |run: &RunOutcome| run.leakage / DRAWS as f64;
            leakage.iter_mut().zip(&report.runs).for_each(|(sum, run)| *sum += mean(run));
        }
        let cells: Vec<String> = leakage.iter().map(|value| format!("{value:.3}")).collect();
        println!("| {name} | {} |", cells.join(" | "));
        let [f_score, published, importance, decisive, optimal] = leakage;
        assert!(optimal <= decisive && decisive < importance && decisive < published, "{name}");
        assert!(decisive < 0.95 * f_score, "{name}");
        if name == "bank" || name == "credit" {
            assert!(decisive <= 1.1 * optimal, "{name}: {decisive:.3} against {optimal:.3}");
            assert!(decisive < 0.8 * f_score, "{name}: {decisive:.3} against {f_score:.3}");
        }
    }
}
