//! Quotes the answer to a question, for visitors and for evaluations alike.

use rag::{
    chunk::CONTINUED,
    embed::Embedder,
    generate::{
        Answer, asked,
        extractive::{self, WEIGHED},
        language::Language,
        section::Adjacent,
        unsure::{self, Closest, Unsure},
    },
    price,
    retrieve::{Candidate, Confidence},
};
use store::{Scope, vectors::Collection};
use uuid::Uuid;

use super::sections;
use crate::{
    service::knowledge::search::{Error, SearchOutcome},
    state::App,
};

/// A question with what was found for it.
pub struct Quotable<'a> {
    /// The collection of the passages.
    pub collection: Collection,
    /// The question to answer, with typing errors corrected.
    pub question: &'a str,
    /// The question as it was written.
    pub written: &'a str,
    /// The chatbot's language.
    pub language: &'a str,
    /// Its vector by `embedder`.
    pub vector: &'a [f32],
    /// The model that sentences are compared with.
    pub embedder: &'a dyn Embedder,
    /// The confidence that the first passage answers the question.
    pub confidence: Confidence,
    /// The passages to quote from, best first.
    pub passages: &'a [Candidate],
}

impl<'a> Quotable<'a> {
    /// The question of a search, and the passages that are relevant to it.
    pub fn new(app: &'a App, collection: Collection, language: &'a str, outcome: &'a SearchOutcome) -> Self {
        Self {
            collection,
            question: &outcome.question,
            written: &outcome.written,
            language,
            vector: &outcome.vector,
            embedder: outcome.sentences(app),
            confidence: outcome.confidence,
            passages: outcome.relevant(),
        }
    }
}

/// A word of a question, and the one that was found instead.
pub type Correction = (String, String);

/// Why there is no answer, and what is closest to one.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// A word of the question, and the one that was found instead.
    pub correction: Option<Correction>,
    /// The closest units, best first.
    pub closest: Vec<Closest>,
}

impl Doubt {
    /// What is closest to a question that has no answer, with a doubtful `correction` of it.
    ///
    /// # Errors
    /// When the model fails.
    pub async fn of(quotable: &Quotable<'_>, correction: Option<Correction>) -> Result<Self, Error> {
        Ok(Self { correction, closest: closest(quotable).await? })
    }

    /// The reply for low confidence, in the language of the `question` as it was written; `usual` is the chatbot's language.
    pub fn reply(&self, question: &str, usual: &str, passages: &[Candidate]) -> Unsure {
        let language = Language::of_question(question, usual);
        let hint = self.correction.as_ref().map(|pair| asked::did_you_mean(question, usual, pair));
        unsure::answer(language.code, hint.as_deref(), &self.closest, passages)
    }
}

/// The result of quoting.
#[derive(Debug, Clone, PartialEq)]
pub enum Quoted {
    /// A quotation with its sources.
    Answer(Answer),
    /// The passages may have the answer, but nothing is sure enough to be quoted as one.
    Unsure(Option<Correction>),
    /// There is nothing to quote.
    Nothing,
}

/// Quotes the passages, together with the text around them if they are parts of longer sections. `scope` may read them.
///
/// # Errors
/// When the database or the model fails.
pub async fn quote(app: &App, scope: &Scope, quotable: &Quotable<'_>) -> Result<Quoted, Error> {
    if quotable.confidence == Confidence::None {
        return Ok(Quoted::Nothing);
    }
    let Quotable { question, written, language, passages, .. } = *quotable;
    let correction = asked::doubtful_correction(written, language, question);
    let is_sure = quotable.confidence == Confidence::High;
    // An amount with all words of the question is an answer, even where the search is not sure.
    let suffices = |answer: &Answer| match is_sure {
        true => !extractive::lacks_price(question, language, answer, passages),
        false => extractive::has_price(question, language, answer, passages),
    };
    if (is_sure || price::is_asked(question)) && correction.is_none() {
        match quote_passages(app, scope, quotable).await? {
            Some(answer) if suffices(&answer) && asked::is_decided(question, language, &answer, passages) => {
                return Ok(Quoted::Answer(answer));
            }
            Some(_) => {}
            None => return Ok(Quoted::Nothing),
        }
    }
    Ok(Quoted::Unsure(correction))
}

/// Quotes the passages, however sure that is.
///
/// # Errors
/// When the database or the model fails.
pub(super) async fn quote_passages(app: &App, scope: &Scope, quotable: &Quotable<'_>) -> Result<Option<Answer>, Error> {
    let adjacent = adjacent(app, scope, quotable).await?;
    let Quotable { question, language, vector, embedder, passages, .. } = *quotable;
    Ok(extractive::answer(question, language, vector, passages, &adjacent, embedder).await?)
}

/// The units of the passages that are closest to the question.
///
/// # Errors
/// When the model fails.
pub(super) async fn closest(quotable: &Quotable<'_>) -> Result<Vec<Closest>, Error> {
    let Quotable { question, language, vector, embedder, passages, .. } = *quotable;
    Ok(extractive::closest(question, language, vector, passages, embedder).await?)
}

/// Passages on each side of one with a table that are read to count the rows of the table.
const NEAR_TABLE: i32 = 40;

/// The text around each passage that may be quoted, in one query; none when all of them are whole documents or prepared
/// answers.
async fn adjacent(app: &App, scope: &Scope, quotable: &Quotable<'_>) -> store::Result<Vec<Adjacent>> {
    let best = &quotable.passages[..quotable.passages.len().min(WEIGHED)];
    let may_go_on =
        |passage: &Candidate| !passage.prepared && (passage.content.starts_with(CONTINUED) || passage.has_next);
    if !best.iter().any(may_go_on) {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = best.iter().map(|passage| passage.id).collect();
    let has_table = best.iter().any(|passage| passage.content.contains("\n|---"));
    let near = if has_table { NEAR_TABLE } else { 1 };
    let neighbours = sections::neighbours(app, scope, quotable.collection, &ids, near).await?;
    Ok(neighbours.iter().map(|parts| Adjacent::of(parts)).collect())
}
