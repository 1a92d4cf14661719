//! The consoles' backend: what their server functions answer.

use app::backend::{
    Affected, AffectedTenant, BackendFuture, ConsoleBackend, OperatorOverview, PlatformDay, TenantOverview,
};
use contract::{Access, ChatbotId, ErrorCode, chatbots::ChatbotListQuery, page::PageQuery};
use store::{
    ReadTx, Scope,
    overview::attention::{self, Concern},
};

use crate::{
    app_state::App,
    http::{error::ApiResult, guard, rate_limit::Client},
};

const LATEST: i64 = 5;

/// The server as the server functions see it.
#[derive(Debug, Clone)]
pub struct Backend {
    app: App,
    client: Client,
}

impl Backend {
    /// The backend of this server for one client.
    pub fn new(app: App, client: Client) -> Self {
        Self { app, client }
    }

    async fn operator(&self, bearer: Option<&str>) -> ApiResult<OperatorOverview> {
        let caller = guard::authorise_token(&self.app, Access::OperatorOrVendor, bearer, &self.client).await?;
        let mut tx = self.app.db.read(&caller.scope()?).await?;
        let figures = store::overview::platform(&mut tx).await?;
        let failed_provisioning = affected(attention::failed_provisioning(&mut tx).await?);
        let tenants_without_origins = affected(attention::without_origins(&mut tx).await?);
        let cors_gaps = affected(self.cors_gaps(&mut tx).await?);
        let latest = store::tenants::list(&mut tx, &latest()).await?;
        tx.end().await?;
        Ok(OperatorOverview {
            tenants: figures.tenants,
            chatbots: figures.chatbots,
            templates: figures.templates,
            conversations: figures.conversations,
            failed_provisioning,
            tenants_without_origins,
            cors_gaps,
            latest_tenants: latest.items,
        })
    }

    /// Tenants whose own origins may not read answers: nobody's when the settings let each tenant's in.
    async fn cors_gaps(&self, tx: &mut ReadTx) -> store::Result<(i64, Vec<Concern>)> {
        let settings = &self.app.settings;
        if settings.cors_tenant_origins {
            return Ok((0, Vec::new()));
        }
        // Pages of the platform's own origin need no leave.
        let listed = settings.cors_origins.iter().chain([&settings.base_url]);
        let listed: Vec<_> = listed.map(|origin| origin.trim().trim_end_matches('/').to_owned()).collect();
        attention::unlisted_origins(tx, &listed).await
    }

    async fn days(&self, bearer: Option<&str>) -> ApiResult<Vec<PlatformDay>> {
        let caller = guard::authorise_token(&self.app, Access::OperatorOrVendor, bearer, &self.client).await?;
        let mut tx = self.app.db.read(&caller.scope()?).await?;
        let days = store::overview::days(&mut tx).await?;
        tx.end().await?;
        let day = |day: store::overview::DayFigures| PlatformDay {
            day: day.day,
            questions: day.questions,
            filter_events: day.filter_events,
        };
        Ok(days.into_iter().map(day).collect())
    }

    async fn tenant(&self, bearer: Option<&str>) -> ApiResult<TenantOverview> {
        let caller = guard::authorise_token(&self.app, Access::Tenant, bearer, &self.client).await?;
        let id = caller.tenant()?;
        let mut tx = self.app.db.read(&Scope::tenant(id)).await?;
        let tenant = store::tenants::find(&mut tx, id).await?.ok_or(ErrorCode::TenantNotActive)?;
        let figures = store::overview::tenant(&mut tx, id).await?;
        let query = ChatbotListQuery { page: latest(), status: None };
        let latest = store::chatbots::list(&mut tx, id, &query).await?;
        tx.end().await?;
        Ok(TenantOverview {
            tenant,
            active_chatbots: figures.active_chatbots,
            deactivated_chatbots: figures.deactivated_chatbots,
            failed_provisioning: figures.failed_provisioning,
            ready_chatbots: figures.ready_chatbots,
            newest_active: figures.newest_active.map(ChatbotId),
            conversations: figures.conversations,
            questions: figures.questions,
            allowed_origins: figures.allowed_origins,
            has_branding: figures.has_branding,
            has_widget: figures.has_widget,
            has_question: figures.has_question,
            latest_chatbots: latest.items,
        })
    }
}

fn affected((count, first): (i64, Vec<Concern>)) -> Affected {
    let tenant = |concern: Concern| AffectedTenant {
        tenant_id: concern.tenant_id,
        tenant_name: concern.tenant_name,
        chatbot_name: concern.chatbot_name,
    };
    Affected { count, first: first.into_iter().map(tenant).collect() }
}

fn latest() -> PageQuery {
    PageQuery { sort: Some("-created_at".to_owned()), limit: LATEST, ..PageQuery::default() }
}

impl ConsoleBackend for Backend {
    fn operator_overview<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, OperatorOverview> {
        Box::pin(async move { self.operator(bearer).await.map_err(crate::http::error::ApiError::into_body) })
    }

    fn platform_days<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, Vec<PlatformDay>> {
        Box::pin(async move { self.days(bearer).await.map_err(crate::http::error::ApiError::into_body) })
    }

    fn tenant_overview<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, TenantOverview> {
        Box::pin(async move { self.tenant(bearer).await.map_err(crate::http::error::ApiError::into_body) })
    }
}
