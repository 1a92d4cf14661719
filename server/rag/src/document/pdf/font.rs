//! A font of a PDF as far as text needs it: the characters and the widths of its codes.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Encoding, Object};

use super::MAX_STREAM;

/// Default width of a glyph, in thousandths of the font's size.
const USUAL: f32 = 500.0;

pub(super) struct Font<'a> {
    encoding: Option<Encoding<'a>>,
    widths: HashMap<u32, f32>,
    other: f32,
    /// Bytes of a code: 2 in composite fonts, else 1.
    code: usize,
}

impl<'a> Font<'a> {
    /// Reads a font's dictionary. A font without a character mapping shows no text.
    pub(super) fn read(document: &'a Document, font: &'a Dictionary) -> Self {
        let encoding = font.get_font_encoding_with_limit(document, MAX_STREAM).ok();
        match font.get_deref(b"DescendantFonts", document).and_then(Object::as_array).ok() {
            Some(descendants) => {
                let descendant = descendants.first().and_then(|first| resolve(document, first).as_dict().ok());
                let (widths, other) = descendant.map_or_else(Default::default, |font| composite(document, font));
                Self { encoding, widths, other, code: 2 }
            }
            None => {
                let (widths, other) = simple(document, font);
                Self { encoding, widths, other, code: 1 }
            }
        }
    }

    /// The characters of a string of codes; `None` when the font has no mapping for them.
    pub(super) fn decode(&self, codes: &[u8]) -> Option<String> {
        self.encoding.as_ref()?.bytes_to_string(codes).ok()
    }

    /// The width of a string of codes in thousandths of the font's size, the number of its codes, and how many of them
    /// are spaces that word spacing widens.
    pub(super) fn measure(&self, codes: &[u8]) -> (f32, usize, usize) {
        let (mut width, mut count, mut spaces) = (0.0, 0, 0);
        for code in codes.chunks(self.code) {
            let number = code.iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
            width += self.widths.get(&number).copied().unwrap_or(self.other);
            count += 1;
            spaces += usize::from(code == b" ");
        }
        (width, count, spaces)
    }
}

/// Follows the reference if `object` is one.
pub(super) fn resolve<'a>(document: &'a Document, object: &'a Object) -> &'a Object {
    document.dereference(object).map_or(object, |(_, object)| object)
}

/// Widths of a font with one byte a code, from `FirstChar` on, and of its other codes.
fn simple(document: &Document, font: &Dictionary) -> (HashMap<u32, f32>, f32) {
    let number = |of: &Dictionary, key: &[u8]| of.get_deref(key, document).and_then(Object::as_float).ok();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a code is a byte")]
    let first = number(font, b"FirstChar").unwrap_or(0.0).clamp(0.0, 255.0) as u32;
    let widths = font.get_deref(b"Widths", document).and_then(Object::as_array).map(Vec::as_slice).unwrap_or_default();
    let widths = widths.iter().filter_map(|width| resolve(document, width).as_float().ok());
    let descriptor = font.get_deref(b"FontDescriptor", document).and_then(Object::as_dict).ok();
    let missing = descriptor.and_then(|descriptor| number(descriptor, b"MissingWidth")).filter(|width| *width > 0.0);
    ((first..).zip(widths).take(256).collect(), missing.unwrap_or(USUAL))
}

/// Widths of a composite font: `W` has runs of `first [width ...]` and `first last width`.
fn composite(document: &Document, font: &Dictionary) -> (HashMap<u32, f32>, f32) {
    let other = font.get_deref(b"DW", document).and_then(Object::as_float).unwrap_or(1000.0);
    let list = font.get_deref(b"W", document).and_then(Object::as_array).map(Vec::as_slice).unwrap_or_default();
    let list: Vec<&Object> = list.iter().map(|object| resolve(document, object)).collect();
    let mut widths = HashMap::new();
    let mut rest = list.as_slice();
    while let [first, second, further @ ..] = rest {
        let Some(first) = code(first) else { break };
        match (second, further) {
            (Object::Array(run), _) => {
                let run = run.iter().filter_map(|width| resolve(document, width).as_float().ok());
                widths.extend((first..=0xFFFF).zip(run));
                rest = further;
            }
            (last, [width, further @ ..]) => {
                let (Some(last), Ok(width)) = (code(last), width.as_float()) else { break };
                widths.extend((first..=last).map(|code| (code, width)));
                rest = further;
            }
            _ => break,
        }
    }
    (widths, other)
}

fn code(object: &Object) -> Option<u32> {
    let number = object.as_i64().ok()?;
    u32::try_from(number).ok().filter(|number| *number <= 0xFFFF)
}
