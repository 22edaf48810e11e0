//! Certificates about tree ensembles: what is made holds, what was changed does not.

use mindrel::Certificate;
use mindrel::proof::ProofCut;
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
    TooManyPrices,
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
        // Above a cut the halves may show as much by themselves; an end rests on its bounds.
        Change::Bound => {
            let end = proof.parts.iter_mut().find(|part| part.cut.is_none() && !part.beaten.is_empty());
            drop(end?.beaten.pop());
        }
        Change::Margin => proof.parts[beaten_part?].beaten[0].margin += 1.0,
        Change::Class => proof.parts[beaten_part?].beaten[0].class = certificate.label.clone(),
        Change::Unit => proof.parts[beaten_part?].beaten[0].on.push((0, 0)),
        Change::Prices | Change::TooManyPrices => {
            let mut beaten = proof.parts.iter_mut().flat_map(|part| &mut part.beaten);
            let raised = beaten.find(|beaten| beaten.sweeps > 0)?;
            raised.sweeps = if matches!(change, Change::Prices) { 0 } else { u32::MAX };
        }
        Change::Label => {
            let other = (0..classes).map(|class| format!("class {class}")).find(|class| *class != certificate.label);
            changed.label = other?;
        }
    }
    Some(changed)
}

fn change() -> impl Strategy<Value = Change> {
    use Change::*;
    prop::sample::select(vec![
        Cut,
        CutWithGap,
        CutThatOverlaps,
        Part,
        Bound,
        Margin,
        Class,
        Unit,
        Prices,
        TooManyPrices,
        Label,
    ])
}

fn delta() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![0.0, 0.0, 0.05, 0.25])
}

proptest! {
    #![proptest_config(cases(600))]

    /// Every certificate that is made holds, whatever the ensemble, the selector, δ and what is declined.
    #[test]
    fn every_certificate_that_is_made_is_found_true(
        recipe in tree_recipe(2..=4, 1..=5),
        belief in beliefs(),
        selector in selector(),
        delta in delta(),
        declines in prop::collection::vec(prop::bool::weighted(0.1), 5),
    ) {
        let mut case = Recipe { belief, ..recipe }.build();
        let plan = case.with(rules(delta, selector));
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
    fn a_certificate_with_one_thing_changed_is_refused(recipe in tree_recipe(2..=4, 2..=5), change in change()) {
        let mut case = recipe.build();
        let plan = case.with(rules(0.0, Selector::Importance));
        let answers = case.answers();
        let session = ended(&plan, &answers, &[false]);
        let certificate = session.certificate().expect("nothing is declined");
        if let Some(changed) = changed(&certificate, change, recipe.n_classes) {
            prop_assert!(verify(&plan, &changed).is_err());
        }
    }
}
