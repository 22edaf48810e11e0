//! What a report is made of: sections of text, figures and tables.

use mindrel_plot::Figure;

/// A part of the report with a heading.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReportSection {
    /// What links lead to.
    pub id: &'static str,
    pub title: &'static str,
    pub blocks: Vec<ReportBlock>,
}

/// What stands in a section, one below the other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ReportBlock {
    Text(String),
    /// A sentence that matters more than those around it.
    Finding(Mood, String),
    /// A heading within the section.
    Heading(String),
    Figure(Box<Figure>),
    Table(ReportTable),
    List(Vec<String>),
    /// Names with what is said of each.
    Facts(Vec<(String, String)>),
    /// What is typed.
    Command(String),
}

/// How something turned out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    Good,
    Bad,
    /// Neither, or not known.
    Unclear,
}

/// Rows and columns.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ReportTable {
    pub caption: String,
    pub head: Vec<String>,
    pub rows: Vec<ReportRow>,
}

/// One row, marked where it is what the report is about.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ReportRow {
    pub cells: Vec<ReportCell>,
    pub is_chosen: bool,
}

/// One cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ReportCell {
    Words(String),
    /// Set to the right, to be compared with those above and below.
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
        self.with(ReportBlock::Text(text.into()))
    }

    pub fn finding(self, mood: Mood, text: impl Into<String>) -> Self {
        self.with(ReportBlock::Finding(mood, text.into()))
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

    /// The head of a column, for cells that stand below each other on a narrow screen.
    pub fn head_of(&self, column: &usize) -> &str {
        self.head.get(*column).map_or("", String::as_str)
    }

    /// The class of a column's head, that of the cells below it.
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
    /// Its class in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Mood::Good => "is-good",
            Mood::Bad => "is-bad",
            Mood::Unclear => "is-unclear",
        }
    }
}
