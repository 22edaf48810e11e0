//! Luminance and contrast, as \[WCAG 2.2\] defines them.

use std::fmt;

/// Red, green and blue, eight bits each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rgb([u8; 3]);

impl From<u32> for Rgb {
    fn from(value: u32) -> Self {
        let [_, red, green, blue] = value.to_be_bytes();
        Self([red, green, blue])
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(formatter, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The colour at a share of the way from one to another.
pub(crate) fn mix(from: Rgb, to: Rgb, share: f64) -> Rgb {
    let channel = |place: usize| {
        let (start, end) = (f64::from(from.0[place]), f64::from(to.0[place]));
        (start + (end - start) * share).round() as u8
    };
    Rgb([channel(0), channel(1), channel(2)])
}

/// By how much two colours differ in brightness, from 1 to 21.
///
/// ```text
/// contrast(a, b) = (max(L(a), L(b)) + 0.05) / (min(L(a), L(b)) + 0.05)
/// ```
pub(crate) fn contrast(one: Rgb, other: Rgb) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(colour: Rgb) -> f64 {
    let [red, green, blue] = colour.0.map(|channel| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_on_white_has_the_largest_contrast() {
        assert!((contrast(Rgb::from(0), Rgb::from(0xFFFFFF)) - 21.0).abs() < 1e-9);
        assert_eq!(contrast(Rgb::from(0x336699), Rgb::from(0x336699)), 1.0);
    }
}
