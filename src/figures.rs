//! How numbers, sizes, durations and times are written: one way each, for cards, lines and pages.

use jiff::fmt::strtime;
use jiff::tz::TimeZone;

use jiff::Timestamp;

/// A whole number with thousands commas: `48,213`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number with its noun: `1 line`, `1,204 lines`.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A size, to the base of 1,024: `12 B`, `4.1 KB`, `3.0 MB`.
pub(crate) fn size(bytes: u64) -> String {
    // Tenths are cut to the nearest in whole numbers, so that no float formatting is involved.
    let tenths = |unit: u64| {
        let tenths = (u128::from(bytes) * 10 + u128::from(unit) / 2) / u128::from(unit);
        format!("{}.{}", count((tenths / 10) as u64), tenths % 10)
    };
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{} KB", tenths(1_024)),
        1_048_576..1_073_741_824 => format!("{} MB", tenths(1_048_576)),
        _ => format!("{} GB", tenths(1_073_741_824)),
    }
}

/// A duration of `ms` milliseconds: `<1s`, `12s`, `1m 5s`, `2m`, `1h 2m`, `3d 4h`.
pub(crate) fn duration(ms: u64) -> String {
    if ms < 1_000 {
        return "<1s".to_owned();
    }
    let seconds = ms.saturating_add(500) / 1_000;
    let pair = |big: u64, unit: &str, small: u64, sub: &str| {
        if small == 0 {
            format!("{}{unit}", count(big))
        } else {
            format!("{}{unit} {small}{sub}", count(big))
        }
    };
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => pair(seconds / 60, "m", seconds % 60, "s"),
        3_600..86_400 => pair(seconds / 3_600, "h", seconds % 3_600 / 60, "m"),
        _ => pair(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h"),
    }
}

/// Milliseconds from one moment to a later one; `None` when time runs backwards or stands still,
/// or when more than a year lies between, which no step takes.
pub(crate) fn between(from: Option<Timestamp>, to: Option<Timestamp>) -> Option<u64> {
    let ms = to?.as_millisecond().checked_sub(from?.as_millisecond())?;
    u64::try_from(ms)
        .ok()
        .filter(|ms| (1..=366 * 86_400_000).contains(ms))
}

/// How many lines a text has: one trailing line feed ends the last line, it does not begin
/// another.
pub(crate) fn line_count(text: &str) -> u64 {
    lines(text).count() as u64
}

/// The lines of a text, without their line ends. A text without anything but white space has
/// none.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let text = if text.trim().is_empty() { "" } else { text };
    let text = text.strip_suffix('\n').unwrap_or(text);
    let blank = text.is_empty();
    text.split('\n')
        .filter(move |_| !blank)
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// One line of at most `most` characters, its white space runs made single spaces; a longer one
/// ends in `…`.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut left = most;
    for word in text.split_whitespace() {
        let gap = usize::from(!out.is_empty());
        if gap == 1 {
            if left < 2 {
                out.push('…');
                return out;
            }
            out.push(' ');
            left -= 1;
        }
        for c in word.chars() {
            if left == 0 {
                out.pop();
                out.push('…');
                return out;
            }
            out.push(c);
            left -= 1;
        }
    }
    out
}

/// The time zone in which moments are written.
#[derive(Clone, Debug)]
pub struct Clock {
    zone: TimeZone,
    name: String,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            zone: TimeZone::UTC,
            name: "UTC".to_owned(),
        }
    }
}

impl Clock {
    /// A clock for an IANA zone, such as `Europe/Berlin`, out of the bundled table; `None` when
    /// there is no such zone.
    pub fn new(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("utc") {
            return Some(Self::default());
        }
        let zone = jiff::tz::TimeZoneDatabase::bundled().get(name).ok()?;
        let name = zone.iana_name().unwrap_or(name).to_owned();
        Some(Self { zone, name })
    }

    /// The zone's name, to be said once on a page.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `3 May 2026`.
    pub(crate) fn date(&self, time: Timestamp) -> String {
        self.format("%-d %B %Y", time)
    }

    /// `09:00`.
    pub(crate) fn minute(&self, time: Timestamp) -> String {
        self.format("%H:%M", time)
    }

    /// `3 May 2026, 09:00`.
    pub(crate) fn date_and_minute(&self, time: Timestamp) -> String {
        self.format("%-d %B %Y, %H:%M", time)
    }

    /// `3 May 2026, 09:00–09:42`, the second date only where it is another day.
    pub(crate) fn span(&self, from: Timestamp, to: Timestamp) -> String {
        let start = self.date_and_minute(from);
        if self.date(from) != self.date(to) {
            format!("{start} – {}", self.date_and_minute(to))
        } else if self.minute(from) == self.minute(to) {
            start
        } else {
            format!("{start}–{}", self.minute(to))
        }
    }

    /// `May 2026`, under which an index groups.
    pub(crate) fn month(&self, time: Timestamp) -> String {
        self.format("%B %Y", time)
    }

    fn format(&self, pattern: &str, time: Timestamp) -> String {
        strtime::format(pattern, &time.to_zoned_datetime(self.zone.clone()))
            .expect("the patterns above ask only for what every moment has")
    }
}

/// The moment in machine form, for `<time datetime>`: `2026-05-03T09:00:00Z`.
pub(crate) fn machine_time(time: Timestamp) -> String {
    strtime::format("%Y-%m-%dT%H:%M:%SZ", &time.to_zoned_datetime(TimeZone::UTC))
        .expect("the pattern asks only for what every moment has")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_thousands_commas() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(48_213), "48,213");
        assert_eq!(count(1_000_000), "1,000,000");
        assert_eq!(counted(1, "line", "lines"), "1 line");
        assert_eq!(counted(1_204, "line", "lines"), "1,204 lines");
    }

    #[test]
    fn sizes_have_one_decimal_from_a_kilobyte_on() {
        assert_eq!(size(1_023), "1023 B");
        assert_eq!(size(4_198), "4.1 KB");
        assert_eq!(size(1_048_576), "1.0 MB");
    }

    #[test]
    fn durations_drop_a_zero_part() {
        let written = [
            0,
            999,
            1_000,
            12_400,
            59_600,
            65_000,
            120_000,
            3_720_000,
            7_200_000,
            180_000_000,
        ];
        let read: Vec<_> = written.into_iter().map(duration).collect();
        assert_eq!(
            read,
            [
                "<1s", "<1s", "1s", "12s", "1m", "1m 5s", "2m", "1h 2m", "2h", "2d 2h"
            ]
        );
    }

    #[test]
    fn one_trailing_line_feed_is_not_a_line() {
        assert_eq!(line_count(""), 0);
        assert_eq!(line_count(" \n\n"), 0);
        assert_eq!(line_count("a"), 1);
        assert_eq!(line_count("a\n"), 1);
        assert_eq!(line_count("a\r\nb\r\n"), 2);
        assert_eq!(line_count("a\n\n"), 2);
    }

    #[test]
    fn a_line_is_collapsed_and_cut_with_an_ellipsis() {
        assert_eq!(one_line("  a \n b\tc ", 160), "a b c");
        assert_eq!(one_line("abcdef", 4), "abc…");
        assert_eq!(one_line("abcd", 4), "abcd");
        assert_eq!(one_line("", 4), "");
        assert!(one_line(&"ab ".repeat(99), 10).chars().count() <= 10);
    }

    #[test]
    fn time_that_runs_backwards_has_no_duration() {
        let at = |s: &str| s.parse::<Timestamp>().ok();
        assert_eq!(
            between(at("2026-05-03T09:00:00Z"), at("2026-05-03T09:00:02.5Z")),
            Some(2_500)
        );
        assert_eq!(
            between(at("2026-05-03T09:00:02Z"), at("2026-05-03T09:00:00Z")),
            None
        );
        assert_eq!(
            between(at("0001-05-03T09:00:02Z"), at("2026-05-03T09:00:00Z")),
            None
        );
        assert_eq!(between(None, None), None);
    }

    #[test]
    fn a_span_names_the_second_date_only_where_it_is_another() {
        let clock = Clock::new("Europe/Berlin").expect("the bundled table has Berlin");
        let at = |s: &str| s.parse::<Timestamp>().expect("a time");
        let span = |a, b| clock.span(at(a), at(b));
        assert_eq!(
            span("2026-05-03T07:00:00Z", "2026-05-03T07:42:00Z"),
            "3 May 2026, 09:00–09:42"
        );
        assert_eq!(
            span("2026-05-03T07:00:00Z", "2026-05-03T07:00:30Z"),
            "3 May 2026, 09:00"
        );
        assert_eq!(
            span("2026-05-03T07:00:00Z", "2026-05-04T07:00:30Z"),
            "3 May 2026, 09:00 – 4 May 2026, 09:00"
        );
        assert!(Clock::new("Nowhere/Land").is_none());
    }
}
