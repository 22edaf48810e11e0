//! Where everything goes: columns of equal panels, with room for numbers at the left and names at the right.

use super::cell::{PanelCell, Rectangle};
use super::columns::PanelColumns;
use super::names::{self, LegendEntry};
use crate::axis::{ResolvedAxis, resolve};
use crate::figure::{Figure, Mark, Panel};
use crate::text;

/// The sizes of ordinary text, of panel titles and of the figure's title, as the style sheet has them.
pub(super) const TEXT: f64 = 12.0;
pub(super) const HEADING: f64 = 13.0;
const TITLE: f64 = 15.0;

/// Figures wider than this are scrolled on narrow screens instead of shrunk until nobody can read them.
pub(super) const WIDE: f64 = 700.0;

pub(super) const MARGIN: f64 = 14.0;
pub(super) const GAP: f64 = 22.0;
const ROW_GAP: f64 = 26.0;
const TITLE_LINE: f64 = 21.0;
const HEADING_LINE: f64 = 18.0;
const LABEL_LINE: f64 = 18.0;
const TICK_LINE: f64 = 20.0;

/// What a figure is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paper {
    /// A page or a large screen.
    Roomy,
    /// A telephone, on which text that is shrunk cannot be read: one column, with all names in a legend.
    Slim,
}

/// A label that stands for a whole row.
#[derive(Debug, Clone)]
pub(super) struct SharedLabel {
    pub text: String,
    pub middle: f64,
    pub baseline: f64,
    pub room: f64,
}

/// A figure laid out on paper.
#[derive(Debug, Clone)]
pub(super) struct FigureLayout<'a> {
    pub width: f64,
    pub height: f64,
    /// The lines of the title with their baselines.
    pub title: Vec<(String, f64)>,
    pub legend: Vec<LegendEntry>,
    pub cells: Vec<PanelCell<'a>>,
    pub labels: Vec<SharedLabel>,
    pub margin: f64,
}

impl<'a> FigureLayout<'a> {
    pub fn of(figure: &'a Figure, with_title: bool, paper: Paper) -> Self {
        let axes = resolve(figure);
        let naming = names::naming(figure, paper);
        let columns = PanelColumns::of(figure, &axes, &naming, paper);
        let mut layout = Self {
            width: columns.width,
            height: MARGIN,
            title: vec![],
            legend: naming.legend,
            cells: vec![],
            labels: vec![],
            margin: MARGIN,
        };
        if with_title {
            layout.lay_out_title(&figure.title);
        }
        let legend_left = columns.plot_left(0).min(80.0);
        layout.height += names::lay_out_legend(&mut layout.legend, legend_left, layout.height, layout.width - MARGIN);
        let mut axes = axes.into_iter();
        for (row, panels) in figure.panels.chunks(figure.n_columns()).enumerate() {
            layout.height += if row > 0 { ROW_GAP } else { 0.0 };
            let axes: Vec<[ResolvedAxis; 2]> = axes.by_ref().take(panels.len()).collect();
            layout.lay_out_row(panels, axes, plot_height(figure, panels), &columns, &naming.ends);
            let below = figure.panels.chunks(figure.n_columns()).nth(row + 1).unwrap_or(&[]);
            layout.label_row(panels.len(), below);
        }
        layout.height += MARGIN - 6.0;
        layout
    }

    fn lay_out_title(&mut self, title: &str) {
        for line in text::wrapped(title, TITLE * 1.08, self.width - 2.0 * MARGIN, 3) {
            self.title.push((line, self.height + TITLE));
            self.height += TITLE_LINE;
        }
        self.height += if self.title.is_empty() { 0.0 } else { 8.0 };
    }

    /// Places the panels of one row side by side, below everything so far.
    fn lay_out_row(
        &mut self,
        panels: &'a [Panel],
        axes: Vec<[ResolvedAxis; 2]>,
        height: f64,
        columns: &PanelColumns,
        ends: &[bool],
    ) {
        let start = self.cells.len();
        let titled = panels.iter().any(|panel| !panel.title.is_empty());
        let labelled = axes.iter().zip(&columns.tells_y[start..]).any(|([_, y], tells)| *tells && !y.label.is_empty());
        let title_at = self.height + HEADING;
        self.height += if titled { HEADING_LINE } else { 0.0 };
        let label_at = self.height + TEXT;
        self.height += if labelled { LABEL_LINE } else { 0.0 };
        let top = self.height + 6.0;
        for (column, (panel, [x, y])) in panels.iter().zip(axes).enumerate() {
            let left = columns.plot_left(column);
            self.cells.push(PanelCell {
                panel,
                x,
                y,
                plot: Rectangle { left, top, right: left + columns.plot, bottom: top + height },
                title_at,
                label_at,
                tells_y: columns.tells_y[start + column],
                left_room: columns.left[column],
                names_ends: ends[start + column],
                text_room: columns.plot + MARGIN - 2.0,
                paper_right: self.width,
            });
        }
        self.height = top + height + TICK_LINE;
    }

    /// Labels the horizontal axes of the row that was laid out last: once, if they all say the same and the row below
    /// does not say it.
    fn label_row(&mut self, count: usize, below: &[Panel]) {
        let row = &self.cells[self.cells.len() - count..];
        let shared = row.iter().all(|cell| cell.panel.x.label == row[0].panel.x.label);
        let told_below = below.len() == count && below.iter().all(|panel| panel.x.label == row[0].panel.x.label);
        let baseline = self.height + TEXT;
        let paper = (self.width / 2.0, self.width - 2.0 * MARGIN);
        let label = |text: &str, left: f64, right: f64| {
            let below = ((left + right) / 2.0, right - left + GAP - 6.0);
            // A panel alone in its row has all of the paper for a label that does not fit below it.
            let fits = count > 1 || text::width(text, TEXT) <= below.1;
            let (middle, room) = if fits { below } else { paper };
            SharedLabel { text: text.into(), middle, baseline, room }
        };
        let labels: Vec<SharedLabel> = match shared {
            true if told_below => vec![],
            true => vec![label(&row[0].panel.x.label, row[0].plot.left, row[count - 1].plot.right)],
            false => row.iter().map(|cell| label(&cell.panel.x.label, cell.plot.left, cell.plot.right)).collect(),
        };
        let told = labels.iter().any(|label| !label.text.is_empty());
        self.labels.extend(labels.into_iter().filter(|label| !label.text.is_empty()));
        self.height += if told { LABEL_LINE } else { 0.0 };
    }
}

/// The height of the plots of a row.
pub(super) fn plot_height(figure: &Figure, row: &[Panel]) -> f64 {
    let usual = match figure.n_columns() {
        1 => 280.0,
        2 => 220.0,
        _ => 180.0,
    };
    let sideways = row.iter().filter(|panel| panel.is_sideways()).map(|panel| {
        let bars = panel.series.iter().filter(|series| series.mark == Mark::Bars).count().max(1);
        panel.y.categories.len() as f64 * (10.0 + 16.0 * bars as f64) + 8.0
    });
    let needed = sideways.fold(0.0, f64::max);
    if needed > 0.0 && row.iter().all(Panel::is_sideways) { needed } else { needed.max(usual) }
}
