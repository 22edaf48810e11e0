//! What a report says about the audit itself.

/// What a report says about the audit itself, beside its results.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportFacts {
    /// The version of the program.
    pub version: String,
    /// The command that reproduces the report.
    pub command: String,
    /// When the audit was made, as text.
    pub when: String,
    /// The name of the plan.
    pub plan: String,
    /// The name of the table.
    pub table: String,
    /// The SHA-256 of the table; `None` if it could be read only once.
    pub digest: Option<String>,
    /// Whether only the rows that were held out when the plan was fitted were audited.
    pub held_out: bool,
    /// Which of these people were audited.
    pub taken: PeopleTaken,
    /// How many people could not be decided about, and why: “city” is missing.
    pub left_out: Vec<(u64, String)>,
    /// The index of the run that the report is about; the other runs are shown for comparison.
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
    /// The first rows of the table.
    First,
}

impl ReportFacts {
    /// Whether the table that was audited has this checksum.
    pub(crate) fn is_table(&self, digest: &str) -> bool {
        self.digest.as_deref() == Some(digest)
    }
}
