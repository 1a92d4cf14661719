//! CORS as the specification requires (Authentication, Cross-origin policy): listed origins only, no headers for
//! others, preflights handled here. It is mounted only when origins are listed, or when widgets may be read from their
//! tenant's own origins.

use std::{
    collections::HashSet,
    num::NonZeroUsize,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use contract::{
    ChatbotId, Endpoint,
    feedback::{CreateFeedback, CreateLegacyFeedback},
    health::GetLiveness,
    widget::QueryLegacyWidget,
};
use http::{HeaderValue, Method, StatusCode, Uri, header, request::Parts};
use lru::LruCache;
use parking_lot::Mutex;

use crate::{http::widget_guard::Lookup, state::App};

/// The path of the widget's files.
const BUNDLE: &str = "/static/widget/";
/// Tenants' own origins that are remembered.
const MAX_RECENT: NonZeroUsize = NonZeroUsize::new(4096).expect("a positive number");
/// How long an origin may still read responses after its tenant removed it from the list. The guard's checks apply
/// immediately.
const RECENT_FOR: Duration = Duration::from_secs(5);
/// Cached lookups of preflights.
const MAX_CACHED_LOOKUPS: NonZeroUsize = NonZeroUsize::new(256).expect("a positive number");
/// How long a preflight waits for the lookups before it.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(1);

/// Which origins may read answers.
#[derive(Debug, Clone)]
pub struct Policy {
    listed: Arc<HashSet<String>>,
    tenant_origins: Option<TenantOrigins>,
}

/// Looks up chatbots, and caches their recently allowed origins.
#[derive(Debug, Clone)]
struct TenantOrigins {
    app: App,
    recent: Arc<Mutex<LruCache<(ChatbotId, String), Instant>>>,
    /// Lookups for preflights of rate-limited clients; locked during a lookup, so that there is one at a time.
    serial_lookups: Arc<tokio::sync::Mutex<LruCache<ChatbotId, (Instant, Lookup)>>>,
}

impl TenantOrigins {
    fn new(app: &App) -> Self {
        Self {
            app: app.clone(),
            recent: Arc::new(Mutex::new(LruCache::new(MAX_RECENT))),
            serial_lookups: Arc::new(tokio::sync::Mutex::new(LruCache::new(MAX_CACHED_LOOKUPS))),
        }
    }

    fn knows(&self, chatbot: ChatbotId, origin: &str) -> bool {
        let mut recent = self.recent.lock();
        recent.get(&(chatbot, origin.to_owned())).is_some_and(|allowed_at| allowed_at.elapsed() < RECENT_FOR)
    }

    /// Whether a chatbot allows an origin, for preflights, which are not rate-limited: looks up one at a time, and each
    /// chatbot once in five seconds.
    async fn allows_after_serial_lookup(&self, chatbot: ChatbotId, origin: &str) -> bool {
        let Ok(mut lookups) = tokio::time::timeout(LOOKUP_TIMEOUT, self.serial_lookups.lock()).await else {
            return false;
        };
        if let Some((looked_up_at, lookup)) = lookups.get(&chatbot)
            && looked_up_at.elapsed() < RECENT_FOR
        {
            return lookup.allows(origin);
        }
        match Lookup::of(&self.app, chatbot).await {
            Ok(lookup) => {
                let allows = lookup.allows(origin);
                lookups.put(chatbot, (Instant::now(), lookup));
                allows
            }
            Err(error) => {
                tracing::warn!(%error, "cors.lookup_failed");
                false
            }
        }
    }

    fn remember(&self, chatbot: ChatbotId, origin: &str) {
        let mut recent = self.recent.lock();
        recent.put((chatbot, origin.to_owned()), Instant::now());
    }
}

impl Policy {
    /// The policy of the settings; `None` when CORS is not mounted.
    pub fn new(app: &App) -> Option<Self> {
        let origins = app.settings.cors_origins.iter().map(|origin| origin.trim().to_owned());
        let listed: HashSet<String> = origins.filter(|origin| !origin.is_empty()).collect();
        let tenant_origins = app.settings.cors_tenant_origins.then(|| TenantOrigins::new(app));
        (!listed.is_empty() || tenant_origins.is_some()).then(|| Self { listed: Arc::new(listed), tenant_origins })
    }

    async fn allowed(&self, request: &mut Parts) -> Option<HeaderValue> {
        let value = request.headers.get(header::ORIGIN)?.clone();
        let text = value.to_str().ok()?;
        let allowed = self.listed.contains(text) || self.is_tenants_own(request, text).await;
        allowed.then(|| value.clone())
    }

    /// Whether the address belongs to a chatbot's widget and the origin to its tenant. The result of the lookup is
    /// added to the request, so that the guard need not repeat it. For a client with too many disallowed requests,
    /// which nothing has counted yet, there is no lookup and no headers, except for preflights: those bypass the rate
    /// limit and share one database connection instead.
    async fn is_tenants_own(&self, request: &mut Parts, text: &str) -> bool {
        let Some(own) = &self.tenant_origins else { return false };
        let legacy = || own.app.settings.legacy_chatbot.filter(|_| is_legacy(request.uri.path()));
        let Some(id) = widget_chatbot(&request.uri).or_else(legacy) else { return false };
        if own.knows(id, text) {
            return true;
        }
        let limiter = &own.app.limiter;
        if !limiter.may_look_up(&limiter.client(request)) {
            return is_preflight(request) && own.allows_after_serial_lookup(id, text).await;
        }
        match Lookup::of(&own.app, id).await {
            Ok(lookup) => {
                let allows = lookup.allows(text);
                request.extensions.insert(lookup);
                if allows {
                    own.remember(id, text);
                }
                allows
            }
            Err(error) => {
                tracing::warn!(%error, "cors.lookup_failed");
                false
            }
        }
    }
}

/// The endpoints that name their chatbot in the query, because a preflight has no body. The widget probes the liveness check: only
/// what it can read shows that the platform answers, and not a proxy in its place.
const BY_QUERY: [&str; 3] = [CreateFeedback::PATH, CreateLegacyFeedback::PATH, GetLiveness::PATH];

/// The chatbot of a widget endpoint's path, or of the query where the path has none.
fn widget_chatbot(uri: &Uri) -> Option<ChatbotId> {
    let path = uri.path();
    if path.starts_with(BUNDLE) || BY_QUERY.contains(&path) {
        return uri
            .query()?
            .split('&')
            .find_map(|pair| pair.strip_prefix("chatbot="))
            .and_then(ChatbotId::from_canonical);
    }
    let rest = path.strip_prefix("/api/v1/widget/")?;
    let rest = rest.strip_prefix("config/").or_else(|| rest.strip_prefix("chatbots/"))?;
    rest.split('/').next().and_then(ChatbotId::from_canonical)
}

/// Whether a page without a chatbot may use an address: the bundle, questions, feedback and the liveness check.
fn is_legacy(path: &str) -> bool {
    path.starts_with(BUNDLE) || [QueryLegacyWidget::PATH, CreateLegacyFeedback::PATH, GetLiveness::PATH].contains(&path)
}

/// Answers preflights and adds the headers for allowed origins. Endpoints for programs have no such headers: a browser would show
/// its visitors the key.
pub async fn layer(State(policy): State<Policy>, request: Request, next: Next) -> Response {
    if request.uri().path().starts_with("/v1/") {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let is_preflight = is_preflight(&parts);
    let origin = policy.allowed(&mut parts).await;
    let request = Request::from_parts(parts, body);
    let mut response = if is_preflight { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    let headers = response.headers_mut();
    if is_preflight && origin.is_some() {
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, OPTIONS"));
        let allowed = HeaderValue::from_static("content-type, x-loadtest-bypass");
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    let names_origin = |value: &HeaderValue| value.to_str().is_ok_and(|text| text.eq_ignore_ascii_case("origin"));
    if !headers.get_all(header::VARY).iter().any(names_origin) {
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    response
}

fn is_preflight(request: &Parts) -> bool {
    request.method == Method::OPTIONS
        && request.headers.contains_key(header::ORIGIN)
        && request.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_a_widget_name_a_chatbot() {
        let id = "b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33";
        let chatbot =
            |address: &str| widget_chatbot(&address.replace("ID", id).parse().unwrap()).map(|id| id.to_string());
        let own = [
            "/api/v1/widget/config/ID",
            "/api/v1/widget/chatbots/ID/query",
            "/api/v1/feedback?chatbot=ID",
            "/api/feedback?chatbot=ID",
            "/health/live?chatbot=ID",
            "/static/widget/x.wasm?v=1&chatbot=ID",
        ];
        for address in own {
            assert_eq!(chatbot(address).as_deref(), Some(id), "{address}");
        }
        for address in
            ["/api/v1/tenants/ID/chatbots", "/api/v1/feedback", "/static/widget/x.wasm", "/health/ready?chatbot=ID"]
        {
            assert_eq!(chatbot(address), None, "{address}");
        }
    }
}
