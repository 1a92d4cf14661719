//! Other ways of searching than the visitors', for comparison.

use contract::chatbots::Chatbot;
use rag::{
    follow_up::Search,
    retrieve::{self, Candidate},
};
use server::{
    eval,
    service::knowledge::search::{
        self, SearchOptions,
        models::{self, ModelResults},
        ranking,
    },
    state::App,
};
use store::Scope;

use super::{CaseResult, Error, Question};

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
    /// The one that visitors get, and those that it is compared with.
    pub fn of(app: &App) -> (Self, Vec<Self>) {
        let mut others = vec![Self::Vector, Self::Words, Self::WithoutHistory];
        if app.settings.reranking.is_none() {
            return (Self::Fused, others);
        }
        others.push(Self::Fused);
        (Self::Reranked, others)
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

    /// The passages that one model found for a question, best first.
    fn rank(self, query: &Search, results: &ModelResults) -> Vec<Candidate> {
        ranking::fuse_by(query, results, |text| match self {
            Self::Vector => text.nearest.clone(),
            Self::Words => text.matching.clone(),
            Self::Fused | Self::WithoutHistory | Self::Reranked => {
                retrieve::rank(&text.nearest, &text.matching, &results.calibration)
            }
        })
    }
}

/// The results of these variants, which rank what one search found.
///
/// # Errors
/// When the database or the embedder fails.
pub(super) async fn compare(
    app: &App,
    chatbot: &Chatbot,
    question: &Question,
    variants: &[Variant],
) -> Result<Vec<CaseResult>, Error> {
    let (target, query) = (eval::target(chatbot), eval::query(chatbot, question));
    let outcome =
        models::find(app, &Scope::tenant(chatbot.tenant_id), &target, &query).await.map_err(eval::Error::from)?;
    let mut results = Vec::with_capacity(variants.len());
    for &variant in variants {
        let query = if variant == Variant::WithoutHistory { query.alone() } else { query.clone() };
        let ranked = outcome.models.iter().map(|results| (results, variant.rank(&query, results))).collect();
        let outcome = ranking::decide(app, &query, ranked, &SearchOptions::default()).await;
        let outcome = outcome.ok_or(search::Error::NothingSearched).map_err(eval::Error::from)?;
        let judgement = eval::judge(app, &target, question, &outcome).await?;
        results.push(CaseResult::of(variant, question, &judgement));
    }
    Ok(results)
}
