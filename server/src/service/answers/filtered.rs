//! What may be shown and stored of an answer: its words after the output filter, its sources masked.

use std::sync::Arc;

use contract::{
    MessageId, SessionId,
    conversations::AnsweredBy,
    widget::{Citation, Confidence, WidgetReply, WidgetSource},
};
use rag::{
    filter::{Context, Outcome, OutputFilter, Stream, Trigger},
    retrieve::Candidate,
    snippet,
};
use store::widget::lookup::WidgetChatbot;
use uuid::Uuid;

use crate::metrics;

/// An answer that may be shown and stored, with what the filter found in its draft.
#[derive(Default)]
pub(super) struct Answer {
    /// The words; empty when there is no answer.
    pub(super) text: String,
    /// The passages it rests on; none when it was blocked.
    pub(super) sources: Vec<WidgetSource>,
    /// The markers that stand in the words.
    pub(super) citations: Vec<Citation>,
    /// How sure the answer is: it is the documents' when it is high.
    pub(super) confidence: Confidence,
    /// How it was made; none of a fallback message.
    pub(super) answered_by: Option<AnsweredBy>,
    /// The version of the prompt that a language model answered to.
    pub(super) prompt_version: Option<&'static str>,
    /// Whether the language model's words broke off.
    pub(super) truncated: bool,
    /// Whether the filter changed the words.
    pub(super) filtered: bool,
    /// What the filter found.
    pub(super) triggers: Vec<Trigger>,
    /// The words before the filter; empty when nothing was found.
    pub(super) draft: String,
}

impl Answer {
    /// The reply to the visitor.
    pub(super) fn into_reply(self, session_id: SessionId, message_id: MessageId) -> WidgetReply {
        let Self { text, sources, citations, filtered, confidence, truncated, .. } = self;
        WidgetReply { session_id, message_id, answer: text, sources, citations, filtered, confidence, truncated }
    }
}

/// The rules as they apply to one answer.
pub(super) struct Screen {
    rules: Arc<OutputFilter>,
    context: Arc<Context>,
    question: String,
}

impl Screen {
    /// The rules for an answer to `question` that is made from `passages`.
    pub(super) fn new(
        rules: &Arc<OutputFilter>,
        chatbot: &WidgetChatbot,
        question: &str,
        passages: &[Candidate<Uuid>],
    ) -> Self {
        let contents = passages.iter().map(|passage| passage.content.clone()).collect();
        let context = Arc::new(Context::new(&chatbot.config.language, &chatbot.system_prompt, contents));
        Self { rules: Arc::clone(rules), context, question: question.to_owned() }
    }

    /// Filters the words of the answer as they come.
    pub(super) fn stream(&self) -> Stream {
        self.rules.stream(&self.context)
    }

    /// The whole answer, with those citations whose markers the filter left.
    pub(super) fn answer(
        &self,
        outcome: Outcome,
        sources: &[Candidate<Uuid>],
        citations: Vec<rag::citation::Citation>,
    ) -> Answer {
        let Outcome { text, blocked, changed, triggers, raw, .. } = outcome;
        let sources = if blocked { &[] } else { sources };
        let is_kept = |known: &rag::citation::Citation| !blocked && text.contains(&known.marker);
        let citations = citations.into_iter().filter(is_kept);
        let citations = citations.map(|known| Citation { marker: known.marker, source_index: known.source_index });
        Answer {
            citations: citations.collect(),
            sources: self.sources(sources),
            text,
            confidence: Confidence::High,
            filtered: changed,
            triggers,
            draft: raw,
            ..Answer::default()
        }
    }

    /// Sources as they are shown.
    pub(super) fn sources(&self, found: &[Candidate<Uuid>]) -> Vec<WidgetSource> {
        found.iter().map(|found| self.source(found)).collect()
    }

    /// The whole passage is masked before a part of it is cut out, so that no cut hides a match; and again without its
    /// markup, which may have parted one.
    fn source(&self, found: &Candidate<Uuid>) -> WidgetSource {
        let title = match found.heading.as_str() {
            "" => found.title.clone(),
            heading => format!("{} › {heading}", found.title),
        };
        let content = self.rules.redact(&found.content, &self.context);
        let plain = self.rules.redact(&snippet::plain(&content), &self.context);
        WidgetSource {
            source_title: self.rules.redact(&title, &self.context),
            heading: self.rules.redact(&found.heading, &self.context),
            content_snippet: snippet::cut(plain, &self.question),
            score: f64::from(found.cosine.clamp(0.0, 1.0)),
        }
    }
}

/// Counts and logs what the filter found.
pub(super) fn report(chatbot: &WidgetChatbot, triggers: &[Trigger]) {
    for trigger in triggers {
        metrics::output_filter_triggered(trigger.category, trigger.action, trigger.monitor_only);
        tracing::info!(
            chatbot_id = %chatbot.config.chatbot_id,
            rule = trigger.rule,
            category = trigger.category.as_str(),
            monitor_only = trigger.monitor_only,
            "output_filter.triggered"
        );
    }
}
