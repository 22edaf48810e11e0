//! What a report says of the audit itself.

/// What a report says of the audit itself, beside what it found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportFacts {
    /// The version of the program.
    pub version: String,
    /// The command that makes the report again.
    pub command: String,
    /// When the audit was made, in words; nothing reads a clock here.
    pub when: String,
    /// What the plan is called.
    pub plan: String,
    /// What the table is called.
    pub table: String,
    /// The SHA-256 of the table; `None` if it could be read only once.
    pub digest: Option<String>,
    /// Whether only the rows were audited that were kept aside when the plan was fitted.
    pub held_out: bool,
    /// Whether only some of these people were audited.
    pub taken: PeopleTaken,
    /// The place of the run that the report is about, among the audit's runs; the others are there for comparison.
    pub chosen: usize,
}

/// Which of the people of a table were audited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PeopleTaken {
    /// All of them.
    #[default]
    Everyone,
    /// A random sample.
    Sample,
    /// The first of the table.
    First,
}

impl ReportFacts {
    /// Whether a table with this checksum is the one that was audited.
    pub(crate) fn is_table(&self, digest: &str) -> bool {
        self.digest.as_deref() == Some(digest)
    }
}
