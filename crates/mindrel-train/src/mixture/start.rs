//! Where the search starts: seeds far apart, drawn at random, and the rows nearest to each.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

use super::sums::Sums;
use super::table::{Row, Table};

/// How many deviations from the shift a value may count for: an indicator set in one row of ten thousand lies a hundred
/// away, and would be all that seeds are chosen by.
const MOST_DEVIATIONS: f64 = 3.0;
/// How often the centres are moved to the middle of their rows.
const N_ROUNDS: usize = 5;

/// Groups the rows around up to `n_groups` centres: k-means++ seeding [AV07, §2.2] and a few rounds of k-means.
pub(super) fn group(table: &Table, n_groups: usize, random: &mut Pcg64Mcg) -> Vec<Sums> {
    let mut centres = seeds(table, n_groups, random);
    let mut assigned = nearest(table, &centres);
    for _ in 0..N_ROUNDS {
        move_to_middle(table, &mut centres, &assigned);
        assigned = nearest(table, &centres);
    }
    Sums::of_assigned(table, centres.len(), &assigned)
}

/// A place to measure distances from.
struct Centre {
    values: Vec<f64>,
    square: f64,
}

impl Centre {
    fn new(values: Vec<f64>) -> Self {
        let square = values.iter().map(|value| value * value).sum();
        Centre { values, square }
    }

    fn at(table: &Table, row: usize) -> Self {
        let mut values = vec![0.0; table.n_columns()];
        entries(table.row(row)).for_each(|(column, value)| values[column] = value);
        Centre::new(values)
    }

    /// `‖x − c‖² = ‖c‖² + Σ_j x_j (x_j − 2 c_j)`, which needs only what is not zero.
    fn square_distance(&self, row: Row<'_>) -> f64 {
        let change: f64 = entries(row).map(|(column, value)| value * (value - 2.0 * self.values[column])).sum();
        (self.square + change).max(0.0)
    }
}

fn entries(row: Row<'_>) -> impl Iterator<Item = (usize, f64)> {
    let clamped = row.values.iter().map(|value| value.clamp(-MOST_DEVIATIONS, MOST_DEVIATIONS));
    row.columns.iter().map(|&column| column as usize).zip(clamped)
}

/// Rows drawn one by one, each as likely as the square of its distance from the nearest drawn before.
///
/// Fewer than asked for where all rows lie on those drawn.
fn seeds(table: &Table, n_seeds: usize, random: &mut Pcg64Mcg) -> Vec<Centre> {
    let mut centres = vec![Centre::at(table, below(table.n_rows(), random))];
    let mut distances = vec![f64::INFINITY; table.n_rows()];
    while centres.len() < n_seeds {
        let newest = centres.last().expect("there is a first");
        for (row, distance) in distances.iter_mut().enumerate() {
            *distance = distance.min(newest.square_distance(table.row(row)));
        }
        let total: f64 = distances.iter().sum();
        // Below this, distances are the rounding of their sums.
        if total <= 1e-12 * table.n_rows() as f64 {
            break;
        }
        let mut left = uniform(random) * total;
        let drawn = distances.iter().position(|distance| {
            left -= distance;
            left < 0.0
        });
        centres.push(Centre::at(table, drawn.unwrap_or(table.n_rows() - 1)));
    }
    centres
}

fn nearest(table: &Table, centres: &[Centre]) -> Vec<usize> {
    let nearest = |row: usize| {
        let distances = centres.iter().map(|centre| centre.square_distance(table.row(row)));
        let closer = |best: (usize, f64), next: (usize, f64)| if next.1 < best.1 { next } else { best };
        distances.enumerate().fold((0, f64::INFINITY), closer).0
    };
    (0..table.n_rows()).map(nearest).collect()
}

/// A centre without rows stays where it is.
fn move_to_middle(table: &Table, centres: &mut [Centre], assigned: &[usize]) {
    let mut sums = vec![(0.0, vec![0.0; table.n_columns()]); centres.len()];
    for (row, &centre) in assigned.iter().enumerate() {
        let (count, sum) = &mut sums[centre];
        *count += 1.0;
        entries(table.row(row)).for_each(|(column, value)| sum[column] += value);
    }
    for (centre, (count, sum)) in centres.iter_mut().zip(sums) {
        if count > 0.0 {
            *centre = Centre::new(sum.iter().map(|sum| sum / count).collect());
        }
    }
}

/// `n` of the rows, in rising order, each as likely as any other; all where there are no more.
pub(super) fn sample(n_rows: usize, n: usize, random: &mut Pcg64Mcg) -> Vec<usize> {
    let mut missing = n;
    let mut chosen = Vec::with_capacity(n.min(n_rows));
    for row in 0..n_rows {
        if below(n_rows - row, random) < missing {
            chosen.push(row);
            missing -= 1;
        }
    }
    chosen
}

/// A whole number below `n`, each as likely as any other to within 2⁻⁶⁴ · n.
fn below(n: usize, random: &mut Pcg64Mcg) -> usize {
    ((u128::from(random.next_u64()) * n as u128) >> 64) as usize
}

/// A number in [0, 1).
fn uniform(random: &mut Pcg64Mcg) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use rand_pcg::rand_core::SeedableRng;

    use super::*;
    use crate::{TrainingSet, moments};

    #[test]
    fn a_sample_has_the_size_asked_for_and_no_row_twice() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        for (n_rows, n) in [(10, 3), (10, 10), (10, 20), (1000, 400)] {
            let rows = sample(n_rows, n, &mut random);
            assert_eq!(rows.len(), n.min(n_rows));
            assert!(rows.windows(2).all(|pair| pair[0] < pair[1]) && rows.iter().all(|&row| row < n_rows));
        }
    }

    #[test]
    fn rows_far_apart_are_never_in_one_group() {
        let rows: Vec<f64> = (0..90).map(|i| (i % 3) as f64 + 0.001 * (i % 5) as f64).collect();
        let set = TrainingSet::new(rows, 1, (0..90).map(|i| i % 2).collect(), 2).expect("a valid set");
        let table = Table::new(&set, &moments(&set));
        for seed in 0..10 {
            let groups = group(&table, 3, &mut Pcg64Mcg::seed_from_u64(seed));
            assert!(groups.iter().all(|group| group.weight == 30.0));
        }
    }

    #[test]
    fn no_more_groups_are_made_than_there_are_different_rows() {
        let set = TrainingSet::new([0.0, 1.0].repeat(20), 1, [0, 1].repeat(20), 2).expect("a valid set");
        let table = Table::new(&set, &moments(&set));
        assert_eq!(group(&table, 5, &mut Pcg64Mcg::seed_from_u64(2)).len(), 2);
    }
}
