//! Authorises public widget calls: finds the chatbot, derives its tenant and checks the Origin header (specification,
//! Public widget endpoints). Unknown, deactivated, disallowed and unconfigured chatbots all give the same 403 after the
//! same single query, wherever a call names its chatbot.

use chrono::Utc;
use contract::{
    ChatbotId, ErrorCode, SessionId,
    embed::EmbedOutcome,
    origin::{self, Origin},
};
use http::{Uri, header, request::Parts};
use serde::Deserialize;
use serde_json::Value;
use store::widget::lookup::{self, WidgetChatbot};
use uuid::Uuid;

use crate::{
    caller::WidgetCaller,
    client_ip,
    error::ApiResult,
    http::input::{self, Content},
    state::{App, origin_counters::Request},
};

/// A widget of the chatbot in the body's `chatbot_id`.
#[derive(Debug)]
pub struct ChatbotFromBody(pub WidgetCaller);

/// A widget of the chatbot with the session in the body's `session_id`.
#[derive(Debug)]
pub struct ChatbotFromSession(pub WidgetCaller);

/// A widget on a page of the older demo deployment, which names no chatbot: uses `widget.legacy_chatbot`.
#[derive(Debug)]
pub struct ChatbotOfLegacyPage(pub WidgetCaller);

/// How a call refers to its chatbot.
enum ChatbotRef {
    Chatbot(ChatbotId),
    Session(SessionId),
    /// Malformed or missing; costs a query too, so that its duration reveals nothing.
    Invalid,
}

/// Authorises a call with the chatbot in its path.
///
/// # Errors
/// `origin_not_allowed`, `rate_limited`, or `service_unavailable` when the database is down.
pub async fn admit(app: &App, parts: &mut Parts) -> ApiResult<WidgetCaller> {
    app.limiter.public(&app.limiter.client(parts)).await?;
    let id = input::raw_path("chatbot_id", parts).await;
    check(app, parts, chatbot(id.as_deref())).await
}

/// Authorises a call with the chatbot in its body. Without an Origin header the body is not read.
///
/// # Errors
/// Like [`admit`]; also `payload_too_large` and `validation_error` for a body without a chatbot when there is an Origin
/// header.
pub async fn admit_by_body(app: &App, parts: &Parts, content: &mut Content) -> ApiResult<WidgetCaller> {
    #[derive(Deserialize)]
    struct Body {
        chatbot_id: Value,
    }
    app.limiter.public(&app.limiter.client(parts)).await?;
    let mut chatbot_ref = ChatbotRef::Invalid;
    if parts.headers.contains_key(header::ORIGIN) {
        let body: Body = content.json(parts, app.settings.body_limit).await?;
        chatbot_ref = chatbot(body.chatbot_id.as_str());
    }
    check(app, parts, chatbot_ref).await
}

/// Authorises a call with a session in its body. Without an Origin header the body is not read.
///
/// # Errors
/// Like [`admit_by_body`].
pub async fn admit_by_session(app: &App, parts: &Parts, content: &mut Content) -> ApiResult<WidgetCaller> {
    #[derive(Deserialize)]
    struct Body {
        session_id: SessionId,
    }
    app.limiter.public(&app.limiter.client(parts)).await?;
    let mut chatbot_ref = ChatbotRef::Invalid;
    if parts.headers.contains_key(header::ORIGIN) {
        let body: Body = content.json(parts, app.settings.body_limit).await?;
        chatbot_ref = ChatbotRef::Session(body.session_id);
    }
    check(app, parts, chatbot_ref).await
}

/// Authorises a call of a page without a chatbot. If none is configured for such pages, it is refused like a call for
/// one that does not exist.
///
/// # Errors
/// Like [`admit`].
pub async fn admit_legacy(app: &App, parts: &Parts) -> ApiResult<WidgetCaller> {
    app.limiter.public(&app.limiter.client(parts)).await?;
    check(app, parts, app.settings.legacy_chatbot.map_or(ChatbotRef::Invalid, ChatbotRef::Chatbot)).await
}

/// The rule for every widget call.
async fn check(app: &App, parts: &Parts, chatbot_ref: ChatbotRef) -> ApiResult<WidgetCaller> {
    let lookup = match chatbot_ref {
        ChatbotRef::Chatbot(id) => match parts.extensions.get::<Lookup>() {
            Some(earlier) if earlier.id == id => earlier.clone(),
            _ => Lookup::of(app, id).await?,
        },
        ChatbotRef::Session(id) => Lookup::by_session(app, id).await?,
        ChatbotRef::Invalid => Lookup::of(app, ChatbotId(Uuid::nil())).await?,
    };
    let origin = parts.headers.get(header::ORIGIN).map(|value| value.to_str().unwrap_or("?"));
    let outcome = lookup.outcome(origin);
    record_origin(app, parts, lookup.id, outcome);
    match lookup.chatbot {
        Some(chatbot) if outcome == EmbedOutcome::Accepted => {
            Ok(WidgetCaller { chatbot, ip_address: client_ip::of(parts) })
        }
        _ => Err(ErrorCode::OriginNotAllowed.into()),
    }
}

/// Counts the request for the tenant: only its origin and the snippet's version.
fn record_origin(app: &App, parts: &Parts, chatbot: ChatbotId, outcome: EmbedOutcome) {
    if chatbot.0.is_nil() {
        return;
    }
    let header = parts.headers.get(header::ORIGIN).and_then(|value| value.to_str().ok());
    let origin = header.filter(|text| text.parse::<Origin>().is_ok()).unwrap_or("");
    app.origin_counters().record(&Request { chatbot, origin, outcome, version: version(&parts.uri) }, Utc::now());
}

/// The version in the page's snippet, which the widget's first request carries: empty when it has none, or an
/// impossible one. `None` for other requests.
fn version(address: &Uri) -> Option<&str> {
    const MAX_CHARS: usize = 64;
    address.path().strip_prefix("/api/v1/widget/config/")?;
    let pairs = address.query().unwrap_or("").split('&');
    let version = pairs.filter_map(|pair| pair.strip_prefix("v=")).next().unwrap_or("");
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'+');
    Some(if version.len() <= MAX_CHARS && version.bytes().all(plain) { version } else { "" })
}

/// The result of the query for a chatbot: the chatbot if it is active and belongs to a live tenant. A layer before the
/// guard passes it on in the request's extensions.
#[derive(Debug, Clone)]
pub struct Lookup {
    id: ChatbotId,
    chatbot: Option<WidgetChatbot>,
}

impl Lookup {
    /// Looks up a chatbot with one query.
    pub async fn of(app: &App, id: ChatbotId) -> store::Result<Self> {
        let chatbot = lookup::find(&app.db, id).await?;
        Ok(Self { id, chatbot })
    }

    async fn by_session(app: &App, session: SessionId) -> store::Result<Self> {
        let chatbot = lookup::find_by_session(&app.db, session).await?;
        let id = chatbot.as_ref().map_or(ChatbotId(Uuid::nil()), |chatbot| chatbot.config.chatbot_id);
        Ok(Self { id, chatbot })
    }

    /// Whether the chatbot was found and its tenant allows the `Origin` header `origin`.
    pub fn allows(&self, origin: &str) -> bool {
        self.outcome(Some(origin)) == EmbedOutcome::Accepted
    }

    /// The outcome of a request with this `Origin` header. A chatbot that was not found counts as deactivated.
    fn outcome(&self, origin: Option<&str>) -> EmbedOutcome {
        let Some(chatbot) = &self.chatbot else { return EmbedOutcome::ChatbotDeactivated };
        let origins = || chatbot.allowed_origins.iter().map(String::as_str);
        match origin {
            None => EmbedOutcome::OriginMissing,
            Some("null") => EmbedOutcome::OriginOpaque,
            Some(text) if text.parse::<Origin>().is_err() => EmbedOutcome::OriginMalformed,
            Some(text) if origin::is_allowed(text, origins()) => EmbedOutcome::Accepted,
            Some(_) if chatbot.allowed_origins.is_empty() => EmbedOutcome::NoOriginsListed,
            Some(_) => EmbedOutcome::OriginNotListed,
        }
    }
}

fn chatbot(text: Option<&str>) -> ChatbotRef {
    text.and_then(ChatbotId::from_canonical).map_or(ChatbotRef::Invalid, ChatbotRef::Chatbot)
}
