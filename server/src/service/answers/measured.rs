//! Answers for an evaluation: the same that a visitor would get, with their sources. Nothing is stored.

use std::sync::Arc;

use contract::{
    conversations::AnsweredBy,
    widget::{Citation, Confidence, MessageRole},
};
use rag::generate::openai::{Generator, Usage};
use store::widget::lookup::WidgetChatbot;

use super::{
    events,
    exchange::{self, Exchange},
    message,
    session::Session,
    stream::{AnswerStream, ComposedAnswer},
};
use crate::{
    config::Prices,
    error::ApiResult,
    state::{
        App,
        answer_models::{AnswerModel, ModelEndpoint},
        cached_bases::CachedBases,
    },
};

/// An earlier message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The author.
    pub role: MessageRole,
    /// The text.
    pub content: String,
}

/// An answer with its sources.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The words that a visitor sees.
    pub text: String,
    /// How sure the answer is.
    pub confidence: Confidence,
    /// How it was created; `None` for a fallback message.
    pub answered_by: Option<AnsweredBy>,
    /// The whole passages that it is based on, with their titles and the text around them that was read, in the order
    /// that `citations` refer to.
    pub sources: Vec<String>,
    /// The citations of markers in the text.
    pub citations: Vec<Citation>,
    /// The language model's token usage; `None` when it was not called.
    pub usage: Option<Usage>,
    /// Whether the language model refused.
    pub is_refused: bool,
}

/// Answers a question after `turns` with this language model, or by quotation without one.
///
/// # Errors
/// `generator_unavailable`; `service_unavailable` when the database or the vector store is down.
pub async fn measure(
    app: &App,
    chatbot: &WidgetChatbot,
    turns: &[Turn],
    question: &str,
    generator: Option<&Generator>,
) -> ApiResult<Measured> {
    let exchange = Exchange {
        app: app.clone(),
        chatbot: chatbot.clone(),
        session: Session::new(),
        messages: turns.iter().map(|turn| exchange::transient_message(turn.role, turn.content.clone())).collect(),
        question: question.trim().to_owned(),
        model: generator.cloned().map(|generator| {
            let endpoint = ModelEndpoint::default_of(generator, Prices::default(), None);
            Arc::new(AnswerModel::with(endpoint, app.settings.answers, CachedBases::all()))
        }),
        is_visitors: false,
        page_url: None,
        evidence_shift: 0.0,
        permit: None,
    };
    // The parts are ignored: only the whole answer counts.
    let (sender, _unread) = events::channel();
    let mut stream = AnswerStream::new(&app.settings.output_filter, chatbot, &exchange.question, &sender);
    let composed = message::respond(&exchange, &mut stream).await?;
    let sources = match &composed {
        ComposedAnswer::Answer { sources, .. } | ComposedAnswer::Unsure { sources, .. } => sources
            .iter()
            .map(|source| format!("{} {}\n{}", source.title, source.heading, stream.text_of(source)))
            .collect(),
        ComposedAnswer::Fallback(_) | ComposedAnswer::OverQuota(_) | ComposedAnswer::SmallTalk { .. } => Vec::new(),
    };
    let is_refused = stream.is_refused();
    let answer = stream.finish(composed);
    Ok(Measured {
        text: answer.text,
        confidence: answer.confidence,
        answered_by: answer.answered_by,
        sources,
        citations: answer.citations,
        usage: answer.usage,
        is_refused,
    })
}
