//! Which neighbouring units of a passage are quoted together, and how they are put down.

use std::ops::Range;

use super::units::{Kind, Unit};
use crate::citation::verify;

/// Bytes of prose after which a quotation ends.
const PROSE: usize = 420;
/// Bytes of prose below which a quotation goes on whatever follows.
const SHORT: usize = 200;
/// Bytes of a quotation in all, code and lists included.
const TOTAL: usize = 1200;
/// Sentences of one quotation.
const SENTENCES: usize = 3;
/// Items of a list that an announced list contributes.
const ITEMS: usize = 10;

/// The units to quote around `seed`: what it leans on before it, what it announces and what continues it behind it.
/// `scores` are the units' relevances; a sentence that adds little ends the quotation.
pub(super) fn window(units: &[Unit<'_>], scores: &[f32], seed: usize) -> Vec<usize> {
    let mut picked: Vec<usize> = include_previous(units, seed).collect();
    let mut extent = Extent::default();
    picked.iter().for_each(|before| extent.add(&units[*before]));
    for (at, unit) in units.iter().enumerate().skip(seed) {
        let announced = at > seed && units[at - 1].announces;
        let close = scores[at] >= 0.9 * scores[seed];
        let wanted = match unit.kind {
            _ if at == seed => true,
            Kind::Heading => false,
            Kind::Whole => announced,
            // A whole list where it was announced; otherwise the found item and those as fitting.
            Kind::Item => extent.items < ITEMS && (announced || extent.listing || (extent.items > 0 && close)),
            Kind::Opening | Kind::Sentence => {
                extent.has_room()
                    && (scores[at] >= 0.5 * scores[seed] || (extent.is_short() && !unit.points_elsewhere()))
            }
        };
        if !wanted || (at > seed && extent.bytes + unit.text.len() > TOTAL) {
            break;
        }
        extent.listing |= announced && unit.kind == Kind::Item;
        extent.add(unit);
        picked.push(at);
    }
    drop_dangling(units, &mut picked);
    picked
}

/// All units that may be quoted: who wrote an answer to a question meant all of it to be read.
pub(super) fn whole(units: &[Unit<'_>]) -> Vec<usize> {
    (0..units.len()).filter(|at| units[*at].kind != Kind::Heading).collect()
}

/// How much is quoted so far.
#[derive(Default)]
struct Extent {
    bytes: usize,
    sentences: usize,
    items: usize,
    /// An announced list is being quoted.
    listing: bool,
}

impl Extent {
    fn add(&mut self, unit: &Unit<'_>) {
        self.bytes += unit.text.len();
        self.items += usize::from(unit.kind == Kind::Item);
        self.sentences += usize::from(matches!(unit.kind, Kind::Opening | Kind::Sentence));
    }

    /// One sentence alone seldom answers: what follows it is quoted as well.
    fn is_short(&self) -> bool {
        self.bytes < SHORT && self.sentences > 0
    }

    fn has_room(&self) -> bool {
        self.sentences < SENTENCES && self.bytes < PROSE && self.items == 0
    }
}

/// The units before `seed` without which it is not understood, in order.
fn include_previous(units: &[Unit<'_>], seed: usize) -> Range<usize> {
    let mut start = seed;
    let mut announced = false;
    while start > 0 && seed - start < 2 {
        let (unit, before) = (&units[start], &units[start - 1]);
        let led = matches!(unit.kind, Kind::Item | Kind::Whole) && before.announces;
        if before.kind == Kind::Heading || announced || !(led || unit.leans_back()) {
            break;
        }
        announced = led && unit.kind == Kind::Item;
        start -= 1;
    }
    start..seed
}

/// Takes back an announcement whose subject did not fit, and a list of which one item was left, unless nothing else
/// would be quoted.
fn drop_dangling(units: &[Unit<'_>], picked: &mut Vec<usize>) {
    if let [first, .., lead, item] = picked[..]
        && units[first].kind != Kind::Item
        && units[lead].kind != Kind::Item
        && units[lead].announces
        && units[item].kind == Kind::Item
    {
        picked.truncate(picked.len() - 2);
    }
    while picked.len() > 1 && picked.last().is_some_and(|last| units[*last].announces) {
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
