//! What a chatbot's own collection has on a question: the nearest passages by vector, from whichever store searches them, and
//! the best ones by words, from the database. Both only rank; passages are read in the caller's scope.

use futures::{
    TryFutureExt,
    future::{try_join, try_join_all},
};
use store::{
    Scope,
    passages::{self, Hit},
    vectors::{Collection, Nearest},
};
use uuid::Uuid;

use crate::state::App;

/// Searches at most, when its passages are being replaced meanwhile.
const ROUNDS: usize = 4;

/// What to search for.
#[derive(Debug, Clone, Copy)]
pub struct RetrievalRequest<'a> {
    /// Where.
    pub collection: Collection,
    /// The language of the chatbot's words.
    pub language: &'a str,
    /// Passages of each kind at most.
    pub limit: usize,
    /// The texts.
    pub texts: &'a [String],
    /// Their vectors.
    pub vectors: &'a [Vec<f32>],
}

/// What was found for one text.
#[derive(Debug, Clone, Default)]
pub struct Hits {
    /// Nearest by vector, nearest first.
    pub nearest: Vec<Hit>,
    /// Best by words, best first.
    pub matching: Vec<Hit>,
}

/// What was found for each text, all as of one moment.
///
/// # Errors
/// When the database or the store of vectors fails.
pub async fn search(app: &App, scope: &Scope, request: &RetrievalRequest<'_>) -> store::Result<Vec<Hits>> {
    let mut before = Vec::new();
    let mut rounds = 0;
    loop {
        rounds += 1;
        let rankings = rankings(app, request).await?;
        let (hits, missing) = read(app, scope, request, &rankings).await?;
        // What has no passage is of a version that came or went meanwhile: then the next ranking is another one. Points that
        // stay are orphans of an interrupted change.
        if missing == 0 || rankings == before || rounds == ROUNDS {
            return Ok(hits);
        }
        before = rankings;
    }
}

/// What a search found for one text, before its passages are read.
#[derive(Debug, PartialEq)]
struct Ranking {
    nearest: Nearest,
    /// The best by words, best first.
    words: Vec<Uuid>,
}

async fn rankings(app: &App, request: &RetrievalRequest<'_>) -> store::Result<Vec<Ranking>> {
    // Both versions of a document may have points while it is being replaced.
    let limit = request.limit * 2;
    let nearest = request.vectors.iter().map(|vector| app.vectors.nearest(request.collection, vector, limit));
    let (nearest, words) = try_join(try_join_all(nearest).err_into(), by_words(app, request)).await?;
    Ok(nearest.into_iter().zip(words).map(|(nearest, words)| Ranking { nearest, words }).collect())
}

async fn by_words(app: &App, request: &RetrievalRequest<'_>) -> store::Result<Vec<Vec<Uuid>>> {
    let RetrievalRequest { collection: Collection { tenant, chatbot }, language, texts, .. } = *request;
    let mut found = Vec::with_capacity(texts.len());
    let mut tx = app.db.read(&Scope::system()).await?;
    for text in texts {
        found.push(passages::best_by_words(&mut tx, tenant, chatbot, text, language, sql_limit(request)).await?);
    }
    drop(tx);
    Ok(found)
}

/// Reads the passages in one transaction of the caller, and counts the ranked ones that do not exist.
async fn read(
    app: &App,
    scope: &Scope,
    request: &RetrievalRequest<'_>,
    rankings: &[Ranking],
) -> store::Result<(Vec<Hits>, usize)> {
    let RetrievalRequest { collection: Collection { tenant, chatbot }, limit, vectors, .. } = *request;
    let (mut found, mut missing) = (Vec::with_capacity(vectors.len()), 0);
    let mut tx = app.db.read(scope).await?;
    for (vector, Ranking { nearest, words }) in vectors.iter().zip(rankings) {
        let nearest = match nearest {
            Nearest::InDatabase(vector) => {
                passages::nearest(&mut tx, tenant, chatbot, vector, sql_limit(request)).await?
            }
            Nearest::Ranked(ranking) => {
                let mut known = passages::ranked(&mut tx, tenant, chatbot, ranking).await?;
                missing += ranking.len() - known.len();
                known.truncate(limit);
                known
            }
        };
        let matching = passages::chosen(&mut tx, tenant, chatbot, words, vector).await?;
        missing += words.len() - matching.len();
        found.push(Hits { nearest, matching });
    }
    drop(tx);
    Ok((found, missing))
}

/// The limit of passages as SQL takes it.
fn sql_limit(request: &RetrievalRequest<'_>) -> i64 {
    i64::try_from(request.limit).unwrap_or(i64::MAX)
}
