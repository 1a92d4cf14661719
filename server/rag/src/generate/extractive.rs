//! Answers without a language model: the best sentences of the best passages, word for word, with citations.

use super::{
    Answer, Source,
    units::{Kind, Unit, units, words_of},
    window::{quote, window},
};
use crate::{
    citation::verify,
    embed::{EmbedError, Embedder, cosine},
    retrieve::{Hit, best_cosine},
    snippet::snippet,
    terms::{overlap, terms},
};

/// Passages whose sentences are weighed.
const WEIGHED: usize = 3;
/// Passages that are quoted.
const QUOTED: usize = 2;
/// Sentences that are embedded for one answer: this bounds its time.
const EMBEDDED: usize = 10;
/// Sources that an answer lists.
const LISTED: usize = 4;
/// What shared words add to a cosine, at most.
const TERM_WEIGHT: f32 = 0.25;
/// A second passage is quoted when its best sentence reaches this part of the first one's relevance.
const SECOND: f32 = 0.9;

/// A passage with what is known about its relevance.
struct Weighed<'a> {
    hit: usize,
    units: Vec<Unit<'a>>,
    scores: Vec<f32>,
    heading_score: f32,
}

/// The answer to `question`, or none when no hit reaches `threshold` (a cosine). `question_vector` is the question's
/// embedding by `embedder`, `hits` are best first. Fails only when the embedder does.
pub async fn answer<I>(
    question: &str,
    question_vector: &[f32],
    hits: &[Hit<I>],
    threshold: f32,
    embedder: &dyn Embedder,
) -> Result<Option<Answer>, EmbedError> {
    let Some(best) = best_cosine(hits).filter(|best| *best >= threshold) else { return Ok(None) };
    let wanted = terms(question);
    let order = order(hits, &wanted, threshold.min(best));
    let mut weighed = weigh(hits, &order, &wanted);
    score(&mut weighed, hits, question_vector, &wanted, embedder).await?;
    let quotes = choose(&weighed);
    if quotes.is_empty() {
        return Ok(None);
    }
    Ok(Some(compose(&quotes, hits, &order, &wanted)))
}

/// Indices of the relevant hits, best first: by cosine and shared words.
fn order<I>(hits: &[Hit<I>], wanted: &[String], threshold: f32) -> Vec<usize> {
    let mut order: Vec<(usize, f32)> = hits
        .iter()
        .enumerate()
        .filter_map(|(index, hit)| Some((index, hit, hit.cosine.filter(|cosine| *cosine >= threshold)?)))
        .map(|(index, hit, cosine)| {
            let text = format!("{} {}", hit.heading, hit.content);
            (index, cosine + TERM_WEIGHT * overlap(wanted, &text))
        })
        .collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order.into_iter().map(|(index, _)| index).collect()
}

fn weigh<'a, I>(hits: &'a [Hit<I>], order: &[usize], wanted: &[String]) -> Vec<Weighed<'a>> {
    order
        .iter()
        .take(WEIGHED)
        .map(|hit| {
            let units = units(&hits[*hit].content);
            let scores = units.iter().map(|unit| overlap(wanted, unit.text)).collect();
            Weighed { hit: *hit, units, scores, heading_score: 0.0 }
        })
        .collect()
}

/// Replaces the scores by cosine plus shared words. Only the most promising units are embedded; the others keep
/// half of their passage's cosine instead of their own.
async fn score<I>(
    weighed: &mut [Weighed<'_>],
    hits: &[Hit<I>],
    question_vector: &[f32],
    wanted: &[String],
    embedder: &dyn Embedder,
) -> Result<(), EmbedError> {
    let promising = promising(weighed);
    let mut texts: Vec<String> = promising.iter().map(|(p, u)| words_of(&weighed[*p].units[*u])).collect();
    texts.extend(weighed.iter().map(|passage| innermost(&hits[passage.hit].heading)));
    let vectors = embedder.embed(texts).await?;
    let (unit_vectors, heading_vectors) = vectors.split_at(promising.len());
    for passage in weighed.iter_mut() {
        let base = hits[passage.hit].cosine.unwrap_or(0.0) / 2.0;
        passage.scores.iter_mut().for_each(|score| *score = base + TERM_WEIGHT * *score);
    }
    for ((p, u), vector) in promising.iter().zip(unit_vectors) {
        let passage = &mut weighed[*p];
        let shared = overlap(wanted, passage.units[*u].text);
        passage.scores[*u] = cosine(question_vector, vector) + TERM_WEIGHT * shared;
    }
    for (passage, vector) in weighed.iter_mut().zip(heading_vectors) {
        let shared = overlap(wanted, &hits[passage.hit].heading);
        passage.heading_score = cosine(question_vector, vector) + TERM_WEIGHT * shared;
    }
    Ok(())
}

/// The units worth embedding, as (passage, unit): those with shared words, early ones and those of better passages.
fn promising(weighed: &[Weighed<'_>]) -> Vec<(usize, usize)> {
    let mut all: Vec<(f32, usize, usize)> = Vec::new();
    for (p, passage) in weighed.iter().enumerate() {
        for (u, unit) in passage.units.iter().enumerate() {
            if !matches!(unit.kind, Kind::Heading | Kind::Whole) {
                let early = 0.3 / (1.0 + u as f32);
                all.push((passage.scores[u] + early - 0.15 * p as f32, p, u));
            }
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().take(EMBEDDED).map(|(_, p, u)| (p, u)).collect()
}

/// The quotations, best first, each with the index of its hit.
fn choose(weighed: &[Weighed<'_>]) -> Vec<(usize, String)> {
    let mut seeds: Vec<(f32, usize, usize)> = weighed.iter().enumerate().filter_map(seed).collect();
    // The retrieval's own order breaks ties: a lower place costs a little.
    seeds.sort_by(|a, b| (b.0 - 0.03 * b.1 as f32).total_cmp(&(a.0 - 0.03 * a.1 as f32)));
    let Some(best) = seeds.first().map(|seed| seed.0) else { return Vec::new() };
    let mut quotes: Vec<(usize, String)> = Vec::new();
    for (score, p, u) in seeds {
        if quotes.len() == QUOTED || score < SECOND * best || quotes.iter().any(|(_, text)| text.len() > 500) {
            break;
        }
        let passage = &weighed[p];
        let picked = window(&passage.units, &passage.scores, u);
        let text = quote(&passage.units, &picked, &format!("[{}]", quotes.len() + 1));
        if !quotes.iter().any(|(_, known)| overlap(&terms(&text), known) > 0.7) {
            quotes.push((passage.hit, text));
        }
    }
    quotes
}

/// Where a passage's quotation begins: its first words when its heading fits the question as well as any sentence.
fn seed((p, passage): (usize, &Weighed<'_>)) -> Option<(f32, usize, usize)> {
    let quotable = |u: &usize| passage.units[*u].kind != Kind::Heading;
    let best = (0..passage.units.len()).filter(quotable).max_by(|a, b| passage.scores[*a].total_cmp(&passage.scores[*b]))?;
    if passage.heading_score >= passage.scores[best] {
        let first = (0..passage.units.len()).find(quotable)?;
        return Some((passage.heading_score, p, first));
    }
    Some((passage.scores[best], p, best))
}

fn compose<I>(quotes: &[(usize, String)], hits: &[Hit<I>], order: &[usize], wanted: &[String]) -> Answer {
    let text = quotes.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n\n");
    let cited: Vec<usize> = quotes.iter().map(|(hit, _)| *hit).collect();
    let further = order.iter().filter(|hit| !cited.contains(hit));
    let listed: Vec<usize> = cited.iter().chain(further).copied().take(LISTED).collect();
    let passages: Vec<&str> = cited.iter().map(|hit| hits[*hit].content.as_str()).collect();
    let (text, citations) = verify(&text, &passages);
    let sources = listed.into_iter().map(|index| {
        let hit = &hits[index];
        Source {
            hit: index,
            title: hit.source_title(),
            anchor: hit.anchor.clone(),
            snippet: snippet(&hit.content, wanted),
            score: hit.cosine.unwrap_or(0.0).clamp(0.0, 1.0),
        }
    });
    Answer { text, citations, sources: sources.collect() }
}

fn innermost(heading: &str) -> String {
    heading.rsplit(" > ").next().unwrap_or(heading).to_owned()
}
