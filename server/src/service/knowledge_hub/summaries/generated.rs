//! A language model's summary of the central passages of a document. It shares the queue with the answers of all
//! tenants, contains only sentences that the passages support, and passes the output filter. Its usage is counted with
//! the tenant's answers.

use std::sync::Arc;

use contract::{ChatbotId, TenantId};
use rag::{
    embed::{Embedder, cosine},
    filter::Context,
    generate::{
        language::Language,
        openai::{GenerateError, Usage, WordStream},
        prompt,
        verify::{Ending, Release, Unsupported, Verdict, Verification, VerificationInput},
    },
    retrieve::Candidate,
};
use store::{
    Exemption, Scope,
    knowledge_hub::summaries::{Summarised, VectorPassage},
    usage::Spent,
};
use uuid::Uuid;

use super::middle;
use crate::{
    error::ApiResult,
    metrics,
    service::answers::{add_spending, report_triggers, token_usage},
    state::{App, answer_models::AnswerModel},
};

/// Change this when summaries are created in another way.
pub(super) const METHOD: &str = "generated-2";

/// The document and the model of a summary.
pub(super) struct SummaryRequest<'a> {
    pub(super) app: &'a App,
    pub(super) model: &'a AnswerModel,
    pub(super) tenant: TenantId,
    pub(super) newest: &'a Summarised,
    pub(super) passages: &'a [VectorPassage],
    /// The document's language.
    pub(super) language: &'a str,
}

/// The summary in the document's language; `None` when the model does not support that language, is unavailable, or
/// writes nothing that can be verified.
pub(super) async fn write(request: &SummaryRequest<'_>, sentences: &dyn Embedder) -> ApiResult<Option<String>> {
    let Some(language) = Language::find(request.language) else { return Ok(None) };
    let chosen = prompt_passages(request);
    if chosen.is_empty() {
        return Ok(None);
    }
    let mut usage = None;
    let written = ask(request, language, &chosen, sentences, &mut usage).await;
    if let Some(usage) = usage {
        record_usage(request, usage).await?;
    }
    Ok(match written {
        Ok(text) => text.and_then(|text| filtered(request, &text, &chosen)),
        Err(error) => {
            tracing::error!(%error, "generator.failed");
            metrics::generator_failed();
            None
        }
    })
}

/// The beginning of the document and the passages nearest to its middle, in their order, as far as a prompt has room.
fn prompt_passages(request: &SummaryRequest<'_>) -> Vec<Candidate> {
    let middle = middle(request.passages);
    let mut order: Vec<usize> = (0..request.passages.len()).collect();
    let near = |place: &usize| cosine(&request.passages[*place].embedding, &middle);
    order.sort_by(|left, right| (*left != 0).cmp(&(*right != 0)).then_with(|| near(right).total_cmp(&near(left))));
    let candidate = |place: usize| {
        let VectorPassage { content, .. } = &request.passages[place];
        let unscored = Candidate::new(Uuid::nil(), &request.newest.title, "", content);
        Candidate { cosine: 1.0, words: 1.0, coverage: 1.0, ..unscored }
    };
    order.truncate(prompt::MAX_PASSAGES);
    let all: Vec<Candidate> = order.iter().copied().map(candidate).collect();
    order.truncate(prompt::select(&all, request.app.settings.generation.passage_tokens).len());
    order.sort_unstable();
    order.into_iter().map(candidate).collect()
}

/// The verified text of the model.
async fn ask(
    request: &SummaryRequest<'_>,
    language: &'static Language,
    passages: &[Candidate],
    sentences: &dyn Embedder,
    usage: &mut Option<Usage>,
) -> Result<Option<String>, GenerateError> {
    let queue = request.model.queue();
    let permit =
        queue.acquire(request.tenant, ChatbotId(request.newest.chatbot)).await.map_err(|_| GenerateError::Busy)?;
    let question = language.summary_request();
    let messages = prompt::messages(&prompt::PromptInput {
        language,
        system_prompt: "",
        history: &[],
        history_tokens: 0,
        passages,
        is_whole_base: false,
        question,
    });
    let mut verification = Verification::new(VerificationInput {
        language,
        passages,
        question,
        system_prompt: "",
        names: &request.newest.title,
        unsupported: Unsupported::Strict,
        release: Release::Verified,
        quotes_blocks: false,
        embedder: Some(sentences),
    });
    let mut words = request.model.generator.start(&messages).await?;
    let mut text = String::new();
    let broken = listen(&mut words, &mut verification, &mut text).await.err();
    *usage = Some(words.usage());
    let is_cut = broken.is_some() || words.is_cut();
    drop((words, permit));
    let verdict = verification.finish(if is_cut { Ending::Cut } else { Ending::Whole }).await;
    metrics::verified(verification.counts());
    match (verdict, broken) {
        (Verdict::Answer(cited), _) => {
            text.push_str(&cited.rest);
            Ok(Some(without_markers(&text)))
        }
        (_, Some(error)) => Err(error),
        (_, None) => Ok(None),
    }
}

/// Appends the verified text, until the model ends or nothing useful follows.
async fn listen(
    words: &mut WordStream,
    verification: &mut Verification<'_>,
    text: &mut String,
) -> Result<(), GenerateError> {
    while let Some(part) = words.next().await? {
        text.push_str(&verification.push(&part).await);
        if verification.has_enough() {
            break;
        }
    }
    Ok(())
}

/// The text after the output filter; `None` when it is blocked.
fn filtered(request: &SummaryRequest<'_>, text: &str, passages: &[Candidate]) -> Option<String> {
    let contents = passages.iter().map(|passage| passage.content.clone()).collect();
    let context = Arc::new(Context::new(request.language, "", contents));
    let outcome = request.app.settings.output_filter.check(text, &context);
    report_triggers(ChatbotId(request.newest.chatbot), &outcome.triggers);
    Some(outcome.text.trim().to_owned()).filter(|text| !outcome.blocked && !text.is_empty())
}

/// Counts the tokens that the model used for the chatbot.
async fn record_usage(request: &SummaryRequest<'_>, usage: Usage) -> ApiResult<()> {
    let mut tx = request.app.db.write(&Scope::widget(request.tenant)).await?;
    let taken = token_usage(usage);
    let spent = Spent { tokens: Some(taken), cost_micros: request.model.cost_micros(taken), ..Spent::default() };
    add_spending(&mut tx, request.tenant, ChatbotId(request.newest.chatbot), spent).await?;
    tx.commit_exempt(Exemption::Summary).await?;
    Ok(())
}

/// Removes `[1]` and the like: a summary cites no passages.
fn without_markers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let (before, from) = rest.split_at(start);
        let number = from.find(']').map(|end| &from[1..end]);
        match number.filter(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())) {
            Some(number) => {
                plain.push_str(before.strip_suffix(' ').unwrap_or(before));
                rest = &from[number.len() + 2..];
            }
            None => {
                plain.push_str(before);
                plain.push('[');
                rest = &from[1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::without_markers;

    #[test]
    fn markers_are_removed_and_other_brackets_stay() {
        let plain = without_markers("It is so [1][2]. See [here] and a[0x]. End [3].");
        assert_eq!(plain, "It is so. See [here] and a[0x]. End.");
    }
}
