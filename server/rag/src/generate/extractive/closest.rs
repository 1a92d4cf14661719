//! The units that are closest to a question, for a reply that is not sure.

use std::ops::Range;

use super::{Query, Weighed, compared_text, headed, labelled, weigh};
use crate::{
    block::item_marker,
    chunk::estimate_tokens,
    citation::verify,
    embed::{EmbedError, Embedder, Purpose, cosine},
    generate::{
        asked::Named,
        units::{Kind, Unit, goes_on, words_of},
        unsure::Closest,
        window::row_text,
    },
    retrieve::Candidate,
};

/// Passages whose units are compared with the question.
const COMPARED: usize = 6;
/// Maximum tokens that are embedded for them, which bounds the time.
const EMBEDDED_TOKENS: usize = 330;
/// Weights of its passage's cosine beside a unit's likeness, by which the units to embed are chosen, and beside its own closeness.
const BESIDE_LIKENESS: f32 = 0.5;
const BESIDE_CLOSENESS: f32 = 1.0;
/// Maximum units that are closest to a question, and their characters together and each.
const CLOSEST: usize = 3;
const CLOSEST_CHARS: usize = 700;
const UNIT_CHARS: usize = 300;

/// The units of the candidates that are closest to `question`, best first, for a reply that is not sure. A sentence comes with
/// the ones next to it in its paragraph: what a visitor asks for in other words often stands there. The arguments are as in
/// [`answer`](super::answer).
///
/// # Errors
/// Only when the embedder fails.
pub async fn closest(
    question: &str,
    language: &str,
    question_vector: &[f32],
    candidates: &[Candidate],
    embedder: &dyn Embedder,
) -> Result<Vec<Closest>, EmbedError> {
    let query = Query::new(question, language, candidates);
    let weighed = weigh(candidates, &[], &query, COMPARED);
    let (mut closest_units, mut used) = (Vec::<Closest>::new(), 0);
    let mut ranges = Vec::<(usize, Range<usize>)>::new();
    for (p, u) in ordered(&weighed, candidates, &query.named, question, question_vector, embedder).await? {
        let Weighed { candidate, units, headings, .. } = &weighed[p];
        let is_shown = |at: usize| ranges.iter().any(|(passage, range)| *passage == p && range.contains(&at));
        if is_shown(u) {
            continue;
        }
        let range = paragraph(units, u, UNIT_CHARS.min(CLOSEST_CHARS - used), is_shown);
        let texts: Vec<String> = units[range.clone()].iter().map(closest_text).collect();
        let text = shortened(&texts.join(" "));
        let characters = text.chars().count();
        if closest_units.len() == CLOSEST || used + characters > CLOSEST_CHARS {
            break;
        }
        used += characters;
        if !closest_units.iter().any(|unit| unit.text == text) {
            closest_units.push(Closest { text, source: headed(&candidates[*candidate], headings[u].text) });
            ranges.push((p, range));
        }
    }
    Ok(closest_units)
}

/// The units that can stand alone, as (passage, unit), by their own closeness, the cosine of their passage, and the numbers and
/// codes of the question that they have. The words of the question do not count: the search has found passages by them, and a
/// visitor's other words would lose. The best unit of the first passage is the second one at the latest. The units to embed are
/// those with the largest likeness, which costs nearly nothing.
async fn ordered(
    weighed: &[Weighed<'_>],
    candidates: &[Candidate],
    named: &Named,
    question: &str,
    question_vector: &[f32],
    embedder: &dyn Embedder,
) -> Result<Vec<(usize, usize)>, EmbedError> {
    let (mut all, mut texts) = (Vec::<(f32, usize, usize)>::new(), Vec::new());
    for (p, passage) in weighed.iter().enumerate() {
        let own = passage.own.clone().enumerate();
        for (number, u) in own.filter(|(_, u)| can_stand(&passage.units[*u])) {
            all.push((passage.scores[u] + 0.1 / (1.0 + number as f32) - 0.05 * p as f32, p, u));
            texts.push(answering_text(&passage.units, u));
        }
    }
    if let Some(likeness) = embedder.likeness(question.to_owned(), texts.clone()).await? {
        all.iter_mut().zip(likeness).for_each(|((score, p, _), likeness)| {
            *score = likeness + BESIDE_LIKENESS * candidates[weighed[*p].candidate].cosine;
        });
    }
    let mut all: Vec<_> = all.into_iter().zip(texts).collect();
    all.sort_by(|(a, _), (b, _)| b.0.total_cmp(&a.0));
    // The first passage, for which words and headings count as well, is always compared and has a place with room for it.
    if let Some(at) = all.iter().position(|((_, p, _), _)| *p == 0) {
        all[..=at].rotate_right(1);
    }
    let (mut places, mut texts, mut tokens) = (Vec::new(), Vec::new(), 0);
    for ((_, p, u), text) in all {
        tokens += estimate_tokens(&text) + 2;
        if tokens > EMBEDDED_TOKENS && !places.is_empty() {
            break;
        }
        places.push((p, u));
        texts.push(text);
    }
    let closeness = match embedder.closeness(question.to_owned(), texts.clone()).await? {
        Some(closeness) => closeness,
        None => {
            let vectors = embedder.embed(texts, Purpose::Document).await?;
            vectors.iter().map(|vector| cosine(question_vector, vector)).collect()
        }
    };
    let score = |((p, u), closeness): ((usize, usize), f32)| {
        let passage = BESIDE_CLOSENESS * candidates[weighed[p].candidate].cosine;
        (closeness + passage + labelled(named, &weighed[p].units[u]), p, u)
    };
    let mut scored: Vec<(f32, usize, usize)> = places.into_iter().zip(closeness).map(score).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    if let Some(at) = scored.iter().position(|(_, p, _)| *p == 0).filter(|at| *at > 1) {
        scored[1..=at].rotate_right(1);
    }
    Ok(scored.into_iter().map(|(_, p, u)| (p, u)).collect())
}

/// Whether a unit says something alone.
fn can_stand(unit: &Unit<'_>) -> bool {
    unit.kind != Kind::Heading && !unit.is_code() && !unit.announces
}

/// The text of a unit that is compared with the question: with the question of the document that it answers.
fn answering_text(units: &[Unit<'_>], unit: usize) -> String {
    let text = compared_text(&units[unit]);
    match unit.checked_sub(1).map(|before| &units[before]).filter(|before| before.is_answered_next()) {
        Some(question) => format!("{} {text}", words_of(question)),
        None => text,
    }
}

/// A sentence with those after it and before it in its paragraph, up to `room` characters, and a question with its answer. Other
/// units stay alone.
fn paragraph(units: &[Unit<'_>], unit: usize, room: usize, is_shown: impl Fn(usize) -> bool) -> Range<usize> {
    let length = |at: usize| units[at].text.chars().count() + 1;
    let (mut range, mut used) = (unit..unit + 1, length(unit));
    if !matches!(units[unit].kind, Kind::Opening | Kind::Sentence) {
        return range;
    }
    let may_stand = |at: usize| (can_stand(&units[at]) || units[at].is_answered_next()) && !is_shown(at);
    let fits = |at: usize, used: usize| may_stand(at) && used + length(at) <= room;
    while range.end < units.len()
        && goes_on(units, range.end)
        && (fits(range.end, used) || units[range.end - 1].is_answered_next())
    {
        used += length(range.end);
        range.end += 1;
    }
    while range.start > 0 && goes_on(units, range.start) && fits(range.start - 1, used) {
        range.start -= 1;
        used += length(range.start);
    }
    range
}

/// A unit on one line, without the marker of a list item.
fn closest_text(unit: &Unit<'_>) -> String {
    let text = if unit.kind == Kind::Row { row_text(unit) } else { unit.text.to_owned() };
    let text = &text[item_marker(&text).unwrap_or_default()..];
    verify(&text.split_whitespace().collect::<Vec<_>>().join(" "), &[]).0
}

/// The beginning of a long unit, cut between words.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(UNIT_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{} …", text[..end].rsplit_once(' ').map_or(&text[..end], |(text, _)| text)),
    }
}
