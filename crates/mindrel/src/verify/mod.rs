//! Checking a certificate by other, simpler arithmetic than made it.
//!
//! | guarantee | linear model | network | tree ensemble | composition | black box |
//! | --- | --- | --- | --- | --- | --- |
//! | complete | the label, in rational numbers | the model's own label | the same | the same | the same |
//! | proved | the smallest margin, in rational numbers | every part of the proof, in intervals rounded outwards | every part, by the leaves it reaches | every part, by both | – |
//! | sampled | – | by repeating the draws; nothing is proved | the same | the same | the same |
//! | probable | the conditional Gaussian by a direct solve | the same, then a gradient or many more draws | the same, then many more draws | the same | the same |
//!
//! Last, the session is replayed: the plan must ask the same questions and stop at the same place.

mod belief;
mod black_box;
mod composition;
mod draws;
mod error;
mod implied;
mod interval;
mod linear;
mod network;
mod part;
mod proof_walk;
mod replay;
mod trees;

pub use error::{Refutation, VerifyError};

use std::fmt;

use crate::Label;
use crate::certificate::{Certificate, FORMAT, Stated, StepOutOfTime, VERSION};
use crate::model::{Classifier, Model};
use crate::plan::Plan;
use crate::rules::{Guarantee, Rules, Test};
use crate::schema::{AnswerError, QuestionId, StatedAnswer};
use crate::session::Answers;
use belief::Estimated;

/// What was found when a certificate was checked and found true. Its `Debug` leaves out the probability: an answer
/// could be worked out from it.
#[derive(Clone, PartialEq)]
pub struct Verified {
    /// The label.
    pub label: Label,
    /// What it rests on.
    pub guarantee: Guarantee,
    /// How many sensitive questions were answered.
    pub n_revealed: usize,
    /// If probable, the probability as worked out here.
    pub probability: Option<f64>,
    /// After how many questions a test ran out of budget, so that the next was asked without knowing it was needed:
    /// seen again here.
    pub out_of_budget: Vec<usize>,
    /// After how many questions a clock is said to have cut a step short, and which one was asked. That is taken at the
    /// certificate's word.
    pub out_of_time: Vec<StepOutOfTime>,
}

impl fmt::Debug for Verified {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Verified");
        shown.field("label", &self.label).field("guarantee", &self.guarantee).field("n_revealed", &self.n_revealed);
        shown.finish_non_exhaustive()
    }
}

/// Checks everything a certificate says against the plan.
///
/// A certificate that says *sampled* is checked by repeating the draws of the session, which are seeded; nothing is
/// proved.
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
            let (question, answer) = (schema.question(id), answers.get(id).expect("listed"));
            let outside = |_| Refutation::OutsideDomain { question: question.name.clone() };
            question.admit(answer).map_err(outside)?;
            schema.encode(id, answer, &mut person)?;
        }
    }
    let asked = certificate.revealed.iter().filter_map(|stated| schema.find(&stated.question));
    let mut known: Vec<QuestionId> = public.questions().chain(asked).collect();
    check_promise(plan, certificate, &person)?;
    let facts = Facts::new(plan, &known, &person);
    for id in schema.ids().filter(|id| !known.contains(id)).collect::<Vec<_>>() {
        if let Some(columns) = implied::only(&facts.possible[id.index()]) {
            person[schema.columns(id)].copy_from_slice(&columns);
            known.push(id);
        }
    }
    check_implied(plan, certificate, &facts, &known, &person)?;
    let statement = Statement { plan, label, person: &person, known: &known, facts: &facts };
    let probability = statement.check(certificate)?;
    let out_of_budget = replay::replay(plan, certificate, label, &public, &revealed)?;
    Ok(Verified {
        label,
        guarantee: certificate.guarantee,
        n_revealed: certificate.revealed.len(),
        probability,
        out_of_budget,
        out_of_time: certificate.out_of_time.clone(),
    })
}

/// A label, and what is known of the person it was given to. It has no `Debug`: it holds answers.
struct Statement<'a> {
    plan: &'a Plan,
    label: Label,
    /// The encoded person; zero where nothing is known.
    person: &'a [f64],
    /// In the order they became known, the public ones first, those that follow from others last.
    known: &'a [QuestionId],
    facts: &'a Facts,
}

/// What every question can be, and the rules between them; none where the answers break one. It has no `Debug`: it
/// tells about answers.
struct Facts {
    possible: implied::AllPossible,
    rules: Vec<implied::CheckedRule>,
}

impl Facts {
    fn new(plan: &Plan, known: &[QuestionId], person: &[f64]) -> Self {
        let schema = plan.schema();
        let possible = |id: QuestionId| {
            let domain = schema.question(id).domain();
            if known.contains(&id) {
                implied::exactly(domain, &person[schema.columns(id)])
            } else {
                implied::anything(domain)
            }
        };
        let plain: implied::AllPossible = schema.ids().map(possible).collect();
        let rules = implied::rules(schema);
        match implied::narrowed(&rules, plain.clone()) {
            Some(possible) => Facts { possible, rules },
            None => Facts { possible: plain, rules: Vec::new() },
        }
    }
}

/// What is checked differently for each family of classifiers.
trait FamilyCheck {
    /// Whether the label is the model's, when everything is known.
    fn gives_label(&self) -> bool;

    /// Whether no value of the open questions gives another label, by the margin and the proof stated.
    fn check_proof(&self, certificate: &Certificate) -> Result<(), Refutation>;

    /// The probability of the label.
    fn probability(&self, rules: &Rules) -> Estimated;

    /// Whether δ = 0 may rest on samples.
    fn can_be_sampled(&self) -> bool {
        true
    }
}

impl<'a> Statement<'a> {
    /// Where the families part.
    fn family(&'a self) -> Box<dyn FamilyCheck + 'a> {
        match self.plan.model() {
            Classifier::Linear(model) => Box::new(linear::Linear { statement: self, model }),
            Classifier::Network(network) => Box::new(network::Rectified { statement: self, network }),
            Classifier::Trees(ensemble) => Box::new(trees::Trees { statement: self, ensemble }),
            Classifier::Composition(composition) => Box::new(composition::Composed { statement: self, composition }),
            Classifier::BlackBox(model) => Box::new(black_box::Opaque { statement: self, model }),
        }
    }

    /// Checks the guarantee; the probability, if it is one.
    fn check(&'a self, certificate: &Certificate) -> Result<Option<f64>, Refutation> {
        let family = self.family();
        let proved = certificate.guarantee == Guarantee::Proved;
        let has_proof = certificate.worst_margin.is_some() || certificate.proof.is_some();
        let probable = certificate.guarantee == Guarantee::Probable;
        if (has_proof && !proved) || certificate.probability.is_some() != probable {
            return Err(Refutation::Numbers);
        }
        match certificate.guarantee {
            Guarantee::Complete => {
                let complete = self.open().next().is_none() && family.gives_label();
                complete.then_some(None).ok_or(Refutation::NotComplete)
            }
            Guarantee::Proved => family.check_proof(certificate).map(|()| None),
            Guarantee::Sampled => {
                // That the draws agree is found out by the replay, which repeats them.
                let Rules { test, delta, .. } = certificate.rules;
                let sampled = test == Test::Sampled && delta == 0.0 && family.can_be_sampled();
                sampled.then_some(None).ok_or(Refutation::NotSampled)
            }
            Guarantee::Probable => {
                let Estimated { probability, tolerance } = family.probability(&certificate.rules);
                let agrees = |stated: f64| (probability - stated).abs() <= tolerance;
                let delta = certificate.rules.delta;
                let holds = certificate.probability.is_some_and(agrees)
                    && probability >= 1.0 - delta - tolerance
                    && delta > 0.0;
                holds.then_some(Some(probability)).ok_or(Refutation::NotProbable)
            }
        }
    }

    /// What a class is called.
    fn class(&self, label: Label) -> String {
        self.plan.schema().class(label).to_owned()
    }

    /// The labels it is not.
    fn rivals(&self) -> impl Iterator<Item = Label> + '_ {
        let labels = (0..self.plan.schema().target().classes.len()).map(Label::new);
        labels.filter(|rival| *rival != self.label)
    }

    /// Something of the label's score and of a rival's, whose difference belongs to the margin; class 0 of a binary
    /// model has no score, so zero.
    fn sides(&self, rival: Label, value: impl Fn(usize) -> f64) -> (f64, f64) {
        let side = |label: Label| match (self.plan.model().n_scores(), label.index()) {
            (1, 0) => 0.0,
            (1, _) => value(0),
            (_, class) => value(class),
        };
        (side(self.label), side(rival))
    }

    /// The questions whose answers are not known, in the order of the schema.
    fn open(&self) -> impl Iterator<Item = QuestionId> + '_ {
        self.plan.schema().ids().filter(|&id| !self.is_known(id))
    }

    fn is_known(&self, id: QuestionId) -> bool {
        self.known.contains(&id)
    }

    /// The size of the largest known value.
    fn largest(&self) -> f64 {
        self.person.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()))
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

/// What is promised is what the plan promises the person, under the rules it was calibrated for.
fn check_promise(plan: &Plan, certificate: &Certificate, person: &[f64]) -> Result<(), Refutation> {
    let Some(stated) = &certificate.calibration else {
        return Ok(());
    };
    let calibration = plan.calibration().ok_or(Refutation::OtherPromise)?;
    let group = calibration.place(plan.schema(), person).ok_or(Refutation::OtherPromise)?;
    if *stated != calibration.promise_to(group) || !certificate.declined.is_empty() {
        return Err(Refutation::OtherPromise);
    }
    if certificate.rules != calibration.rules_of(group) {
        return Err(Refutation::OtherRules);
    }
    Ok(())
}

/// The rules stated are those that the decision rests on, the answers that are said to follow from others are those that
/// do, and the other questions are open.
fn check_implied(
    plan: &Plan,
    certificate: &Certificate,
    facts: &Facts,
    known: &[QuestionId],
    person: &[f64],
) -> Result<(), Refutation> {
    let schema = plan.schema();
    let stated = &certificate.implications[..];
    if stated != if facts.rules.is_empty() { &[] } else { schema.implications() } {
        return Err(Refutation::OtherImplications);
    }
    let narrowed = plan.sensitive().iter().filter(|id| !known.contains(id)).filter_map(|&id| {
        let (question, possible) = (schema.question(id), &facts.possible[id.index()]);
        (*possible != implied::anything(question.domain())).then(|| implied::stated(question, possible))
    });
    if !narrowed.eq(certificate.narrowed.iter().cloned()) {
        return Err(Refutation::OtherRegion);
    }
    for id in schema.ids() {
        let question = schema.question(id);
        let is_named = |name: &String| *name == question.name;
        let said = certificate.implied.iter().find(|stated| is_named(&stated.question));
        let is_open = certificate.never_asked.iter().any(is_named);
        let follows = known.contains(&id);
        let has_columns = |stated: &StatedAnswer| {
            let mut columns = vec![0.0; question.n_columns()];
            let encoded = question.accept(stated).and_then(|answer| question.encode(&answer, &mut columns));
            encoded.is_ok() && columns == person[schema.columns(id)]
        };
        let wrong = match said {
            Some(stated) => !follows || !has_columns(&stated.answer),
            None => is_open && follows,
        };
        if wrong {
            return Err(Refutation::NotImplied { question: question.name.clone() });
        }
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
    let revealed = certificate.revealed.iter().map(|stated| &stated.question);
    let names = revealed.chain(certificate.implied.iter().map(|stated| &stated.question));
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
