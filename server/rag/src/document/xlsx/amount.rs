//! Numbers with a currency or a unit, as the format of a cell shows them.

/// Maximum bytes of a format, which bounds the memory of a number.
const MAX_FORMAT: usize = 255;

/// The texts around a number, and its digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Amount {
    before: String,
    after: String,
    /// Minimum digits before the decimals, as in `"No. "0000`.
    digits: usize,
    decimals: usize,
}

impl Amount {
    /// Reads the part of a format for positive numbers, such as `#,##0.00 "€"` or `[$£-809]#,##0`; `None` when it has no
    /// currency or unit, or changes the number, such as `0.0,"k"`.
    pub(super) fn read(format: &str) -> Option<Self> {
        if format.len() > MAX_FORMAT {
            return None;
        }
        let (mut before, mut after, mut digits) = (String::new(), String::new(), String::new());
        let mut decimals: Option<usize> = None;
        let mut letters = format.chars();
        while let Some(letter) = letters.next() {
            let text: String = match letter {
                ';' => break,
                '0' | '#' | '?' | ',' | '.' => {
                    let is_decimal = decimals.is_some() && letter == '0';
                    decimals =
                        if letter == '.' { Some(0) } else { decimals.map(|count| count + usize::from(is_decimal)) };
                    // Decimals that may be left out, or a second number behind a text.
                    if !after.trim().is_empty() || decimals.is_some() && !matches!(letter, '0' | '.') {
                        return None;
                    }
                    digits.push(letter);
                    continue;
                }
                // A space as wide as the next letter, or the next letter as often as it fits.
                '_' | '*' => {
                    letters.next();
                    continue;
                }
                '\\' => letters.next().into_iter().collect(),
                '"' => letters.by_ref().take_while(|letter| *letter != '"').collect(),
                '[' => {
                    let inner: String = letters.by_ref().take_while(|letter| *letter != ']').collect();
                    let symbol = inner.strip_prefix('$').and_then(|symbol| symbol.split('-').next());
                    symbol.unwrap_or_default().to_owned()
                }
                ' ' | '€' | '$' | '£' | '¥' => letter.into(),
                _ => return None,
            };
            let side = if digits.is_empty() { &mut before } else { &mut after };
            side.push_str(&text);
        }
        let is_unit = |text: &str| text.contains(|c: char| c.is_alphabetic() || "€$£¥₹₺₽".contains(c));
        let is_whole = digits.ends_with(['0', '#']);
        let (before, after) = (before.trim_start().to_owned(), after.trim_end().to_owned());
        let has_unit = is_unit(&before) || is_unit(&after);
        let decimals = decimals.unwrap_or(0);
        let digits = digits.matches('0').count() - decimals;
        (is_whole && has_unit).then_some(Self { before, after, digits, decimals })
    }

    /// A number as the cell shows it.
    pub(super) fn shown(&self, value: f64) -> String {
        let (Self { before, after, .. }, decimals) = (self, self.decimals);
        let point = if decimals > 0 { decimals + 1 } else { 0 };
        let width = self.digits + point + usize::from(value < 0.0);
        format!("{before}{value:0width$.decimals$}{after}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currencies_and_units_are_shown_around_the_number() {
        for (format, expected) in [
            ("#,##0.00\\ \"€\"", Some("1250.50 €")),
            ("_-* #,##0.00\\ \"€\"_-;\\-* #,##0.00\\ \"€\"_-", Some("1250.50 €")),
            ("_(\"$\"* #,##0.00_)", Some("$1250.50")),
            ("[$£-809]#,##0.0", Some("£1250.5")),
            ("\"CHF \"0.00", Some("CHF 1250.50")),
            ("0.00 \"kg\"", Some("1250.50 kg")),
            ("€ 0.00", Some("€ 1250.50")),
            ("\"No. \"000000.0", Some("No. 001250.5")),
            ("#,##0.00", None),
            ("[Red]0.00", None),
            ("[$-407]0.00", None),
            ("0.0,\"k\"", None),
            ("0.##\" kg\"", None),
            ("0\" m \"00\" cm\"", None),
            ("# ?/?\" in\"", None),
            ("0.00E+00\" m\"", None),
            ("General", None),
            ("\"free\"", None),
        ] {
            assert_eq!(Amount::read(format).map(|amount| amount.shown(1250.5)).as_deref(), expected, "{format}");
        }
        let long = format!("0.{}\" kg\"", "0".repeat(MAX_FORMAT));
        assert_eq!(Amount::read(&long), None, "it would fill the memory");
        let debt = Amount::read("\"No. \"000").map(|amount| amount.shown(-7.0));
        assert_eq!(debt.as_deref(), Some("No. -007"));
    }
}
