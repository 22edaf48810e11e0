//! Cells: what splits tell apart of a question.

/// A tree that tells more cells of a category apart is bounded as if it did not split on it: they are bits of a word.
pub(super) const MOST_LEVEL_CELLS: usize = 32;

/// The same for a number, whose cells are counted in 16 bits.
pub(super) const MOST_NUMBER_CELLS: usize = 1 << 16;

/// The cells of a question.
pub(super) enum AxisCells {
    /// The last number of each cell but the last.
    Numbers(Vec<f64>),
    /// The columns of levels with a cell of their own; all other possible levels, if there are any, share the last
    /// cell.
    Levels { columns: Vec<u32>, has_others: bool },
}

/// Some own cells of a side.
#[derive(Clone, Copy)]
pub(super) enum CellSet {
    /// From the first to the last.
    Numbers { first: u16, last: u16 },
    /// A bit for each cell.
    Levels(u32),
}

impl CellSet {
    /// All own cells of a side.
    pub fn whole(is_number: bool, n_own: usize) -> Self {
        if is_number {
            CellSet::Numbers { first: 0, last: (n_own - 1) as u16 }
        } else {
            CellSet::Levels(u32::MAX >> (MOST_LEVEL_CELLS - n_own))
        }
    }

    /// The cells of a category; none of a number.
    pub fn levels(self) -> impl Iterator<Item = usize> {
        let mut bits = if let CellSet::Levels(bits) = self { bits } else { 0 };
        std::iter::from_fn(move || {
            let cell = bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
            (cell < MOST_LEVEL_CELLS).then_some(cell)
        })
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        match self {
            CellSet::Numbers { first, last } => first > last,
            CellSet::Levels(cells) => cells == 0,
        }
    }

    /// What lies within some other cells, and what lies outside of them; of numbers the others are the first ones.
    pub fn split(self, left: CellSet) -> (CellSet, CellSet) {
        match (self, left) {
            (CellSet::Numbers { first, last }, CellSet::Numbers { last: end, .. }) => {
                (CellSet::Numbers { first, last: last.min(end) }, CellSet::Numbers { first: first.max(end + 1), last })
            }
            (CellSet::Levels(cells), CellSet::Levels(left)) => {
                (CellSet::Levels(cells & left), CellSet::Levels(cells & !left))
            }
            _ => (self, self),
        }
    }
}

impl AxisCells {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            AxisCells::Numbers(ends) => ends.len() + 1,
            AxisCells::Levels { columns, has_others } => columns.len() + usize::from(*has_others),
        }
    }
}
