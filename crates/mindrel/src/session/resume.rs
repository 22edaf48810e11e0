//! Resuming a session.

use super::{Answers, Session, StartError, Status, Walk, calibrated, encode_public, not_asked};
use crate::plan::Plan;
use crate::schema::{Answer, AnswerError, QuestionId};

/// A question that was asked, and its answer; `None` if it was declined.
pub type PastStep = (QuestionId, Option<Answer>);

impl Session {
    /// Resumes a session: it stands where it would after the same answers given one by one.
    ///
    /// If the next step depends on the answers alone, as it does for linear models unless questions are drawn at random, only the last
    /// step is computed, and the caller is trusted that the plan asked these questions. Otherwise the session is replayed.
    ///
    /// # Errors
    /// As [`start`](Session::start), and when an answer does not fit its question, or a question cannot have been asked.
    pub fn resume(plan: &Plan, public: Answers, steps: &[PastStep]) -> Result<Self, AnswerError> {
        let mut walk = Walk::new(plan);
        if !walk.goes_by_answers_alone() {
            return Session::replay_steps(plan, &public, steps);
        }
        walk.keep_outlook();
        let schema = plan.schema();
        let mut person = encode_public(plan, &public)?;
        let (mut answers, mut declined) = (public, Vec::new());
        let mut put = Vec::with_capacity(steps.len());
        for (id, answer) in steps {
            let place = plan.sensitive().iter().position(|other| other == id);
            let place = place.filter(|place| put.iter().all(|(other, _)| other != place));
            let place = place.ok_or_else(|| not_asked(plan, *id))?;
            if let Some(answer) = answer {
                schema.encode(*id, answer, &mut person)?;
                answers.insert(*id, answer.clone());
                put.push((place, Status::Revealed));
            } else {
                declined.push(*id);
                put.push((place, Status::Declined));
            }
        }
        let seed = plan.rules().seed;
        walk.take_up(&person, seed, put);
        Ok(Session { walk, answers, declined, seed, promise: None })
    }

    /// The same under the plan's calibrated rules.
    ///
    /// # Errors
    /// When the plan is not calibrated, or as [`resume`](Session::resume).
    pub fn resume_calibrated(plan: &Plan, public: Answers, steps: &[PastStep]) -> Result<Self, StartError> {
        let (plan, promise) = calibrated(plan, &public)?;
        Ok(Session { promise, ..Session::resume(&plan, public, steps)? })
    }

    fn replay_steps(plan: &Plan, public: &Answers, steps: &[PastStep]) -> Result<Self, AnswerError> {
        let mut session = Session::start(plan, public)?;
        for (id, answer) in steps {
            match answer {
                Some(answer) => drop(session.answer(*id, answer.clone())?),
                None => session.decline(*id)?,
            }
        }
        Ok(session)
    }
}
