//! The time a report bears.

use anyhow::anyhow;
use time::UtcDateTime;

/// What sets the time where reports are to be the same every time
/// (<https://reproducible-builds.org/specs/source-date-epoch/>).
const VARIABLE: &str = "SOURCE_DATE_EPOCH";

/// Now, or the time that `SOURCE_DATE_EPOCH` sets: `2026-01-31 14:05 UTC`.
pub fn now() -> anyhow::Result<String> {
    let seconds = match std::env::var_os(VARIABLE) {
        None => UtcDateTime::now().unix_timestamp(),
        Some(text) => text
            .to_str()
            .and_then(|text| text.parse().ok())
            .filter(|seconds| (0..LATEST).contains(seconds))
            .ok_or_else(|| {
                anyhow!("{VARIABLE} is no number of seconds since 1970; set it to one such as 1700000000, or unset it")
            })?,
    };
    Ok(in_words(seconds))
}

/// The end of the year 9999.
const LATEST: i64 = 253_402_300_800;

/// A time in seconds since 1970, by the calendar.
fn in_words(seconds: i64) -> String {
    let time = UtcDateTime::from_unix_timestamp(seconds).expect("the calendar ends with the year 9999");
    let (year, month, day) = time.to_calendar_date();
    format!("{year:04}-{:02}-{day:02} {:02}:{:02} UTC", u8::from(month), time.hour(), time.minute())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From `date -u -d @…`.
    #[test]
    fn seconds_become_a_date() {
        let times = [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_800, "2000-03-01 00:00 UTC"),
            (1_700_000_000, "2023-11-14 22:13 UTC"),
            (4_107_542_399, "2100-02-28 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ];
        for (seconds, text) in times {
            assert_eq!(in_words(seconds), text);
        }
    }
}
