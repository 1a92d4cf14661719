//! Summaries of documents: written by a language model if there is one, otherwise the sentences closest to the centre
//! of the document, in their order. They are created on demand and stay until the document changes.

mod generated;
mod lease;

use std::time::Duration;

use contract::{
    ChatbotId, ErrorCode, TenantId,
    id::DocumentVersionId,
    knowledge_hub::{DocumentSummary, SummaryState},
};
use rag::{
    block,
    embed::{Purpose, cosine},
    generate::language::Language,
    snippet,
};
use store::{
    Exemption, Scope,
    knowledge_hub::summaries::{self, Summarised, VectorPassage},
};

use super::begin_read;
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    service::answer_models,
    state::{
        App,
        summary_queue::{Entry, QueuedSummary},
    },
};

/// Change this when summaries are created in another way.
const METHOD: &str = "extractive-1";
/// Maximum sentences of a summary.
const MAX_SENTENCES: usize = 4;
/// Sentences that are compared, from the passages nearest to the middle.
const MAX_COMPARED: usize = 48;
/// Characters of a sentence that fits into a summary.
const LENGTHS: std::ops::RangeInclusive<usize> = 30..=400;
/// Minimum cosine of two sentences that say the same.
const MIN_COSINE_OF_DUPLICATES: f32 = 0.92;
/// Bytes of text that are used to detect the language of a document.
const LANGUAGE_SAMPLE_BYTES: usize = 20_000;
/// How long a call waits for its summary.
const TIMEOUT: Duration = Duration::from_millis(1500);
/// When to retry after a full queue.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// The summary of a document's newest version; a pending one while it is being created or queued.
///
/// # Errors
/// `module_not_enabled`, `document_not_found`; `service_unavailable` when the embedding model is not available, and `rate_limited` when
/// too many summaries wait.
pub async fn get(app: &App, caller: &Caller, id: DocumentVersionId) -> ApiResult<DocumentSummary> {
    let (mut tx, tenant) = begin_read(app, caller).await?;
    let newest = summaries::newest(&mut tx, tenant, id).await?.ok_or(ErrorCode::DocumentNotFound)?;
    if let Some(summary) = summaries::find(&mut tx, tenant, newest.version).await? {
        return Ok(summary);
    }
    drop(tx);
    let queued = match app.summaries().enter(tenant, newest.version) {
        Entry::New(queued) => queued,
        Entry::Queued => return Ok(pending(newest)),
        Entry::Full => return Err(ApiError::rate_limited(RETRY_AFTER)),
    };
    let work = make_in_turn(app.clone(), tenant, newest.clone(), queued);
    // Continues when the caller is gone.
    match tokio::time::timeout(TIMEOUT, app.tasks.spawn(work)).await {
        Err(_) => Ok(pending(newest)),
        Ok(Err(_)) => Err(ErrorCode::InternalError.into()),
        Ok(Ok(outcome)) => {
            outcome?;
            let (mut tx, tenant) = begin_read(app, caller).await?;
            // A newer version may exist by now, and another replica may be creating its summary.
            Ok(summaries::find(&mut tx, tenant, newest.version).await?.unwrap_or_else(|| pending(newest)))
        }
    }
}

/// Creates a summary in its turn, unless another replica does.
async fn make_in_turn(app: App, tenant: TenantId, newest: Summarised, queued: QueuedSummary) -> ApiResult<()> {
    let Some(_turn) = queued.turn().await.filter(|_| !app.tasks.is_closed()) else { return Ok(()) };
    let outcome = lease::hold(&app, tenant, newest.version, create(&app, tenant, &newest)).await;
    if let Err(error) = &outcome {
        tracing::warn!(%error, "knowledge_summary.failed");
    }
    outcome
}

/// A pending summary. Its language is the chatbot's until the document is read.
fn pending(newest: Summarised) -> DocumentSummary {
    DocumentSummary {
        document_id: DocumentVersionId(newest.version),
        state: SummaryState::Pending,
        summary: None,
        language: newest.language,
        generated_at: None,
        model_version: None,
    }
}

async fn create(app: &App, tenant: TenantId, newest: &Summarised) -> ApiResult<()> {
    let scope = Scope::tenant(tenant);
    let mut tx = app.db.read(&scope).await?;
    if summaries::find(&mut tx, tenant, newest.version).await?.is_some() {
        return Ok(());
    }
    let passages = summaries::passages(&mut tx, tenant, ChatbotId(newest.chatbot), newest.document).await?;
    drop(tx);
    let language = language(newest, &passages);
    let written = rag::with_low_priority(summarise(app, tenant, newest, (&passages, &language))).await?;
    let (summary, made_by) = written;
    let made_by: String = made_by.chars().take(64).collect();
    let mut tx = app.db.write(&scope).await?;
    if summaries::insert(&mut tx, tenant, newest.version, (&summary, &language, &made_by)).await? {
        tx.commit_exempt(Exemption::Summary).await?;
    }
    Ok(())
}

/// The language of the document's words, or else the chatbot's.
fn language(newest: &Summarised, passages: &[VectorPassage]) -> String {
    let mut text = String::new();
    for passage in passages {
        if text.len() >= LANGUAGE_SAMPLE_BYTES {
            break;
        }
        text.push_str(&passage.content);
        text.push('\n');
    }
    let chatbots = &newest.language;
    match Language::of_text(&text) {
        // `de-AT` stays what it is.
        Some(detected) if Language::find(chatbots).is_none_or(|own| own.code != detected.code) => {
            detected.code.to_owned()
        }
        _ => chatbots.clone(),
    }
}

/// The summary, and how it was created. If the language model fails, sentences are quoted.
async fn summarise(
    app: &App,
    tenant: TenantId,
    newest: &Summarised,
    (passages, language): (&[VectorPassage], &str),
) -> ApiResult<(String, String)> {
    let model = newest.embedding_model.as_deref().unwrap_or_default();
    let writer = answer_models::of_summaries(app, tenant).await?;
    if let (Some(writer), Some(embedder)) = (&writer, app.embedders.find(model)) {
        let request = generated::SummaryRequest { app, model: writer, tenant, newest, passages, language };
        if let Some(written) = generated::write(&request, embedder.as_ref()).await? {
            return Ok((written, format!("{}:{}", generated::METHOD, writer.generator.model())));
        }
    }
    Ok((extract(app, model, passages).await?, format!("{METHOD}:{model}")))
}

/// The sentences nearest to the middle of the passages, in their order.
async fn extract(app: &App, model: &str, passages: &[VectorPassage]) -> ApiResult<String> {
    let middle = middle(passages);
    let sentences = sentences(passages, &middle);
    if sentences.is_empty() {
        return Ok(passages.first().map(|passage| snippet::plain(&passage.content)).unwrap_or_default());
    }
    let embedder = app.embedders.find(model).ok_or(ErrorCode::ServiceUnavailable)?;
    let texts: Vec<String> = sentences.iter().map(|(_, text)| text.clone()).collect();
    let vectors = embedder.embed(texts, Purpose::Document).await.map_err(|error| {
        tracing::warn!(%error, "embedding.failed");
        ErrorCode::ServiceUnavailable
    })?;
    Ok(central_sentences(&sentences, &vectors, &middle))
}

/// The mean of the passages' vectors.
fn middle(passages: &[VectorPassage]) -> Vec<f32> {
    let mut sum = vec![0.0; passages.first().map_or(0, |passage| passage.embedding.len())];
    for passage in passages {
        for (sum, value) in sum.iter_mut().zip(&passage.embedding) {
            *sum += value;
        }
    }
    let norm = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    if norm > 0.0 {
        sum.iter_mut().for_each(|value| *value /= norm);
    }
    sum
}

/// Sentences of the passages nearest to the middle, with their places in the document.
fn sentences(passages: &[VectorPassage], middle: &[f32]) -> Vec<((usize, usize), String)> {
    let mut order: Vec<usize> = (0..passages.len()).collect();
    let near = |index: &usize| cosine(&passages[*index].embedding, middle);
    order.sort_by(|left, right| near(right).total_cmp(&near(left)));
    let mut sentences = Vec::new();
    for index in order {
        for (place, paragraph) in passages[index].content.split("\n\n").enumerate() {
            if paragraph.starts_with(['#', '|', '`', '-', '*']) {
                continue;
            }
            let plain = snippet::plain(paragraph);
            let good = block::sentences(&plain)
                .into_iter()
                .filter(|text| LENGTHS.contains(&text.chars().count()) && text.ends_with(['.', '!', '?', '”', '"']));
            sentences.extend(good.enumerate().map(|(part, text)| ((index, place * 1000 + part), text.to_owned())));
        }
        if sentences.len() >= MAX_COMPARED {
            break;
        }
    }
    sentences.truncate(MAX_COMPARED);
    sentences
}

fn central_sentences(sentences: &[((usize, usize), String)], vectors: &[Vec<f32>], middle: &[f32]) -> String {
    let mut order: Vec<usize> = (0..sentences.len().min(vectors.len())).collect();
    let near = |index: &usize| cosine(&vectors[*index], middle);
    order.sort_by(|left, right| near(right).total_cmp(&near(left)));
    let mut taken: Vec<usize> = Vec::new();
    for index in order {
        let repeats = taken.iter().any(|other| cosine(&vectors[*other], &vectors[index]) >= MIN_COSINE_OF_DUPLICATES);
        if !repeats && taken.len() < MAX_SENTENCES {
            taken.push(index);
        }
    }
    taken.sort_by_key(|index| sentences[*index].0);
    taken.iter().map(|index| sentences[*index].1.as_str()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(content: &str, embedding: [f32; 2]) -> VectorPassage {
        VectorPassage { content: content.to_owned(), embedding: embedding.to_vec() }
    }

    #[test]
    fn a_summary_has_central_sentences_once_and_in_their_order() {
        let sentences: Vec<_> = [(2, "Third."), (0, "First."), (1, "Far away."), (3, "First again.")]
            .map(|(place, text)| ((place, 0), text.to_owned()))
            .to_vec();
        let vectors = [vec![0.8, 0.6], vec![1.0, 0.0], vec![-1.0, 0.0], vec![0.999, 0.04]];
        let summary = central_sentences(&sentences, &vectors, &[1.0, 0.0]);
        assert_eq!(summary, "First. Far away. Third.");
    }

    #[test]
    fn headings_tables_and_fragments_are_no_sentences() {
        let passages = [passage(
            "# A heading that is long enough to be one.\n\nThe shop opens at nine in the morning. Yes.\n\n| a | b |",
            [1.0, 0.0],
        )];
        let chosen = sentences(&passages, &middle(&passages));
        assert_eq!(
            chosen.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
            ["The shop opens at nine in the morning."]
        );
    }
}
