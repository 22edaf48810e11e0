//! What is worked out once of a network.

use super::bounds::ScoreMargin;
use super::folded::PaddedNetwork;
use crate::Label;
use crate::core_test::pairs::{Pair, Pairs};
use crate::model::{Model, Network};

/// A network, and what bounding it takes.
#[derive(Debug)]
pub(crate) struct NetworkTables {
    pub model: Network,
    pub network: PaddedNetwork,
    pairs: Pairs,
    /// The margin of each pair.
    margins: Vec<ScoreMargin>,
}

impl NetworkTables {
    pub fn new(model: Network) -> Self {
        let network = PaddedNetwork::new(&model);
        let pairs = Pairs::new(model.n_scores());
        let margin = |pair: &Pair| {
            let (plus, minus) = pair.sides(model.n_scores());
            ScoreMargin::new(&network, plus, minus)
        };
        let margins = pairs.all().iter().map(margin).collect();
        NetworkTables { model, network, pairs, margins }
    }

    /// The margins of one label over each rival.
    pub fn margins(&self, label: Label) -> &[ScoreMargin] {
        &self.margins[self.pairs.places(label)]
    }
}
