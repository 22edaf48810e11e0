//! The rules between two questions.

use super::SUPPORT;
use super::cell_set::AnswerCellSet;
use super::divided_question::DividedQuestion;
use super::joint::JointCounts;

/// A further rule with an interval as its condition must add this share to what those before it exclude.
const SMALLEST_STEP: f64 = 0.05;

/// A rule is left out where those before it exclude this share of the same pairs.
const MOSTLY: f64 = 0.5;

/// Rules that exclude this share of what others do are as good.
const NEARLY: f64 = 0.98;

/// The same where one question determines the other: no answer should be lacking, however rare.
const NEARLY_ALL: f64 = 0.999;

/// A rule with one condition and one consequence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PairRule {
    /// The question of the condition, by its question.
    pub premise: usize,
    pub when: AnswerCellSet,
    /// The question of the consequence, by its question.
    pub consequence: usize,
    pub then: AnswerCellSet,
    /// How many rows meet the condition.
    pub n_meeting: u64,
    /// How many rows lack the consequence.
    pub n_lacking: u64,
    /// How much it tells about a row, on average, in bits.
    pub bits: f64,
}

/// For how many rows rules with the condition on one question leave a single answer to another.
pub(super) fn n_determined(divided: &[DividedQuestion], rules: &[PairRule], premise: usize) -> u64 {
    let determines = |rule: &&PairRule| rule.premise == premise && rule.leaves_one_answer(divided);
    rules.iter().filter(determines).map(|rule| rule.n_meeting).sum()
}

impl PairRule {
    /// Whether the consequence is a single answer.
    pub fn leaves_one_answer(&self, divided: &[DividedQuestion]) -> bool {
        divided[self.consequence].is_one_answer(&self.then)
    }
}

/// Two questions, and what is known of them.
pub(super) struct PairSearch<'a> {
    pub divided: &'a [DividedQuestion],
    pub counts: &'a JointCounts,
    /// How many rows were counted.
    pub n_rows: u64,
    /// In how many ways one question could imply something about another.
    pub n_pairs: usize,
    pub left: usize,
    pub right: usize,
}

impl PairSearch<'_> {
    /// The rules that exclude the pairs of answers that nobody has: with the condition on one question, on the other,
    /// or on either; of these, what takes the fewest words and excludes nearly as much as any.
    pub fn rules(&self) -> Vec<PairRule> {
        let forwards = self.candidates(self.left, self.right);
        let backwards = self.candidates(self.right, self.left);
        let both = [forwards.clone(), backwards.clone()].concat();
        let covers = [forwards, backwards, both].map(|candidates| Covered::nothing(self).take(candidates));
        let rules_of = |place: usize, premise: usize| n_determined(self.divided, &covers[place].1, premise);
        let most_determined = rules_of(0, self.left).max(rules_of(1, self.right));
        let nearly = if 2 * most_determined >= self.n_rows { NEARLY_ALL } else { NEARLY };
        let most = covers.iter().map(|(mass, _)| *mass).fold(0.0, f64::max);
        let n_words = |rules: &[PairRule]| rules.iter().map(|rule| self.n_words(rule)).sum::<usize>();
        let large = covers.into_iter().filter(|(mass, _)| *mass >= nearly * most);
        large.min_by_key(|(_, rules)| n_words(rules)).map(|(_, rules)| rules).unwrap_or_default()
    }

    fn n_words(&self, rule: &PairRule) -> usize {
        self.divided[rule.premise].n_words(&rule.when) + self.divided[rule.consequence].n_words(&rule.then)
    }

    /// The rules with the condition on one question that have support and hardly hold by chance.
    fn candidates(&self, premise: usize, consequence: usize) -> Vec<PairRule> {
        let question = &self.divided[premise];
        let others = &self.divided[consequence];
        let met_by = |cell: usize| {
            let is_met = |other: &usize| self.counts.get((premise, cell), (consequence, *other)) > 0;
            AnswerCellSet::of(others.n_cells(), (0..others.n_cells()).filter(is_met))
        };
        let seen: Vec<(usize, AnswerCellSet)> = question.seen().cells().map(|cell| (cell, met_by(cell))).collect();
        let rule = |(when, then): (AnswerCellSet, AnswerCellSet)| self.rule(premise, when, consequence, then);
        if question.has_order() {
            intervals(question, &seen).into_iter().filter_map(rule).collect()
        } else {
            let single =
                |(cell, then): &(usize, AnswerCellSet)| (AnswerCellSet::of(question.n_cells(), [*cell]), then.clone());
            self.joined(seen.iter().map(single).filter_map(rule).collect())
        }
    }

    /// Rules of single levels with the same consequence as one rule.
    fn joined(&self, rules: Vec<PairRule>) -> Vec<PairRule> {
        let mut joined: Vec<PairRule> = Vec::new();
        for rule in rules {
            match joined.iter_mut().find(|other| other.then == rule.then) {
                Some(other) => other.when.add(&rule.when),
                None => joined.push(rule),
            }
        }
        joined.into_iter().map(|rule| self.counted(rule)).collect()
    }

    /// The rule that `when` implies `then`, with a somewhat larger consequence where that is simpler or gives nobody
    /// away, if it says enough.
    fn rule(&self, premise: usize, when: AnswerCellSet, consequence: usize, then: AnswerCellSet) -> Option<PairRule> {
        let (question, others) = (&self.divided[premise], &self.divided[consequence]);
        if question.n_rows(&when) < SUPPORT {
            return None;
        }
        let bare = PairRule { premise, when, consequence, then, n_meeting: 0, n_lacking: 0, bits: 0.0 };
        let rule = if others.has_order() { self.rounded(bare) } else { self.likeliest(bare) };
        let rule = if question.has_order() { self.narrowed(rule)? } else { rule };
        // Between numbers of many values, intervals only trace the outline of where people are.
        let are_numbers =
            question.is_number() && others.is_number() && (question.is_measured() || others.is_measured());
        if are_numbers && !others.is_one_answer(&rule.then) {
            return None;
        }
        let rule = self.counted(rule);
        let has_support = rule.n_meeting >= SUPPORT && rule.n_lacking >= SUPPORT;
        (has_support && self.unlikeliness(&rule) >= 3.0).then_some(rule)
    }

    fn counted(&self, mut rule: PairRule) -> PairRule {
        rule.n_meeting = self.divided[rule.premise].n_rows(&rule.when);
        rule.n_lacking = self.divided[rule.consequence].n_rows(&self.excluded(&rule));
        let n_rows = self.n_rows as f64;
        let learnt = |n_known: u64, n_others: u64| {
            if n_known == 0 { 0.0 } else { n_known as f64 * (n_rows / (n_rows - n_others as f64)).log2() }
        };
        rule.bits = (learnt(rule.n_meeting, rule.n_lacking) + learnt(rule.n_lacking, rule.n_meeting)) / n_rows;
        rule
    }

    /// The answers that a rule excludes, among those that somebody has.
    fn excluded(&self, rule: &PairRule) -> AnswerCellSet {
        self.divided[rule.consequence].seen().without(&rule.then)
    }

    /// −ln of how probable it is, at most, that the rule or one like it between any two questions holds by chance.
    fn unlikeliness(&self, rule: &PairRule) -> f64 {
        let (question, others) = (&self.divided[rule.premise], &self.divided[rule.consequence]);
        let n_alike = question.ln_alike(&rule.when) + others.ln_alike(&rule.then) + (self.n_pairs as f64).ln();
        self.surprise(question.n_rows(&rule.when), others.n_rows(&self.excluded(rule))) - n_alike
    }

    /// −ln of how probable it is, at most, that these two sets of rows, drawn at random, have none in common.
    fn surprise(&self, n_meeting: u64, n_lacking: u64) -> f64 {
        let (n_rows, n_meeting, n_lacking) = (self.n_rows as f64, n_meeting as f64, n_lacking as f64);
        let one_way = n_meeting * (n_rows / (n_rows - n_lacking)).ln();
        let other_way = n_lacking * (n_rows / (n_rows - n_meeting)).ln();
        one_way.max(other_way)
    }

    /// The consequence with the rarest further levels that makes the rule the least likely to hold by chance.
    fn likeliest(&self, mut rule: PairRule) -> PairRule {
        let others = &self.divided[rule.consequence];
        let excluded = self.excluded(&rule);
        let mut further: Vec<usize> = excluded.cells().collect();
        further.sort_by_key(|&cell| others.counts[cell]);
        let n_meeting = self.divided[rule.premise].n_rows(&rule.when);
        let (mut n_chosen, mut n_lacking) = ((others.n_seen() - further.len()) as f64, others.n_rows(&excluded));
        let (n_seen, mut ln_alike) = (others.n_seen() as f64, 0.0);
        let (mut best, mut n_best) = (self.surprise(n_meeting, n_lacking), 0);
        for (place, &cell) in further.iter().enumerate() {
            // The number of sets with one level more, as in `DividedQuestion::ln_alike`.
            ln_alike += ((n_seen - n_chosen) / (n_chosen + 1.0)).ln();
            n_chosen += 1.0;
            n_lacking -= others.counts[cell];
            let unlikeliness = self.surprise(n_meeting, n_lacking) - ln_alike;
            if unlikeliness > best {
                (best, n_best) = (unlikeliness, place + 1);
            }
        }
        further[..n_best].iter().for_each(|&cell| rule.then.insert(cell));
        rule
    }

    /// The consequence without gaps. An end at which there are few people is moved outwards to a round number, as the
    /// bounds of a schema are.
    fn rounded(&self, rule: PairRule) -> PairRule {
        let others = &self.divided[rule.consequence];
        let Some((first, last)) = others.ends(&rule.then) else { return rule };
        let are_many = |end: usize| {
            let n_there = rule.when.cells().map(|cell| self.counts.get((rule.premise, cell), (rule.consequence, end)));
            n_there.sum::<u64>() >= SUPPORT
        };
        let first = if are_many(first) { first } else { others.round_down(first) };
        let last = if are_many(last) { last } else { others.round_up(last) };
        let then = others.span(first, last, &rule.then);
        PairRule { then, ..rule }
    }

    /// The condition, each end moved inwards to a round number where few people right beyond it break the rule. Returns
    /// `None` if nothing is left, and for an interval amid other numbers if most people beside it follow the rule as
    /// well: then its bounds only evade exceptions.
    fn narrowed(&self, rule: PairRule) -> Option<PairRule> {
        let question = &self.divided[rule.premise];
        let Some((first, last)) = question.ends(&rule.when) else { return Some(rule) };
        let excluded = self.excluded(&rule);
        let is_number = |cell: &usize| Some(*cell) != question.missing();
        let mut below: Vec<usize> = question.seen().cells().take_while(|&cell| cell < first).collect();
        below.reverse();
        let above: Vec<usize> = question.seen().cells().filter(is_number).filter(|&cell| cell > last).collect();
        let beside = [&below, &above].map(|cells| self.beside(&rule, &excluded, cells));
        let is_amid = !below.is_empty() && !above.is_empty();
        if is_amid && beside.iter().any(|(n_breaking, n_people)| 2 * n_breaking < *n_people) {
            return None;
        }
        if question.is_one_answer(&rule.when) {
            return Some(rule);
        }
        let are_few =
            |cells: &[usize]| cells.first().is_some_and(|cell| self.beside(&rule, &excluded, &[*cell]).0 < SUPPORT);
        let first = if are_few(&below) { question.round_up_from(first) } else { first };
        let last = if are_few(&above) { question.round_down_to(last)? } else { last };
        (first <= last).then(|| PairRule { when: question.span(first, last, &rule.when), ..rule.clone() })
    }

    /// Of at least [`SUPPORT`] people in the first of some cells of the condition's question, how many break the rule,
    /// and how many they are.
    fn beside(&self, rule: &PairRule, excluded: &AnswerCellSet, cells: &[usize]) -> (u64, u64) {
        let (mut n_breaking, mut n_people) = (0, 0);
        for &cell in cells {
            for other in self.divided[rule.consequence].seen().cells() {
                let n_there = self.counts.get((rule.premise, cell), (rule.consequence, other));
                n_people += n_there;
                n_breaking += if excluded.contains(other) { n_there } else { 0 };
            }
            if n_people >= SUPPORT {
                break;
            }
        }
        (n_breaking, n_people)
    }
}

/// The intervals that may be conditions, each with the answers of those in it: runs of cells with the same answers,
/// everything up to a cell and everything from a cell on, and missing numbers.
fn intervals(question: &DividedQuestion, seen: &[(usize, AnswerCellSet)]) -> Vec<(AnswerCellSet, AnswerCellSet)> {
    let (missing, in_order): (Vec<_>, Vec<_>) = seen.iter().partition(|(cell, _)| Some(*cell) == question.missing());
    let n_cells = question.n_cells();
    let mut found: Vec<(AnswerCellSet, AnswerCellSet)> = Vec::new();
    for (cell, then) in &missing {
        found.push((AnswerCellSet::of(n_cells, [*cell]), then.clone()));
    }
    for run in in_order.chunk_by(|(_, left), (_, right)| left == right) {
        found.push((AnswerCellSet::of(n_cells, run[0].0..=run[run.len() - 1].0), run[0].1.clone()));
    }
    let mut from_an_end = |cells: &mut dyn Iterator<Item = &(usize, AnswerCellSet)>| {
        let Some((end, then)) = cells.next() else { return };
        let (mut last, mut union) = (*end, then.clone());
        for (cell, then) in cells {
            if !then.is_within(&union) {
                found.push((AnswerCellSet::of(n_cells, last.min(*end)..=last.max(*end)), union.clone()));
                union.add(then);
            }
            last = *cell;
        }
    };
    from_an_end(&mut in_order.iter().copied());
    from_an_end(&mut in_order.iter().copied().rev());
    let mut distinct: Vec<(AnswerCellSet, AnswerCellSet)> = Vec::new();
    for interval in found {
        if !distinct.contains(&interval) {
            distinct.push(interval);
        }
    }
    distinct
}

/// Which pairs of cells are excluded so far: for each cell of the left question, cells of the right one.
struct Covered<'a> {
    search: &'a PairSearch<'a>,
    excluded: Vec<AnswerCellSet>,
}

impl<'a> Covered<'a> {
    fn nothing(search: &'a PairSearch<'a>) -> Self {
        let (left, right) = (&search.divided[search.left], &search.divided[search.right]);
        Covered { search, excluded: vec![AnswerCellSet::none(right.n_cells()); left.n_cells()] }
    }

    /// The pairs that a rule excludes: left cells, right cells.
    fn rectangle(&self, rule: &PairRule) -> (AnswerCellSet, AnswerCellSet) {
        let excluded = self.search.excluded(rule);
        if rule.premise == self.search.left { (rule.when.clone(), excluded) } else { (excluded, rule.when.clone()) }
    }

    /// How many pairs of people a rule excludes, as if the questions had nothing to do with each other; of those that
    /// are not excluded yet, if `only_new`.
    fn mass(&self, rule: &PairRule, only_new: bool) -> f64 {
        let (left, right) = (&self.search.divided[self.search.left], &self.search.divided[self.search.right]);
        let (rows, columns) = self.rectangle(rule);
        let of_row = |row: usize| {
            let columns = if only_new { columns.without(&self.excluded[row]) } else { columns.clone() };
            left.counts[row] as f64 * right.n_rows(&columns) as f64
        };
        rows.cells().map(of_row).sum()
    }

    /// Excludes what a rule excludes.
    fn add(&mut self, rule: &PairRule) {
        let (rows, columns) = self.rectangle(rule);
        rows.cells().for_each(|row| self.excluded[row].add(&columns));
    }

    /// Those rules that mostly exclude something else than the ones before, those first that exclude most for their
    /// length; and how many pairs of people they exclude.
    fn take(&mut self, rules: Vec<PairRule>) -> (f64, Vec<PairRule>) {
        let whole = |rule: PairRule| (self.mass(&rule, false), rule);
        let mut rules: Vec<(f64, PairRule)> = rules.into_iter().map(whole).collect();
        let per_word = |(mass, rule): &(f64, PairRule)| mass / self.search.n_words(rule) as f64;
        rules.sort_by(|left, right| per_word(right).total_cmp(&per_word(left)));
        let (mut taken, mut total) = (Vec::new(), 0.0);
        for (whole, rule) in rules {
            let question = &self.search.divided[rule.premise];
            let is_step = question.has_order() && !question.is_one_answer(&rule.when);
            let gain = self.mass(&rule, true);
            if gain > MOSTLY * whole && (!is_step || gain >= SMALLEST_STEP * total) {
                self.add(&rule);
                total += gain;
                taken.push(rule);
            }
        }
        (total, taken)
    }
}
