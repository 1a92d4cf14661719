//! The tables of a page. A cell with lists or with a table of its own stays one cell; a table that only arranges other tables
//! on the page is none.

use ego_tree::NodeRef;
use scraper::{Node, node::Element};

use crate::document::builder::Builder;

/// Maximum rows of a table that only arranges others, unless it has one column.
const ARRANGED_ROWS: usize = 2;

/// The open tables, outermost first.
#[derive(Debug, Default)]
pub(super) struct Tables(Vec<Kind>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It only arranges parts of the page.
    Layout,
    /// Its rows are rows of the text, with header cells or without.
    Rows { has_header: bool },
    /// It is in a cell of another table.
    Inner,
}

impl Tables {
    /// Whether the text belongs to a cell of a table.
    pub(super) fn is_in_cell(&self) -> bool {
        self.0.iter().any(|kind| *kind != Kind::Layout)
    }

    /// Whether the text belongs to a table with header cells.
    pub(super) fn has_header(&self) -> bool {
        self.0.contains(&Kind::Rows { has_header: true })
    }

    pub(super) fn open(&mut self, element: &Element, node: NodeRef<'_, Node>, builder: &mut Builder) {
        match (element.name(), self.0.last()) {
            ("table", _) => {
                let kind = if self.is_in_cell() { Kind::Inner } else { kind(node) };
                if kind == Kind::Inner {
                    builder.text(" ");
                } else {
                    builder.end_block();
                }
                self.0.push(kind);
            }
            ("tr", Some(Kind::Rows { .. })) => builder.open_row(),
            ("thead" | "tbody" | "tfoot", Some(Kind::Rows { .. })) => builder.open_rows(),
            ("tr", Some(Kind::Inner)) => builder.separate_in_cell("; "),
            ("td" | "th", Some(Kind::Inner)) => builder.separate_in_cell(", "),
            ("td" | "th", _) => {}
            _ => {}
        }
    }

    pub(super) fn close(&mut self, element: &Element, builder: &mut Builder) {
        match (element.name(), self.0.last()) {
            ("table", _) => match self.0.pop() {
                Some(Kind::Rows { .. }) => builder.close_table(),
                Some(Kind::Inner) => builder.text(" "),
                _ => builder.end_block(),
            },
            ("td" | "th", Some(Kind::Rows { .. })) => {
                builder.close_cell_over(span(element, "colspan"), span(element, "rowspan"));
            }
            ("td" | "th" | "tr", Some(Kind::Layout)) => builder.end_block(),
            _ => {}
        }
    }
}

/// How many columns or rows a cell covers.
fn span(cell: &Element, attribute: &str) -> usize {
    cell.attr(attribute).and_then(|count| count.trim().parse().ok()).unwrap_or(1)
}

/// The kind of an outer table. One without header cells that has inner tables of several rows and columns arranges these, if
/// it has few rows or one column.
fn kind(table: NodeRef<'_, Node>) -> Kind {
    let rows = rows(table);
    let has_name = |node: &NodeRef<'_, Node>, names: &[&str]| {
        node.value().as_element().is_some_and(|element| names.contains(&element.name()))
    };
    let mut cells = rows.iter().flat_map(NodeRef::children);
    let has_header =
        cells.any(|cell| has_name(&cell, &["th"])) || table.children().any(|part| has_name(&part, &["caption"]));
    let width =
        rows.iter().map(|row| row.children().filter(|cell| has_name(cell, &["td", "th"])).count()).max().unwrap_or(0);
    let is_arranging = || rows.len() <= ARRANGED_ROWS || width == 1;
    if has_header
        || !is_arranging()
        || !table.descendants().skip(1).any(|inner| has_name(&inner, &["table"]) && is_grid(inner))
    {
        return Kind::Rows { has_header };
    }
    Kind::Layout
}

/// Whether a table has several rows and columns.
fn is_grid(table: NodeRef<'_, Node>) -> bool {
    let is_cell = |node: &NodeRef<'_, Node>| {
        node.value().as_element().is_some_and(|element| matches!(element.name(), "td" | "th"))
    };
    rows(table).iter().filter(|row| row.children().filter(is_cell).count() > 1).count() > 1
}

/// The rows of a table, without those of inner tables.
fn rows(table: NodeRef<'_, Node>) -> Vec<NodeRef<'_, Node>> {
    let is_named = |node: &NodeRef<'_, Node>, names: &[&str]| {
        node.value().as_element().is_some_and(|element| names.contains(&element.name()))
    };
    let groups =
        table.children().filter(|part| is_named(part, &["thead", "tbody", "tfoot"])).flat_map(|group| group.children());
    table.children().chain(groups).filter(|row| is_named(row, &["tr"])).collect()
}
