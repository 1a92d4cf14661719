//! The numbers in front of headings, clauses and list items, in the formats of word processors.

/// What stands in front of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    None,
    Bullet,
    /// A number as it is drawn, such as `1.2` or `(b)`.
    Number(String),
}

impl Mark {
    /// The drawn text of a number; it can be empty.
    pub(super) fn number(text: &str) -> Self {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() { Self::None } else { Self::Number(text) }
    }
}

/// A number in a format of Office files.
pub(super) fn formatted(number: u32, format: &str) -> String {
    match format {
        "none" => String::new(),
        "lowerLetter" => letters(number),
        "upperLetter" => letters(number).to_uppercase(),
        "lowerRoman" => roman(number),
        "upperRoman" => roman(number).to_uppercase(),
        "decimalZero" => format!("{number:02}"),
        // The first numbers of an own format, such as `001, 002, 003, ...`.
        own if own.starts_with('0') => {
            format!("{number:0width$}", width = own.bytes().take_while(u8::is_ascii_digit).take(9).count())
        }
        _ => number.to_string(),
    }
}

/// a to z, then aa to zz and so on.
fn letters(number: u32) -> String {
    let Some(number) = number.checked_sub(1) else { return "0".to_owned() };
    let letter = char::from(b'a' + (number % 26) as u8);
    // Longer ones are no labels.
    letter.to_string().repeat((number / 26 + 1).min(9) as usize)
}

fn roman(number: u32) -> String {
    const DIGITS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if !(1..4000).contains(&number) {
        return number.to_string();
    }
    let (mut rest, mut text) = (number, String::new());
    for (value, digit) in DIGITS {
        while rest >= value {
            text.push_str(digit);
            rest -= value;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_drawn_in_their_format() {
        for (number, format, expected) in [
            (4, "decimal", "4"),
            (4, "decimalZero", "04"),
            (4, "001, 002, 003, ...", "004"),
            (2, "lowerLetter", "b"),
            (28, "upperLetter", "BB"),
            (0, "lowerLetter", "0"),
            (14, "lowerRoman", "xiv"),
            (1999, "upperRoman", "MCMXCIX"),
            (u32::MAX, "upperRoman", "4294967295"),
            (3, "none", ""),
        ] {
            assert_eq!(formatted(number, format), expected);
        }
        assert_eq!((Mark::number(" § 1  a "), Mark::number(" ")), (Mark::Number("§ 1 a".to_owned()), Mark::None));
    }
}
