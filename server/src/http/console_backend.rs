//! Implements the consoles' server functions: authorises the caller and calls a service.

use app::backend::{
    BackendFuture, ConsoleBackend, DocumentPage, DocumentPageQuery, OpenWork, OperatorOverview, PlatformHealth,
    PlatformTrends, TemplateAdoption, TenantOverview, TenantTrends,
};
use contract::{Access, ChatbotId, ErrorBody};

use crate::{
    admission::rate_limit::Client,
    caller::Caller,
    error::ApiError,
    http::{guard, health::Probe},
    sandbox::Ocr,
    service::{knowledge::document_page, overview},
    state::App,
};

/// The server as the server functions of one client see it.
#[derive(Debug, Clone)]
pub(super) struct Backend {
    app: App,
    client: Client,
    probe: Probe,
}

impl Backend {
    pub(super) fn new(app: App, client: Client, probe: Probe) -> Self {
        Self { app, client, probe }
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

    fn platform_trends<'a>(&'a self, bearer: Option<&'a str>, days: Option<u16>) -> BackendFuture<'a, PlatformTrends> {
        Box::pin(async move {
            let caller = self.caller(Access::OperatorOrVendor, bearer).await?;
            overview::platform::trends(&self.app, &caller, days).await.map_err(ApiError::into_body)
        })
    }

    fn platform_health<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, PlatformHealth> {
        Box::pin(async move {
            self.caller(Access::OperatorOrVendor, bearer).await?;
            let checks = self.probe.checks(&self.app).await;
            overview::platform::health(&self.app, checks).await.map_err(ApiError::into_body)
        })
    }

    fn template_adoption<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, Vec<TemplateAdoption>> {
        Box::pin(async move {
            let caller = self.caller(Access::OperatorOrVendor, bearer).await?;
            overview::platform::adoption(&self.app, &caller).await.map_err(ApiError::into_body)
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

    fn text_recognition<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, bool> {
        Box::pin(async move {
            self.caller(Access::Tenant, bearer).await?;
            Ok(matches!(self.app.settings.sandbox.ocr().await, Ocr::Ready { .. }))
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
