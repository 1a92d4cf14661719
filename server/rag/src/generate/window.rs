//! Decides which units of a passage are quoted together and renders them: a short section as a whole, otherwise the
//! units related to the best one.

use std::ops::Range;

use super::{
    table::as_list,
    units::{Kind, Unit, goes_on},
};
use crate::{block::item_marker, citation::verify};

/// Maximum bytes of a section of prose that is quoted whole, and of a quotation of prose. The prose of most passages fits.
const PROSE: usize = 1000;
/// Maximum bytes of a section with a list, code or a table that is quoted whole, and of a quotation with one.
const TOTAL: usize = 1200;
/// Maximum bytes of rows of a table.
const ROWS: usize = 700;
/// The difference of relevance below which two rows match a question alike.
pub(super) const ALIKE: f32 = 0.03;
/// Bytes up to which a quotation goes on with the next paragraph, even if that is less relevant.
const BRIEF: usize = 350;

/// The units to quote around `seed`: its section if that is short enough, otherwise the units that it depends on, the
/// block that it belongs to and the units that follow, while there is room. `own` are the units of the passage, and
/// those around them only complete what is quoted of it. `scores` are the units' relevances.
pub(super) fn window(units: &[Unit<'_>], own: &Range<usize>, scores: &[f32], seed: usize) -> Vec<usize> {
    let section = section(units, seed);
    if units[seed].kind == Kind::Row {
        return rows(units, scores, section, seed);
    }
    let mut picked: Vec<usize> = match is_short(units, section.clone()) {
        true => section.filter(|at| units[*at].kind != Kind::Heading).collect(),
        false => around(units, own, scores, section, seed),
    };
    drop_dangling(units, &mut picked);
    picked
}

/// The rows of a table that match the question as well as `seed`, with the sentence that announces the table. When all rows
/// match alike, those from the first on that fit.
fn rows(units: &[Unit<'_>], scores: &[f32], section: Range<usize>, seed: usize) -> Vec<usize> {
    let table = table_around(units, section.clone(), seed);
    let is_alike = |at: &usize| scores[*at] > scores[seed] - ALIKE;
    let mut used = 0;
    let fits = |at: &usize| {
        used += units[*at].text.len() + units[*at].head.len() / 2;
        *at == seed || used <= ROWS
    };
    let mut picked: Vec<usize> = table.clone().filter(is_alike).take_while(fits).collect();
    if !picked.contains(&seed) {
        picked.pop();
        picked.push(seed);
    }
    let announcement = table.start.checked_sub(1).filter(|at| *at >= section.start && units[*at].announces);
    announcement.into_iter().chain(picked).collect()
}

/// The rows of the table that a row belongs to, in the section.
pub(super) fn table_around(units: &[Unit<'_>], section: Range<usize>, row: usize) -> Range<usize> {
    let is_row = |at: &usize| units[*at].kind == Kind::Row && units[*at].head == units[row].head;
    let start = (section.start..row).rev().take_while(is_row).last().unwrap_or(row);
    let end = (row..section.end).take_while(is_row).last().unwrap_or(row) + 1;
    start..end
}

/// All units that may be quoted, because the author of a prepared answer meant all of it to be read.
pub(super) fn whole(units: &[Unit<'_>]) -> Vec<usize> {
    (0..units.len()).filter(|at| units[*at].kind != Kind::Heading).collect()
}

/// The units between the headings around `unit`, without the headings.
pub(super) fn section(units: &[Unit<'_>], unit: usize) -> Range<usize> {
    let is_heading = |at: &usize| units[*at].kind == Kind::Heading;
    let start = (0..unit).rev().find(is_heading).map_or(0, |heading| heading + 1);
    let end = (unit..units.len()).find(is_heading).unwrap_or(units.len());
    start..end
}

fn bytes(units: &[Unit<'_>], range: Range<usize>) -> usize {
    units[range].iter().map(|unit| unit.text.len() + 1).sum()
}

/// Maximum bytes of a quotation of these units.
fn room(units: &[Unit<'_>], range: Range<usize>) -> usize {
    let has_structure = units[range].iter().any(|unit| matches!(unit.kind, Kind::Item | Kind::Row | Kind::Whole));
    if has_structure { TOTAL } else { PROSE }
}

/// Whether these units are quoted whole.
fn is_short(units: &[Unit<'_>], range: Range<usize>) -> bool {
    bytes(units, range.clone()) <= room(units, range)
}

/// The units to quote around one of a long section.
fn around(units: &[Unit<'_>], own: &Range<usize>, scores: &[f32], section: Range<usize>, seed: usize) -> Vec<usize> {
    // The part of the section that is in the passage.
    let inner = section.start.max(own.start)..section.end.min(own.end);
    let most = room(units, inner.clone());
    // A list that goes on behind the passage is quoted whole rather than what is before it.
    let end = continued_end(units, inner.end, section.end);
    let fits = |start: usize| bytes(units, start..end) <= most;
    let prefers_list = end > inner.end && !fits(inner.start) && fits(beginning(units, section.start, seed));
    // Behind a title at the end of the passage is what it announces, and before it is something else.
    let ends_with_title = seed + 1 == inner.end && is_title(units, seed, most);
    let is_whole = is_short(units, inner.clone()) && !prefers_list && !ends_with_title;
    let (start, mut last) = if is_whole { (inner.start, inner.end - 1) } else { (seed, seed) };
    // If a list is long, leaves out what is before the passage, and then its announcement and the items before the found
    // one.
    let begins = [
        beginning(units, section.start, start),
        beginning(units, inner.start, start),
        start - usize::from(start > section.start && is_code_of(units, start - 1, start)),
    ];
    let first = begins.into_iter().find(|first| bytes(units, *first..last + 1) <= most).unwrap_or(start);
    let mut used = bytes(units, first..last + 1);
    while last + 1 < section.end {
        let end = block_end(units, last + 1, section.end);
        let adds = bytes(units, last + 1..end);
        let belongs = units[last].announces || is_continued(units, last, last + 1);
        let is_near = scores[last + 1..end].iter().any(|score| *score >= 0.5 * scores[seed]);
        // What is behind the passage may be code or a list.
        let most = most.max(room(units, last + 1..end));
        if used + adds > most || !(belongs || is_near || used < BRIEF) {
            break;
        }
        used += adds;
        last = end - 1;
    }
    (first..last + 1).collect()
}

/// Whether a unit is the title of the paragraph after it, such as that of a box that was read as paragraphs, and both fit
/// into `most` bytes.
fn is_title(units: &[Unit<'_>], unit: usize, most: usize) -> bool {
    let opens = |at: usize| units.get(at).filter(|unit| unit.kind == Kind::Opening);
    let end = block_end(units, unit + 1, units.len());
    opens(unit).is_some_and(Unit::is_open)
        && opens(unit + 1).is_some_and(|next| !next.is_open())
        && bytes(units, unit..unit + 1) < BRIEF
        && bytes(units, unit..end) <= most
}

/// Where a quotation with `seed` begins, at `earliest` or later: with its paragraph, with its list and the announcement of
/// the list, or with the sentence before its code.
fn beginning(units: &[Unit<'_>], earliest: usize, seed: usize) -> usize {
    let mut start = seed;
    while start > earliest {
        let (unit, before) = (&units[start], &units[start - 1]);
        let is_led = matches!(unit.kind, Kind::Item | Kind::Row | Kind::Whole) && before.announces;
        if !(is_led || goes_on(units, start) || unit.refers_back() || is_continued(units, start - 1, start)) {
            break;
        }
        start -= 1;
    }
    start
}

/// Where the list, table or code ends that goes on at `start`; `start` when nothing goes on.
pub(super) fn continued_end(units: &[Unit<'_>], start: usize, end: usize) -> usize {
    (start..end).find(|at| !is_continued(units, at - 1, *at)).unwrap_or(end)
}

/// Whether `unit` continues a list or a table of the unit before it, or is the code behind its sentence.
fn is_continued(units: &[Unit<'_>], before: usize, unit: usize) -> bool {
    is_in_list(units, before, unit) || is_in_table(units, before, unit) || is_code_of(units, before, unit)
}

/// Whether `unit` is the code behind the sentence or list item before it.
fn is_code_of(units: &[Unit<'_>], before: usize, unit: usize) -> bool {
    units[unit].is_code() && matches!(units[before].kind, Kind::Opening | Kind::Sentence | Kind::Item)
}

/// Whether both units are parts of one table, which was cut between two rows: then both have its header.
fn is_in_table(units: &[Unit<'_>], before: usize, unit: usize) -> bool {
    let (before, unit) = (&units[before], &units[unit]);
    before.kind == Kind::Row && unit.kind == Kind::Row && before.head == unit.head
}

/// Whether both units belong to one list: items, the content of an item, and steps with consecutive numbers.
fn is_in_list(units: &[Unit<'_>], before: usize, unit: usize) -> bool {
    match (units[before].kind, units[unit].kind) {
        (Kind::Item, Kind::Item) => true,
        (_, Kind::Item) => number(units[unit].text).is_some_and(|number| number > 1),
        (Kind::Item, _) => {
            let next = units[unit..].iter().take_while(|unit| unit.kind != Kind::Heading);
            let next = next.filter(|unit| unit.kind == Kind::Item).map(|unit| number(unit.text)).next().flatten();
            next.is_some() && next == number(units[before].text).map(|number| number + 1)
        }
        _ => false,
    }
}

/// The number of a step.
fn number(item: &str) -> Option<u32> {
    item_marker(item)?;
    item.trim_start().split('.').next()?.parse().ok()
}

/// The end of the block that begins at `start`: a paragraph, an item, code or a table.
fn block_end(units: &[Unit<'_>], start: usize, end: usize) -> usize {
    (start + 1..end).find(|at| units[*at].kind != Kind::Sentence).unwrap_or(end)
}

/// Removes an announcement at the end whose subject did not fit, unless it would be the only unit.
fn drop_dangling(units: &[Unit<'_>], picked: &mut Vec<usize>) {
    while picked.len() > 1 && picked.last().is_some_and(|last| units[*last].announces) {
        picked.pop();
    }
}

/// A row of a table as a list item, with the names of its columns.
pub(super) fn row_text(row: &Unit<'_>) -> String {
    as_list(&format!("{}\n{}", row.head, row.text))
}

/// How many items or rows of a list or table that is quoted in part are left out.
pub(super) fn left_out(units: &[Unit<'_>], picked: &[usize]) -> usize {
    let (Some(first), Some(last)) = (picked.first(), picked.last()) else { return 0 };
    let section = section(units, *last);
    let is_listed = |kind: Kind| matches!(kind, Kind::Item | Kind::Row);
    let quoted = picked.iter().rev().take_while(|at| units[**at].kind == units[*last].kind).count();
    match units[*last].kind {
        Kind::Row => table_around(units, section, *last).len() - quoted,
        Kind::Item if is_listed(units[*first].kind) || quoted > 1 => {
            let is_item = |at: &usize| units[*at].kind == Kind::Item;
            (*last + 1..section.end).take_while(is_item).count()
        }
        _ => 0,
    }
}

/// Renders the picked units as Markdown with `marker` after the last words that are not code. Tables become lists.
pub(super) fn quote(units: &[Unit<'_>], picked: &[usize], marker: &str) -> String {
    let marked = picked.iter().rposition(|unit| units[*unit].kind != Kind::Whole || units[*unit].is_table());
    let mut text = String::new();
    for (number, at) in picked.iter().enumerate() {
        let unit = &units[*at];
        let follows = number > 0 && picked[number - 1] + 1 == *at;
        let before = number.checked_sub(1).map(|before| &units[picked[before]]);
        let was_item = before.is_some_and(|before| before.kind == Kind::Item);
        let was_row = before.is_some_and(|before| before.kind == Kind::Row && before.head == unit.head);
        if number > 0 {
            text.push_str(match unit.kind {
                Kind::Sentence if follows => " ",
                Kind::Item if was_item => "\n",
                Kind::Row if was_row => "\n",
                _ => "\n\n",
            });
        }
        // Numbers in brackets in the document itself would look like citations.
        match unit.kind {
            Kind::Row => text.push_str(&verify(&row_text(unit), &[]).0),
            Kind::Whole if unit.is_table() => text.push_str(&verify(&as_list(unit.text), &[]).0),
            Kind::Whole => text.push_str(unit.text),
            _ => text.push_str(&verify(unit.text, &[]).0),
        }
        if marked == Some(number) {
            text.push(' ');
            text.push_str(marker);
        }
    }
    if marked.is_none() {
        text.push_str("\n\n");
        text.push_str(marker);
    }
    text
}
