//! Certificates with one thing changed.

use super::*;

/// One thing changed in a proved certificate.
#[derive(Debug, Clone, Copy)]
pub enum Tampering {
    OtherLabel(usize),
    OtherAnswer(usize),
    RevealedWasNeverAsked(usize),
    ProofOfSomebodyElse,
    ProofStripped,
    PartDropped(usize),
    PartTwice(usize),
    PartsReversed,
    HalvesSwapped(usize),
    CutDropped(usize),
    CutMoved(usize, f64),
    CutWithGap(usize),
    CutThatOverlaps(usize),
    CutOfAnotherQuestion(usize, usize),
    MissingOnTheOtherSide(usize),
    LevelLeftOut(usize),
    LevelAdded(usize, usize),
    BoundDropped(usize),
    BoundTwice(usize),
    BoundOfAnotherClass(usize, usize),
    MarginRaised(usize, f64),
    MarginLowered(usize, f64),
    MarginNotANumber(usize),
    OnEmptied(usize),
    OnAdded(usize, usize, usize),
    WorstMarginRaised,
    WorstMarginDropped,
}

pub fn tampering() -> impl Strategy<Value = Tampering> {
    use Tampering::*;
    let place = || 0usize..64;
    prop_oneof![
        1 => place().prop_map(OtherLabel),
        3 => place().prop_map(OtherAnswer),
        3 => place().prop_map(RevealedWasNeverAsked),
        2 => Just(ProofOfSomebodyElse),
        1 => Just(ProofStripped),
        1 => place().prop_map(PartDropped),
        1 => place().prop_map(PartTwice),
        1 => Just(PartsReversed),
        1 => place().prop_map(HalvesSwapped),
        1 => place().prop_map(CutDropped),
        1 => (place(), -1.2..1.2f64).prop_map(|(place, to)| CutMoved(place, to)),
        1 => place().prop_map(CutWithGap),
        1 => place().prop_map(CutThatOverlaps),
        1 => (place(), place()).prop_map(|(place, other)| CutOfAnotherQuestion(place, other)),
        1 => place().prop_map(MissingOnTheOtherSide),
        1 => place().prop_map(LevelLeftOut),
        1 => (place(), place()).prop_map(|(place, level)| LevelAdded(place, level)),
        2 => place().prop_map(BoundDropped),
        1 => place().prop_map(BoundTwice),
        1 => (place(), place()).prop_map(|(place, class)| BoundOfAnotherClass(place, class)),
        2 => (place(), 0.0..2.0f64).prop_map(|(place, by)| MarginRaised(place, by)),
        1 => (place(), 0.0..1.0f64).prop_map(|(place, to)| MarginLowered(place, to)),
        1 => place().prop_map(MarginNotANumber),
        1 => place().prop_map(OnEmptied),
        1 => (place(), 0usize..4, 0usize..9).prop_map(|(place, layer, unit)| OnAdded(place, layer, unit)),
        1 => Just(WorstMarginRaised),
        1 => Just(WorstMarginDropped),
    ]
}

fn pick(place: usize, count: usize) -> Option<usize> {
    (count > 0).then(|| place % count)
}

/// One of the parts that have something.
fn part_with(proof: &mut Proof, place: usize, has: impl Fn(&ProofPart) -> bool) -> Option<&mut ProofPart> {
    let places: Vec<usize> = (0..proof.parts.len()).filter(|&part| has(&proof.parts[part])).collect();
    let place = places[pick(place, places.len())?];
    Some(&mut proof.parts[place])
}

fn bound(proof: &mut Proof, place: usize) -> Option<&mut Beaten> {
    let part = part_with(proof, place, |part| !part.beaten.is_empty())?;
    let last = part.beaten.len();
    part.beaten.get_mut(place % last)
}

fn cut(proof: &mut Proof, place: usize, has: impl Fn(&ProofCut) -> bool) -> Option<&mut ProofCut> {
    part_with(proof, place, |part| part.cut.as_ref().is_some_and(&has))?.cut.as_mut()
}

pub fn is_number(cut: &ProofCut) -> bool {
    matches!(cut, ProofCut::Number { .. })
}

/// Where the subtree of a part ends.
pub fn end_of(proof: &Proof, part: usize) -> usize {
    let (mut next, mut open) = (part, 1);
    while open > 0 {
        open = open + 2 * usize::from(proof.parts[next].cut.is_some()) - 1;
        next += 1;
    }
    next
}

/// The certificate with one thing changed; nothing where there is nothing to change. The worst margin follows the
/// bounds.
pub fn tamper(plan: &Plan, original: &Certificate, tampering: Tampering, other: &[Answer]) -> Option<Certificate> {
    use Tampering::*;
    let schema = plan.schema();
    let mut changed = original.clone();
    let proof = changed.proof.as_mut()?;
    match tampering {
        OtherLabel(place) => {
            changed.label = schema.target().classes[pick(place, schema.target().classes.len())?].clone()
        }
        OtherAnswer(place) => {
            let place = pick(place, changed.revealed.len())?;
            changed.revealed[place] = stated(schema, &changed.revealed[place].question, other);
        }
        RevealedWasNeverAsked(place) => {
            let removed = changed.revealed.remove(pick(place, changed.revealed.len())?);
            changed.never_asked.push(removed.question);
        }
        ProofOfSomebodyElse => *proof = certificate(plan, other).proof?,
        ProofStripped => changed.proof = None,
        _ => change_parts(schema, proof, tampering)?,
    }
    if let Some(proof) = &changed.proof {
        changed.worst_margin = Some(proof.margin()).filter(|margin| margin.is_finite());
    }
    match tampering {
        WorstMarginRaised => changed.worst_margin = Some(changed.worst_margin? + 0.5),
        WorstMarginDropped => changed.worst_margin = changed.worst_margin?.is_nan().then_some(0.0),
        _ => {}
    }
    (changed != *original).then_some(changed)
}

/// Which parts there are, and in what order.
fn change_parts(schema: &Schema, proof: &mut Proof, tampering: Tampering) -> Option<()> {
    use Tampering::*;
    match tampering {
        PartDropped(place) => {
            proof.parts.remove(pick(place, proof.parts.len())?);
        }
        PartTwice(place) => {
            let place = pick(place, proof.parts.len())?;
            proof.parts.insert(place, proof.parts[place].clone());
        }
        PartsReversed => proof.parts.reverse(),
        HalvesSwapped(place) => {
            let places: Vec<usize> = (0..proof.parts.len()).filter(|&part| proof.parts[part].cut.is_some()).collect();
            let first = places[pick(place, places.len())?] + 1;
            let second = end_of(proof, first);
            let end = end_of(proof, second);
            proof.parts[first..end].rotate_left(second - first);
        }
        _ => change_cuts(schema, proof, tampering)?,
    }
    Some(())
}

/// How the parts are cut.
fn change_cuts(schema: &Schema, proof: &mut Proof, tampering: Tampering) -> Option<()> {
    use Tampering::*;
    match tampering {
        CutDropped(place) => part_with(proof, place, |part| part.cut.is_some())?.cut = None,
        CutMoved(place, to) => {
            if let ProofCut::Number { low, high, .. } = cut(proof, place, is_number)? {
                (*low, *high) = (to, to);
            }
        }
        CutWithGap(place) => {
            if let ProofCut::Number { low, .. } = cut(proof, place, is_number)? {
                *low -= 1e-3;
            }
        }
        CutThatOverlaps(place) => {
            if let ProofCut::Number { low, high, .. } = cut(proof, place, is_number)? {
                std::mem::swap(low, high);
                *low += 1e-3;
            }
        }
        CutOfAnotherQuestion(place, other) => {
            let (ProofCut::Number { question, .. }
            | ProofCut::OrMissing { question, .. }
            | ProofCut::Levels { question, .. }) = cut(proof, place, |_| true)?;
            *question = schema.questions()[pick(other, schema.questions().len())?].name.clone();
        }
        MissingOnTheOtherSide(place) => {
            let is_or_missing = |cut: &ProofCut| matches!(cut, ProofCut::OrMissing { .. });
            if let ProofCut::OrMissing { missing_first, .. } = cut(proof, place, is_or_missing)? {
                *missing_first = !*missing_first;
            }
        }
        LevelLeftOut(place) => {
            if let ProofCut::Levels { first, .. } = cut(proof, place, |cut| matches!(cut, ProofCut::Levels { .. }))? {
                first.remove(pick(place, first.len())?);
            }
        }
        LevelAdded(place, level) => {
            if let ProofCut::Levels { first, .. } = cut(proof, place, |cut| matches!(cut, ProofCut::Levels { .. }))? {
                first.push(format!("level {level}"));
            }
        }
        _ => change_bounds(schema, proof, tampering)?,
    }
    Some(())
}

/// What is said to be beaten in them.
fn change_bounds(schema: &Schema, proof: &mut Proof, tampering: Tampering) -> Option<()> {
    use Tampering::*;
    match tampering {
        BoundDropped(place) => {
            let part = part_with(proof, place, |part| !part.beaten.is_empty())?;
            part.beaten.remove(place % part.beaten.len());
        }
        BoundTwice(place) => {
            let part = part_with(proof, place, |part| !part.beaten.is_empty())?;
            part.beaten.push(part.beaten[0].clone());
        }
        BoundOfAnotherClass(place, class) => {
            bound(proof, place)?.class = schema.target().classes[pick(class, schema.target().classes.len())?].clone();
        }
        MarginRaised(place, by) => bound(proof, place)?.margin *= 1.0 + by,
        MarginLowered(place, to) => bound(proof, place)?.margin *= to,
        MarginNotANumber(place) => bound(proof, place)?.margin = [f64::NAN, f64::INFINITY, -f64::INFINITY][place % 3],
        OnEmptied(place) => bound(proof, place)?.on.clear(),
        OnAdded(place, layer, unit) => bound(proof, place)?.on.push((layer, unit)),
        _ => {}
    }
    Some(())
}

fn stated(schema: &Schema, name: &str, answers: &[Answer]) -> Stated {
    let id = schema.find(name).expect("the certificate names questions");
    let question = schema.question(id);
    Stated { question: question.name.clone(), answer: question.state(&answers[id.index()]) }
}
