//! A random sample of the rows of a table.

use std::collections::BinaryHeap;

use mindrel::math::mix::mix;

use super::Table;
use super::decode::for_each_record;
use crate::Result;

/// Rows of a table drawn at random without replacement, known by their lines: the same for the same table and seed on
/// any machine.
///
/// ```text
/// row taken  ⇔  hash(seed, line) is among the `count` smallest
/// ```
///
/// The hash is a bijection of the line, so exactly `count` rows are taken, or all if there are fewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowSample {
    seed: u64,
    /// The largest hash that is taken; `None` if no row is.
    last: Option<u64>,
}

impl RowSample {
    /// Draws `count` of the rows that are to be `kept` by their line. Reads the whole table, and holds `count`
    /// numbers in memory.
    ///
    /// # Errors
    /// When the table cannot be read.
    pub fn draw(table: &Table, count: usize, seed: u64, kept: impl Fn(u64) -> bool) -> Result<Self> {
        let mut smallest = BinaryHeap::new();
        let blocks = table.open()?;
        let (name, n_fields) = (blocks.name().to_owned(), blocks.header().len());
        for block in blocks {
            for_each_record(&name, n_fields, &block?, |line, _| {
                if kept(line) {
                    smallest.push(scattered(seed, line));
                    if smallest.len() > count {
                        smallest.pop();
                    }
                }
                Ok(())
            })?;
        }
        Ok(RowSample { seed, last: smallest.peek().copied() })
    }

    /// Whether the row on a line is taken, among those that were to be kept.
    #[must_use]
    pub fn takes(&self, line: u64) -> bool {
        self.last.is_some_and(|last| scattered(self.seed, line) <= last)
    }
}

/// The seed is mixed first and the line added, unlike where rows are held out for a plan: with the same seed both
/// choose independently.
fn scattered(seed: u64, line: u64) -> u64 {
    mix(mix(seed).wrapping_add(line))
}
