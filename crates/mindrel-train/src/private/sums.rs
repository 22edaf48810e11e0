//! What is summed over the rows, in whole numbers, and how much one row can change it.
//!
//! A number that may be missing is summed as two columns of which one is zero: the number, from −1 to 1, and whether it
//! is missing, 0 or 1.

use std::ops::Range;

use mindrel::Schema;
use mindrel::schema::Domain;

use crate::EncodedRows;

/// How many steps a value of 1 has. A row is rounded to steps before anything else, so it costs accuracy, 5e-7, and no
/// privacy.
pub(super) const STEPS: f64 = (1 << 20) as f64;

/// The columns and the domain of each question.
pub(super) struct SumLayout {
    pub(super) questions: Vec<(Range<usize>, Domain)>,
    pub(super) n_columns: usize,
}

impl SumLayout {
    pub(super) fn new(schema: &Schema) -> Self {
        let question = |id| (schema.columns(id), schema.question(id).domain());
        SumLayout { questions: schema.ids().map(question).collect(), n_columns: schema.n_columns() }
    }

    /// The weight of a sum of values where a product of two questions weighs 1: a² = √q / 2 for q questions.
    ///
    /// It makes the noise of a covariance about least where means are near ±½; any weight is sound.
    pub(super) fn value_weight(&self) -> f64 {
        (self.questions.len() as f64).sqrt() / 2.0
    }

    /// The weight of a sum of squares: 1 + a².
    pub(super) fn square_weight(&self) -> f64 {
        1.0 + self.value_weight()
    }

    /// How far one row can move all sums together when it is replaced by any other.
    ///
    /// ```text
    /// f(x) = (a x_j;  b ‖x_p‖², numbers p;  x_j x_k, j and k of different questions)
    /// sup ‖f(x) − f(y)‖ ≤ q + a²   for b² = 1 + a²
    /// ```
    ///
    /// Let z = (x, a) and w = (y, a), so that ‖z‖² = a² + Σ_p u_p with u_p = ‖x_p‖² ∈ [0, 1] for each question p, and
    /// the same for w, y and v. Twice the products and values, and once the squares, are among
    /// the entries of zzᵀ − wwᵀ, the block of a question with several columns being no smaller than its square:
    /// ‖x_p x_pᵀ − y_p y_pᵀ‖² = u_p² + v_p² − 2 (x_p·y_p)² ≥ (u_p − v_p)².
    ///
    /// ```text
    /// ‖f(x) − f(y)‖² ≤ ½ ‖zzᵀ − wwᵀ‖² + (b² − ½) Σ_p (u_p − v_p)²
    ///                = ½ ‖z‖⁴ + ½ ‖w‖⁴ − (z·w)² + (½ + a²) Σ_p (u_p − v_p)²
    ///                ≤ ½ (a² + Σ u)² + ½ (a² + Σ v)² + (½ + a²) Σ_p (u_p − v_p)²
    /// ```
    ///
    /// The last line is convex in (u, v), so largest where all are 0 or 1. From there, setting to 1 a v_p = 0 whose u_p
    /// is 1 changes it by (a² + Σ v) + ½ − (½ + a²) ≥ 0, and one whose u_p is 0 by more; so it is largest at all ones,
    /// where it is (q + a²)².
    pub(super) fn sensitivity(&self) -> f64 {
        self.questions.len() as f64 + self.value_weight()
    }
}

/// Sums over rows: of the values in steps, and of their products in steps squared, as a lower triangle.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TableSums {
    pub(super) values: Vec<i128>,
    pub(super) products: Vec<i128>,
}

/// The sums over all rows, each first put into the domain: numbers into [−1, 1], a category to its largest level.
pub(super) fn sums(layout: &SumLayout, set: &EncodedRows) -> TableSums {
    let n_columns = layout.n_columns;
    let mut sums = TableSums { values: vec![0; n_columns], products: vec![0; n_columns * n_columns] };
    let mut entries = Vec::with_capacity(layout.questions.len());
    for row in set.rows().chunks_exact(n_columns) {
        entries.clear();
        entries.extend(layout.questions.iter().map(|(columns, domain)| entry(*domain, columns, row)));
        for (place, &(column, value)) in entries.iter().enumerate() {
            sums.values[column] += i128::from(value);
            let products = &mut sums.products[column * n_columns..];
            for &(other, other_value) in &entries[..=place] {
                products[other] += i128::from(value * other_value);
            }
        }
    }
    sums
}

/// The one column of a question that is not zero, or any, and its value in steps.
fn entry(domain: Domain, columns: &Range<usize>, row: &[f64]) -> (usize, i64) {
    let steps = STEPS as i64;
    let first = columns.start;
    match domain {
        Domain::OneOf { .. } => {
            let largest = columns.clone().fold(first, |best, next| if row[next] > row[best] { next } else { best });
            (largest, steps)
        }
        Domain::OrMissing { .. } if row[first] - row[first + 1] >= 1.0 => (first + 1, steps),
        Domain::OrMissing { .. } => (first, ((row[first] + row[first + 1]).clamp(-1.0, 1.0) * STEPS).round() as i64),
        Domain::Grid { points: 2 } => (first, if row[first] < 0.0 { -steps } else { steps }),
        Domain::Grid { .. } | Domain::Interval => (first, (row[first].clamp(-1.0, 1.0) * STEPS).round() as i64),
    }
}

#[cfg(test)]
mod tests {
    use mindrel::schema::{Kind, MissingNumber, Question, Visibility};
    use proptest::prelude::*;

    use super::super::tests::{schema_of, set_of};
    use super::*;

    /// `‖f(x) − f(y)‖`, from the sums of one row each.
    fn distance(schema: &Schema, rows: [&[f64]; 2]) -> f64 {
        let layout = SumLayout::new(schema);
        let sums = rows.map(|row| sums(&layout, &set_of(schema, &[row, row])));
        // Every set needs two rows; both are the same one.
        let difference = |x: i128, y: i128, unit: f64| ((x - y) as f64 / unit / 2.0).powi(2);
        let values = sums[0].values.iter().zip(&sums[1].values).map(|(x, y)| difference(*x, *y, STEPS)).sum::<f64>();
        let mut square = layout.value_weight() * values;
        for (question, (rows, domain)) in layout.questions.iter().enumerate() {
            for j in rows.clone() {
                let others = layout.questions[..question].iter().flat_map(|(columns, _)| columns.clone());
                let mut released: Vec<(usize, f64)> = others.map(|k| (k, 1.0)).collect();
                if matches!(domain, Domain::Interval | Domain::Grid { .. }) {
                    released.push((j, layout.square_weight()));
                }
                for (k, weight) in released {
                    let place = j * layout.n_columns + k;
                    square += weight * difference(sums[0].products[place], sums[1].products[place], STEPS * STEPS);
                }
            }
        }
        for (columns, _) in layout.questions.iter().filter(|(_, domain)| matches!(domain, Domain::OrMissing { .. })) {
            let of_row = |sums: &TableSums| columns.clone().map(|j| sums.products[j * (layout.n_columns + 1)]).sum();
            let [x, y]: [i128; 2] = [of_row(&sums[0]), of_row(&sums[1])];
            square += layout.square_weight() * difference(x, y, STEPS * STEPS);
        }
        square.sqrt()
    }

    /// So many numbers and then categories of three levels.
    fn mixed(n_numbers: usize, n_categories: usize) -> Schema {
        let numbers = (0..n_numbers).map(|i| Question::number(format!("n{i}"), -1.0, 1.0));
        let categories = (0..n_categories).map(|i| Question::category(format!("c{i}"), ["a", "b", "c"]));
        schema_of(numbers.chain(categories).collect())
    }

    /// Every row of numbers in −1, 0, 1 and levels.
    fn corners(n_numbers: usize, n_categories: usize) -> Vec<Vec<f64>> {
        let n_questions = n_numbers + n_categories;
        let digits = |code: usize| (0..n_questions).map(move |place| code / 3_usize.pow(place as u32) % 3);
        let values = |(place, digit): (usize, usize)| {
            if place < n_numbers {
                vec![digit as f64 - 1.0]
            } else {
                (0..3).map(|k| f64::from(k == digit as u8)).collect()
            }
        };
        (0..3_usize.pow(n_questions as u32)).map(|code| digits(code).enumerate().flat_map(values).collect()).collect()
    }

    /// All pairs of corners and centres with up to four questions; the bound is met exactly where parity lets it be,
    /// within 10 % with four numbers.
    #[test]
    fn no_pair_of_corners_exceeds_the_sensitivity_and_some_come_close() {
        for (n_numbers, n_categories) in [(1, 0), (0, 1), (2, 0), (1, 1), (3, 0), (1, 2), (4, 0), (2, 2), (0, 4)] {
            let schema = &mixed(n_numbers, n_categories);
            let bound = SumLayout::new(schema).sensitivity();
            let corners = corners(n_numbers, n_categories);
            let pairs = corners.iter().flat_map(|x| corners.iter().map(move |y| distance(schema, [x, y])));
            let largest = pairs.fold(0.0, f64::max);
            assert!(largest <= bound * (1.0 + 1e-12), "{n_numbers} {n_categories}: {largest} {bound}");
            if n_numbers == 4 {
                assert!(largest > 0.9 * bound, "{largest} {bound}");
            }
        }
    }

    /// Every pair of rows of a number and two that may be missing, at their ends, in between and missing.
    #[test]
    fn no_pair_of_rows_with_missing_numbers_exceeds_the_sensitivity() {
        let kind = Kind::Number { lower: -1.0, upper: 1.0, missing: Some(MissingNumber::Answer) };
        let question = |name| Question::new(name, Visibility::Sensitive, kind.clone());
        let schema = &schema_of(vec![Question::number("n", -1.0, 1.0), question("a"), question("b")]);
        let perhaps = [[1.0, -1.0], [-0.5; 2], [0.0; 2], [0.25; 2], [0.5; 2]];
        let rows: Vec<Vec<f64>> = [-1.0, 0.0, 0.5, 1.0]
            .into_iter()
            .flat_map(|n| perhaps.into_iter().flat_map(move |a| perhaps.map(|b| [&[n][..], &a, &b].concat())))
            .collect();
        let bound = SumLayout::new(schema).sensitivity() * (1.0 + 1e-12);
        let pairs = rows.iter().flat_map(|x| rows.iter().map(move |y| [x.as_slice(), y.as_slice()]));
        let largest = pairs.map(|pair| distance(schema, pair)).fold(0.0, f64::max);
        assert!(largest <= bound && largest > 0.6 * bound, "{largest} of {bound}");
    }

    proptest! {
        /// Rows far outside the domain are put into it first.
        #[test]
        fn no_pair_of_rows_whatsoever_exceeds_the_sensitivity(
            n_numbers in 0_usize..6,
            n_categories in 0_usize..4,
            values in prop::collection::vec(prop_oneof![-1.0..1.0, -1e9..1e9], 36),
        ) {
            prop_assume!(n_numbers + n_categories > 0);
            let schema = mixed(n_numbers, n_categories);
            let (x, y) = values.split_at(18);
            let distance = distance(&schema, [&x[..schema.n_columns()], &y[..schema.n_columns()]]);
            prop_assert!(distance <= SumLayout::new(&schema).sensitivity() * (1.0 + 1e-12));
        }
    }
}
