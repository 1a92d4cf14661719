//! What the output filter caught: one row per trigger.

use contract::{ChatbotId, SessionId, TenantId};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Result;

/// Where in an answer's making the filter struck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterLayer {
    /// While the answer was streamed.
    Inline,
    /// After the whole answer was there.
    PostStream,
}

impl FilterLayer {
    /// The layer as it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Inline => "inline",
            Self::PostStream => "post_stream",
        }
    }
}

/// A trigger of the output filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    /// The chatbot's tenant.
    pub tenant_id: TenantId,
    /// The chatbot that answered.
    pub chatbot_id: ChatbotId,
    /// The visitor's session; `None` when it was not stored.
    pub session_id: Option<SessionId>,
    /// What the visitor asked.
    pub user_question: String,
    /// The rule that matched.
    pub matched_pattern: String,
    /// The rule's category, for example `prompt_injection` or `pii`.
    pub category: String,
    /// Where the filter struck.
    pub filter_layer: FilterLayer,
    /// The answer's language when it is known.
    pub language: Option<String>,
    /// The part of the answer that matched.
    pub excerpt: String,
    /// The whole answer as the model gave it.
    pub full_output: String,
}

/// Stores a trigger under a new id, at this moment. The scope is the widget's.
///
/// # Errors
/// Constraint `output_filter_audit_chatbot_fkey` when the chatbot is not the tenant's; [`crate::Error::Text`] when a
/// text has NUL characters.
pub async fn insert(connection: &mut PgConnection, trigger: &Trigger) -> Result<()> {
    sqlx::query(
        "insert into output_filter_audit (id, tenant_id, chatbot_id, session_id, user_question, matched_pattern,
                                          category, filter_layer, language, excerpt, full_output)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(Uuid::now_v7())
    .bind(trigger.tenant_id.0)
    .bind(trigger.chatbot_id.0)
    .bind(trigger.session_id.map(|id| id.0))
    .bind(&trigger.user_question)
    .bind(&trigger.matched_pattern)
    .bind(&trigger.category)
    .bind(trigger.filter_layer.as_str())
    .bind(&trigger.language)
    .bind(&trigger.excerpt)
    .bind(&trigger.full_output)
    .execute(connection)
    .await?;
    Ok(())
}
