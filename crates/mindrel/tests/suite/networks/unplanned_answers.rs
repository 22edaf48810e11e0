//! Answers outside the domain, and answers that are declined.

use super::*;

/// A revealed value outside its domain is known and enters the network as it is; the label is right, and a proof holds
/// for everybody whose open answers lie within theirs.
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
