//! ODT to sections: headings, paragraphs, lists, tables, frames, notes and charts of the text, as they are shown, without
//! comments and deleted text.

mod lists;
mod objects;
mod styles;
mod tables;

use std::collections::HashMap;

use roxmltree::Node;

use self::{
    lists::{Lists, Numbers, OUTLINE},
    objects::{is_object, object_path},
    styles::{Look, Styles},
    tables::is_layout,
};
use super::{
    Content, Omission, Omissions, Unreadable,
    builder::{Builder, Weight},
    notes,
    numerals::Mark,
    raised::{Height, Runs},
    tabs,
    xml::{Format, attribute, child, is, title},
    zip,
};

const FORMAT: Format = Format("ODT");
/// Maximum bytes of one XML part.
const MAX_PART: u64 = 64 * 1024 * 1024;
/// Drawn objects that can have text.
const SHAPES: [&str; 14] = [
    "frame",
    "custom-shape",
    "rect",
    "ellipse",
    "circle",
    "polygon",
    "path",
    "regular-polygon",
    "g",
    "caption",
    "line",
    "polyline",
    "connector",
    "measure",
];

/// The document's title and its sections.
pub(super) fn read(bytes: &[u8]) -> Result<Content, Unreadable> {
    let names = ["content.xml", "meta.xml", "styles.xml", "META-INF/manifest.xml"];
    let [content, meta, styles, manifest] = zip::files(bytes, names, MAX_PART)?;
    if manifest.is_some_and(|manifest| manifest.windows(15).any(|window| window == b"encryption-data")) {
        return Err(Unreadable::Encrypted);
    }
    let content = FORMAT.text(content, "text")?;
    let page = FORMAT.parse(&content)?;
    let mut reader = OdtReader::default();
    if let Some(styles) = styles {
        let styles = FORMAT.text(Some(styles), "styles")?;
        let styles = FORMAT.parse(&styles)?;
        reader.styles.add(&styles);
        reader.lists.add(&styles);
    }
    reader.styles.add(&page);
    reader.lists.add(&page);
    let objects: Vec<String> = page.descendants().filter_map(object_path).collect();
    reader.objects = zip::files_where(bytes, |path| objects.iter().any(|object| object == path), MAX_PART)?;
    let body = page.descendants().find(|node| is(*node, "body"));
    if let Some(text) = body.and_then(|body| child(body, "text")) {
        reader.blocks(text)?;
    }
    let title = title(FORMAT, meta)?.or(reader.title);
    Ok(Content { omissions: reader.omissions, ..(title, reader.builder.finish()).into() })
}

#[derive(Default)]
struct OdtReader {
    builder: Builder,
    styles: Styles,
    lists: Lists,
    /// Charts, tables and formulas that frames show, by their paths. They are empty when they have been read.
    objects: HashMap<String, Vec<u8>>,
    /// The last numbers of headings, and of lists by their ids and styles.
    headings: Numbers,
    numbers: HashMap<String, Numbers>,
    title: Option<String>,
    /// Open frames. Their headings do not divide the text around them.
    frames: usize,
    omissions: Omissions,
}

/// A paragraph that is being read.
#[derive(Default)]
struct Line<'a, 'b> {
    runs: Runs,
    weight: Weight,
    notes: Vec<String>,
    frames: Vec<Node<'a, 'b>>,
    /// Why the last text was left out.
    omission: Option<Omission>,
    /// Whether a field hides the whole paragraph.
    is_hidden: bool,
}

/// The list that contains a paragraph.
struct List<'a> {
    style: Option<&'a str>,
    level: usize,
    numbers: Numbers,
}

impl OdtReader {
    fn omit(&mut self, kind: Omission) {
        *self.omissions.entry(kind).or_default() += 1;
    }

    fn blocks(&mut self, parent: Node<'_, '_>) -> Result<(), Unreadable> {
        let mut rest: &[Node<'_, '_>] = &parent.children().filter(Node::is_element).collect::<Vec<_>>();
        while let Some((&node, after)) = rest.split_first() {
            let lines = tabs::lines(rest.iter().map_while(|block| is(*block, "p").then(|| with_tabs(*block))));
            if lines > 0 {
                self.tabbed(&rest[..lines])?;
                rest = &rest[lines..];
                continue;
            }
            rest = after;
            match node.tag_name().name() {
                "h" => self.heading(node, None)?,
                "p" => self.paragraph(node)?,
                "list" => self.list(node, None, None)?,
                "table" => self.blocks_of(node)?,
                "section" if is_hidden(node) => self.omit(Omission::HiddenText),
                // Deleted text, and tables of contents.
                "tracked-changes" | "table-of-content" | "alphabetical-index" | "sequence-decls" | "forms"
                | "annotation" => {}
                name if SHAPES.contains(&name) => self.frame(node)?,
                _ => self.blocks(node)?,
            }
        }
        Ok(())
    }

    fn paragraph(&mut self, node: Node<'_, '_>) -> Result<(), Unreadable> {
        let line = self.line(node);
        let text = line.runs.text();
        let weight = if self.frames == 0 { line.weight } else { Weight::default() };
        self.builder.weighed_paragraph(&notes::place(&text, &line.notes), weight);
        line.frames.into_iter().try_for_each(|frame| self.frame(frame))
    }

    /// The lines of a table.
    fn tabbed(&mut self, lines: &[Node<'_, '_>]) -> Result<(), Unreadable> {
        let lines: Vec<Line<'_, '_>> = lines.iter().map(|line| self.line(*line)).collect();
        let frames: Vec<_> = lines.iter().flat_map(|line| line.frames.clone()).collect();
        for line in lines {
            tabs::add_row(&mut self.builder, &notes::place(&line.runs.text(), &line.notes));
        }
        self.builder.close_table();
        frames.into_iter().try_for_each(|frame| self.frame(frame))
    }

    /// A heading. The mark of a list replaces the number that all headings have.
    fn heading(&mut self, node: Node<'_, '_>, mark: Option<&Mark>) -> Result<(), Unreadable> {
        let level = attribute(node, "outline-level").and_then(|level| level.parse().ok()).unwrap_or(1u8).clamp(1, 9);
        let line = self.line(node);
        let text = notes::without_marks(&line.runs.text());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            if level == 1 && self.title.is_none() {
                self.title = Some(text.clone());
            }
            let number = self.heading_number(node, level);
            if let Mark::Number(number) = mark.unwrap_or(&number) {
                self.builder.text(&format!("{number} "));
            }
            self.builder.text(&text);
            if self.frames == 0 {
                self.builder.heading(level, None);
            }
        }
        self.builder.end_block();
        for note in &line.notes {
            self.builder.text(note);
            self.builder.end_block();
        }
        line.frames.into_iter().try_for_each(|frame| self.frame(frame))
    }

    /// The number that the outline gives to a heading.
    fn heading_number(&mut self, node: Node<'_, '_>, level: u8) -> Mark {
        if attribute(node, "is-list-header") == Some("true") {
            return Mark::None;
        }
        let restarts = attribute(node, "restart-numbering") == Some("true");
        let start = attribute(node, "start-value").filter(|_| restarts).and_then(|start| start.parse().ok());
        self.lists.next(Some(OUTLINE), usize::from(level) - 1, &mut self.headings, start)
    }

    /// A list. Those inside another one have its style and continue its levels. In a table, it is a part of the text of a cell.
    fn list(
        &mut self,
        node: Node<'_, '_>,
        outer: Option<&mut List<'_>>,
        mut cell: Option<&mut String>,
    ) -> Result<(), Unreadable> {
        let own = attribute(node, "style-name").or_else(|| self.list_of_paragraphs(node));
        let own = own.map(str::to_owned);
        let style = own.as_deref().or(outer.as_ref().and_then(|outer| outer.style));
        let level = outer.as_ref().map_or(0, |outer| outer.level + 1);
        let earlier_list = attribute(node, "continue-list").map(|id| format!("#{id}"));
        let earlier_list = earlier_list
            .or((attribute(node, "continue-numbering") == Some("true"))
                .then(|| format!("={}", style.unwrap_or_default())));
        let before = earlier_list.and_then(|key| self.numbers.get(&key).copied());
        let numbers = outer.as_ref().map(|outer| outer.numbers).or(before).unwrap_or_default();
        let mut list = List { style, level, numbers };
        if cell.is_none() {
            self.builder.open_list(None);
        }
        for item in node.children().filter(|node| is(*node, "list-item") || is(*node, "list-header")) {
            self.item(item, &mut list, cell.as_deref_mut())?;
        }
        if cell.is_none() {
            self.builder.close_list();
        }
        match outer {
            Some(outer) => outer.numbers = list.numbers,
            None => {
                let id = attribute(node, "id").map(|id| format!("#{id}"));
                let keys = id.into_iter().chain([format!("={}", style.unwrap_or_default())]);
                self.numbers.extend(keys.map(|key| (key, list.numbers)));
            }
        }
        Ok(())
    }

    /// The list style of the first paragraph, which a list without a style has.
    fn list_of_paragraphs(&self, list: Node<'_, '_>) -> Option<&str> {
        let first = list.descendants().find(|node| is(*node, "p") || is(*node, "h"))?;
        self.styles.list(attribute(first, "style-name"))
    }

    fn item(
        &mut self,
        item: Node<'_, '_>,
        list: &mut List<'_>,
        mut cell: Option<&mut String>,
    ) -> Result<(), Unreadable> {
        let mut has_mark = is(item, "list-header");
        let start = attribute(item, "start-value").and_then(|start| start.parse().ok());
        for node in item.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "list" => self.list(node, Some(list), cell.as_deref_mut())?,
                // The number as a program has drawn it.
                "number" => {}
                "p" | "h" if !has_mark => {
                    has_mark = true;
                    let mark = self.lists.next(list.style, list.level, &mut list.numbers, start);
                    match cell.as_deref_mut() {
                        Some(text) => self.add_cell_paragraph(node, &mark, text),
                        None => self.first_of_item(node, &mark)?,
                    }
                }
                name => match cell.as_deref_mut() {
                    Some(text) => self.add_cell_block(node, text),
                    None if name == "p" => self.paragraph(node)?,
                    None => self.blocks_of(node)?,
                },
            }
        }
        Ok(())
    }

    /// A block that stands alone.
    fn blocks_of(&mut self, node: Node<'_, '_>) -> Result<(), Unreadable> {
        match node.tag_name().name() {
            "h" => self.heading(node, None),
            "table" if is_layout(node) => self.layout(node),
            "table" => {
                self.table(node);
                node.descendants().filter(is_object).try_for_each(|object| self.object(object))
            }
            _ => self.blocks(node),
        }
    }

    /// The first paragraph of an item, with its mark. A heading remains one.
    fn first_of_item(&mut self, node: Node<'_, '_>, mark: &Mark) -> Result<(), Unreadable> {
        if is(node, "h") {
            return self.heading(node, Some(mark));
        }
        match mark {
            Mark::None => self.builder.end_block(),
            Mark::Bullet => self.builder.open_item(),
            Mark::Number(number) => self.builder.open_labelled_item(number),
        }
        self.paragraph(node)
    }

    /// A frame, or a drawn object with text.
    fn frame(&mut self, node: Node<'_, '_>) -> Result<(), Unreadable> {
        self.frames += 1;
        self.blocks(node)?;
        self.frames -= 1;
        node.children().filter(is_object).try_for_each(|object| self.object(object))
    }

    fn line<'a, 'b>(&mut self, paragraph: Node<'a, 'b>) -> Line<'a, 'b> {
        let look = self.styles.look(false, attribute(paragraph, "style-name"), Look::default());
        let mut line = Line::default();
        self.inline(paragraph, look, &mut line);
        if line.is_hidden {
            self.omit(Omission::HiddenText);
            return Line { frames: line.frames, ..Line::default() };
        }
        line
    }

    fn inline<'a, 'b>(&mut self, parent: Node<'a, 'b>, look: Look, line: &mut Line<'a, 'b>) {
        for node in parent.children() {
            match node.tag_name().name() {
                _ if node.is_text() => self.text(node, look, line),
                "s" => line.runs.push(look.height, " "),
                "tab" => line.runs.push(look.height, "\t"),
                "line-break" => line.runs.push(look.height, "\n"),
                "span" => {
                    let look = self.styles.look(true, attribute(node, "style-name"), look);
                    self.inline(node, look, line);
                }
                "note" => {
                    let text = child(node, "note-body").map(|body| self.cell_text(body)).unwrap_or_default();
                    if !text.is_empty() {
                        line.notes.push(text);
                        line.runs.push(Height::Normal, notes::MARK.encode_utf8(&mut [0; 4]));
                    }
                }
                "hidden-paragraph" => line.is_hidden |= is_hidden(node),
                "hidden-text" if is_hidden(node) => self.omit(Omission::HiddenText),
                "annotation" | "number" | "p" | "list" | "ruby-text" => {}
                name if SHAPES.contains(&name) => match self.formula(node) {
                    Some(formula) => line.runs.push(look.height, &formula),
                    None => line.frames.push(node),
                },
                // A field that only stores a value.
                "variable-set" | "script" if attribute(node, "display") == Some("none") || is(node, "script") => {}
                _ => self.inline(node, look, line),
            }
        }
    }

    /// Whether text stands on the page itself.
    fn is_on_page(&self, text: Node<'_, '_>) -> bool {
        let has_ground = |node: Node<'_, '_>| {
            let name = node.tag_name().name();
            matches!(name, "table-cell" | "text-box" | "section") || SHAPES.contains(&name)
        };
        !self.styles.has_page_ground() && !text.ancestors().any(has_ground)
    }

    fn text(&mut self, node: Node<'_, '_>, look: Look, line: &mut Line<'_, '_>) {
        let text = node.text().unwrap_or_default();
        let omission = match look {
            Look { is_hidden: true, .. } => Omission::HiddenText,
            Look { is_struck: true, .. } => Omission::StruckText,
            Look { is_white: true, is_shaded: false, .. } if self.is_on_page(node) => Omission::HiddenText,
            _ => {
                line.omission = None;
                line.weight.note(text, look.is_bold);
                return line.runs.push(look.height, &text.replace('\n', " "));
            }
        };
        if !text.trim().is_empty() && line.omission.replace(omission) != Some(omission) {
            self.omit(omission);
        }
    }
}

/// The text of a paragraph with its tabulators.
fn with_tabs(paragraph: Node<'_, '_>) -> String {
    let part = |node: Node<'_, '_>| match node.text() {
        Some(text) if node.is_text() => text.replace('\t', " "),
        _ => String::from(if is(node, "tab") { "\t" } else { "" }),
    };
    paragraph.descendants().map(part).collect()
}

/// Whether an element says that it is hidden.
fn is_hidden(node: Node<'_, '_>) -> bool {
    match attribute(node, "is-hidden") {
        Some(value) => value == "true",
        None => attribute(node, "display") == Some("none") || is(node, "hidden-paragraph"),
    }
}
