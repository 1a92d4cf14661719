//! Chatbot templates.

use axum::Router;
use contract::{
    Page,
    templates::{CreateTemplate, GetTemplate, ListTemplates, ListTenantTemplates, Template, TemplateStatus},
};

use crate::{
    app_state::App,
    http::{
        endpoint::{Call, Register, Reply},
        error::ApiResult,
    },
    service::templates,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint::<ListTemplates, _, _, _, _>(list)
        .endpoint::<CreateTemplate, _, _, _, _>(create)
        .endpoint::<GetTemplate, _, _, _, _>(get)
        .endpoint::<ListTenantTemplates, _, _, _, _>(list_for_tenant)
}

async fn list(app: App, call: Call<ListTemplates>) -> ApiResult<Page<Template>> {
    templates::list(&app, &call.caller, &call.query).await
}

async fn create(app: App, call: Call<CreateTemplate>) -> ApiResult<Reply<Template>> {
    let template = templates::create(&app, &call.caller, &call.body).await?;
    let location = format!("/api/v1/operator/templates/{}", template.id);
    Ok(Reply::created(template, location))
}

async fn get(app: App, call: Call<GetTemplate>) -> ApiResult<Template> {
    templates::get(&app, &call.caller, &call.path).await
}

async fn list_for_tenant(app: App, mut call: Call<ListTenantTemplates>) -> ApiResult<Page<Template>> {
    // What can be chosen is the same for every caller; row security hides the rest from tenants.
    call.query.status = Some(TemplateStatus::Active);
    templates::list(&app, &call.caller, &call.query).await
}
