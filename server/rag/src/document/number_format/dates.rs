//! Days and times, which files store as the number of days since a first one.

use super::{Part, Token};

impl Part {
    /// A day, a time, or a time beyond a day; `None` if the number is none.
    pub(super) fn date(&self, value: f64, from_1904: bool) -> Option<String> {
        let has = |letter: char| self.tokens.contains(&Token::Date(letter));
        let elapsed = self.tokens.iter().find_map(|token| match token {
            Token::Elapsed(unit) => Some(*unit),
            _ => None,
        });
        if let Some(unit) = elapsed {
            return Some(self.elapsed(value, unit, has('m'), has('s')));
        }
        if !(0.0..2_958_466.0).contains(&value) {
            return None;
        }
        let has_day = has('y') || has('d');
        let has_time = has('h') || has('s');
        // Without seconds, times are rounded to minutes.
        let unit = if has('s') { 86_400.0 } else { 1440.0 };
        #[allow(clippy::cast_possible_truncation, reason = "at most three million days")]
        let (mut day, mut units) = (value.floor() as i64, ((value - value.floor()) * unit).round() as i64);
        #[allow(clippy::cast_possible_truncation, reason = "seconds or minutes of a day")]
        if units == unit as i64 {
            (day, units) = (day + 1, 0);
        }
        let minutes = if has('s') { units / 60 } else { units };
        let time = match (has('h'), has('s')) {
            (true, true) => format!("{:02}:{:02}:{:02}", minutes / 60, minutes % 60, units % 60),
            (false, true) => format!("{:02}:{:02}", minutes, units % 60),
            _ => format!("{:02}:{:02}", minutes / 60, minutes % 60),
        };
        let date = || {
            let full = date_text(day, from_1904);
            match (has('d'), has('m'), has('y')) {
                (false, false, true) => full[..full.len() - 6].to_owned(),
                (false, true, true) if !has_time => full[..full.len() - 3].to_owned(),
                _ => full,
            }
        };
        Some(match (has_day, has_time) {
            (true, true) => format!("{} {time}", date()),
            (false, true) => time,
            _ => date(),
        })
    }

    /// A time with the words around it. Words between its parts are units, which colons replace.
    pub(super) fn with_words(&self, text: String) -> String {
        let is_place = |token: &Token| matches!(token, Token::Date(_) | Token::Elapsed(_));
        let is_day = |token: &Token| matches!(token, Token::Date('d' | 'y'));
        let places = self.tokens.iter().position(is_place).zip(self.tokens.iter().rposition(is_place));
        let words = |tokens: &[Token]| -> String {
            let word = |token: &Token| if let Token::Text(word) = token { word.clone() } else { String::new() };
            tokens.iter().map(word).collect()
        };
        match places {
            Some((first, last))
                if !self.tokens.iter().any(is_day)
                    && !words(&self.tokens[first..last]).contains(char::is_alphabetic) =>
            {
                let around = format!("{}{text}{}", words(&self.tokens[..first]), words(&self.tokens[last..]));
                around.trim().to_owned()
            }
            _ => text,
        }
    }

    /// Hours, minutes or seconds that go on beyond a day.
    fn elapsed(&self, value: f64, unit: char, has_minutes: bool, has_seconds: bool) -> String {
        let sign = if value < 0.0 { "-" } else { "" };
        let seconds = (value.abs() * 86_400.0).round();
        let minutes =
            if has_seconds || unit == 's' { (seconds / 60.0).floor() } else { (value.abs() * 1440.0).round() };
        let text = match (unit, has_minutes, has_seconds) {
            ('h', true, true) => {
                format!("{}:{:02}:{:02}", (minutes / 60.0).floor(), minutes % 60.0, seconds % 60.0)
            }
            ('h', true, false) => format!("{}:{:02}", (minutes / 60.0).floor(), minutes % 60.0),
            ('h', ..) => format!("{}", (value.abs() * 24.0 + 1e-9).floor()),
            ('m', _, true) => format!("{minutes}:{:02}", seconds % 60.0),
            ('m', ..) => format!("{minutes}"),
            _ => format!("{seconds}"),
        };
        format!("{sign}{text}")
    }
}

/// A day number as year, month and day. Excel's day 60 of 1900 is February 29, which did not exist.
fn date_text(day: i64, from_1904: bool) -> String {
    let since_1970 = if from_1904 { day - 24_107 } else { day - 25_569 + i64::from(day < 60) };
    // Counts days in eras of 400 years that begin in March.
    let from_march = since_1970 + 719_468;
    let (era, of_era) = (from_march.div_euclid(146_097), from_march.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_excel_does() {
        let days = [(1, false), (61, false), (45_000, false), (0, true)]
            .map(|(number, from_1904)| date_text(number, from_1904));
        assert_eq!(days, ["1900-01-01", "1900-03-01", "2023-03-15", "1904-01-01"]);
    }
}
