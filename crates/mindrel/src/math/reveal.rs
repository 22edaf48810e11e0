//! Conditioning a Gaussian on some of its coordinates, one at a time.

/// A coordinate whose variance has fallen below this share of what it was before anything was revealed is already
/// known: dividing by what is left would only amplify rounding.
pub const KNOWN_SHARE: f64 = 1e-9;

/// A symmetric matrix, row after row.
#[derive(Debug, Clone, PartialEq)]
pub struct Symmetric {
    size: usize,
    entries: Vec<f64>,
}

impl Symmetric {
    /// A matrix from its rows, one after the other.
    ///
    /// # Panics
    /// When there are not `size × size` entries.
    #[must_use]
    pub fn new(size: usize, entries: Vec<f64>) -> Self {
        assert_eq!(entries.len(), size * size, "a symmetric matrix has size × size entries");
        Symmetric { size, entries }
    }

    /// Number of rows, and of columns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// One row, which is also one column.
    #[must_use]
    pub fn row(&self, index: usize) -> &[f64] {
        &self.entries[index * self.size..(index + 1) * self.size]
    }

    /// One entry.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    /// All entries, row after row.
    #[must_use]
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// The rows and columns of some coordinates only, in the order given.
    #[must_use]
    pub fn select(&self, coordinates: &[usize]) -> Symmetric {
        let entries =
            coordinates.iter().flat_map(|&row| coordinates.iter().map(move |&column| self.at(row, column))).collect();
        Symmetric::new(coordinates.len(), entries)
    }

    /// Reveals one coordinate of a Gaussian with this covariance and returns its gain [TF23, Prop. 3]:
    ///
    /// ```text
    /// k = Σ_·j / Σ_jj,   Σ ← Σ − k Σ_j·,   and the mean moves by k (x_j − mean_j)
    /// ```
    ///
    /// Returns `None` when the variance is at most `known_below`: the coordinate is already determined by those
    /// revealed before, which is what the last indicator of a one-hot category always is.
    pub fn reveal(&mut self, coordinate: usize, known_below: f64) -> Option<Vec<f64>> {
        let variance = self.at(coordinate, coordinate);
        let row = self.row(coordinate).to_vec();
        let gain = (variance > known_below).then(|| row.iter().map(|value| value / variance).collect::<Vec<f64>>());
        if let Some(gain) = &gain {
            for (index, share) in gain.iter().enumerate() {
                let target = &mut self.entries[index * self.size..(index + 1) * self.size];
                for (entry, covariance) in target.iter_mut().zip(&row) {
                    *entry -= share * covariance;
                }
                // Rounding may leave a variance a little below zero.
                target[index] = target[index].max(0.0);
            }
        }
        self.clear(coordinate);
        gain
    }

    /// Reveals several coordinates and returns how the mean answers to each of their surprises:
    ///
    /// ```text
    /// mean ← mean + Σ_i G_i (x_i − mean_i),   G = Σ_·R Σ_RR⁺
    /// ```
    ///
    /// with the mean of *before* on the right. Row `i` of the result belongs to the `i`-th coordinate given.
    pub fn reveal_all(&mut self, coordinates: &[usize], known_below: &[f64]) -> Vec<Vec<f64>> {
        let mut gains: Vec<Vec<f64>> = Vec::with_capacity(coordinates.len());
        for &coordinate in coordinates {
            let gain = self.reveal(coordinate, known_below[coordinate]);
            let Some(gain) = gain else {
                gains.push(vec![0.0; self.size]);
                continue;
            };
            // What earlier surprises already told about this coordinate is no surprise of its own.
            for earlier in &mut gains {
                let told = earlier[coordinate];
                for (value, share) in earlier.iter_mut().zip(&gain) {
                    *value -= told * share;
                }
            }
            gains.push(gain);
        }
        gains
    }

    fn clear(&mut self, coordinate: usize) {
        for index in 0..self.size {
            self.entries[coordinate * self.size + index] = 0.0;
            self.entries[index * self.size + coordinate] = 0.0;
        }
    }
}

/// Cholesky's factor `L` of a covariance with `L Lᵀ = Σ`, lower triangular, row after row.
///
/// A coordinate whose variance, given those before it, is at most `known_below` is a function of them, as the last
/// indicator of a category is; its column of `L` is zero.
pub(crate) fn factorise(
    size: usize,
    covariance: impl Fn(usize, usize) -> f64,
    known_below: impl Fn(usize) -> f64,
    factor: &mut Vec<f64>,
) {
    factor.clear();
    factor.resize(size * size, 0.0);
    for column in 0..size {
        for row in column..size {
            let products = (0..column).map(|source| factor[row * size + source] * factor[column * size + source]);
            let rest = covariance(row, column) - products.sum::<f64>();
            let pivot = factor[column * size + column];
            factor[row * size + column] = if row > column && pivot > 0.0 {
                rest / pivot
            } else if row == column && rest > known_below(column) {
                rest.sqrt()
            } else {
                0.0
            };
        }
    }
}
