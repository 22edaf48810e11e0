//! Groups so small that figures about them would identify people.

/// Groups with fewer people are not shown on their own, unless another number is set.
pub const SMALLEST_GROUP: u64 = 10;

/// Some groups, each with its figures.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TellableGroups<K, T> {
    /// Groups that are large enough, in their order.
    pub told: Vec<(K, T)>,
    /// The small groups merged into one, and how many there are, if together they have enough people.
    pub merged: Option<(usize, T)>,
    /// How many small groups are left out, because they have too few people even together.
    pub n_untold: usize,
}

/// Merges the groups with fewer than `smallest` people, and leaves them out if together they still have fewer.
///
/// Empty groups say nothing about anyone and are kept.
pub(crate) fn tellable<K, T>(
    groups: impl IntoIterator<Item = (K, T)>,
    smallest: u64,
    people: impl Fn(&T) -> u64,
    merge: impl Fn(T, T) -> T,
) -> TellableGroups<K, T> {
    let is_small = |(_, group): &(K, T)| (1..smallest).contains(&people(group));
    let (small, told): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_small);
    let n_small = small.len();
    let together = small.into_iter().map(|(_, group)| group).reduce(merge);
    let merged = together.filter(|together| people(together) >= smallest).map(|together| (n_small, together));
    let n_untold = if merged.is_some() { 0 } else { n_small };
    TellableGroups { told, merged, n_untold }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(people: &[u64]) -> (Vec<u64>, Option<(usize, u64)>, usize) {
        let groups = tellable(people.iter().copied().enumerate(), 10, |people| *people, |one, other| one + other);
        (groups.told.into_iter().map(|(_, people)| people).collect(), groups.merged, groups.n_untold)
    }

    #[test]
    fn no_figure_is_about_fewer_people_than_the_smallest_group() {
        assert_eq!(shown(&[40, 10, 0]), (vec![40, 10, 0], None, 0));
        assert_eq!(shown(&[40, 9, 30, 4]), (vec![40, 30], Some((2, 13)), 0));
        assert_eq!(shown(&[40, 3, 30, 4]), (vec![40, 30], None, 2));
    }
}
