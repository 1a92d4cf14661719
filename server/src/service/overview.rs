//! The overviews on the consoles' start pages.

pub mod platform;

use app::backend::{
    AlertSummary, AlertedTenant, HubUsage, OpenWork, OperatorOverview, TenantOverview, TenantTrends, TopDocument,
    TopQuestion, TrendSums,
};
use chrono::{Days, NaiveDate, Utc};
use contract::{
    ChatbotId, ErrorCode, SessionId,
    chatbots::ChatbotListQuery,
    conversations::{ConversationDay, ConversationFilter},
    id::DocumentId,
    page::PageQuery,
    usage::QuotaState,
};
use store::{
    ReadTx, Scope,
    overview::{
        adoption,
        attention::{self, Alert},
        open_work, trends,
    },
};

use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    service::{answer_models, conversations, usage},
    state::App,
};

const MAX_LATEST_CHANGES: i64 = 5;
/// Maximum templates on the operators' overview.
const MAX_TEMPLATES: i64 = 5;
/// Default and maximum number of days of the trends.
const TREND_DAYS: u16 = 30;
const MAX_TREND_DAYS: u16 = 90;

/// The overview of the operator console.
pub async fn operator(app: &App, caller: &Caller) -> ApiResult<OperatorOverview> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let figures = store::overview::platform(&mut tx).await?;
    let failed_provisioning = summary(attention::failed_provisioning(&mut tx).await?);
    let tenants_without_origins = summary(attention::without_origins(&mut tx).await?);
    let cors_gaps = summary(cors_gaps(app, &mut tx).await?);
    let top_templates = adoption::of_templates(&mut tx, Some(MAX_TEMPLATES)).await?;
    let hub = store::knowledge_hub::usage::of_platform(&mut tx).await?;
    Ok(OperatorOverview {
        tenants: figures.tenants,
        chatbots: figures.chatbots,
        templates: figures.templates,
        failed_provisioning,
        tenants_without_origins,
        cors_gaps,
        unavailable_models: answer_models::unavailable(app),
        top_templates: top_templates.into_iter().map(platform::adoption_to_wire).collect(),
        hub: HubUsage {
            tenants: hub.tenants,
            searching: hub.searching,
            searches: hub.searches,
            without_result: hub.without_result,
            opened: hub.opened,
        },
    })
}

/// Tenants whose own origins may not read responses; empty when the settings allow every tenant's.
async fn cors_gaps(app: &App, tx: &mut ReadTx) -> store::Result<(i64, Vec<Alert>)> {
    let settings = &app.settings;
    if settings.cors_tenant_origins {
        return Ok((0, Vec::new()));
    }
    // The platform's own origin needs no CORS permission.
    let listed = settings.cors_origins.iter().chain([&settings.base_url]);
    let listed: Vec<_> = listed.map(|origin| origin.trim().trim_end_matches('/').to_owned()).collect();
    attention::unlisted_origins(tx, &listed).await
}

/// The overview of the tenant console.
///
/// # Errors
/// `tenant_not_active`.
pub async fn tenant(app: &App, caller: &Caller) -> ApiResult<TenantOverview> {
    let id = caller.tenant()?;
    let mut tx = app.db.read(&Scope::tenant(id)).await?;
    let tenant = store::tenants::find(&mut tx, id).await?.ok_or(ErrorCode::TenantNotActive)?;
    let figures = store::overview::tenant(&mut tx, id).await?;
    let query = ChatbotListQuery { page: latest(), status: None };
    let latest = store::chatbots::list(&mut tx, id, &query).await?;
    let open_work = open_work::of_tenant(&mut tx, id, None).await?;
    let quotas = usage::quotas_in_use(app, &mut tx, id).await?;
    Ok(TenantOverview {
        tenant,
        active_chatbots: figures.active_chatbots,
        deactivated_chatbots: figures.deactivated_chatbots,
        failed_provisioning: figures.failed_provisioning,
        ready_chatbots: figures.ready_chatbots,
        chatbots_with_knowledge: figures.chatbots_with_knowledge,
        newest_active: figures.newest_active.map(ChatbotId),
        allowed_origins: figures.allowed_origins,
        has_branding: figures.has_branding,
        has_widget: figures.has_widget,
        has_question: figures.has_question,
        latest_chatbots: latest.items,
        has_short_quota: quotas.iter().any(|quota| quota.state != QuotaState::Ok),
        open_work: open_work.into_iter().map(open_work_to_wire).collect(),
    })
}

/// Open tasks of one of the tenant's chatbots, or of each.
pub async fn open_work(app: &App, caller: &Caller, chatbot: Option<ChatbotId>) -> ApiResult<Vec<OpenWork>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let work = open_work::of_tenant(&mut tx, caller.tenant()?, chatbot).await?;
    Ok(work.into_iter().map(open_work_to_wire).collect())
}

/// The tenant's conversations over some days, compared with the same number of days before. Days are in UTC.
///
/// # Errors
/// `validation_error` for no day or more than 90.
pub async fn trends(app: &App, caller: &Caller, days: Option<u16>) -> ApiResult<TenantTrends> {
    let Span { before, first, today } = Span::of(days)?;
    let id = caller.tenant()?;
    let mut tx = app.db.read(&caller.scope()?).await?;
    let all = conversations::by_day(&mut tx, id, &ConversationFilter::default(), (before, today)).await?.daily;
    let (earlier, now) = all.split_at(all.iter().position(|day| day.date == first).unwrap_or_default());
    let start = first.and_time(chrono::NaiveTime::MIN).and_utc();
    let questions = trends::questions(&mut tx, id, start).await?;
    let documents = trends::documents(&mut tx, id, start).await?;
    let question = |of: trends::TopQuestion| TopQuestion {
        question: of.question,
        times: of.times,
        answered: of.answered,
        session_id: SessionId(of.session),
    };
    let document = |of: trends::TopDocument| TopDocument {
        chatbot_id: ChatbotId(of.chatbot),
        document_id: DocumentId(of.document),
        title: of.title,
        answers: of.answers,
    };
    Ok(TenantTrends {
        now: sums(now),
        before: sums(earlier),
        days: now.to_vec(),
        days_before: earlier.to_vec(),
        questions: questions.into_iter().map(question).collect(),
        documents: documents.into_iter().map(document).collect(),
    })
}

/// The days of trends and as many before, in UTC.
#[derive(Debug, Clone, Copy)]
struct Span {
    /// The first of the days before.
    before: NaiveDate,
    first: NaiveDate,
    today: NaiveDate,
}

impl Span {
    /// # Errors
    /// `validation_error` for no day or more than 90.
    fn of(days: Option<u16>) -> ApiResult<Self> {
        let days = days.unwrap_or(TREND_DAYS);
        if !(1..=MAX_TREND_DAYS).contains(&days) {
            return Err(ApiError::field(&["query", "days"], "must be 1 to 90", "range"));
        }
        let today = Utc::now().date_naive();
        let back = |days: u16| today.checked_sub_days(Days::new(u64::from(days) - 1)).unwrap_or(today);
        Ok(Self { before: back(days * 2), first: back(days), today })
    }
}

fn sums(days: &[ConversationDay]) -> TrendSums {
    let sum = |of: fn(&ConversationDay) -> i64| days.iter().map(of).sum();
    TrendSums {
        conversations: sum(|day| day.conversations),
        questions: sum(|day| day.answered + day.unanswered),
        answered: sum(|day| day.answered),
    }
}

fn open_work_to_wire(work: open_work::OpenWork) -> OpenWork {
    OpenWork {
        chatbot_id: work.chatbot,
        chatbot_name: work.chatbot_name,
        questions: work.questions,
        ratings: work.ratings,
        websites: work.websites,
        documents: work.documents,
        unread_websites: work.unread_websites,
        has_template_update: work.has_template_update,
    }
}

fn summary((count, first): (i64, Vec<Alert>)) -> AlertSummary {
    let tenant = |alert: Alert| AlertedTenant {
        tenant_id: alert.tenant_id,
        tenant_name: alert.tenant_name,
        chatbot_name: alert.chatbot_name,
    };
    AlertSummary { count, first: first.into_iter().map(tenant).collect() }
}

fn latest() -> PageQuery {
    PageQuery { sort: Some("-created_at".to_owned()), limit: MAX_LATEST_CHANGES, ..PageQuery::default() }
}
