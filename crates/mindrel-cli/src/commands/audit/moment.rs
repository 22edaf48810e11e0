//! The time a report bears.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::anyhow;

/// What sets the time where reports are to be the same every time
/// (<https://reproducible-builds.org/specs/source-date-epoch/>).
const VARIABLE: &str = "SOURCE_DATE_EPOCH";

/// Now, or the time that `SOURCE_DATE_EPOCH` sets: `2026-01-31 14:05 UTC`.
pub fn now() -> anyhow::Result<String> {
    let seconds = match std::env::var_os(VARIABLE) {
        None => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        Some(text) => {
            text.to_str().and_then(|text| text.parse().ok()).filter(|&seconds| seconds < LATEST).ok_or_else(|| {
                anyhow!("{VARIABLE} is no number of seconds since 1970; set it to one such as 1700000000, or unset it")
            })?
        }
    };
    Ok(in_words(seconds))
}

/// The end of the year 9999.
const LATEST: u64 = 253_402_300_800;

/// A time in seconds since 1970, by the calendar.
fn in_words(seconds: u64) -> String {
    let (days, minutes) = (seconds / 86_400, seconds / 60 % 1440);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60, minutes % 60)
}

/// Year, month and day, so many days after 1 January 1970.
///
/// Years are counted from 1 March, so that a leap day is the last of its year; five months from March or from August
/// on have 153 days.
fn date(days: u64) -> (u64, u64, u64) {
    // 1 March 0000 is 719,468 days before 1 January 1970; an era has 400 years.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (400 * era + year_of_era + u64::from(month <= 2), month, day)
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
