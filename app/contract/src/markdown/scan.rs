//! Numbers and searches without the standard library's formatting and pattern code, which would make the widget a fifth
//! larger.

/// The number that a text of decimal digits means; `None` for anything else, and beyond nine digits.
pub fn parse_decimal(text: &str) -> Option<u32> {
    if text.is_empty() || text.len() > 9 {
        return None;
    }
    text.bytes().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u32::from(byte - b'0')))
}

/// The first position of `needle` (ASCII) in a text, in bytes.
pub(crate) fn find(text: &str, needle: &str) -> Option<usize> {
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    let position = (0..text.len()).find(|at| text.get(*at..).is_some_and(|tail| tail.starts_with(needle)));
    #[cfg(test)]
    SEARCHED.with(|searched| searched.set(searched.get() + position.unwrap_or(text.len())));
    position
}

#[cfg(test)]
thread_local! {
    /// Bytes that searches of this thread looked at: the work of a parser, whatever the machine.
    pub(crate) static SEARCHED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_and_nothing_else() {
        assert_eq!(parse_decimal("0012"), Some(12));
        for bad in ["", "-1", "+1", "1 ", "1234567890", "١"] {
            assert_eq!(parse_decimal(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_text_is_found_inside_another() {
        assert_eq!(find("äb](c", "]("), Some(3));
        assert_eq!(find("ab]", "]("), None);
        assert_eq!(find("", "x"), None);
    }
}
