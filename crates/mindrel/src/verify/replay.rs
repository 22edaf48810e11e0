//! The session once more, with the answers of a certificate.

use super::{Refutation, VerifyError};
use crate::Label;
use crate::certificate::{Certificate, StepOutOfTime};
use crate::plan::Plan;
use crate::schema::QuestionId;
use crate::session::{Answers, LateStep, Next, Session};

/// Puts the plan to work again with the same answers: it must ask the same questions and stop at the same place for the
/// same reason. Returns after how many questions a test ran out of budget.
///
/// Budgets count work and give the same result everywhere. No clock shows the same time twice: the steps that one cut
/// short are taken at the certificate's word, except under calibrated rules, which go by no clock.
pub(super) fn replay(
    plan: &Plan,
    certificate: &Certificate,
    label: Label,
    public: &Answers,
    revealed: &Answers,
) -> Result<Vec<usize>, VerifyError> {
    let rules = certificate.rules;
    rules.check()?;
    let refuted = VerifyError::Refuted(Refutation::OtherQuestions);
    let plan = plan.with_rules(rules).map_err(|_| refuted.clone())?;
    let late_steps: Option<Vec<LateStep>> = certificate.out_of_time.iter().map(|step| late_step(&plan, step)).collect();
    let late_steps = late_steps.ok_or_else(|| refuted.clone())?;
    if certificate.calibration.is_some() && !late_steps.is_empty() {
        return Err(refuted);
    }
    let mut session = Session::replay(&plan, public, late_steps.clone())?;
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
    let same_end = matches!(session.next(), Next::Done(decision)
        if decision.label == label && decision.guarantee == certificate.guarantee);
    let all_reached = session.late_steps() == late_steps;
    if same_order && same_end && all_reached { Ok(session.out_of_budget().to_vec()) } else { Err(refuted) }
}

/// A step as it is replayed; `None` if it asks for what is not sensitive.
fn late_step(plan: &Plan, stated: &StepOutOfTime) -> Option<LateStep> {
    let is_asked = |id: &QuestionId| plan.schema().question(*id).name == stated.asked;
    let place = plan.sensitive().iter().position(is_asked)?;
    Some(LateStep::stated(stated.after, place))
}
