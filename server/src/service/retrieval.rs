//! What a chatbot's own collection has on a question: the nearest passages by vector, from whichever store searches them, and
//! the best ones by words, from the database.

use futures::future::try_join_all;
use store::{
    Scope,
    passages::{self, Hit},
    vectors::{Collection, Nearest},
};

use crate::app_state::App;

/// Searches of a store outside of the database at most, when its passages are being replaced meanwhile.
const ROUNDS: usize = 4;

/// What is searched for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
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
pub async fn search(app: &App, scope: &Scope, wanted: &Wanted<'_>) -> store::Result<Vec<Hits>> {
    let mut before = Vec::new();
    let mut rounds = 0;
    loop {
        rounds += 1;
        let rankings = rankings(app, wanted).await?;
        let (hits, missing) = read(app, scope, wanted, &rankings).await?;
        // Points without a passage are of a version that came or went meanwhile: then the next ranking is another one. What
        // stays is waste of an interrupted change.
        if missing == 0 || rankings == before || rounds == ROUNDS {
            return Ok(hits);
        }
        before = rankings;
    }
}

async fn rankings(app: &App, wanted: &Wanted<'_>) -> store::Result<Vec<Nearest>> {
    // Both versions of a document may have points while it is being replaced.
    let limit = wanted.limit * 2;
    let rankings = wanted.vectors.iter().map(|vector| app.vectors.nearest(wanted.collection, vector, limit));
    Ok(try_join_all(rankings).await?)
}

/// Reads the passages in one transaction, and tells how many of the rankings do not exist.
async fn read(
    app: &App,
    scope: &Scope,
    wanted: &Wanted<'_>,
    rankings: &[Nearest],
) -> store::Result<(Vec<Hits>, usize)> {
    let Wanted { collection: Collection { tenant, chatbot }, language, limit, texts, vectors } = *wanted;
    let most = i64::try_from(limit).unwrap_or(i64::MAX);
    let (mut found, mut missing) = (Vec::with_capacity(texts.len()), 0);
    let mut tx = app.db.read(scope).await?;
    for ((text, vector), ranking) in texts.iter().zip(vectors).zip(rankings) {
        let nearest = match ranking {
            Nearest::InDatabase(vector) => passages::nearest(&mut tx, tenant, chatbot, vector, most).await?,
            Nearest::Ranked(ranking) => {
                let mut known = passages::ranked(&mut tx, tenant, chatbot, ranking).await?;
                missing += ranking.len() - known.len();
                known.truncate(limit);
                known
            }
        };
        let matching = passages::matching(&mut tx, tenant, chatbot, text, language, vector, most).await?;
        found.push(Hits { nearest, matching });
    }
    tx.end().await?;
    Ok((found, missing))
}
