//! One proof with every kind of cut, changed in one place after the other.

use super::*;

/// A tent over a sum `s`: `max(s + 1, 0) − 2 max(s, 0)` is 0 at −1 and 1, and 1 at 0. Lines from below see −1 and less
/// of its negative, so that a proof has to cut at 0.
fn tent(on: &[(usize, f64)], n_columns: usize) -> [(Vec<f64>, f64, f64); 2] {
    let mut weights = vec![0.0; n_columns];
    on.iter().for_each(|&(column, weight)| weights[column] = weight);
    [(weights.clone(), 1.0, -1.0), (weights, 0.0, 2.0)]
}

/// 5 decider + 3.2 − tent(number) − tent(whole) − tent(home own − home rent), with two columns that hardly count: the
/// score is at least
/// 0.2 once the decider is not negative, and a proof cuts a number, a grid and a category.
pub fn tents() -> Plan {
    let whole = Kind::Integer { lower: 0.0, upper: 4.0, missing: None };
    let questions = vec![
        Question::number("known", -1.0, 1.0).public(),
        Question::number("decider", -1.0, 1.0),
        Question::number("number", -1.0, 1.0),
        Question::new("whole", mindrel::schema::Visibility::Sensitive, whole),
        Question::category("home", ["own", "rent", "other"]),
    ];
    let schema = Schema::new(target(2), questions).unwrap();
    let n_columns = schema.n_columns();
    let row = |column: usize, weight: f64| {
        let mut weights = vec![0.0; n_columns];
        weights[column] = weight;
        weights
    };
    let mut units = vec![(row(1, 1.0), 1.0, 5.0), (row(0, 0.01), 1.0, 1.0)];
    units.extend(tent(&[(2, 1.0)], n_columns));
    units.extend(tent(&[(3, 1.0)], n_columns));
    units.extend(tent(&[(4, 1.0), (5, -1.0)], n_columns));
    let hidden = Layer::new(
        n_columns,
        units.iter().flat_map(|(weights, ..)| weights.clone()).collect(),
        units.iter().map(|(_, bias, _)| *bias).collect(),
    );
    let last = Layer::new(units.len(), units.iter().map(|(.., weight)| *weight).collect(), vec![3.2 - 6.0]);
    let network = Network::new(vec![hidden.unwrap(), last.unwrap()]).unwrap();
    let people = [
        vec![0.5, -0.5, 0.1, 0.5, 1.0, 0.0, 0.0],
        vec![-0.5, 0.25, 0.3, -1.0, 0.0, 1.0, 0.0],
        vec![0.1, 0.75, -0.9, 0.0, 0.0, 0.0, 1.0],
        vec![-0.2, -0.1, 0.4, 1.0, 1.0, 0.0, 0.0],
    ];
    Plan::new(schema, network, moments(&people), certified(Selector::Importance)).unwrap()
}

pub fn tents_answers() -> Vec<Answer> {
    vec![Answer::Number(0.3125), Answer::Number(0.078125), Answer::Number(0.5), Answer::Number(3.0), Answer::Level(0)]
}

/// The decider alone was asked, and the proof cuts all three other questions.
pub fn tents_certificate(plan: &Plan) -> Certificate {
    let certificate = certificate(plan, &tents_answers());
    assert_eq!((certificate.guarantee, certificate.revealed.len()), (Guarantee::Proved, 1));
    assert_eq!(refutation(plan, &certificate), None);
    certificate
}

/// The first part that is cut by a question, and its place in the proof, counted from one.
pub fn cut_of<'a>(certificate: &'a mut Certificate, name: &str) -> (&'a mut ProofCut, usize) {
    let parts = certificate.proof.as_mut().unwrap().parts.iter_mut().enumerate();
    let mut cuts = parts.filter_map(|(place, part)| Some((part.cut.as_mut()?, place + 1)));
    cuts.find(|(cut, _)| cut.question() == name).expect("the proof cuts it")
}

#[test]
fn a_cut_that_leaves_out_values_is_refused() {
    let plan = tents();
    let original = tents_certificate(&plan);
    for (name, wrong) in
        [("number", (-0.1, 0.1)), ("number", (0.1, -0.1)), ("number", (1.0, 1.0)), ("number", (-3.0, -3.0))]
    {
        let mut changed = original.clone();
        let (cut, part) = cut_of(&mut changed, name);
        *cut = ProofCut::Number { question: name.to_owned(), low: wrong.0, high: wrong.1 };
        assert_eq!(refutation(&plan, &changed), Some(Refutation::BadCut { part }), "{name} {wrong:?}");
    }
}

/// The whole number has the values −1, −0.5, 0, 0.5 and 1: a cut must lie between two that follow each other.
#[test]
fn a_cut_of_a_grid_must_lie_between_neighbours() {
    let plan = tents();
    let original = tents_certificate(&plan);
    for (low, high) in [(-0.5, 0.5), (0.0, 0.0), (0.1, 0.6), (0.0, 0.25), (0.5, 0.0), (f64::NAN, f64::NAN)] {
        let mut changed = original.clone();
        let (cut, part) = cut_of(&mut changed, "whole");
        *cut = ProofCut::Number { question: "whole".to_owned(), low, high };
        assert_eq!(refutation(&plan, &changed), Some(Refutation::BadCut { part }), "{low} {high}");
    }
}

#[test]
fn levels_that_do_not_divide_a_category_are_refused() {
    let plan = tents();
    let original = tents_certificate(&plan);
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    for first in [names(&[]), names(&["own", "rent", "other"]), names(&["castle"]), names(&["own", "own"])] {
        let mut changed = original.clone();
        let (cut, part) = cut_of(&mut changed, "home");
        *cut = ProofCut::Levels { question: "home".to_owned(), first };
        assert_eq!(refutation(&plan, &changed), Some(Refutation::BadCut { part }));
    }
    // A level that was ruled out further up cannot be cut off again.
    let mut changed = original;
    let proof = changed.proof.as_mut().unwrap();
    let place = proof.parts.iter().position(|part| matches!(part.cut, Some(ProofCut::Levels { .. }))).unwrap();
    proof.parts.insert(place + 1, proof.parts[place].clone());
    assert_eq!(refutation(&plan, &changed), Some(Refutation::BadCut { part: place + 2 }));
}

#[test]
fn a_cut_of_what_is_known_or_of_another_kind_is_refused() {
    let plan = tents();
    let original = tents_certificate(&plan);
    for (of, name) in
        [("number", "decider"), ("number", "known"), ("number", "nothing"), ("number", "home"), ("home", "whole")]
    {
        let mut changed = original.clone();
        let (cut, part) = cut_of(&mut changed, of);
        let (ProofCut::Number { question, .. }
        | ProofCut::OrMissing { question, .. }
        | ProofCut::Levels { question, .. }) = cut;
        *question = name.to_owned();
        assert_eq!(refutation(&plan, &changed), Some(Refutation::BadCut { part }), "{name}");
    }
}

#[test]
fn parts_must_be_those_the_cuts_make() {
    let plan = tents();
    let original = tents_certificate(&plan);
    let parts = original.proof.as_ref().unwrap().parts.clone();
    let nothing = ProofPart { narrowed: false, beaten: Vec::new(), cut: None };
    let too_few = parts[..parts.len() - 1].to_vec();
    let too_many = [&parts[..], &[nothing]].concat();
    for parts in [too_few, too_many, parts[..1].to_vec(), Vec::new()] {
        let proof = Proof { parts };
        let worst_margin = Some(proof.margin()).filter(|margin| margin.is_finite());
        let changed = Certificate { proof: Some(proof), worst_margin, ..original.clone() };
        assert_eq!(refutation(&plan, &changed), Some(Refutation::OtherParts));
    }
}

/// Ends in which nothing was shown; single points are evaluated, and this is none.
#[test]
fn a_part_without_bounds_must_be_a_point() {
    let plan = tents();
    let mut changed = tents_certificate(&plan);
    let parts = &mut changed.proof.as_mut().unwrap().parts;
    let last = parts.len();
    assert!(parts[last - 1].cut.is_none());
    parts[last - 1].beaten.clear();
    let rival = "class 0".to_owned();
    assert_eq!(refutation(&plan, &changed), Some(Refutation::NotBeaten { part: last, rival }));
}

/// The whole domain at once: the score may be as low as its tents, as far as lines can tell.
#[test]
fn a_bound_that_does_not_follow_is_refused() {
    let plan = tents();
    let original = tents_certificate(&plan);
    let rival = || "class 0".to_owned();
    let claim = |margin: f64, on: Vec<(usize, usize)>| {
        let beaten = vec![Beaten { class: rival(), margin, on, sweeps: 0 }];
        let mut changed = original.clone();
        changed.proof = Some(Proof { parts: vec![ProofPart { narrowed: false, beaten, cut: None }] });
        changed.worst_margin = Some(margin);
        refutation(&plan, &changed)
    };
    for on in [vec![], vec![(0, 3)], vec![(0, 3), (0, 5), (0, 7)]] {
        assert_eq!(claim(0.2, on), Some(Refutation::NotBeaten { part: 1, rival: rival() }));
    }
    for on in [vec![(1, 0)], vec![(0, 8)], vec![(usize::MAX, usize::MAX)]] {
        assert_eq!(claim(0.2, on), Some(Refutation::BadBound { part: 1 }));
    }
    for margin in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(claim(margin, vec![]), Some(Refutation::BadBound { part: 1 }));
    }
}

/// A certificate that stated a margin of −1 passed as proved: the true one is larger.
#[test]
fn a_margin_below_zero_is_refused() {
    let plan = tents();
    let mut changed = tents_certificate(&plan);
    let parts = &mut changed.proof.as_mut().expect("it is proved").parts;
    let part = parts.iter().position(|part| !part.beaten.is_empty()).expect("a bound");
    parts[part].beaten[0].margin = -1.0;
    changed.worst_margin = Some(-1.0);
    assert_eq!(refutation(&plan, &changed), Some(Refutation::BadBound { part: part + 1 }));
}

#[test]
fn margins_are_those_of_the_bounds() {
    let plan = tents();
    let original = tents_certificate(&plan);
    let margin = original.worst_margin.unwrap();
    // The truth is 0.2 and what the decider and the known column add.
    assert!((0.0..0.6).contains(&margin));
    for wrong in [Some(margin * 1.001), Some(margin * 0.999), Some(f64::NAN), None] {
        let changed = Certificate { worst_margin: wrong, ..original.clone() };
        assert_eq!(refutation(&plan, &changed), Some(Refutation::OtherMargin), "{wrong:?}");
    }
    let mut raised = original.clone();
    let parts = &mut raised.proof.as_mut().unwrap().parts;
    let part = parts.iter().position(|part| part.beaten.iter().any(|beaten| beaten.margin == margin)).unwrap();
    parts[part].beaten[0].margin *= 1.000_001;
    raised.worst_margin = Some(raised.proof.as_ref().unwrap().margin());
    let refused = Refutation::MarginTooLarge { part: part + 1, rival: "class 0".to_owned() };
    assert_eq!(refutation(&plan, &raised), Some(refused));
    let mut lowered = original;
    lowered.proof.as_mut().unwrap().parts[part].beaten[0].margin *= 0.5;
    lowered.worst_margin = Some(0.5 * margin);
    assert_eq!(refutation(&plan, &lowered), None, "at least as much is still true");
}

#[test]
fn bounds_name_rivals_once() {
    let plan = tents();
    let original = tents_certificate(&plan);
    let parts = &original.proof.as_ref().unwrap().parts;
    let part = parts.iter().position(|part| !part.beaten.is_empty()).unwrap();
    for class in ["class 1", "class 2", ""] {
        let mut changed = original.clone();
        changed.proof.as_mut().unwrap().parts[part].beaten[0].class = class.to_owned();
        assert_eq!(refutation(&plan, &changed), Some(Refutation::BadBound { part: part + 1 }), "{class}");
    }
    let mut twice = original.clone();
    let beaten = &mut twice.proof.as_mut().unwrap().parts[part].beaten;
    beaten.push(beaten[0].clone());
    assert_eq!(refutation(&plan, &twice), Some(Refutation::BadBound { part: part + 1 }));
}

/// With a negative decider the score can be below zero: the same proof shows nothing about such a person.
#[test]
fn the_proof_about_another_person_is_refused() {
    let plan = tents();
    let mut changed = tents_certificate(&plan);
    changed.revealed[0].answer = StatedAnswer::Number(-0.3);
    assert!(matches!(refutation(&plan, &changed), Some(Refutation::NotBeaten { .. })));
    let mut never_asked = tents_certificate(&plan);
    never_asked.never_asked.push(never_asked.revealed[0].question.clone());
    never_asked.revealed.clear();
    assert!(matches!(refutation(&plan, &never_asked), Some(Refutation::NotBeaten { .. })));
    let mut other_label = tents_certificate(&plan);
    other_label.label = "class 0".to_owned();
    assert!(matches!(refutation(&plan, &other_label), Some(Refutation::BadBound { .. })));
}
