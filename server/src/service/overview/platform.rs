//! Overviews of the whole platform for operators and vendors: growth, active tenants, health, and the usage of
//! templates. Numbers and names, never visitors' texts.

use app::backend::{PlatformDay, PlatformHealth, PlatformSums, PlatformTrends, TemplateAdoption, TenantActivity};
use chrono::{Days, NaiveDate};
use contract::health::ReadinessChecks;
use store::{
    Scope,
    overview::{
        DayFigures,
        activity::{self, Periods, Sums},
        adoption::{self, Adoption},
        jobs,
    },
};

use super::Span;
use crate::{caller::Caller, error::ApiResult, service::answer_models, state::App};

/// Trends over some days, compared with the same number of days before. Days are in UTC.
///
/// # Errors
/// `validation_error` for no day or more than 90.
pub async fn trends(app: &App, caller: &Caller, days: Option<u16>) -> ApiResult<PlatformTrends> {
    let Span { before, first, today } = Span::of(days)?;
    let end = today.checked_add_days(Days::new(1)).unwrap_or(NaiveDate::MAX);
    let mut tx = app.db.read(&caller.scope()?).await?;
    let all = store::overview::days(&mut tx, before, today).await?;
    let now = activity::sums(&mut tx, first, end).await?;
    let earlier = activity::sums(&mut tx, before, first).await?;
    let most_active = activity::most_active(&mut tx, Periods { before, first, end }).await?;
    let tenants_without_questions = activity::without_questions(&mut tx, first).await?;
    let start = first.to_string();
    let (days_before, days) = all.into_iter().map(day).partition(|day| day.day < start);
    Ok(PlatformTrends {
        days,
        days_before,
        now: sums(now),
        before: sums(earlier),
        most_active: most_active.into_iter().map(active).collect(),
        tenants_without_questions,
    })
}

/// The health of the platform's components; `checks` are those of the readiness check.
///
/// # Errors
/// `service_unavailable` when the database is down.
pub async fn health(app: &App, checks: ReadinessChecks) -> ApiResult<PlatformHealth> {
    // No other role counts the jobs of all tenants.
    let mut tx = app.db.read(&Scope::system()).await?;
    let jobs = jobs::troubles(&mut tx).await?;
    Ok(PlatformHealth {
        checks,
        language_models: i64::try_from(app.answer_models().len()).unwrap_or(i64::MAX),
        unavailable_models: answer_models::unavailable(app),
        failed_jobs: jobs.failed,
        waiting_jobs: jobs.waiting,
    })
}

/// How many chatbots use each template, and how many of them have an older version of it.
///
/// # Errors
/// `service_unavailable` when the database is down.
pub async fn adoption(app: &App, caller: &Caller) -> ApiResult<Vec<TemplateAdoption>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let templates = adoption::of_templates(&mut tx, None).await?;
    Ok(templates.into_iter().map(adoption_to_wire).collect())
}

pub(super) fn adoption_to_wire(of: Adoption) -> TemplateAdoption {
    TemplateAdoption { template_id: of.template, name: of.name, chatbots: of.chatbots, behind: of.behind }
}

fn day(day: DayFigures) -> PlatformDay {
    PlatformDay { day: day.day, questions: day.questions, filter_events: day.filter_events }
}

fn sums(of: Sums) -> PlatformSums {
    PlatformSums {
        questions: of.questions,
        conversations: of.conversations,
        new_tenants: of.new_tenants,
        new_chatbots: of.new_chatbots,
    }
}

fn active(of: activity::TenantActivity) -> TenantActivity {
    TenantActivity { tenant_id: of.tenant_id, tenant_name: of.tenant_name, questions: of.questions, before: of.before }
}
