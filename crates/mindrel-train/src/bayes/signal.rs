//! What runs through the layers of a batch.

use super::{LANES, SingleLanes};

/// The values of a layer and their squares.
pub(super) struct Signal {
    pub(super) values: Vec<SingleLanes>,
    pub(super) squares: Vec<SingleLanes>,
}

/// Means and variances of a layer's sums over its weights, or slopes in them.
pub(super) struct LayerMoments {
    pub(super) means: Vec<SingleLanes>,
    pub(super) variances: Vec<SingleLanes>,
}

impl Signal {
    pub(super) fn new(size: usize) -> Self {
        Signal { values: vec![[0.0; LANES]; size], squares: vec![[0.0; LANES]; size] }
    }

    pub(super) fn square(&mut self) {
        for (square, value) in self.squares.as_flattened_mut().iter_mut().zip(self.values.as_flattened()) {
            *square = value * value;
        }
    }
}

impl LayerMoments {
    pub(super) fn new(size: usize) -> Self {
        LayerMoments { means: vec![[0.0; LANES]; size], variances: vec![[0.0; LANES]; size] }
    }
}

/// The parameters of all weights, or slopes in them, as [`Shape`](crate::mlp::shape::Shape) lays them out.
pub(super) struct WeightMoments {
    pub(super) means: Vec<f32>,
    pub(super) variances: Vec<f32>,
}
