//! The expected entropy of the label once a question is answered, from labelled people put into groups by their answer.
//!
//! ```text
//! E[H | q] = Σ_g (n_g / N) Ĥ_g,     Ĥ_g = H(labels in g) + (m_g − 1) / (2 n_g),     g the groups of the N people by x_q
//! ```
//!
//! Groups are the levels of a category, the values of a number that takes few, and ranks of any other. Within a group
//! the labels are distributed as they would be once the answer is known to be that group's. `m_g` is how many labels
//! the group has; the term corrects the entropy of few people, which is too small on average (Miller and Madow).

use crate::math::normal::entropy;
use crate::schema::{Domain, is_missing};

/// Groups of a number that takes many values.
pub(super) const GROUPS: usize = 16;

/// The entropy of people's labels as they stand, in nats.
pub(super) fn entropy_now(labels: &[usize], n_classes: usize) -> f64 {
    mean_entropy(&vec![0; labels.len()], labels, 1, n_classes)
}

/// The entropy of people's labels once their answers are known, in nats. An answer is its columns.
pub(super) fn entropy_after(domain: Domain, answers: &[&[f64]], labels: &[usize], n_classes: usize) -> f64 {
    let (groups, n_groups) = groups(domain, answers);
    mean_entropy(&groups, labels, n_groups, n_classes)
}

/// The group of each answer, and how many groups there are.
fn groups(domain: Domain, answers: &[&[f64]]) -> (Vec<usize>, usize) {
    if let Domain::OrMissing { .. } = domain {
        let is_number = |answer: &&&[f64]| !is_missing(answer);
        let numbers: Vec<&[f64]> = answers.iter().filter(is_number).copied().collect();
        let (groups, n_groups) = groups(Domain::Interval, &numbers);
        let mut groups = groups.into_iter();
        let group = |answer: &&[f64]| if is_missing(answer) { n_groups } else { groups.next().unwrap_or(0) };
        return (answers.iter().map(group).collect(), n_groups + 1);
    }
    if let Domain::OneOf { levels } = domain {
        let level = |answer: &&[f64]| answer.iter().position(|indicator| *indicator == 1.0).unwrap_or(0);
        return (answers.iter().map(level).collect(), levels);
    }
    let mut order: Vec<usize> = (0..answers.len()).collect();
    order.sort_unstable_by(|&left, &right| answers[left][0].total_cmp(&answers[right][0]).then(left.cmp(&right)));
    let n_values = 1 + order.windows(2).filter(|pair| answers[pair[0]][0] != answers[pair[1]][0]).count();
    let mut groups = vec![0; answers.len()];
    let mut group = 0;
    for (rank, &place) in order.iter().enumerate() {
        let is_new = rank > 0 && answers[order[rank - 1]][0] != answers[place][0];
        // Equal answers stay together: nothing tells them apart.
        let wanted = if n_values <= GROUPS { group + 1 } else { rank * GROUPS / answers.len() };
        if is_new && wanted > group {
            group = wanted;
        }
        groups[place] = group;
    }
    (groups, GROUPS)
}

/// The entropy of labels within groups, corrected for few people, on average over all.
fn mean_entropy(groups: &[usize], labels: &[usize], n_groups: usize, n_classes: usize) -> f64 {
    let mut counts = vec![0u32; n_groups * n_classes];
    groups.iter().zip(labels).for_each(|(group, label)| counts[group * n_classes + label] += 1);
    let total: f64 = counts
        .chunks_exact(n_classes)
        .filter(|counts| counts.iter().any(|count| *count > 0))
        .map(|counts| {
            let size = f64::from(counts.iter().sum::<u32>());
            let shares: Vec<f64> = counts.iter().map(|&count| f64::from(count) / size).collect();
            let n_labels = counts.iter().filter(|count| **count > 0).count();
            size * entropy(&shares) + (n_labels - 1) as f64 / 2.0
        })
        .sum();
    total / labels.len().max(1) as f64
}
