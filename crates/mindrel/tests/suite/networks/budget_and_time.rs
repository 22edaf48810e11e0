//! Tests that run out of budget or of time.

use super::*;

/// With one look for each test fewer sets are proved, more is asked, and the label is as right.
#[test]
fn a_budget_of_one_look_asks_for_more_and_is_never_wrong() {
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
    assert!(ran_out >= 20, "only {ran_out} tests needed more than one look");
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
            late.limit_time(TimeLimit { clock: stopped, each: Duration::ZERO });
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
            timed.limit_time(TimeLimit { clock: stopped, each: Duration::from_secs(1) });
            assert_eq!(timed.decide(&person, 0).0, label);
            assert_eq!(timed.revealed_places(), patient.revealed_places(), "{selector}, seed {seed}");
        }
    }
}
