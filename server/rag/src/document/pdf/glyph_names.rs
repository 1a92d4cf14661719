//! The texts that the names of glyphs stand for.

use lopdf::{Document, Encoding, Object, dictionary};

/// The text of a glyph's name.
pub(super) fn of_name(name: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(name).ok()?;
    if let Some((first, rest)) = text.split_once('.').filter(|(first, _)| !first.is_empty()) {
        return of_name(first.as_bytes()).filter(|_| !rest.is_empty());
    }
    if text.contains('_') {
        return text.split('_').map(|part| of_name(part.as_bytes())).collect();
    }
    let hex = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).map(String::from);
    if let Some(digits) = text.strip_prefix("uni").filter(|digits| digits.len() >= 4 && digits.is_ascii()) {
        return digits.as_bytes().chunks(4).map(|digits| hex(std::str::from_utf8(digits).ok()?)).collect();
    }
    let of_code = text.strip_prefix('u').filter(|digits| (4..=6).contains(&digits.len())).and_then(hex);
    if of_code.is_some() {
        return of_code;
    }
    let one = dictionary! { "Differences" => vec![Object::Integer(0), Object::Name(name.to_vec())] };
    let font = dictionary! { "Type" => "Font", "Encoding" => one };
    let empty = Document::new();
    let Ok(Encoding::Differences(differences)) = font.get_font_encoding(&empty) else { return None };
    let unit = differences.map.get(&0)?.utf16_code_unit();
    char::from_u32(u32::from(unit)).map(String::from)
}
