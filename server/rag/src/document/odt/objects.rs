//! Parts of the file that frames show: charts, tables and formulas.

use roxmltree::Node;

use super::{
    super::{formula, zip},
    FORMAT, OdtReader, Omission, Unreadable, attribute, child, is,
};

/// Whether a frame shows another part of the file, such as a chart.
pub(super) fn is_object(node: &Node<'_, '_>) -> bool {
    matches!(node.tag_name().name(), "object" | "object-ole" | "plugin" | "floating-frame")
}

/// The path of an object that is a part in XML.
pub(super) fn object_path(node: Node<'_, '_>) -> Option<String> {
    let target = attribute(node, "href").filter(|_| is(node, "object"))?;
    Some(format!("{}/content.xml", zip::resolve_path("", target)))
}

impl OdtReader {
    /// A chart, a table or another part of the file.
    pub(super) fn object(&mut self, node: Node<'_, '_>) -> Result<(), Unreadable> {
        let Some(part) = object_path(node).and_then(|path| self.objects.get_mut(&path)).map(std::mem::take) else {
            self.omit(Omission::EmbeddedObjects);
            return Ok(());
        };
        if part.is_empty() {
            return Ok(());
        }
        let text = FORMAT.text(Some(part), "object")?;
        let page = FORMAT.parse(&text)?;
        let charts = page.descendants().filter(|node| is(*node, "chart"));
        if let Some(title) = charts.filter_map(|chart| child(chart, "title")).next() {
            let title = self.cell_text(title);
            self.builder.text(&title);
            self.builder.end_block();
        }
        let tables: Vec<_> = page.descendants().filter(|node| is(*node, "table")).collect();
        if tables.is_empty() {
            self.omit(Omission::EmbeddedObjects);
        }
        tables.into_iter().for_each(|table| self.table(table));
        Ok(())
    }

    /// The formula that a frame shows.
    pub(super) fn formula(&mut self, frame: Node<'_, '_>) -> Option<String> {
        let path = frame.children().find_map(object_path)?;
        let part = self.objects.get_mut(&path)?;
        let text = std::str::from_utf8(part).ok().filter(|text| text.contains("MathML"))?;
        let formula = formula::text(&FORMAT.parse(text).ok()?)?;
        part.clear();
        Some(formula)
    }
}
