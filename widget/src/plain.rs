//! Formats numbers and ids without the standard library's formatting and pattern code, which would be a fifth of the
//! whole widget. Does not use the browser.

pub(crate) use contract::markdown::parse_decimal;
/// A number in decimal digits.
pub(crate) fn decimal(mut number: u32) -> String {
    let mut digits = [b'0'; 10];
    let mut used = 0;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        used += 1;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    digits.iter().skip(10 - used).map(|digit| char::from(*digit)).collect()
}

/// Whether a text is a UUID with hyphens.
pub(crate) fn is_uuid(text: &str) -> bool {
    let is_digit_or_hyphen = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => hex_digit(byte).is_some(),
    };
    text.len() == 36 && text.bytes().enumerate().all(is_digit_or_hyphen)
}

/// The value of a hexadecimal digit.
pub(crate) fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// The digit of a value below 16.
pub(crate) fn hex_char(value: u8) -> char {
    char::from(if value < 10 { b'0' + value } else { b'a' + value - 10 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written() {
        for number in [0, 7, 10, 4_000, 999_999_999, u32::MAX] {
            assert_eq!(decimal(number), number.to_string());
        }
    }

    #[test]
    fn ids_are_distinguished_from_other_texts() {
        let text = "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c5b6a";
        assert!(is_uuid(text) && is_uuid(&text.to_uppercase()));
        for bad in [
            "",
            "x",
            "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c5b6",
            "0197d2c4_5f0e-7c11-9a3b-1f2e3d4c5b6a",
            "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c5b6aa",
        ] {
            assert!(!is_uuid(bad), "{bad}");
        }
    }
}
