//! The lines of a page, before they are read in order.

use super::{
    columns::columns,
    glyphs::{Rule, Shapes},
    gutters, justified,
    lattice::lattices,
    lines::{Row, rows},
    paragraphs::{Block, blocks, join_pieces},
    rotated, tagged,
    tags::Tags,
};

/// Minimum dots between an entry of a table of contents and its page.
const LEADERS: usize = 4;
/// Minimum entries of a table of contents.
const ENTRIES: usize = 3;
/// Pages that a table of contents may count without being in the file.
const MORE_PAGES: usize = 20;
/// The gap between columns of different pages that are put beside each other.
const BESIDE: f32 = 20.0;
/// Headings of tables of contents.
const CONTENTS: [&str; 8] = [
    "contents",
    "table of contents",
    "inhalt",
    "inhaltsverzeichnis",
    "sommaire",
    "table des matières",
    "índice",
    "indice",
];

/// What a page shows, in lines.
pub(super) struct Page {
    /// Lines of each direction, that of most glyphs first.
    groups: Vec<Vec<Row>>,
    rules: Vec<Rule>,
    /// The edges of the page from top to bottom, in the frame of the main direction.
    edges: Option<(f32, f32)>,
    /// Whether a program for sheets made it.
    is_sheet: bool,
    pub(super) characters: usize,
    pub(super) unknown: usize,
    /// Lines with text that nobody sees.
    pub(super) hidden_lines: usize,
}

/// Where a line stands among those of the page before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// To the right of this line.
    Beside(usize),
    /// Between lines.
    Between,
    /// It stays on its own page.
    Here,
}

impl Page {
    pub(super) fn of(mut shapes: Shapes, tags: &Tags, is_sheet: bool) -> Self {
        shapes.remove_invisible();
        let (characters, unknown, hidden_lines) = (shapes.characters, shapes.unknown, shapes.hidden_lines());
        let frame = shapes.frame;
        let mut groups = shapes.into_groups();
        let tables: Vec<Vec<Row>> = groups.iter_mut().map(|group| tagged::take(group, tags)).collect();
        let mut lines: Vec<Vec<Row>> = groups.iter().map(|group| rows(group, is_sheet)).collect();
        rotated::place(&groups, &mut lines);
        for (rows, tables) in lines.iter_mut().zip(tables).filter(|(_, tables)| !tables.is_empty()) {
            rows.extend(tables);
            rows.sort_by(|one, other| one.y().total_cmp(&other.y()));
        }
        lines.retain(|rows| !rows.is_empty());
        let edges = frame.zip(groups.first()).map(|(frame, main)| {
            let [y, bottom] = frame.corners().map(|corner| main.turned(corner).1);
            (y.min(bottom), y.max(bottom))
        });
        let rules = groups.first_mut().map(|group| std::mem::take(&mut group.rules)).unwrap_or_default();
        Self { groups: lines, rules, edges, is_sheet, characters, unknown, hidden_lines }
    }

    /// The lines of the main direction from top to bottom.
    pub(super) fn rows(&self) -> impl DoubleEndedIterator<Item = &Row> {
        self.groups.first().into_iter().flatten()
    }

    pub(super) fn edges(&self) -> Option<(f32, f32)> {
        self.edges
    }

    /// From where to where lines and rules reach along x.
    fn extent(&self) -> (f32, f32) {
        let pieces = self.rows().flat_map(|row| &row.pieces).map(|piece| (piece.x, piece.end));
        let all = pieces.chain(self.rules.iter().map(|rule| rule.x));
        all.fold((f32::MAX, f32::MIN), |(x, end), one| (x.min(one.0), end.max(one.1)))
    }

    /// Moves lines of the main direction and all rules to the right of those of another page.
    pub(super) fn move_beside(&mut self, left: &mut Self, places: &[Place]) {
        let gap = if self.rules.iter().any(Rule::is_vertical) { 0.0 } else { BESIDE };
        let by = left.extent().1 - self.extent().0 + gap;
        let Some((rows, own)) = left.groups.first_mut().zip(self.groups.first_mut()) else { return };
        for (mut row, place) in std::mem::take(own).into_iter().zip(places) {
            if *place == Place::Here {
                own.push(row);
                continue;
            }
            for piece in &mut row.pieces {
                (piece.x, piece.end) = (piece.x + by, piece.end + by);
                piece.gaps.iter_mut().for_each(|gap| (gap.from, gap.to) = (gap.from + by, gap.to + by));
            }
            match place {
                Place::Beside(at) => rows[*at].pieces.append(&mut row.pieces),
                _ => rows.push(row),
            }
        }
        rows.sort_by(|one, other| one.y().total_cmp(&other.y()));
        left.rules.extend(self.rules.drain(..).map(|rule| Rule { x: (rule.x.0 + by, rule.x.1 + by), ..rule }));
    }

    /// Replaces the lines of the main direction.
    pub(super) fn set_rows(&mut self, rows: Vec<Row>) {
        if let Some(group) = self.groups.first_mut() {
            *group = rows;
        }
    }

    /// Removes the first or the last line.
    pub(super) fn remove(&mut self, first: bool) {
        let Some(rows) = self.groups.first_mut().filter(|rows| !rows.is_empty()) else { return };
        rows.remove(if first { 0 } else { rows.len() - 1 });
    }

    /// The paragraphs and tables of the page in reading order. The document has `pages`.
    pub(super) fn blocks(self, pages: usize) -> Vec<Block> {
        let Self { groups, rules, is_sheet, .. } = self;
        let mut all = Vec::new();
        for mut rows in groups {
            replace_leaders(&mut rows, pages);
            join_pieces(&mut rows, &rules);
            justified::join(&mut rows);
            gutters::part(&mut rows);
            let (tables, boxes) = lattices(&rules, &rows);
            for column in columns(rows, &tables, &boxes) {
                all.extend(blocks(&column, &rules, &tables, is_sheet));
            }
        }
        all
    }
}

/// Drops the entries of a table of contents. Dots before a value, as in a price list, become a colon.
fn replace_leaders(rows: &mut Vec<Row>, pages: usize) {
    let row_entries: Vec<Option<(String, String)>> =
        rows.iter().map(|row| entry(&row.text()).filter(|_| row.grid.is_none())).collect();
    let entries: Vec<&(String, String)> = row_entries.iter().flatten().collect();
    if entries.is_empty() {
        return;
    }
    let numbers: Vec<Option<usize>> = entries.iter().map(|(_, value)| value.parse().ok()).collect();
    let is_ordered = numbers.iter().flatten().is_sorted() && numbers.iter().flatten().count() * 10 >= numbers.len() * 8;
    let is_near = numbers.iter().flatten().all(|number| *number <= pages + MORE_PAGES);
    let is_named = rows.iter().any(|row| CONTENTS.contains(&row.text().trim_end_matches(':').to_lowercase().as_str()));
    // In an excerpt, the entries may be all that it says about the other pages.
    let within = numbers.iter().flatten().filter(|number| **number <= pages).count();
    let is_whole = within * 2 >= numbers.iter().flatten().count();
    let is_contents = is_ordered && is_whole && (is_named || pages >= ENTRIES && entries.len() >= ENTRIES && is_near);
    let mut row_entries = row_entries.into_iter();
    rows.retain_mut(|row| {
        let Some((name, value)) = row_entries.next().flatten() else { return true };
        let last_dotted = row.pieces.iter().rposition(|piece| dots(&piece.text) > 1).unwrap_or(row.pieces.len());
        if let Some(values) = row.pieces.get(last_dotted + 1..).filter(|values| values.len() > 1) {
            // The values of several columns stay apart.
            let (values, end) = (values.to_vec(), row.pieces[last_dotted].end);
            row.pieces.truncate(1);
            (row.pieces[0].text, row.pieces[0].end) = (name, end);
            row.pieces[0].gaps.clear();
            row.pieces.extend(values);
        } else if let Some(end) = row.pieces.iter().map(|piece| piece.end).reduce(f32::max) {
            row.pieces.truncate(1);
            row.pieces[0].end = end;
            row.pieces[0].gaps.clear();
            row.pieces[0].text = format!("{name}: {value}");
            row.pieces[0].is_entry = true;
        }
        !is_contents
    });
}

/// The name and the value of a line with dots between them.
fn entry(line: &str) -> Option<(String, String)> {
    let is_dot = |letter: char| matches!(letter, '.' | '…' | '·' | '_');
    let end = line.rfind(is_dot)?;
    let (before, value) = line.split_at(end + line[end..].chars().next().map_or(1, char::len_utf8));
    // A value may have a point of its own: the dots are the last long run.
    let (before, value) = if dots(before) >= LEADERS {
        (before, value.to_owned())
    } else {
        let start = before.rfind("..").or_else(|| before.rfind(". ."))?;
        let length = before[start..].chars().take_while(|letter| is_dot(*letter) || *letter == ' ').count();
        let place = start + before[start..].char_indices().nth(length).map_or(before.len() - start, |(at, _)| at);
        (&before[..place], format!("{}{value}", &before[place..]))
    };
    let count = dots(before);
    let name = before.trim_end_matches(|letter: char| is_dot(letter) || letter == ' ');
    let value = value.trim();
    (count >= LEADERS && !name.is_empty() && !value.is_empty()).then(|| (name.to_owned(), value.to_owned()))
}

/// The dots at the end of a text, with spaces between them.
fn dots(text: &str) -> usize {
    let tail = text.chars().rev().take_while(|letter| matches!(letter, '.' | '…' | '·' | '_' | ' '));
    tail.map(|letter| match letter {
        '…' => 3,
        ' ' => 0,
        _ => 1,
    })
    .sum()
}
