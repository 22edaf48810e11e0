//! Sets of cells of one question.

/// A set of cells, as bits. Sets that are combined belong to the same question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AnswerCellSet(Vec<u64>);

impl AnswerCellSet {
    /// No cell of this many.
    pub fn none(n_cells: usize) -> Self {
        AnswerCellSet(vec![0; n_cells.div_ceil(64)])
    }

    /// Some of this many cells.
    pub fn of(n_cells: usize, cells: impl IntoIterator<Item = usize>) -> Self {
        let mut set = AnswerCellSet::none(n_cells);
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }

    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    pub fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    pub fn cells(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..64 * self.0.len()).filter(|&cell| self.contains(cell))
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_within(&self, other: &AnswerCellSet) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| own & !other == 0)
    }

    pub fn is_apart_from(&self, other: &AnswerCellSet) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| own & other == 0)
    }

    pub fn add(&mut self, other: &AnswerCellSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    pub fn keep(&mut self, other: &AnswerCellSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own &= other);
    }

    pub fn without(&self, other: &AnswerCellSet) -> AnswerCellSet {
        AnswerCellSet(self.0.iter().zip(&other.0).map(|(own, other)| own & !other).collect())
    }
}
