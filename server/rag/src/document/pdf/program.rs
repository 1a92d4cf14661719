//! An embedded font program as far as it tells which characters its glyphs show: their names, and its own codes.

mod cff;
mod sfnt;

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object};

use super::glyph_names::of_name;

/// Maximum bytes of an unpacked font program.
const MAX_PROGRAM: usize = 16 * 1024 * 1024;

/// What a font program tells of its glyphs.
#[derive(Default)]
pub(super) struct Program {
    /// The texts of glyphs, by their numbers.
    texts: HashMap<u16, String>,
    /// The glyphs of codes of one byte.
    codes: HashMap<u8, u16>,
}

impl Program {
    /// The program that the descriptor of a font names, unless it is a Type 1 program.
    pub(super) fn read(document: &Document, descriptor: &Dictionary) -> Option<Self> {
        let stream = |key: &[u8]| descriptor.get_deref(key, document).and_then(Object::as_stream).ok();
        let program = stream(b"FontFile3").or_else(|| stream(b"FontFile2"))?;
        let program = program.get_plain_content_with_limit(MAX_PROGRAM).ok()?;
        if program.starts_with(&[1, 0]) { cff::read(&program) } else { sfnt::read(&program) }
    }

    /// The text of a glyph.
    pub(super) fn text(&self, glyph: u16) -> Option<&str> {
        self.texts.get(&glyph).map(String::as_str)
    }

    /// The text of a code in the program's own encoding.
    pub(super) fn text_of_code(&self, code: u8) -> Option<&str> {
        self.text(*self.codes.get(&code)?)
    }

    /// Adds the text of a glyph's name, if the name is one of a character.
    fn name(&mut self, glyph: u16, name: &[u8]) {
        if name != b".notdef"
            && !self.texts.contains_key(&glyph)
            && let Some(text) = of_name(name)
        {
            self.texts.insert(glyph, text);
        }
    }
}

/// The number in two bytes at a place.
fn number(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_be_bytes(bytes.try_into().ok()?))
}

/// The number in four bytes at a place.
fn long(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}
