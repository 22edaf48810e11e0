//! Adam: steps of a size that each parameter's own gradients decide.

/// How slowly Adam forgets gradients and their squares, and what keeps it from dividing by zero [KB15, Alg. 1].
const FORGETTING: f64 = 0.9;
const SQUARES_FORGETTING: f64 = 0.999;
const SMALLEST_SIZE: f64 = 1e-8;

/// Adam's memory.
pub(crate) struct Adam {
    /// How long a step is.
    pub(crate) learning_rate: f64,
    /// What remains of each parameter before a step: less than 1 for those that decay.
    remains: Vec<f64>,
    means: Vec<f64>,
    squares: Vec<f64>,
    /// `FORGETTING^t` and `SQUARES_FORGETTING^t` after `t` steps.
    forgotten: f64,
    squares_forgotten: f64,
}

impl Adam {
    /// The memory before the first step.
    pub(crate) fn new(learning_rate: f64, remains: Vec<f64>) -> Self {
        let (means, squares) = (vec![0.0; remains.len()], vec![0.0; remains.len()]);
        Adam { learning_rate, remains, means, squares, forgotten: 1.0, squares_forgotten: 1.0 }
    }

    /// Whether a gradient was too large to square, so that its parameter no longer moves.
    pub(crate) fn is_stuck(&self) -> bool {
        self.squares.iter().any(|square| !square.is_finite())
    }

    /// One step [KB15, Alg. 1] with decoupled decay [LH19, Alg. 2].
    ///
    /// ```text
    /// m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²
    /// θ ← (1 − rate · decay) θ − rate · m / (1 − β₁^t) / (√(v / (1 − β₂^t)) + ε)
    /// ```
    pub(crate) fn step(&mut self, parameters: &mut [f64], gradient: &[f64]) {
        self.forgotten *= FORGETTING;
        self.squares_forgotten *= SQUARES_FORGETTING;
        let rate = self.learning_rate / (1.0 - self.forgotten);
        let correction = 1.0 / (1.0 - self.squares_forgotten);
        let memory = self.means.iter_mut().zip(&mut self.squares).zip(&self.remains);
        for ((parameter, slope), ((mean, square), remains)) in parameters.iter_mut().zip(gradient).zip(memory) {
            *mean = FORGETTING * *mean + (1.0 - FORGETTING) * slope;
            *square = SQUARES_FORGETTING * *square + (1.0 - SQUARES_FORGETTING) * slope * slope;
            *parameter = remains * *parameter - rate * *mean / ((correction * *square).sqrt() + SMALLEST_SIZE);
        }
    }
}
