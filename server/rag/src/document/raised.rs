//! The meaning of raised and lowered text in a line of plain text: cents, exponents, units, ordinals and marks of notes.
//! Nothing raised or lowered becomes a digit of the number before it.

/// Where a run of text stands on its line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Height {
    #[default]
    Normal,
    Raised,
    Lowered,
}

/// The text of a paragraph in runs, which are joined when their neighbours are known.
#[derive(Debug, Default)]
pub(super) struct Runs(Vec<(Height, String)>);

impl Runs {
    /// Adds text. Neighbours of the same height are one run.
    pub(super) fn push(&mut self, height: Height, text: &str) {
        match self.0.last_mut() {
            Some((last, run)) if *last == height => run.push_str(text),
            _ if text.is_empty() => {}
            _ => self.0.push((height, text.to_owned())),
        }
    }

    /// The paragraph as plain text.
    pub(super) fn text(self) -> String {
        let mut text = String::new();
        for (number, (height, run)) in self.0.iter().enumerate() {
            let after = || self.0[number + 1..].iter().map(|(_, run)| run.as_str()).take(4).collect::<String>();
            match height {
                Height::Normal => text.push_str(run),
                Height::Raised => text.push_str(&raised_text(&text, run, &after())),
                Height::Lowered => text.push_str(&lowered_text(&text, run, &after())),
            }
        }
        text
    }
}

/// What raised text adds to the text before it on the same line. `after` is the text behind it, as far as it is known.
pub(super) fn raised_text(before: &str, text: &str, after: &str) -> String {
    let raw = text.trim();
    let digits = raw.len() - raw.trim_start_matches(|mark: char| mark.is_ascii_digit()).len();
    let (digits, rest) = raw.split_at(digits);
    // The cents with their currency.
    if !digits.is_empty() && starts_with_currency(rest) {
        return format!("{}{rest}", digits_after(before, digits, rest));
    }
    match raw {
        "" => text.to_owned(),
        _ if rest.is_empty() => digits_after(before, digits, after),
        "o" | "°" if after.starts_with(['C', 'F']) => "°".to_owned(),
        "TM" | "tm" if before.ends_with(char::is_alphanumeric) => "™".to_owned(),
        _ => letters_after(before, raw, text, after),
    }
}

/// What lowered text adds to the text before it, as [`raised_text`].
pub(super) fn lowered_text(before: &str, text: &str, after: &str) -> String {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match number_at_end(before) {
        Some(number) if is_number && text.len() == 2 => cents(number, text),
        Some(_) if is_number || text.starts_with(|mark: char| mark.is_ascii_digit()) => format!("_{text}"),
        _ if is_number && is_word(before) && !after.starts_with(char::is_alphanumeric) => note(before, text),
        _ => text.to_owned(),
    }
}

/// Raised digits.
fn digits_after(before: &str, digits: &str, after: &str) -> String {
    // A fraction: 1 1/2.
    if after.starts_with(['/', '\u{2044}']) {
        return format!("{}{digits}", gap(before));
    }
    if matches!(digits, "0") && after.starts_with(['C', 'F']) {
        return "°".to_owned();
    }
    if before.ends_with([',', '.']) && before[..before.len() - 1].ends_with(|mark: char| mark.is_ascii_digit()) {
        // 19,⁹⁹ is a price, and "in 2019.³" ends a sentence.
        return if digits.len() == 2 { digits.to_owned() } else { note(before, digits) };
    }
    let Some(number) = number_at_end(before) else { return digits_after_text(before, digits, after) };
    let has_currency = starts_with_currency(after) || ends_with_currency(&before[..before.len() - number.len()]);
    let is_power = matches!(number, "10" | "2") && after.trim_start().starts_with(['=', '×', '·']) || number == "10";
    match digits.len() {
        1 | 2 if is_power && !has_currency && !digits.starts_with('0') => format!("^{digits}"),
        2 if is_clock(number, digits, after) => format!(":{digits}"),
        2 if has_decimals(number) || is_year(number) && !has_currency => note(before, digits),
        2 => cents(number, digits),
        _ => note(before, digits),
    }
}

/// Raised digits behind a word, a mark or nothing.
fn digits_after_text(before: &str, digits: &str, after: &str) -> String {
    let word = word_at_end(before);
    // The mass of an isotope, as in ¹⁴C.
    let mut following = after.chars();
    let is_symbol =
        following.next().is_some_and(char::is_uppercase) && !following.next().is_some_and(char::is_lowercase);
    if word.is_empty() && is_symbol && !before.ends_with([')', ']']) {
        return digits.to_owned();
    }
    // 19 €⁹⁹
    if digits.len() == 2
        && before.ends_with(['€', '$', '£'])
        && before.trim_end_matches(['€', '$', '£']).ends_with(|mark: char| mark.is_ascii_digit())
    {
        return digits.to_owned();
    }
    match word {
        "" if before.ends_with(')')
            && digits.len() == 1
            && !after.trim_start().is_empty()
            && after.starts_with([')', '+', '*', '/', '=']) =>
        {
            exponent(digits)
        }
        "" => note(before, digits),
        word if word.chars().count() <= 2 && digits.len() == 1 => exponent(digits),
        _ => note(before, digits),
    }
}

/// Raised text that is not a number only: an ordinal, the mark of a note, an exponent, a word.
fn letters_after(before: &str, raw: &str, text: &str, after: &str) -> String {
    let number = number_at_end(before);
    let inner = raw.trim_matches(['(', ')', '[', ']']);
    let is_bracketed = inner.len() < raw.len();
    let is_list = inner.bytes().all(|byte| byte.is_ascii_digit() || b" ,;-".contains(&byte));
    if let Some(digits) = raw
        .strip_prefix(['-', '\u{2212}', '\u{2013}'])
        .filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return if number.is_some() { format!("^-{digits}") } else { format!("⁻{}", exponent(digits)) };
    }
    // The cents with their point.
    if number.is_some() && raw.starts_with([',', '.']) {
        return raw.to_owned();
    }
    let letters = inner.chars().count();
    if inner.is_empty() || !inner.starts_with(char::is_alphanumeric) {
        return text.to_owned();
    }
    if is_bracketed && letters <= 7 || is_list {
        return note(before, inner);
    }
    let is_ordinal = matches!(inner, "a" | "e" | "o");
    match letters {
        1 if number.is_some() && (!is_ordinal || starts_with_currency(after)) => note(before, inner),
        1 if number.is_none() && word_at_end(before).chars().count() > 2 && !is_roman(word_at_end(before)) => {
            note(before, inner)
        }
        1..=3 => text.to_owned(),
        _ if number.is_some() => text.to_owned(),
        _ => format!("{}{text}", gap(before)),
    }
}

/// The mark of a note: apart from the word or number that it belongs to.
fn note(before: &str, mark: &str) -> String {
    format!("{}{mark})", gap(before))
}

/// A space unless there is one.
fn gap(before: &str) -> &'static str {
    if before.is_empty() || before.ends_with(char::is_whitespace) { "" } else { " " }
}

/// The cents of a price, behind the other separator than the one of its thousands.
fn cents(number: &str, digits: &str) -> String {
    let has_thousands = number.rfind(['.', ',']).is_some_and(|at| number[at..].starts_with('.'));
    format!("{}{digits}", if has_thousands { ',' } else { '.' })
}

/// Digits as an exponent. Not for numbers: normalised, 10⁵ is 105.
fn exponent(digits: &str) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digits.bytes().filter_map(|digit| RAISED.get(usize::from(digit.wrapping_sub(b'0')))).collect()
}

/// The number that ends the text, with its separators.
fn number_at_end(text: &str) -> Option<&str> {
    let is_part = |mark: char| mark.is_ascii_digit() || matches!(mark, '.' | ',' | '\'');
    let number = &text[text.trim_end_matches(is_part).len()..];
    let number = number.trim_start_matches(['.', ',', '\'']);
    number.ends_with(|mark: char| mark.is_ascii_digit()).then_some(number)
}

/// The letters that end the text.
fn word_at_end(text: &str) -> &str {
    &text[text.trim_end_matches(char::is_alphabetic).len()..]
}

/// Whether the text ends with a word that is no symbol of chemistry or mathematics.
fn is_word(text: &str) -> bool {
    let word = word_at_end(text);
    word.chars().count() > 3 && word.chars().skip(1).all(char::is_lowercase)
}

fn is_roman(word: &str) -> bool {
    word.chars().all(|letter| "IVXLCDM".contains(letter))
}

/// Whether the number has one or two decimals.
fn has_decimals(number: &str) -> bool {
    number.rfind(['.', ',']).is_some_and(|at| number.len() - at <= 3)
}

fn is_year(number: &str) -> bool {
    number.len() == 4 && (number.starts_with("19") || number.starts_with("20"))
}

/// Whether hours and raised minutes are a time of day, as in 8³⁰ Uhr, also at the beginning of a range.
fn is_clock(hours: &str, minutes: &str, after: &str) -> bool {
    let is_below = |text: &str, most: u32| text.parse().is_ok_and(|number: u32| number < most);
    let mut words = after.split(|mark: char| !mark.is_alphabetic()).filter(|word| !word.is_empty()).take(3);
    let is_hour = |word: &str| {
        matches!(word.to_lowercase().as_str(), "uhr" | "h" | "hrs" | "heures" | "ore" | "horas" | "am" | "pm" | "uur")
    };
    is_below(hours, 25) && is_below(minutes, 60) && words.any(is_hour)
}

/// Signs and words of currencies, in lower case.
const CURRENCIES: [&str; 25] = [
    "€", "$", "£", "¥", "₹", "eur", "usd", "gbp", "chf", "fr.", "sfr", "franken", "francs", "franchi", "dollar",
    "pound", "cent", "zł", "pln", "kč", "czk", "sek", "nok", "dkk", "kr",
];

fn starts_with_currency(text: &str) -> bool {
    let text = text.trim_start_matches(|mark: char| mark.is_whitespace() || mark == '*');
    let start: String = text.chars().take(8).flat_map(char::to_lowercase).collect();
    CURRENCIES.iter().any(|currency| start.starts_with(currency))
}

fn ends_with_currency(text: &str) -> bool {
    let end: Vec<char> = text.trim_end().chars().rev().take(8).collect();
    let end: String = end.into_iter().rev().flat_map(char::to_lowercase).collect();
    CURRENCIES.iter().any(|currency| end.ends_with(currency))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line in which `^{...}` is raised and `_{...}` lowered.
    fn line(markup: &str) -> String {
        let mut runs = Runs::default();
        let mut rest = markup;
        while let Some(at) = rest.find(['^', '_']) {
            let height = if rest[at..].starts_with('^') { Height::Raised } else { Height::Lowered };
            let (inner, after) = rest[at + 2..].split_once('}').unwrap();
            runs.push(Height::Normal, &rest[..at]);
            runs.push(height, inner);
            rest = after;
        }
        runs.push(Height::Normal, rest);
        runs.text()
    }

    #[test]
    fn raised_digits_of_a_price_are_cents() {
        for (markup, expected) in [
            ("Only 19^{99} €", "Only 19.99 €"),
            ("Only €19^{99}", "Only €19.99"),
            ("29^{90} euros a month", "29.90 euros a month"),
            ("10^{12} € each", "10.12 € each"),
            ("19,^{99} €", "19,99 €"),
            ("19^{,99} €", "19,99 €"),
            ("19^{99 €}", "19.99 €"),
            ("19^{99€}", "19.99€"),
            ("1.299^{00} €", "1.299,00 €"),
            ("1,299^{00} USD", "1,299.00 USD"),
            ("19_{99} €", "19.99 €"),
            ("19,^{–} €", "19,– €"),
            ("19€^{99}", "19€99"),
        ] {
            assert_eq!(line(markup), expected, "{markup}");
        }
    }

    #[test]
    fn marks_of_notes_are_no_digits() {
        for (markup, expected) in [
            ("costs 49^{1)} €", "costs 49 1) €"),
            ("costs 49^{1} €", "costs 49 1) €"),
            ("costs 49 ^{1} €", "costs 49 1) €"),
            ("costs 49,90^{12} €", "costs 49,90 12) €"),
            ("costs 52^{3} euros", "costs 52 3) euros"),
            ("in 2019^{12} and", "in 2019 12) and"),
            ("Bremen^{1} is", "Bremen 1) is"),
            ("Bremen^{a}", "Bremen a)"),
            ("ends here.^{[4]} Next", "ends here. 4) Next"),
            ("in 2019.^{3} Next", "in 2019. 3) Next"),
            ("49^{1, 2} €", "49 1, 2) €"),
            ("49^{*} €", "49* €"),
            ("^{1)} Without visor.", "1) Without visor."),
            ("^{1} Without visor.", "1) Without visor."),
            ("^{1}Without visor.", "1) Without visor."),
        ] {
            assert_eq!(line(markup).replace(")W", ") W"), expected, "{markup}");
        }
    }

    #[test]
    fn exponents_units_ordinals_and_fractions_stay_what_they_are() {
        for (markup, expected) in [
            ("120 m^{2} and 5 km^{3}", "120 m² and 5 km³"),
            ("10^{5} screws", "10^5 screws"),
            ("3 × 10^{-3} g", "3 × 10^-3 g"),
            ("10^{12} cells", "10^12 cells"),
            ("5 s^{-1}", "5 s⁻¹"),
            ("E = mc^{2}", "E = mc²"),
            ("2^{8} = 256", "2^8 = 256"),
            ("H_{2}O and CO_{2}.", "H2O and CO2."),
            ("1^{1}/_{2} cups", "1 1/2 cups"),
            ("the 1^{st} and 2^{nd}", "the 1st and 2nd"),
            ("le 2^{e} étage, XIX^{e} siècle, M^{me} Roy", "le 2e étage, XIXe siècle, Mme Roy"),
            ("20 ^{o}C or 20^{0}C", "20 °C or 20°C"),
            ("8^{00} – 12^{30} Uhr", "8:00 – 12:30 Uhr"),
            ("by ^{14}C", "by 14C"),
            ("Orla^{TM} and Orla^{®}", "Orla™ and Orla®"),
            ("Shop^{NEW!}", "Shop NEW!"),
            ("a^{} b", "a b"),
        ] {
            assert_eq!(line(markup), expected, "{markup}");
        }
    }
}
