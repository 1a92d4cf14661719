//! A visitor's question with its context.

use std::sync::Arc;

use chrono::Utc;
use contract::{
    MessageId,
    widget::{MessageRole, WidgetMessage},
};
use store::widget::lookup::WidgetChatbot;
use uuid::Uuid;

use super::session::Session;
use crate::{
    admission::answer_queue::AnswerPermit,
    state::{App, answer_models::AnswerModel},
};

/// A question of a visitor.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub(super) app: App,
    pub(super) chatbot: WidgetChatbot,
    pub(super) session: Session,
    /// The earlier messages, oldest first.
    pub(super) messages: Vec<WidgetMessage>,
    pub(super) question: String,
    /// The page of the question, if the tenant stores it.
    pub(super) page_url: Option<String>,
    /// The language model that answers; without one the answer is quoted.
    pub(super) model: Option<Arc<AnswerModel>>,
    /// Whether a visitor asks: only such questions count for the tenant's quota.
    pub(super) is_visitors: bool,
    /// Added to the evidence that something answers the question: more makes the chatbot less strict.
    pub(super) evidence_shift: f32,
    /// Held while the answer is made; evaluations need none.
    pub(super) permit: Option<Arc<AnswerPermit>>,
}

impl Exchange {
    /// Runs what the permit is held for.
    pub(super) async fn within_permit<F: Future>(&self, work: F) -> F::Output {
        match &self.permit {
            Some(permit) => permit.run(work).await,
            None => work.await,
        }
    }

    /// The tenant's quota of visitors' questions per month; `None` is unlimited.
    pub(super) fn questions_per_month(&self) -> Option<i64> {
        let quotas = self.chatbot.quotas.or(&self.app.settings.quotas);
        quotas.questions_per_month.filter(|_| self.is_visitors)
    }

    /// The tenant's quota of language model tokens per month; `None` is unlimited.
    pub(super) fn tokens_per_month(&self) -> Option<i64> {
        self.chatbot.quotas.or(&self.app.settings.quotas).tokens_per_month
    }
}

/// A message of a conversation that is not stored.
pub(super) fn transient_message(role: MessageRole, content: String) -> WidgetMessage {
    WidgetMessage {
        message_id: MessageId(Uuid::now_v7()),
        role,
        content,
        sources: Vec::new(),
        citations: Vec::new(),
        filtered: false,
        generated_by: None,
        created_at: Utc::now(),
        contact_url: None,
        rating: None,
    }
}
