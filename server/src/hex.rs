//! Digests as text.

/// The bytes in lower-case hexadecimal digits, two for each.
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_becomes_two_lower_case_digits() {
        assert_eq!(encode(&[0x00, 0x0a, 0xff]), "000aff");
        assert_eq!(encode(&[]), "");
    }
}
