//! DOCX to sections: headings, paragraphs, lists, tables, text boxes, notes, charts and diagrams of the main text, as they
//! are shown, without headers, footers and comments.

mod chunks;
mod fields;
mod formulas;
mod numbering;
mod styles;
mod tables;
mod tabs;

use std::collections::HashMap;

use roxmltree::Node;

use self::{
    fields::Fields,
    numbering::Numbering,
    styles::{InList, Look, Styles, has_ground, outline_level, value},
    tables::is_layout,
};
use super::{
    Content, Omission, Omissions, Section, Unreadable,
    builder::{Builder, Weight},
    drawing, notes,
    numerals::Mark,
    ooxml::{Package, Parts, Relations, choice, relation_id},
    raised::{Height, Runs},
    symbols,
    xml::{Format, attribute, child, is},
};

const FORMAT: Format = Format("DOCX");
/// The kind of parts in other formats.
const CHUNK: &str = "aFChunk";
/// The kinds of parts that are read beside the main text.
const PARTS: [&str; 4] = ["styles", "numbering", "footnotes", "endnotes"];

/// The document's title and its sections.
pub(super) fn read(bytes: &[u8]) -> Result<Content, Unreadable> {
    read_within(bytes, 0)
}

/// Reads a document that is embedded in so many others.
fn read_within(bytes: &[u8], documents: usize) -> Result<Content, Unreadable> {
    let package = Package::open(FORMAT, bytes)?;
    let (main, path) = package.main("word/document.xml", "main text")?;
    let relations = package.relations_of(&path)?;
    // A file without relations can still have styles.
    let usual = PARTS.map(|kind| (kind, format!("word/{kind}.xml")));
    let paths = usual.map(|(kind, usual)| (kind, relations.of_kind(kind).map_or(usual, str::to_owned)));
    let own = paths.iter().map(|(_, path)| path.as_str());
    let mut parts = package.parts(own.chain(relations.all(&drawing::KINDS)).chain(relations.all(&[CHUNK])))?;
    let mut reader = DocxReader { relations, documents, ..DocxReader::default() };
    for (kind, path) in &paths {
        let Some(part) = parts.take(path) else { continue };
        let text = FORMAT.text(Some(part), kind)?;
        let page = FORMAT.parse(&text)?;
        match *kind {
            "styles" => reader.styles = Styles::read(&page),
            "numbering" => reader.numbering = Numbering::read(&page, &reader.styles),
            _ => reader.read_notes(kind, page.root_element()),
        }
    }
    reader.parts = parts;
    let page = FORMAT.parse(&main)?;
    let is_ground = |node: Node<'_, '_>| is(node, "background") || attribute(node, "behindDoc") == Some("1");
    reader.has_grounds = page.descendants().any(is_ground);
    if let Some(body) = page.descendants().find(|node| is(*node, "body")) {
        reader.blocks(body)?;
    }
    reader.lists_to(0);
    let title = package.title()?.or(reader.title);
    Ok(Content { omissions: reader.omissions, ..(title, reader.builder.finish()).into() })
}

#[derive(Default)]
struct DocxReader {
    builder: Builder,
    styles: Styles,
    numbering: Numbering,
    relations: Relations,
    /// Charts and diagrams.
    parts: Parts,
    /// The texts of notes by their kind and id.
    notes: HashMap<(&'static str, String), String>,
    title: Option<String>,
    /// Open lists.
    depth: usize,
    /// Open text boxes. Their headings do not divide the text around them.
    boxes: usize,
    /// A large first letter, which has a paragraph of its own.
    drop_cap: String,
    omissions: Omissions,
    /// How many documents this one is embedded in.
    documents: usize,
    /// Whether white text may stand on a page or picture of another color.
    has_grounds: bool,
}

/// A paragraph that is being read.
#[derive(Default)]
struct Line<'a, 'b> {
    runs: Runs,
    weight: Weight,
    notes: Vec<String>,
    /// Text boxes, charts and diagrams, which follow it.
    boxes: Vec<Node<'a, 'b>>,
    fields: Fields,
    /// Why the last run was left out.
    omission: Option<Omission>,
}

impl DocxReader {
    fn read_notes(&mut self, kind: &str, root: Node<'_, '_>) {
        let kind = if kind == "footnotes" { "footnoteReference" } else { "endnoteReference" };
        for note in root.children().filter(Node::is_element) {
            let text = self.cell_text(note);
            if let Some(id) = attribute(note, "id").filter(|_| !text.is_empty()) {
                self.notes.insert((kind, id.to_owned()), text);
            }
        }
    }

    /// Paragraphs and tables, also inside content controls.
    fn blocks(&mut self, parent: Node<'_, '_>) -> Result<(), Unreadable> {
        let mut rest: &[Node<'_, '_>] = &parent.children().filter(Node::is_element).collect::<Vec<_>>();
        while let Some((&node, after)) = rest.split_first() {
            let lines = self.tabbed_lines(rest);
            if lines > 0 {
                self.tabbed(&rest[..lines])?;
                rest = &rest[lines..];
                continue;
            }
            rest = after;
            match node.tag_name().name() {
                "p" => self.paragraph(node)?,
                "altChunk" => self.chunk(node),
                "tbl" if is_layout(node) => self.layout(node)?,
                "tbl" => self.table(node)?,
                "sdt" | "sdtContent" | "ins" | "moveTo" | "customXml" => self.blocks(node)?,
                "AlternateContent" => choice(node).map_or(Ok(()), |branch| self.blocks(branch))?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The content of a part in another format.
    fn chunk_content(&mut self, node: Node<'_, '_>) -> Vec<Section> {
        let path = relation_id(node, "id").and_then(|id| self.relations.path(id)).map(str::to_owned);
        let part = path.and_then(|path| self.parts.take(&path));
        let documents = self.documents + 1;
        let read = |part: &[u8]| (documents <= chunks::MAX_DEPTH).then(|| read_within(part, documents)).transpose();
        let Some(content) = part.and_then(|part| chunks::content(&part, read).ok().flatten()) else {
            self.omit(Omission::EmbeddedObjects);
            return Vec::new();
        };
        for (kind, count) in content.omissions {
            *self.omissions.entry(kind).or_default() += count;
        }
        content.sections
    }

    fn chunk(&mut self, node: Node<'_, '_>) {
        self.lists_to(0);
        for section in self.chunk_content(node) {
            if let Some(heading) = section.heading_path.last() {
                self.builder.text(heading);
                self.builder.heading(u8::try_from(section.heading_path.len()).unwrap_or(u8::MAX), None);
            }
            self.builder.block(&section.text);
        }
    }

    fn omit(&mut self, kind: Omission) {
        *self.omissions.entry(kind).or_default() += 1;
    }

    fn paragraph(&mut self, node: Node<'_, '_>) -> Result<(), Unreadable> {
        let properties = child(node, "pPr");
        let style = properties.and_then(|properties| child(properties, "pStyle")).and_then(value);
        let outline = properties.and_then(outline_level);
        let level = style.and_then(|style| self.styles.get(style)?.level()).or(outline.flatten());
        let mut line = self.line(node);
        let text = std::mem::take(&mut line.runs).text();
        if properties.and_then(|properties| child(properties, "framePr")).is_some_and(is_drop_cap) {
            self.drop_cap = text.trim().to_owned();
            return Ok(());
        }
        let text = std::mem::take(&mut self.drop_cap) + &text;
        let (mark, depth) = self.mark(properties, style);
        let is_empty = text.trim_matches(|letter: char| letter.is_whitespace() || letter == notes::MARK).is_empty();
        match level {
            Some(level) if !is_empty => self.heading(level, &mark, &text, &line.notes),
            _ if is_empty && line.notes.is_empty() => self.builder.end_block(),
            _ => {
                self.open(&mark, depth);
                let weight = if self.boxes == 0 { line.weight } else { Weight::default() };
                self.builder.weighed_paragraph(&notes::place(&text, &line.notes), weight);
            }
        }
        self.boxes(&line.boxes)
    }

    /// Begins a paragraph or a list item.
    fn open(&mut self, mark: &Mark, depth: usize) {
        match mark {
            Mark::None => self.lists_to(0),
            Mark::Bullet => {
                self.lists_to(depth + 1);
                self.builder.open_item();
            }
            Mark::Number(number) => {
                self.lists_to(depth + 1);
                self.builder.open_labelled_item(number);
            }
        }
    }

    fn heading(&mut self, level: u8, mark: &Mark, text: &str, notes: &[String]) {
        self.lists_to(0);
        let text = notes::without_marks(text);
        if level <= 1 && self.title.is_none() {
            self.title = Some(text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        if let Mark::Number(number) = mark {
            self.builder.text(&format!("{number} "));
        }
        self.builder.text(&text);
        if self.boxes == 0 {
            self.builder.heading(level.max(1), None);
        }
        self.builder.end_block();
        for note in notes {
            self.builder.text(note);
            self.builder.end_block();
        }
    }

    /// The mark of the next paragraph and its level.
    fn mark(&mut self, properties: Option<Node<'_, '_>>, style: Option<&str>) -> (Mark, usize) {
        let of_style = style.and_then(|style| self.styles.get(style)).map(|style| style.list).unwrap_or_default();
        let own = properties.map(InList::read).unwrap_or_default();
        let Some(list) = own.or(of_style).list.filter(|list| *list != 0) else { return (Mark::None, 0) };
        let of_definition = || style.and_then(|style| self.numbering.level_of_style(list, style));
        let level = own.level.or_else(of_definition).or(of_style.level).unwrap_or(0);
        (self.numbering.next(list, level), level)
    }

    /// Text boxes, charts and diagrams.
    fn boxes(&mut self, boxes: &[Node<'_, '_>]) -> Result<(), Unreadable> {
        for node in boxes {
            self.lists_to(0);
            if is(*node, "txbxContent") {
                self.boxes += 1;
                self.blocks(*node)?;
                self.lists_to(0);
                self.boxes -= 1;
            } else {
                drawing::read(&mut self.builder, FORMAT, *node, &self.relations, &mut self.parts, &mut self.omissions)?;
            }
        }
        Ok(())
    }

    /// Opens and closes lists until `depth` of them are open.
    fn lists_to(&mut self, depth: usize) {
        while self.depth > depth {
            self.builder.close_list();
            self.depth -= 1;
        }
        while self.depth < depth {
            self.builder.open_list(None);
            self.depth += 1;
        }
    }

    /// The runs of a paragraph.
    fn line<'a, 'b>(&mut self, paragraph: Node<'a, 'b>) -> Line<'a, 'b> {
        let style = child(paragraph, "pPr").and_then(|properties| child(properties, "pStyle")).and_then(value);
        let base = style.and_then(|style| self.styles.get(style)).map(styles::Style::look).unwrap_or_default();
        let mut line = Line::default();
        self.inline(paragraph, base, &mut line);
        line
    }

    /// The words of a paragraph, without field codes and text deleted with tracked changes.
    fn inline<'a, 'b>(&mut self, parent: Node<'a, 'b>, look: Look, line: &mut Line<'a, 'b>) {
        for node in parent.children().filter(Node::is_element) {
            let name = node.tag_name().name();
            match name {
                "r" => self.run(node, look, line),
                "fldChar" => line.fields.mark(node).into_iter().for_each(|text| line.runs.push(look.height, &text)),
                _ if line.fields.is_instruction() && matches!(name, "t" | "sym" | "tab" | "br") => {}
                "t" => text_of(node, look, line),
                "sym" => {
                    let code = attribute(node, "char").and_then(|code| u32::from_str_radix(code, 16).ok());
                    let sign = code.and_then(|code| symbols::sign(attribute(node, "font").unwrap_or_default(), code));
                    sign.into_iter().for_each(|sign| line.runs.push(look.height, sign.encode_utf8(&mut [0; 4])));
                }
                "tab" | "ptab" => line.runs.push(look.height, "\t"),
                "br" | "cr" => line.runs.push(look.height, "\n"),
                "noBreakHyphen" => line.runs.push(look.height, "-"),
                "footnoteReference" | "endnoteReference" => {
                    let kind = if name == "footnoteReference" { "footnoteReference" } else { "endnoteReference" };
                    let id = attribute(node, "id").unwrap_or_default().to_owned();
                    if let Some(note) = self.notes.get(&(kind, id)) {
                        line.notes.push(note.clone());
                        line.runs.push(Height::Normal, notes::MARK.encode_utf8(&mut [0; 4]));
                    }
                }
                "txbxContent" | "chart" | "relIds" => line.boxes.push(node),
                "AlternateContent" => choice(node).into_iter().for_each(|branch| self.inline(branch, look, line)),
                "OLEObject" => self.omit(Omission::EmbeddedObjects),
                // Drawn letters of older files.
                "textpath" => line.runs.push(look.height, attribute(node, "string").unwrap_or_default()),
                // The parts of formulas.
                "sup" => self.inline(node, Look { height: Height::Raised, ..look }, line),
                "sub" => self.inline(node, Look { height: Height::Lowered, ..look }, line),
                "rad" | "nary" | "d" => {
                    let (before, after) = formulas::signs(node);
                    line.runs.push(look.height, before);
                    self.inline(node, look, line);
                    line.runs.push(look.height, after);
                }
                // The parts of a matrix.
                "mr" | "e" if is(parent, "m") || is(parent, "mr") => {
                    self.inline(node, look, line);
                    line.runs.push(look.height, " ");
                }
                "den" => {
                    line.runs.push(look.height, "/");
                    self.inline(node, look, line);
                }
                "del" | "moveFrom" | "pPr" | "rPr" | "instrText" | "rt" => {}
                _ => self.inline(node, look, line),
            }
        }
    }

    /// Whether a run stands on the page itself.
    fn is_on_page(&self, run: Node<'_, '_>) -> bool {
        !self.has_grounds && !run.ancestors().any(has_ground)
    }

    fn run<'a, 'b>(&mut self, run: Node<'a, 'b>, base: Look, line: &mut Line<'a, 'b>) {
        let look = self.styles.look(child(run, "rPr"), base);
        let omission = match look {
            Look { is_hidden: true, .. } => Some(Omission::HiddenText),
            Look { is_struck: true, .. } => Some(Omission::StruckText),
            Look { is_white: true, is_shaded: false, .. } if self.is_on_page(run) => Some(Omission::HiddenText),
            _ => None,
        };
        let Some(kind) = omission else {
            line.omission = None;
            return self.inline(run, look, line);
        };
        let has_text =
            run.descendants().any(|node| is(node, "t") && node.text().is_some_and(|text| !text.trim().is_empty()));
        if has_text && line.omission.replace(kind) != Some(kind) {
            self.omit(kind);
        }
    }
}

/// Adds the text of a run, which shows other signs in a font of signs.
fn text_of(node: Node<'_, '_>, look: Look, line: &mut Line<'_, '_>) {
    let text = node.text().unwrap_or_default();
    line.weight.note(text, look.is_bold);
    if !text.is_empty() {
        line.fields.has_result();
    }
    let run = node.parent().filter(|_| text.contains(|letter| ('\u{f000}'..='\u{f0ff}').contains(&letter)));
    let fonts = run.and_then(|run| child(child(run, "rPr")?, "rFonts"));
    let font = fonts.and_then(|fonts| attribute(fonts, "ascii").or(attribute(fonts, "hAnsi")));
    match font.and_then(|font| symbols::signs(font, text)) {
        Some(signs) => line.runs.push(look.height, &signs),
        None => line.runs.push(look.height, &text.replace('\n', " ")),
    }
}

/// Whether a frame is a large first letter.
fn is_drop_cap(frame: Node<'_, '_>) -> bool {
    attribute(frame, "dropCap").is_some_and(|kind| kind != "none")
}
