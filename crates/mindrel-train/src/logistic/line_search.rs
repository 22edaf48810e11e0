//! A line search for convex functions that still works where differences of the function drown in rounding.

use argmin::core::{
    CostFunction, Error, Gradient, IterState, KV, LineSearch, Problem, Solver, State, TerminationReason,
};

use super::ROUNDING;
use crate::kernel::{add_scaled, dot};

/// A step is long enough when the slope has shrunk to this part of the one at its start (Wolfe's second condition).
const REMAINING_SLOPE: f64 = 0.9;
/// How much longer the next trial may be while the slope is still steep.
const LARGEST_GROWTH: f64 = 10.0;
/// The next trial keeps this share of the bracket away from both of its ends.
const MARGIN: f64 = 0.1;

/// Looks along a direction for a point with a much smaller slope and no larger value.
///
/// ```text
/// φ(t) = f(x + t d),   |φ'(t)| ≤ 0.9 |φ'(0)|   and   φ(t) ≤ φ(0) up to rounding
/// ```
///
/// Along a line the slope of a convex function only grows, so its sign tells on which side the minimum lies and the
/// next trial comes from a secant. Near the optimum the usual test, that the value falls by a part of what the slope
/// promises, compares rounding errors; slopes stay accurate there, which is the reason for the approximate conditions
/// of Hager and Zhang (SIAM Journal on Optimization 16(1), 2005, §2), here simplified for convex functions.
#[derive(Clone, Default)]
pub(crate) struct ConvexLineSearch {
    direction: Vec<f64>,
}

/// One end of the bracket: a length and the slope there.
#[derive(Clone, Copy)]
struct Trial {
    length: f64,
    slope: f64,
}

type Point = IterState<Vec<f64>, Vec<f64>, (), (), (), f64>;

impl LineSearch<Vec<f64>, f64> for ConvexLineSearch {
    fn search_direction(&mut self, direction: Vec<f64>) {
        self.direction = direction;
    }

    /// Every search starts with the full step, which is the right one for quasi-Newton directions.
    fn initial_step_length(&mut self, _length: f64) -> Result<(), Error> {
        Ok(())
    }
}

impl<O> Solver<O, Point> for ConvexLineSearch
where
    O: CostFunction<Param = Vec<f64>, Output = f64> + Gradient<Param = Vec<f64>, Gradient = Vec<f64>>,
{
    fn name(&self) -> &str {
        "convex line search"
    }

    /// Does the whole search, which ends because the problem refuses too many evaluations.
    fn next_iter(&mut self, problem: &mut Problem<O>, mut state: Point) -> Result<(Point, Option<KV>), Error> {
        let not_started = || Error::msg("a line search needs a point and its gradient");
        let start = state.take_param().ok_or_else(not_started)?;
        let gradient = state.take_gradient().ok_or_else(not_started)?;
        let highest = state.get_cost() + ROUNDING * state.get_cost().abs();
        let mut lower = Trial { length: 0.0, slope: dot(&gradient, &self.direction) };
        if lower.slope.is_nan() || lower.slope >= 0.0 {
            return Err(Error::msg("the direction of a line search must lead downwards"));
        }
        let small_slope = REMAINING_SLOPE * lower.slope.abs();
        let mut upper: Option<Trial> = None;
        let mut length = 1.0;
        loop {
            let mut point = start.clone();
            add_scaled(&mut point, length, &self.direction);
            let value = problem.cost(&point)?;
            let gradient = problem.gradient(&point)?;
            let trial = Trial { length, slope: dot(&gradient, &self.direction) };
            if value <= highest && trial.slope.abs() <= small_slope {
                let reached = state.param(point).cost(value).gradient(gradient);
                return Ok((reached.terminate_with(TerminationReason::SolverConverged), None));
            }
            // Not `slope > 0`: a NaN far out means that the step was too long.
            if trial.slope < 0.0 && value <= highest {
                lower = trial;
            } else {
                upper = Some(trial);
            }
            length = next_length(lower, upper);
        }
    }
}

/// Where the secant through the slopes of the bracket, or of what is known of it, expects slope zero.
fn next_length(lower: Trial, upper: Option<Trial>) -> f64 {
    let Some(upper) = upper else {
        return lower.length * LARGEST_GROWTH;
    };
    let width = upper.length - lower.length;
    let share = lower.slope / (lower.slope - upper.slope);
    let share = if share.is_finite() { share.clamp(MARGIN, 1.0 - MARGIN) } else { MARGIN };
    lower.length + share * width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_between_two_slopes_is_where_their_secant_crosses_zero() {
        let lower = Trial { length: 1.0, slope: -1.0 };
        let upper = Trial { length: 3.0, slope: 3.0 };
        assert_eq!(next_length(lower, Some(upper)), 1.5);
    }

    #[test]
    fn a_trial_stays_inside_its_bracket_whatever_the_slope_at_its_end() {
        let lower = Trial { length: 1.0, slope: -1.0 };
        for slope in [f64::NAN, f64::INFINITY, 0.0, 1e300, -0.5] {
            let next = next_length(lower, Some(Trial { length: 2.0, slope }));
            assert!((1.1..=1.9).contains(&next), "{slope}: {next}");
        }
    }
}
