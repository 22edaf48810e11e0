//! From a gradient to the next parameters.

use super::options::Method;
use super::shape::Shape;

/// How slowly Adam forgets gradients and their squares, and what keeps it from dividing by zero [KB15, Alg. 1].
const FORGETTING: f64 = 0.9;
const SQUARES_FORGETTING: f64 = 0.999;
const SMALLEST_SIZE: f64 = 1e-8;

/// Takes the steps of one training.
pub(super) enum Stepper {
    Sgd { learning_rate: f64 },
    Adam(Box<Adam>),
}

/// Adam's memory.
pub(super) struct Adam {
    learning_rate: f64,
    /// What remains of each parameter before a step: less than 1 for weights, 1 for biases.
    remains: Vec<f64>,
    means: Vec<f64>,
    squares: Vec<f64>,
    /// `FORGETTING^t` and `SQUARES_FORGETTING^t` after `t` steps.
    forgotten: f64,
    squares_forgotten: f64,
}

impl Stepper {
    pub(super) fn new(method: Method, learning_rate: f64, shape: &Shape) -> Self {
        let Method::Adam { weight_decay } = method else {
            return Stepper::Sgd { learning_rate };
        };
        let n_parameters = shape.n_parameters();
        let mut remains = vec![1.0; n_parameters];
        for layer in &shape.layers {
            remains[layer.weights.clone()].fill(1.0 - learning_rate * weight_decay);
        }
        let (means, squares) = (vec![0.0; n_parameters], vec![0.0; n_parameters]);
        Stepper::Adam(Box::new(Adam { learning_rate, remains, means, squares, forgotten: 1.0, squares_forgotten: 1.0 }))
    }

    /// Moves the parameters against a gradient.
    pub(super) fn step(&mut self, parameters: &mut [f64], gradient: &[f64]) {
        match self {
            Stepper::Sgd { learning_rate } => {
                for (parameter, slope) in parameters.iter_mut().zip(gradient) {
                    *parameter -= *learning_rate * slope;
                }
            }
            Stepper::Adam(adam) => adam.step(parameters, gradient),
        }
    }

    /// Whether a gradient was too large to square, so that Adam no longer moves its parameter, and the loss does not tell.
    pub(super) fn is_stuck(&self) -> bool {
        match self {
            Stepper::Sgd { .. } => false,
            Stepper::Adam(adam) => adam.squares.iter().any(|square| !square.is_finite()),
        }
    }
}

impl Adam {
    /// One step [KB15, Alg. 1] with decoupled decay [LH19, Alg. 2].
    ///
    /// ```text
    /// m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²
    /// θ ← (1 − rate · decay) θ − rate · m / (1 − β₁^t) / (√(v / (1 − β₂^t)) + ε)
    /// ```
    fn step(&mut self, parameters: &mut [f64], gradient: &[f64]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A few roundings, and the ε in the denominator against slopes of order one.
    const TOLERANCE: f64 = 1e-7;

    #[test]
    fn plain_descent_goes_against_the_gradient() {
        let mut parameters = [1.0, -2.0];
        Stepper::new(Method::Sgd, 0.5, &Shape::new(1, &[], 1)).step(&mut parameters, &[1.0, -4.0]);
        assert_eq!(parameters, [0.5, 0.0]);
    }

    /// The mean and the root of the squares of one gradient are that gradient, once corrected for their start at zero.
    #[test]
    fn the_first_steps_of_adam_along_one_gradient_are_as_long_as_the_learning_rate() {
        let mut stepper = Stepper::new(Method::Adam { weight_decay: 0.0 }, 0.01, &Shape::new(1, &[], 1));
        let mut parameters = [1.0, -2.0];
        for step in 1..=3 {
            stepper.step(&mut parameters, &[3.0, -0.5]);
            assert!((parameters[0] - (1.0 - 0.01 * f64::from(step))).abs() < TOLERANCE);
            assert!((parameters[1] - (-2.0 + 0.01 * f64::from(step))).abs() < TOLERANCE);
        }
    }

    #[test]
    fn a_gradient_too_large_to_square_is_noticed_and_stays_so() {
        let mut stepper = Stepper::new(Method::Adam { weight_decay: 0.0 }, 0.01, &Shape::new(1, &[], 1));
        for (gradient, stuck) in [([1e100, 1.0], false), ([1e200, 1.0], true), ([1.0, 1.0], true)] {
            stepper.step(&mut [1.0, 1.0], &gradient);
            assert_eq!(stepper.is_stuck(), stuck);
        }
    }

    #[test]
    fn decay_shrinks_weights_and_leaves_biases_alone() {
        let shape = Shape::new(2, &[1], 1);
        let mut parameters = vec![1.0; shape.n_parameters()];
        Stepper::new(Method::Adam { weight_decay: 0.5 }, 0.1, &shape).step(&mut parameters, &[0.0; 5]);
        assert_eq!(parameters, [0.95, 0.95, 1.0, 0.95, 1.0]);
    }
}
