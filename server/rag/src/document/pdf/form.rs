//! Values of form fields and texts written onto a page, which are not in its content.

use lopdf::{Dictionary, Document, Object, ObjectId, StringFormat};

use super::{
    MAX_STREAM,
    glyphs::{Look, Placement, Shapes},
};

/// Maximum size of the letters of a value.
const MAX_SIZE: f32 = 11.0;
/// Width of a letter as a share of its size.
const WIDTH: f32 = 0.5;
/// Maximum characters of a value.
const MAX_LETTERS: usize = 10_000;
/// Maximum fields above a field.
const MAX_DEPTH: usize = 8;
/// Bits of fields: one that is hidden or not on a screen, a button without a value, a password.
const HIDDEN: i64 = 1 << 1 | 1 << 5;
const PUSH_BUTTON: i64 = 1 << 16;
const PASSWORD: i64 = 1 << 13;

/// Shows the values of the fields of a page at their places.
pub(super) fn show(document: &Document, page: ObjectId, shapes: &mut Shapes) {
    let Ok(page) = document.get_dictionary(page) else { return };
    let Ok(annotations) = page.get_deref(b"Annots", document).and_then(Object::as_array) else { return };
    for annotation in annotations {
        let annotation = document.dereference(annotation).map_or(annotation, |(_, object)| object);
        if shapes.is_full() {
            return;
        }
        if let Ok(annotation) = annotation.as_dict() {
            show_one(document, annotation, shapes);
        }
    }
}

fn show_one(document: &Document, annotation: &Dictionary, shapes: &mut Shapes) -> Option<()> {
    let is_hidden = annotation.get_deref(b"F", document).and_then(Object::as_i64).unwrap_or(0) & HIDDEN != 0;
    let kind = annotation.get_deref(b"Subtype", document).and_then(Object::as_name).ok()?;
    let text = match kind {
        _ if is_hidden => return None,
        b"Widget" => value(document, annotation)?,
        b"FreeText" => string(document, annotation.get_deref(b"Contents", document).ok()?)?,
        _ => return None,
    };
    let text: String = text.chars().take(MAX_LETTERS).collect();
    let corners = annotation.get_deref(b"Rect", document).and_then(Object::as_array).ok()?;
    let corners: Vec<f32> =
        corners.iter().filter_map(|corner| document.dereference(corner).ok()?.1.as_float().ok()).collect();
    let [x, y, other_x, other_y] = corners[..] else { return None };
    let (left, bottom, top) = (x.min(other_x), y.min(other_y), y.max(other_y));
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    #[allow(clippy::cast_precision_loss, reason = "few lines")]
    let height = (top - bottom) / lines.len().max(1) as f32;
    let size = (0.8 * height).min(MAX_SIZE);
    let mut baseline = top - 0.5 * height - 0.35 * size;
    for line in lines {
        let mut x = left + 1.0;
        for word in line.split_whitespace() {
            for letter in word.chars() {
                let placement = Placement {
                    start: (x, baseline),
                    end: (x + WIDTH * size, baseline),
                    along: (1.0, 0.0),
                    size,
                    is_bold: false,
                    look: Look::Plain,
                    role: None,
                };
                shapes.show(letter.encode_utf8(&mut [0; 4]), &placement);
                x += WIDTH * size;
            }
            x += WIDTH * size;
        }
        baseline -= height;
    }
    Some(())
}

/// The text of a field's value.
fn value(document: &Document, field: &Dictionary) -> Option<String> {
    let flags = inherited_entry(document, field, b"Ff").and_then(|flags| flags.as_i64().ok()).unwrap_or(0);
    let value = inherited_entry(document, field, b"V");
    let options = inherited_entry(document, field, b"Opt").and_then(|options| options.as_array().ok());
    // An option may be a pair: the stored value and its label.
    let label_of = |value: String| {
        let pair = |option: &Object| match document.dereference(option).ok()?.1.as_array().ok()?.as_slice() {
            [key, label, ..] if string(document, key).as_ref() == Some(&value) => string(document, label),
            _ => None,
        };
        options.into_iter().flatten().find_map(pair).unwrap_or(value)
    };
    match inherited_entry(document, field, b"FT")?.as_name().ok()? {
        b"Btn" if flags & PUSH_BUTTON == 0 => {
            let state = field.get_deref(b"AS", document).ok().or(value).and_then(|state| state.as_name().ok());
            let is_set = state.is_some_and(|state| state != b"Off");
            Some(if is_set { "☒" } else { "☐" }.to_owned())
        }
        b"Tx" if flags & PASSWORD != 0 => None,
        b"Tx" => string(document, value?),
        b"Ch" => match value? {
            Object::Array(values) => {
                let values: Vec<String> =
                    values.iter().filter_map(|value| string(document, value)).map(label_of).collect();
                (!values.is_empty()).then(|| values.join(", "))
            }
            value => string(document, value).map(label_of),
        },
        _ => None,
    }
}

/// An entry of a field, or of a field above it.
fn inherited_entry<'a>(document: &'a Document, field: &'a Dictionary, key: &[u8]) -> Option<&'a Object> {
    let mut field = field;
    for _ in 0..MAX_DEPTH {
        if let Ok(entry) = field.get_deref(key, document) {
            return Some(entry);
        }
        field = field.get_deref(b"Parent", document).and_then(Object::as_dict).ok()?;
    }
    None
}

fn string(document: &Document, object: &Object) -> Option<String> {
    let object = document.dereference(object).map_or(object, |(_, object)| object);
    // A long value may be a stream.
    let stream = object.as_stream().ok().and_then(|stream| stream.get_plain_content_with_limit(MAX_STREAM).ok());
    let text = stream.map(|bytes| Object::String(bytes, StringFormat::Literal));
    lopdf::decode_text_string(text.as_ref().unwrap_or(object)).ok().filter(|text| !text.trim().is_empty())
}
