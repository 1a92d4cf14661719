//! Looks up the chatbot of a public widget call before its tenant is known.

use contract::{
    ChatbotId, SessionId, TenantId,
    branding::BrandingFields,
    chatbots::SmallTalkReplies,
    usage::Quotas,
    widget::{WidgetBranding, WidgetConfig},
};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

use crate::{db::Db, error::Result, scope::Scope};

/// An active chatbot of a live tenant with what its widget needs.
#[derive(Debug, Clone)]
pub struct WidgetChatbot {
    /// The tenant, derived from the chatbot.
    pub tenant_id: TenantId,
    /// The origins that may embed the widget.
    pub allowed_origins: Vec<String>,
    /// The tenant's quotas, where they differ from the platform's defaults.
    pub quotas: Quotas,
    /// Whether the page of a question is stored.
    pub records_page_urls: bool,
    /// The language model of the chatbot.
    pub answer_model: Option<String>,
    /// The default language model of the tenant's chatbots.
    pub tenant_answer_model: Option<String>,
    /// Further language models that the tenant's chatbots may use.
    pub tenant_answer_models: Vec<String>,
    /// The answer when its documents have none.
    pub fallback_message: String,
    /// Its replies to small talk.
    pub small_talk: SmallTalkReplies,
    /// Its instructions, which it must not reveal.
    pub system_prompt: String,
    /// The embedding model of its vectors.
    pub embedding_model: Option<String>,
    /// Whether its passages are getting vectors of another model.
    pub is_reindexing: bool,
    /// The model of the vectors for questions in other languages; `None` when its tenant does not want that.
    pub second_embedding_model: Option<String>,
    /// The widget's configuration with resolved branding.
    pub config: WidgetConfig,
}

#[derive(FromRow)]
struct WidgetRow {
    id: Uuid,
    tenant_id: Uuid,
    name: String,
    language: String,
    welcome_message: String,
    suggested_questions: Vec<String>,
    fallback_message: String,
    small_talk: Json<SmallTalkReplies>,
    system_prompt: String,
    embedding_model: Option<String>,
    is_reindexing: bool,
    second_embedding_model: Option<String>,
    allowed_origins: Option<Vec<String>>,
    quotas: Json<Quotas>,
    record_page_urls: Option<bool>,
    answer_model: Option<String>,
    tenant_answer_model: Option<String>,
    tenant_answer_models: Vec<String>,
    custom_css: Option<String>,
    tenant_fields: Option<Json<BrandingFields>>,
    chatbot_fields: Option<Json<BrandingFields>>,
}

/// Finds an active chatbot of a live tenant with its branding, in one round trip (system scope).
pub async fn find(db: &Db, id: ChatbotId) -> Result<Option<WidgetChatbot>> {
    select_one(db, id.0, &format!("c.id = '{id}'")).await
}

/// Finds the active chatbot of a live tenant by a session, in one round trip (system scope).
pub async fn find_by_session(db: &Db, session: SessionId) -> Result<Option<WidgetChatbot>> {
    select_one(db, session.0, &format!("c.id = (select s.chatbot_id from chat_sessions s where s.id = '{session}')"))
        .await
}

/// `named` is the id that the call names.
async fn select_one(db: &Db, id: Uuid, condition: &str) -> Result<Option<WidgetChatbot>> {
    let rows = db
        .read_at_once(
            &Scope::looking_up(id),
            &format!(
                "select c.id, c.tenant_id, c.name, c.language, c.welcome_message, c.suggested_questions,
                        c.fallback_message, c.small_talk, c.system_prompt, c.embedding_model,
                        c.next_embedding_model is not null as is_reindexing,
                        case when c.cross_language then c.second_embedding_model end as second_embedding_model,
                        t.quotas, c.answer_model, t.answer_model as tenant_answer_model,
                        t.answer_models as tenant_answer_models, tb.allowed_origins, tb.record_page_urls, tb.custom_css,
                        tb.fields as tenant_fields, cb.fields as chatbot_fields
                 from chatbots c
                 join tenants t on t.id = c.tenant_id and t.deleted_at is null
                 left join tenant_branding tb on tb.tenant_id = c.tenant_id
                 left join chatbot_branding cb on cb.tenant_id = c.tenant_id and cb.chatbot_id = c.id
                 where {condition} and c.status = 'active'"
            ),
        )
        .await?;
    let row = rows.first().map(WidgetRow::from_row).transpose()?;
    Ok(row.map(WidgetChatbot::from))
}

impl From<WidgetRow> for WidgetChatbot {
    fn from(row: WidgetRow) -> Self {
        let of_chatbot = row.chatbot_fields.map(|fields| fields.0).unwrap_or_default();
        let of_tenant = row.tenant_fields.map(|fields| fields.0).unwrap_or_default();
        Self {
            tenant_id: TenantId(row.tenant_id),
            allowed_origins: row.allowed_origins.unwrap_or_default(),
            quotas: row.quotas.0,
            records_page_urls: row.record_page_urls.unwrap_or_default(),
            answer_model: row.answer_model,
            tenant_answer_model: row.tenant_answer_model,
            tenant_answer_models: row.tenant_answer_models,
            fallback_message: row.fallback_message,
            small_talk: row.small_talk.0,
            system_prompt: row.system_prompt,
            embedding_model: row.embedding_model,
            is_reindexing: row.is_reindexing,
            second_embedding_model: row.second_embedding_model,
            config: WidgetConfig {
                chatbot_id: ChatbotId(row.id),
                name: row.name,
                language: row.language,
                welcome_message: row.welcome_message,
                suggested_questions: row.suggested_questions,
                branding: WidgetBranding { fields: of_chatbot.or(of_tenant), custom_css: row.custom_css },
            },
        }
    }
}
