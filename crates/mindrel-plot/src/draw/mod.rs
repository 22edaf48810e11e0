//! Figures as SVG.

mod bars;
mod cell;
mod columns;
mod frame;
#[cfg(test)]
mod laws;
mod layout;
mod marks;
mod names;
mod points;
mod tree_drawing;

use std::collections::BTreeSet;

use crate::figure::Figure;
use crate::style;
use crate::xml::{Xml, length};
use layout::{FigureLayout, Paper, WIDE};

impl Figure {
    /// An SVG document of its own, with its title, its style and a background for light and dark.
    pub fn to_svg(&self) -> String {
        let layout = FigureLayout::of(self, true, Paper::Roomy);
        let used: BTreeSet<_> = self
            .panels
            .iter()
            .flat_map(|panel| &panel.series)
            .map(|series| (series.colour.hue, series.colour.step()))
            .chain(layout.legend.iter().map(|entry| (entry.colour.hue, entry.colour.step())))
            .collect();
        let style = format!("<style>\n{}</style>\n", style::standalone(&used));
        self.document(&layout, &style)
    }

    /// An SVG element for a page with [`stylesheet`](crate::stylesheet). The title is not drawn: the page has a
    /// caption.
    pub fn to_inline_svg(&self) -> String {
        self.document(&FigureLayout::of(self, false, Paper::Roomy), "")
    }

    /// The same for a telephone: panels below each other, no wider than its screen.
    pub(crate) fn to_slim_svg(&self) -> String {
        let below_each_other = Figure { columns: 1, ..self.clone() };
        below_each_other.document(&FigureLayout::of(&below_each_other, false, Paper::Slim), "")
    }

    fn document(&self, layout: &FigureLayout<'_>, style: &str) -> String {
        let mut body = Xml::default();
        frame::title(&mut body, layout);
        names::legend(&mut body, layout);
        for cell in &layout.cells {
            frame::behind(&mut body, cell);
            marks::draw(&mut body, cell);
            names::beside(&mut body, cell);
        }
        frame::shared_labels(&mut body, layout);
        let body = body.finish();
        let told = self.told();
        document(&SvgDocument {
            title: &self.title,
            told: &told,
            size: (layout.width, layout.height),
            body: &body,
            style,
        })
    }

    /// The description, and what could not be drawn.
    pub(crate) fn told(&self) -> String {
        let lost = match self.not_drawn() {
            0 => return self.description.clone(),
            1 => "1 value is not a number and is not drawn.".to_owned(),
            count => format!("{count} values are not numbers and are not drawn."),
        };
        if self.description.is_empty() { lost } else { format!("{} {lost}", self.description) }
    }
}

/// What every drawing has.
pub(crate) struct SvgDocument<'a> {
    pub title: &'a str,
    pub told: &'a str,
    /// Width and height.
    pub size: (f64, f64),
    pub body: &'a str,
    /// A `<style>` element; `None` for a drawing on a page that has the style sheet.
    pub style: &'a str,
}

/// An SVG document, with its title and its description for those who read it aloud.
pub(crate) fn document(drawing: &SvgDocument<'_>) -> String {
    let SvgDocument { title, told, size, body, style } = drawing;
    let id = format!("mindrel-{:016x}", fingerprint(&[title, told, body]));
    let (title_id, description_id) = (format!("{id}-title"), format!("{id}-description"));
    let (width, height) = (length(size.0), length(size.1));
    let class = if size.0 > WIDE { "mindrel-plot mp-wide" } else { "mindrel-plot" };
    let mut svg = Xml::default();
    svg.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("class", class),
            ("role", "img"),
            ("aria-labelledby", &format!("{title_id} {description_id}")),
            ("viewBox", &format!("0 0 {width} {height}")),
            ("width", &width),
            ("height", &height),
        ],
    );
    svg.leaf("title", &[("id", &title_id)], title);
    svg.leaf("desc", &[("id", &description_id)], told);
    svg.append(style);
    if !style.is_empty() {
        svg.empty("rect", &[("class", "mp-paper"), ("width", &width), ("height", &height)]);
    }
    svg.append(body);
    svg.close("svg");
    svg.finish()
}

/// The 64-bit FNV-1a hash: a name for a figure that another figure on the same page does not have.
fn fingerprint(texts: &[&str]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
