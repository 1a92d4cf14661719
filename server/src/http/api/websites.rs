//! Websites of a chatbot, and the hosts that operators allow tenants to read.

use axum::Router;
use contract::{
    Page,
    websites::{AllowHost, AllowedHost, DisallowHost, ListAllowedHosts, ListWebsitePages, WebsitePage},
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register, Reply},
    service::knowledge::websites,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router.endpoint(pages).endpoint(allowed_hosts).endpoint(allow_host).endpoint(disallow_host)
}

async fn pages(app: App, call: Call<ListWebsitePages>) -> ApiResult<Page<WebsitePage>> {
    websites::pages(&app, &call.caller, call.path, &call.query).await
}

async fn allowed_hosts(app: App, call: Call<ListAllowedHosts>) -> ApiResult<Page<AllowedHost>> {
    websites::allowed_hosts(&app, &call.caller, call.path, &call.query).await
}

async fn allow_host(app: App, call: Call<AllowHost>) -> ApiResult<Reply<AllowedHost>> {
    let allowed = websites::allow_host(&app, &call.caller, call.path, &call.body).await?;
    let location = format!("/api/v1/platform/tenants/{}/allowed-hosts/{}", call.path, allowed.host);
    Ok(Reply::created(allowed, location))
}

async fn disallow_host(app: App, call: Call<DisallowHost>) -> ApiResult<()> {
    websites::disallow_host(&app, &call.caller, call.path).await
}
