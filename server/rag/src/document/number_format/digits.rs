//! The digits of a number in the places of its format, and fractions.

use super::{Part, Token, number};

impl Part {
    /// A text in place of the first number, with the texts around it.
    pub(super) fn around(&self, number: &str) -> String {
        let (mut text, mut is_written) = (String::new(), false);
        for token in &self.tokens {
            match token {
                Token::Text(literal) => text.push_str(literal),
                Token::General | Token::Digit(_) if !is_written => {
                    text.push_str(number);
                    is_written = true;
                }
                _ => {}
            }
        }
        if self.tokens.is_empty() { number.to_owned() } else { text }
    }

    /// The digits of a number in their places.
    pub(super) fn digits(&self, value: f64) -> String {
        let is_digit = |token: &Token| matches!(token, Token::Digit(_));
        let point = self.tokens.iter().position(|token| *token == Token::Point).unwrap_or(self.tokens.len());
        let Some(last) = self.tokens[..point].iter().rposition(is_digit) else {
            return self.without_whole(value, point);
        };
        let has_percent = self.tokens.contains(&Token::Percent);
        // Commas behind the last place divide by a thousand.
        let end = self.tokens.iter().rposition(is_digit).unwrap_or(last);
        let commas = self.tokens[end + 1..].iter().take_while(|token| **token == Token::Comma).count();
        let scaled =
            if has_percent { value * 100.0 } else { value } / 1000_f64.powi(i32::try_from(commas).unwrap_or(0));
        let places: Vec<char> = self.tokens[point..]
            .iter()
            .filter_map(|token| match token {
                Token::Digit(place) => Some(*place),
                _ => None,
            })
            .collect();
        // A percentage keeps the decimals that it has.
        let decimals = if has_percent { decimals_of(scaled).max(places.len()) } else { places.len() };
        // Halves that have no exact binary form are rounded up. Whole numbers are exact.
        let nudged = if scaled.fract() > 0.0 { scaled * (1.0 + 1e-15) } else { scaled };
        let rounded = format!("{nudged:.decimals$}");
        let (whole, fraction) = rounded.split_once('.').unwrap_or((&rounded, ""));
        let least = places.iter().rposition(|place| *place == '0').map_or(0, |last| last + 1);
        let count = fraction.trim_end_matches('0').len().max(least).min(fraction.len());
        let fraction = &fraction[..count];
        let has_zero = self.tokens[..point].contains(&Token::Digit('0'));
        let whole = if whole == "0" && !has_zero && fraction.is_empty() { "" } else { whole };
        let mut text = self.whole(whole, last);
        if !fraction.is_empty() {
            text.push('.');
            text.push_str(fraction);
        }
        let after = self.tokens[last + 1..].iter().filter_map(|token| match token {
            Token::Text(literal) => Some(literal.as_str()),
            Token::Percent => Some("%"),
            _ => None,
        });
        text + &after.collect::<String>()
    }

    /// The texts and the digits up to the last place before the decimals. The first place takes all digits that are left.
    fn whole(&self, whole: &str, last: usize) -> String {
        let first = self.tokens.iter().position(|token| matches!(token, Token::Digit(_))).unwrap_or(0);
        let mut rest = whole;
        let mut parts: Vec<String> = Vec::new();
        for (at, token) in self.tokens[..=last].iter().enumerate().rev() {
            match token {
                Token::Digit(place) if rest.is_empty() => {
                    parts.push(if *place == '0' { "0".to_owned() } else { String::new() });
                }
                Token::Digit(_) => {
                    let start = if at == first { 0 } else { rest.len() - 1 };
                    parts.push(rest[start..].to_owned());
                    rest = &rest[..start];
                }
                Token::Text(literal) => parts.push(literal.clone()),
                Token::Percent => parts.push("%".to_owned()),
                Token::Slash => parts.push("/".to_owned()),
                _ => {}
            }
        }
        parts.into_iter().rev().collect()
    }

    /// A format that has only decimals, or only texts.
    fn without_whole(&self, value: f64, point: usize) -> String {
        let has_digits = self.tokens[point..].iter().any(|token| matches!(token, Token::Digit(_)));
        self.around(&if has_digits { number(&value.to_string()) } else { String::new() })
    }

    /// Whether the format has places on both sides of a slash.
    pub(super) fn is_fraction(&self) -> bool {
        self.tokens.windows(3).any(|three| match three {
            [Token::Digit(_), Token::Slash, Token::Digit(_)] => true,
            [Token::Digit(_), Token::Slash, Token::Text(text)] => {
                text.starts_with(|digit: char| digit.is_ascii_digit())
            }
            _ => false,
        })
    }

    pub(super) fn fraction(&self, value: f64) -> String {
        let Some(slash) = self.tokens.iter().position(|token| *token == Token::Slash) else { return String::new() };
        let mut below = String::new();
        for token in &self.tokens[slash + 1..] {
            match token {
                Token::Digit(_) => below.push('9'),
                Token::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => below.push_str(text),
                _ => break,
            }
        }
        let is_fixed = matches!(self.tokens.get(slash + 1), Some(Token::Text(_)));
        let most: u32 = below.parse().unwrap_or(9).clamp(1, 999);
        let places = self.tokens[..slash].iter().rev().take_while(|token| matches!(token, Token::Digit(_))).count();
        let has_whole = self.tokens[..slash - places].iter().any(|token| matches!(token, Token::Digit(_)));
        let whole = if has_whole { value.floor() } else { 0.0 };
        let rest = value - whole;
        let candidates = if is_fixed { most..=most } else { 1..=most };
        let error = |below: u32| ((rest * f64::from(below)).round() / f64::from(below) - rest).abs();
        let below = candidates.min_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap_or(1);
        let above = (rest * f64::from(below)).round();
        let after = self.tokens[slash + 1..].iter().filter_map(|token| match token {
            Token::Text(text) if !text.bytes().all(|byte| byte.is_ascii_digit()) => Some(text.as_str()),
            _ => None,
        });
        let after: String = after.collect();
        let number = if above < 0.5 {
            format!("{whole}")
        } else if has_whole && (above - f64::from(below)).abs() < 0.5 {
            format!("{}", whole + 1.0)
        } else if whole < 0.5 {
            format!("{above}/{below}")
        } else {
            format!("{whole} {above}/{below}")
        };
        number + &after
    }
}

/// The decimals of a number that are not from its binary representation.
fn decimals_of(value: f64) -> usize {
    let text = format!("{value:.10}");
    text.trim_end_matches('0').split_once('.').map_or(0, |(_, decimals)| decimals.len())
}
