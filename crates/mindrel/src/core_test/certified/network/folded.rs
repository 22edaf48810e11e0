//! The network as a function of what is open: everything known is folded into the first layer.

use std::ops::Deref;

use crate::model::{Layer, Model, Network};
use crate::questionnaire::Questionnaire;
use crate::region::open::LANES;
use crate::region::{OpenColumns, Region};

/// `sums += Σ_i factor_i · row_i` for rows of whole lanes, as many as there are factors.
pub(super) fn add_rows(factors: impl Iterator<Item = f64>, rows: &[f64], sums: &mut [f64]) {
    // Sums of up to 16 numbers stay in registers.
    match sums.len() / LANES {
        0 => {}
        1 => add_short_rows::<1>(factors, rows, sums),
        2 => add_short_rows::<2>(factors, rows, sums),
        3 => add_short_rows::<3>(factors, rows, sums),
        4 => add_short_rows::<4>(factors, rows, sums),
        _ => {
            for (factor, row) in factors.zip(rows.chunks_exact(sums.len())) {
                if factor != 0.0 {
                    add_scaled(factor, row, sums);
                }
            }
        }
    }
}

fn add_short_rows<const N: usize>(factors: impl Iterator<Item = f64>, rows: &[f64], sums: &mut [f64]) {
    let mut totals = [[0.0; LANES]; N];
    totals.as_flattened_mut().copy_from_slice(sums);
    for (factor, row) in factors.zip(rows.chunks_exact(N * LANES)) {
        if factor != 0.0 {
            add_scaled(factor, row, totals.as_flattened_mut());
        }
    }
    sums.copy_from_slice(totals.as_flattened());
}

#[inline(always)]
fn add_scaled(factor: f64, row: &[f64], sums: &mut [f64]) {
    for (sums, row) in sums.chunks_exact_mut(LANES).zip(row.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += factor * row[lane];
        }
    }
}

/// A network whose rows are filled up to whole [`LANES`]; nothing above has a weight on the units added.
#[derive(Debug)]
pub(crate) struct PaddedNetwork {
    pub layers: Vec<PaddedLayer>,
    pub n_scores: usize,
    /// `largest |Δ|` between a bound as computed and as meant, for each layer, over columns within [−1, 1].
    pub pads: Vec<f64>,
    /// What separates two computed scores from two exact ones, over columns within [−1, 1].
    pub rounding: f64,
}

/// One layer with rows of whole lanes.
#[derive(Debug)]
pub(crate) struct PaddedLayer {
    /// Inputs, filled up.
    pub n_inputs: usize,
    /// Units, filled up.
    pub n_units: usize,
    /// Units before that.
    pub n_real_units: usize,
    pub weights: Vec<f64>,
    /// Row of an input: the weight of each unit on it.
    pub transposed: Vec<f64>,
    pub biases: Vec<f64>,
}

impl PaddedNetwork {
    pub fn new(network: &Network) -> Self {
        PaddedNetwork {
            layers: network.layers().iter().map(PaddedLayer::new).collect(),
            n_scores: network.n_scores(),
            pads: pads(network),
            rounding: network.rounding_bound(1.0),
        }
    }

    /// The last layer, which gives the scores.
    pub fn last(&self) -> &PaddedLayer {
        &self.layers[self.layers.len() - 1]
    }

    /// How many layers have rectified units.
    pub fn n_hidden(&self) -> usize {
        self.layers.len() - 1
    }
}

impl PaddedLayer {
    fn new(layer: &Layer) -> Self {
        let (n_inputs, n_units) = (layer.n_inputs().next_multiple_of(LANES), layer.n_units().next_multiple_of(LANES));
        let mut weights = vec![0.0; n_inputs * n_units];
        let mut biases = layer.biases().to_vec();
        biases.resize(n_units, 0.0);
        for unit in 0..layer.n_units() {
            weights[unit * n_inputs..unit * n_inputs + layer.n_inputs()].copy_from_slice(layer.weights(unit));
        }
        let transposed = transpose(&weights, n_units, n_inputs);
        PaddedLayer { n_inputs, n_units, n_real_units: layer.n_units(), weights, transposed, biases }
    }

    /// The weights of one unit.
    pub fn row(&self, unit: usize) -> &[f64] {
        &self.weights[unit * self.n_inputs..(unit + 1) * self.n_inputs]
    }
}

/// The rows of a matrix as columns.
fn transpose(matrix: &[f64], n_rows: usize, n_columns: usize) -> Vec<f64> {
    (0..n_columns).flat_map(|column| (0..n_rows).map(move |row| matrix[row * n_columns + column])).collect()
}

/// How far rounding can move a bound of each layer.
///
/// A bound is a sum of products along the paths from the columns up to a unit. A relaxed unit counts for at most twice
/// its size (slope · z + intercept), so that the terms add up to no more than `2^layers · magnitude` in size; each of
/// the layers rounds every term once for each of its additions. A product of weights that underflows loses up to the
/// smallest number, and is then multiplied by sums of the layers below.
fn pads(network: &Network) -> Vec<f64> {
    let mut operations = 16.0;
    let mut doubled = 4.0;
    let mut largest: f64 = 1.0;
    let layers = network.layers().iter().zip(network.reach());
    layers
        .map(|(layer, reach)| {
            operations += 2.0 * (layer.n_inputs() as f64 + 8.0);
            doubled *= 2.0;
            largest = largest.max(reach.magnitude);
            doubled * operations * (f64::EPSILON * reach.magnitude + f64::MIN_POSITIVE * largest)
        })
        .collect()
}

/// What is open of one person, and the first layer with everything else folded in.
#[derive(Default)]
pub(crate) struct FoldedNetwork {
    pub open: OpenColumns,
    /// Row of a first-layer unit: its weights on the open columns.
    pub weights: Vec<f64>,
    /// Row of an open column: the weight of each first-layer unit on it.
    pub transposed: Vec<f64>,
    /// What the known columns and the bias give each first-layer unit.
    pub base: Vec<f64>,
    /// The work of one pass through the network: its weights on what is open and above.
    pub forward_work: u64,
    /// The work of bounding every hidden unit over a region.
    units_work: u64,
}

/// Weights that are multiplied in the time of one elementary operation.
const AT_ONCE: u64 = 4;

/// Passes through the network for each rival in a part: the bound, and the walk down from where it is least.
const MARGIN_PASSES: u64 = 6;

impl Deref for FoldedNetwork {
    type Target = OpenColumns;

    fn deref(&self) -> &OpenColumns {
        &self.open
    }
}

impl FoldedNetwork {
    /// Folds a person, by what they can still be.
    pub fn fold(&mut self, network: &PaddedNetwork, questions: &Questionnaire, region: &Region) {
        self.open.set(&questions.asked, &questions.implications, region);
        self.fold_first_layer(&network.layers[0], region.values());
        self.set_work(network);
    }

    /// Every unit of a layer is bounded by a pass back through all layers below it.
    ///
    /// A processor multiplies several weights at once, where trees are walked node by node: [`AT_ONCE`] of them count
    /// as one operation, so that a budget lasts about as long for both.
    fn set_work(&mut self, network: &PaddedNetwork) {
        (self.forward_work, self.units_work) = (0, 0);
        for (place, layer) in network.layers.iter().enumerate() {
            if place < network.n_hidden() {
                self.units_work += layer.n_units as u64 * self.forward_work;
            }
            let n_inputs = if place == 0 { self.open.width } else { layer.n_inputs };
            self.forward_work += ((layer.n_units * n_inputs) as u64).div_ceil(AT_ONCE);
        }
        self.units_work += self.forward_work;
    }

    /// The work of looking at a part of the domain: the bounds of all units, and for each rival a bound and what it
    /// takes to try again.
    pub fn part_work(&self, n_rivals: usize) -> u64 {
        self.units_work + MARGIN_PASSES * n_rivals as u64 * self.forward_work
    }

    fn fold_first_layer(&mut self, first: &PaddedLayer, person: &[f64]) {
        let OpenColumns { width, columns, free, .. } = &self.open;
        self.weights.clear();
        self.weights.resize(first.n_units * width, 0.0);
        self.base.clear();
        self.base.extend_from_slice(&first.biases);
        for unit in 0..first.n_units {
            let row = first.row(unit);
            let folded = &mut self.weights[unit * width..(unit + 1) * width];
            for (weight, &column) in folded.iter_mut().zip(columns) {
                *weight = row[column];
            }
            let known = row
                .iter()
                .zip(person)
                .zip(free)
                .map(|((weight, value), free)| if *free { 0.0 } else { weight * value });
            self.base[unit] += known.sum::<f64>();
        }
        self.transposed.clear();
        for column in 0..*width {
            self.transposed.extend((0..first.n_units).map(|unit| self.weights[unit * width + column]));
        }
    }
}
