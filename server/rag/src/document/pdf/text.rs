//! Runs the content of PDF pages as far as it shows text and draws lines.

use std::{collections::HashMap, rc::Rc};

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, content::Operation};

use super::{
    MAX_STREAM, Unreadable, color,
    font::Font,
    form,
    glyphs::{Ground, Placement, Shapes},
    malformed,
    marks::{Mark, Marks},
    matrix::{Matrix, number},
    operations::operations,
    path::Path,
    resolve,
    state::State,
    tags::{Role, Tags},
    visible::{Frame, Layers, visible_box},
};

/// Maximum operations of all pages of a document together.
const MAX_OPERATIONS: usize = 5_000_000;
/// Maximum bytes of the content of all pages and forms of a document together; repeated content counts each time.
const MAX_UNPACKED: usize = 256 * 1024 * 1024;
/// The middle of a glyph above its baseline, as a share of the size.
const BASELINE: f32 = 0.38;
/// Maximum nesting of forms.
const MAX_DEPTH: usize = 4;
/// What each page shows, one after the other, given to `take`.
///
/// # Errors
/// When the pages have more than [`MAX_OPERATIONS`] operations, more than [`MAX_UNPACKED`] bytes or too many glyphs. A page
/// that cannot be read is empty.
pub(super) fn pages(
    document: &Document,
    tags: &mut Tags,
    mut take: impl FnMut(Shapes, &Tags),
) -> Result<(), Unreadable> {
    let (operations_left, bytes_left) = (MAX_OPERATIONS, MAX_UNPACKED);
    let (layers, fonts, shapes) = (Layers::read(document), HashMap::new(), Shapes::default());
    let mut reader = PdfReader {
        document,
        operations_left,
        bytes_left,
        layers,
        marks: Marks::default(),
        roles: HashMap::new(),
        begins_seen: None,
        fonts,
        shapes,
    };
    for page in document.page_iter() {
        let resources = resources(document, page);
        reader.roles = tags.take_page(page);
        if let Some(content) = reader.page(page) {
            reader.shapes.frame = visible_box(document, page);
            let state = State::new(reader.shapes.frame);
            reader.read(content, &resources, state, 0);
        }
        let mut shapes = std::mem::take(&mut reader.shapes);
        form::show(document, page, &mut shapes);
        if reader.operations_left == 0 || reader.bytes_left == 0 || shapes.is_full() {
            return Err(malformed(&"its pages are too long"));
        }
        take(shapes, tags);
    }
    Ok(())
}

/// The resource dictionaries that content may refer to, innermost first.
type Resources<'a> = Vec<&'a Dictionary>;

/// A named resource.
fn find<'a>(document: &'a Document, resources: &Resources<'a>, kind: &[u8], name: &[u8]) -> Option<&'a Object> {
    let mut all = resources.iter().filter_map(|all| all.get_deref(kind, document).and_then(Object::as_dict).ok());
    all.find_map(|all| all.get_deref(name, document).ok())
}

fn resources(document: &Document, page: ObjectId) -> Resources<'_> {
    let Ok((own, inherited)) = document.get_page_resources(page) else { return Vec::new() };
    own.into_iter().chain(inherited.into_iter().filter_map(|id| document.get_dictionary(id).ok())).collect()
}

struct PdfReader<'a> {
    document: &'a Document,
    /// Operations that may still be read.
    operations_left: usize,
    /// Bytes that may still be unpacked.
    bytes_left: usize,
    layers: Layers,
    /// The open parts of marked content.
    marks: Marks,
    /// The roles of the page's tagged parts.
    roles: HashMap<i64, Role>,
    /// Whether the string that is shown begins where it is seen.
    begins_seen: Option<bool>,
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
            if content.len() > MAX_STREAM || self.bytes_left == 0 {
                return None;
            }
        }
        Some(content)
    }

    /// Unpacks a stream within the remaining bytes. A stream that fails, or that has several filters, counts as the
    /// maximum that it could have been, because the size in between is unknown.
    fn unpack(&mut self, stream: &Stream) -> Option<Vec<u8>> {
        let most = MAX_STREAM.min(self.bytes_left);
        let content = stream.get_plain_content_with_limit(most).ok();
        let filters = stream.filters().unwrap_or_default();
        let several = filters.iter().filter(|name| !name.starts_with(b"ASCII")).count() > 1;
        let cost =
            content.as_ref().filter(|_| !several).map_or(most, |content| content.len().max(stream.content.len()));
        self.bytes_left = self.bytes_left.saturating_sub(cost);
        content
    }

    fn read(&mut self, content: Vec<u8>, resources: &Resources<'a>, state: State<'a>, depth: usize) {
        let (mut state, mut saved, mut path, mut clips) = (state, Vec::new(), Path::default(), false);
        let (outer, document) = (self.marks.len(), self.document);
        for operation in &operations(content) {
            self.operations_left = self.operations_left.saturating_sub(1);
            if self.operations_left == 0 || self.bytes_left == 0 {
                return;
            }
            self.begins_seen = None;
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
                "c" | "v" | "y" => path.curve(operation, state.page),
                "W" | "W*" => clips = true,
                "S" | "s" | "B" | "B*" | "b" | "b*" | "f" | "F" | "f*" | "n" => {
                    let (frame, is_box) = (path.frame(), path.is_rectangle());
                    let painted = std::mem::take(&mut path);
                    if !self.marks.is_off() {
                        painted.paint(&operation.operator, &state, &mut self.shapes);
                    }
                    if std::mem::take(&mut clips) {
                        state.clip(frame, is_box);
                    }
                }
                "sh" if !self.marks.is_off() => self.shapes.ground(state.frame, Ground::Color),
                "BI" => self.image(&state),
                "g" | "rg" | "k" | "cs" | "sc" | "scn" => {
                    let find_space = |name: &[u8]| find(document, resources, b"ColorSpace", name);
                    state.fill = state.fill.after(operation, document, find_space);
                }
                "gs" => {
                    let name = operation.operands.first().and_then(|name| name.as_name().ok());
                    let set = name.and_then(|name| find(document, resources, b"ExtGState", name)?.as_dict().ok());
                    state.is_opaque = set.and_then(|set| color::is_opaque(document, set)).unwrap_or(state.is_opaque);
                }
                "BMC" => self.marks.open(Mark::default(), None),
                "BDC" => self.open_mark(operation, resources, depth == 0),
                "EMC" if self.marks.len() > outer => self.marks.close(&mut self.shapes),
                _ => state.place(operation),
            }
        }
        while self.marks.len() > outer {
            self.marks.close(&mut self.shapes);
        }
    }

    /// Opens a part of marked content, which may be a layer or have another text than its glyphs.
    fn open_mark(&mut self, operation: &Operation, resources: &Resources<'a>, is_page: bool) {
        let document = self.document;
        let [tag, properties, ..] = operation.operands.as_slice() else {
            return self.marks.open(Mark::default(), None);
        };
        let find_properties = |name: &[u8]| {
            let mut all = resources.iter().filter_map(|resources| resources.get_deref(b"Properties", document).ok());
            all.find_map(|all| all.as_dict().ok()?.get(name).ok())
        };
        let properties = properties.as_name().ok().and_then(find_properties).unwrap_or(properties);
        let is_off = tag.as_name().is_ok_and(|tag| tag == b"OC") && self.layers.is_off(document, properties);
        let properties = resolve(document, properties).as_dict().ok();
        let text = properties.and_then(|properties| properties.get_deref(b"ActualText", document).ok());
        // The parts of a form have numbers of their own.
        let number = properties.filter(|_| is_page).and_then(|properties| properties.get(b"MCID").ok()?.as_i64().ok());
        let role = number.and_then(|number| self.roles.get(&number).copied());
        self.marks.open(Mark { is_off, role }, text.and_then(|text| lopdf::decode_text_string(text).ok()));
    }

    /// The font of this name; each font is read once.
    fn font(&mut self, resources: &Resources<'a>, name: &[u8]) -> Option<Rc<Font<'a>>> {
        let document = self.document;
        let font = resources.iter().find_map(|dictionary| {
            let fonts = dictionary.get_deref(b"Font", document).and_then(Object::as_dict).ok()?;
            resolve(document, fonts.get(name).ok()?).as_dict().ok()
        })?;
        let read = || Rc::new(Font::read(document, font));
        Some(Rc::clone(self.fonts.entry(std::ptr::from_ref(font)).or_insert_with(read)))
    }

    /// Runs a form: content outside the page's own stream.
    fn form(&mut self, operation: &Operation, resources: &Resources<'a>, state: &State<'a>, depth: usize) {
        let Some(Ok(name)) = operation.operands.first().map(Object::as_name) else { return };
        let form = find(self.document, resources, b"XObject", name).and_then(|form| form.as_stream().ok());
        let Some(form) = form else { return };
        match form.dict.get(b"Subtype").and_then(Object::as_name) {
            Ok(b"Form") if depth < MAX_DEPTH => {}
            Ok(b"Image") => return self.image(state),
            _ => return,
        }
        let Some(content) = self.unpack(form) else { return };
        let own = form.dict.get_deref(b"Resources", self.document).and_then(Object::as_dict).ok();
        let resources = own.into_iter().chain(resources.iter().copied()).collect();
        let mut state = state.clone();
        let inner = form.dict.get_deref(b"Matrix", self.document).and_then(Object::as_array).ok();
        state.page = inner.and_then(|inner| Matrix::of(inner)).map_or(state.page, |inner| inner.then(state.page));
        let corners = form.dict.get_deref(b"BBox", self.document).and_then(Object::as_array).ok();
        let frame = corners.and_then(|corners| Frame::of(self.document, corners));
        state.clip(frame.map(|frame| frame.turned(state.page)), true);
        let is_off = form.dict.get(b"OC").is_ok_and(|layer| self.layers.is_off(self.document, layer));
        self.marks.open(Mark { is_off, role: None }, None);
        self.read(content, &resources, state, depth + 1);
        self.marks.close(&mut self.shapes);
    }

    /// Notes where an image is.
    fn image(&mut self, state: &State<'a>) {
        if self.marks.is_off() {
            return;
        }
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| state.page.point(x, y));
        let frame = Frame::around(corners.into_iter());
        self.shapes.ground(Some(state.frame.map_or(frame, |outer| outer.within(frame))), Ground::Image);
    }

    /// Shows strings; a number between them moves the next one by thousandths of the size.
    fn show(&mut self, operands: &[Object], state: &mut State<'a>) {
        for operand in operands {
            match operand {
                Object::Array(parts) => self.show(parts, state),
                Object::String(codes, _) => self.show_string(codes, state),
                number => {
                    if let Ok(number) = number.as_float() {
                        let is_vertical = state.font.as_ref().is_some_and(|font| font.down.is_some());
                        let back = if is_vertical { -number } else { number };
                        state.advance(-back / 1000.0 * state.size);
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
            // The glyphs of a vertical line hang below their places, with the line in their middle.
            let (width, shift) = font.down.map_or((shape.width, 0.0), |down| (down, -BASELINE * state.size));
            let start = state.text.moved(shift, state.rise).then(state.page).0;
            let before = state.text;
            state.advance(width * state.size);
            let end = state.text.moved(shift, state.rise).then(state.page).0;
            let spacing = state.letters + if shape.is_space { state.words } else { 0.0 };
            state.text = before;
            state.advance(width * state.size + if font.down.is_some() { -spacing } else { spacing });
            let along = if font.down.is_some() { (-start[2], -start[3]) } else { (start[0], start[1]) };
            let placement = Placement {
                start: (start[4], start[5]),
                end: (end[4], end[5]),
                along: (along.0 * sign, along.1 * sign),
                size: state.size.abs() * start[2].hypot(start[3]),
                is_bold: state.is_bold() || font.is_bold,
                look: state.look(),
                role: self.marks.role(),
            };
            // A word that crosses the edge is read whole.
            let is_inside = || state.frame.is_none_or(|frame| placement.is_within(frame));
            let begins_seen = *self.begins_seen.get_or_insert_with(is_inside);
            let is_seen = !self.marks.is_off() && (begins_seen || is_inside());
            self.marks.show(shape.text.as_deref(), placement, is_seen, &mut self.shapes);
        }
    }
}
