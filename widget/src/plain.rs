//! Formats numbers and ids without the standard library's formatting and pattern code, which would be a fifth of the whole
//! widget. Pure, no browser.

pub(crate) use contract::markdown::parse_decimal;
use uuid::Uuid;

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

/// The UUID that a text with hyphens means.
pub(crate) fn parse_uuid(text: &str) -> Option<Uuid> {
    let mut value = 0_u128;
    for (at, byte) in text.bytes().enumerate() {
        match (at, byte) {
            (8 | 13 | 18 | 23, b'-') => {}
            (8 | 13 | 18 | 23, _) => return None,
            _ => value = value << 4 | u128::from(hex_digit(byte)?),
        }
    }
    (text.len() == 36).then(|| Uuid::from_u128(value))
}

/// A UUID as text: lower case with hyphens.
pub(crate) fn uuid_text(id: Uuid) -> String {
    let value = id.as_u128();
    let mut text = String::new();
    for at in 0..32_u32 {
        if matches!(at, 8 | 12 | 16 | 20) {
            text.push('-');
        }
        text.push(hex_char((value >> (124 - 4 * at)) as u8 & 15));
    }
    text
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
    fn ids_are_read_and_written_as_the_contract_does() {
        let text = "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c5b6a";
        let id = parse_uuid(&text.to_uppercase()).unwrap();
        assert_eq!(id, text.parse::<Uuid>().unwrap());
        assert_eq!(uuid_text(id), text);
        for bad in [
            "",
            "x",
            "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c5b6",
            "0197d2c4_5f0e-7c11-9a3b-1f2e3d4c5b6a",
            "0197d2c4-5f0e-7c11-9a3b-1f2e3d4c5b6aa",
        ] {
            assert_eq!(parse_uuid(bad), None, "{bad}");
        }
    }
}
