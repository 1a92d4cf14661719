//! Addresses on pages that are not in UTF-8. Browsers encode the query of a link in the page's encoding, and its path in
//! UTF-8 (URL standard, "query state").

use std::fmt::Write as _;

use encoding_rs::{Encoding, UTF_8};

/// Encodes the characters of a query that are not ASCII. A character that the encoding lacks becomes its number, as in
/// HTML.
pub(super) fn encode_query(address: &mut String, encoding: &'static Encoding) {
    let encoding = encoding.output_encoding();
    if encoding == UTF_8 || address.is_ascii() {
        return;
    }
    let end = address.find('#').unwrap_or(address.len());
    let Some(start) = address[..end].find('?').filter(|start| !address[*start..end].is_ascii()) else { return };
    let mut encoded = String::with_capacity(address.len() * 2);
    for character in address[start..end].chars() {
        if character.is_ascii() {
            encoded.push(character);
            continue;
        }
        let mut buffer = [0; 4];
        let (bytes, _, _) = encoding.encode(character.encode_utf8(&mut buffer));
        for byte in bytes.iter() {
            // The second byte of a character may be a letter, and a number has digits.
            if byte.is_ascii_alphanumeric() {
                encoded.push(char::from(*byte));
            } else {
                // Writing to a text cannot fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    address.replace_range(start..end, &encoded);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_in_the_encoding_of_the_page() {
        for (label, source, expected) in [
            ("windows-1252", "/M\u{fc}sli?q=M\u{fc}sli&a=1#\u{fc}", "/M\u{fc}sli?q=M%FCsli&a=1#\u{fc}"),
            ("iso-8859-1", "?q=\u{20ac}", "?q=%80"),
            ("iso-8859-15", "?q=\u{20ac}", "?q=%A4"),
            ("windows-1252", "?q=\u{65e5}", "?q=%26%2326085%3B"),
            ("shift_jis", "?q=\u{30a2}", "?q=%83A"),
            ("euc-kr", "?q=\u{d55c}", "?q=%C7%D1"),
            ("windows-1251", "?q=\u{43c}%20b", "?q=%EC%20b"),
            ("utf-8", "?q=\u{fc}", "?q=\u{fc}"),
            ("utf-16le", "?q=\u{fc}", "?q=\u{fc}"),
            ("windows-1252", "/\u{fc}#?\u{fc}", "/\u{fc}#?\u{fc}"),
        ] {
            let mut address = source.to_owned();
            encode_query(&mut address, Encoding::for_label(label.as_bytes()).unwrap());
            assert_eq!(address, expected, "{label} {source}");
        }
    }
}
