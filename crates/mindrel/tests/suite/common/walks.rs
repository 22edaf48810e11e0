//! Sessions and walks, begun and brought to their ends.

use super::*;

/// The public answers among all.
pub fn public_answers(plan: &Plan, answers: &[Answer]) -> Answers {
    let mut public = Answers::new();
    for id in plan.schema().ids_with(Visibility::Public) {
        public.insert(id, answers[id.index()].clone());
    }
    public
}

pub fn start(plan: &Plan, answers: &[Answer]) -> Session {
    Session::start(plan, &public_answers(plan, answers)).expect("every public question is answered")
}

/// A session that has ended; what is declined follows `declines`.
pub fn ended(plan: &Plan, answers: &[Answer], declines: &[bool]) -> Session {
    let mut session = start(plan, answers);
    let mut steps = 0;
    while let Next::Ask { question, .. } = session.next() {
        if declines[steps % declines.len()] {
            session.decline(question).unwrap();
        } else {
            session.answer(question, answers[question.index()].clone()).unwrap();
        }
        steps += 1;
    }
    session
}

/// A walk that has begun with a person.
pub fn begun(plan: &Plan, person: &[f64], seed: u64) -> Walk {
    let mut walk = Walk::new(plan);
    walk.begin(person, seed);
    walk
}

/// The questions a walk asks until it is settled, in order.
pub fn questions_asked(plan: &Plan, person: &[f64], seed: u64) -> Vec<QuestionId> {
    let mut walk = Walk::new(plan);
    walk.decide(person, seed);
    walk.revealed().collect()
}

/// The question that is being asked, if one is.
pub fn asking(walk: &Walk) -> Option<QuestionId> {
    match walk.stage() {
        Stage::Asking { question, .. } => Some(question),
        _ => None,
    }
}

/// Which questions are known: the public ones and the revealed ones.
pub fn known_questions(walk: &Walk) -> Vec<bool> {
    let plan = walk.plan();
    let mut known = vec![true; plan.schema().questions().len()];
    for (id, status) in plan.sensitive().iter().zip(walk.status()) {
        known[id.index()] = *status == Status::Revealed;
    }
    known
}

/// The questions known when only some sensitive ones, by place, are revealed.
pub fn known_when_revealed(plan: &Plan, revealed: &[usize]) -> Vec<bool> {
    let mut known = vec![true; plan.schema().questions().len()];
    for (place, id) in plan.sensitive().iter().enumerate() {
        known[id.index()] = revealed.contains(&place);
    }
    known
}
