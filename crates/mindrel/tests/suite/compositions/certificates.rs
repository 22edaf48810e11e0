//! Certificates about compositions: what is made holds, what was changed does not.

use mindrel::Certificate;
use mindrel::core_test::Guarantee;
use mindrel::plan::Rules;
use mindrel::proof::ProofCut;
use mindrel::selector::Selector;
use mindrel::session::Next;
use mindrel::verify::verify;

use super::*;

/// One thing changed in a proof.
#[derive(Debug, Clone, Copy)]
enum Change {
    Cut,
    CutWithGap,
    CutThatOverlaps,
    Part,
    Bound,
    Margin,
    Class,
    Unit,
    Prices,
    Label,
}

/// The certificate with one thing changed; nothing where there is nothing of the kind.
fn changed(certificate: &Certificate, change: Change, classes: usize) -> Option<Certificate> {
    let mut changed = certificate.clone();
    let proof = changed.proof.as_mut()?;
    let cut_part = proof.parts.iter().position(|part| part.cut.is_some());
    let beaten_part = proof.parts.iter().position(|part| !part.beaten.is_empty());
    match change {
        Change::Cut => proof.parts[cut_part?].cut = None,
        Change::CutWithGap | Change::CutThatOverlaps => {
            let ProofCut::Number { low, high, .. } = proof.parts[cut_part?].cut.as_mut()? else { return None };
            *high = if matches!(change, Change::CutWithGap) { high.next_up() } else { *low };
        }
        Change::Part => drop(proof.parts.pop()),
        Change::Bound => {
            // A part with one point would rest on its label alone.
            let [whole] = &mut proof.parts[..] else { return None };
            drop(whole.beaten.pop()?);
        }
        Change::Margin => {
            let margin = &mut proof.parts[beaten_part?].beaten[0].margin;
            *margin += 1e-3 * margin.abs().max(1.0);
        }
        Change::Class => proof.parts[beaten_part?].beaten[0].class = certificate.label.clone(),
        Change::Unit => proof.parts[beaten_part?].beaten[0].on.push((0, 0)),
        Change::Prices => proof.parts[beaten_part?].beaten[0].sweeps = 1,
        Change::Label => {
            let other = (0..classes).map(|class| format!("class {class}")).find(|class| *class != certificate.label);
            changed.label = other?;
        }
    }
    Some(changed)
}

fn change() -> impl Strategy<Value = Change> {
    use Change::*;
    prop::sample::select(vec![Cut, CutWithGap, CutThatOverlaps, Part, Bound, Margin, Class, Unit, Prices, Label])
}

proptest! {
    #![proptest_config(cases(400))]

    /// Every certificate that is made holds, whatever the composition, the selector, δ and what is declined.
    #[test]
    fn every_certificate_that_is_made_is_found_true(
        recipe in composed_recipe(2..=4, 1..=5),
        belief in beliefs(),
        selector in selector(),
        delta in prop::sample::select(vec![0.0, 0.0, 0.05, 0.25]),
        declines in prop::collection::vec(prop::bool::weighted(0.1), 5),
    ) {
        let mut case = Recipe { belief, ..recipe }.build();
        let plan = case.with(Rules { budget: 1_000_000, ..rules(delta, selector) });
        let answers = case.answers();
        let session = ended(&plan, &answers, &declines);
        if let Next::Done(decision) = session.next() {
            let certificate = session.certificate().expect("a decision has a certificate");
            prop_assert_eq!(certificate.proof.is_some(), decision.guarantee == Guarantee::Proved);
            let verified = verify(&plan, &certificate);
            prop_assert!(verified.is_ok(), "{:?}", verified);
        }
    }

    /// A proof with one thing changed is none any more.
    #[test]
    fn a_certificate_with_one_thing_changed_is_refused(recipe in composed_recipe(2..=4, 2..=5), change in change()) {
        let mut case = recipe.build();
        let plan = case.with(Rules { budget: 1_000_000, ..rules(0.0, Selector::Importance) });
        let answers = case.answers();
        let session = ended(&plan, &answers, &[false]);
        let certificate = session.certificate().expect("nothing is declined");
        if let Some(changed) = changed(&certificate, change, recipe.n_classes) {
            prop_assert!(verify(&plan, &changed).is_err());
        }
    }
}
