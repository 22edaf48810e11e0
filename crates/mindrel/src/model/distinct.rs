//! People who are the same in every column, so that each is run once.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

/// The different ones among some encoded people. It has no `Debug`: it holds answers.
pub(super) struct Distinct {
    /// Their columns, person after person, in the order they first appear.
    pub people: Vec<f64>,
    /// Of everyone, the place among the different ones.
    pub places: Vec<usize>,
}

/// The columns of a person, compared bit by bit.
struct Bits<'a>(&'a [f64]);

impl Distinct {
    /// `None` if everyone is different.
    pub fn of(people: &[f64], n_columns: usize) -> Option<Self> {
        let n_people = people.len() / n_columns;
        let mut seen = HashMap::with_capacity(n_people);
        let each = people.chunks_exact(n_columns);
        let places: Vec<usize> = each
            .map(|person| {
                let next = seen.len();
                *seen.entry(Bits(person)).or_insert(next)
            })
            .collect();
        if seen.len() == n_people {
            return None;
        }
        let mut distinct = Vec::with_capacity(seen.len() * n_columns);
        for (person, &place) in people.chunks_exact(n_columns).zip(&places) {
            if place * n_columns == distinct.len() {
                distinct.extend_from_slice(person);
            }
        }
        Some(Distinct { people: distinct, places })
    }
}

impl Hash for Bits<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|value| value.to_bits().hash(state));
    }
}

impl PartialEq for Bits<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().map(|value| value.to_bits()).eq(other.0.iter().map(|value| value.to_bits()))
    }
}

impl Eq for Bits<'_> {}

#[cfg(test)]
mod tests {
    use super::Distinct;

    #[test]
    fn everyone_is_found_again_among_the_different_ones() {
        let people = [1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 0.0, 5.0, 3.0, 4.0, -0.0, 5.0];
        let distinct = Distinct::of(&people, 2).expect("two come twice");
        assert_eq!(distinct.people.len(), 2 * 4);
        for (person, place) in people.chunks_exact(2).zip(&distinct.places) {
            assert_eq!(&distinct.people[2 * place..2 * place + 2], person);
        }
        assert!(Distinct::of(&people, 12).is_none());
        assert!(Distinct::of(&[], 2).is_none());
    }
}
