//! The prepared answers that a chatbot still has to take from its template.

use contract::{ChatbotId, TenantId, templates::FaqEntry};
use serde::{Deserialize, Serialize};
use sqlx::types::Json;

use crate::{connection::PgConnection, documents::SourceKind, error::Result};

/// A template's prepared answers: what the chatbot has of them, and what it is to have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateAnswers {
    /// What the template said when the chatbot took it.
    pub before: Vec<FaqEntry>,
    /// What the template says now.
    pub now: Vec<FaqEntry>,
}

/// What a chatbot still has to take, if anything.
pub async fn find(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
) -> Result<Option<TemplateAnswers>> {
    let stored: Option<Option<Json<TemplateAnswers>>> =
        sqlx::query_scalar("select template_answers from chatbots where tenant_id = $1 and id = $2")
            .bind(tenant.0)
            .bind(chatbot.0)
            .fetch_optional(connection)
            .await?;
    Ok(stored.flatten().map(|answers| answers.0))
}

/// Notes what a chatbot has to take, or that it has taken all.
pub async fn set(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    answers: Option<&TemplateAnswers>,
) -> Result<()> {
    sqlx::query("update chatbots set template_answers = $3 where tenant_id = $1 and id = $2")
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(answers.map(Json))
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes the source in which earlier versions kept a template's answers, once it has no documents; whether there was one.
pub async fn remove_former_source(connection: &mut PgConnection, tenant: TenantId, chatbot: ChatbotId) -> Result<bool> {
    let deleted = sqlx::query("delete from chatbot_sources where tenant_id = $1 and chatbot_id = $2 and kind = $3")
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(SourceKind::FaqSeed.as_str())
        .execute(connection)
        .await?;
    Ok(deleted.rows_affected() > 0)
}
