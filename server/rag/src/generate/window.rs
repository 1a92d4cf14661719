//! Decides which units of a passage are quoted together and renders them: a short section as a whole, otherwise the
//! units related to the best one.

use std::ops::Range;

use super::{
    table::as_list,
    units::{Kind, Unit},
};
use crate::{block::item_marker, citation::verify};

/// Maximum bytes of a section of prose that is quoted whole, and of a quotation of prose.
const PROSE: usize = 700;
/// Maximum bytes of a section with a list, code or a table that is quoted whole, and of a quotation with one.
const TOTAL: usize = 1200;

/// The units to quote around `seed`: its section if that is short enough, otherwise the units that it depends on, the
/// block that it belongs to and the units that follow, while there is room. `scores` are the units' relevances.
pub(super) fn window(units: &[Unit<'_>], scores: &[f32], seed: usize) -> Vec<usize> {
    let section = section(units, seed);
    let room = room(units, section.clone());
    let mut picked: Vec<usize> = match bytes(units, section.clone()) <= room {
        true => section.filter(|at| units[*at].kind != Kind::Heading).collect(),
        false => around(units, scores, section, seed, room),
    };
    drop_dangling(units, &mut picked);
    picked
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
    let has_structure = units[range].iter().any(|unit| matches!(unit.kind, Kind::Item | Kind::Whole));
    if has_structure { TOTAL } else { PROSE }
}

/// The units to quote around one of a long section.
fn around(units: &[Unit<'_>], scores: &[f32], section: Range<usize>, seed: usize, room: usize) -> Vec<usize> {
    let mut first = beginning(units, section.clone(), seed);
    if bytes(units, first..seed + 1) > room {
        // The list is long: leave out its announcement and the items before the found one.
        first = seed;
    }
    let mut last = seed;
    let mut used = bytes(units, first..seed + 1);
    while last + 1 < section.end {
        let end = block_end(units, last + 1, section.end);
        let adds = bytes(units, last + 1..end);
        let belongs = units[last].announces || is_in_list(units, last, last + 1);
        let is_near = scores[last + 1..end].iter().any(|score| *score >= 0.5 * scores[seed]);
        if used + adds > room || !(belongs || is_near || used < PROSE / 2) {
            break;
        }
        used += adds;
        last = end - 1;
    }
    (first..last + 1).collect()
}

/// Where a quotation with `seed` begins: with its paragraph, or with its list and the announcement of the list.
fn beginning(units: &[Unit<'_>], section: Range<usize>, seed: usize) -> usize {
    let mut start = seed;
    while start > section.start {
        let (unit, before) = (&units[start], &units[start - 1]);
        let is_led = matches!(unit.kind, Kind::Item | Kind::Whole) && before.announces;
        let same_paragraph = unit.kind == Kind::Sentence;
        if !(is_led || same_paragraph || unit.leans_back() || is_in_list(units, start - 1, start)) {
            break;
        }
        start -= 1;
    }
    start
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

/// Renders the picked units as Markdown with `marker` after the last words that are not code. Tables become lists.
pub(super) fn quote(units: &[Unit<'_>], picked: &[usize], marker: &str) -> String {
    let marked = picked.iter().rposition(|unit| units[*unit].kind != Kind::Whole || units[*unit].is_table());
    let mut text = String::new();
    for (number, at) in picked.iter().enumerate() {
        let unit = &units[*at];
        let follows = number > 0 && picked[number - 1] + 1 == *at;
        let was_item = number > 0 && units[picked[number - 1]].kind == Kind::Item;
        if number > 0 {
            text.push_str(match unit.kind {
                Kind::Sentence if follows => " ",
                Kind::Item if was_item => "\n",
                _ => "\n\n",
            });
        }
        // Numbers in brackets in the document itself would look like citations.
        match unit.kind {
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
