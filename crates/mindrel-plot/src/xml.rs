//! Writing XML: every text and every attribute is escaped here and nowhere else.

use std::fmt::Write;

/// A character as a page may show it.
///
/// What XML does not allow, and what changes the direction of text, becomes a replacement character; a tab or a line
/// end becomes a space.
pub fn shown(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        other => other,
    }
}

/// Text that is safe between tags and in quoted attributes.
///
/// Its characters are as they may be [`shown`].
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(shown(other)),
        }
    }
    safe
}

/// A length with at most two decimals: a hundredth of a pixel cannot be seen, and the text is short and reproducible.
pub(crate) fn length(value: f64) -> String {
    let text = format!("{:.2}", value);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// XML as it is written.
#[derive(Debug, Default)]
pub(crate) struct Xml {
    text: String,
}

impl Xml {
    /// Opens an element.
    pub fn open(&mut self, tag: &str, attributes: &[(&str, &str)]) {
        self.start(tag, attributes);
        self.text.push('>');
    }

    /// Closes it.
    pub fn close(&mut self, tag: &str) {
        let _ = writeln!(self.text, "</{tag}>");
    }

    /// An element with nothing in it.
    pub fn empty(&mut self, tag: &str, attributes: &[(&str, &str)]) {
        self.start(tag, attributes);
        self.text.push_str("/>\n");
    }

    /// An element with text in it.
    pub fn leaf(&mut self, tag: &str, attributes: &[(&str, &str)], text: &str) {
        self.open(tag, attributes);
        self.text.push_str(&escaped(text));
        self.close(tag);
    }

    /// An element that says something when pointed at.
    pub fn titled(&mut self, tag: &str, attributes: &[(&str, &str)], title: &str) {
        self.open(tag, attributes);
        let _ = write!(self.text, "<title>{}</title>", escaped(title));
        self.close(tag);
    }

    /// What was written elsewhere.
    pub fn append(&mut self, written: &str) {
        self.text.push_str(written);
    }

    pub fn finish(self) -> String {
        self.text
    }

    fn start(&mut self, tag: &str, attributes: &[(&str, &str)]) {
        let _ = write!(self.text, "<{tag}");
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"{}\"", escaped(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_element() {
        assert_eq!(
            escaped("</text><script>\"'&\0\u{202e}"),
            "&lt;/text&gt;&lt;script&gt;&quot;&#39;&amp;\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn lengths_are_short() {
        for (value, text) in [(1.0, "1"), (0.1 + 0.2, "0.3"), (-0.001, "0"), (12.345, "12.35"), (100.0, "100")] {
            assert_eq!(length(value), text);
        }
    }
}
