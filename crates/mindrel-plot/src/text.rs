//! The width of text, without a font.

/// Advance widths of Helvetica in thousandths of an em, from the space to the tilde (Adobe's font metrics, which Arial
/// and Liberation Sans share).
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// The fonts a reader may have instead are up to so much wider.
const CAUTION: f64 = 1.1;

/// An estimate of how wide a text is, rather too wide than too narrow.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size * CAUTION
}

fn advance(character: char) -> f64 {
    match character as u32 {
        code @ 0x20..=0x7e => f64::from(WIDTHS[code as usize - 0x20]) / 1000.0,
        0x300..=0x36f => 0.0,
        0x2009 | 0x202f => 0.25,
        0x7f..=0x52f => 0.62,
        0x2070..=0x209f => 0.4,
        0x1100..=0x11ff | 0x2e80..=0xffef | 0x1f000.. => 1.05,
        _ => 0.8,
    }
}

/// The text, cut off with an ellipsis where it is wider than the room for it.
pub(crate) fn fitted(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.into();
    }
    let mut kept = String::new();
    let mut used = width("…", size);
    for character in text.chars() {
        used += advance(character) * size * CAUTION;
        if used > room {
            break;
        }
        kept.push(character);
    }
    kept.truncate(kept.trim_end().len());
    kept + "…"
}

/// The text in lines that fit, broken at spaces; the last line allowed is cut off.
pub(crate) fn wrapped(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in text.split_whitespace() {
        let count = lines.len();
        match lines.last_mut() {
            Some(line) if count == most || width(&format!("{line} {word}"), size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines.iter().map(|line| fitted(line, size, room)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_off_where_it_does_not_fit() {
        assert_eq!(fitted("short", 12.0, 100.0), "short");
        let cut = fitted("a rather long name of a question", 12.0, 80.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 80.0, "{cut}");
    }

    #[test]
    fn text_is_broken_at_spaces() {
        let lines = wrapped("people by the size of their core set", 12.0, 100.0, 3);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| width(line, 12.0) <= 100.0), "{lines:?}");
        assert!(wrapped("", 12.0, 100.0, 3).is_empty());
    }
}
