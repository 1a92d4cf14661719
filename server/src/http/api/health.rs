//! Liveness and readiness.

use axum::{Json, Router, extract::State, response::IntoResponse, routing::get};
use contract::{
    Endpoint,
    health::{GetLiveness, GetReadiness, Liveness},
};
use http::StatusCode;

use crate::{
    app_state::App,
    http::{
        endpoint::{Anyone, Call, Register},
        error::ApiResult,
        health,
    },
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    // Readiness answers with the same body as 200 or 503, which an `Endpoint` reply cannot.
    router.endpoint::<GetLiveness, Anyone, _, _, _>(live).route(GetReadiness::PATH, get(ready))
}

async fn live(_: App, _: Call<GetLiveness, Anyone>) -> ApiResult<Liveness> {
    Ok(Liveness { status: "ok".to_owned() })
}

async fn ready(State(app): State<App>) -> impl IntoResponse {
    let readiness = health::probe(&app).await;
    let status = if readiness.status == "ok" { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(readiness))
}
