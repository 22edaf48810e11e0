//! The expected entropy of the label once a question is answered, from labelled people put into groups by their answer.
//!
//! ```text
//! E[H | q] = Σ_g (n_g / N) Ĥ_g,     Ĥ_g = H(labels in g) + (m_g − 1) / (2 n_g),     g the groups of the N people by x_q
//! ```
//!
//! Groups are the levels of a category, the values of a number that takes few, and ranks of any other. Within a group
//! the labels are distributed as they would be once the answer is known to be that group's. `m_g` is how many labels
//! the group has; the term corrects the entropy of few people, which is too small on average (Miller and Madow).

use crate::math::normal::{self, entropy};
use crate::schema::{Domain, is_missing};

/// Groups of a number that takes many values.
pub(crate) const GROUPS: usize = 16;

/// The entropy of people's labels as they stand, in nats.
pub(super) fn entropy_now(labels: &[usize], n_classes: usize) -> f64 {
    mean_entropy(&vec![0; labels.len()], labels, 1, n_classes)
}

/// The entropy of people's labels once their answers are known, in nats. An answer is its columns.
pub(super) fn entropy_after(domain: Domain, answers: &[&[f64]], labels: &[usize], n_classes: usize) -> f64 {
    let (groups, n_groups) = groups(domain, answers);
    mean_entropy(&groups, labels, n_groups, n_classes)
}

/// The expected entropy of a label of two once people's answers are known, in nats, by the margins of one of the
/// labels.
///
/// ```text
/// E[H | q] = Σ_g (n_g / N) h(Φ(m_g / s)),     m_g = m + (1 − 1/F)⁺ (mean of the margins in g − m)
/// ```
///
/// as if margins were normal within a group, with the same variance s² in all of them. `F` compares the variances
/// between and within groups, so that groups of few people that differ by chance tell nothing. Margins say more than as
/// many labels.
pub(super) fn entropy_after_by_margins(domain: Domain, answers: &[&[f64]], margins: &[f64]) -> f64 {
    let (groups, n_groups) = groups(domain, answers);
    entropy_by_margins(&groups, n_groups, margins)
}

/// The same as things stand.
pub(super) fn entropy_now_by_margins(margins: &[f64]) -> f64 {
    entropy_by_margins(&vec![0; margins.len()], 1, margins)
}

fn entropy_by_margins(groups: &[usize], n_groups: usize, margins: &[f64]) -> f64 {
    let (mut counts, mut sums) = (vec![0.0; n_groups], vec![0.0; n_groups]);
    for (&group, margin) in groups.iter().zip(margins) {
        counts[group] += 1.0;
        sums[group] += margin;
    }
    let n_people = margins.len() as f64;
    let mean = margins.iter().sum::<f64>() / n_people;
    let mean_of = |group: usize| sums[group] / counts[group];
    let within: f64 = groups.iter().zip(margins).map(|(&group, margin)| (margin - mean_of(group)).powi(2)).sum();
    let present = (0..n_groups).filter(|&group| counts[group] > 0.0);
    let between: f64 = present.clone().map(|group| counts[group] * (mean_of(group) - mean).powi(2)).sum();
    let n_present = present.clone().count() as f64;
    let variance = within / (n_people - n_present).max(1.0);
    let kept = if between > 0.0 { (1.0 - variance * (n_present - 1.0) / between).max(0.0) } else { 0.0 };
    let deviation = variance.max(f64::MIN_POSITIVE).sqrt();
    let entropy_of = |group: usize| {
        let likely = normal::cdf((mean + kept * (mean_of(group) - mean)) / deviation);
        entropy(&[likely, 1.0 - likely])
    };
    present.map(|group| counts[group] / n_people * entropy_of(group)).sum()
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
