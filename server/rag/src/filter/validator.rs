//! Named checks of a pattern's match, for example whether a number is really a card number.
//!
//! A validator gets the longest match and returns the length in bytes of the valid part at its beginning, so that
//! further digits behind it do not matter.

/// Returns the length of the valid part at the beginning of a match; `None` when there is none.
pub(super) type Validator = fn(&str) -> Option<usize>;

/// The names that a file of rules may use.
pub const VALIDATORS: &[&str] = &["payment_card", "iban", "phone", "random"];

/// `None` for a name that is not in [`VALIDATORS`].
pub(super) fn find(name: &str) -> Option<Validator> {
    match name {
        "payment_card" => Some(payment_card),
        "iban" => Some(iban),
        "phone" => Some(phone),
        "random" => Some(random),
        _ => None,
    }
}

/// A card number of a known network with the right length and check digit (Luhn), not continued by a digit.
fn payment_card(text: &str) -> Option<usize> {
    let digits: Vec<(usize, u32)> =
        text.char_indices().filter_map(|(at, character)| Some((at, character.to_digit(10)?))).collect();
    (13..=digits.len().min(19)).rev().find_map(|count| {
        let end = digits[count - 1].0 + 1;
        let whole = digits.get(count).is_none_or(|(next, _)| *next > end);
        let number: Vec<u32> = digits[..count].iter().map(|(_, digit)| *digit).collect();
        (whole && is_network(&number) && luhn(&number)).then_some(end)
    })
}

/// Whether prefix and length are those of Visa, Mastercard, American Express, Diners Club, Discover, JCB, Maestro or
/// UnionPay.
fn is_network(number: &[u32]) -> bool {
    let first = |count: usize| number[..count].iter().fold(0, |sum, digit| sum * 10 + digit);
    match number.len() {
        13 => first(1) == 4,
        14 => matches!(first(2), 36 | 38) || matches!(first(3), 300..=305),
        15 => matches!(first(2), 34 | 37),
        16 => first(1) == 4 || matches!(first(2), 50..=69) || matches!(first(4), 2221..=2720 | 3528..=3589),
        17 | 18 => matches!(first(2), 50 | 56..=69),
        19 => matches!(first(2), 40..=49 | 50 | 56..=69),
        _ => false,
    }
}

fn luhn(number: &[u32]) -> bool {
    let sum: u32 = number
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match digit * (1 + u32::try_from(place % 2).unwrap_or(0)) {
            doubled if doubled > 9 => doubled - 9,
            single => single,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Lengths of account numbers by country, from the SWIFT registry.
const IBAN_LENGTHS: &[(usize, &str)] = &[
    (15, "NO"),
    (16, "BE BI"),
    (18, "DK FI FK FO GL NL SD"),
    (19, "MK SI"),
    (20, "AT BA EE KZ LT LU MN XK"),
    (21, "CH HR LI LV"),
    (22, "BG BH CR DE GB GE IE ME RS VA"),
    (23, "AE GI IL IQ OM SO TL"),
    (24, "AD CZ ES MD PK RO SA SE SK TN VG"),
    (25, "LY PT ST"),
    (26, "IS TR"),
    (27, "BY DJ FR GR IT MC MR SM"),
    (28, "AL AZ CY DO GT HU LB NI PL SV"),
    (29, "BR EG PS QA UA"),
    (30, "JO KW MU"),
    (31, "MT SC"),
    (32, "LC"),
    (33, "RU"),
];

/// An account number with its country's length and the right check digits (ISO 13616, remainder 1 by 97), not
/// continued by a letter or digit.
fn iban(text: &str) -> Option<usize> {
    let country = text.get(..2)?;
    let (length, _) = IBAN_LENGTHS.iter().find(|(_, countries)| countries.split(' ').any(|code| code == country))?;
    let marks: Vec<(usize, char)> = text.char_indices().filter(|(_, mark)| mark.is_ascii_alphanumeric()).collect();
    let number = marks.get(..*length)?;
    let end = number.last()?.0 + 1;
    let whole = marks.get(*length).is_none_or(|(next, _)| *next > end);
    let turned = number[4..].iter().chain(&number[..4]);
    let remainder = turned.fold(0, |sum: u32, (_, mark)| match mark.to_digit(36).unwrap_or(0) {
        digit @ 0..=9 => (sum * 10 + digit) % 97,
        letter => (sum * 100 + letter) % 97,
    });
    (whole && remainder == 1).then_some(end)
}

/// A telephone number: 8 to 15 digits (E.164), up to the end of the last complete group, or the first 15 digits when no
/// group ends within them.
fn phone(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let ends: Vec<usize> = (1..=bytes.len()).filter(|end| bytes[end - 1].is_ascii_digit()).collect();
    let fitting = ends.get(7..ends.len().min(15))?;
    let group = fitting.iter().rev().find(|end| !bytes.get(**end).is_some_and(u8::is_ascii_digit));
    group.or(fitting.last()).copied()
}

/// Random characters, as in a key: at least three digits and three letters.
fn random(text: &str) -> Option<usize> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    (digits >= 3 && letters >= 3).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_validator() {
        assert!(VALIDATORS.iter().all(|name| find(name).is_some()));
        assert!(find("unheard of").is_none());
    }

    #[test]
    fn cards_need_a_network_a_length_and_the_check_digit() {
        for card in ["4111111111111111", "5500 0000 0000 0004", "3782-822463-10005", "6011000990139424"] {
            assert_eq!(payment_card(card), Some(card.len()), "{card}");
        }
        for other in ["4111111111111112", "1234567812345670", "00000000000000000", "41111111111111"] {
            assert_eq!(payment_card(other), None, "{other}");
        }
    }

    #[test]
    fn a_card_is_found_before_digits_but_not_in_a_longer_number() {
        assert_eq!(payment_card("4111 1111 1111 1111 123"), Some(19));
        assert_eq!(payment_card("4111111111111111123"), None);
    }

    #[test]
    fn account_numbers_need_their_countrys_length_and_check_digits() {
        for account in ["DE89370400440532013000", "GB82 WEST 1234 5698 7654 32", "NO9386011117947"] {
            assert_eq!(iban(account), Some(account.len()), "{account}");
        }
        for other in ["DE88370400440532013000", "XX89370400440532013000", "DE8937040044053201300"] {
            assert_eq!(iban(other), None, "{other}");
        }
        assert_eq!(iban("DE89 3704 0044 0532 0130 00 BIC COBA"), Some(27));
        assert_eq!(iban("DE893704004405320130001"), None);
    }

    #[test]
    fn digits_after_a_telephone_number_do_not_hide_it() {
        assert_eq!(phone("+49 30 1234567 - 10115"), Some("+49 30 1234567".len()));
        assert_eq!(phone("+49 30 1234567 2026-11"), Some("+49 30 1234567 2026".len()));
        assert_eq!(phone("030 1234567 10115 12345"), Some("030 1234567 10115".len()));
        assert_eq!(phone("+49 30 12345678901234"), Some("+49 30 12345678901".len()), "no group ends in time");
        assert_eq!(phone("1234567890123456"), Some(15));
    }

    #[test]
    fn telephone_numbers_and_random_texts_are_counted() {
        assert_eq!(phone("+49 30 1234"), Some(11));
        assert_eq!((phone("+49 30 123"), phone("1234567")), (None, None));
        assert!(random("sk-a1b2c3").is_some() && random("sk-learn-a-lot").is_none());
    }
}
