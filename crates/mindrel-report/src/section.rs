//! The elements of a report: sections of text, figures and tables.

use mindrel_plot::Figure;

use crate::words::unbroken;

/// A section with its heading.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReportSection {
    /// The target of links.
    pub id: &'static str,
    pub title: &'static str,
    pub blocks: Vec<ReportBlock>,
}

/// A block of a section.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ReportBlock {
    Text(String),
    /// A sentence that is emphasised.
    Finding(Mood, String),
    /// A heading within the section.
    Heading(String),
    Figure(Box<Figure>),
    Table(ReportTable),
    List(Vec<String>),
    /// Names with their descriptions.
    Facts(Vec<(String, String)>),
    /// A command to type.
    Command(String),
}

/// Whether a result is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    Good,
    Bad,
    /// Neither good nor bad, or unknown.
    Unclear,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ReportTable {
    pub caption: String,
    pub head: Vec<String>,
    pub rows: Vec<ReportRow>,
}

/// A row, marked if it is about the chosen run.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ReportRow {
    pub cells: Vec<ReportCell>,
    pub is_chosen: bool,
}

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ReportCell {
    Words(String),
    /// Aligned to the right, to be compared with the cells above and below.
    Number(String),
    Verdict(Mood, String),
}

impl ReportSection {
    pub fn new(id: &'static str, title: &'static str) -> Self {
        ReportSection { id, title, blocks: Vec::new() }
    }

    pub fn with(mut self, block: ReportBlock) -> Self {
        self.blocks.push(block);
        self
    }

    pub fn text(self, text: impl Into<String>) -> Self {
        self.with(ReportBlock::Text(unbroken(&text.into())))
    }

    pub fn finding(self, mood: Mood, text: impl Into<String>) -> Self {
        self.with(ReportBlock::Finding(mood, unbroken(&text.into())))
    }

    pub fn heading(self, text: impl Into<String>) -> Self {
        self.with(ReportBlock::Heading(text.into()))
    }

    pub fn figure(self, figure: Figure) -> Self {
        self.with(ReportBlock::Figure(Box::new(figure)))
    }

    pub fn table(self, table: ReportTable) -> Self {
        self.with(ReportBlock::Table(table))
    }

    pub fn list<T: Into<String>>(self, items: impl IntoIterator<Item = T>) -> Self {
        self.with(ReportBlock::List(items.into_iter().map(Into::into).collect()))
    }

    pub fn facts<T: Into<String>>(self, facts: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        self.with(ReportBlock::Facts(facts.into_iter().map(|(name, fact)| (name.to_owned(), fact.into())).collect()))
    }
}

impl ReportTable {
    pub fn new<'a>(caption: impl Into<String>, head: impl IntoIterator<Item = &'a str>) -> Self {
        ReportTable { caption: caption.into(), head: head.into_iter().map(str::to_owned).collect(), rows: Vec::new() }
    }

    pub fn row(&mut self, is_chosen: bool, cells: impl IntoIterator<Item = ReportCell>) {
        self.rows.push(ReportRow { cells: cells.into_iter().collect(), is_chosen });
    }

    /// The head of a column, which is repeated in its cells on a narrow screen.
    pub fn head_of(&self, column: &usize) -> &str {
        self.head.get(*column).map_or("", String::as_str)
    }

    /// The CSS class of a column.
    pub fn class(&self, column: &usize) -> &'static str {
        self.rows.first().and_then(|row| row.cells.get(*column)).map_or("", ReportCell::class)
    }
}

impl ReportCell {
    pub fn words(text: impl Into<String>) -> Self {
        ReportCell::Words(text.into())
    }

    pub fn number(text: impl Into<String>) -> Self {
        ReportCell::Number(text.into())
    }

    pub fn class(&self) -> &'static str {
        if matches!(self, ReportCell::Number(_)) { "number" } else { "" }
    }
}

impl Mood {
    /// Its CSS class.
    pub fn class(self) -> &'static str {
        match self {
            Mood::Good => "is-good",
            Mood::Bad => "is-bad",
            Mood::Unclear => "is-unclear",
        }
    }
}
