//! The installation check. It calls the models, so all callers get the same report within a minute, except for the
//! findings about the proxies of their own request.

use std::{sync::Arc, time::Duration};

use axum::Router;
use chrono::{DateTime, Utc};
use contract::{
    ErrorCode,
    system_check::{CheckSystem, ReportLanguage, SystemReport},
};

use crate::{
    doctor::{self, Check, Subject, proxy},
    error::ApiResult,
    http::endpoint::{Call, Register},
    state::{App, shared::Shared},
};

/// How long a report is cached.
const CACHE_TIME: Duration = Duration::from_secs(60);

type Latest = Shared<Arc<(DateTime<Utc>, Vec<Check>)>>;

pub(super) fn register(router: Router<App>) -> Router<App> {
    let latest = Latest::default();
    router.endpoint(move |app, call| check(latest.clone(), app, call))
}

async fn check(latest: Latest, app: App, call: Call<CheckSystem>) -> ApiResult<SystemReport> {
    let subject = Subject::of_app(&app);
    let look = async move {
        let checked_at = Utc::now();
        Arc::new((checked_at, doctor::run(&subject).await))
    };
    let latest_checks = latest.get_within(CACHE_TIME, &app.tasks, look).await.ok_or(ErrorCode::InternalError)?;
    let (checked_at, checks) = &*latest_checks;
    let settings = &app.settings;
    let mut checks = checks.clone();
    checks.push(proxy::request(&call.parts, &settings.trusted_proxies, &settings.base_url));
    checks.push(doctor::admin::not_checked());
    Ok(doctor::report(&checks, *checked_at, call.query.language.unwrap_or(ReportLanguage::English)))
}
