//! The operations of a content stream. Where a stream breaks the rules, it is read on behind the broken operation.

use lopdf::content::{Content, Operation};

/// Stands behind the last operation, to see whether all of them are read.
const END: &str = "EndOfStream";
/// Maximum operands that are left out before an operation.
const MAX_BROKEN: usize = 8;

/// The operations of a stream in order.
pub(super) fn operations(mut content: Vec<u8>) -> Vec<Operation> {
    let length = content.len();
    content.push(b'\n');
    content.extend(END.as_bytes());
    let mut all = Content::decode(&content).map(|content| content.operations).unwrap_or_default();
    if all.pop_if(|last| last.operator == END).is_none() {
        all = parts(&content[..length]).into_iter().filter_map(operation).collect();
    }
    all
}

/// One operation. Operands that are none are left out.
fn operation(part: &[u8]) -> Option<Operation> {
    let mut rest = part;
    for _ in 0..MAX_BROKEN {
        let read = Content::decode(rest).ok().and_then(|content| content.operations.into_iter().next());
        if read.is_some() {
            return read;
        }
        rest = rest.trim_ascii_start();
        rest = &rest[rest.iter().position(u8::is_ascii_whitespace)?..];
    }
    None
}

/// The bytes of each operation with its operands.
fn parts(content: &[u8]) -> Vec<&[u8]> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(byte) = content.get(at) {
        let rest = &content[at + 1..];
        let until = |ends: &[u8]| rest.iter().position(|byte| ends.contains(byte)).map_or(rest.len(), |end| end + 1);
        let word = || rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"*'\"".contains(byte)).count();
        match byte {
            b'(' => at += string(rest),
            b'%' => at += until(b"\r\n"),
            b'<' if !rest.starts_with(b"<") => at += until(b">"),
            b'/' => {
                at += rest.iter().take_while(|byte| !byte.is_ascii_whitespace() && !b"/[]()<>%".contains(byte)).count()
            }
            b'\'' | b'"' | b'a'..=b'z' | b'A'..=b'Z' => {
                let end = at + 1 + word();
                let operator = &content[at..end];
                at = end - 1;
                if operator == b"BI" {
                    at += image(&content[end..]);
                }
                if ![b"true".as_slice(), b"false", b"null"].contains(&operator) {
                    parts.push(&content[start..=at]);
                    start = at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    parts
}

/// The bytes of a string behind its first bracket. One without an end has none.
fn string(rest: &[u8]) -> usize {
    let (mut depth, mut is_escaped) = (1, false);
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    0
}

/// The bytes of an inline image behind its first operator.
fn image(rest: &[u8]) -> usize {
    let is_end =
        |bytes: &[u8]| bytes[0].is_ascii_whitespace() && bytes[1..3] == *b"EI" && bytes[3].is_ascii_whitespace();
    rest.windows(4).position(is_end).map_or(rest.len(), |at| at + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(content: &str) -> String {
        let all = operations(content.as_bytes().to_vec());
        all.iter().map(|one| format!("{}{}", one.operands.len(), one.operator)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn broken_operations_do_not_end_a_stream() {
        assert_eq!(names("BT 1 2 Td (a) Tj ET"), "0BT 2Td 1Tj 0ET");
        assert_eq!(names("BT ] 1 2 Td (a(b)\\)) Tj >> ET"), "0BT 2Td 1Tj 0ET");
        assert_eq!(names("(a) Tj --5 0 Td /N <41> [(b) -3 (c)] TJ % x\n/a <</b true>> BDC ; q"), "1Tj 1Td 3TJ 2BDC 0q");
        assert_eq!(names("} BI /W 1 /F /Fl ID (x EI q"), "0BI 0q");
        assert_eq!(names("(a) Tj ] (b Tj ET"), "1Tj 0Tj 0ET", "a string without an end");
        assert_eq!(names(")"), "");
    }
}
