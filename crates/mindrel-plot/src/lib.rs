//! The plots of mindrel: plain data in, SVG text out.
//!
//! A [`Figure`] is a grid of [`Panel`]s, a panel has two axes and some [`Series`] of [`DataPoint`]s. The same figure
//! always gives the same bytes; nothing here reads a file, a clock, a font or a source of randomness.
//!
//! - [`Figure::to_svg`] is a document of its own, [`Figure::to_inline_svg`] a fragment for a page that holds
//!   [`stylesheet`], [`Figure::to_html`] that fragment with its caption and its numbers in a table.
//! - Colours follow the reader's theme, light or dark, and are the same for the same thing everywhere ([`Colour`]).
//! - A [`TreeDiagram`] of nodes and labelled ways on is drawn in the same style.
//! - [`Figure::rows`] gives the numbers behind the drawing. Whatever is drawn says its value when pointed at.
//! - Nothing is dropped silently: a value beyond an axis (outside its range, or zero on a logarithmic one) is drawn at
//!   its edge with a hollow mark, whose title has the true value; what is not a number is counted in the description.
//!
//! ```
//! use mindrel_plot::{Axis, Colour, Figure, NumberFormat, Panel, Series};
//!
//! let panel = Panel::new("bank")
//!     .x(Axis::new("sensitive questions").ticks([2.0, 3.0, 4.0]))
//!     .y(Axis::new("leakage").format(NumberFormat::Percent).log())
//!     .series(Series::line("decisive", Colour::DECISIVE, [(2.0, 0.11), (3.0, 0.08), (4.0, 0.07)]))
//!     .series(Series::line("f-score", Colour::F_SCORE, [(2.0, 0.22), (3.0, 0.19), (4.0, 0.15)]));
//! let figure = Figure::new("Leakage by rule", "Share of the sensitive questions asked.").panel(panel);
//!
//! assert!(figure.to_svg().starts_with("<svg"));
//! assert_eq!(figure.rows().len(), 6);
//! ```
//!
//! # Sources
//!
//! - \[Okabe & Ito 2008\]: M. Okabe, K. Ito, *Color Universal Design: how to make figures and presentations that are
//!   friendly to colorblind people*. The hues, darkened or lightened until they stand out from the page.
//! - \[WCAG 2.2\]: *Web Content Accessibility Guidelines*, W3C: relative luminance and contrast.

mod axis;
mod colour;
mod contrast;
mod draw;
mod figure;
mod format;
mod html;
mod place;
mod rows;
mod style;
mod text;
mod tree;
mod xml;

pub use axis::{Axis, Scale};
pub use colour::{Colour, Hue};
pub use figure::{DataPoint, Figure, Mark, Panel, Series, Sharing};
pub use format::NumberFormat;
pub use rows::SeriesRow;
pub use style::{page_stylesheet, stylesheet};
pub use tree::{NodeShape, TreeBranch, TreeDiagram, TreeNode};
pub use xml::shown;
