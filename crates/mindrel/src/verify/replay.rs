//! The session once more, with the answers of a certificate.

use super::{Refutation, VerifyError};
use crate::Label;
use crate::certificate::Certificate;
use crate::plan::Plan;
use crate::schema::QuestionId;
use crate::session::{Answers, Next, Session};

/// Puts the plan to work again with the same answers: it must ask the same questions and stop at the same place for the same
/// reason.
///
/// Unless the rules are calibrated, tests that ran out of budget or time are not tried again, since no clock shows the same time twice. That they did is taken at the
/// certificate's word, as far as no other label is found at once: more was asked because of it, and nothing settled.
pub(super) fn replay(
    plan: &Plan,
    certificate: &Certificate,
    label: Label,
    public: &Answers,
    revealed: &Answers,
) -> Result<(), VerifyError> {
    let rules = certificate.rules;
    rules.check()?;
    let refuted = VerifyError::Refuted(Refutation::OtherQuestions);
    let plan = plan.with_rules(rules).map_err(|_| refuted.clone())?;
    // What is calibrated goes by no clock, so those tests can be tried again.
    let skipped = if certificate.calibration.is_some() { &[] } else { &certificate.out_of_budget[..] };
    let mut session = Session::replay(&plan, public, skipped)?;
    while let Next::Ask { question, .. } = session.next() {
        let name = &plan.schema().question(question).name;
        if certificate.declined.contains(name) {
            session.decline(question)?;
        } else {
            let answer = revealed.get(question).ok_or_else(|| refuted.clone())?.clone();
            session.answer(question, answer)?;
        }
    }
    let name = |id: QuestionId| plan.schema().question(id).name.as_str();
    let stated = certificate.revealed.iter().map(|stated| stated.question.as_str());
    let same_order = session.revealed().map(name).eq(stated)
        && session.declined().iter().map(|&id| name(id)).eq(certificate.declined.iter().map(String::as_str));
    let ran_out = session.out_of_budget();
    let same_tests = ran_out.iter().all(|step| certificate.out_of_budget.contains(step))
        && certificate.out_of_budget.iter().all(|step| ran_out.contains(step));
    let same_end = matches!(session.next(), Next::Done(decision)
        if decision.label == label && decision.guarantee == certificate.guarantee);
    if same_order && same_tests && same_end { Ok(()) } else { Err(refuted) }
}
