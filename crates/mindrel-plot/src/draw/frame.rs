//! What stands around the data: titles, grids, axes and their numbers.

use super::cell::PanelCell;
use super::layout::{FigureLayout, HEADING, TEXT};
use crate::text;
use crate::xml::{Xml, length};

/// The figure's title.
pub(super) fn title(xml: &mut Xml, layout: &FigureLayout<'_>) {
    for (line, baseline) in &layout.title {
        let place = [("class", "mp-title mp-text"), ("x", &length(layout.margin)), ("y", &length(*baseline))];
        xml.leaf("text", &place, line);
    }
}

/// The labels of horizontal axes.
pub(super) fn shared_labels(xml: &mut Xml, layout: &FigureLayout<'_>) {
    for label in &layout.labels {
        words(xml, "mp-muted", "middle", (label.middle, label.baseline), &label.text, label.room);
    }
}

/// Everything of a panel that the data are drawn over.
pub(super) fn behind(xml: &mut Xml, cell: &PanelCell<'_>) {
    let plot = &cell.plot;
    if !cell.panel.title.is_empty() {
        let room = cell.text_room * TEXT / HEADING / 1.08;
        words(xml, "mp-heading mp-text", "start", (plot.left, cell.title_at), &cell.panel.title, room);
    }
    if cell.tells_y && !cell.y.label.is_empty() {
        words(xml, "mp-muted", "start", (plot.left, cell.label_at), &cell.y.label, cell.text_room);
    }
    horizontal_lines(xml, cell);
    vertical_lines(xml, cell);
    zero_line(xml, cell);
}

fn horizontal_lines(xml: &mut Xml, cell: &PanelCell<'_>) {
    let plot = &cell.plot;
    let mut told_at = f64::INFINITY;
    for tick in &cell.y.ticks {
        let at = cell.vertical(cell.y.place(*tick));
        if !cell.y.is_named() {
            line(xml, "mp-grid", (plot.left, at.round()), (plot.right, at.round()));
        }
        // Ticks that a caller chose can lie too close for all of them to be told.
        if cell.tells_y && (told_at - at).abs() >= TEXT {
            told_at = at;
            let class = if cell.y.is_named() { "mp-text" } else { "mp-muted mp-number" };
            words(xml, class, "end", (plot.left - 8.0, at + 4.0), &cell.y.tick_text(*tick), cell.left_room);
        }
    }
}

fn vertical_lines(xml: &mut Xml, cell: &PanelCell<'_>) {
    let plot = &cell.plot;
    let texts: Vec<String> = cell.x.ticks.iter().map(|tick| cell.x.tick_text(*tick)).collect();
    let named = cell.x.is_named();
    let slot = plot.width() / texts.len().max(1) as f64 - 4.0;
    let stride = if named { 1 } else { stride(cell, &texts) };
    for (place, (tick, text)) in cell.x.ticks.iter().zip(&texts).enumerate() {
        let at = cell.horizontal(cell.x.place(*tick));
        if cell.panel.is_sideways() {
            line(xml, "mp-grid", (at.round(), plot.top), (at.round(), plot.bottom));
        } else if !named {
            line(xml, "mp-axis", (at.round(), plot.bottom), (at.round(), plot.bottom + 4.0));
        }
        if place % stride == 0 {
            let room = if named { slot } else { f64::INFINITY };
            let class = if named { "mp-text" } else { "mp-muted mp-number" };
            words(xml, class, "middle", (at, plot.bottom + 17.0), text, room);
        }
    }
}

/// The line on which the data stand.
fn zero_line(xml: &mut Xml, cell: &PanelCell<'_>) {
    let plot = &cell.plot;
    if cell.panel.is_sideways() {
        let at = cell.horizontal(cell.x.place(0.0)).round();
        line(xml, "mp-axis", (at, plot.top), (at, plot.bottom));
    } else {
        let bottom = plot.bottom.round();
        line(xml, "mp-axis", (plot.left, bottom), (plot.right, bottom));
        let zero = cell.vertical(cell.y.place(0.0)).round();
        if cell.panel.has_bars() && zero < bottom {
            line(xml, "mp-axis", (plot.left, zero), (plot.right, zero));
        }
    }
}

/// Every how many ticks a number has room.
fn stride(cell: &PanelCell<'_>, texts: &[String]) -> usize {
    let spots: Vec<f64> = cell.x.ticks.iter().map(|tick| cell.horizontal(cell.x.place(*tick))).collect();
    let half: Vec<f64> = texts.iter().map(|text| text::width(text, TEXT) / 2.0).collect();
    let fits = |stride: usize| {
        let kept: Vec<usize> = (0..spots.len()).step_by(stride).collect();
        kept.windows(2).all(|pair| spots[pair[1]] - half[pair[1]] >= spots[pair[0]] + half[pair[0]] + 6.0)
    };
    (1..=spots.len().max(1)).find(|stride| fits(*stride)).unwrap_or(1)
}

pub(super) fn line(xml: &mut Xml, class: &str, from: (f64, f64), to: (f64, f64)) {
    let ends = [length(from.0), length(from.1), length(to.0), length(to.1)];
    let [x1, y1, x2, y2] = ends.each_ref().map(String::as_str);
    xml.empty("line", &[("class", class), ("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)]);
}

/// A text that is cut off where it has no room, and then says all of it when pointed at.
pub(super) fn words(xml: &mut Xml, class: &str, anchor: &str, at: (f64, f64), text: &str, room: f64) {
    let (x, y) = (length(at.0), length(at.1));
    let attributes = [("class", class), ("x", x.as_str()), ("y", y.as_str()), ("text-anchor", anchor)];
    let attributes = if anchor == "start" { &attributes[..3] } else { &attributes[..] };
    let shown = text::fitted(text, TEXT, room);
    if shown == text {
        xml.leaf("text", attributes, text);
    } else {
        xml.open("g", &[]);
        xml.leaf("title", &[], text);
        xml.leaf("text", attributes, &shown);
        xml.close("g");
    }
}
