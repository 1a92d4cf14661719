//! Liveness and readiness.

use axum::{Extension, Json, Router, extract::State, response::IntoResponse, routing::get};
use contract::{
    Endpoint,
    health::{GetLiveness, GetReadiness, Liveness},
};
use http::StatusCode;

use crate::{
    error::ApiResult,
    http::{
        endpoint::{Anyone, Call, Register},
        health::Probe,
    },
    shutdown::Draining,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    // Readiness answers with the same body as 200 or 503, which an `Endpoint` reply cannot.
    let probe = Probe::default();
    let ready = async move |State(app): State<App>, draining: Option<Extension<Draining>>| {
        ready(&app, &probe, draining.is_some()).await
    };
    router.endpoint(live).route(GetReadiness::PATH, get(ready))
}

async fn live(_: App, _: Call<GetLiveness, Anyone>) -> ApiResult<Liveness> {
    Ok(Liveness { status: "ok".to_owned() })
}

async fn ready(app: &App, probe: &Probe, is_draining: bool) -> impl IntoResponse + use<> {
    let (readiness, is_ready) = probe.readiness(app, is_draining).await;
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(readiness))
}
