//! People and the groups they belong to.

use std::fmt;

use mindrel::People;

/// How people are grouped: by the levels of one or two columns of their table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    columns: Vec<GroupColumn>,
}

/// A column by which people are grouped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupColumn {
    /// Its name.
    pub name: String,
    /// Its possible values.
    pub levels: Vec<String>,
}

impl Groups {
    /// Groups by these columns; if there are two, also by both at once.
    ///
    /// # Panics
    /// When there are not one or two columns, or one of them has no levels.
    #[must_use]
    pub fn new(columns: Vec<GroupColumn>) -> Self {
        assert!(matches!(columns.len(), 1 | 2), "people are grouped by one column or two");
        assert!(columns.iter().all(|column| !column.levels.is_empty()), "a column has levels");
        Groups { columns }
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[GroupColumn] {
        &self.columns
    }

    /// The number of cells, one for each combination of levels.
    #[must_use]
    pub fn n_cells(&self) -> usize {
        self.columns.iter().map(|column| column.levels.len()).product()
    }

    /// The index of each column's level in a cell.
    #[must_use]
    pub fn places(&self, cell: usize) -> Vec<usize> {
        match &self.columns[..] {
            [_] => vec![cell],
            columns => vec![cell / columns[1].levels.len(), cell % columns[1].levels.len()],
        }
    }

    /// The level of each column in a cell.
    pub fn levels(&self, cell: usize) -> impl Iterator<Item = &str> {
        self.places(cell).into_iter().zip(&self.columns).map(|(place, column)| column.levels[place].as_str())
    }
}

/// Some people, and the cell of each if they are grouped. `Debug` does not show the cells, which may be answers.
#[derive(Clone, Default)]
pub struct Cohort {
    people: People,
    cells: Vec<u32>,
}

impl Cohort {
    /// People with their cells.
    ///
    /// # Panics
    /// When there is not one cell for each person.
    #[must_use]
    pub fn new(people: People, cells: Vec<u32>) -> Self {
        assert_eq!(people.len(), cells.len(), "each person is in one cell");
        Cohort { people, cells }
    }

    /// The people.
    #[must_use]
    pub fn people(&self) -> &People {
        &self.people
    }

    /// The cell of a person; `None` if people are not grouped.
    #[must_use]
    pub fn cell(&self, place: usize) -> Option<usize> {
        self.cells.get(place).map(|&cell| cell as usize)
    }

    /// The first `count` of them.
    pub fn truncate(&mut self, count: usize) {
        self.people.truncate(count);
        self.cells.truncate(count);
    }
}

/// People without groups.
impl From<People> for Cohort {
    fn from(people: People) -> Self {
        Cohort { people, cells: Vec::new() }
    }
}

impl fmt::Debug for Cohort {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Cohort").field("people", &self.people).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_does_not_tell_the_group_of_a_person() {
        let mut people = People::new(1);
        people.push(2);
        let shown = format!("{:?}", Cohort::new(people, vec![987_654]));
        assert!(!shown.contains("987"), "{shown}");
    }
}
