//! Figures as SVG.

mod bars;
mod cell;
mod chosen;
mod columns;
mod frame;
#[cfg(test)]
mod laws;
mod layout;
mod marks;
mod names;

use std::collections::BTreeSet;

use crate::figure::Figure;
use crate::style;
use crate::xml::{Xml, length};
use layout::Layout;

use layout::WIDE;

impl Figure {
    /// An SVG document of its own, with its title, its style and a background for light and dark.
    pub fn to_svg(&self) -> String {
        let layout = Layout::of(self, true);
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

    /// An SVG element for a page that holds [`stylesheet`](crate::stylesheet). The title is said, not drawn: the page has a caption.
    pub fn to_inline_svg(&self) -> String {
        self.document(&Layout::of(self, false), "")
    }

    fn document(&self, layout: &Layout<'_>, style: &str) -> String {
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

        let id = format!("mindrel-{:016x}", fingerprint(&[&self.title, &self.description, &body]));
        let (title_id, description_id) = (format!("{id}-title"), format!("{id}-description"));
        let (width, height) = (length(layout.width), length(layout.height));
        let class = if layout.width > WIDE { "mindrel-plot mp-wide" } else { "mindrel-plot" };
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
        svg.leaf("title", &[("id", &title_id)], &self.title);
        svg.leaf("desc", &[("id", &description_id)], &self.told());
        svg.append(style);
        if !style.is_empty() {
            svg.empty("rect", &[("class", "mp-paper"), ("width", &width), ("height", &height)]);
        }
        svg.append(&body);
        svg.close("svg");
        svg.finish()
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

/// The 64-bit FNV-1a hash: a name for a figure that another figure on the same page does not have.
fn fingerprint(texts: &[&str]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
