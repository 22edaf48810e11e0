//! A quick look for another label: tree after tree, the leaf that is worst for the label among those still within
//! reach.
//!
//! The tree whose leaves differ most chooses first, and what leads to its leaf is kept; the next chooses among what is
//! left. In the end every tree has one leaf and the box somebody in it. It takes one walk through the trees where going
//! down by bounds takes many, and finds nearly as much.

use super::NODE_WORK;
use super::bounds::Contest;
use super::branch::number_cut;
use super::residual::{Look, Residual, ResidualLayout, ResidualNode, Ways};
use crate::Label;
use crate::region::Region;
use crate::region::open::OpenColumns;
use crate::rules::Budget;

/// Buffers for one look.
#[derive(Default)]
pub(super) struct LeafGuide {
    pub region: Region,
    /// For each label and rival met, the trees in the order in which they choose.
    orders: Vec<((Label, Label), Vec<usize>)>,
    pending: Vec<usize>,
}

impl LeafGuide {
    /// Forgets the person before.
    pub fn begin(&mut self) {
        self.orders.clear();
    }

    /// Narrows a region down to a box that is bad for the label of a contest.
    pub fn narrow(
        &mut self,
        contest: &Contest<'_>,
        layout: &mut ResidualLayout,
        open: &OpenColumns,
        region: &Region,
        residual: &Residual,
        budget: &mut Budget,
    ) {
        self.region.clone_from(region);
        layout.count_allowed(open, region);
        let order = self.order(contest, residual, budget);
        for place in 0..residual.n_trees() {
            let tree = self.orders[order].1[place];
            let worst = self.worst_leaf(contest, layout, residual, tree, budget);
            self.keep_to(layout, open, residual, tree, worst);
        }
    }

    /// The place of the order in which trees choose: those first whose leaves differ most.
    fn order(&mut self, contest: &Contest<'_>, residual: &Residual, budget: &mut Budget) -> usize {
        let key = (contest.label, contest.rival);
        if let Some(place) = self.orders.iter().position(|(other, _)| *other == key) {
            return place;
        }
        budget.spend(NODE_WORK * residual.nodes.len() as u64);
        let mut order: Vec<(f64, usize)> = (0..residual.n_trees())
            .map(|tree| {
                let share = contest.share(tree);
                let leaves = residual.tree(tree).iter().filter(|node| node.is_leaf());
                let (least, most) = leaves
                    .map(|leaf| share.of(leaf))
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), gain| (least.min(gain), most.max(gain)));
                (least - most, tree)
            })
            .collect();
        order.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        self.orders.push((key, order.into_iter().map(|(_, tree)| tree).collect()));
        self.orders.len() - 1
    }

    /// The leaf within reach that gives the margin least.
    fn worst_leaf(
        &mut self,
        contest: &Contest<'_>,
        layout: &ResidualLayout,
        residual: &Residual,
        tree: usize,
        budget: &mut Budget,
    ) -> usize {
        let mut n_looks = 0;
        let start = residual.starts[tree] as usize;
        let share = contest.share(tree);
        let mut worst = (f64::INFINITY, start);
        self.pending.clear();
        self.pending.push(start);
        while let Some(mut node) = self.pending.pop() {
            loop {
                n_looks += 1;
                let here = &residual.nodes[node];
                if here.is_leaf() {
                    let gain = share.of(here);
                    if gain < worst.0 {
                        worst = (gain, node);
                    }
                    break;
                }
                match layout.ways(&self.region, here) {
                    Ways::Left => node += 1,
                    Ways::Right => node = here.right as usize,
                    Ways::Both => {
                        self.pending.push(here.right as usize);
                        node += 1;
                    }
                }
            }
        }
        budget.spend(NODE_WORK * n_looks);
        worst.1
    }

    /// Keeps what leads to a leaf.
    fn keep_to(
        &mut self,
        layout: &mut ResidualLayout,
        open: &OpenColumns,
        residual: &Residual,
        tree: usize,
        leaf: usize,
    ) {
        let mut node = residual.starts[tree] as usize;
        while !residual.nodes[node].is_leaf() {
            let here = residual.nodes[node];
            let goes_left = match layout.ways(&self.region, &here) {
                Ways::Left => true,
                Ways::Right => false,
                Ways::Both => {
                    let goes_left = leaf < here.right as usize;
                    self.keep_side(layout, open, &here, goes_left);
                    goes_left
                }
            };
            node = if goes_left { node + 1 } else { here.right as usize };
        }
    }

    /// Keeps one side of a split that can go both ways.
    fn keep_side(&mut self, layout: &mut ResidualLayout, open: &OpenColumns, node: &ResidualNode, left: bool) {
        match node.look {
            Look::Number(column) => self.keep_numbers(layout, open, column as usize, node.value, left),
            Look::Level(column) => self.keep_levels(layout, open, &[column], left),
            Look::Set(set) => {
                let set = layout.set(set).to_vec();
                // To the left one of its columns suffices; to the right none may be left.
                for &column in &set {
                    let place = column as usize;
                    if self.region.upper[place] < 0.5 {
                        continue;
                    }
                    if place < open.n_numbers {
                        self.keep_numbers(layout, open, place, 0.5f64.next_down(), !left);
                    } else {
                        let question = layout.question_of[place];
                        let columns: Vec<u32> = set
                            .iter()
                            .copied()
                            .filter(|&other| layout.question_of[other as usize] == question)
                            .collect();
                        self.keep_levels(layout, open, &columns, left);
                    }
                    if left {
                        return;
                    }
                }
            }
            Look::Leaf => unreachable!("a leaf has no sides"),
        }
    }

    fn keep_numbers(
        &mut self,
        layout: &ResidualLayout,
        open: &OpenColumns,
        column: usize,
        threshold: f64,
        up_to: bool,
    ) {
        let cut = number_cut(layout, open, &self.region, column, threshold);
        self.region.keep(open, &cut, up_to);
    }

    /// Keeps the levels of some columns of one question, or the others.
    fn keep_levels(&mut self, layout: &mut ResidualLayout, open: &OpenColumns, columns: &[u32], inside: bool) {
        let question = layout.question_of[columns[0] as usize] as usize;
        for column in open.questions[question].columns.clone() {
            if columns.contains(&(column as u32)) != inside {
                self.region.upper[column] = 0.0;
            }
        }
        layout.count_allowed(open, &self.region);
    }
}
