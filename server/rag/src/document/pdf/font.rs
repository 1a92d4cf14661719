//! A font of a PDF as far as text needs it: the characters and the widths of its codes.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use lopdf::{Dictionary, Document, Object};

use super::{
    decoding::{Codes, Composite, Simple},
    resolve, standard_widths,
};

/// Default width of a glyph, in thousandths of the font's size.
const USUAL: f32 = 500.0;
/// Parts of a font's name that mean heavy letters.
const HEAVY: [&str; 5] = ["bold", "black", "heavy", "-bd", "demi"];
/// The bit of a font's flags for heavy letters.
const FORCE_BOLD: i64 = 1 << 18;

pub(super) struct Font<'a> {
    codes: Codes<'a>,
    widths: HashMap<u32, f32>,
    /// The width of other codes; none in a standard font.
    other: Option<f32>,
    /// Text units of a thousandth of a glyph's.
    scale: f32,
    name: String,
    pub(super) is_bold: bool,
    /// How far a code moves the next one down, as a share of the size, if lines run from top to bottom.
    pub(super) down: Option<f32>,
    /// Shapes of codes that were read.
    shapes: RefCell<HashMap<u32, Rc<Shape>>>,
    /// The same for codes of one byte.
    shapes_of_bytes: RefCell<Vec<Option<Rc<Shape>>>>,
}

/// What a code shows.
pub(super) struct Shape {
    /// Its characters; none when the font does not explain the code.
    pub(super) text: Option<Box<str>>,
    /// Its width as a share of the font's size.
    pub(super) width: f32,
    /// Whether word spacing widens it.
    pub(super) is_space: bool,
}

impl<'a> Font<'a> {
    pub(super) fn read(document: &'a Document, font: &'a Dictionary) -> Self {
        let name = font.get_deref(b"BaseFont", document).and_then(Object::as_name).unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        let descendant = font.get_deref(b"DescendantFonts", document).and_then(Object::as_array).ok();
        let descendant = descendant.and_then(|fonts| resolve(document, fonts.first()?).as_dict().ok());
        let own = descendant.unwrap_or(font);
        let descriptor = own.get_deref(b"FontDescriptor", document).and_then(Object::as_dict).ok();
        let flags = descriptor.and_then(|descriptor| descriptor.get_deref(b"Flags", document).ok()?.as_i64().ok());
        let lower = name.to_ascii_lowercase();
        let is_bold = HEAVY.iter().any(|part| lower.contains(part)) || flags.unwrap_or(0) & FORCE_BOLD != 0;
        let (codes, (widths, other)) = match descendant {
            Some(descendant) => {
                let (widths, other) = composite(document, descendant);
                (Codes::Composite(Composite::read(document, font, descendant)), (widths, Some(other)))
            }
            None => (Codes::Simple(Simple::read(document, font, descriptor)), simple(document, font, descriptor)),
        };
        let place = |places: &Vec<Object>| resolve(document, places.get(1)?).as_float().ok();
        let usual = own.get_deref(b"DW2", document).and_then(Object::as_array).ok().and_then(place);
        let down = codes.are_vertical().then(|| usual.unwrap_or(-1000.0).abs() / 1000.0);
        let matrix = font.get_deref(b"FontMatrix", document).and_then(Object::as_array).ok();
        let scale = matrix.and_then(|matrix| matrix.first()?.as_float().ok()).map_or(1.0, |scale| scale * 1000.0);
        Self {
            codes,
            widths,
            other,
            scale,
            name,
            is_bold,
            down,
            shapes: RefCell::default(),
            shapes_of_bytes: RefCell::new(vec![None; 256]),
        }
    }

    /// The shape of the next of some codes, and the bytes of its code.
    pub(super) fn next(&self, codes: &[u8]) -> (Rc<Shape>, usize) {
        let length = self.codes.length(codes).clamp(1, codes.len().max(1));
        let code = codes.get(..length).unwrap_or_default();
        if let [byte] = code {
            let shape = &mut self.shapes_of_bytes.borrow_mut()[usize::from(*byte)];
            return (Rc::clone(shape.get_or_insert_with(|| Rc::new(self.shape(code, u32::from(*byte))))), 1);
        }
        let number = code.iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
        let mut shapes = self.shapes.borrow_mut();
        (Rc::clone(shapes.entry(number).or_insert_with(|| Rc::new(self.shape(code, number)))), length)
    }

    fn shape(&self, code: &[u8], number: u32) -> Shape {
        let text = self.codes.text(code);
        let first = text.as_deref().and_then(|text| text.chars().next());
        let width = self.widths.get(&self.codes.id(code, number)).copied().or(self.other);
        let width = width.unwrap_or_else(|| standard_widths::width(&self.name, first.unwrap_or('\0')));
        Shape { text: text.map(String::into_boxed_str), width: width / 1000.0 * self.scale, is_space: code == b" " }
    }
}

/// Widths of a font with one byte a code, from `FirstChar` on, and of its other codes.
fn simple(document: &Document, font: &Dictionary, descriptor: Option<&Dictionary>) -> (HashMap<u32, f32>, Option<f32>) {
    let number =
        |dictionary: &Dictionary, key: &[u8]| dictionary.get_deref(key, document).and_then(Object::as_float).ok();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a code is a byte")]
    let first = number(font, b"FirstChar").unwrap_or(0.0).clamp(0.0, 255.0) as u32;
    let Ok(widths) = font.get_deref(b"Widths", document).and_then(Object::as_array) else {
        return (HashMap::new(), None);
    };
    let widths = widths.iter().filter_map(|width| resolve(document, width).as_float().ok());
    let missing = descriptor.and_then(|descriptor| number(descriptor, b"MissingWidth")).filter(|width| *width > 0.0);
    ((first..).zip(widths).take(256).collect(), Some(missing.unwrap_or(USUAL)))
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
