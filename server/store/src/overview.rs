//! Figures for the consoles' first pages.

use contract::TenantId;
use sqlx::{FromRow, PgConnection};

use crate::error::Result;

/// Figures over the whole platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct PlatformFigures {
    /// Live tenants.
    pub tenants: i64,
    /// Active chatbots of live tenants.
    pub chatbots: i64,
    /// Active templates.
    pub templates: i64,
    /// Questions of the last seven days.
    pub questions_7d: i64,
    /// Questions of the last seven days that the documents could not answer.
    pub unanswered_7d: i64,
    /// Active chatbots whose collection could not be made.
    pub failed_provisioning: i64,
    /// Live tenants without an allowed origin.
    pub tenants_without_origins: i64,
}

/// Figures over the whole platform (operator, vendor).
///
/// # Errors
/// When the database fails.
pub async fn platform(connection: &mut PgConnection) -> Result<PlatformFigures> {
    Ok(sqlx::query_as(
        "with live as (select id from tenants where deleted_at is null),
              bots as (select c.id, c.provisioning from chatbots c join live on live.id = c.tenant_id
                       where c.status = 'active'),
              answers as (select m.answered from chat_messages m
                          where m.role = 'assistant' and m.created_at > now() - interval '7 days')
         select (select count(*) from live) as tenants,
                (select count(*) from bots) as chatbots,
                (select count(*) from chatbot_templates where status = 'active') as templates,
                (select count(*) from answers) as questions_7d,
                (select count(*) from answers where not answered) as unanswered_7d,
                (select count(*) from bots where provisioning = 'failed') as failed_provisioning,
                (select count(*) from live where not exists (
                    select from tenant_branding b
                    where b.tenant_id = live.id and cardinality(b.allowed_origins) > 0)) as tenants_without_origins",
    )
    .fetch_one(connection)
    .await?)
}

/// Figures of one tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct TenantFigures {
    /// Active chatbots.
    pub chatbots: i64,
    /// Documents of active chatbots.
    pub documents: i64,
    /// Passages of those documents.
    pub passages: i64,
    /// Questions of the last seven days.
    pub questions_7d: i64,
    /// Questions of the last seven days that the documents could not answer.
    pub unanswered_7d: i64,
    /// Allowed origins.
    pub origins: i64,
    /// Whether a branding field was ever set.
    pub branded: bool,
}

/// Figures of one tenant.
///
/// # Errors
/// When the database fails.
pub async fn tenant(connection: &mut PgConnection, tenant: TenantId) -> Result<TenantFigures> {
    Ok(sqlx::query_as(
        "with bots as (select id from chatbots where tenant_id = $1 and status = 'active'),
              docs as (select d.passage_count from documents d join bots on bots.id = d.chatbot_id
                       where d.tenant_id = $1),
              answers as (select m.answered from chat_messages m
                          where m.tenant_id = $1 and m.role = 'assistant'
                            and m.created_at > now() - interval '7 days')
         select (select count(*) from bots) as chatbots,
                (select count(*) from docs) as documents,
                (select coalesce(sum(passage_count), 0)::bigint from docs) as passages,
                (select count(*) from answers) as questions_7d,
                (select count(*) from answers where not answered) as unanswered_7d,
                coalesce((select cardinality(allowed_origins)::bigint from tenant_branding where tenant_id = $1), 0)
                    as origins,
                coalesce((select jsonb_strip_nulls(fields) <> '{}' from tenant_branding where tenant_id = $1), false)
                    as branded",
    )
    .bind(tenant.0)
    .fetch_one(connection)
    .await?)
}
