//! From a gradient to the next parameters.

use super::options::Method;
use super::shape::Shape;
use crate::adam::Adam;

/// Takes the steps of one training.
pub(super) enum Stepper {
    Sgd { learning_rate: f64 },
    Adam(Box<Adam>),
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
        Stepper::Adam(Box::new(Adam::new(learning_rate, remains)))
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

    /// Whether a gradient was too large to square: Adam then no longer moves its parameter, which the loss does not
    /// show.
    pub(super) fn is_stuck(&self) -> bool {
        match self {
            Stepper::Sgd { .. } => false,
            Stepper::Adam(adam) => adam.is_stuck(),
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
