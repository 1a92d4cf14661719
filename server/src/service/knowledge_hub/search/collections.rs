//! The collections of one search: the model of each, the query as that model's vector, and its words in the
//! collection's language.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    time::{Duration, Instant},
};

use contract::{
    ChatbotId,
    knowledge_hub::{Degradation, DegradationCode},
};
use rag::{
    embed::Purpose,
    generate::language::{Language, QuestionLanguage},
    query_words,
};
use store::{
    knowledge_hub::{
        reach::{MatchingDocuments, SearchedChatbot},
        search::{self, FoundPassage, Nearness, PER_COLLECTION, SearchedCollection},
        words::{self, LookedUp},
    },
    passages::{VectorKind, WordForm},
    vectors::{Collection, Nearest, NearestSearch, VectorError, VectorSpace},
};
use uuid::Uuid;

use super::{Searcher, milliseconds};
use crate::{admission::visitors_first::YieldBudget, error::ApiResult, state::App};

/// Passages up to which all vectors are compared.
const MAX_EXACT: i64 = 200_000;
/// Maximum passages of a collection for which comparing all is as fast as using its index.
const MAX_EXACT_PER_COLLECTION: i64 = 4000;
/// Passages per statement; between two statements a search yields to visitors.
const PASSAGES_PER_STATEMENT: i64 = 10_000;

/// A collection with the model that it is searched with.
struct Planned {
    chatbot: ChatbotId,
    language: String,
    model: String,
    kind: VectorKind,
    passages: i64,
}

/// The collections of one search.
pub(super) struct Collections {
    planned: Vec<Planned>,
    /// The documents that filters choose.
    chosen: Option<MatchingDocuments>,
    /// The query as a vector of each model.
    vectors: HashMap<String, Vec<f32>>,
    /// The query's words in each language.
    words: BTreeMap<String, LookedUp>,
    /// The chatbots whose model is unavailable.
    missing: Vec<ChatbotId>,
    /// The durations of embedding the query and looking up its words.
    times: (Duration, Duration),
}

impl Collections {
    /// Embeds the query once per model and looks up its words in each language, concurrently. Leaves out collections
    /// whose model is unavailable, and those without a selected document.
    pub(super) async fn prepare(
        app: &App,
        searcher: &Searcher,
        q: &str,
        chatbots: Vec<SearchedChatbot>,
        chosen: Option<MatchingDocuments>,
    ) -> ApiResult<Self> {
        let is_chosen = |of: &Planned| chosen.as_ref().is_none_or(|chosen| chosen.chatbots.contains(&of.chatbot.0));
        let mut planned: Vec<Planned> =
            chatbots.into_iter().filter_map(|chatbot| plan(app, q, chatbot)).filter(is_chosen).collect();
        let ((vectors, embedding), words) = tokio::join!(embed(app, q, &planned), look_up(app, searcher, q, &planned));
        let (words, looking_up) = words?;
        let missing: Vec<ChatbotId> =
            planned.iter().filter(|of| !vectors.contains_key(&of.model)).map(|of| of.chatbot).collect();
        planned.retain(|of| vectors.contains_key(&of.model));
        Ok(Self { planned, chosen, vectors, words, missing, times: (embedding, looking_up) })
    }

    /// What had to be left out.
    pub(super) fn degraded(&self) -> Option<Degradation> {
        let missing = Some(self.missing.clone()).filter(|missing| !missing.is_empty())?;
        Some(Degradation { code: DegradationCode::ModelUnavailable, chatbots: missing })
    }

    /// The durations of embedding the query and looking up its words, in milliseconds.
    pub(super) fn times(&self) -> (u32, u32) {
        (milliseconds(self.times.0), milliseconds(self.times.1))
    }

    /// Each chatbot with the model that its collection is searched with.
    pub(super) fn models(&self) -> impl Iterator<Item = (Uuid, &str)> {
        self.planned.iter().map(|of| (of.chatbot.0, of.model.as_str()))
    }

    /// The words of each language, to mark them.
    pub(super) fn marked_words(&self) -> Vec<(String, &words::QueryWords)> {
        let marked =
            self.words.iter().filter_map(|(language, looked_up)| Some((language.clone(), looked_up.words.as_ref()?)));
        marked.collect()
    }

    /// The places of the words that no collection has.
    pub(super) fn unknown_words(&self) -> HashSet<usize> {
        let mut all = self.words.values().map(|looked_up| looked_up.unknown.clone());
        let first = all.next().unwrap_or_default();
        all.fold(first, |left, right| &left & &right)
    }

    /// The nearest passages of each collection, or that the search failed.
    pub(super) async fn nearest(
        &self,
        app: &App,
        searcher: &Searcher,
        budget: &mut YieldBudget<'_>,
    ) -> ApiResult<Result<Vec<FoundPassage>, Degradation>> {
        if app.vectors.external().is_none() || self.has_few_chosen() {
            let (nearness, documents) = (self.nearness(), self.documents());
            let (mut tx, mut passages) = (app.db.read(&searcher.scope).await?, Vec::new());
            for slice in self.slices() {
                budget.yield_to_visitors().await;
                passages.extend(search::nearest(&mut tx, searcher.tenant, &slice, documents, nearness).await?);
            }
            return Ok(Ok(passages));
        }
        let ranked = match self.ranked_outside(app, searcher).await {
            Ok(ranked) => ranked,
            Err(error) => {
                tracing::warn!(%error, "vectors.unavailable");
                return Ok(Err(Degradation { code: DegradationCode::VectorsUnavailable, chatbots: Vec::new() }));
            }
        };
        let mut tx = app.db.read(&searcher.scope).await?;
        Ok(Ok(search::ranked(&mut tx, searcher.tenant, &ranked, self.documents()).await?))
    }

    /// Comparing all vectors takes time proportional to the passages, while an index takes the same time for small and
    /// large collections.
    fn nearness(&self) -> Nearness {
        let all = self.planned.iter().map(|of| of.passages).sum();
        let passages = self.chosen.as_ref().map_or(all, |chosen| chosen.passages);
        let collections = i64::try_from(self.planned.len()).unwrap_or(i64::MAX);
        if passages <= MAX_EXACT.min(MAX_EXACT_PER_COLLECTION.saturating_mul(collections)) {
            Nearness::Exact
        } else {
            Nearness::Indexed { collections: self.planned.len() }
        }
    }

    /// Whether filters choose so few documents that the database compares all their vectors. An external store does not
    /// know documents: those chosen may be absent from the nearest passages of their collection.
    fn has_few_chosen(&self) -> bool {
        self.chosen.is_some() && self.nearness() == Nearness::Exact
    }

    fn documents(&self) -> Option<&[Uuid]> {
        self.chosen.as_ref().map(|chosen| chosen.documents.as_slice())
    }

    /// The rankings of an external vector store.
    async fn ranked_outside(
        &self,
        app: &App,
        searcher: &Searcher,
    ) -> Result<Vec<(SearchedCollection<'_>, Vec<Uuid>)>, VectorError> {
        let searched: Vec<_> = self.planned.iter().filter_map(|of| self.searched(of)).collect();
        let searches: Vec<NearestSearch<'_>> = self
            .planned
            .iter()
            .zip(&searched)
            .map(|(of, searched)| {
                let collection = Collection { tenant: searcher.tenant, chatbot: of.chatbot };
                let space = VectorSpace { collection, model: &of.model, is_own: of.kind == VectorKind::Own };
                NearestSearch { space, vector: searched.vector }
            })
            .collect();
        // Both versions of a document may have points while it is being replaced.
        let rankings = app.vectors.nearest_of_each(&searches, PER_COLLECTION * 2).await?;
        let ids = rankings.into_iter().map(|nearest| match nearest {
            Nearest::Ranked(ranking) => ranking.into_iter().map(|(id, _)| id).collect(),
            Nearest::SearchDatabase(_) => Vec::new(),
        });
        Ok(searched.into_iter().zip(ids).collect())
    }

    /// The passages of each collection with most of the query's words.
    pub(super) async fn matching(
        &self,
        app: &App,
        searcher: &Searcher,
        budget: &mut YieldBudget<'_>,
    ) -> ApiResult<Vec<FoundPassage>> {
        let (mut tx, mut passages) = (app.db.read(&searcher.system).await?, Vec::new());
        for slice in self.slices() {
            budget.yield_to_visitors().await;
            passages.extend(search::matching(&mut tx, searcher.tenant, &slice, self.documents()).await?);
        }
        Ok(passages)
    }

    /// Groups of collections with about [`PASSAGES_PER_STATEMENT`] passages each.
    fn slices(&self) -> Vec<Vec<SearchedCollection<'_>>> {
        let (mut slices, mut passages) = (Vec::new(), PASSAGES_PER_STATEMENT);
        for of in &self.planned {
            if passages >= PASSAGES_PER_STATEMENT {
                slices.push(Vec::new());
                passages = 0;
            }
            if let Some(slice) = slices.last_mut() {
                slice.extend(self.searched(of));
                passages += of.passages;
            }
        }
        slices
    }

    fn searched(&self, of: &Planned) -> Option<SearchedCollection<'_>> {
        let vector = self.vectors.get(&of.model)?;
        let words = self.words.get(&of.language).and_then(|looked_up| looked_up.words.as_ref());
        Some(SearchedCollection { chatbot: of.chatbot, kind: of.kind, vector, words })
    }
}

/// The model that a chatbot's collection is searched with: that of its second vectors for a query in another language.
fn plan(app: &App, q: &str, chatbot: SearchedChatbot) -> Option<Planned> {
    let SearchedChatbot { id, language, embedding_model, second_embedding_model, passages } = chatbot;
    let own = embedding_model?;
    let second = second_embedding_model.filter(|second| *second != own && app.embedders.find(second).is_some());
    let is_other = || Language::compare(q, &language) == QuestionLanguage::Other;
    let (model, kind) = match second.filter(|_| is_other()) {
        Some(second) => (second, VectorKind::Second),
        None => (own, VectorKind::Own),
    };
    Some(Planned { chatbot: ChatbotId(id), language, model, kind, passages })
}

/// The query as a vector of each available model, and how long that took. Visitors' questions go first.
async fn embed(app: &App, q: &str, planned: &[Planned]) -> (HashMap<String, Vec<f32>>, Duration) {
    let started = Instant::now();
    let models: HashSet<&str> = planned.iter().map(|of| of.model.as_str()).collect();
    let mut vectors = HashMap::new();
    for model in models {
        let Some(embedder) = app.embedders.find(model) else { continue };
        match rag::with_low_priority(embedder.embed(vec![q.to_owned()], Purpose::Query)).await {
            Ok(embedded) => vectors.extend(embedded.into_iter().next().map(|vector| (model.to_owned(), vector))),
            Err(error) => tracing::warn!(%error, model, "embedding.failed"),
        }
    }
    (vectors, started.elapsed())
}

/// The query's words in each language of the collections, and how long that took.
async fn look_up(
    app: &App,
    searcher: &Searcher,
    q: &str,
    planned: &[Planned],
) -> ApiResult<(BTreeMap<String, LookedUp>, Duration)> {
    let started = Instant::now();
    let mut languages: BTreeMap<&str, Vec<(ChatbotId, i64)>> = BTreeMap::new();
    for of in planned {
        languages.entry(&of.language).or_default().push((of.chatbot, of.passages));
    }
    let mut looked_up = BTreeMap::new();
    let mut tx = app.db.read(&searcher.system).await?;
    for (language, collections) in languages {
        let forms: Vec<WordForm> =
            query_words::forms(q, language, |word| Language::is_function_word_of(language, word))
                .into_iter()
                .map(|form| WordForm {
                    text: form.text,
                    word: i32::try_from(form.word).unwrap_or(i32::MAX),
                    weight: form.weight,
                })
                .collect();
        let words = words::look_up(&mut tx, searcher.tenant, &collections, (&forms, language)).await?;
        looked_up.insert(language.to_owned(), words);
    }
    Ok((looked_up, started.elapsed()))
}
