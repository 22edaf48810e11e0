//! The certificate of a session's decision.

use super::{Decision, ImpliedAnswer, LateStep, Session};
use crate::certificate::{Certificate, FORMAT, Stated, StatedImplied, StatedPart, StepOutOfTime, VERSION};
use crate::proof::Proof;
use crate::region::part::QuestionPart;
use crate::rules::{Guarantee, Rules};
use crate::schema::QuestionId;

impl Session {
    /// The certificate of a settled decision.
    pub(super) fn certify(&self, decision: &Decision) -> Certificate {
        let schema = self.plan().schema();
        let name = |id: QuestionId| schema.question(id).name.clone();
        let stated = |id: QuestionId| {
            let (question, answer) = (schema.question(id), self.answers.get(id).expect("answered"));
            Stated { question: question.name.clone(), answer: question.state(answer) }
        };
        let revealed: Vec<QuestionId> = self.revealed().collect();
        let public = self.answers.questions().filter(|id| !revealed.contains(id));
        let proved = decision.guarantee == Guarantee::Proved;
        let proof = self.walk.proof(decision.label).filter(|_| proved);
        let margin = || proof.as_ref().map_or_else(|| self.walk.worst_margin(decision.label), Proof::margin);
        // A proof by points alone has no bounds.
        let worst_margin = proved.then(margin).filter(|margin| margin.is_finite());
        let probability = (decision.guarantee == Guarantee::Probable).then(|| self.outlook().probability);
        Certificate {
            format: FORMAT.to_owned(),
            version: VERSION,
            plan: self.plan().fingerprint().to_string(),
            label: schema.class(decision.label).to_owned(),
            guarantee: decision.guarantee,
            rules: Rules { seed: self.seed, ..*self.plan().rules() },
            worst_margin,
            proof,
            probability,
            out_of_time: self.late_steps().iter().map(|step| self.stated_step(step)).collect(),
            calibration: self.promise().cloned(),
            public: public.map(stated).collect(),
            revealed: revealed.iter().map(|&id| stated(id)).collect(),
            implications: if self.breaks_rules() { Vec::new() } else { schema.implications().to_vec() },
            implied: self.implied().map(|implied| self.stated_implied(&implied)).collect(),
            narrowed: self.walk.narrowed_questions().map(|(id, part)| self.stated_part(id, part)).collect(),
            declined: self.declined.iter().map(|&id| name(id)).collect(),
            never_asked: self.never_asked().map(name).collect(),
        }
    }

    fn stated_implied(&self, implied: &ImpliedAnswer) -> StatedImplied {
        let schema = self.plan().schema();
        let question = schema.question(implied.question);
        let name = |id: &QuestionId| schema.question(*id).name.clone();
        StatedImplied {
            question: question.name.clone(),
            answer: question.state(&implied.answer),
            follows_from: implied.follows_from.iter().map(name).collect(),
        }
    }

    fn stated_part(&self, id: QuestionId, part: QuestionPart) -> StatedPart {
        let asked = self.plan().schema().question(id);
        let question = asked.name.clone();
        match part {
            QuestionPart::Numbers(low, high) => StatedPart::Numbers { question, low, high },
            QuestionPart::OrMissing(numbers, missing) => StatedPart::OrMissing { question, numbers, missing },
            QuestionPart::Levels(marked) => {
                let levels = asked.levels().expect("only levels are marked").into_iter().zip(marked);
                let levels = levels.filter(|(_, marked)| *marked).map(|(level, _)| level).collect();
                StatedPart::Levels { question, levels }
            }
        }
    }

    fn stated_step(&self, step: &LateStep) -> StepOutOfTime {
        let id = self.plan().sensitive()[step.place];
        StepOutOfTime { after: step.after, asked: self.plan().schema().question(id).name.clone() }
    }
}
