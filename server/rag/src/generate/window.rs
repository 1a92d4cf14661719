//! Which neighbouring units of a passage are quoted together, and how they are put down.

use std::ops::Range;

use super::units::{Kind, Unit};
use crate::citation::verify;

/// Bytes of prose after which a quotation ends.
const PROSE: usize = 420;
/// Bytes of a quotation in all, code and lists included.
const TOTAL: usize = 1200;
/// Sentences of one quotation.
const SENTENCES: usize = 3;
/// Items of a list that an announced list contributes.
const ITEMS: usize = 10;

/// The units to quote around `seed`: what it leans on before it, what it announces and what continues it behind it.
/// `scores` are the units' relevances; a sentence that adds little ends the quotation.
pub(super) fn window(units: &[Unit<'_>], scores: &[f32], seed: usize) -> Vec<usize> {
    let start = lean_back(units, seed);
    let mut picked: Vec<usize> = start.collect();
    let (mut at, mut sentences, mut items) = (seed, 0, 0);
    let mut bytes: usize = picked.iter().map(|unit| units[*unit].text.len()).sum();
    while let Some(unit) = units.get(at) {
        let before = at.checked_sub(1).map(|before| &units[before]);
        let announced = at > seed && before.is_some_and(Unit::announces);
        let in_list = unit.kind == Kind::Item && at > seed && (items > 0 || announced);
        let wanted = match unit.kind {
            _ if at == seed => true,
            Kind::Heading => false,
            Kind::Whole => announced || items > 0,
            Kind::Item => in_list && items < ITEMS,
            Kind::Opening | Kind::Sentence => {
                sentences < SENTENCES && bytes < PROSE && items == 0 && scores[at] >= 0.6 * scores[seed]
            }
        };
        if !wanted || (at > seed && bytes + unit.text.len() > TOTAL) {
            break;
        }
        // A list that was found by one of its items contributes that item alone.
        items += usize::from(unit.kind == Kind::Item && at > seed);
        sentences += usize::from(matches!(unit.kind, Kind::Opening | Kind::Sentence));
        bytes += unit.text.len();
        picked.push(at);
        at += 1;
    }
    drop_dangling(units, &mut picked);
    picked
}

/// The units before `seed` without which it is not understood, in order.
fn lean_back(units: &[Unit<'_>], seed: usize) -> Range<usize> {
    let mut start = seed;
    let mut announced = false;
    while start > 0 && seed - start < 2 {
        let (unit, before) = (&units[start], &units[start - 1]);
        let led = matches!(unit.kind, Kind::Item | Kind::Whole) && before.announces();
        if before.kind == Kind::Heading || announced || !(led || unit.leans_back()) {
            break;
        }
        announced = led && unit.kind == Kind::Item;
        start -= 1;
    }
    start..seed
}

/// An announcement whose subject did not fit is not quoted, unless nothing else would be.
fn drop_dangling(units: &[Unit<'_>], picked: &mut Vec<usize>) {
    while picked.len() > 1 && picked.last().is_some_and(|last| units[*last].announces()) {
        picked.pop();
    }
}

/// The picked units as Markdown with `marker` after the last words of prose.
pub(super) fn quote(units: &[Unit<'_>], picked: &[usize], marker: &str) -> String {
    let marked = picked.iter().rposition(|unit| units[*unit].kind != Kind::Whole);
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
        // Brackets with numbers that the document itself has would read as citations.
        match unit.kind {
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
