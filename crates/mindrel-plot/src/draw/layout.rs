//! Where everything goes: columns of equal panels, with room for numbers at the left and names at the right.

use super::cell::{Cell, Rectangle};
use super::names::{self, Entry};
use crate::axis::{ResolvedAxis, resolve};
use crate::figure::{Figure, Mark, Panel};
use crate::text;

/// The sizes of ordinary text, of panel titles and of the figure's title, as the style sheet has them.
pub(super) const TEXT: f64 = 12.0;
pub(super) const HEADING: f64 = 13.0;
const TITLE: f64 = 15.0;

/// Figures wider than this are scrolled on narrow screens instead of shrunk until nobody can read them.
pub(super) const WIDE: f64 = 700.0;

const MARGIN: f64 = 14.0;
const GAP: f64 = 22.0;
const ROW_GAP: f64 = 26.0;
const TITLE_LINE: f64 = 21.0;
const HEADING_LINE: f64 = 18.0;
const LABEL_LINE: f64 = 18.0;
const TICK_LINE: f64 = 20.0;
const NARROWEST_PLOT: f64 = 96.0;
const WIDEST_CATEGORY: f64 = 210.0;

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
pub(super) struct Layout<'a> {
    pub width: f64,
    pub height: f64,
    /// The lines of the title with their baselines.
    pub title: Vec<(String, f64)>,
    pub legend: Vec<Entry>,
    pub cells: Vec<Cell<'a>>,
    pub labels: Vec<SharedLabel>,
    pub margin: f64,
}

impl<'a> Layout<'a> {
    pub fn of(figure: &'a Figure, with_title: bool) -> Self {
        let columns = figure.n_columns();
        let axes = resolve(figure);
        let naming = names::naming(figure);
        let tells_y: Vec<bool> = (0..axes.len())
            .map(|place| place % columns == 0 || !reads_like(&axes[place - 1][1], &axes[place][1]))
            .collect();

        let mut across = Columns::new(columns);
        for (place, panel) in figure.panels.iter().enumerate() {
            let column = place % columns;
            if tells_y[place] {
                across.left[column] = across.left[column].max(room_for_ticks(&axes[place][1]));
            }
            // The last panel of a row that is not full has all the room in the world.
            if column + 1 == columns || place + 1 < figure.panels.len() {
                let names = if naming.ends[place] { names::room_for_ends(panel) } else { 0.0 };
                across.right[column] = across.right[column].max(names).max(room_for_values(panel, &axes[place][0]));
            }
        }
        let (plot_width, width) = across.widths();

        let mut top = MARGIN;
        let mut title = vec![];
        if with_title {
            for line in text::wrapped(&figure.title, TITLE * 1.08, width - 2.0 * MARGIN, 3) {
                title.push((line, top + TITLE));
                top += TITLE_LINE;
            }
            top += if title.is_empty() { 0.0 } else { 8.0 };
        }
        let mut legend = naming.legend;
        top += names::lay_out_legend(&mut legend, across.plot_left(0, plot_width).0.min(80.0), top, width - MARGIN);

        let mut layout = Self { width, height: top, title, legend, cells: vec![], labels: vec![], margin: MARGIN };
        let mut axes = axes.into_iter();
        for (row, panels) in figure.panels.chunks(columns).enumerate() {
            let places = row * columns..row * columns + panels.len();
            let drawn: Vec<[ResolvedAxis; 2]> = axes.by_ref().take(panels.len()).collect();
            let titled = panels.iter().any(|panel| !panel.title.is_empty());
            let labelled = places.clone().zip(&drawn).any(|(place, [_, y])| tells_y[place] && !y.label.is_empty());
            let title_at = top + HEADING;
            top += if titled { HEADING_LINE } else { 0.0 };
            let label_at = top + TEXT;
            top += if labelled { LABEL_LINE } else { 0.0 };
            top += 6.0;
            let bottom = top + plot_height(figure, panels);
            for ((place, panel), [x, y]) in places.zip(panels).zip(drawn) {
                let (left, left_room) = across.plot_left(place % columns, plot_width);
                let plot = Rectangle { left, top, right: left + plot_width, bottom };
                layout.cells.push(Cell {
                    panel,
                    x,
                    y,
                    plot,
                    title_at,
                    label_at,
                    tells_y: tells_y[place],
                    left_room,
                    names_ends: naming.ends[place],
                    text_room: plot_width + GAP - 6.0,
                });
            }
            top = bottom + TICK_LINE;
            let next = figure.panels.get((row + 1) * columns..).unwrap_or(&[]);
            top += layout.label_row(panels.len(), &next[..columns.min(next.len())], top);
            layout.height = top + MARGIN - 6.0;
            top += ROW_GAP;
        }
        layout
    }

    /// Labels the horizontal axes of the row that was laid out last: once, if they all say the same and the row below does not say it.
    fn label_row(&mut self, count: usize, below: &[Panel], top: f64) -> f64 {
        let row = &self.cells[self.cells.len() - count..];
        let shared = row.iter().all(|cell| cell.panel.x.label == row[0].panel.x.label);
        let told_below = below.len() == count && below.iter().all(|panel| panel.x.label == row[0].panel.x.label);
        let baseline = top + TEXT;
        let label = |text: &str, left: f64, right: f64| SharedLabel {
            text: text.into(),
            middle: (left + right) / 2.0,
            baseline,
            room: right - left + GAP - 6.0,
        };
        let labels: Vec<SharedLabel> = match shared {
            true if told_below => vec![],
            true => vec![label(&row[0].panel.x.label, row[0].plot.left, row[count - 1].plot.right)],
            false => row.iter().map(|cell| label(&cell.panel.x.label, cell.plot.left, cell.plot.right)).collect(),
        };
        let told = labels.iter().any(|label| !label.text.is_empty());
        self.labels.extend(labels.into_iter().filter(|label| !label.text.is_empty()));
        if told { LABEL_LINE } else { 0.0 }
    }
}

/// How wide the columns are.
struct Columns {
    left: Vec<f64>,
    right: Vec<f64>,
}

impl Columns {
    fn new(columns: usize) -> Self {
        Self { left: vec![0.0; columns], right: vec![0.0; columns] }
    }

    /// The width of a plot, the same in every column, and that of the figure.
    fn widths(&self) -> (f64, f64) {
        let columns = self.left.len() as f64;
        let wanted = [640.0, 820.0, 960.0, 960.0].get(self.left.len() - 1).copied().unwrap_or(240.0 * columns);
        let around = self.around();
        let plot = ((wanted - around) / columns).floor().max(NARROWEST_PLOT);
        (plot, around + plot * columns)
    }

    fn around(&self) -> f64 {
        let rooms: f64 = self.left.iter().chain(&self.right).sum();
        rooms + GAP * (self.left.len() - 1) as f64 + MARGIN + self.end()
    }

    /// The margin at the right, wide enough for half a number under the last tick.
    fn end(&self) -> f64 {
        if self.right.last().is_some_and(|room| *room > 0.0) { MARGIN } else { MARGIN + 10.0 }
    }

    /// Where a plot begins, and the room to its left.
    fn plot_left(&self, column: usize, plot: f64) -> (f64, f64) {
        let before: f64 = self.left[..column].iter().zip(&self.right).map(|(left, right)| left + right).sum();
        let start = MARGIN + before + (plot + GAP) * column as f64;
        ((start + self.left[column]).round(), self.left[column])
    }
}

/// Whether a reader can take the numbers of one axis from another.
fn reads_like(one: &ResolvedAxis, other: &ResolvedAxis) -> bool {
    one == other
}

fn room_for_ticks(axis: &ResolvedAxis) -> f64 {
    let widest = axis.ticks.iter().map(|tick| text::width(&axis.tick_text(*tick), TEXT)).fold(0.0, f64::max);
    widest.min(WIDEST_CATEGORY) + 10.0
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
