//! Moments as programs write them.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::model::Timestamp;

use super::records::{Json, text};

/// No program saved a conversation before 1990 or will after 2200: such a moment is a fault.
const EARLIEST: i64 = 631_152_000;
const LATEST: i64 = 7_258_118_400;

/// Reads a moment: ISO 8601, or a number of seconds, milliseconds or microseconds since 1970.
/// `null` is no moment.
///
/// # Errors
/// What is wrong with it, as a diagnostic says it.
pub(crate) fn read(value: Json<'_>) -> Result<Option<Timestamp>, &'static str> {
    const UNREADABLE: &str = "unreadable timestamp";
    if value.get() == "null" {
        return Ok(None);
    }
    if let Some(written) = text(value) {
        return parse(&written).map(Some).ok_or(UNREADABLE);
    }
    match serde_json::from_str(value.get()) {
        Ok(number) => from_number(number).map(Some).ok_or(UNREADABLE),
        Err(_) if value.get().starts_with(['{', '[', 't', 'f']) => Err(UNREADABLE),
        Err(_) => Err("number out of range"),
    }
}

/// Reads ISO 8601; without an offset it is taken as UTC.
pub(crate) fn parse(written: &str) -> Option<Timestamp> {
    let written = written.trim();
    let time = written.parse::<Timestamp>().ok().or_else(|| {
        let local: DateTime = written.parse().ok()?;
        TimeZone::UTC.to_timestamp(local).ok()
    });
    time.filter(plausible)
}

/// Takes a number as seconds, milliseconds or microseconds, by its size.
pub(crate) fn from_number(number: f64) -> Option<Timestamp> {
    let milliseconds = match number {
        n if n >= 1e14 => n / 1e3,
        n if n >= 1e11 => n,
        n => n * 1e3,
    };
    if !milliseconds.is_finite() {
        return None;
    }
    Timestamp::from_millisecond(milliseconds as i64)
        .ok()
        .filter(plausible)
}

fn plausible(time: &Timestamp) -> bool {
    (EARLIEST..LATEST).contains(&time.as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_in_every_way_they_are_written() {
        let expected = parse("2026-01-02T03:04:05Z").expect("it is a moment");
        assert_eq!(parse("2026-01-02T04:04:05+01:00"), Some(expected));
        assert_eq!(parse("2026-01-02 03:04:05"), Some(expected));
        for number in [
            1_767_323_045.0,
            1_767_323_045_000.0,
            1_767_323_045_000_000.0,
        ] {
            assert_eq!(from_number(number), Some(expected));
        }
    }

    #[test]
    fn absurd_moments_are_faults() {
        for odd in [
            "0000-00-00T00:00:00Z",
            "9999-12-31T23:59:60Z",
            "-271821-04-20T00:00:00Z",
            "yesterday",
            "2026-02-30T00:00:00Z",
            "2026-01-02T03:04:05+99:99",
            "",
        ] {
            assert_eq!(parse(odd), None, "{odd}");
        }
        let raw = |json: &'static str| Json::parse(json).expect("it is JSON");
        assert_eq!(read(raw("null")), Ok(None));
        assert_eq!(read(raw("1e999")), Err("number out of range"));
        assert_eq!(read(raw("{}")), Err("unreadable timestamp"));
        assert!(from_number(f64::MAX).is_none() && from_number(0.0).is_none());
    }
}
