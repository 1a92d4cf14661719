//! The output-filter audit: one row per trigger.

pub mod events;

use contract::{ChatbotId, SessionId, TenantId, Timestamp};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::Result,
    export::{CopyQuery, literal},
};

/// When the filter was applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterLayer {
    /// While the answer was streamed.
    Inline,
    /// After the whole answer was complete.
    PostStream,
}

impl FilterLayer {
    /// Its stored name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Inline => "inline",
            Self::PostStream => "post_stream",
        }
    }
}

/// An answer that a rule of the output filter matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    pub tenant_id: TenantId,
    /// The chatbot that answered.
    pub chatbot_id: ChatbotId,
    /// The visitor's session; `None` when it was not stored.
    pub session_id: Option<SessionId>,
    pub user_question: String,
    pub matched_pattern: String,
    /// The rule's category, for example `prompt_injection` or `pii`.
    pub category: String,
    /// The layer that matched.
    pub filter_layer: FilterLayer,
    /// The answer's language when it is known.
    pub language: Option<String>,
    /// The part of the answer that matched.
    pub excerpt: String,
    /// The whole unfiltered answer of the model.
    pub full_output: String,
}

/// Stores a trigger with a new id and the current time (widget scope).
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

/// Adds to today's matches of a watch-only rule (widget scope). A transaction that counts several rules does
/// so in their order, so that two transactions never deadlock.
///
/// # Errors
/// Constraint `output_filter_watched_chatbot_fkey` when the chatbot is not the tenant's.
pub async fn count_watched(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    (rule, category): (&str, &str),
    matches: i64,
) -> Result<()> {
    sqlx::query(
        "insert into output_filter_watched as w (tenant_id, chatbot_id, day, rule, category, matches)
         values ($1, $2, (now() at time zone 'UTC')::date, $3, $4, $5)
         on conflict on constraint output_filter_watched_pkey do update set matches = w.matches + excluded.matches",
    )
    .bind(tenant.0)
    .bind(chatbot.0)
    .bind(rule)
    .bind(category)
    .bind(matches)
    .execute(connection)
    .await?;
    Ok(())
}

/// The filter of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    /// One tenant; every tenant that is not soft-deleted when `None`.
    pub tenant: Option<TenantId>,
    /// Inclusive lower bound of `created_at`.
    pub from: Option<Timestamp>,
    /// Inclusive upper bound of `created_at`.
    pub to: Option<Timestamp>,
    /// Whether the last column is included.
    pub with_full_output: bool,
    pub max_rows: i64,
}

/// The selected triggers, oldest first, with the columns in the order of the specification.
pub fn copy_query(selection: &Selection) -> CopyQuery {
    let full_output = if selection.with_full_output { ", full_output" } else { "" };
    let tenant = match selection.tenant {
        Some(tenant) => format!("tenant_id = {}", literal::id(tenant.0)),
        // `not in` uses a hash table while the rows come in the index's order; a join would sort them.
        None => "tenant_id not in (select id from tenants where deleted_at is not null)".to_owned(),
    };
    let from = selection.from.map(|from| format!(" and created_at >= {}", literal::moment(from))).unwrap_or_default();
    let to = selection.to.map(|to| format!(" and created_at <= {}", literal::moment(to))).unwrap_or_default();
    CopyQuery(format!(
        "select id, tenant_id, chatbot_id, session_id, user_question, matched_pattern, category, filter_layer, \
                language, created_at, excerpt{full_output} \
         from output_filter_audit where {tenant}{from}{to} order by created_at, id limit {}",
        selection.max_rows
    ))
}
