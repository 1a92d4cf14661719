//! What a number format of a cell shows: grouped digits, amounts with a currency or unit, percentages, fractions, days and
//! times. Thousands have no separators, and days are written as year, month and day, because both depend on the language.

mod dates;
mod digits;

/// Maximum bytes of a format, which bounds the memory of a number.
const MAX_FORMAT: usize = 255;

/// A number format.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct NumberFormat {
    sections: Vec<Part>,
}

/// The part of a format for some numbers: those above, below or equal to zero, or by its own condition.
#[derive(Debug, Clone, PartialEq)]
struct Part {
    condition: Option<(Comparison, f64)>,
    tokens: Vec<Token>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Below,
    AtMost,
    Equal,
    Other,
    AtLeast,
    Above,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Text(String),
    /// `0`, `#` or `?`.
    Digit(char),
    Point,
    Comma,
    Percent,
    Slash,
    Exponent,
    /// A letter of a day or a time.
    Date(char),
    /// Hours, minutes or seconds that go on beyond a day, an hour or a minute.
    Elapsed(char),
    /// The number or text as it is.
    General,
}

impl NumberFormat {
    /// Reads a format such as `#,##0.00 "€";[Red]-#,##0.00 "€"`.
    pub(super) fn read(code: &str) -> Self {
        if code.len() > MAX_FORMAT || code.is_empty() {
            return Self::default();
        }
        let mut parts = vec![Part { condition: None, tokens: Vec::new() }];
        let mut letters = code.chars().peekable();
        while let Some(letter) = letters.next() {
            if letter == ';' {
                parts.push(Part { condition: None, tokens: Vec::new() });
                continue;
            }
            let Some(part) = parts.last_mut() else { break };
            let token = match letter {
                '0' | '#' | '?' => Token::Digit(letter),
                '.' => Token::Point,
                ',' => Token::Comma,
                '%' => Token::Percent,
                '/' => Token::Slash,
                '@' => Token::General,
                // A space as wide as the next letter, or the next letter as often as it fits.
                '_' | '*' => {
                    letters.next();
                    continue;
                }
                '\\' | '!' => Token::Text(letters.next().into_iter().collect()),
                '"' => Token::Text(letters.by_ref().take_while(|letter| *letter != '"').collect()),
                '[' => {
                    let inner: String = letters.by_ref().take_while(|letter| *letter != ']').collect();
                    match bracket(&inner, part) {
                        Some(token) => token,
                        None => continue,
                    }
                }
                'E' if matches!(letters.peek(), Some('+' | '-')) => {
                    letters.next();
                    Token::Exponent
                }
                'G' | 'g' if letters.clone().take(6).collect::<String>().eq_ignore_ascii_case("eneral") => {
                    letters.by_ref().take(6).for_each(drop);
                    Token::General
                }
                'y' | 'm' | 'd' | 'h' | 's' | 'Y' | 'M' | 'D' | 'H' | 'S' => Token::Date(letter.to_ascii_lowercase()),
                // AM/PM or A/P: hours are written from 0 to 23.
                'A' | 'a' if matches!(letters.peek(), Some('M' | 'm' | '/')) => {
                    let count = if letters.peek() == Some(&'/') { 2 } else { 4 };
                    letters.by_ref().take(count).for_each(drop);
                    continue;
                }
                other => Token::Text(other.to_string()),
            };
            part.tokens.push(token);
        }
        Self { sections: parts }
    }

    /// The format with this number of those that files need not define.
    pub(super) fn built_in(id: u32) -> Self {
        Self::read(match id {
            1 => "0",
            2 => "0.00",
            3 => "#,##0",
            4 => "#,##0.00",
            9 => "0%",
            10 => "0.00%",
            12 => "# ?/?",
            13 => "# ??/??",
            14..=16 => "d/m/yyyy",
            17 => "mmm-yy",
            18 | 20 => "h:mm",
            19 | 21 => "h:mm:ss",
            22 => "d/m/yyyy h:mm",
            5 | 6 | 37 | 38 | 41 | 42 => "#,##0",
            7 | 8 | 39 | 40 | 43 | 44 => "#,##0.00",
            45 => "mm:ss",
            46 => "[h]:mm:ss",
            47 => "mm:ss",
            27..=36 | 50..=58 => "yyyy/m/d",
            _ => "",
        })
    }

    /// Whether the format shows no text.
    pub(super) fn hides_text(&self) -> bool {
        self.sections.get(3).is_some_and(|part| part.tokens.is_empty())
    }

    /// A number as the format shows it; `None` if it shows nothing. What is no number stays.
    pub(super) fn apply(&self, raw: &str, from_1904: bool) -> Option<String> {
        let Some(value) = raw.trim().parse::<f64>().ok().filter(|value| value.is_finite()) else {
            return Some(raw.to_owned());
        };
        let Some((part, is_absolute)) = self.part(value) else { return Some(number(raw)) };
        if part.tokens.is_empty() && self.sections.len() > 1 {
            return None;
        }
        let has = |is_one: fn(&Token) -> bool| part.tokens.iter().any(is_one);
        let magnitude = value.abs();
        let sign = if value < 0.0 && !is_absolute { "-" } else { "" };
        if has(|token| matches!(token, Token::Date(_) | Token::Elapsed(_))) {
            return Some(part.date(value, from_1904).map_or_else(|| number(raw), |text| part.with_words(text)));
        }
        let text = if has(|token| matches!(token, Token::General | Token::Exponent)) || part.tokens.is_empty() {
            part.around(&number(&magnitude.to_string()))
        } else if part.is_fraction() {
            part.fraction(magnitude)
        } else {
            part.digits(magnitude)
        };
        let text = text.trim();
        let is_zero = !text.contains(|digit: char| digit.is_ascii_digit() && digit != '0');
        Some(format!(
            "{}{text}",
            if is_zero && magnitude < 1.0 && !text.is_empty() && is_plain(text) { "" } else { sign }
        ))
    }

    /// The part for a number, and whether the number is written without its sign there.
    fn part(&self, value: f64) -> Option<(&Part, bool)> {
        let parts = &self.sections[..self.sections.len().min(3)];
        if parts.iter().any(|part| part.condition.is_some()) {
            let fits = |part: &&Part| part.condition.is_none_or(|(comparison, limit)| comparison.holds(value, limit));
            return parts.iter().find(fits).or(parts.last()).map(|part| (part, false));
        }
        match (parts, value) {
            ([_, negative, ..], value) if value < 0.0 => Some((negative, true)),
            ([_, _, zero], 0.0) => Some((zero, true)),
            ([positive, ..], _) => Some((positive, false)),
            ([], _) => None,
        }
    }
}

/// Whether a text is a number without words.
fn is_plain(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
}

impl Comparison {
    fn holds(self, value: f64, limit: f64) -> bool {
        match self {
            Self::Below => value < limit,
            Self::AtMost => value <= limit,
            Self::Equal => (value - limit).abs() < f64::EPSILON,
            Self::Other => (value - limit).abs() >= f64::EPSILON,
            Self::AtLeast => value >= limit,
            Self::Above => value > limit,
        }
    }
}

/// What stands between square brackets: a currency, a condition, hours beyond a day, or a colour.
fn bracket(inner: &str, part: &mut Part) -> Option<Token> {
    if let Some(symbol) = inner.strip_prefix('$') {
        let symbol = symbol.rsplit_once('-').map_or(symbol, |(symbol, _)| symbol);
        return (!symbol.is_empty()).then(|| Token::Text(symbol.to_owned()));
    }
    let lower = inner.to_ascii_lowercase();
    if let Some(unit) =
        ['h', 'm', 's'].into_iter().find(|unit| !lower.is_empty() && lower.chars().all(|letter| letter == *unit))
    {
        return Some(Token::Elapsed(unit));
    }
    let comparisons = [
        ("<=", Comparison::AtMost),
        (">=", Comparison::AtLeast),
        ("<>", Comparison::Other),
        ("<", Comparison::Below),
        (">", Comparison::Above),
        ("=", Comparison::Equal),
    ];
    let comparison =
        comparisons.into_iter().find_map(|(sign, comparison)| Some((comparison, inner.strip_prefix(sign)?)));
    if let Some((comparison, Ok(limit))) = comparison.map(|(comparison, limit)| (comparison, limit.trim().parse())) {
        part.condition = Some((comparison, limit));
    }
    None
}

/// A number without digits that come from its binary representation.
pub(super) fn number(raw: &str) -> String {
    match raw.parse::<f64>() {
        Ok(value) if value.is_finite() && value.abs() < 1e15 => {
            let rounded = format!("{value:.10}");
            rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => raw.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(format: &str, raw: &str) -> String {
        NumberFormat::read(format).apply(raw, false).unwrap_or_else(|| "(hidden)".to_owned())
    }

    #[test]
    fn currencies_and_units_are_shown_around_the_number() {
        for (format, expected) in [
            ("#,##0.00\\ \"€\"", "1250.50 €"),
            ("_-* #,##0.00\\ \"€\"_-;\\-* #,##0.00\\ \"€\"_-", "1250.50 €"),
            ("_(\"$\"* #,##0.00_)", "$1250.50"),
            ("[$£-809]#,##0.0", "£1250.5"),
            ("\"CHF \"0.00", "CHF 1250.50"),
            ("€ 0.00", "€ 1250.50"),
            ("\"No. \"000000.0", "No. 001250.5"),
            ("#,##0.00", "1250.50"),
            ("[Red]0.00", "1250.50"),
            ("[$-407]0.00", "1250.50"),
            ("0.0,\"k\"", "1.3k"),
            ("0.##\" kg\"", "1250.5 kg"),
            ("# ?/?\" in\"", "1250 1/2 in"),
            ("0.00E+00\" m\"", "1250.5 m"),
            ("General", "1250.5"),
            ("General\" kg\"", "1250.5 kg"),
            ("@", "1250.5"),
            ("\"free\"", "free"),
            ("0", "1251"),
        ] {
            assert_eq!(apply(format, "1250.5"), expected, "{format}");
        }
        let long = format!("0.{}\" kg\"", "0".repeat(MAX_FORMAT));
        assert_eq!(apply(&long, "7"), "7", "it would fill the memory");
    }

    #[test]
    fn a_number_has_no_digits_of_its_binary_form() {
        let numbers = ["0.30000000000000004", "12", "1e300"].map(number);
        assert_eq!(numbers, ["0.3", "12", "1e300"]);
    }

    #[test]
    fn digits_stand_in_their_places() {
        for (format, raw, expected) in [
            ("00000", "1067", "01067"),
            ("0000 / 000000", "351123456", "0351 / 123456"),
            ("0000\" \"000000", "351123456", "0351 123456"),
            ("[<=9999999]###-####;(###) ###-####", "5551234", "555-1234"),
            ("[<=9999999]###-####;(###) ###-####", "2125551234", "(212) 555-1234"),
            ("00\\-000", "12345678", "12345-678"),
            ("\"ART-\"000000", "4711", "ART-004711"),
            ("0000000000000", "12345678901", "0012345678901"),
            ("\"No. \"000", "-7", "-No. 007"),
            ("0.00;[Red]-0.00", "-12.5", "-12.50"),
            ("0.00_);(0.00)", "-12.5", "(12.50)"),
            ("#,##0", "0", "0"),
            ("#", "0", ""),
            ("0.00", "-0.001", "0.00"),
            ("_-* \"-\"??\\ \"€\"_-", "0", "- €"),
            ("0.00", "2.675", "2.68"),
            ("+0;-0;0", "5", "+5"),
            ("0", "987654321098765", "987654321098765"),
        ] {
            assert_eq!(apply(format, raw), expected, "{format}");
        }
    }

    #[test]
    fn shares_fractions_days_and_times_are_shown_as_such() {
        for (format, raw, expected) in [
            ("0%", "0.19", "19%"),
            ("0%", "-0.07", "-7%"),
            ("0.00%", "0.075", "7.50%"),
            ("0%", "1.125", "112.5%"),
            ("0.0 %;-0.0 %", "-0.2", "-20.0 %"),
            ("# ?/?", "0.5", "1/2"),
            ("# ?/?", "3", "3"),
            ("# ?/?", "2.25", "2 1/4"),
            ("# ??/??", "0.3125", "5/16"),
            ("# ?/8", "1.5", "1 4/8"),
            ("?/?", "1.5", "3/2"),
            ("[h]:mm", "1.3229166666666667", "31:45"),
            ("[h]:mm", "4.166666666666667", "100:00"),
            ("[h]:mm:ss", "1.5", "36:00:00"),
            ("[mm]:ss", "0.0520833333333333", "75:00"),
            ("h:mm", "0.75", "18:00"),
            ("h:mm AM/PM", "0.75", "18:00"),
            ("h:mm:ss", "0.750011574", "18:00:01"),
            ("mm:ss", "0.003182870370", "04:35"),
            ("dd.mm.yyyy", "45000", "2023-03-15"),
            ("[$-407]dd.mm.yyyy", "1", "1900-01-01"),
            ("d.m.yy hh:mm", "45000.75", "2023-03-15 18:00"),
            ("mmmm yyyy", "45000", "2023-03"),
            ("yyyy", "45000", "2023"),
            ("d \"days\"", "45000", "2023-03-15"),
            ("0.00 \"days\"", "2", "2.00 days"),
            ("hh:mm\" Uhr\"", "0.75", "18:00 Uhr"),
            ("\"from \"h:mm", "0.75", "from 18:00"),
            ("[h]\" hours\"", "1.5", "36 hours"),
            ("h\" h \"mm\" min\"", "0.75", "18:00"),
            ("h:mm", "0.9999999", "00:00"),
            ("h:mm", "-1", "-1"),
        ] {
            assert_eq!(apply(format, raw), expected, "{format} {raw}");
        }
        assert_eq!(NumberFormat::read("d.m.y").apply("0", true).as_deref(), Some("1904-01-01"));
    }

    #[test]
    fn empty_parts_of_a_format_hide_the_cell() {
        for (format, raw, expected) in
            [(";;;", "33", "(hidden)"), ("0;;", "-4", "(hidden)"), ("0;-0;;@", "0", "(hidden)"), ("0;-0;;@", "7", "7")]
        {
            assert_eq!(apply(format, raw), expected, "{format}");
        }
        assert!(NumberFormat::read(";;;").hides_text() && !NumberFormat::read(";;;@").hides_text());
        assert!(!NumberFormat::read("0.00").hides_text());
    }
}
