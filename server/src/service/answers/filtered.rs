//! Answers after the output filter: text and sources that may be shown and stored.

use std::sync::Arc;

use chrono::NaiveDate;
use contract::{
    ChatbotId, MessageId,
    conversations::AnsweredBy,
    generated_by::GeneratedBy,
    id::PassageId,
    widget::{Citation, ClosestPassage, Confidence, ReplyKind, SmallTalk, WidgetReply, WidgetSource},
};
use rag::{
    filter::{Context, FilterOutcome, OutputFilter, Stream, Trigger},
    generate::openai::Usage,
    retrieve::Candidate,
    snippet,
    source_title::source_title,
};
use store::widget::lookup::WidgetChatbot;

use super::session::Session;
use crate::metrics;

/// An answer that may be shown and stored, with the filter's findings.
#[derive(Default)]
pub(super) struct Answer {
    /// The words; empty when there is no answer.
    pub(super) text: String,
    /// The passages that it is based on; empty when it was blocked.
    pub(super) sources: Vec<WidgetSource>,
    /// The citations of markers in the text.
    pub(super) citations: Vec<Citation>,
    /// What is closest to the question, if the answer is not sure.
    pub(super) closest: Vec<ClosestPassage>,
    /// The confidence: the documents have an answer when it is high.
    pub(super) confidence: Confidence,
    /// How it was created; `None` for a fallback message.
    pub(super) answered_by: Option<AnsweredBy>,
    /// The language model whose words it is.
    pub(super) model: Option<String>,
    /// The version of the prompt that the language model was asked with; `None` when it was not.
    pub(super) prompt_version: Option<&'static str>,
    /// Whether the language model's words broke off.
    pub(super) truncated: bool,
    /// The topic of a reply to small talk.
    pub(super) small_talk: Option<SmallTalk>,
    /// Whether the question was beyond the tenant's quota.
    pub(super) over_quota: bool,
    /// The day that the question was counted for in the tenant's quota before it was answered.
    pub(super) counted_on: Option<NaiveDate>,
    /// The language model's token usage; `None` when it was not called.
    pub(super) usage: Option<Usage>,
    /// Whether the filter changed the words.
    pub(super) filtered: bool,
    /// The filter's findings.
    pub(super) triggers: Vec<Trigger>,
    /// The words before the filter; empty when nothing was found.
    pub(super) draft: String,
}

impl Answer {
    pub(super) fn kind(&self) -> ReplyKind {
        match (self.small_talk, self.confidence) {
            (Some(_), _) => ReplyKind::SmallTalk,
            (None, Confidence::None) => ReplyKind::Fallback,
            (None, _) => ReplyKind::Answer,
        }
    }

    /// Whose words it is; `None` for the tenant's own.
    pub(super) fn generated_by(&self) -> Option<GeneratedBy> {
        self.answered_by.map(|answered_by| GeneratedBy::new(answered_by, self.model.clone()))
    }

    /// The contact page, if the reply offers one.
    fn contact_url(&self, chatbot: &WidgetChatbot) -> Option<String> {
        let is_offered = self.kind() == ReplyKind::Fallback || self.small_talk == Some(SmallTalk::Human);
        chatbot.config.branding.fields.contact_url.clone().filter(|_| is_offered)
    }

    /// The reply to the visitor.
    pub(super) fn into_reply(self, chatbot: &WidgetChatbot, session: &Session, message_id: MessageId) -> WidgetReply {
        WidgetReply {
            session_id: session.id,
            session_token: session.token.clone(),
            message_id,
            kind: self.kind(),
            contact_url: self.contact_url(chatbot),
            generated_by: self.generated_by(),
            answer: self.text,
            sources: self.sources,
            citations: self.citations,
            closest: self.closest,
            filtered: self.filtered,
            confidence: self.confidence,
            truncated: self.truncated,
        }
    }
}

/// The rules as they apply to one answer.
pub(super) struct Screen {
    rules: Arc<OutputFilter>,
    context: Arc<Context>,
    language: String,
    question: String,
}

impl Screen {
    /// Creates the filter for an answer to `question` based on `texts`.
    pub(super) fn new(rules: &Arc<OutputFilter>, chatbot: &WidgetChatbot, question: &str, texts: Vec<String>) -> Self {
        let context = Arc::new(Context::new(&chatbot.config.language, &chatbot.system_prompt, texts));
        let language = chatbot.config.language.clone();
        Self { rules: Arc::clone(rules), context, language, question: question.to_owned() }
    }

    /// Filters the text of the answer while it is streamed.
    pub(super) fn stream(&self) -> Stream {
        self.rules.stream(&self.context)
    }

    /// The whole answer, with the citations whose markers remain after filtering.
    pub(super) fn answer(
        &self,
        outcome: FilterOutcome,
        sources: &[Candidate],
        citations: Vec<rag::citation::Citation>,
    ) -> Answer {
        let FilterOutcome { text, blocked, changed, triggers, raw, .. } = outcome;
        let sources = if blocked { &[] } else { sources };
        let is_kept = |citation: &rag::citation::Citation| !blocked && text.contains(&citation.marker);
        let citations = citations.into_iter().filter(is_kept);
        let citations =
            citations.map(|citation| Citation { marker: citation.marker, source_index: citation.source_index });
        Answer {
            citations: citations.collect(),
            sources: sources.iter().map(|source| self.source(source, Some(&text))).collect(),
            text,
            confidence: Confidence::High,
            filtered: changed,
            triggers,
            draft: raw,
            ..Answer::default()
        }
    }

    pub(super) fn sources(&self, sources: &[Candidate]) -> Vec<WidgetSource> {
        sources.iter().map(|source| self.source(source, None)).collect()
    }

    /// Masks each text by itself, because the API shows it apart from the answer.
    pub(super) fn closest(&self, closest: Vec<(String, usize)>) -> Vec<ClosestPassage> {
        let masked = |(text, source_index): (String, usize)| ClosestPassage {
            text: self.rules.redact(&text, &self.context),
            source_index,
        };
        closest.into_iter().map(masked).collect()
    }

    /// Masks the whole passage before an extract is cut, so that no cut hides a match; and again without its markup,
    /// which may have split one. The extract has the words that the answer `said` quotes.
    fn source(&self, candidate: &Candidate, answer: Option<&str>) -> WidgetSource {
        let title = source_title(candidate, &self.language);
        let content = self.rules.redact(&candidate.content, &self.context);
        let plain = self.rules.redact(&snippet::plain(&content), &self.context);
        let quoted = answer.and_then(|answer| snippet::quoted_sentence(&plain, answer));
        let about = quoted.as_deref().unwrap_or(&self.question);
        WidgetSource {
            source_title: self.rules.redact(&title, &self.context),
            heading: self.rules.redact(&candidate.heading, &self.context),
            content_snippet: snippet::cut(plain, &self.question, quoted.as_deref()),
            // An address with a match is not shown.
            url: candidate
                .url
                .clone()
                .filter(|url| self.rules.redact(url, &self.context) == *url)
                .map(|url| snippet::with_text_fragment(&url, &content, about)),
            score: f64::from(candidate.cosine.clamp(0.0, 1.0)),
            passage_id: Some(PassageId(candidate.id)),
            as_of: candidate.as_of,
        }
    }
}

/// Counts and logs what the filter found.
pub(in crate::service) fn report(chatbot: ChatbotId, triggers: &[Trigger]) {
    for trigger in triggers {
        metrics::output_filter_triggered(trigger.category, trigger.action, trigger.monitor_only);
        tracing::info!(
            chatbot_id = %chatbot,
            rule = trigger.rule,
            category = trigger.category.as_str(),
            monitor_only = trigger.monitor_only,
            "output_filter.triggered"
        );
    }
}
