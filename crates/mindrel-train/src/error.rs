//! What can keep a table from becoming a model.

/// Why training stopped. Names places (a row, a column, a class, an option), never the value of a cell. Rows, columns,
/// classes and layers are counted from zero, epochs from one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "fields are named as in the messages")]
pub enum TrainError {
    /// There is nothing to learn from.
    #[error("the training set has no rows; check the file and any filter on it")]
    NoRows,
    /// The rows are empty.
    #[error("the training set has no columns; keep at least one feature")]
    NoColumns,
    /// The values do not fill one row for each label.
    #[error("the rows hold {found} values instead of {expected} (labels × columns); give each label one full row")]
    ValueCount { expected: usize, found: usize },
    /// A cell is NaN or infinite.
    #[error("row {row}, column {column} is not a finite number; drop the row or fill in the missing value")]
    NotFinite { row: usize, column: usize },
    /// A label names a class that does not exist.
    #[error("the label of row {row} is not below the number of classes, {n_classes}; correct it or declare more")]
    LabelOutOfRange { row: usize, n_classes: usize },
    /// All labels are equal.
    #[error("every row has the same class `{class}`; add rows of another class or choose another label column")]
    OneClass { class: usize },
    /// A declared class occurs nowhere, so that its intercept would fall without end.
    #[error("no row has class `{class}`; add rows of that class or leave it out of the classes")]
    ClassWithoutRows { class: usize },
    /// The squares of a column do not sum to a finite number.
    #[error("column {column} holds numbers too large to square and add up; scale it, for example to [-1, 1]")]
    TooLarge { column: usize },
    /// An option makes no sense.
    #[error("option `{option}` must be a finite number above zero (and so must its inverse)")]
    InvalidOption { option: &'static str },
    /// A share of the rows is none, or all of them.
    #[error("option `{option}` must be a number above 0 and below 1")]
    InvalidShare { option: &'static str },
    /// A decay would grow weights, or take them away whole.
    #[error("option `weight_decay` must be zero or above, and its product with `learning_rate` below 1")]
    InvalidDecay,
    /// A network has only its scores.
    #[error("option `hidden` names no layer; give at least one, or fit a logistic regression, which needs none")]
    NoHiddenLayers,
    /// A hidden layer has no units.
    #[error("option `hidden` gives layer {layer} no units; give it at least one or leave the layer out")]
    EmptyLayer { layer: usize },
    /// The layers are too wide to keep in memory.
    #[error("option `hidden` makes a network of more than {limit} parameters; make its layers narrower")]
    TooManyParameters { limit: usize },
    /// The share of each class's rows to validate on is less than one row.
    #[error("no class has rows enough to keep one aside; raise `validation`, add rows, or leave out `early_stopping`")]
    NoValidationRows,
    /// The loss, a parameter or a squared gradient became infinite or not a number.
    #[error("training diverged in epoch {epoch}; lower `learning_rate`, or scale the columns, for example to [-1, 1]")]
    Diverged { epoch: usize },
    /// A list of columns names one that is not there.
    #[error("there is no column {column}; the columns are counted from zero, and there are {n_columns}")]
    NoSuchColumn { column: usize, n_columns: usize },
    /// A column has two roles.
    #[error("column {column} is named twice; a column is either known or open, and belongs to one question")]
    ColumnTwice { column: usize },
    /// A column has no role.
    #[error("column {column} is neither always known nor of a question; give it a role or leave it out of the rows")]
    ColumnLeftOut { column: usize },
    /// Nothing is to be predicted.
    #[error("no column is open; a belief needs at least one to predict")]
    NothingOpen,
}
