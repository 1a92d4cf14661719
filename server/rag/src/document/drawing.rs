//! Charts and diagrams of Office files as text: the numbers of a chart as a table, the words of a diagram as a list.

use std::collections::HashMap;

use roxmltree::{Document as Xml, Node};

use super::{
    Omission, Omissions, Unreadable,
    builder::Builder,
    ooxml::{Parts, Relations},
    xml::{Format, attribute, child, is},
};

/// The kinds of relations that lead to charts and diagrams.
pub(super) const KINDS: [&str; 3] = ["chart", "chartEx", "diagramData"];
/// Maximum points of a series; further ones are left out.
const MAX_POINTS: usize = 2000;
/// Maximum series of a chart; further ones are left out.
const MAX_SERIES: usize = 50;

/// Adds the text of the chart or diagram that an element refers to. A part is read once.
pub(super) fn read(
    builder: &mut Builder,
    format: Format,
    reference: Node<'_, '_>,
    relations: &Relations,
    parts: &mut Parts,
    omissions: &mut Omissions,
) -> Result<(), Unreadable> {
    let name = if is(reference, "chart") { "id" } else { "dm" };
    let path = super::ooxml::relation_id(reference, name).and_then(|id| relations.path(id));
    let Some(part) = path.and_then(|path| parts.take(path)) else { return Ok(()) };
    let text = format.text(Some(part), "drawing")?;
    let page = format.parse(&text)?;
    if is(page.root_element(), "dataModel") {
        diagram(builder, &page);
    } else {
        chart(builder, &page, omissions);
    }
    Ok(())
}

/// The words of all paragraphs of an element.
fn words(node: Node<'_, '_>) -> String {
    let paragraphs = node.descendants().filter(|node| is(*node, "p"));
    let text = |paragraph: Node<'_, '_>| -> String {
        paragraph.descendants().filter(|node| is(*node, "t")).filter_map(|node| node.text()).collect()
    };
    paragraphs.map(text).collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn chart(builder: &mut Builder, page: &Xml<'_>, omissions: &mut Omissions) {
    let Some(chart) = page.descendants().find(|node| is(*node, "chart")) else { return };
    if let Some(title) = child(chart, "title") {
        builder.text(&title_of(title));
        builder.end_block();
    }
    let Some(area) = child(chart, "plotArea") else { return };
    let series = area.descendants().filter(|node| is(*node, "ser")).map(|series| (series, Some(series)));
    let axis = area.children().find(|node| is(*node, "catAx") || is(*node, "dateAx"));
    let axis = axis.and_then(|axis| child(axis, "title")).map(title_of).unwrap_or_default();
    let data = |series: Node<'_, '_>| {
        let id = child(series, "dataId").and_then(|id| attribute(id, "val"))?;
        page.descendants().find(|node| is(*node, "data") && attribute(*node, "id") == Some(id))
    };
    // Charts of a newer kind, such as waterfalls, have their numbers apart.
    let newer = area.descendants().filter(|node| is(*node, "series")).map(|series| (series, data(series)));
    let (mut read, mut beyond) = (Vec::new(), 0);
    for (node, data) in series.chain(newer) {
        if read.len() < MAX_SERIES {
            let series = Series::of(node, data);
            beyond += series.beyond;
            read.push(series);
        } else {
            beyond += 1;
        }
    }
    table(builder, &axis, &read);
    if beyond > 0 {
        *omissions.entry(Omission::BeyondMaximum).or_default() += beyond;
    }
}

/// The numbers of a chart as a table.
fn table(builder: &mut Builder, axis: &str, series: &[Series]) {
    let Some(first) = series.iter().max_by_key(|series| series.values.len()) else { return };
    builder.open_row();
    builder.text(axis);
    builder.close_cell();
    for one in series {
        builder.text(&one.name);
        builder.close_cell();
    }
    for point in 0..first.values.len() {
        let name = series.iter().find_map(|series| series.names.get(point)).map_or("", String::as_str);
        builder.open_row();
        for text in
            std::iter::once(name).chain(series.iter().map(|series| series.values.get(point).map_or("", String::as_str)))
        {
            builder.text(text);
            builder.close_cell();
        }
    }
    builder.close_table();
}

/// A title that is written, or that comes from a cell.
fn title_of(title: Node<'_, '_>) -> String {
    let text = words(title);
    let cell = || title.descendants().find(|node| is(*node, "v")).and_then(|node| node.text()).unwrap_or_default();
    if text.is_empty() { cell().to_owned() } else { text }
}

/// A series of a chart, with the names of its points.
struct Series {
    name: String,
    names: Vec<String>,
    values: Vec<String>,
    /// Points that are left out.
    beyond: u32,
}

impl Series {
    /// A series, and the element with its points.
    fn of(node: Node<'_, '_>, data: Option<Node<'_, '_>>) -> Self {
        let points =
            |names: [&str; 3]| names.into_iter().find_map(|name| child(data?, name)).map(points).unwrap_or_default();
        let ((names, _), (values, beyond)) = (points(["cat", "xVal", "strDim"]), points(["val", "yVal", "numDim"]));
        Self { name: child(node, "tx").map(title_of).unwrap_or_default(), names, values, beyond }
    }
}

/// The points of a series, by their numbers, and how many are left out. Names of several levels are joined.
fn points(data: Node<'_, '_>) -> (Vec<String>, u32) {
    let (mut labels, mut beyond): (Vec<String>, u32) = (Vec::new(), 0);
    let code = data.descendants().find(|node| is(*node, "formatCode")).and_then(|node| node.text());
    let code = code.or_else(|| data.descendants().find_map(|node| attribute(node, "formatCode"))).unwrap_or_default();
    let format = super::number_format::NumberFormat::read(code);
    let is_number = data.descendants().any(|node| matches!(node.tag_name().name(), "numCache" | "numLit" | "numDim"));
    for point in data.descendants().filter(|node| is(*node, "pt")) {
        let at: usize = attribute(point, "idx").and_then(|at| at.parse().ok()).unwrap_or(MAX_POINTS);
        let value = child(point, "v").unwrap_or(point);
        let Some(text) = value.text().filter(|text| !text.trim().is_empty()) else { continue };
        if at >= MAX_POINTS {
            beyond += 1;
            continue;
        }
        if labels.len() <= at {
            labels.resize(at + 1, String::new());
        }
        let text = if is_number { format.apply(text, false).unwrap_or_default() } else { text.to_owned() };
        labels[at] = if labels[at].is_empty() { text } else { format!("{text} {}", labels[at]) };
    }
    (labels, beyond)
}

/// The words of a diagram as a list, nested as its boxes are.
fn diagram(builder: &mut Builder, page: &Xml<'_>) {
    let points: Vec<(&str, Node<'_, '_>)> = page
        .descendants()
        .filter(|node| is(*node, "pt"))
        .filter_map(|node| Some((attribute(node, "modelId")?, node)))
        .collect();
    let mut below: HashMap<&str, Vec<(u32, &str)>> = HashMap::new();
    let is_parent = |node: &Node<'_, '_>| is(*node, "cxn") && attribute(*node, "type").unwrap_or("parOf") == "parOf";
    for connection in page.descendants().filter(is_parent) {
        if let (Some(from), Some(to)) = (attribute(connection, "srcId"), attribute(connection, "destId")) {
            let order = attribute(connection, "srcOrd").and_then(|order| order.parse().ok()).unwrap_or(0);
            below.entry(from).or_default().push((order, to));
        }
    }
    below.values_mut().for_each(|children| children.sort_by_key(|(order, _)| *order));
    let text: HashMap<&str, String> = points.iter().map(|(id, node)| (*id, words(*node))).collect();
    let roots = points.iter().filter(|(_, node)| attribute(*node, "type") == Some("doc")).map(|(id, _)| *id);
    // What is open, deepest last. Boxes that nothing leads to follow.
    let mut open: Vec<(usize, &str)> = roots.chain(points.iter().map(|(id, _)| *id)).map(|id| (0, id)).rev().collect();
    let (mut visited_ids, mut depth) = (std::collections::HashSet::new(), 0);
    while let Some((level, id)) = open.pop() {
        if !visited_ids.insert(id) {
            continue;
        }
        let words = text.get(id).map_or("", String::as_str);
        let inner = if words.is_empty() { level } else { level + 1 };
        if !words.is_empty() {
            builder.set_list_depth(&mut depth, inner);
            builder.open_item();
            builder.text(words);
            builder.end_block();
        }
        open.extend(below.get(id).into_iter().flatten().rev().map(|(_, child)| (inner, *child)));
    }
    builder.set_list_depth(&mut depth, 0);
}
