//! Fitting: from encoded rows and labels to the classifier and the beliefs that a plan needs.
//!
//! ```text
//! TrainingSet ── logistic::fit ──▶ LogisticFit { model: LinearModel, … }
//!             ├─ mlp::fit ───────▶ MlpFit { network: Network, … }
//!             ├─ moments ────────▶ Moments { mean, covariance }
//!             ├─ bayes::fit_… ───▶ BayesFit { regressor: Regressor, … }
//!             ├─ copula::fit ────▶ CopulaBelief
//!             └─ private_moments ▶ PrivateMoments { moments, budget, noise }
//!
//! Schema + People ── fit_plan ───▶ Plan
//! ```
//!
//! A [`TrainingSet`] is checked once; whatever can go wrong is a [`TrainError`].
//!
//! Nothing here reads a file or prints, and random numbers are drawn only from a given seed; the same input gives the
//! same output, on however many threads. [`private_moments`] alone takes its noise from the operating system, since
//! noise that could be drawn again could be taken away again.
//!
//! Sources, besides those of the core:
//!
//! - \[DMNS06\]: C. Dwork, F. McSherry, K. Nissim, A. Smith, *Calibrating Noise to Sensitivity in Private Data
//!   Analysis*, TCC 2006.
//! - \[CKS20\]: C. Canonne, G. Kamath, T. Steinke, *The Discrete Gaussian for Differential Privacy*, NeurIPS 2020.
//! - \[BW18\]: B. Balle, Y.-X. Wang, *Improving the Gaussian Mechanism for Differential Privacy*, ICML 2018.
//! - \[KSW15\]: D. P. Kingma, T. Salimans, M. Welling, *Variational Dropout and the Local Reparameterization Trick*,
//!   NeurIPS 2015.
//!
//! ```
//! use mindrel_train::logistic::{self, LogisticOptions};
//! use mindrel_train::{TrainError, TrainingSet, moments};
//!
//! // Four people with two columns each; the first column alone tells the classes apart.
//! let rows = vec![-1.0, 0.5, -0.5, -0.5, 0.5, 0.5, 1.0, -0.5];
//! let set = TrainingSet::new(rows, 2, vec![0, 0, 1, 1], 2)?;
//!
//! let fit = logistic::fit(&set, &LogisticOptions::default(), &mut |_progress| ())?;
//! assert!(fit.model.weights(0)[0] > 0.5);
//! assert!(fit.model.weights(0)[1].abs() < 0.1);
//!
//! let moments = moments(&set);
//! assert_eq!(moments.mean, [0.0, 0.0]);
//! # Ok::<(), TrainError>(())
//! ```

mod adam;
pub mod bayes;
mod believer;
pub mod copula;
mod draw_sensitive;
mod error;
mod kernel;
mod lanes;
pub mod logistic;
pub mod mlp;
mod moments;
mod plan;
mod private;
mod progress;
mod steps;
mod training_set;

pub use believer::{Believer, fit_belief};
pub use draw_sensitive::draw_sensitive;
pub use error::TrainError;
pub use moments::{Moments, moments};
pub use plan::{FitError, Learner, fit_plan, plan_around, with_belief};
pub use private::{NoiseScale, PrivacyBudget, PrivacyError, PrivateMoments, private_moments};
pub use progress::{Epoch, FitWarning, Iteration, TrainingProgress};
pub use training_set::{EncodedRows, TrainingSet};
