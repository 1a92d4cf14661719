//! What the consoles' server functions answer: the caller is checked here, and a service does the rest.

use app::backend::{
    BackendFuture, ConsoleBackend, DocumentPage, DocumentPageQuery, OpenWork, OperatorOverview, PlatformDay,
    TenantOverview, TenantTrends,
};
use contract::{Access, ChatbotId, ErrorBody};

use crate::{
    admission::rate_limit::Client,
    caller::Caller,
    error::ApiError,
    http::guard,
    service::{knowledge::document_page, overview},
    state::App,
};

/// The server as the server functions of one client see it.
#[derive(Debug, Clone)]
pub(super) struct Backend {
    app: App,
    client: Client,
}

impl Backend {
    pub(super) fn new(app: App, client: Client) -> Self {
        Self { app, client }
    }

    async fn caller(&self, access: Access, bearer: Option<&str>) -> Result<Caller, ErrorBody> {
        let caller = guard::authorise_token(&self.app, access, bearer, &self.client).await;
        caller.map_err(ApiError::into_body)
    }
}

impl ConsoleBackend for Backend {
    fn operator_overview<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, OperatorOverview> {
        Box::pin(async move {
            let caller = self.caller(Access::OperatorOrVendor, bearer).await?;
            overview::operator(&self.app, &caller).await.map_err(ApiError::into_body)
        })
    }

    fn platform_days<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, Vec<PlatformDay>> {
        Box::pin(async move {
            let caller = self.caller(Access::OperatorOrVendor, bearer).await?;
            overview::days(&self.app, &caller).await.map_err(ApiError::into_body)
        })
    }

    fn tenant_overview<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, TenantOverview> {
        Box::pin(async move {
            let caller = self.caller(Access::Tenant, bearer).await?;
            overview::tenant(&self.app, &caller).await.map_err(ApiError::into_body)
        })
    }

    fn tenant_trends<'a>(&'a self, bearer: Option<&'a str>, days: Option<u16>) -> BackendFuture<'a, TenantTrends> {
        Box::pin(async move {
            let caller = self.caller(Access::Tenant, bearer).await?;
            overview::trends(&self.app, &caller, days).await.map_err(ApiError::into_body)
        })
    }

    fn open_work<'a>(
        &'a self,
        bearer: Option<&'a str>,
        chatbot: Option<ChatbotId>,
    ) -> BackendFuture<'a, Vec<OpenWork>> {
        Box::pin(async move {
            let caller = self.caller(Access::Tenant, bearer).await?;
            overview::open_work(&self.app, &caller, chatbot).await.map_err(ApiError::into_body)
        })
    }

    fn document_page<'a>(
        &'a self,
        bearer: Option<&'a str>,
        query: DocumentPageQuery,
    ) -> BackendFuture<'a, Option<DocumentPage>> {
        Box::pin(async move {
            let caller = self.caller(Access::Tenant, bearer).await?;
            document_page::get(&self.app, &caller, &query).await.map_err(ApiError::into_body)
        })
    }
}
