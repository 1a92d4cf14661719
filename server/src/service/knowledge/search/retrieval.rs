//! Searches a chatbot's own collection: the nearest passages by vector, from the configured store, and the best ones by
//! words, from the database. Both only rank; the passages are read in the caller's scope.

use std::collections::{HashMap, HashSet};

use futures::{
    TryFutureExt,
    future::{try_join, try_join_all},
};
use rag::{
    embed::Purpose,
    generate::language::Language,
    query_words::{self, Form, QueryWords, Stem},
    retrieve::Candidate,
    snippet,
};
use store::{
    Scope,
    passages::{self, FoundByWords, Hit, KnownStem, VectorKind, WordForm},
    vectors::{Collection, Nearest, VectorSpace},
};
use uuid::Uuid;

use crate::state::App;

/// Minimum percentage of passages that must have a word so that it does not point to an unknown topic.
const MIN_DOCUMENT_FREQUENCY_PERCENT: i64 = 1;

/// Maximum search rounds when the passages are being replaced meanwhile.
const MAX_ROUNDS: usize = 4;

/// What to search for.
#[derive(Debug, Clone, Copy)]
pub struct RetrievalRequest<'a> {
    /// The collection to search.
    pub collection: Collection,
    /// The language of the chatbot's words.
    pub language: &'a str,
    /// The embedding model of the texts' vectors.
    pub model: &'a str,
    /// Which vectors of passages are of this model.
    pub kind: VectorKind,
    /// Whether the texts may be in the language of the passages. Words of another language are not typing errors.
    pub is_same_language: bool,
    /// Maximum passages of each kind.
    pub limit: usize,
    /// The texts to search for.
    pub texts: &'a [String],
    /// A vector for each text.
    pub vectors: &'a [Vec<f32>],
}

/// The results for one text.
#[derive(Debug, Clone, Default)]
pub struct TextResults {
    /// The text that was searched for, with typing errors corrected.
    pub text: String,
    /// Whether hardly a passage has one of its words.
    pub has_unfamiliar_words: bool,
    /// Nearest by vector, nearest first.
    pub nearest: Vec<Candidate>,
    /// Best by words, best first.
    pub matching: Vec<Candidate>,
}

/// A passage that is not compared with a question.
pub fn passage(hit: Hit) -> Candidate {
    candidate(hit, &QueryWords::default())
}

/// The passage as a candidate for an answer, compared with the words of the text.
fn candidate(hit: Hit, query_words: &QueryWords) -> Candidate {
    let matches = || {
        let numbers = hit.counts.iter().zip(&hit.in_heading);
        let matches = hit.stems.iter().zip(numbers);
        matches.map(|(stem, (count, in_heading))| {
            (stem.as_str(), usize::try_from(*count).unwrap_or(1).max(1), *in_heading)
        })
    };
    let (words, coverage) = (query_words.share(matches()), query_words.coverage(matches()));
    #[allow(clippy::cast_possible_truncation, reason = "a cosine needs no more than 24 bits")]
    let cosine = hit.cosine as f32;
    Candidate {
        id: hit.id,
        title: hit.title,
        path: hit.path,
        heading: hit.heading,
        url: place(hit.url, hit.anchor.as_deref()),
        content: hit.content,
        prepared: hit.prepared,
        as_of: Some(hit.as_of),
        has_next: hit.has_next,
        cosine,
        words,
        coverage,
        likeness: 0.0,
        lacks_own_words: false,
    }
}

/// The address of a passage: that of its page, with the heading or the page of a PDF that it is under.
fn place(url: Option<String>, anchor: Option<&str>) -> Option<String> {
    Some(match (url?, anchor) {
        (url, Some(anchor)) => format!("{url}#{}", snippet::escaped(anchor)),
        (url, None) => url,
    })
}

/// The results for each text, consistent at one moment.
///
/// # Errors
/// When the database or the store of vectors fails.
pub async fn search(app: &App, scope: &Scope, request: &RetrievalRequest<'_>) -> store::Result<Vec<TextResults>> {
    let mut before = Vec::new();
    let mut rounds = 0;
    loop {
        rounds += 1;
        let rankings = rankings(app, request).await?;
        let (hits, missing) = read(app, scope, request, &rankings).await?;
        // Points without a passage belong to a version that was replaced meanwhile: then the next ranking differs.
        // Points that persist are orphans of an interrupted change.
        if missing == 0 || rankings == before || rounds == MAX_ROUNDS {
            if !request.is_same_language {
                return Ok(hits);
            }
            return correct(app, scope, request, &rankings, hits).await;
        }
        before = rankings;
    }
}

/// The rankings for one text, before their passages are read.
type Rankings = (Nearest, FoundByWords);

async fn rankings(app: &App, request: &RetrievalRequest<'_>) -> store::Result<Vec<Rankings>> {
    // Both versions of a document may have points while it is being replaced.
    let limit = request.limit * 2;
    let RetrievalRequest { collection, model, kind, .. } = *request;
    let space = VectorSpace { collection, model, is_own: kind == VectorKind::Own };
    let nearest = request.vectors.iter().map(|vector| app.vectors.nearest(space, vector, limit));
    let (nearest, words) = try_join(try_join_all(nearest).err_into(), by_words(app, request)).await?;
    Ok(nearest.into_iter().zip(words).collect())
}

async fn by_words(app: &App, request: &RetrievalRequest<'_>) -> store::Result<Vec<FoundByWords>> {
    let RetrievalRequest { collection: Collection { tenant, chatbot }, language, texts, .. } = *request;
    let mut matches = Vec::with_capacity(texts.len());
    let mut tx = app.db.read(&Scope::system()).await?;
    for text in texts {
        let forms = query_words::forms(text, language, |word| Language::is_function_word_of(language, word));
        let forms: Vec<WordForm> = forms.into_iter().map(form).collect();
        matches.push(passages::best_by_words(&mut tx, tenant, chatbot, &forms, language, sql_limit(request)).await?);
    }
    Ok(matches)
}

/// Repeats the search with corrected words, when words of a text are unknown to the collection and the results have
/// words with a similar spelling. Otherwise, or when the model fails, the results stay.
async fn correct(
    app: &App,
    scope: &Scope,
    request: &RetrievalRequest<'_>,
    rankings: &[Rankings],
    results: Vec<TextResults>,
) -> store::Result<Vec<TextResults>> {
    let Some(embedder) = app.embedders.find(request.model) else { return Ok(results) };
    let corrected = request.texts.iter().zip(rankings).zip(&results).map(|((text, (_, by_words)), results)| {
        let unknown: HashSet<usize> = unknown_words(by_words);
        let texts = results.nearest.iter().flat_map(|passage| [passage.heading.as_str(), passage.content.as_str()]);
        query_words::corrected(text, &unknown, texts, |word| embedder.has_word(word))
    });
    let texts: Vec<String> = corrected.collect();
    if texts == request.texts {
        return Ok(results);
    }
    let vectors = match embedder.embed(texts.clone(), Purpose::Query).await {
        Ok(vectors) => vectors,
        Err(error) => {
            tracing::warn!(%error, "embedding.failed");
            return Ok(results);
        }
    };
    let request = RetrievalRequest { texts: &texts, vectors: &vectors, ..*request };
    let rankings = self::rankings(app, &request).await?;
    Ok(read(app, scope, &request, &rankings).await?.0)
}

/// The positions of the words that no passage has in any form.
fn unknown_words(matches: &FoundByWords) -> HashSet<usize> {
    let unknown = passages_by_word(matches).into_iter().filter(|(_, passages)| *passages == 0);
    unknown.filter_map(|(word, _)| usize::try_from(word).ok()).collect()
}

/// Whether one of the words is rare: fewer than [`MIN_DOCUMENT_FREQUENCY_PERCENT`] percent of the passages have it in any form.
fn has_unfamiliar_words(matches: &FoundByWords) -> bool {
    passages_by_word(matches)
        .into_values()
        .any(|passages| passages == 0 || passages * 100 < MIN_DOCUMENT_FREQUENCY_PERCENT * matches.passages)
}

/// How many passages have each word, in its most frequent form.
fn passages_by_word(matches: &FoundByWords) -> HashMap<i32, i64> {
    let mut most: HashMap<i32, i64> = HashMap::new();
    for KnownStem { word, passages, .. } in &matches.stems {
        let maximum = most.entry(*word).or_default();
        *maximum = (*maximum).max(*passages);
    }
    most
}

fn form(form: Form) -> WordForm {
    let Form { text, word, weight } = form;
    WordForm { text, word: i32::try_from(word).unwrap_or(i32::MAX), weight }
}

fn stem(known_stem: &KnownStem) -> Stem {
    let KnownStem { stem, word, weight, passages } = known_stem;
    Stem {
        text: stem.clone(),
        word: usize::try_from(*word).unwrap_or_default(),
        weight: *weight,
        passages: u64::try_from(*passages).unwrap_or_default(),
    }
}

/// Reads the passages in one transaction of the caller, and counts the ranked ones that do not exist.
async fn read(
    app: &App,
    scope: &Scope,
    request: &RetrievalRequest<'_>,
    rankings: &[Rankings],
) -> store::Result<(Vec<TextResults>, usize)> {
    let RetrievalRequest { collection: Collection { tenant, chatbot }, limit, texts, vectors, kind, .. } = *request;
    let (mut results, mut missing) = (Vec::with_capacity(vectors.len()), 0);
    let mut tx = app.db.read(scope).await?;
    for ((text, vector), (nearest, by_words)) in texts.iter().zip(vectors).zip(rankings) {
        let stems: Vec<&str> = by_words.stems.iter().map(|known_stem| known_stem.stem.as_str()).collect();
        let nearest = match nearest {
            Nearest::SearchDatabase(vector) => {
                passages::nearest(&mut tx, (tenant, chatbot), (kind, vector), sql_limit(request), &stems).await?
            }
            Nearest::Ranked(ranking) => {
                let mut hits = passages::ranked(&mut tx, tenant, chatbot, ranking, &stems).await?;
                missing += ranking.len() - hits.len();
                hits.truncate(limit);
                hits
            }
        };
        // Read passages in both results once.
        let nearest_ids: HashSet<Uuid> = nearest.iter().map(|hit| hit.id).collect();
        let others: Vec<Uuid> = by_words.ids.iter().filter(|id| !nearest_ids.contains(*id)).copied().collect();
        let read = passages::with_ids(&mut tx, (tenant, chatbot), &others, (kind, vector), &stems).await?;
        missing += others.len() - read.len();
        let matching = by_words.ids.iter().filter_map(|id| nearest.iter().chain(&read).find(|hit| hit.id == *id));
        let all = u64::try_from(by_words.passages).unwrap_or_default();
        let query_words = QueryWords::new(&by_words.stems.iter().map(stem).collect::<Vec<_>>(), all);
        let passage = |hit: &Hit| candidate(hit.clone(), &query_words);
        let (matching, nearest) = (matching.map(passage).collect(), nearest.iter().map(passage).collect());
        let has_unfamiliar_words = has_unfamiliar_words(by_words);
        results.push(TextResults { text: text.clone(), has_unfamiliar_words, nearest, matching });
    }
    Ok((results, missing))
}

/// The limit as SQL parameter.
fn sql_limit(request: &RetrievalRequest<'_>) -> i64 {
    i64::try_from(request.limit).unwrap_or(i64::MAX)
}
