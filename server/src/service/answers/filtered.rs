//! From a draft to an answer that may be shown: the output filter on its words and on its sources.

use std::sync::Arc;

use contract::{
    MessageId, SessionId,
    widget::{Citation, WidgetReply, WidgetSource},
};
use rag::{
    filter::{Context, Outcome, OutputFilter, Trigger},
    retrieve::Candidate,
    snippet,
};
use store::widgets::WidgetChatbot;
use uuid::Uuid;

use super::compose::Draft;
use crate::{app_state::App, http::metrics};

/// An answer that may be shown and stored, with what the filter found in its draft.
pub(super) struct Answer {
    /// The words.
    pub(super) text: String,
    /// The passages it rests on; none when it was blocked.
    pub(super) sources: Vec<WidgetSource>,
    /// The markers that stand in the words.
    pub(super) citations: Vec<Citation>,
    /// Whether the documents had an answer.
    pub(super) answered: bool,
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
        let Self { text, sources, citations, filtered, .. } = self;
        WidgetReply { session_id, message_id, answer: text, sources, citations, filtered }
    }
}

/// Filters a draft and counts what was found. The tenant's own fallback message is no model's answer and stays as it is.
pub(super) fn filter(app: &App, chatbot: &WidgetChatbot, draft: Draft, question: &str) -> Answer {
    let (text, sources, citations) = match draft {
        Draft::Fallback(text) => return fallback(text),
        Draft::Answer { text, sources, citations } => (text, sources, citations),
    };
    let rules = &app.settings.output_filter;
    let passages = sources.iter().map(|source| source.content.clone()).collect();
    let context = Arc::new(Context::new(&chatbot.config.language, &chatbot.system_prompt, passages));
    let outcome = rules.check(&text, &context);
    report(chatbot, &outcome.triggers);
    let Outcome { text, blocked, changed: filtered, triggers, raw: draft, .. } = outcome;
    let (sources, citations) = if blocked { (Vec::new(), Vec::new()) } else { (sources, citations) };
    let citations = citations.into_iter().filter(|citation| text.contains(&citation.marker));
    let citations = citations.map(|known| Citation { marker: known.marker, source_index: known.source_index });
    Answer {
        citations: citations.collect(),
        sources: sources.iter().map(|found| source(rules, &context, found, question)).collect(),
        text,
        answered: true,
        filtered,
        triggers,
        draft,
    }
}

fn fallback(text: String) -> Answer {
    let (sources, citations, triggers) = (Vec::new(), Vec::new(), Vec::new());
    Answer { text, sources, citations, answered: false, filtered: false, triggers, draft: String::new() }
}

/// A source as it is shown. The whole passage is masked before a part of it is cut out, so that no cut hides a match.
fn source(rules: &Arc<OutputFilter>, context: &Arc<Context>, found: &Candidate<Uuid>, question: &str) -> WidgetSource {
    let title = match found.heading.as_str() {
        "" => found.title.clone(),
        heading => format!("{} › {heading}", found.title),
    };
    WidgetSource {
        source_title: rules.redact(&title, context),
        content_snippet: snippet::snippet(&rules.redact(&found.content, context), question),
        score: f64::from(found.cosine.clamp(0.0, 1.0)),
    }
}

fn report(chatbot: &WidgetChatbot, triggers: &[Trigger]) {
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
