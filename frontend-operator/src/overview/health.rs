//! The health of the platform's components, from what the server knows without an installation check.

use app::{
    api,
    backend::PlatformHealth,
    format,
    i18n::{Localized, Text},
    resource::{Loaded, Resource},
    server_fns::operator::fetch_platform_health,
    session::Session,
    ui::{Badge, ButtonKind, ButtonLink, Card, Skeleton, Tone},
};
use leptos::prelude::*;

use crate::{
    paths,
    texts::{overview as texts, system_check},
};

/// The card of the platform's health.
#[component]
pub(super) fn Health() -> impl IntoView {
    let health = Resource::new(|| api::function(fetch_platform_health));
    // Vendors may not run the check.
    let check = Session::get().is_operator().then_some(paths::SYSTEM_CHECK);
    let actions = move || {
        check.map(|href| {
            view! { <ButtonLink href kind=ButtonKind::Ghost small=true>{system_check::TITLE.t()}</ButtonLink> }
        })
    };
    view! {
        <Card title=texts::HEALTH actions>
            <Loaded resource=health skeleton=|| view! { <Skeleton lines=5 /> } let:health>
                <ul class="ui-list">{parts(health)}</ul>
            </Loaded>
        </Card>
    }
}

/// A component and its problems.
struct Part {
    name: Text,
    tone: Tone,
    state: Text,
    details: Vec<Localized>,
}

impl Part {
    /// A component that is up or down.
    fn of(name: Text, state: &str) -> Self {
        let (tone, state) =
            if is_ok(state) { (Tone::Success, system_check::OK) } else { (Tone::Danger, texts::UNAVAILABLE) };
        Self { name, tone, state, details: Vec::new() }
    }

    /// A component of which only problems are known.
    fn with_details(name: Text, details: Vec<Localized>) -> Self {
        let (tone, state) =
            if details.is_empty() { (Tone::Success, system_check::OK) } else { (Tone::Warning, system_check::WARNING) };
        Self { name, tone, state, details }
    }
}

/// Whether a readiness check succeeded.
fn is_ok(state: &str) -> bool {
    state == "ok"
}

fn parts(health: PlatformHealth) -> Vec<impl IntoView> {
    let PlatformHealth { checks, language_models, unavailable_models, failed_jobs, waiting_jobs } = health;
    let mut parts = vec![
        Part::of(system_check::DATABASE, &checks.database),
        Part::of(system_check::IDENTITY, &checks.identity_provider),
    ];
    if let Some(state) = &checks.vector_store {
        parts.push(Part::of(texts::VECTOR_STORE, state));
    }
    // Shown only when it is a problem.
    if let Some(state) = checks.upload_space.as_ref().filter(|state| !is_ok(state)) {
        parts.push(Part::of(texts::UPLOAD_SPACE, state));
    }
    // The cache of most installations is inside the process.
    if !is_ok(&checks.cache) {
        parts.push(Part::of(texts::CACHE, &checks.cache));
    }
    if language_models > 0 {
        let paused =
            (!unavailable_models.is_empty()).then(|| texts::MODELS_PAUSED.with(&[&unavailable_models.join(", ")]));
        parts.push(Part::with_details(texts::LANGUAGE_MODELS, paused.into_iter().collect()));
    }
    let jobs = [(failed_jobs, texts::JOBS_FAILED), (waiting_jobs, texts::JOBS_WAITING)];
    let jobs = jobs.into_iter().filter(|(count, _)| *count > 0);
    let jobs = jobs.map(|(count, text)| text.with_localized([format::number(count)])).collect();
    parts.push(Part::with_details(texts::JOBS, jobs));
    parts.into_iter().map(row).collect()
}

fn row(part: Part) -> impl IntoView {
    let Part { name, tone, state, details } = part;
    let detail = |text: Localized| view! { <br /> <span class="ui-muted ui-small">{text}</span> };
    view! {
        <li class="ui-link-row">
            <span>{name.t()} {details.into_iter().map(detail).collect_view()}</span>
            <Badge tone dot=true>{state.t()}</Badge>
        </li>
    }
}
