//! The names and the encoding of a Compact Font Format program (Adobe Technical Note 5176).

use super::{Program, number};

/// The names that have a number in every program.
const STANDARD_NAMES: &str = include_str!("cff_names.txt");
/// The glyphs of the predefined set ISOAdobe are the first names in their order.
const ISO_ADOBE: u16 = 228;
/// Operators of the top dictionary; those of two bytes begin with an escape.
const CHARSET: u16 = 15;
const ENCODING: u16 = 16;
const CHAR_STRINGS: u16 = 17;
const ESCAPE: u8 = 12;
const ROS: u16 = 0x0c1e;

/// What the program tells of its glyphs; nothing when they have numbers of a character collection instead of names.
pub(super) fn read(program: &[u8]) -> Option<Program> {
    let header = usize::from(*program.get(2)?);
    let (_, at) = index(program, header)?;
    let (tops, at) = index(program, at)?;
    let (strings, _) = index(program, at)?;
    let top = dictionary(tops.first()?);
    let find = |operator: u16| top.iter().find(|(key, _)| *key == operator).map(|(_, value)| *value);
    if find(ROS).is_some() {
        return None;
    }
    let (glyphs, _) = index(program, usize::try_from(find(CHAR_STRINGS)?).ok()?)?;
    let count = u16::try_from(glyphs.len()).ok()?;
    let charset = charset(program, find(CHARSET).unwrap_or(0), count);
    let standard: Vec<&str> = STANDARD_NAMES.split_whitespace().collect();
    let name = |id: u16| {
        let own = usize::from(id).checked_sub(standard.len());
        own.map_or_else(|| standard.get(usize::from(id)).map(|name| name.as_bytes()), |own| strings.get(own).copied())
    };
    let mut read = Program::default();
    for (glyph, id) in (0..).zip(&charset) {
        if let Some(name) = name(*id) {
            read.name(glyph, name);
        }
    }
    encoding(program, find(ENCODING).unwrap_or(0), &charset, &mut read);
    Some(read)
}

/// The entries of an index, and the place behind it.
fn index(program: &[u8], at: usize) -> Option<(Vec<&[u8]>, usize)> {
    let count = usize::from(number(program, at)?);
    if count == 0 {
        return Some((Vec::new(), at + 2));
    }
    let size = usize::from(*program.get(at + 2)?);
    let offset = |entry: usize| {
        let from = at + 3 + entry * size;
        let bytes = program.get(from..from + size)?;
        Some(bytes.iter().take(4).fold(0, |offset, byte| offset << 8 | usize::from(*byte)))
    };
    let data = at + 2 + (count + 1) * size;
    let entry = |entry: usize| program.get(data + offset(entry)?..data + offset(entry + 1)?);
    let entries: Option<Vec<&[u8]>> = (0..count).map(entry).collect();
    Some((entries?, data + offset(count)?))
}

/// The operators of a dictionary with the last whole number before each.
fn dictionary(mut bytes: &[u8]) -> Vec<(u16, u32)> {
    let (mut entries, mut last) = (Vec::new(), 0);
    while let Some((first, rest)) = bytes.split_first() {
        let byte = |at: usize| i32::from(rest.get(at).copied().unwrap_or(0));
        let (value, length) = match *first {
            ESCAPE => {
                entries.push((u16::from(ESCAPE) << 8 | u16::from(rest.first().copied().unwrap_or(0)), last));
                (None, 1)
            }
            operator @ 0..=21 => {
                entries.push((u16::from(operator), last));
                (None, 0)
            }
            28 => (Some(byte(0) << 8 | byte(1)), 2),
            29 => (Some(byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3)), 4),
            30 => (None, rest.iter().position(|byte| byte & 0x0f == 0x0f).map_or(rest.len(), |end| end + 1)),
            small @ 32..=246 => (Some(i32::from(small) - 139), 0),
            high @ 247..=250 => (Some((i32::from(high) - 247) * 256 + byte(0) + 108), 1),
            low @ 251..=254 => (Some(-(i32::from(low) - 251) * 256 - byte(0) - 108), 1),
            _ => (None, 0),
        };
        last = value.map_or(last, |value| u32::try_from(value).unwrap_or(0));
        bytes = rest.get(length..).unwrap_or_default();
    }
    entries
}

/// The number of each glyph's name.
fn charset(program: &[u8], at: u32, glyphs: u16) -> Vec<u16> {
    let mut ids = vec![0];
    let (Ok(mut at), Some(table)) = (usize::try_from(at), usize::try_from(at).ok().and_then(|at| program.get(at..)))
    else {
        return ids;
    };
    // The two further predefined sets are those of experts, which have no letters.
    if at <= 2 {
        return if at == 0 { (0..glyphs.min(ISO_ADOBE + 1)).collect() } else { ids };
    }
    let Some(format) = table.first() else { return ids };
    at += 1;
    while ids.len() < usize::from(glyphs) {
        let Some(first) = number(program, at) else { break };
        let (more, length) = match format {
            0 => (Some(0), 2),
            1 => (program.get(at + 2).map(|more| u16::from(*more)), 3),
            _ => (number(program, at + 2), 4),
        };
        let Some(more) = more else { break };
        ids.extend((first..=first.saturating_add(more)).take(usize::from(glyphs) - ids.len()));
        at += length;
    }
    ids
}

/// Adds the codes of the program's own encoding.
fn encoding(program: &[u8], at: u32, charset: &[u16], read: &mut Program) {
    // In the standard encoding, and in that of experts, the reader of the font knows the names of codes.
    let Some(table) = usize::try_from(at).ok().filter(|at| *at > 1).and_then(|at| program.get(at..)) else { return };
    let [format, count, entries @ ..] = table else { return };
    let count = usize::from(*count);
    let mut glyph = 1_u16;
    let further = if format & 0x7f == 0 {
        entries.iter().take(count).for_each(|code| {
            read.codes.insert(*code, glyph);
            glyph = glyph.saturating_add(1);
        });
        count
    } else {
        for range in entries.chunks_exact(2).take(count) {
            for code in range[0]..=range[0].saturating_add(range[1]) {
                read.codes.insert(code, glyph);
                glyph = glyph.saturating_add(1);
            }
        }
        count * 2
    };
    let Some([count, more @ ..]) = entries.get(further..).filter(|_| format & 0x80 != 0) else { return };
    for entry in more.chunks_exact(3).take(usize::from(*count)) {
        let id = number(entry, 1);
        let glyph = charset.iter().position(|other| Some(*other) == id).and_then(|glyph| u16::try_from(glyph).ok());
        glyph.and_then(|glyph| read.codes.insert(entry[0], glyph));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_size(entries: &[&[u8]]) -> Vec<u8> {
        let mut bytes = u16::try_from(entries.len()).unwrap().to_be_bytes().to_vec();
        if entries.is_empty() {
            return bytes;
        }
        bytes.push(1);
        let mut offset = 1;
        bytes.push(offset);
        for entry in entries {
            offset += u8::try_from(entry.len()).unwrap();
            bytes.push(offset);
        }
        entries.iter().for_each(|entry| bytes.extend(*entry));
        bytes
    }

    /// A program of three glyphs: `A`, `ae` and `Euro`, with codes 7, 8 and 200.
    fn program(is_cid: bool) -> Vec<u8> {
        let whole = |number: u16| {
            let [high, low] = number.to_be_bytes();
            [28, high, low]
        };
        let build = |charset: u16, encoding: u16, glyphs: u16| {
            let ros: &[u8] = if is_cid { &[139, 139, 139, 12, 30] } else { &[] };
            let top: Vec<u8> = [ros, &whole(charset), &[15], &whole(encoding), &[16], &whole(glyphs), &[17]].concat();
            [vec![1, 0, 4, 1], with_size(&[b"Font"]), with_size(&[&top]), with_size(&[b"Euro"]), with_size(&[])]
                .concat()
        };
        let start = u16::try_from(build(0, 0, 0).len()).unwrap();
        // Format 0 of both: the names 34 (A), 144 (ae) and 391 (the first own one); two codes and one further code.
        let charset = [0, 0, 34, 0, 144, 1, 135];
        let encoding = [0x80, 2, 7, 8, 1, 200, 1, 135];
        let (first, second) = (start + 7, start + 15);
        let glyphs = with_size(&[b"x", b"x", b"x", b"x"]);
        [build(start, first, second), charset.to_vec(), encoding.to_vec(), glyphs].concat()
    }

    #[test]
    fn names_and_codes_of_a_program_are_read() {
        let read = read(&program(false)).unwrap();
        let texts: Vec<_> = [7, 8, 200, 9].into_iter().map(|code| read.text_of_code(code)).collect();
        assert_eq!(texts, [Some("A"), Some("æ"), Some("€"), None]);
        assert_eq!(read.text(2), Some("æ"));
    }

    #[test]
    fn a_program_of_a_character_collection_has_no_names() {
        assert!(read(&program(true)).is_none());
        assert!(read(&program(false)[..30]).is_none());
    }
}
