//! The characters of a TrueType or OpenType program: its `cmap`, else the names of its glyphs.

use super::{Program, cff, long, number};

/// The names of the glyphs that a Macintosh font has.
const MAC_NAMES: &str = include_str!("mac_names.txt");
/// Maximum codes of a table.
const MAX_CODES: usize = 0x1_1000;
/// Where fonts of symbols have the codes of one byte.
const SYMBOLS: u32 = 0xf000;

/// What the program tells of its glyphs.
pub(super) fn read(program: &[u8]) -> Option<Program> {
    let table = |name: &[u8]| {
        let count = usize::from(number(program, 4)?);
        let entry = (0..count).map(|entry| 12 + entry * 16).find(|at| program.get(*at..at + 4) == Some(name))?;
        let (offset, length) = (long(program, entry + 8)?, long(program, entry + 12)?);
        let offset = usize::try_from(offset).ok()?;
        let end = offset.saturating_add(usize::try_from(length).ok()?).min(program.len());
        program.get(offset..end)
    };
    let mut read = Program::default();
    if let Some(cmap) = table(b"cmap") {
        add_codes(cmap, &mut read);
    }
    if let Some(post) = table(b"post") {
        add_names(post, &mut read);
    }
    if let Some(inner) = table(b"CFF ").and_then(cff::read) {
        for (glyph, text) in inner.texts {
            read.texts.entry(glyph).or_insert(text);
        }
    }
    (!read.texts.is_empty()).then_some(read)
}

/// Adds the characters of glyphs and the glyphs of codes.
fn add_codes(cmap: &[u8], read: &mut Program) {
    let count = usize::from(number(cmap, 2).unwrap_or(0)).min(64);
    let subtable = |at: usize| {
        let (platform, kind) = (number(cmap, at)?, number(cmap, at + 2)?);
        Some((platform, kind, cmap.get(usize::try_from(long(cmap, at + 4)?).ok()?..)?))
    };
    for (platform, kind, table) in (0..count).filter_map(|entry| subtable(4 + entry * 8)) {
        let codes = codes(table).unwrap_or_default().into_iter().filter(|(_, glyph)| *glyph > 0);
        match (platform, kind) {
            (0, _) | (3, 1 | 10) => codes.for_each(|(code, glyph)| add_character(code, glyph, read)),
            (3, 0) => codes.for_each(|(code, glyph)| {
                if let Ok(code) = u8::try_from(if code >= SYMBOLS { code - SYMBOLS } else { code }) {
                    read.codes.insert(code, glyph);
                }
            }),
            (1, 0) => codes.for_each(|(code, glyph)| {
                if let Ok(code) = u8::try_from(code) {
                    read.codes.entry(code).or_insert(glyph);
                }
            }),
            _ => {}
        }
    }
}

/// Adds a character. Of several that a glyph shows, the one with the lowest code is the usual one.
fn add_character(code: u32, glyph: u16, read: &mut Program) {
    let is_private = (0xe000..=0xf8ff).contains(&code);
    let Some(letter) = char::from_u32(code).filter(|letter| !letter.is_control() && !is_private) else { return };
    let text = read.texts.entry(glyph).or_insert_with(|| letter.to_string());
    if text.chars().next().is_some_and(|first| letter < first) {
        *text = letter.to_string();
    }
}

/// The codes of a table with their glyphs.
fn codes(table: &[u8]) -> Option<Vec<(u32, u16)>> {
    let mut codes = Vec::new();
    match number(table, 0)? {
        0 => codes.extend((0..).zip(table.get(6..262)?.iter().map(|glyph| u16::from(*glyph)))),
        4 => {
            let twice = usize::from(number(table, 6)?);
            for segment in (0..twice).step_by(2) {
                let (last, first) = (number(table, 14 + segment)?, number(table, 16 + twice + segment)?);
                let delta = number(table, 16 + 2 * twice + segment)?;
                let place = 16 + 3 * twice + segment;
                let offset = usize::from(number(table, place)?);
                for code in first..=last.min(0xfffe) {
                    let glyph = match offset {
                        0 => code.wrapping_add(delta),
                        _ => match number(table, place + offset + 2 * usize::from(code - first)) {
                            Some(glyph) if glyph > 0 => glyph.wrapping_add(delta),
                            _ => 0,
                        },
                    };
                    codes.push((u32::from(code), glyph));
                }
                if codes.len() > MAX_CODES {
                    break;
                }
            }
        }
        6 => {
            let (first, count) = (u32::from(number(table, 6)?), usize::from(number(table, 8)?));
            codes.extend((first..).zip((0..count).map_while(|entry| number(table, 10 + 2 * entry))));
        }
        12 => {
            let groups = usize::try_from(long(table, 12)?).ok()?.min(MAX_CODES);
            for at in (0..groups).map(|group| 16 + 12 * group) {
                let (first, last, glyph) = (long(table, at)?, long(table, at + 4)?, long(table, at + 8)?);
                let glyphs = (glyph..).map_while(|glyph| u16::try_from(glyph).ok());
                codes.extend((first..=last).zip(glyphs).take(MAX_CODES));
                if codes.len() > MAX_CODES {
                    break;
                }
            }
        }
        _ => {}
    }
    Some(codes)
}

/// Adds what the names of glyphs tell.
fn add_names(post: &[u8], read: &mut Program) -> Option<()> {
    if long(post, 0)? != 0x0002_0000 {
        return None;
    }
    let count = number(post, 32)?;
    let mac: Vec<&str> = MAC_NAMES.split_whitespace().collect();
    let mut own = Vec::new();
    let mut rest = post.get(34 + 2 * usize::from(count)..)?;
    while let Some((length, names)) = rest.split_first() {
        let Some(name) = names.get(..usize::from(*length)) else { break };
        own.push(name);
        rest = &names[name.len()..];
    }
    for glyph in 0..count {
        let name = usize::from(number(post, 34 + 2 * usize::from(glyph))?);
        match name.checked_sub(mac.len()) {
            None => read.name(glyph, mac[name].as_bytes()),
            Some(name) => {
                if let Some(name) = own.get(name) {
                    read.name(glyph, name);
                }
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(numbers: &[u16]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
    }

    /// A program with these tables.
    fn program(tables: &[(&[u8], Vec<u8>)]) -> Vec<u8> {
        let mut bytes = [vec![0, 1, 0, 0], units(&[u16::try_from(tables.len()).unwrap(), 0, 0, 0])].concat();
        let mut at = u32::try_from(12 + 16 * tables.len()).unwrap();
        for (name, table) in tables {
            let length = u32::try_from(table.len()).unwrap();
            bytes.extend([*name, &[0; 4], &at.to_be_bytes(), &length.to_be_bytes()].concat());
            at += length;
        }
        tables.iter().for_each(|(_, table)| bytes.extend(table));
        bytes
    }

    #[test]
    fn characters_of_glyphs_are_read() {
        // Segments: A and B are the glyphs 5 and 6; the no-break space and the space are the glyph 3.
        let segments = units(&[4, 0, 0, 8, 0, 0, 0, 32, 66, 160, 0xffff, 0, 32, 65, 160, 0xffff]);
        let deltas = units(&[0_u16.wrapping_sub(29), 0_u16.wrapping_sub(60), 0_u16.wrapping_sub(157), 1, 0, 0, 0, 0]);
        let cmap = [units(&[0, 1, 3, 1, 0, 12]), segments, deltas].concat();
        let read = read(&program(&[(b"cmap", cmap)])).unwrap();
        assert_eq!([3, 5, 6, 7].map(|glyph| read.text(glyph)), [Some(" "), Some("A"), Some("B"), None]);
    }

    #[test]
    fn codes_lead_to_the_names_of_glyphs() {
        // The code 1 in a font of symbols is the glyph 2, whose name is `eacute`; the glyph 1 is `A` by its number.
        let cmap = [units(&[0, 1, 3, 0, 0, 12]), units(&[6, 0, 0, 0xf001, 2, 2, 1])].concat();
        let names = [&[6][..], b"eacute"].concat();
        let post = [vec![0, 2, 0, 0], vec![0; 28], units(&[3, 0, 36, 258]), names].concat();
        let read = read(&program(&[(b"cmap", cmap), (b"post", post)])).unwrap();
        assert_eq!([1, 2, 3].map(|code| read.text_of_code(code)), [Some("é"), Some("A"), None]);
    }
}
