//! Chatbot templates.

use axum::Router;
use contract::{
    Page,
    templates::{
        CloneTemplateInto, CreateTemplate, DeactivateTemplate, DeleteTemplate, GetTemplate, ListTemplates,
        ListTenantTemplates, ReactivateTemplate, Template, UpdateTemplate,
    },
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register, Reply},
    service::templates,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint(list)
        .endpoint(create)
        .endpoint(get)
        .endpoint(update)
        .endpoint(delete)
        .endpoint(deactivate)
        .endpoint(reactivate)
        .endpoint(clone_into)
        .endpoint(list_for_tenant)
}

async fn list(app: App, call: Call<ListTemplates>) -> ApiResult<Page<Template>> {
    templates::list(&app, &call.caller, &call.query).await
}

async fn create(app: App, call: Call<CreateTemplate>) -> ApiResult<Reply<Template>> {
    let template = templates::create(&app, &call.caller, &call.body).await?;
    Ok(created(template))
}

fn created(template: Template) -> Reply<Template> {
    let location = format!("/api/v1/operator/templates/{}", template.id);
    Reply::created(template, location)
}

async fn get(app: App, call: Call<GetTemplate>) -> ApiResult<Template> {
    templates::get(&app, &call.caller, &call.path).await
}

async fn update(app: App, call: Call<UpdateTemplate>) -> ApiResult<Template> {
    templates::update(&app, &call.caller, &call.path, &call.if_match(), call.body).await
}

async fn delete(app: App, call: Call<DeleteTemplate>) -> ApiResult<()> {
    templates::deactivate(&app, &call.caller, &call.path).await.map(drop)
}

async fn deactivate(app: App, call: Call<DeactivateTemplate>) -> ApiResult<Template> {
    templates::deactivate(&app, &call.caller, &call.path).await
}

async fn reactivate(app: App, call: Call<ReactivateTemplate>) -> ApiResult<Template> {
    templates::reactivate(&app, &call.caller, &call.path).await
}

async fn clone_into(app: App, call: Call<CloneTemplateInto>) -> ApiResult<Reply<Template>> {
    let template = templates::clone_into(&app, &call.caller, &call.path, &call.body.target_language).await?;
    Ok(created(template))
}

async fn list_for_tenant(app: App, call: Call<ListTenantTemplates>) -> ApiResult<Page<Template>> {
    templates::list_offered(&app, &call.caller, call.query).await
}
