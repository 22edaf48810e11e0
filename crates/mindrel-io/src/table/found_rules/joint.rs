//! How many rows have each pair of cells of two questions.

use mindrel::Schema;
use mindrel::schema::QuestionId;

use super::divided_question::DividedQuestion;
use super::rows::for_each_row;
use crate::Result;
use crate::table::Table;

/// Rows are counted this many at a time, so that the counts of a pair stay in the cache.
const BATCH: usize = 4096;

/// For each pair of questions, how many rows have each pair of cells, up to 255: what matters is whether there are any,
/// and whether they are few.
#[derive(Debug)]
pub(super) struct JointCounts {
    n_questions: usize,
    /// Where the counts of each pair begin; pairs are in lexicographic order.
    starts: Vec<usize>,
    n_cells: Vec<usize>,
    counts: Vec<u8>,
}

impl JointCounts {
    /// Counts the rows that are kept, and those in each single cell.
    pub fn of(
        table: &Table,
        schema: &Schema,
        divided: &mut [DividedQuestion],
        kept: impl Fn(u64) -> bool,
    ) -> Result<Self> {
        let mut joint = JointCounts::none(divided);
        let mut batch: Vec<Vec<u16>> = vec![Vec::with_capacity(BATCH); divided.len()];
        let places: Vec<usize> = (0..divided.len()).collect();
        for_each_row(table, schema, &places, kept, |_, texts| {
            let cells = divided.iter().zip(texts).zip(&places).map(|((question, text), &place)| {
                let parsed = || question.cell_of(&schema.parse_cell(QuestionId::new(place), text).ok()?);
                question.cell_of_level(text).or_else(parsed)
            });
            // A row that does not fit the schema is not one to learn from.
            let Some(cells) = cells.collect::<Option<Vec<usize>>>() else { return };
            for ((question, column), cell) in divided.iter_mut().zip(&mut batch).zip(cells) {
                question.counts[cell] += 1;
                column.push(u16::try_from(cell).expect("there are at most 20,000 cells"));
            }
            if batch[0].len() == BATCH {
                joint.count(&batch);
                batch.iter_mut().for_each(Vec::clear);
            }
        })?;
        joint.count(&batch);
        Ok(joint)
    }

    fn none(divided: &[DividedQuestion]) -> Self {
        let n_cells: Vec<usize> = divided.iter().map(DividedQuestion::n_cells).collect();
        let (mut starts, mut length) = (Vec::new(), 0);
        for left in 0..n_cells.len() {
            for right in left + 1..n_cells.len() {
                starts.push(length);
                length += n_cells[left] * n_cells[right];
            }
        }
        JointCounts { n_questions: divided.len(), starts, n_cells, counts: vec![0; length] }
    }

    fn count(&mut self, batch: &[Vec<u16>]) {
        for left in 0..batch.len() {
            for right in left + 1..batch.len() {
                let width = self.n_cells[right];
                let start = self.starts[self.pair(left, right)];
                let counts = &mut self.counts[start..start + self.n_cells[left] * width];
                for (&row, &column) in batch[left].iter().zip(&batch[right]) {
                    let count = &mut counts[usize::from(row) * width + usize::from(column)];
                    *count = count.saturating_add(1);
                }
            }
        }
    }

    fn pair(&self, left: usize, right: usize) -> usize {
        left * (2 * self.n_questions - left - 1) / 2 + right - left - 1
    }

    /// How many rows have a cell of one question and a cell of another, up to 255.
    pub fn get(&self, (question, cell): (usize, usize), (other, other_cell): (usize, usize)) -> u64 {
        if question > other {
            return self.get((other, other_cell), (question, cell));
        }
        let start = self.starts[self.pair(question, other)];
        u64::from(self.counts[start + cell * self.n_cells[other] + other_cell])
    }
}
