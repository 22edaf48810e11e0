//! How wide columns are: plots of one width, with room for numbers at the left and names at the right.

use super::layout::{GAP, MARGIN, Paper, TEXT};
use super::names::{self, Naming};
use crate::axis::ResolvedAxis;
use crate::figure::{Figure, Mark, Panel};
use crate::text;

const NARROWEST_PLOT: f64 = 96.0;
const WIDEST_CATEGORY: f64 = 210.0;

/// The width of a figure on a telephone, of 390 pixels with their margins, and of names at the left there.
const SLIM: f64 = 340.0;
const WIDEST_SLIM_CATEGORY: f64 = 165.0;

/// The columns of a figure.
#[derive(Debug)]
pub(super) struct PanelColumns {
    /// The room at the left of each plot, and at its right.
    pub left: Vec<f64>,
    right: Vec<f64>,
    /// The width of every plot.
    pub plot: f64,
    /// The width of the figure.
    pub width: f64,
    /// For each panel, whether its vertical axis has numbers and a label, or has those of the panel to its left.
    pub tells_y: Vec<bool>,
}

impl PanelColumns {
    pub fn of(figure: &Figure, axes: &[[ResolvedAxis; 2]], naming: &Naming, paper: Paper) -> Self {
        let widest_name = if paper == Paper::Slim { WIDEST_SLIM_CATEGORY } else { WIDEST_CATEGORY };
        let count = figure.n_columns();
        let tells_y = (0..axes.len()).map(|place| place % count == 0 || axes[place - 1][1] != axes[place][1]).collect();
        let mut columns = Self { left: vec![0.0; count], right: vec![0.0; count], plot: 0.0, width: 0.0, tells_y };
        for (place, (panel, [x, y])) in figure.panels.iter().zip(axes).enumerate() {
            let column = place % count;
            if columns.tells_y[place] {
                columns.left[column] = columns.left[column].max(room_for_ticks(y, widest_name));
            }
            let overhang = overhang(x);
            columns.left[column] = columns.left[column].max(overhang);
            columns.right[column] = columns.right[column].max(overhang);
            // The last panel of a row that is not full has the rest of the row to itself.
            if column + 1 == count || place + 1 < figure.panels.len() {
                let names = if naming.ends[place] { names::room_for_ends(panel) } else { 0.0 };
                columns.right[column] = columns.right[column].max(names).max(room_for_values(panel, x));
            }
        }
        let roomy = || [640.0, 820.0, 960.0, 960.0].get(count - 1).copied().unwrap_or(240.0 * count as f64);
        let wanted = if paper == Paper::Slim { SLIM } else { roomy() };
        let around = columns.around();
        columns.plot = ((wanted - around) / count as f64).floor().max(NARROWEST_PLOT);
        columns.width = (around + columns.plot * count as f64).ceil();
        columns
    }

    fn around(&self) -> f64 {
        let rooms: f64 = self.left.iter().chain(&self.right).sum();
        rooms + GAP * (self.left.len() - 1) as f64 + 2.0 * MARGIN
    }

    /// Where the plots of a column begin.
    pub fn plot_left(&self, column: usize) -> f64 {
        let before: f64 = self.left[..column].iter().zip(&self.right).map(|(left, right)| left + right).sum();
        (MARGIN + before + (self.plot + GAP) * column as f64 + self.left[column]).round()
    }
}

/// By how much numbers under ticks can stand out from under a plot, beyond what margins and gaps are there for.
fn overhang(axis: &ResolvedAxis) -> f64 {
    if axis.is_named() { 0.0 } else { (widest_tick(axis) / 2.0 - 10.0).max(0.0) }
}

fn widest_tick(axis: &ResolvedAxis) -> f64 {
    axis.ticks.iter().map(|tick| text::width(&axis.tick_text(*tick), TEXT)).fold(0.0, f64::max)
}

fn room_for_ticks(axis: &ResolvedAxis, widest: f64) -> f64 {
    widest_tick(axis).min(widest) + 10.0
}

/// Bars that lie on their side and stand alone have their values at their ends.
pub(super) fn tells_bar_values(panel: &Panel) -> bool {
    let bars = panel.series.iter().filter(|series| series.mark == Mark::Bars).count();
    panel.is_sideways() && bars == 1
}

fn room_for_values(panel: &Panel, axis: &ResolvedAxis) -> f64 {
    if !tells_bar_values(panel) {
        return 0.0;
    }
    let values = panel.series.iter().flat_map(|series| &series.points).filter(|point| point.is_finite());
    values.map(|point| text::width(&axis.text(point.x), TEXT)).fold(0.0, f64::max) + 10.0
}
