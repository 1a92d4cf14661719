//! Runs the content of PDF pages as far as it shows text and draws lines.

use std::{collections::HashMap, rc::Rc};

use lopdf::{
    Dictionary, Document, Object, ObjectId, Stream,
    content::{Content, Operation},
};

use super::{
    MAX_STREAM, Unreadable,
    font::Font,
    form,
    glyphs::{Shapes, Shown},
    malformed,
    matrix::Matrix,
    resolve,
};

/// Maximum operations of all pages of a document together.
const MAX_OPERATIONS: usize = 5_000_000;
/// Maximum bytes of the content of all pages and forms of a document together; repeated content counts each time.
const MAX_UNPACKED: usize = 256 * 1024 * 1024;
/// Maximum lines of a path.
const MAX_PATH: usize = 10_000;
/// A filled shape that is thinner than this is a line.
const MAX_LINE: f32 = 2.0;
/// The rendering mode that fills letters and draws around them.
const FILL_AND_DRAW: f32 = 2.0;
/// Maximum nesting of forms.
const MAX_DEPTH: usize = 4;
/// What each page shows, one after the other, given to `take`.
///
/// # Errors
/// When the pages have more than [`MAX_OPERATIONS`] operations, more than [`MAX_UNPACKED`] bytes or too many glyphs. A page
/// that cannot be read is empty.
pub(super) fn pages(document: &Document, mut take: impl FnMut(Shapes)) -> Result<(), Unreadable> {
    let (left, bytes) = (MAX_OPERATIONS, MAX_UNPACKED);
    let mut reader = PdfReader { document, left, bytes, fonts: HashMap::new(), shapes: Shapes::default() };
    for page in document.page_iter() {
        let resources = resources(document, page);
        if let Some(content) = reader.page(page) {
            reader.read(&content, &resources, State::default(), 0);
        }
        let mut shapes = std::mem::take(&mut reader.shapes);
        form::show(document, page, &mut shapes);
        if reader.left == 0 || reader.bytes == 0 || shapes.is_full() {
            return Err(malformed(&"its pages are too long"));
        }
        take(shapes);
    }
    Ok(())
}

/// The resource dictionaries that content may refer to, innermost first.
type Resources<'a> = Vec<&'a Dictionary>;

fn resources(document: &Document, page: ObjectId) -> Resources<'_> {
    let Ok((own, inherited)) = document.get_page_resources(page) else { return Vec::new() };
    own.into_iter().chain(inherited.into_iter().filter_map(|id| document.get_dictionary(id).ok())).collect()
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
    rise: f32,
    /// Whether the letters are filled and drawn around, which makes them bold.
    is_bold: bool,
    /// The position of the next string, and where its line began.
    text: Matrix,
    line: Matrix,
}

impl Default for State<'_> {
    fn default() -> Self {
        let same = Matrix::SAME;
        let (size, leading, letters, words, stretch, rise) = (0.0, 0.0, 0.0, 0.0, 1.0, 0.0);
        Self {
            page: same,
            font: None,
            size,
            leading,
            letters,
            words,
            stretch,
            rise,
            is_bold: false,
            text: same,
            line: same,
        }
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

struct PdfReader<'a> {
    document: &'a Document,
    /// Operations that may still be read.
    left: usize,
    /// Bytes that may still be unpacked.
    bytes: usize,
    /// Fonts that were read, by their dictionaries.
    fonts: HashMap<*const Dictionary, Rc<Font<'a>>>,
    shapes: Shapes,
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
        let (mut state, mut saved, mut path) = (state, Vec::new(), Path::default());
        for operation in &content.operations {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 || self.bytes == 0 {
                return;
            }
            match operation.operator.as_str() {
                "q" => saved.push(state.clone()),
                "Q" => state = saved.pop().unwrap_or(state),
                "cm" => {
                    state.page = Matrix::of(&operation.operands).map_or(state.page, |matrix| matrix.then(state.page))
                }
                "Do" => self.form(operation, resources, &state, depth),
                "Tf" => {
                    let name = operation.operands.first().and_then(|name| name.as_name().ok());
                    state.font = name.and_then(|name| self.font(resources, name));
                    state.size = number(operation, 1);
                }
                "Tj" | "TJ" => self.show(&operation.operands, &mut state),
                "'" => {
                    state.next_line(0.0, -state.leading);
                    self.show(&operation.operands, &mut state);
                }
                "\"" => {
                    (state.words, state.letters) = (number(operation, 0), number(operation, 1));
                    state.next_line(0.0, -state.leading);
                    self.show(operation.operands.get(2..).unwrap_or_default(), &mut state);
                }
                "re" => path.rectangle(operation, state.page),
                "m" | "l" => path.point(operation, state.page),
                "h" => path.close(),
                "S" | "s" | "B" | "B*" | "b" | "b*" | "f" | "F" | "f*" => {
                    let is_drawn = !operation.operator.starts_with(['f', 'F']);
                    path.paint(is_drawn, &mut self.shapes);
                }
                "n" => path = Path::default(),
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
        state.page = inner.and_then(|inner| Matrix::of(inner)).map_or(state.page, |inner| inner.then(state.page));
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
        let Some(font) = state.font.clone() else {
            self.shapes.unknown += codes.len();
            return;
        };
        // A negative size turns the letters around.
        let sign = if state.size < 0.0 { -1.0 } else { 1.0 };
        let mut rest = codes;
        while !rest.is_empty() {
            let (shape, length) = font.next(rest);
            rest = rest.get(length..).unwrap_or_default();
            let start = state.text.moved(0.0, state.rise).then(state.page).0;
            let before = state.text;
            state.advance(shape.width * state.size);
            let end = state.text.moved(0.0, state.rise).then(state.page).0;
            let spacing = state.letters + if shape.is_space { state.words } else { 0.0 };
            state.text = before;
            state.advance(shape.width * state.size + spacing);
            let Some(text) = &shape.text else {
                self.shapes.unknown += 1;
                continue;
            };
            let shown = Shown {
                start: (start[4], start[5]),
                end: (end[4], end[5]),
                along: (start[0] * sign, start[1] * sign),
                size: state.size.abs() * start[2].hypot(start[3]),
                is_bold: state.is_bold || font.is_bold,
            };
            self.shapes.show(text, &shown);
        }
    }
}

/// The path that is being drawn, in units of the page, as far as it has straight lines.
#[derive(Default)]
struct Path {
    lines: Vec<((f32, f32), (f32, f32))>,
    /// Where the path began, and where it is.
    ends: Option<((f32, f32), (f32, f32))>,
}

impl Path {
    fn rectangle(&mut self, operation: &Operation, page: Matrix) {
        let [x, y, width, height] = [0, 1, 2, 3].map(|at| number(operation, at));
        let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
        let corners = corners.map(|(x, y)| page.point(x, y));
        (0..4).for_each(|at| self.add(corners[at], corners[(at + 1) % 4]));
    }

    fn point(&mut self, operation: &Operation, page: Matrix) {
        let point = page.point(number(operation, 0), number(operation, 1));
        match self.ends {
            Some((first, last)) if operation.operator == "l" => {
                self.add(last, point);
                self.ends = Some((first, point));
            }
            _ => self.ends = Some((point, point)),
        }
    }

    fn close(&mut self) {
        if let Some((first, last)) = self.ends {
            self.add(last, first);
        }
    }

    fn add(&mut self, from: (f32, f32), to: (f32, f32)) {
        if self.lines.len() < MAX_PATH {
            self.lines.push((from, to));
        }
    }

    /// Paints the path. A filled one is a line only if it is thin.
    fn paint(&mut self, is_drawn: bool, shapes: &mut Shapes) {
        let path = std::mem::take(self);
        let ends = || path.lines.iter().flat_map(|(from, to)| [from, to]);
        let span = |of: fn(&(f32, f32)) -> f32| {
            ends().map(of).fold(f32::MIN, f32::max) - ends().map(of).fold(f32::MAX, f32::min)
        };
        if is_drawn || path.lines.len() <= 4 && (span(|end| end.0) < MAX_LINE || span(|end| end.1) < MAX_LINE) {
            path.lines.iter().for_each(|(from, to)| shapes.rule(*from, *to));
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
            state.line = Matrix::of(&operation.operands).unwrap_or(state.line);
            state.text = state.line;
        }
        "T*" => state.next_line(0.0, -state.leading),
        "TL" => state.leading = first,
        "Tc" => state.letters = first,
        "Tw" => state.words = first,
        "Tz" => state.stretch = first / 100.0,
        "Ts" => state.rise = first,
        "Tr" => state.is_bold = (first - FILL_AND_DRAW).abs() < 0.5,
        _ => {}
    }
}

/// An operand that is a number, otherwise 0.
fn number(operation: &Operation, at: usize) -> f32 {
    operation.operands.get(at).and_then(|number| number.as_float().ok()).unwrap_or(0.0)
}
