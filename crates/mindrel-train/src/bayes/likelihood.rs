//! How well predicted means and ln-variances fit what was to be predicted.

use mindrel::belief::LN_VARIANCE_BOUNDS;

use super::signal::LayerMoments;
use super::{LANES, SingleLanes};

/// ½ ln 2π, which every open target adds to the loss.
const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// The summed loss of a batch times `factor`, whose slopes in the outputs' moments are left in `slopes`.
///
/// ```text
/// loss = ½ Σ_open (ln 2π + L + q),   q = ((y − M)² + V) exp(−L + ½ W),   (o, l) ~ N((M, L), (V, W))
/// ∂/∂M = (M − y) q',   ∂/∂V = ½ q',   ∂/∂L = ½ (1 − q),   ∂/∂W = ¼ q,   q' = exp(−L + ½ W)
/// ```
///
/// # Numerics
/// L and the exponent are held within [`LN_VARIANCE_BOUNDS`]; there, the slope of an output that would leave the bounds
/// further is zero.
pub(super) fn negative_ln_likelihood(
    outputs: &LayerMoments,
    targets: &[SingleLanes],
    open: &[SingleLanes],
    factor: f32,
    slopes: &mut LayerMoments,
) -> f64 {
    let size = targets.len();
    let (means, ln_variances) = outputs.means.split_at(size);
    let (mean_variances, ln_variance_variances) = outputs.variances.split_at(size);
    let (mean_slopes, ln_variance_slopes) = slopes.means.split_at_mut(size);
    let (mean_variance_slopes, ln_variance_variance_slopes) = slopes.variances.split_at_mut(size);
    let mut loss = 0.0;
    for place in 0..size {
        for lane in 0..LANES {
            let share = factor * open[place][lane];
            let slope = if share > 0.0 {
                let error = means[place][lane] - targets[place][lane];
                let variances = (mean_variances[place][lane], ln_variance_variances[place][lane]);
                let slope = Slope::at(error, ln_variances[place][lane], variances);
                loss += f64::from(share) * slope.loss;
                slope
            } else {
                Slope::default()
            };
            mean_slopes[place][lane] = share * slope.mean;
            mean_variance_slopes[place][lane] = share * slope.mean_variance;
            ln_variance_slopes[place][lane] = share * slope.ln_variance;
            ln_variance_variance_slopes[place][lane] = share * slope.ln_variance_variance;
        }
    }
    loss
}

/// The loss of one target, and its slopes in the moments of its two outputs.
#[derive(Default)]
struct Slope {
    loss: f64,
    mean: f32,
    mean_variance: f32,
    ln_variance: f32,
    ln_variance_variance: f32,
}

impl Slope {
    #[inline(always)]
    fn at(error: f32, ln_variance: f32, (mean_variance, ln_variance_variance): (f32, f32)) -> Self {
        let (lowest, highest) = (LN_VARIANCE_BOUNDS.0 as f32, LN_VARIANCE_BOUNDS.1 as f32);
        let held = ln_variance.clamp(lowest, highest);
        let exponent = (0.5 * ln_variance_variance - held).clamp(-highest, -lowest);
        let precision = exponent.exp();
        let ratio = (error * error + mean_variance) * precision;
        let slope = 0.5 * (1.0 - ratio);
        let leaves = (ln_variance < lowest && slope > 0.0) || (ln_variance > highest && slope < 0.0);
        Slope {
            loss: HALF_LN_TAU + 0.5 * f64::from(held + ratio),
            mean: error * precision,
            mean_variance: 0.5 * precision,
            ln_variance: if leaves { 0.0 } else { slope },
            ln_variance_variance: 0.25 * ratio,
        }
    }
}
