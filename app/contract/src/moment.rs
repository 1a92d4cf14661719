//! Times in query strings.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use crate::{ErrorCode, Timestamp};

/// What a text in a query string says about time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// A moment with its timezone.
    Aware(Timestamp),
    /// A date and time without a timezone.
    Naive(NaiveDateTime),
    Day(NaiveDate),
}

impl Moment {
    /// Reads ISO 8601: a date, or a date and time with or without a timezone. A space where a plus sign belongs is
    /// taken for one, because that is what an unescaped plus in a query string becomes. The year is one of 1 to 9999
    /// in UTC: a database stores fewer years than a program can count.
    pub fn parse(text: &str) -> Option<Self> {
        Self::read(text.trim()).filter(|moment| (1..=9999).contains(&moment.begin().year()))
    }

    fn read(text: &str) -> Option<Self> {
        if let Ok(day) = text.parse() {
            return Some(Self::Day(day));
        }
        let repaired = repair_plus(text);
        if let Ok(moment) = DateTime::parse_from_rfc3339(&repaired) {
            return Some(Self::Aware(moment.to_utc()));
        }
        ["%Y-%m-%dT%H:%M%:z", "%Y-%m-%dT%H:%M:%S%.f%z"]
            .iter()
            .find_map(|format| DateTime::parse_from_str(&zulu(&repaired), format).ok())
            .map(|moment| Self::Aware(moment.to_utc()))
            .or_else(|| naive(&repaired).map(Self::Naive))
    }

    /// The moment as the beginning of a range; without a timezone it is meant in UTC.
    pub fn begin(self) -> Timestamp {
        match self {
            Self::Aware(moment) => moment,
            Self::Naive(moment) => moment.and_utc(),
            Self::Day(day) => day.and_time(NaiveTime::MIN).and_utc(),
        }
    }

    /// The moment as the inclusive end of a range; a day ends with its last microsecond.
    pub fn end(self) -> Timestamp {
        match self {
            Self::Day(_) => self.begin() + TimeDelta::days(1) - TimeDelta::microseconds(1),
            _ => self.begin(),
        }
    }
}

/// The inclusive range of time that two texts of a query string name, each side when it is set. Texts that do not parse are
/// left out: validation refuses them.
pub fn range(from: Option<&str>, to: Option<&str>) -> (Option<Timestamp>, Option<Timestamp>) {
    (from.and_then(Moment::parse).map(Moment::begin), to.and_then(Moment::parse).map(Moment::end))
}

/// Whether a range begins before it ends.
///
/// # Errors
/// `date_from_after_date_to`.
pub fn check_order(range: (Option<Timestamp>, Option<Timestamp>)) -> Result<(), ErrorCode> {
    match range {
        (Some(from), Some(to)) if from > to => Err(ErrorCode::DateFromAfterDateTo),
        _ => Ok(()),
    }
}

fn repair_plus(text: &str) -> String {
    match text.char_indices().rfind(|(index, c)| *c == ' ' && *index > 10) {
        Some((index, _)) => format!("{}+{}", &text[..index], &text[index + 1..]),
        None => text.to_owned(),
    }
}

fn zulu(text: &str) -> String {
    text.strip_suffix(['Z', 'z']).map_or_else(|| text.to_owned(), |rest| format!("{rest}+00:00"))
}

fn naive(text: &str) -> Option<NaiveDateTime> {
    ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M"]
        .iter()
        .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_keeps_whether_it_has_a_timezone() {
        for aware in [
            "2026-01-02T03:04:05Z",
            "2026-01-02T04:04:05+01:00",
            "2026-01-02T04:04:05 01:00",
            "2026-01-02T03:04:05.000000Z",
            "2026-01-02T04:04:05+0100",
        ] {
            let Some(Moment::Aware(moment)) = Moment::parse(aware) else { panic!("{aware}") };
            assert_eq!(moment.to_rfc3339(), "2026-01-02T03:04:05+00:00", "{aware}");
        }
        assert!(matches!(Moment::parse("2026-01-02T03:04Z"), Some(Moment::Aware(_))));
        assert!(matches!(Moment::parse("2026-01-02T03:04:05"), Some(Moment::Naive(_))));
        assert!(matches!(Moment::parse("2026-01-02"), Some(Moment::Day(_))));
        for bad in ["", "yesterday", "2026-13-01", "2026-01-02T25:00:00Z", "1", "2026-01-02T03:04:05 "] {
            assert!(!matches!(Moment::parse(bad), Some(Moment::Aware(_))), "{bad}");
        }
        for far in ["-9000-01-01", "0000-12-31", "+200000-01-01", "+10000-01-01T00:00:00", "9999-12-31T23:59:59-01:00"]
        {
            assert_eq!(Moment::parse(far), None, "{far}");
        }
    }

    #[test]
    fn a_day_is_a_range_of_its_own() {
        let day = Moment::parse("2026-01-02").unwrap();
        assert_eq!(day.begin().to_rfc3339(), "2026-01-02T00:00:00+00:00");
        assert_eq!(day.end().to_rfc3339(), "2026-01-02T23:59:59.999999+00:00");
    }
}
