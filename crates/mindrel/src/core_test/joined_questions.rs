//! Questions that rules join, and the cells that possible people lie in.
//!
//! Rules cut what a question can be into *pieces*, which no condition tells apart any further. A *cell* has a piece for
//! every question of a group, and either everybody in it breaks some rule or nobody does. A linear function is least
//! over the group's possible people where it is least over one of their cells, each question by itself.

use std::ops::Range;

use crate::region::implications::{EncodedRule, Implications, RuleCondition};
use crate::region::part::QuestionPart;
use crate::region::{Asked, Region};

/// A group with more cells is not joined: rules then say of it only what follows from single rules.
pub(crate) const MOST_CELLS: usize = 4096;

/// Combinations of pieces that are looked at while cells are counted.
const MOST_LOOKS: usize = 1 << 18;

/// The questions that rules join, by place among the sensitive ones.
#[derive(Debug, Default)]
pub(crate) struct JoinedQuestions {
    pub groups: Vec<QuestionGroup>,
    /// For each sensitive question, its group and its place in it, if it is in one.
    pub group_of: Vec<Option<(usize, usize)>>,
    /// Questions whose groups have too many cells.
    pub relaxed: Vec<usize>,
}

/// Questions that are joined with each other and with no others.
#[derive(Debug)]
pub(crate) struct QuestionGroup {
    /// By place among the sensitive ones.
    pub questions: Vec<usize>,
    /// The pieces of each.
    pub pieces: Vec<Vec<QuestionPart>>,
    /// Cell after cell, the piece of each question.
    cells: Vec<u16>,
    /// The rules that also speak of public questions.
    with_public: Vec<GroupRule>,
}

/// A rule over the pieces of a group.
#[derive(Debug)]
struct GroupRule {
    when: Vec<PieceCondition>,
    then: Vec<PieceCondition>,
    /// What it says of questions outside of the group, which are public.
    public_when: Vec<RuleCondition>,
    public_then: Vec<RuleCondition>,
}

/// The pieces of a question at which a condition holds.
#[derive(Debug)]
struct PieceCondition {
    question: usize,
    holds: Vec<bool>,
}

impl JoinedQuestions {
    /// Joins what the rules join. `place_of` has the place of each question of the schema among the sensitive ones.
    pub fn new(rules: &Implications, asked: &[Asked], place_of: &[Option<usize>], whole: &Region) -> Self {
        if rules.is_empty() {
            return JoinedQuestions::default();
        }
        let mut joined = JoinedQuestions { group_of: vec![None; asked.len()], ..JoinedQuestions::default() };
        for questions in groups(rules, asked.len(), place_of) {
            match QuestionGroup::new(rules, asked, place_of, whole, &questions) {
                Some(group) => {
                    for (index, &question) in questions.iter().enumerate() {
                        joined.group_of[question] = Some((joined.groups.len(), index));
                    }
                    joined.groups.push(group);
                }
                None => joined.relaxed.extend(questions),
            }
        }
        joined
    }
}

/// The sensitive questions that rules speak of, each set with all that rules join to it.
fn groups(rules: &Implications, n_questions: usize, place_of: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..n_questions).collect();
    let mut is_mentioned = vec![false; n_questions];
    for rule in &rules.rules {
        let places: Vec<usize> = places(rule, place_of).collect();
        for &place in &places {
            is_mentioned[place] = true;
            let (from, to) = (group[place], group[places[0]]);
            group.iter_mut().filter(|own| **own == from).for_each(|own| *own = to);
        }
    }
    let members =
        |first: usize| (0..n_questions).filter(|&place| is_mentioned[place] && group[place] == first).collect();
    let all = (0..n_questions).map(members);
    // A rule between one sensitive question and public ones says all it can once these are known.
    all.filter(|members: &Vec<usize>| members.len() > 1).collect()
}

fn places<'a>(rule: &'a EncodedRule, place_of: &'a [Option<usize>]) -> impl Iterator<Item = usize> + 'a {
    rule.when.iter().chain(&rule.then).filter_map(|condition| place_of[condition.question])
}

impl QuestionGroup {
    /// `None` if there are too many cells.
    fn new(
        rules: &Implications,
        asked: &[Asked],
        place_of: &[Option<usize>],
        whole: &Region,
        questions: &[usize],
    ) -> Option<Self> {
        let index_of = |condition: &RuleCondition| {
            let place = place_of[condition.question]?;
            questions.iter().position(|question| *question == place)
        };
        let speaks_of_it = |rule: &&EncodedRule| rule.when.iter().chain(&rule.then).any(|it| index_of(it).is_some());
        let rules: Vec<&EncodedRule> = rules.rules.iter().filter(speaks_of_it).collect();
        let conditions = || rules.iter().flat_map(|rule| rule.when.iter().chain(&rule.then));
        let pieces = |(index, &question): (usize, &usize)| {
            let parts = conditions().filter(|condition| index_of(condition) == Some(index));
            pieces(&asked[question], whole, &parts.map(|condition| &condition.part).collect::<Vec<_>>())
        };
        let pieces: Vec<Vec<QuestionPart>> = questions.iter().enumerate().map(pieces).collect();
        let over_pieces = |conditions: &[RuleCondition]| {
            let over = |condition: &RuleCondition| {
                let question = index_of(condition)?;
                let holds = pieces[question].iter().map(|piece| {
                    let mut region = whole.clone();
                    piece.keep(&mut region, &condition.columns);
                    condition.part.covers(&region, &condition.columns)
                });
                Some(PieceCondition { question, holds: holds.collect() })
            };
            conditions.iter().filter_map(over).collect()
        };
        let of_public = |conditions: &[RuleCondition]| {
            conditions.iter().filter(|condition| index_of(condition).is_none()).cloned().collect::<Vec<RuleCondition>>()
        };
        let group_rule = |rule: &&EncodedRule| GroupRule {
            when: over_pieces(&rule.when),
            then: over_pieces(&rule.then),
            public_when: of_public(&rule.when),
            public_then: of_public(&rule.then),
        };
        let is_own = |rule: &GroupRule| rule.public_when.is_empty() && rule.public_then.is_empty();
        let (own, with_public): (Vec<GroupRule>, _) = rules.iter().map(group_rule).partition(is_own);
        let cells = cells(&pieces, &own)?;
        Some(QuestionGroup { questions: questions.to_vec(), pieces, cells, with_public })
    }

    /// The cells that break no rule, in order.
    pub fn cells(&self) -> impl Iterator<Item = &[u16]> {
        self.cells.chunks_exact(self.questions.len())
    }

    /// The rules that speak of public questions, as far as they are in force for a person.
    fn in_force(&self, region: &Region) -> Vec<(&GroupRule, bool)> {
        let holds = |condition: &RuleCondition| condition.part.covers(region, &condition.columns);
        let rules = self.with_public.iter().filter(|rule| rule.public_when.iter().all(holds));
        rules.map(|rule| (rule, rule.public_then.iter().all(holds))).collect()
    }

    /// Writes the places of the cells that break no rule, the public answers of a region being known.
    pub fn possible_cells(&self, region: &Region, possible: &mut Vec<usize>) {
        let in_force = self.in_force(region);
        let is_possible = |cell: &[u16]| {
            in_force.iter().all(|(rule, public_holds)| {
                !rule.when.iter().all(|it| it.holds_in(cell))
                    || (*public_holds && rule.then.iter().all(|it| it.holds_in(cell)))
            })
        };
        possible.clear();
        possible.extend(self.cells().enumerate().filter(|(_, cell)| is_possible(cell)).map(|(place, _)| place));
    }

    /// A cell by its place.
    pub fn cell(&self, place: usize) -> &[u16] {
        let size = self.questions.len();
        &self.cells[place * size..(place + 1) * size]
    }
}

impl PieceCondition {
    fn holds_in(&self, cell: &[u16]) -> bool {
        self.holds[usize::from(cell[self.question])]
    }
}

/// The pieces that some parts cut a question into.
fn pieces(question: &Asked, whole: &Region, parts: &[&QuestionPart]) -> Vec<QuestionPart> {
    let columns = &question.columns;
    if let Some(numbers) = question.domain.numbers() {
        let range = |part: &&&QuestionPart| match part {
            QuestionPart::Numbers(low, high) | QuestionPart::OrMissing(Some((low, high)), _) => Some((*low, *high)),
            QuestionPart::OrMissing(None, _) | QuestionPart::Levels(_) => None,
        };
        let ranges = parts.iter().filter_map(|part| range(&part));
        let starts = ranges.flat_map(|(low, high)| [low, numbers.beside(high.clamp(-numbers.scale, numbers.scale)).1]);
        let within = |start: &f64| -numbers.scale < *start && *start <= numbers.scale;
        let mut starts: Vec<f64> = starts.filter(within).collect();
        starts.sort_unstable_by(f64::total_cmp);
        starts.dedup();
        let ends = starts.iter().map(|start| numbers.beside(start.next_down()).0);
        let lows = std::iter::once(f64::NEG_INFINITY).chain(starts.iter().copied());
        let ranges = lows.zip(ends.chain([f64::INFINITY]));
        return if columns.len() == 2 {
            let ranges = ranges.map(|range| QuestionPart::OrMissing(Some(range), false));
            ranges.chain([QuestionPart::OrMissing(None, true)]).collect()
        } else {
            ranges.map(|(low, high)| QuestionPart::Numbers(low, high)).collect()
        };
    }
    let marks = |level: usize| -> Vec<bool> {
        let marked = |part: &&QuestionPart| matches!(part, QuestionPart::Levels(marked) if marked[level]);
        parts.iter().map(marked).collect()
    };
    let mut by_marks: Vec<(Vec<bool>, Vec<bool>)> = Vec::new();
    for level in (0..columns.len()).filter(|level| whole.allows(columns.start + level)) {
        let marks = marks(level);
        let place = by_marks.iter().position(|(other, _)| *other == marks).unwrap_or_else(|| {
            by_marks.push((marks, vec![false; columns.len()]));
            by_marks.len() - 1
        });
        by_marks[place].1[level] = true;
    }
    by_marks.into_iter().map(|(_, levels)| QuestionPart::Levels(levels)).collect()
}

/// The cells that break none of some rules, one after the other; `None` if there are too many.
fn cells(pieces: &[Vec<QuestionPart>], rules: &[GroupRule]) -> Option<Vec<u16>> {
    let last_of = |rule: &GroupRule| rule.when.iter().chain(&rule.then).map(|it| it.question).max();
    let mut cells = Vec::new();
    let mut cell: Vec<u16> = vec![0];
    let mut n_looks = 0;
    // Counts up through the combinations, piece by piece, leaving out those whose first pieces break a rule.
    while !cell.is_empty() {
        n_looks += 1;
        if n_looks > MOST_LOOKS || cells.len() > MOST_CELLS * pieces.len() {
            return None;
        }
        let question = cell.len() - 1;
        if usize::from(cell[question]) == pieces[question].len() {
            cell.pop();
            cell.last_mut().into_iter().for_each(|piece| *piece += 1);
            continue;
        }
        let breaks = |rule: &GroupRule| {
            last_of(rule) == Some(question)
                && rule.when.iter().all(|it| it.holds_in(&cell))
                && !rule.then.iter().all(|it| it.holds_in(&cell))
        };
        if rules.iter().any(breaks) {
            cell[question] += 1;
        } else if cell.len() == pieces.len() {
            cells.extend_from_slice(&cell);
            cell[question] += 1;
        } else {
            cell.push(0);
        }
    }
    Some(cells)
}

/// What is left of a piece of a question in a region: its vertices, each a value for every column. There are none if
/// nothing is left.
pub(crate) fn vertices(question: &Asked, piece: Option<&QuestionPart>, region: &Region) -> Vec<Vec<f64>> {
    let columns: &Range<usize> = &question.columns;
    if region.is_known(columns) {
        let values = region.values()[columns.clone()].to_vec();
        return if piece.is_none_or(|piece| piece.contains(&values)) { vec![values] } else { Vec::new() };
    }
    if piece.is_some_and(|piece| piece.misses(region, columns)) {
        return Vec::new();
    }
    match piece {
        Some(piece) if !piece.covers(region, columns) => {
            let mut left = region.clone();
            piece.keep(&mut left, columns);
            left.vertices_of(question)
        }
        _ => region.vertices_of(question),
    }
}
