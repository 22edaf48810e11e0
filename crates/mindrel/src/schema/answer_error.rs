//! Why an answer cannot be taken.

/// Why an answer cannot be taken. Names the question, never the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum AnswerError {
    /// No question has this name.
    #[error("there is no question `{question}` in this plan; the questions are: {known}")]
    UnknownQuestion { question: String, known: String },
    /// A number was expected.
    #[error("the answer to `{question}` is not a number; give a number from {choices}")]
    NotANumber { question: String, choices: String },
    /// The number is beyond all bounds.
    #[error("the answer to `{question}` is too large to be meant; give a number from {choices}")]
    TooLarge { question: String, choices: String },
    /// The number is outside the declared domain, and the question does not accept that.
    #[error("the answer to `{question}` is outside its range; give a number from {choices}")]
    Outside { question: String, choices: String },
    /// The answer breaks a rule between questions, and the question does not accept that.
    #[error("{}", against_rule(question, others))]
    AgainstRule { question: String, others: Vec<String> },
    /// A whole number was expected.
    #[error("the answer to `{question}` is not a whole number; give a whole number from {choices}")]
    NotWhole { question: String, choices: String },
    /// No or yes was expected.
    #[error("the answer to `{question}` is neither yes nor no; answer yes or no")]
    NotBoolean { question: String },
    /// The level is not one of the question's.
    #[error("the answer to `{question}` is not one of its levels; choose from: {choices}")]
    UnknownLevel { question: String, choices: String },
    /// There is no answer, and the schema does not say what stands in for one.
    #[error("the answer to `{question}` is missing; fill it in, or declare what stands in for it in the schema")]
    Missing { question: String },
    /// The question is not the one being asked.
    #[error("`{question}` is not being asked now; answer or decline the question that is")]
    NotAsked { question: String },
    /// A public question has no value.
    #[error("the public question `{question}` has no value; give it with the other public values")]
    PublicMissing { question: String },
    /// A sensitive question was given among the public values.
    #[error("`{question}` is sensitive and is not taken beforehand; leave it out of the public values")]
    NotPublic { question: String },
}

fn against_rule(question: &str, others: &[String]) -> String {
    if others.is_empty() {
        return format!("the answer to `{question}` is impossible by the plan's rules between questions; correct it");
    }
    let others = others.join(", ");
    format!("the answer to `{question}` cannot be together with what is known of: {others}; correct one of them")
}
