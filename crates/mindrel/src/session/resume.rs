//! Resuming a session, and taking back answers.

use super::{
    Answers, LateStep, Session, StartError, Status, Walk, against_rule, calibrated, check_public_rules,
    encode_admitted, encode_public, not_asked,
};
use crate::plan::Plan;
use crate::rules::TimeLimit;
use crate::schema::{Answer, AnswerError, OutsidePolicy, QuestionId};

/// A question that was asked, and its answer; `None` if it was declined.
pub type PastStep = (QuestionId, Option<Answer>);

/// Refuses questions that were not asked, since they follow from answers before, and answers against a rule.
fn check_steps(plan: &Plan, person: &[f64], steps: &[(usize, Status)]) -> Result<(), AnswerError> {
    let (schema, questions) = (plan.schema(), &plan.prepared().questions);
    let mut region = questions.region_of(person);
    if questions.implications.is_empty() || questions.implications.narrow(&mut region, |_, _| {}).is_err() {
        return Ok(());
    }
    for &(place, status) in steps {
        let (id, columns) = (plan.sensitive()[place], questions.asked[place].columns.clone());
        if region.is_known(&columns) {
            return Err(not_asked(plan, id));
        }
        if status == Status::Declined {
            continue;
        }
        region.set_point(columns.clone(), &person[columns]);
        if let Err(contradiction) = questions.implications.narrow(&mut region, |_, _| {}) {
            let accepts = schema.question(id).outside == OutsidePolicy::Accept;
            // From here on rules say nothing.
            return if accepts { Ok(()) } else { Err(against_rule(schema, id, contradiction.rule)) };
        }
    }
    Ok(())
}

impl Session {
    /// Resumes a session: it stands where it would after the same answers given one by one.
    ///
    /// A step depends on the answers alone, so only the last one is computed, and the caller is trusted that the plan
    /// asked these questions. With a time limit, that step ends when its time is up.
    ///
    /// # Errors
    /// As [`start`](Session::start), and when an answer does not fit its question, or a question cannot have been
    /// asked.
    pub fn resume(
        plan: &Plan,
        public: Answers,
        steps: &[PastStep],
        limit: Option<TimeLimit>,
    ) -> Result<Self, AnswerError> {
        Session::resume_after(plan, public, steps, &[], limit)
    }

    /// The same, when a time limit cut some of the steps short: `late` says after how many questions, and what was
    /// asked. A certificate states them.
    ///
    /// # Errors
    /// As [`resume`](Session::resume).
    pub fn resume_after(
        plan: &Plan,
        public: Answers,
        steps: &[PastStep],
        late: &[(usize, QuestionId)],
        limit: Option<TimeLimit>,
    ) -> Result<Self, AnswerError> {
        let mut walk = Walk::new(plan);
        let stated = |&(after, id): &(usize, QuestionId)| {
            let place = plan.sensitive().iter().position(|other| *other == id);
            place.map(|place| LateStep::stated(after, place)).ok_or_else(|| not_asked(plan, id))
        };
        walk.replay_late_steps(late.iter().map(stated).collect::<Result<_, _>>()?);
        limit.into_iter().for_each(|limit| walk.limit_time(limit));
        walk.keep_outlook();
        let schema = plan.schema();
        let mut person = encode_public(plan, &public)?;
        check_public_rules(plan, &person)?;
        let (mut answers, mut declined) = (public, Vec::new());
        let (mut put, mut asked) = (Vec::with_capacity(steps.len()), Vec::with_capacity(steps.len()));
        for (id, answer) in steps {
            let place = plan.sensitive().iter().position(|other| other == id);
            let place = place.filter(|place| put.iter().all(|(other, _)| other != place));
            let place = place.ok_or_else(|| not_asked(plan, *id))?;
            asked.push(*id);
            if let Some(answer) = answer {
                encode_admitted(schema, *id, answer, &mut person)?;
                answers.insert(*id, answer.clone());
                put.push((place, Status::Revealed));
            } else {
                declined.push(*id);
                put.push((place, Status::Declined));
            }
        }
        let seed = plan.rules().seed;
        check_steps(plan, &person, &put)?;
        walk.take_up(&person, seed, put);
        Ok(Session { walk, answers, asked, declined, seed, promise: None })
    }

    /// The same under the plan's calibrated rules.
    ///
    /// # Errors
    /// When the plan is not calibrated, or as [`resume`](Session::resume).
    pub fn resume_calibrated(
        plan: &Plan,
        public: Answers,
        steps: &[PastStep],
        limit: Option<TimeLimit>,
    ) -> Result<Self, StartError> {
        let (plan, promise) = calibrated(plan, &public)?;
        Ok(Session { promise, ..Session::resume(&plan, public, steps, limit)? })
    }

    /// Takes back what was said to the last question, answered or declined, and asks it again. Returns whether there
    /// was one.
    pub fn back(&mut self) -> bool {
        let Some(last) = self.asked.pop() else { return false };
        self.answers.remove(last);
        self.declined.retain(|id| *id != last);
        let late = self.walk.late_steps().iter().filter(|step| step.after <= self.asked.len());
        self.walk.replay_late_steps(late.copied().collect());
        let (person, steps) = (self.known_columns().to_vec(), self.steps_by_place());
        self.walk.take_up(&person, self.seed, steps);
        true
    }

    fn steps_by_place(&self) -> Vec<(usize, Status)> {
        let step = |id: &QuestionId| {
            let place = self.plan().sensitive().iter().position(|other| other == id);
            let status = if self.declined.contains(id) { Status::Declined } else { Status::Revealed };
            (place.expect("only sensitive questions are asked"), status)
        };
        self.asked.iter().map(step).collect()
    }
}
