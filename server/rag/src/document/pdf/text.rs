//! The text of PDF pages: groups strings into lines by their position, and lines into paragraphs by their distance.
//! `lopdf` reads objects and encodings only: its own text has no positions, so words of different lines run together.

use std::{collections::HashMap, rc::Rc};

use lopdf::{
    Dictionary, Document, Object, ObjectId, Stream,
    content::{Content, Operation},
};

use super::{
    MAX_STREAM, Unreadable,
    font::{Font, resolve},
    malformed,
};

/// Maximum operations of all pages of a document together.
const MAX_OPERATIONS: usize = 5_000_000;
/// Maximum bytes of the content of all pages and forms of a document together; repeated content counts each time.
const MAX_UNPACKED: usize = 256 * 1024 * 1024;
/// Maximum nesting of forms.
const MAX_DEPTH: usize = 4;
/// A gap of this share of the font's size separates two words.
const WORD: f32 = 0.15;
/// Lines further apart than this many sizes belong to two paragraphs.
const PARAGRAPH: f32 = 1.6;

/// The text of each page, in lines, with an empty line between paragraphs.
///
/// # Errors
/// When the pages have more than [`MAX_OPERATIONS`] operations or more than [`MAX_UNPACKED`] bytes. A page that cannot
/// be read is empty.
pub(super) fn pages(document: &Document) -> Result<Vec<String>, Unreadable> {
    let (left, bytes) = (MAX_OPERATIONS, MAX_UNPACKED);
    let mut reader = PdfReader { document, left, bytes, fonts: HashMap::new(), shown: Shown::default() };
    let page = |page| {
        let resources = resources(document, page);
        if let Some(content) = reader.page(page) {
            reader.read(&content, &resources, State::default(), 0);
        }
        let shown = std::mem::take(&mut reader.shown);
        let spent = reader.left == 0 || reader.bytes == 0;
        if spent { Err(malformed(&"its pages are too long")) } else { Ok(shown.text) }
    };
    document.page_iter().map(page).collect()
}

/// The resource dictionaries that content may refer to, innermost first.
type Resources<'a> = Vec<&'a Dictionary>;

fn resources(document: &Document, page: lopdf::ObjectId) -> Resources<'_> {
    let Ok((own, inherited)) = document.get_page_resources(page) else { return Vec::new() };
    own.into_iter().chain(inherited.into_iter().filter_map(|id| document.get_dictionary(id).ok())).collect()
}

/// A matrix as PDF writes it: x' = a x + c y + e, y' = b x + d y + f.
#[derive(Clone, Copy)]
struct Matrix([f32; 6]);

impl Matrix {
    const SAME: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// The product: first `self`, then `next`.
    fn then(self, next: Self) -> Self {
        let (Self([a, b, c, d, e, f]), Self([g, h, i, j, k, l])) = (self, next);
        Self([a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l])
    }

    fn moved(self, x: f32, y: f32) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y]).then(self)
    }
}

/// The graphics state, as far as it places text.
#[derive(Clone)]
struct State<'a> {
    page: Matrix,
    font: Option<Rc<Font<'a>>>,
    size: f32,
    leading: f32,
    letters: f32,
    words: f32,
    stretch: f32,
    /// The position of the next string, and where its line began.
    text: Matrix,
    line: Matrix,
}

impl Default for State<'_> {
    fn default() -> Self {
        let same = Matrix::SAME;
        let (size, leading, letters, words, stretch) = (0.0, 0.0, 0.0, 0.0, 1.0);
        Self { page: same, font: None, size, leading, letters, words, stretch, text: same, line: same }
    }
}

impl State<'_> {
    fn next_line(&mut self, x: f32, y: f32) {
        self.line = self.line.moved(x, y);
        self.text = self.line;
    }

    fn advance(&mut self, width: f32) {
        self.text = self.text.moved(width * self.stretch, 0.0);
    }
}

/// The text in the order of the content stream, with the position where the last string ended.
#[derive(Default)]
struct Shown {
    text: String,
    last: Option<(f32, f32)>,
}

impl Shown {
    /// Adds a string that is shown from `start` to `end` in letters of `size`, all in page units. `along` is the direction of
    /// its line, which a turned page changes.
    fn add(&mut self, string: &str, start: (f32, f32), end: (f32, f32), along: (f32, f32), size: f32) {
        if let Some(last) = self.last {
            let length = along.0.hypot(along.1).max(f32::MIN_POSITIVE);
            let (cos, sin) = (along.0 / length, along.1 / length);
            let (x, y) = (start.0 - last.0, start.1 - last.1);
            let (right, down) = (x * cos + y * sin, x * sin - y * cos);
            if down.abs() > size / 2.0 {
                let near = down > 0.0 && down <= PARAGRAPH * size;
                self.text.push_str(if near { "\n" } else { "\n\n" });
            } else if right < -size {
                self.text.push('\n');
            } else if right > WORD * size && !self.text.ends_with(char::is_whitespace) && !string.starts_with(' ') {
                self.text.push(' ');
            }
        }
        self.text.extend(string.chars().filter(|c| !c.is_control() && *c != '\u{FFFD}').flat_map(whole));
        self.last = Some(end);
    }
}

/// A letter, or the letters of a ligature.
fn whole(letter: char) -> impl Iterator<Item = char> {
    let letters = match letter {
        '\u{FB00}' => "ff",
        '\u{FB01}' => "fi",
        '\u{FB02}' => "fl",
        '\u{FB03}' => "ffi",
        '\u{FB04}' => "ffl",
        _ => "",
    };
    letters.chars().chain(letters.is_empty().then_some(letter))
}

struct PdfReader<'a> {
    document: &'a Document,
    /// Operations that may still be read.
    left: usize,
    /// Bytes that may still be unpacked.
    bytes: usize,
    /// Fonts that were read, by their dictionaries.
    fonts: HashMap<*const Dictionary, Rc<Font<'a>>>,
    shown: Shown,
}

impl<'a> PdfReader<'a> {
    /// The content of a page; `None` when it is too large.
    fn page(&mut self, page: ObjectId) -> Option<Vec<u8>> {
        let mut content = Vec::new();
        for id in self.document.get_page_contents(page) {
            let Ok(stream) = self.document.get_object(id).and_then(Object::as_stream) else { continue };
            content.extend(self.unpack(stream).unwrap_or_default());
            content.push(b'\n');
            if content.len() > MAX_STREAM || self.bytes == 0 {
                return None;
            }
        }
        Some(content)
    }

    /// Unpacks a stream within the remaining bytes. A stream that fails, or that has several filters, counts as the
    /// maximum that it could have been, because the size in between is unknown.
    fn unpack(&mut self, stream: &Stream) -> Option<Vec<u8>> {
        let most = MAX_STREAM.min(self.bytes);
        let content = stream.get_plain_content_with_limit(most).ok();
        let filters = stream.filters().unwrap_or_default();
        let several = filters.iter().filter(|name| !name.starts_with(b"ASCII")).count() > 1;
        let cost =
            content.as_ref().filter(|_| !several).map_or(most, |content| content.len().max(stream.content.len()));
        self.bytes = self.bytes.saturating_sub(cost);
        content
    }

    fn read(&mut self, content: &[u8], resources: &Resources<'a>, state: State<'a>, depth: usize) {
        let Ok(content) = Content::decode(content) else { return };
        let (mut state, mut saved) = (state, Vec::new());
        for operation in &content.operations {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 || self.bytes == 0 {
                return;
            }
            match operation.operator.as_str() {
                "q" => saved.push(state.clone()),
                "Q" => state = saved.pop().unwrap_or(state),
                "cm" => state.page = matrix(operation).map_or(state.page, |matrix| matrix.then(state.page)),
                "Do" => self.form(operation, resources, &state, depth),
                "Tf" => {
                    let name = operation.operands.first().and_then(|name| name.as_name().ok());
                    state.font = name.and_then(|name| self.font(resources, name));
                    state.size = number(operation, 1);
                }
                "Tj" | "TJ" => self.show(&operation.operands, &mut state),
                "'" | "\"" => {
                    state.next_line(0.0, -state.leading);
                    self.show(&operation.operands, &mut state);
                }
                _ => place(operation, &mut state),
            }
        }
    }

    /// The font of this name; each font is read once.
    fn font(&mut self, resources: &Resources<'a>, name: &[u8]) -> Option<Rc<Font<'a>>> {
        let document = self.document;
        let font = resources.iter().find_map(|dictionary| {
            let named = dictionary.get_deref(b"Font", document).and_then(Object::as_dict).ok()?;
            resolve(document, named.get(name).ok()?).as_dict().ok()
        })?;
        let read = || Rc::new(Font::read(document, font));
        Some(Rc::clone(self.fonts.entry(std::ptr::from_ref(font)).or_insert_with(read)))
    }

    /// Runs a form: content outside the page's own stream.
    fn form(&mut self, operation: &Operation, resources: &Resources<'a>, state: &State<'a>, depth: usize) {
        let Some(Ok(name)) = operation.operands.first().map(Object::as_name) else { return };
        let find = |dictionary: &&'a Dictionary| {
            let forms = dictionary.get_deref(b"XObject", self.document).and_then(Object::as_dict).ok()?;
            forms.get_deref(name, self.document).and_then(Object::as_stream).ok()
        };
        let Some(form) = resources.iter().find_map(find) else { return };
        let is_form = form.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Form");
        if !is_form || depth == MAX_DEPTH {
            return;
        }
        let Some(content) = self.unpack(form) else { return };
        let own = form.dict.get_deref(b"Resources", self.document).and_then(Object::as_dict).ok();
        let resources = own.into_iter().chain(resources.iter().copied()).collect();
        let mut state = state.clone();
        let inner = form.dict.get_deref(b"Matrix", self.document).and_then(Object::as_array).ok();
        state.page = inner.and_then(|inner| numbers(inner)).map_or(state.page, |inner| inner.then(state.page));
        self.read(&content, &resources, state, depth + 1);
    }

    /// Shows strings; a number between them moves the next one by thousandths of the size.
    fn show(&mut self, operands: &[Object], state: &mut State<'a>) {
        for operand in operands {
            match operand {
                Object::Array(parts) => self.show(parts, state),
                Object::String(codes, _) => self.show_string(codes, state),
                number => {
                    if let Ok(number) = number.as_float() {
                        state.advance(-number / 1000.0 * state.size);
                    }
                }
            }
        }
    }

    fn show_string(&mut self, codes: &[u8], state: &mut State<'a>) {
        let Some(font) = state.font.clone() else { return };
        let (width, count, spaces) = font.measure(codes);
        #[allow(clippy::cast_precision_loss, reason = "a string has fewer than 2^24 codes")]
        let (count, spaces) = (count as f32, spaces as f32);
        let start = state.text.then(state.page).0;
        state.advance(width / 1000.0 * state.size + count * state.letters + spaces * state.words);
        let end = state.text.then(state.page).0;
        let size = state.size.abs() * start[2].hypot(start[3]);
        if let Some(string) = font.decode(codes).filter(|string| !string.is_empty()) {
            // A negative size turns the letters around.
            let along = (start[0] * state.size.signum(), start[1] * state.size.signum());
            self.shown.add(&string, (start[4], start[5]), (end[4], end[5]), along, size);
        }
    }
}

/// Handles operations that only set the text position and style.
fn place(operation: &Operation, state: &mut State<'_>) {
    let [first, second] = [number(operation, 0), number(operation, 1)];
    match operation.operator.as_str() {
        "BT" => (state.text, state.line) = (Matrix::SAME, Matrix::SAME),
        "Td" => state.next_line(first, second),
        "TD" => {
            state.leading = -second;
            state.next_line(first, second);
        }
        "Tm" => {
            state.line = matrix(operation).unwrap_or(state.line);
            state.text = state.line;
        }
        "T*" => state.next_line(0.0, -state.leading),
        "TL" => state.leading = first,
        "Tc" => state.letters = first,
        "Tw" => state.words = first,
        "Tz" => state.stretch = first / 100.0,
        _ => {}
    }
}

/// An operand that is a number, otherwise 0.
fn number(operation: &Operation, at: usize) -> f32 {
    operation.operands.get(at).and_then(|number| number.as_float().ok()).unwrap_or(0.0)
}

fn matrix(operation: &Operation) -> Option<Matrix> {
    numbers(&operation.operands)
}

fn numbers(objects: &[Object]) -> Option<Matrix> {
    let numbers: Option<Vec<f32>> = objects.iter().map(|number| number.as_float().ok()).collect();
    numbers?.try_into().ok().map(Matrix)
}
