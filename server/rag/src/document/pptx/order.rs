//! The shapes of a slide with their places, in the order in which people read them: parts that gaps divide, and in each
//! part from the top to the bottom.

use roxmltree::Node;

use super::super::{
    Omission, Omissions,
    ooxml::choice,
    xml::{attribute, child, is},
};

/// How far the borders of neighbours may overlap, in the file's units (914,400 per inch).
const OVERLAP: f64 = 90_000.0;
/// How much the heights of shapes of one kind differ, at most.
const SAME_HEIGHT: f64 = 1.4;

/// A place on the slide.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Place {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

/// A shape with text, a table, or the reference to a chart or diagram.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a, 'b> {
    pub(super) node: Node<'a, 'b>,
    place: Place,
}

/// A placeholder of a layout: its kind, its number and its place.
pub(super) struct Placeholder {
    kind: String,
    number: Option<String>,
    place: Place,
}

/// How places in a group become places on the slide.
#[derive(Clone, Copy)]
struct Group {
    scale: (f64, f64),
    shift: (f64, f64),
}

const SLIDE: Group = Group { scale: (1.0, 1.0), shift: (0.0, 0.0) };

/// The shapes of a slide as they are stored, and what is left out: hidden ones with text, and embedded objects. Placeholders
/// without a place have that of the layout.
pub(super) fn shapes<'a, 'b>(
    slide: Node<'a, 'b>,
    layout: &[Placeholder],
    size: Option<(f64, f64)>,
) -> (Vec<Shape<'a, 'b>>, Omissions) {
    let mut collector = Shapes { shapes: Vec::new(), omissions: Omissions::new(), layout, size };
    collector.collect(slide, SLIDE);
    (collector.shapes, collector.omissions)
}

/// The placeholders of a layout.
pub(super) fn placeholders(layout: Node<'_, '_>) -> Vec<Placeholder> {
    let placeholder = |shape: Node<'_, '_>| {
        let (kind, number) = key(shape)?;
        Some(Placeholder { kind: kind.to_owned(), number: number.map(str::to_owned), place: place(shape, SLIDE)? })
    };
    layout.descendants().filter(|node| is(*node, "sp")).filter_map(placeholder).collect()
}

/// The kind and the number of a placeholder.
fn key<'a>(shape: Node<'a, '_>) -> Option<(&'a str, Option<&'a str>)> {
    let placeholder = shape.descendants().find(|node| is(*node, "ph"))?;
    Some((attribute(placeholder, "type").unwrap_or("obj"), attribute(placeholder, "idx")))
}

struct Shapes<'a, 'b, 'c> {
    shapes: Vec<Shape<'a, 'b>>,
    omissions: Omissions,
    layout: &'c [Placeholder],
    size: Option<(f64, f64)>,
}

impl<'a, 'b> Shapes<'a, 'b, '_> {
    fn collect(&mut self, parent: Node<'a, 'b>, group: Group) {
        for node in parent.children().filter(Node::is_element) {
            let name = node.tag_name().name();
            let is_shape = matches!(name, "sp" | "graphicFrame" | "grpSp");
            if is_shape && is_hidden(node) {
                let has_text = node.descendants().any(|node| is(node, "t") || is(node, "chart") || is(node, "relIds"));
                self.omit(Omission::HiddenText, has_text);
                continue;
            }
            if name == "graphicFrame" {
                self.omit(Omission::EmbeddedObjects, node.descendants().any(|node| is(node, "oleObj")));
            }
            match name {
                "grpSp" => self.collect(node, inner(node, group)),
                "AlternateContent" => choice(node).into_iter().for_each(|branch| self.collect(branch, group)),
                "sp" => self.push(node, self.place(node, group)),
                "graphicFrame" => {
                    let place = self.place(node, group);
                    let content = |node: &Node<'a, 'b>| is(*node, "tbl") || is(*node, "chart") || is(*node, "relIds");
                    node.descendants().filter(content).for_each(|content| self.push(content, place));
                }
                "tbl" => self.push(node, None),
                _ => self.collect(node, group),
            }
        }
    }

    fn omit(&mut self, kind: Omission, is_there: bool) {
        if is_there {
            *self.omissions.entry(kind).or_default() += 1;
        }
    }

    /// Adds a shape that is not beside the slide; a title counts there, too. Without a place, it follows the one before it.
    fn push(&mut self, node: Node<'a, 'b>, place: Option<Place>) {
        let is_title = || key(node).is_some_and(|(kind, _)| matches!(kind, "title" | "ctrTitle"));
        if let (Some(place), Some((width, height))) = (place, self.size)
            && (place.right <= 0.0 || place.bottom <= 0.0 || place.left >= width || place.top >= height)
            && !is_title()
        {
            return self.omit(Omission::HiddenText, node.descendants().any(|node| is(node, "t") || is(node, "chart")));
        }
        let place = place.or(self.shapes.last().map(|last| last.place)).unwrap_or_default();
        self.shapes.push(Shape { node, place });
    }

    fn place(&self, shape: Node<'a, 'b>, group: Group) -> Option<Place> {
        let of_layout = || {
            let (kind, number) = key(shape)?;
            let same = |other: &&Placeholder| number.is_some() && other.number.as_deref() == number;
            let placeholder =
                self.layout.iter().find(same).or_else(|| self.layout.iter().find(|other| other.kind == kind));
            placeholder.map(|other| other.place)
        };
        place(shape, group).or_else(of_layout)
    }
}

/// Whether the shape itself is hidden, and not one in it.
fn is_hidden(shape: Node<'_, '_>) -> bool {
    let own = shape.children().find(|node| node.tag_name().name().starts_with("nv"));
    let properties = own.and_then(|own| child(own, "cNvPr"));
    properties.and_then(|properties| attribute(properties, "hidden")).is_some_and(|value| matches!(value, "1" | "true"))
}

/// The element with the place of a shape, a table or a group.
fn transform<'a, 'b>(shape: Node<'a, 'b>) -> Option<Node<'a, 'b>> {
    let in_properties = |name: &str| child(child(shape, name)?, "xfrm");
    child(shape, "xfrm").or_else(|| in_properties("spPr")).or_else(|| in_properties("grpSpPr"))
}

/// Two numbers of a child of a transform.
fn pair(transform: Node<'_, '_>, name: &str, x: &str, y: &str) -> Option<(f64, f64)> {
    let node = child(transform, name)?;
    let number = |name: &str| attribute(node, name).and_then(|number| number.parse().ok());
    Some((number(x)?, number(y)?))
}

fn place(shape: Node<'_, '_>, group: Group) -> Option<Place> {
    let transform = transform(shape)?;
    let (x, y) = pair(transform, "off", "x", "y")?;
    let (width, height) = pair(transform, "ext", "cx", "cy").unwrap_or_default();
    let at = |x: f64, y: f64| (x * group.scale.0 + group.shift.0, y * group.scale.1 + group.shift.1);
    let ((left, top), (right, bottom)) = (at(x, y), at(x + width, y + height));
    Some(Place { left, top, right, bottom })
}

/// The group of the shapes in a group.
fn inner(node: Node<'_, '_>, outer: Group) -> Group {
    let inner = || {
        let transform = transform(node)?;
        let (x, y) = pair(transform, "off", "x", "y")?;
        let (width, height) = pair(transform, "ext", "cx", "cy")?;
        let (inner_x, inner_y) = pair(transform, "chOff", "x", "y")?;
        let (inner_width, inner_height) = pair(transform, "chExt", "cx", "cy")?;
        let scale = |outer: f64, inner: f64| if inner > 0.0 { outer / inner } else { 1.0 };
        let (scale_x, scale_y) = (scale(width, inner_width), scale(height, inner_height));
        Some(Group {
            scale: (scale_x * outer.scale.0, scale_y * outer.scale.1),
            shift: (
                (x - inner_x * scale_x) * outer.scale.0 + outer.shift.0,
                (y - inner_y * scale_y) * outer.scale.1 + outer.shift.1,
            ),
        })
    };
    inner().unwrap_or(outer)
}

/// The width and the height of a slide.
pub(super) fn size(node: Node<'_, '_>) -> Option<(f64, f64)> {
    let number = |name: &str| attribute(node, name).and_then(|number| number.parse().ok());
    Some((number("cx")?, number("cy")?))
}

/// The shapes in the order of reading.
pub(super) fn in_reading_order<'a, 'b>(shapes: Vec<Shape<'a, 'b>>) -> Vec<Shape<'a, 'b>> {
    let mut in_order = Vec::with_capacity(shapes.len());
    // Parts that are still to be divided, the first one last.
    let mut open = vec![shapes];
    while let Some(mut part) = open.pop() {
        match divided(&part) {
            Some(parts) => open.extend(parts.into_iter().rev()),
            None => {
                part.sort_by(|a, b| (a.place.top.total_cmp(&b.place.top)).then(a.place.left.total_cmp(&b.place.left)));
                in_order.append(&mut part);
            }
        }
    }
    in_order
}

/// The rows or columns of some shapes that gaps divide; `None` if nothing divides them.
fn divided<'a, 'b>(shapes: &[Shape<'a, 'b>]) -> Option<Vec<Vec<Shape<'a, 'b>>>> {
    if shapes.len() < 2 {
        return None;
    }
    let rows = split(shapes, |place| (place.top, place.bottom));
    let columns = split(shapes, |place| (place.left, place.right));
    match (rows, columns) {
        (Some((_, rows)), None) => Some(with_columns(rows)),
        (None, Some((_, columns))) => Some(columns),
        (Some((row_gap, rows)), Some((column_gap, columns))) => {
            let heights = shapes.iter().map(|shape| shape.place.bottom - shape.place.top);
            let (least, most) =
                heights.fold((f64::MAX, 0.0), |(least, most), height| (height.min(least), height.max(most)));
            // A grid of equal shapes is read by rows, one of headings and their texts by columns.
            let is_grid = rows.len() > 1 && rows.iter().all(|row| row.len() == columns.len());
            let by_rows = if is_grid { most <= least * SAME_HEIGHT } else { row_gap >= column_gap };
            Some(if by_rows { rows } else { columns })
        }
        (None, None) => None,
    }
}

/// Rows, of which neighbours that have columns in common are one part.
fn with_columns<'a, 'b>(rows: Vec<Vec<Shape<'a, 'b>>>) -> Vec<Vec<Shape<'a, 'b>>> {
    let mut parts: Vec<Vec<Shape<'a, 'b>>> = Vec::new();
    for row in rows {
        match parts.last_mut() {
            Some(part) if split(&[&part[..], &row[..]].concat(), |place| (place.left, place.right)).is_some() => {
                part.extend(row);
            }
            _ => parts.push(row),
        }
    }
    parts
}

/// The parts between gaps in one direction, and the widest gap.
fn split<'a, 'b>(
    shapes: &[Shape<'a, 'b>],
    side: impl Fn(&Place) -> (f64, f64),
) -> Option<(f64, Vec<Vec<Shape<'a, 'b>>>)> {
    let mut in_order = shapes.to_vec();
    in_order.sort_by(|a, b| side(&a.place).0.total_cmp(&side(&b.place).0));
    let (mut parts, mut widest, mut end) = (Vec::<Vec<Shape<'a, 'b>>>::new(), f64::MIN, f64::MIN);
    for shape in in_order {
        let (start, last) = side(&shape.place);
        let gap = start - end;
        // Thin shapes overlap less.
        let allowed = OVERLAP.min((last - start) / 4.0);
        match parts.last_mut() {
            Some(part) if gap < -allowed || (start == last && gap <= 0.0) => part.push(shape),
            Some(_) => {
                widest = widest.max(gap);
                parts.push(vec![shape]);
            }
            None => parts.push(vec![shape]),
        }
        end = end.max(last);
    }
    (parts.len() > 1).then_some((widest, parts))
}

#[cfg(test)]
mod tests {
    use roxmltree::Document as Xml;

    use super::*;

    /// The names of shapes in the order of reading, which are given with left, top, width and height.
    fn order_of(shapes: &[(&str, [i32; 4])]) -> String {
        let shape = |(name, [x, y, width, height]): &(&str, [i32; 4])| {
            format!(
                "<sp name=\"{name}\"><spPr><xfrm><off x=\"{x}00000\" y=\"{y}00000\"/><ext cx=\"{width}00000\" cy=\"{height}00000\"/></xfrm></spPr></sp>"
            )
        };
        let slide = format!("<sld>{}</sld>", shapes.iter().map(shape).collect::<String>());
        let page = Xml::parse(&slide).unwrap();
        let shapes = in_reading_order(shapes_of(&page));
        shapes.iter().filter_map(|shape| attribute(shape.node, "name")).collect::<Vec<_>>().join(" ")
    }

    fn shapes_of<'a>(page: &'a Xml<'a>) -> Vec<Shape<'a, 'a>> {
        shapes(page.root_element(), &[], None).0
    }

    #[test]
    fn shapes_are_read_by_their_places() {
        let tours = [
            ("evening", [50, 15, 40, 5]),
            ("morning-text", [5, 21, 40, 25]),
            ("evening-text", [50, 21, 40, 25]),
            ("morning", [5, 15, 40, 5]),
            ("note", [5, 60, 85, 5]),
        ];
        assert_eq!(order_of(&tours), "morning morning-text evening evening-text note");
        let rows = [
            ("b2", [30, 30, 20, 5]),
            ("a1", [5, 20, 20, 5]),
            ("b1", [5, 30, 20, 5]),
            ("a2", [30, 20, 20, 5]),
            ("c1", [5, 40, 20, 5]),
            ("c2", [30, 40, 20, 5]),
        ];
        assert_eq!(order_of(&rows), "a1 a2 b1 b2 c1 c2");
        assert_eq!(order_of(&[("under", [5, 10, 10, 10]), ("over", [6, 5, 10, 10])]), "over under");
    }

    #[test]
    fn shapes_of_a_group_have_their_place_on_the_slide() {
        let slide = "<sld><sp name=\"last\"><spPr><xfrm><off x=\"0\" y=\"500000\"/><ext cx=\"9\" cy=\"9\"/></xfrm></spPr></sp>
            <grpSp><grpSpPr><xfrm><off x=\"0\" y=\"100000\"/><ext cx=\"100\" cy=\"100000\"/><chOff x=\"0\" y=\"900000\"/>
            <chExt cx=\"100\" cy=\"200000\"/></xfrm></grpSpPr><sp name=\"first\"><spPr><xfrm><off x=\"0\" y=\"900000\"/>
            <ext cx=\"9\" cy=\"9\"/></xfrm></spPr></sp></grpSp>
            <sp name=\"hidden\"><nvSpPr><cNvPr hidden=\"1\"/></nvSpPr><t>x</t></sp></sld>";
        let page = Xml::parse(slide).unwrap();
        let (list, omissions) = shapes(page.root_element(), &[], None);
        assert_eq!((list[1].place.top, omissions.get(&Omission::HiddenText)), (100_000.0, Some(&1)));
        assert_eq!(attribute(in_reading_order(list)[0].node, "name"), Some("first"));
    }
}
