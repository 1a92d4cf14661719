//! PPTX to sections: one per slide, in the order of the presentation, with the slide's title as heading and its shapes in
//! the order in which people read them.

mod order;
mod text;

use std::collections::HashMap;

use roxmltree::Node;

use self::order::{Shape, in_reading_order};
use super::{
    Content, Omission, Omissions, SLIDE, Unreadable,
    builder::Builder,
    drawing,
    ooxml::{Package, Parts, Relations, relation_id, relations_path},
    xml::{Format, attribute, child, is},
};

const FORMAT: Format = Format("PPTX");

/// The document's title and its sections.
pub(super) fn read(bytes: &[u8]) -> Result<Content, Unreadable> {
    let package = Package::open(FORMAT, bytes)?;
    let (presentation, path) = package.main("ppt/presentation.xml", "presentation")?;
    let presentation = FORMAT.parse(&presentation)?;
    let relations = package.relations_of(&path)?;
    let slides: Vec<&str> = presentation
        .descendants()
        .filter(|node| is(*node, "sldId"))
        .filter_map(|slide| relations.path(relation_id(slide, "id")?))
        .collect();
    let lists: Vec<String> = slides.iter().map(|path| relations_path(path)).collect();
    let mut parts = package.parts(slides.iter().copied().chain(lists.iter().map(String::as_str)))?;
    let mut relations = Vec::new();
    for path in &slides {
        relations.push(parts.relations(FORMAT, path)?);
    }
    let more =
        relations.iter().flat_map(|relations| relations.all(&drawing::KINDS).chain(relations.all(&["slideLayout"])));
    let more = package.parts(more)?;
    let size = presentation.descendants().find(|node| is(*node, "sldSz")).and_then(order::size);
    let mut reader = PptxReader { parts: more, size, ..PptxReader::default() };
    for ((number, path), relations) in (1..).zip(&slides).zip(&relations) {
        let Some(content) = parts.take(path) else { continue };
        let content = FORMAT.text(Some(content), "slide")?;
        let page = FORMAT.parse(&content)?;
        if matches!(attribute(page.root_element(), "show"), Some("0" | "false")) {
            reader.omit(Omission::HiddenSlides);
        } else {
            reader.slide(page.root_element(), number, relations)?;
        }
    }
    Ok(Content { omissions: reader.omissions, ..(package.title()?, reader.builder.finish()).into() })
}

#[derive(Default)]
struct PptxReader {
    builder: Builder,
    /// Charts, diagrams and layouts.
    parts: Parts,
    /// The width and the height of a slide.
    size: Option<(f64, f64)>,
    /// The places of placeholders by the path of their layout.
    layouts: HashMap<String, Vec<order::Placeholder>>,
    omissions: Omissions,
}

impl PptxReader {
    fn omit(&mut self, kind: Omission) {
        *self.omissions.entry(kind).or_default() += 1;
    }

    fn slide(&mut self, slide: Node<'_, '_>, number: usize, relations: &Relations) -> Result<(), Unreadable> {
        let layout = relations.of_kind("slideLayout").unwrap_or_default().to_owned();
        if let Some(part) = self.parts.take(&layout) {
            let text = FORMAT.text(Some(part), "layout")?;
            self.layouts.insert(layout.clone(), order::placeholders(FORMAT.parse(&text)?.root_element()));
        }
        let places = self.layouts.get(&layout).map(Vec::as_slice).unwrap_or_default();
        let (shapes, omissions) = order::shapes(slide, places, self.size);
        for (kind, count) in omissions {
            *self.omissions.entry(kind).or_default() += count;
        }
        let (titles, others): (Vec<Shape<'_, '_>>, Vec<_>) = shapes.into_iter().partition(|shape| is_title(shape.node));
        let mut titles = titles.into_iter();
        let heading = titles.next().map(|shape| self.words(shape.node)).filter(|text| !text.is_empty());
        self.builder.text(&heading.unwrap_or_else(|| format!("{SLIDE}{number}")));
        self.builder.heading(1, None);
        let others = titles.chain(others).filter(|shape| !is_furniture(shape.node)).collect();
        for shape in in_reading_order(others) {
            self.shape(shape.node, relations)?;
        }
        Ok(())
    }

    fn shape(&mut self, shape: Node<'_, '_>, relations: &Relations) -> Result<(), Unreadable> {
        match shape.tag_name().name() {
            "tbl" => self.table(shape),
            "chart" | "relIds" => {
                drawing::read(&mut self.builder, FORMAT, shape, relations, &mut self.parts, &mut self.omissions)?;
            }
            _ => self.paragraphs(shape),
        }
        Ok(())
    }

    fn table(&mut self, table: Node<'_, '_>) {
        for row in table.children().filter(|node| is(*node, "tr")) {
            self.builder.open_row();
            // The builder adds the cells that another one covers.
            let is_covered = |cell: &Node<'_, '_>| {
                ["hMerge", "vMerge"].iter().any(|name| matches!(attribute(*cell, name), Some("1" | "true")))
            };
            for cell in row.children().filter(|node| is(*node, "tc") && !is_covered(node)) {
                let text = child(cell, "txBody").map(|body| self.cell_text(body)).unwrap_or_default();
                self.builder.text(&text);
                let span = |name: &str| attribute(cell, name).and_then(|count| count.parse().ok()).unwrap_or(1);
                self.builder.close_cell_over(span("gridSpan"), span("rowSpan"));
            }
        }
        self.builder.close_table();
    }
}

/// The kind of a placeholder.
fn kind<'a>(shape: Node<'a, '_>) -> Option<&'a str> {
    attribute(shape.descendants().find(|node| is(*node, "ph"))?, "type")
}

fn is_title(shape: Node<'_, '_>) -> bool {
    matches!(kind(shape), Some("title" | "ctrTitle"))
}

/// Dates, footers and slide numbers are the same on every slide.
fn is_furniture(shape: Node<'_, '_>) -> bool {
    matches!(kind(shape), Some("dt" | "ftr" | "sldNum" | "hdr"))
}
