//! PPTX to sections: one per slide, in the order of the presentation, with the slide's title as heading.

use roxmltree::Node;

use super::{
    SLIDE, Section, Unreadable,
    builder::Builder,
    xml::{Format, attribute, child, is, relations, title},
    zip,
};

const FORMAT: Format = Format("PPTX");
/// Maximum bytes of one XML part.
const MAX_PART: u64 = 64 * 1024 * 1024;

/// The document's title and its sections.
pub(super) fn read(bytes: &[u8]) -> Result<(Option<String>, Vec<Section>), Unreadable> {
    let is_wanted = |path: &str| {
        let is_slide = path.starts_with("ppt/slides/slide") && path.ends_with(".xml");
        is_slide || ["ppt/presentation.xml", "ppt/_rels/presentation.xml.rels", "docProps/core.xml"].contains(&path)
    };
    let mut parts = zip::wanted(bytes, is_wanted, MAX_PART)?;
    let presentation = FORMAT.text(parts.remove("ppt/presentation.xml"), "presentation")?;
    let presentation = FORMAT.parse(&presentation)?;
    let targets = relations(FORMAT, parts.remove("ppt/_rels/presentation.xml.rels"), "ppt")?;
    let mut builder = Builder::default();
    let slides = presentation.descendants().filter(|node| is(*node, "sldId"));
    for (number, slide) in (1..).zip(slides) {
        let id = slide.attributes().find(|found| found.name() == "id" && found.namespace().is_some());
        let target = id.and_then(|id| targets.get(id.value()));
        let Some(content) = target.and_then(|path| parts.remove(path)) else { continue };
        let content = FORMAT.text(Some(content), "slide")?;
        let page = FORMAT.parse(&content)?;
        // Skips hidden slides.
        if attribute(page.root_element(), "show") != Some("0") {
            read_slide(&mut builder, page.root_element(), number);
        }
    }
    Ok((title(FORMAT, parts.remove("docProps/core.xml"))?, builder.finish()))
}

fn read_slide(builder: &mut Builder, slide: Node<'_, '_>, number: usize) {
    let shapes: Vec<Node<'_, '_>> = slide.descendants().filter(|node| is(*node, "sp") || is(*node, "tbl")).collect();
    let heading =
        shapes.iter().find(|shape| is_title(**shape)).map(|shape| words(*shape)).filter(|text| !text.is_empty());
    builder.text(&heading.unwrap_or_else(|| format!("{SLIDE}{number}")));
    builder.heading(1, None);
    for shape in shapes.into_iter().filter(|shape| !is_title(*shape) && !is_furniture(*shape)) {
        if is(shape, "tbl") {
            table(builder, shape);
        } else {
            for paragraph in shape.descendants().filter(|node| is(*node, "p")) {
                builder.text(&words(paragraph));
                builder.end_block();
            }
        }
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

/// The words of an element; a line break separates them.
fn words(node: Node<'_, '_>) -> String {
    let mut text = String::new();
    for part in node.descendants() {
        match part.tag_name().name() {
            "t" => text.push_str(part.text().unwrap_or_default()),
            "br" | "tab" | "p" => text.push(' '),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn table(builder: &mut Builder, table: Node<'_, '_>) {
    for row in table.children().filter(|node| is(*node, "tr")) {
        builder.open_row();
        for cell in row.children().filter(|node| is(*node, "tc")) {
            builder.text(&child(cell, "txBody").map(words).unwrap_or_default());
            builder.close_cell();
        }
    }
    builder.close_table();
}
