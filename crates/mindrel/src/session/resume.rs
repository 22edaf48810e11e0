//! Resuming a session, and taking back answers.

use super::walk::ImpossibleStep;
use super::{
    Answers, LateStep, Session, StartError, Status, Walk, against_rule, calibrated, encode_admitted, encode_public,
    not_asked,
};
use crate::plan::Plan;
use crate::rules::TimeLimit;
use crate::schema::{Answer, AnswerError, QuestionId};

/// A question that was asked, and its answer; `None` if it was declined.
pub type PastStep = (QuestionId, Option<Answer>);

impl Session {
    /// Resumes a session: it stands where it would after the same answers given one by one.
    ///
    /// A step depends on the answers alone, so only the last one is computed, and the caller is trusted that the plan
    /// asked these questions. With a time limit, that step ends when its time is up.
    ///
    /// # Errors
    /// As [`start`](Session::start), and when an answer does not fit its question or the answers before it, or a
    /// question cannot have been asked.
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
        Session::check_public(plan, &public)?;
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
        walk.take_up(&person, seed, put).map_err(|problem| match problem {
            ImpossibleStep::NotOpen { place } => not_asked(plan, plan.sensitive()[place]),
            ImpossibleStep::AgainstRule { place, others } => against_rule(schema, plan.sensitive()[place], &others),
        })?;
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
        self.walk.take_up(&person, self.seed, steps).expect("these steps were taken before");
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
