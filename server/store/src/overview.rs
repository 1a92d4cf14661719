//! Figures for the consoles' start pages.

pub mod activity;
pub mod adoption;
pub mod attention;
pub mod jobs;
pub mod open_work;
pub mod trends;

use chrono::NaiveDate;
use contract::TenantId;
use sqlx::FromRow;
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// Figures over the whole platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct PlatformFigures {
    /// Live tenants.
    pub tenants: i64,
    /// Active chatbots of live tenants.
    pub chatbots: i64,
    /// Active templates.
    pub templates: i64,
}

/// Figures over the whole platform (operator, vendor).
pub async fn platform(connection: &mut PgConnection) -> Result<PlatformFigures> {
    Ok(sqlx::query_as(
        "with live as (select id from tenants where deleted_at is null),
              bots as (select from chatbots c join live on live.id = c.tenant_id
                       where c.status = 'active')
         select (select count(*) from live) as tenants,
                (select count(*) from bots) as chatbots,
                (select count(*) from chatbot_templates where status = 'active') as templates",
    )
    .fetch_one(connection)
    .await?)
}

/// The events on the platform on one day.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct DayFigures {
    /// The day in UTC, `YYYY-MM-DD`.
    pub day: String,
    /// Questions of visitors, without small talk and those over the quota.
    pub questions: i64,
    /// Triggers of the output filter.
    pub filter_events: i64,
}

/// The platform's days from `first` to `last` in UTC, oldest first (operator, vendor).
pub async fn days(connection: &mut PgConnection, first: NaiveDate, last: NaiveDate) -> Result<Vec<DayFigures>> {
    Ok(sqlx::query_as(
        "with asked as (select day, sum(questions)::bigint as rows from usage_days where day >= $1::date group by day),
              caught as (select (created_at at time zone 'UTC')::date as day, count(*) as rows from output_filter_audit
                         where created_at >= ($1::date::timestamp at time zone 'UTC')
                         group by 1)
         select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(asked.rows, 0) as questions,
                coalesce(caught.rows, 0) as filter_events
         from (select $1::date + generate_series(0, $2::date - $1::date) as day) days
         left join asked on asked.day = days.day
         left join caught on caught.day = days.day
         order by days.day",
    )
    .bind(first)
    .bind(last)
    .fetch_all(connection)
    .await?)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct TenantFigures {
    /// Chatbots that answer.
    pub active_chatbots: i64,
    /// Chatbots that were deactivated.
    pub deactivated_chatbots: i64,
    /// Active chatbots whose collection could not be created.
    pub failed_provisioning: i64,
    /// Active chatbots whose collection exists.
    pub ready_chatbots: i64,
    /// Active chatbots with a readable document or with an own answer; prepared answers of a template do not count.
    pub chatbots_with_knowledge: i64,
    /// The most recently created active chatbot.
    pub newest_active: Option<Uuid>,
    pub allowed_origins: i64,
    /// Whether the branding was ever edited.
    pub has_branding: bool,
    /// Whether a widget on an allowed website sent a request, or a visitor asked a question.
    pub has_widget: bool,
    /// Whether a visitor's question is stored.
    pub has_question: bool,
}

pub async fn tenant(connection: &mut PgConnection, tenant: TenantId) -> Result<TenantFigures> {
    Ok(sqlx::query_as(
        "with bots as (select id, status, provisioning, created_at from chatbots where tenant_id = $1),
              asked as (select exists (select from chat_sessions where tenant_id = $1) as ever)
         select (select count(*) from bots where status = 'active') as active_chatbots,
                (select count(*) from bots where status = 'deactivated') as deactivated_chatbots,
                (select count(*) from bots where status = 'active' and provisioning = 'failed') as failed_provisioning,
                (select count(*) from bots where status = 'active' and provisioning = 'ready') as ready_chatbots,
                (select count(*) from bots
                 where status = 'active'
                   and exists (select from documents d
                               join chatbot_sources s on s.tenant_id = d.tenant_id and s.id = d.source_id
                               where d.tenant_id = $1 and d.chatbot_id = bots.id and d.passage_count > 0
                                 and s.kind <> 'faq_seed'
                                 and not exists (select from chatbot_faq f
                                                 where f.tenant_id = d.tenant_id and f.chatbot_id = d.chatbot_id
                                                   and f.id::text = d.path and f.template_question is not null)))
                    as chatbots_with_knowledge,
                (select id from bots where status = 'active' order by created_at desc, id desc limit 1)
                    as newest_active,
                coalesce((select cardinality(allowed_origins)::bigint from tenant_branding where tenant_id = $1), 0)
                    as allowed_origins,
                exists (select from tenant_branding where tenant_id = $1) as has_branding,
                (select ever from asked)
                    or exists (select from widget_origins where tenant_id = $1 and outcome = 'accepted') as has_widget,
                (select ever from asked) as has_question",
    )
    .bind(tenant.0)
    .fetch_one(connection)
    .await?)
}
