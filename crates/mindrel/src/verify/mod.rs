//! Checking a certificate by other, simpler arithmetic than made it.
//!
//! A proof is checked with rational numbers: every floating-point number is a fraction, so the smallest margin is added up
//! without any rounding at all. A probability is checked by the direct formula of [TF23, Prop. 3], with a solve instead of
//! rank-one reveals. Last, the session is replayed: the plan must ask the same questions and stop at the same place.

mod probability;
mod proof;

use crate::Label;
use crate::certificate::{Certificate, FORMAT, Stated, VERSION};
use crate::core_test::Guarantee;
use crate::model::{LinearModel, Model};
use crate::plan::{Plan, RulesError};
use crate::schema::{AnswerError, QuestionId};
use crate::session::{Answers, Next, Session};

/// What was found when a certificate was checked and found true.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// The label.
    pub label: Label,
    /// What it rests on.
    pub guarantee: Guarantee,
    /// How many sensitive questions were answered.
    pub n_revealed: usize,
    /// If probable, the probability as worked out here.
    pub probability: Option<f64>,
}

/// Why a certificate is not accepted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VerifyError {
    /// It is no certificate of a form known here.
    #[error("this is not a certificate of version {VERSION}; it calls itself `{format}`, version {version}")]
    Format {
        /// What it calls itself.
        format: String,
        /// Its version.
        version: u32,
    },
    /// It was made under another plan.
    #[error("the certificate belongs to another plan ({certificate}); this plan is {plan}")]
    OtherPlan {
        /// The fingerprint in the certificate.
        certificate: String,
        /// The fingerprint of the plan.
        plan: String,
    },
    /// It names a class that the plan does not have.
    #[error("the plan has no class `{label}`")]
    UnknownLabel {
        /// The class.
        label: String,
    },
    /// An answer cannot be read.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// Its δ or number of draws is out of bounds.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The lists of questions do not make up the plan's.
    #[error("the certificate does not account for question `{question}` exactly once")]
    Unaccounted {
        /// The question.
        question: String,
    },
    /// What it says does not hold.
    #[error("the certificate does not hold: {0}")]
    Refuted(Refutation),
}

/// What does not hold in a certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refutation {
    /// A proof that is none.
    #[error("some value of the open questions gives class `{rival}` instead")]
    NotProved {
        /// The class that is still possible.
        rival: String,
    },
    /// A proof that holds, by another margin than the one stated.
    #[error("the smallest margin of the class is not the one stated")]
    OtherMargin,
    /// A complete answer sheet that gives another label, or is not complete.
    #[error("the answers do not give this class, or are not complete")]
    NotComplete,
    /// A probability that is too low, or not the one stated.
    #[error("the probability of the class is not what is stated, or too low for delta")]
    NotProbable,
    /// The plan would have asked other questions, or stopped elsewhere.
    #[error("the plan would have asked other questions, or stopped after another number of them")]
    OtherQuestions,
    /// A number that must be there for this kind of guarantee is missing, or the other way round.
    #[error("the numbers do not belong to a guarantee of this kind")]
    Numbers,
}

/// Checks everything a certificate says against the plan.
///
/// # Errors
/// When it cannot be checked, or does not hold ([`VerifyError::Refuted`]).
pub fn verify(plan: &Plan, certificate: &Certificate) -> Result<Verified, VerifyError> {
    check_origin(plan, certificate)?;
    let schema = plan.schema();
    let label = schema.target().classes.iter().position(|class| *class == certificate.label);
    let label = Label::new(label.ok_or_else(|| VerifyError::UnknownLabel { label: certificate.label.clone() })?);
    let public = read(plan, &certificate.public)?;
    let revealed = read(plan, &certificate.revealed)?;
    check_accounts(plan, certificate, &public)?;
    let mut person = vec![0.0; schema.n_columns()];
    for answers in [&public, &revealed] {
        for id in answers.questions() {
            schema.encode(id, answers.get(id).expect("listed"), &mut person)?;
        }
    }
    let asked = certificate.revealed.iter().filter_map(|stated| schema.find(&stated.question));
    let known: Vec<QuestionId> = public.questions().chain(asked).collect();
    let statement = Statement { plan, label, person: &person, known: &known };
    let probability = statement.check(certificate)?;
    replay(plan, certificate, label, &public, &revealed)?;
    Ok(Verified { label, guarantee: certificate.guarantee, n_revealed: certificate.revealed.len(), probability })
}

/// A label, and what is known of the person it was given to.
struct Statement<'a> {
    plan: &'a Plan,
    label: Label,
    person: &'a [f64],
    /// In the order they became known, the public ones first.
    known: &'a [QuestionId],
}

impl Statement<'_> {
    /// The labels it is not.
    fn rivals(&self) -> impl Iterator<Item = Label> + '_ {
        let labels = (0..self.plan.schema().target().classes.len()).map(Label::new);
        labels.filter(|rival| *rival != self.label)
    }

    /// Something of the label's score and of a rival's, whose difference belongs to the margin; class 0 of a binary model has no
    /// score, so zero.
    fn sides(&self, rival: Label, value: impl Fn(usize) -> f64) -> (f64, f64) {
        let side = |label: Label| match (self.plan.model().n_scores(), label.index()) {
            (1, 0) => 0.0,
            (1, _) => value(0),
            (_, class) => value(class),
        };
        (side(self.label), side(rival))
    }

    fn check(&self, certificate: &Certificate) -> Result<Option<f64>, VerifyError> {
        let refuted = |refutation| Err(VerifyError::Refuted(refutation));
        let all_known = self.plan.schema().ids().all(|id| self.is_known(id));
        let numbers = (certificate.worst_margin, certificate.probability);
        match (certificate.guarantee, numbers) {
            (Guarantee::Complete, (None, None)) => match self.rival_that_can_win() {
                None if all_known => Ok(None),
                _ => refuted(Refutation::NotComplete),
            },
            (Guarantee::Proved, (Some(stated), None)) => match self.rival_that_can_win() {
                None if self.has_smallest_margin(stated) => Ok(None),
                None => refuted(Refutation::OtherMargin),
                Some(rival) => refuted(Refutation::NotProved { rival: self.plan.schema().class(rival).to_owned() }),
            },
            (Guarantee::Probable, (None, Some(stated))) => {
                let probability = self.probability();
                let tolerance = probability::tolerance(self.plan.schema().target().classes.len());
                let holds = (probability - stated).abs() <= tolerance
                    && probability >= 1.0 - certificate.rules.delta - tolerance
                    && certificate.rules.delta > 0.0;
                if holds { Ok(Some(probability)) } else { refuted(Refutation::NotProbable) }
            }
            _ => refuted(Refutation::Numbers),
        }
    }

    /// The linear model that the arithmetic below is for.
    fn linear(&self) -> &LinearModel {
        self.plan.model().linear().expect("only linear models are checked so")
    }

    fn is_known(&self, id: QuestionId) -> bool {
        self.known.contains(&id)
    }
}

fn check_origin(plan: &Plan, certificate: &Certificate) -> Result<(), VerifyError> {
    if certificate.format != FORMAT || certificate.version != VERSION {
        return Err(VerifyError::Format { format: certificate.format.clone(), version: certificate.version });
    }
    let fingerprint = plan.fingerprint().to_string();
    if certificate.plan != fingerprint {
        return Err(VerifyError::OtherPlan { certificate: certificate.plan.clone(), plan: fingerprint });
    }
    Ok(())
}

fn read(plan: &Plan, stated: &[Stated]) -> Result<Answers, AnswerError> {
    let mut answers = Answers::new();
    for Stated { question, answer } in stated {
        let id = plan.schema().require(question)?;
        answers.insert(id, plan.schema().question(id).accept(answer)?);
    }
    Ok(answers)
}

/// Every sensitive question is revealed, declined or never asked, exactly once; nothing else is in these lists.
fn check_accounts(plan: &Plan, certificate: &Certificate, public: &Answers) -> Result<(), VerifyError> {
    let schema = plan.schema();
    let mut counts = vec![0usize; schema.questions().len()];
    let unaccounted = |question: &str| VerifyError::Unaccounted { question: question.to_owned() };
    let names = certificate.revealed.iter().map(|stated| &stated.question);
    for name in names.chain(&certificate.declined).chain(&certificate.never_asked) {
        counts[schema.find(name).ok_or_else(|| unaccounted(name))?.index()] += 1;
    }
    for (place, stated) in certificate.public.iter().enumerate() {
        if certificate.public[..place].iter().any(|earlier| earlier.question == stated.question) {
            return Err(unaccounted(&stated.question));
        }
    }
    for id in schema.ids() {
        let sensitive = plan.sensitive().contains(&id);
        let expected = usize::from(sensitive);
        if counts[id.index()] != expected || public.get(id).is_some() == sensitive {
            return Err(unaccounted(&schema.question(id).name));
        }
    }
    Ok(())
}

/// Puts the plan to work again with the same answers.
fn replay(
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
    let mut session = Session::replay(&plan, public, &certificate.out_of_budget)?;
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
    if same_order && same_end { Ok(()) } else { Err(refuted) }
}
