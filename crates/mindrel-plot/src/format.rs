//! Numbers as text: short, without noise.

use serde::Serialize;

/// A space between a number and its unit that is narrow and does not break.
const NARROW: char = '\u{202f}';

/// The digits of a value that is told; ticks are told in full.
const DIGITS: usize = 4;

/// How the numbers of an axis are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub enum NumberFormat {
    /// 0.25, 12,000, 3×10⁻⁵.
    #[default]
    Number,
    /// 0.025 is 2.5 %. Values have one decimal, but for those that would be none.
    Percent,
    /// Means of things that are counted, with one decimal: 2.1.
    Decimal,
    /// Whole things: 12,000. Ticks are whole numbers.
    Count,
    /// 0.000001 is 1 µs, 0.003 is 3 ms, 2 is 2 s.
    Seconds,
    /// 0.95; never rounded to 0 or 1.
    Probability,
}

impl NumberFormat {
    /// A value in at most four digits, or as many as it takes to tell a probability from 0 and 1; shares and means
    /// with one decimal.
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Percent if has_one_decimal(100.0 * value) => format!("{}{NARROW}%", one_decimal(100.0 * value)),
            Self::Decimal if has_one_decimal(value) => one_decimal(value),
            _ => self.with_digits(value, DIGITS),
        }
    }

    /// The value of a tick, which has few digits, in full.
    pub(crate) fn tick(self, value: f64) -> String {
        self.with_digits(value, 10)
    }

    fn with_digits(self, value: f64, digits: usize) -> String {
        if !value.is_finite() {
            return "not a number".into();
        }
        match self {
            Self::Number | Self::Count | Self::Decimal => number(value, digits),
            // Beyond the largest number there are no percents.
            Self::Percent if !(value * 100.0).is_finite() => number(value, digits),
            Self::Percent => format!("{}{NARROW}%", number(value * 100.0, digits)),
            Self::Seconds => seconds(value, digits),
            Self::Probability => probability(value, digits),
        }
    }
}

/// Whether a number is told by one decimal: it is neither so small that nothing would be left nor so large that
/// nobody would read it.
fn has_one_decimal(value: f64) -> bool {
    value == 0.0 || (0.05..1e9).contains(&value.abs())
}

fn one_decimal(value: f64) -> String {
    // What is rounded to zero has no sign.
    signed(&with_thousands(&format!("{:.1}", if value == 0.0 { 0.0 } else { value })))
}

fn seconds(value: f64, digits: usize) -> String {
    // A value that rounds up to a thousand of one unit is one of the next.
    let units = [(1e-6, 1e-9, "ns"), (1e-3, 1e-6, "µs"), (1.0, 1e-3, "ms")];
    let size = value.abs() * (1.0 + 1e-9);
    let (unit, name) = units
        .into_iter()
        .find(|(limit, ..)| size < *limit && size > 0.0)
        .map_or((1.0, "s"), |(_, unit, name)| (unit, name));
    format!("{}{NARROW}{name}", number(value / unit, digits))
}

fn probability(value: f64, digits: usize) -> String {
    let rarest = value.min(1.0 - value);
    if rarest <= 0.0 || rarest >= 0.001 {
        return number(value, digits);
    }
    let decimals = (2.0 - rarest.log10()).floor().min(15.0) as usize;
    trimmed(&format!("{value:.decimals$}"))
}

/// A number rounded to some significant digits, in decimals or, far from one, as a power of ten.
fn number(value: f64, digits: usize) -> String {
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').expect("`e` notation has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is a whole number");
    if value == 0.0 {
        "0".into()
    } else if (-4..9).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        // Through the rounded text, so that 123,456 in four digits is 123,500.
        let rounded: f64 = scientific.parse().expect("`e` notation is read back");
        signed(&with_thousands(&trimmed(&format!("{rounded:.decimals$}"))))
    } else {
        let power: String = exponent.to_string().chars().map(superscript).collect();
        match trimmed(mantissa).as_str() {
            "1" => format!("10{power}"),
            mantissa => signed(&format!("{mantissa}×10{power}")),
        }
    }
}

fn trimmed(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text.into() }
}

/// With a minus sign instead of a hyphen.
fn signed(text: &str) -> String {
    text.replacen('-', "−", 1)
}

/// With commas from ten thousand on: 2,000 and 2000 read equally well, and years stay years.
fn with_thousands(text: &str) -> String {
    let (sign, unsigned) = text.split_at(usize::from(text.starts_with('-')));
    let (whole, rest) = unsigned.split_at(unsigned.find('.').unwrap_or(unsigned.len()));
    if whole.len() < 5 {
        return text.into();
    }
    let mut grouped = String::from(sign);
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

fn superscript(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        other => char::from_u32('⁴' as u32 + (other as u32 - '4' as u32)).unwrap_or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_have_no_idle_zeros() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (0.25, "0.25"),
            (0.1 + 0.2, "0.3"),
            (2000.0, "2000"),
            (12_000.0, "12,000"),
            (-1_234_567.0, "−1,235,000"),
            (2e-5, "2×10⁻⁵"),
            (1e12, "10¹²"),
            (9.99996, "10"),
        ];
        for (value, text) in cases {
            assert_eq!(NumberFormat::Number.text(value), text);
        }
    }

    #[test]
    fn units_follow_a_narrow_space() {
        assert_eq!(NumberFormat::Percent.text(0.025), "2.5\u{202f}%");
        let texts = [0.0, 0.93, 0.53241, 1.0, -0.0123, 0.0004].map(|share| NumberFormat::Percent.text(share));
        let expected = ["0.0", "93.0", "53.2", "100.0", "−1.2", "0.04"].map(|text| format!("{text}\u{202f}%"));
        assert_eq!(texts, expected);
        assert_eq!([2.134, 10.0].map(|mean| NumberFormat::Decimal.text(mean)), ["2.1", "10.0"]);
        assert_eq!(NumberFormat::Percent.tick(0.07), "7\u{202f}%");
        for (value, text) in [(1e-6, "1µs"), (0.003, "3ms"), (2.0, "2s"), (5e-9, "5ns"), (0.0, "0s"), (1e-3, "1ms")] {
            assert_eq!(NumberFormat::Seconds.text(value).replace(NARROW, ""), text);
        }
    }

    #[test]
    fn a_probability_is_rounded_neither_to_zero_nor_to_one() {
        assert_eq!(NumberFormat::Probability.text(0.95), "0.95");
        assert_eq!(NumberFormat::Probability.text(0.99999), "0.99999");
        assert_eq!(NumberFormat::Probability.text(0.00001), "0.00001");
        assert_eq!(NumberFormat::Probability.text(1.0), "1");
    }

    #[test]
    fn what_is_no_number_says_so() {
        assert_eq!(NumberFormat::Percent.text(f64::NAN), "not a number");
    }
}
