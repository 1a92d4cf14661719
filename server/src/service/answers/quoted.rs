//! Quotes the answer to a question, for visitors and for evaluations alike.

use rag::{
    chunk::CONTINUED,
    embed::Embedder,
    generate::{
        Answer,
        extractive::{self, WEIGHED},
        section::Adjacent,
    },
    retrieve::{Candidate, Confidence},
};
use store::{Scope, passages::PassageRef, vectors::Collection};
use uuid::Uuid;

use super::sections;
use crate::{service::knowledge::question_search::Error, state::App};

/// A question with what was found for it.
pub struct Quotable<'a, I> {
    /// The collection of the passages.
    pub collection: Collection,
    /// The question to answer.
    pub question: &'a str,
    /// Its vector by `embedder`.
    pub vector: &'a [f32],
    /// The model that sentences are compared with.
    pub embedder: &'a dyn Embedder,
    /// The confidence that the first passage answers the question.
    pub confidence: Confidence,
    /// The passages to quote from, best first.
    pub passages: &'a [Candidate<I>],
}

/// The result of quoting.
#[derive(Debug, Clone, PartialEq)]
pub enum Quoted<I> {
    /// A quotation with its sources.
    Answer(Answer<I>),
    /// The passages may have the answer, but nothing is sure enough to be quoted.
    Unsure,
    /// There is nothing to quote.
    Nothing,
}

/// Quotes the passages, together with the text around them if they are parts of longer sections. `scope` may read them.
///
/// # Errors
/// When the database or the model fails.
pub async fn quote<I: Clone + Into<PassageRef>>(
    app: &App,
    scope: &Scope,
    asked: &Quotable<'_, I>,
) -> Result<Quoted<I>, Error> {
    match asked.confidence {
        Confidence::None => return Ok(Quoted::Nothing),
        Confidence::Low => return Ok(Quoted::Unsure),
        Confidence::High => {}
    }
    let adjacent = adjacent(app, scope, asked).await?;
    let Quotable { question, vector, embedder, passages, .. } = *asked;
    Ok(match extractive::answer(question, vector, passages, &adjacent, embedder).await? {
        Some(answer) if extractive::lacks_price(question, &answer) => Quoted::Unsure,
        Some(answer) => Quoted::Answer(answer),
        None => Quoted::Nothing,
    })
}

/// The text around each passage that may be quoted, in one query; none when all of them are whole documents or prepared
/// answers.
async fn adjacent<I: Clone + Into<PassageRef>>(
    app: &App,
    scope: &Scope,
    asked: &Quotable<'_, I>,
) -> store::Result<Vec<Adjacent>> {
    let best = &asked.passages[..asked.passages.len().min(WEIGHED)];
    let reference = |passage: &Candidate<I>| -> PassageRef { passage.id.clone().into() };
    let may_go_on = |passage: &Candidate<I>| {
        !passage.prepared && (passage.content.starts_with(CONTINUED) || reference(passage).has_next)
    };
    if !best.iter().any(may_go_on) {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = best.iter().map(|passage| reference(passage).id).collect();
    let neighbours = sections::neighbours(app, scope, asked.collection, &ids, 1).await?;
    Ok(neighbours.iter().map(|parts| Adjacent::of(parts)).collect())
}
