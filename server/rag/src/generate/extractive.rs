//! Answers without a language model: quotes the best sentences of the best passages, word for word, with citations.

use std::ops::Range;

mod closest;
mod heading;
mod priced;

use self::heading::{Heading, headings};
pub use self::{
    closest::closest,
    priced::{has_price, lacks_price},
};
pub use super::Answer;
use super::{
    asked::{Named, more},
    section::Adjacent,
    table::strong,
    units::{Kind, Unit, continues, units, with_adjacent, words_of},
    weights::Weights,
    window::{ALIKE, left_out, quote, row_text, section, table_around, whole, window},
};
use crate::{
    chunk::{estimate_tokens, innermost},
    citation::verify,
    document::is_automatic,
    embed::{EmbedError, Embedder, Purpose, cosine},
    price,
    retrieve::Candidate,
    terms::{overlap, terms},
};

/// Passages whose sentences are considered.
pub const WEIGHED: usize = 3;
/// Maximum tokens that are embedded for one answer, which bounds its time.
const EMBEDDED_TOKENS: usize = 110;
/// Maximum bonus of shared words on a cosine.
const TERM_WEIGHT: f32 = 0.3;
/// Bonus of the beginning of a section over its continuation.
const BEGINNING: f32 = 0.05;
/// Bonus of a unit with an amount of money when the question asks for a price.
const PRICED: f32 = 0.1;
/// Relevance of a unit around a passage, which is quoted only to complete units of the passage.
const UNSCORED: f32 = f32::MIN;
/// Share of its passage's cosine that a table gets, because tables are not embedded.
const TABLE: f32 = 0.95;
/// Bonus of a unit with all numbers and codes of the question, and of a row that begins with them.
const LABELLED: f32 = 0.3;
const LABEL: f32 = 0.1;
/// Penalty of a row outside of the passage that was found.
const OUTSIDE: f32 = 0.01;
/// Penalty of a unit for each better passage.
const LOWER: f32 = 0.06;
/// A second passage is quoted when its best sentence has at least this share of the first one's relevance.
const SECOND: f32 = 0.95;
/// Maximum bytes of a first quotation that leaves room for a second one.
const SHORT: usize = 350;

/// A passage with the relevance of its units.
struct Weighed<'a> {
    /// Index of the candidate.
    candidate: usize,
    /// Whether it is a prepared answer, which is quoted as a whole.
    prepared: bool,
    /// The units of the passage and of the text around it in its section.
    units: Vec<Unit<'a>>,
    /// The units of the passage itself.
    own: Range<usize>,
    /// The heading of each unit's section.
    headings: Vec<Heading<'a>>,
    /// The bonus of words on the cosine of each unit.
    bonuses: Vec<f32>,
    scores: Vec<f32>,
}

/// Returns the answer to `question`, or `None` when there is no candidate. `question_vector` is the question's
/// embedding by `embedder`; `candidates` are relevant ones, best first, as [`crate::retrieve::fuse`] returns them.
/// `adjacent` has the text around each of the first candidates, as far as it is known: it completes what is quoted of
/// them. Quotes at most two passages. `language` is the chatbot's code, which counts when the question's words do not
/// identify another one. Fails only when the embedder does.
pub async fn answer(
    question: &str,
    language: &str,
    question_vector: &[f32],
    candidates: &[Candidate],
    adjacent: &[Adjacent],
    embedder: &dyn Embedder,
) -> Result<Option<Answer>, EmbedError> {
    let query = Query::new(question, language, candidates);
    let mut weighed = weigh(candidates, adjacent, &query, WEIGHED);
    embed_promising(&mut weighed, candidates, &query, question_vector, embedder).await?;
    let quotes = choose(&weighed, adjacent);
    Ok((!quotes.is_empty()).then(|| {
        let mut answer = compose(&quotes, candidates, adjacent);
        answer.left_out = quotes.iter().map(|quote| quote.left_out).sum();
        if answer.left_out > 0 {
            answer.text.push_str(&format!("\n\n{}", more(question, language, answer.left_out)));
        }
        answer
    }))
}

/// What a question asks for.
struct Query {
    weights: Weights,
    named: Named,
    asks_price: bool,
}

impl Query {
    /// Words that only ask for a price are not wanted: those of what costs it say which amount is meant.
    fn new(question: &str, language: &str, candidates: &[Candidate]) -> Self {
        let asks_price = price::is_asked(question);
        let subject = if asks_price { price::subject(question) } else { question.to_owned() };
        let weights = Weights::new(&subject, candidates.iter().map(|candidate| candidate.content.as_str()));
        Self { weights, named: Named::of(question, language), asks_price }
    }
}

/// The `count` best candidates, and the first with the numbers and codes of the question if none of them
/// has them, such as the part of a long table with the row.
fn considered(candidates: &[Candidate], named: &Named, count: usize) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..candidates.len().min(count)).collect();
    let has_labels = |at: &usize| labels_of(&candidates[*at].content, named) >= 1.0;
    if named.has_labels() && !indices.iter().any(has_labels) {
        indices.extend((count..candidates.len()).find(has_labels));
    }
    indices
}

/// The best share of the question's numbers and codes that a unit of a text has.
fn labels_of(content: &str, named: &Named) -> f32 {
    units(content).iter().map(|unit| named.labels_in(unit.text)).fold(0.0, f32::max)
}

/// Splits the `count` best passages into units. A unit's first score is an estimate: half its passage's cosine plus the bonus
/// of its words.
fn weigh<'a>(candidates: &'a [Candidate], adjacent: &'a [Adjacent], query: &Query, count: usize) -> Vec<Weighed<'a>> {
    let Query { weights, asks_price, named } = query;
    let weigh = |at: usize| {
        let candidate = &candidates[at];
        let around = adjacent.get(at);
        let before = around.and_then(|around| around.before.as_deref());
        let (units, own) = with_adjacent(&candidate.content, before, around.and_then(|around| around.after.as_deref()));
        let headings = headings(&units, innermost(&candidate.heading), weights, *asks_price);
        let priced = |unit: &Unit<'_>| if *asks_price && price::is_given(unit.text) { PRICED } else { 0.0 };
        let (mut bonuses, mut scores) = (vec![0.0; units.len()], vec![UNSCORED; units.len()]);
        for u in scored(&units, &own) {
            let unit = &units[u];
            bonuses[u] = bonus(weights, unit) + labelled(named, unit) + headings[u].bonus() + priced(unit);
            let outside = if own.contains(&u) { 0.0 } else { OUTSIDE };
            scores[u] = candidate.cosine * if unit.is_table() { TABLE } else { 0.5 } + bonuses[u] - outside;
        }
        Weighed { candidate: at, prepared: candidate.prepared, units, own, headings, bonuses, scores }
    };
    considered(candidates, named, count).into_iter().map(weigh).collect()
}

/// The units of a passage, and the rows of its tables around it, which need no embedding.
fn scored(units: &[Unit<'_>], own: &Range<usize>) -> Vec<usize> {
    let is_row = |at: &usize| units[*at].kind == Kind::Row;
    let rows = [own.clone().find(is_row), own.clone().rev().find(is_row)].into_iter().flatten();
    let around = rows.flat_map(|row| table_around(units, section(units, row), row)).filter(|at| !own.contains(at));
    let mut indices: Vec<usize> = own.clone().chain(around).collect();
    indices.sort_unstable();
    indices.dedup();
    indices
}

/// The bonus of a unit's words on its cosine. A row has the names of its columns.
fn bonus(weights: &Weights, unit: &Unit<'_>) -> f32 {
    let elsewhere = if unit.points_elsewhere() { 0.2 } else { 0.0 };
    let share = match unit.kind {
        Kind::Row => weights.share_in(&row_text(unit)),
        _ => weights.share_in(unit.text),
    };
    TERM_WEIGHT * share - elsewhere
}

/// The bonus of a unit with the numbers and codes of the question.
fn labelled(named: &Named, unit: &Unit<'_>) -> f32 {
    let share = if named.has_labels() { named.labels_in(unit.text) } else { 0.0 };
    let label = unit.text.trim_start_matches('|').split('|').next().unwrap_or_default();
    let begins = unit.kind == Kind::Row && share > 0.0 && named.labels_in(label) > 0.0;
    LABELLED * share + if begins { LABEL } else { 0.0 }
}

/// Replaces the estimates of the most promising units by their own cosines. Where the heading matches the question, the
/// first words under it are as relevant as heading and passage together, unless a price is asked for and they have none.
async fn embed_promising(
    weighed: &mut [Weighed<'_>],
    candidates: &[Candidate],
    query: &Query,
    question_vector: &[f32],
    embedder: &dyn Embedder,
) -> Result<(), EmbedError> {
    let (places, texts) = promising(weighed);
    let vectors = embedder.embed(texts, Purpose::Document).await?;
    for ((p, u), vector) in places.into_iter().zip(vectors) {
        let passage = &mut weighed[p];
        let score = cosine(question_vector, &vector) + passage.bonuses[u];
        if passage.units[u].kind == Kind::Row {
            // Rows are compared with each other by their words, and the table with sentences by its best row.
            let table = table_around(&passage.units, section(&passage.units, u), u);
            let raise = (score - passage.scores[u]).max(0.0);
            passage.scores[table].iter_mut().for_each(|score| *score += raise);
        } else {
            passage.scores[u] = score;
        }
    }
    for passage in weighed.iter_mut() {
        let candidate = &candidates[passage.candidate];
        let continued = continues(&candidate.content);
        for u in passage.own.clone() {
            let section = section(&passage.units, u);
            if section.start <= passage.own.start && continued {
                passage.scores[u] -= BEGINNING;
            } else if section.start == u && (!query.asks_price || price::is_given(passage.units[u].text)) {
                let raise = passage.headings[u].least_score(candidate.cosine) - passage.scores[u];
                // No row of a table is preferred because it is the first.
                let end = if passage.units[u].kind == Kind::Row { section.end } else { u + 1 };
                passage.scores[u..end].iter_mut().for_each(|score| *score += raise.max(0.0));
            }
        }
    }
    Ok(())
}

/// Whether a row of a passage matches the question best in its table; of equal ones the first.
fn is_best_row(passage: &Weighed<'_>, row: usize) -> bool {
    let table = table_around(&passage.units, section(&passage.units, row), row);
    let best = table.rev().max_by(|a, b| passage.scores[*a].total_cmp(&passage.scores[*b]));
    best == Some(row)
}

/// The units worth embedding, as (passage, unit) with their words, until the tokens are used up: sentences, items, and the best
/// row of a table. Prefers units with shared words, early ones, and those of better passages.
fn promising(weighed: &[Weighed<'_>]) -> (Vec<(usize, usize)>, Vec<String>) {
    let mut all: Vec<(f32, usize, usize)> = Vec::new();
    for (p, passage) in weighed.iter().enumerate() {
        for (number, u) in passage.own.clone().enumerate() {
            let is_compared = match passage.units[u].kind {
                Kind::Heading | Kind::Whole => false,
                Kind::Row => is_best_row(passage, u),
                Kind::Opening | Kind::Sentence | Kind::Item => true,
            };
            if is_compared {
                all.push((passage.scores[u] + 0.1 / (1.0 + number as f32) - 0.05 * p as f32, p, u));
            }
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut places, mut texts, mut tokens) = (Vec::new(), Vec::new(), 0);
    for (_, p, u) in all {
        let text = compared_text(&weighed[p].units[u]);
        tokens += estimate_tokens(&text) + 2;
        if tokens > EMBEDDED_TOKENS && !places.is_empty() {
            break;
        }
        places.push((p, u));
        texts.push(text);
    }
    (places, texts)
}

/// The text of a unit that is compared with the question: a row has the names of its columns.
fn compared_text(unit: &Unit<'_>) -> String {
    if unit.kind == Kind::Row { row_text(unit) } else { words_of(unit) }
}

/// The unit that a quotation is chosen for; a prepared answer is one as a whole.
fn core_of(passage: &Weighed<'_>, u: usize) -> String {
    let unit = &passage.units[u];
    match unit.kind {
        _ if passage.prepared => passage.units.iter().map(|unit| unit.text).collect::<Vec<_>>().join("\n"),
        Kind::Row => format!("{}\n{}", unit.head, unit.text),
        _ => unit.text.to_owned(),
    }
}

/// A quotation of a passage.
struct Quotation<'a> {
    /// Index of the candidate.
    candidate: usize,
    text: String,
    /// The innermost heading above it.
    heading: &'a str,
    /// Whether the text begins with the heading.
    is_titled: bool,
    /// Whether it has text from around the passage.
    is_completed: bool,
    /// The rows or items of its table or list that it leaves out.
    left_out: usize,
    /// The unit that it was chosen for, a row with its header.
    core: String,
}

/// Chooses the quotations, best first.
fn choose<'a>(weighed: &[Weighed<'a>], adjacent: &[Adjacent]) -> Vec<Quotation<'a>> {
    let mut seeds: Vec<(f32, usize, usize)> = weighed.iter().enumerate().filter_map(seed).collect();
    seeds.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut quotes: Vec<Quotation<'a>> = Vec::new();
    for (score, p, u) in &seeds {
        let passage = &weighed[*p];
        let Weighed { candidate, units, own, .. } = passage;
        let picked = if passage.prepared { whole(units) } else { window(units, own, &passage.scores, *u) };
        // Two lists below one heading are read as one.
        let is_above = |title: &String| quotes.iter().any(|first| first.text.starts_with(&format!("{title}\n")));
        let title = title_of(passage, &picked).filter(|title| !is_above(title));
        let quoted = quote(units, &picked, &format!("[{}]", quotes.len() + 1));
        let quotation = Quotation {
            candidate: *candidate,
            text: title.iter().map(|title| format!("{title}\n\n")).chain([quoted]).collect(),
            heading: passage.headings[*u].text,
            is_titled: title.is_some(),
            is_completed: picked.iter().any(|at| !own.contains(at)),
            core: core_of(passage, *u),
            left_out: if is_chosen(passage, &picked) {
                0
            } else {
                let last = picked.last().map_or("", |last| units[*last].head);
                let further = adjacent.get(*candidate).filter(|_| !last.is_empty());
                left_out(units, &picked) + further.map_or(0, |rows| rows.further_rows_of(last))
            },
        };
        let Some(first) = quotes.first() else {
            quotes.push(quotation);
            continue;
        };
        // Two passages of one section may complete each other.
        let repeats = (first.is_completed || quotation.is_completed)
            && picked.iter().any(|at| first.text.contains(units[*at].text));
        let is_new = !repeats && overlap(&terms(&quotation.text), &first.text) < 0.7;
        if *score >= SECOND * seeds[0].0 && is_new && first.text.len() < SHORT {
            quotes.push(quotation);
        }
        break;
    }
    quotes
}

/// Whether the quoted rows were chosen by the words of the question, so that the others do not belong to the answer.
fn is_chosen(passage: &Weighed<'_>, picked: &[usize]) -> bool {
    let Some(last) = picked.last().filter(|last| passage.units[**last].kind == Kind::Row) else { return false };
    let table = table_around(&passage.units, section(&passage.units, *last), *last);
    let least = picked.iter().map(|at| passage.scores[*at]).fold(f32::MAX, f32::min);
    table.clone().filter(|at| !picked.contains(at)).any(|at| passage.scores[at] < least - ALIKE)
        && !table.clone().any(|at| !picked.contains(&at) && passage.scores[at] >= least - ALIKE)
}

/// The heading above a quotation that begins with a list or a table. Without it, the items may say the opposite: "Socks"
/// below "What cannot be returned". Numbers in brackets would look like citations.
fn title_of(passage: &Weighed<'_>, picked: &[usize]) -> Option<String> {
    let first = *picked.first()?;
    let heading = passage.headings[first].text;
    let begins_with_items = passage.units[first].kind == Kind::Item || passage.units[first].is_table();
    let has_title = begins_with_items && !passage.prepared && !heading.is_empty() && !is_automatic(heading);
    has_title.then(|| strong(&verify(heading, &[]).0))
}

/// The unit with which a passage's quotation begins, and its relevance. A lower rank costs a little.
fn seed((p, passage): (usize, &Weighed<'_>)) -> Option<(f32, usize, usize)> {
    let scored = (0..passage.units.len()).rev().filter(|u| passage.scores[*u] > UNSCORED);
    scored
        .filter(|u| passage.units[*u].kind != Kind::Heading)
        // The first of the best.
        .max_by(|a, b| passage.scores[*a].total_cmp(&passage.scores[*b]))
        .map(|u| (passage.scores[u] - LOWER * p as f32, p, u))
}

/// A candidate under the heading of one of its sections.
fn headed(candidate: &Candidate, heading: &str) -> Candidate {
    let heading = match candidate.heading.as_str() {
        outer if innermost(outer) == heading => outer.to_owned(),
        "" => heading.to_owned(),
        outer => format!("{outer} > {heading}"),
    };
    Candidate { heading, ..candidate.clone() }
}

/// Composes the answer. A source is named after the quoted section, which may be inside its passage. Its marker is
/// verified with the text around the passage, because that may be quoted too.
fn compose(quotes: &[Quotation<'_>], candidates: &[Candidate], adjacent: &[Adjacent]) -> Answer {
    let text = quotes.iter().map(|quote| quote.text.as_str()).collect::<Vec<_>>().join("\n\n");
    let read = |at: usize| {
        let content = candidates[at].content.as_str();
        adjacent.get(at).map_or_else(|| content.to_owned(), |around| around.with(content))
    };
    let titled = |quote: &Quotation<'_>| if quote.is_titled { format!("{}\n\n", quote.heading) } else { String::new() };
    let texts: Vec<String> = quotes.iter().map(|quote| titled(quote) + &read(quote.candidate)).collect();
    let (text, citations) = verify(&text, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let sources = quotes.iter().map(|quote| headed(&candidates[quote.candidate], quote.heading)).collect();
    let core = quotes.first().map(|quote| quote.core.clone()).unwrap_or_default();
    Answer { text, citations, sources, texts, left_out: 0, core }
}

#[cfg(test)]
mod tests;
