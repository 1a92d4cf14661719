//! Measures how well a chatbot finds and answers: runs a file of questions, with the passages that answer them or
//! without an answer, through the same search and answering as a visitor's question.

mod answer_text;
mod figures;
mod html;
mod intervals;
mod json;
mod model;
mod model_figures;
mod perfect;
mod questions;
mod recorder;
mod sets;
mod statistics;
mod summary;
mod support;
mod text;
mod vector_files;

use std::time::{Duration, Instant};

use contract::chatbots::Chatbot;
use rag::{
    follow_up::Search,
    generate::{asked, language::Language, unsure},
    retrieve::{self, Candidate, Confidence, DEPTH},
};
use store::{
    Scope,
    passages::{Hit, PassageRef},
    vectors::Collection,
};

pub use answer_text::{AnswerText, is_complete};
pub use figures::{Figures, Grouping, Metrics, Row, STEPS};
pub use html::html;
pub use intervals::Intervals;
pub use json::json;
pub use model::{ModelOutcome, ModelReport, Sample, model_text, run_model};
pub use model_figures::{model_json, model_summary};
pub use questions::{Half, Question, QuestionsError, read};
pub use recorder::{Recorder, Recording};
pub use sets::{Sets, SetsError};
pub use summary::summary;
pub use text::text;
pub use vector_files::StoredVectors;

use crate::{
    service::{
        answers::{Doubt, Quotable, Quoted, quote},
        knowledge::{
            question_search::{self, Finding, Findings, Searched},
            ranking::{self, Ranking},
        },
    },
    state::App,
};

/// Candidates of a question that a report shows.
const SHOWN: usize = 20;

/// Why an evaluation could not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The question could not be searched for or answered.
    #[error(transparent)]
    Search(#[from] question_search::Error),
    /// No model searched.
    #[error("no embedding model searched for the question")]
    NothingSearched,
    /// The reranker failed.
    #[error(transparent)]
    Rerank(#[from] rag::rerank::RerankError),
    /// Passages got no vectors for questions in other languages.
    #[error("no vectors for questions in other languages were made: a worker failed (jobs.workers must not be 0)")]
    SecondVectors,
    /// A file of sets or questions cannot be used.
    #[error(transparent)]
    Sets(#[from] SetsError),
    /// A service refused to make a chatbot for a corpus.
    #[error("the chatbot of a corpus could not be made: {0}")]
    Refused(String),
    /// The documents of a corpus could not be ingested.
    #[error("the documents of a corpus could not be ingested: {0}")]
    Ingest(#[from] crate::service::knowledge::Error),
}

/// The results of one set of questions.
#[derive(Debug, Clone, PartialEq)]
pub struct SetReport {
    /// The set's name, or the chatbot's slug.
    pub name: String,
    /// The language of the documents.
    pub language: String,
    /// Whether weights were chosen on it, so that its figures say little about other documents.
    pub tuned: bool,
    /// The result of each question.
    pub outcomes: Vec<QuestionOutcome>,
    /// The figures of all questions and of groups.
    pub figures: Figures,
}

impl SetReport {
    /// The outcomes of one of its figures' rows.
    pub fn group(&self, row: &Row) -> Vec<&QuestionOutcome> {
        self.outcomes.iter().filter(|outcome| row.has(&outcome.question)).collect()
    }
}

/// A way of searching that is compared with the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// The nearest passages alone.
    Vector,
    /// The best passages by words alone.
    Words,
    /// Both rankings, fused.
    Fused,
    /// Both, fused, for the question without the earlier ones.
    WithoutHistory,
    /// Both, fused, and ordered by the reranker.
    Reranked,
}

impl Variant {
    /// The variants that can be compared: the reranker's only when there is one.
    pub fn of(app: &App) -> Vec<Self> {
        let mut variants = vec![Self::Vector, Self::Words, Self::WithoutHistory, Self::Fused];
        variants.extend(app.settings.reranking.as_ref().map(|_| Self::Reranked));
        variants
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Words => "words",
            Self::Fused => "fused",
            Self::WithoutHistory => "no history",
            Self::Reranked => "reranked",
        }
    }

    /// Its name in JSON, which stays.
    pub fn key(self) -> &'static str {
        match self {
            Self::WithoutHistory => "no_history",
            _ => self.name(),
        }
    }
}

/// The result of one search variant for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaseResult {
    /// The search variant.
    pub variant: Variant,
    /// The rank of the first right passage, from 1, whatever its relevance.
    pub rank: Option<usize>,
    /// The chatbot's confidence.
    pub confidence: Confidence,
    /// Properties of the answer's text; `None` when the confidence is low or the chatbot refuses.
    pub text: Option<AnswerText>,
    /// Whether the beginning of what a visitor reads, an answer or what is closest, has the words of the question's label;
    /// `None` when the label has none.
    pub is_read: Option<bool>,
    /// Whether the first source of the answer is a right passage.
    pub is_right: bool,
}

/// The results of searches and answers for one question.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionOutcome {
    /// What was asked, and where its answer is.
    pub question: Question,
    /// Each way of searching; the last one is what a visitor gets.
    pub results: Vec<CaseResult>,
    /// The visitor's answer; `None` when the chatbot refuses.
    pub answer: Option<String>,
    /// What a visitor reads: the answer, or what is closest; `None` for a fallback message.
    pub reply: Option<String>,
    /// The evidence that the best candidate answers the question, above what makes an answer sure.
    pub evidence: f32,
    /// The best candidates, each with whether it is right.
    pub candidates: Vec<(Candidate<()>, bool)>,
    /// Times of embedding, searching, ranking and extracting, as a visitor has them.
    pub times: [Duration; 4],
}

impl QuestionOutcome {
    /// Whether the chatbot answered at all, as a visitor gets it.
    pub fn answered(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether the first source of a visitor's answer is a right passage.
    pub fn is_right(&self) -> bool {
        self.results.last().is_some_and(|result| result.is_right)
    }
}

/// Asks the chatbot every question with each variant.
///
/// # Errors
/// When the database, the embedder or the reranker fails.
pub async fn run(
    app: &App,
    chatbot: &Chatbot,
    questions: Vec<Question>,
    mut after_each: impl FnMut(),
) -> Result<Vec<QuestionOutcome>, Error> {
    let mut outcomes = Vec::with_capacity(questions.len());
    for question in questions {
        outcomes.push(ask(app, chatbot, question).await?);
        after_each();
    }
    Ok(outcomes)
}

async fn ask(app: &App, chatbot: &Chatbot, question: Question) -> Result<QuestionOutcome, Error> {
    let history: Vec<&str> = question.history.iter().map(String::as_str).collect();
    let wanted = Search::new(question.question.trim(), &history, &chatbot.language);
    let collection = Collection { tenant: chatbot.tenant_id, chatbot: chatbot.id };
    let searched = Searched {
        collection,
        language: &chatbot.language,
        model: chatbot.embedding_model.as_deref(),
        second_model: chatbot.second_embedding_model.as_deref().filter(|_| chatbot.cross_language),
    };
    let Findings { all, embedding, searching } =
        question_search::search(app, &Scope::tenant(chatbot.tenant_id), &searched, &wanted).await?;
    let id = |hit: &Hit| RetrievedPassage { passage: hit.reference(), path: hit.path.clone() };
    let with_lists = |finding: Finding| {
        let lists = finding.candidates(id);
        (finding, lists)
    };
    let found: Vec<(Finding, Vec<Lists>)> = all.into_iter().map(with_lists).collect();
    let asked =
        Asked { app, collection, language: &chatbot.language, question: &question, search: &wanted, found: &found };
    let (mut results, mut last) = (Vec::new(), Attempt::default());
    for variant in Variant::of(app) {
        let result;
        (result, last) = asked.try_out(variant).await?;
        results.push(result);
    }
    let times = [embedding, searching, last.ranking, last.extracting];
    let shown = |known: Candidate<RetrievedPassage>| {
        let is_right = is_right(&question, &known);
        (known.with_id(()), is_right)
    };
    let candidates = last.ranked.into_iter().take(SHOWN).map(shown).collect();
    Ok(QuestionOutcome {
        results,
        answer: last.answer,
        reply: last.reply,
        evidence: last.evidence,
        candidates,
        times,
        question,
    })
}

/// The durations and results of one search variant.
#[derive(Debug, Default)]
struct Attempt {
    answer: Option<String>,
    reply: Option<String>,
    evidence: f32,
    ranked: Hits,
    ranking: Duration,
    extracting: Duration,
}

type Hits = Vec<Candidate<RetrievedPassage>>;
/// Nearest and matching passages.
type Lists = [Hits; 2];

/// A passage with the path of its document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct RetrievedPassage {
    passage: PassageRef,
    path: String,
}

impl From<RetrievedPassage> for PassageRef {
    fn from(found: RetrievedPassage) -> Self {
        found.passage
    }
}

/// A question with what was found for it.
struct Asked<'a> {
    app: &'a App,
    collection: Collection,
    /// The chatbot's language.
    language: &'a str,
    question: &'a Question,
    search: &'a Search,
    /// The results of each model, with its lists for each text of the search.
    found: &'a [(Finding, Vec<Lists>)],
}

impl Asked<'_> {
    /// Runs one search variant for the question.
    async fn try_out(&self, variant: Variant) -> Result<(CaseResult, Attempt), Error> {
        let alone = self.search.alone();
        let search = if variant == Variant::WithoutHistory { &alone } else { self.search };
        let started = Instant::now();
        let fused = self.found.iter().map(|(finding, lists)| (finding, fuse(variant, search, lists, finding)));
        let reranking = self.app.settings.reranking.as_ref().filter(|_| variant == Variant::Reranked);
        let decided = ranking::decide(self.app, search, fused.collect(), 0.0, reranking).await;
        let Some(Ranking { finding, candidates: ranked, certainty, confidence, rerank_error }) = decided else {
            return Err(Error::NothingSearched);
        };
        if let Some(error) = rerank_error {
            return Err(error.into());
        }
        let ranking = started.elapsed();
        let asked = Quotable {
            collection: self.collection,
            question: finding.answer_query(search),
            written: search.answer_query(),
            language: self.language,
            vector: &search.vector(&finding.vectors[..search.texts().len()]),
            embedder: finding.embedder.as_ref(),
            confidence,
            passages: &ranked[..ranked.len().min(self.app.settings.top_k)],
        };
        let (confidence, answer, reply) = match quote(self.app, &Scope::tenant(self.collection.tenant), &asked).await? {
            Quoted::Answer(answer) => (Confidence::High, Some(answer.clone()), Some(answer.text)),
            Quoted::Unsure(doubt) => (Confidence::Low, None, Some(unsure_reply(&asked, &doubt))),
            Quoted::Nothing => (Confidence::None, None, None),
        };
        let source = answer.as_ref().and_then(|answer| answer.sources.first());
        let result = CaseResult {
            variant,
            rank: ranked.iter().position(|candidate| is_right(self.question, candidate)).map(|index| index + 1),
            confidence,
            text: answer.as_ref().map(|answer| AnswerText::of(self.question, &answer.text)),
            is_read: answer_text::is_read(self.question, reply.as_deref()),
            is_right: source.is_some_and(|source| is_right(self.question, source)),
        };
        let extracting = started.elapsed().saturating_sub(ranking);
        Ok((
            result,
            Attempt {
                answer: answer.map(|answer| answer.text),
                reply,
                evidence: certainty,
                ranked,
                ranking,
                extracting,
            },
        ))
    }
}

/// The reply of a chatbot that is not sure.
fn unsure_reply(asked: &Quotable<'_, RetrievedPassage>, doubt: &Doubt<RetrievedPassage>) -> String {
    let language = Language::of_question(asked.question, asked.language);
    let hint = doubt.correction.as_ref().map(|pair| asked::did_you_mean(asked.question, asked.language, pair));
    unsure::answer(language.code, hint.as_deref(), &doubt.closest, asked.passages).text
}

/// The ranking of one search variant, best first.
fn fuse(variant: Variant, search: &Search, lists: &[Lists], finding: &Finding) -> Hits {
    let calibration = &finding.calibration;
    let one = |[nearest, matching]: &Lists| match variant {
        Variant::Vector => nearest.clone(),
        Variant::Words => matching.clone(),
        _ => retrieve::rank(nearest, matching, calibration),
    };
    let found = search.texts().iter().zip(lists).map(|(_, lists)| one(lists)).collect();
    search.fuse(found, finding.has_unfamiliar_words(), calibration, DEPTH)
}

fn is_right(question: &Question, candidate: &Candidate<RetrievedPassage>) -> bool {
    question.is_answered_by(&candidate.id.path, &format!("{} {}", candidate.heading, candidate.content))
}
