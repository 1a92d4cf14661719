//! The structure of a tagged PDF, as far as it names headings and the cells of tables.

use std::collections::{HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::{boxes::Boxes, resolve};

/// Maximum elements and parts of a document; the rest has no tags.
const MAX_NODES: usize = 1_000_000;
/// Maximum nesting of elements.
const MAX_DEPTH: usize = 48;
/// Maximum boxes and columns of a table, and rows or columns of a cell.
const MAX_BOXES: usize = 50_000;
const MAX_COLUMNS: usize = 500;
const MAX_SPAN: usize = 500;
/// Maximum steps from the name of an element to a standard one.
const MAX_NAMES: usize = 8;

/// What a part of a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The number of the heading in the document, and its level.
    Heading(u32, u8),
    /// The number of the table, and the first box of the cell.
    Cell(u32, u32),
}

/// A table without the texts of its cells.
pub(super) struct TaggedTable {
    pub(super) boxes: Boxes,
    /// Whether the first row names the columns.
    pub(super) has_header: bool,
    /// Rows without some of their boxes, whose places show in which columns the others are.
    pub(super) short: HashSet<usize>,
}

/// The tags of a document.
#[derive(Default)]
pub(super) struct Tags {
    /// Tables; none for those that only place what is in them.
    tables: Vec<Option<TaggedTable>>,
    headings: u32,
    /// The parts of each page by their numbers.
    pages: HashMap<ObjectId, HashMap<i64, Role>>,
}

impl Tags {
    pub(super) fn read(document: &Document) -> Self {
        let root = document.catalog().and_then(|catalog| catalog.get_deref(b"StructTreeRoot", document));
        let Ok(root) = root.and_then(Object::as_dict) else { return Self::default() };
        let names = root.get_deref(b"RoleMap", document).and_then(Object::as_dict).ok();
        let mut reader = Reader { document, names, nodes_left: MAX_NODES, tags: Self::default() };
        if let Ok(parts) = root.get(b"K") {
            reader.parts(parts, Around::default(), 0);
        }
        reader.tags
    }

    /// The parts of a page, which are asked for once.
    pub(super) fn take_page(&mut self, page: ObjectId) -> HashMap<i64, Role> {
        self.pages.remove(&page).unwrap_or_default()
    }

    pub(super) fn table(&self, number: u32) -> Option<&TaggedTable> {
        self.tables.get(number as usize)?.as_ref()
    }
}

/// What is known of the elements around a part.
#[derive(Clone, Copy, Default)]
struct Around {
    page: Option<ObjectId>,
    role: Option<Role>,
}

struct Reader<'a> {
    document: &'a Document,
    /// The standard names that stand for the document's own ones.
    names: Option<&'a Dictionary>,
    /// Elements and parts that may still be read.
    nodes_left: usize,
    tags: Tags,
}

impl<'a> Reader<'a> {
    fn parts(&mut self, parts: &'a Object, around: Around, depth: usize) {
        self.nodes_left = self.nodes_left.saturating_sub(1);
        if self.nodes_left == 0 || depth > MAX_DEPTH {
            return;
        }
        match resolve(self.document, parts) {
            Object::Array(parts) => parts.iter().for_each(|part| self.parts(part, around, depth + 1)),
            Object::Integer(number) => self.mark(*number, around),
            Object::Dictionary(part) if part.has(b"S") => self.element(part, around, depth),
            // Parts of forms have numbers of their own.
            Object::Dictionary(part) if !part.has(b"Stm") => {
                let number = part.get_deref(b"MCID", self.document).and_then(Object::as_i64);
                let page = part.get(b"Pg").and_then(Object::as_reference).ok().or(around.page);
                number.into_iter().for_each(|number| self.mark(number, Around { page, ..around }));
            }
            _ => {}
        }
    }

    fn mark(&mut self, number: i64, around: Around) {
        if let (Some(page), Some(role)) = (around.page, around.role) {
            self.tags.pages.entry(page).or_default().insert(number, role);
        }
    }

    fn element(&mut self, element: &'a Dictionary, around: Around, depth: usize) {
        let page = element.get(b"Pg").and_then(Object::as_reference).ok().or(around.page);
        let mut role = around.role;
        match self.name(element) {
            b"Table" if self.table(element, page, depth) => return,
            [b'H', level @ ..] if level.iter().all(u8::is_ascii_digit) => {
                let level = std::str::from_utf8(level).ok().and_then(|level| level.parse().ok()).unwrap_or(1);
                self.tags.headings += 1;
                // A heading in a cell is a part of it.
                role = role.or(Some(Role::Heading(self.tags.headings, level)));
            }
            _ => {}
        }
        if let Ok(parts) = element.get(b"K") {
            self.parts(parts, Around { page, role }, depth + 1);
        }
    }

    /// The standard name of an element.
    fn name(&self, element: &'a Dictionary) -> &'a [u8] {
        let mut name = element.get_deref(b"S", self.document).and_then(Object::as_name).unwrap_or_default();
        for _ in 0..MAX_NAMES {
            let next = self.names.and_then(|names| names.get_deref(name, self.document).ok()?.as_name().ok());
            match next.filter(|next| *next != name) {
                Some(next) => name = next,
                None => break,
            }
        }
        name
    }

    /// Reads a table. One around another one only places it.
    fn table(&mut self, element: &'a Dictionary, page: Option<ObjectId>, depth: usize) -> bool {
        let mut rows = Vec::new();
        self.rows(element, page, depth, &mut rows);
        let Some((boxes, firsts, short)) = boxes(&rows) else { return false };
        let is_header = |row: &[Cell<'_>]| row.iter().all(|cell| cell.is_header);
        let has_header = is_header(&rows[0]) && !rows.iter().all(|row| is_header(row));
        let number = self.tags.tables.len();
        self.tags.tables.push(Some(TaggedTable { boxes, has_header, short }));
        for (cell, first) in rows.iter().flatten().zip(firsts) {
            let (Ok(table), Ok(parts)) = (u32::try_from(number), cell.element.get(b"K")) else { continue };
            self.parts(parts, Around { page: cell.page, role: Some(Role::Cell(table, first)) }, depth + 1);
        }
        if self.tags.tables[number + 1..].iter().any(Option::is_some) {
            self.tags.tables[number] = None;
        }
        true
    }

    /// Collects the rows of a table, which may be in groups.
    fn rows(&mut self, parent: &'a Dictionary, page: Option<ObjectId>, depth: usize, rows: &mut Vec<Vec<Cell<'a>>>) {
        for (element, page) in self.elements(parent, page, depth) {
            match self.name(element) {
                b"TR" => {
                    let cells = self.elements(element, page, depth + 1).into_iter();
                    let cells = cells.filter_map(|(element, page)| self.cell(element, page)).collect::<Vec<_>>();
                    if !cells.is_empty() {
                        rows.push(cells);
                    }
                }
                b"Table" | b"TH" | b"TD" | b"Caption" => {}
                _ if depth < MAX_DEPTH => self.rows(element, page, depth + 1, rows),
                _ => {}
            }
        }
    }

    /// The elements in one, with their pages.
    fn elements(
        &mut self,
        parent: &'a Dictionary,
        page: Option<ObjectId>,
        depth: usize,
    ) -> Vec<(&'a Dictionary, Option<ObjectId>)> {
        let Ok(parts) = parent.get_deref(b"K", self.document) else { return Vec::new() };
        let parts = match parts {
            Object::Array(parts) => parts.as_slice(),
            part => std::slice::from_ref(part),
        };
        let count = if depth < MAX_DEPTH { parts.len().min(self.nodes_left) } else { 0 };
        self.nodes_left -= count;
        let elements = parts[..count].iter().filter_map(|part| resolve(self.document, part).as_dict().ok());
        let page_of = |element: &Dictionary| element.get(b"Pg").and_then(Object::as_reference).ok().or(page);
        elements.filter(|element| element.has(b"S")).map(|element| (element, page_of(element))).collect()
    }

    fn cell(&self, element: &'a Dictionary, page: Option<ObjectId>) -> Option<Cell<'a>> {
        let is_header = match self.name(element) {
            b"TH" => true,
            b"TD" => false,
            _ => return None,
        };
        let attributes = match element.get_deref(b"A", self.document) {
            Ok(Object::Array(all)) => all.as_slice(),
            Ok(one) => std::slice::from_ref(one),
            Err(_) => &[],
        };
        let span = |key: &[u8]| {
            let mut all = attributes.iter().filter_map(|one| resolve(self.document, one).as_dict().ok());
            let span = all.find_map(|one| one.get_deref(key, self.document).and_then(Object::as_i64).ok());
            span.and_then(|span| usize::try_from(span).ok()).unwrap_or(1).clamp(1, MAX_SPAN)
        };
        Some(Cell { element, page, is_header, rows: span(b"RowSpan"), columns: span(b"ColSpan") })
    }
}

struct Cell<'a> {
    element: &'a Dictionary,
    page: Option<ObjectId>,
    is_header: bool,
    /// How many rows and columns it reaches over.
    rows: usize,
    columns: usize,
}

/// The boxes of rows, the first box of each cell, and the rows that have fewer boxes than others. None when cells do not fit.
fn boxes(rows: &[Vec<Cell<'_>>]) -> Option<(Boxes, Vec<u32>, HashSet<usize>)> {
    let columns = rows.iter().map(|row| row.iter().map(|cell| cell.columns).sum::<usize>()).max()?;
    if !(2..=MAX_COLUMNS).contains(&columns) || rows.len() < 2 || columns.checked_mul(rows.len())? > MAX_BOXES {
        return None;
    }
    let mut cells: Vec<Option<usize>> = vec![None; columns * rows.len()];
    let (mut firsts, mut tall_rows) = (Vec::new(), HashSet::new());
    for (row, own) in rows.iter().enumerate() {
        for cell in own {
            let column = (0..columns).find(|column| cells[row * columns + column].is_none())?;
            let first = row * columns + column;
            firsts.push(u32::try_from(first).ok()?);
            if column + cell.columns > columns {
                return None;
            }
            let over = row..rows.len().min(row + cell.rows);
            tall_rows.extend(over.clone().filter(|_| cell.rows > 1));
            for below in over {
                let begin = below * columns + column;
                if cells[begin..begin + cell.columns].iter_mut().any(|at| at.replace(first).is_some()) {
                    return None;
                }
            }
        }
    }
    let short: HashSet<usize> =
        (0..rows.len()).filter(|row| cells[row * columns..][..columns].iter().any(Option::is_none)).collect();
    // Programs leave empty cells out. In a row of a cell that reaches over several, the others could be anywhere.
    if !short.is_disjoint(&tall_rows) {
        return None;
    }
    let cells = cells.into_iter().enumerate().map(|(at, cell)| cell.unwrap_or(at)).collect();
    Some((Boxes::new(columns, cells), firsts, short))
}
