//! Registers handlers by their contract type: route, access rule, input and status all come from the type.

use axum::{
    Json, Router,
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::{MethodFilter, any, on},
};
use contract::{Access, Endpoint, ErrorCode, Method, Validate, api_keys::KeyScope, csv::Csv};
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};

use crate::{
    caller::{Caller, WidgetCaller},
    error::{ApiError, ApiResult},
    http::{
        etag, guard,
        idempotency::{self, IdempotencyKey},
        input::{self, Content},
        widget_guard::{self, ChatbotFromBody, ChatbotFromSession, ChatbotOfLegacyPage},
    },
    precondition::IfMatch,
    state::App,
};

/// A call of endpoint `E` with validated input.
#[derive(Debug)]
pub struct Call<E: Endpoint, C = Caller> {
    /// Who calls, as the guard found out.
    pub caller: C,
    /// The path's arguments.
    pub path: E::Path,
    /// The query parameters.
    pub query: E::Query,
    /// The body, read and validated.
    pub body: E::Body,
    /// The request's head, for handlers that need a header.
    pub parts: Parts,
    /// The key with which it is carried out once.
    idempotency: Option<(Caller, IdempotencyKey)>,
}

impl<E: Endpoint, C> Call<E, C> {
    /// The version of the resource that the caller wants to change.
    pub fn if_match(&self) -> IfMatch {
        IfMatch::of(&self.parts.headers)
    }
}

/// A call of endpoint `E` whose body is a file that is streamed.
#[derive(Debug)]
pub struct Upload<E: Endpoint> {
    /// Who calls, as the guard found out.
    pub caller: Caller,
    /// The path's arguments.
    pub path: E::Path,
    /// The query parameters.
    pub query: E::Query,
    /// The request's head.
    pub parts: Parts,
    /// The body, of which nothing was read yet.
    pub body: Body,
}

/// The result of a handler: the reply, and for a creation the address of the new resource.
#[derive(Debug)]
pub struct Reply<T> {
    value: T,
    location: Option<String>,
}

impl<T> From<T> for Reply<T> {
    fn from(value: T) -> Self {
        Self { value, location: None }
    }
}

impl<T> Reply<T> {
    /// A creation, with the path of the new resource.
    pub fn created(value: T, location: String) -> Self {
        Self { value, location: Some(location) }
    }
}

/// How a caller is identified: by a token, as a widget of the chatbot given by path, body or session, or not at all.
pub trait CallerKind: Sized + Send + 'static {
    /// Identifies the caller, whom the access rule or an API key with the scope admits. Reads the body only if that
    /// identifies the caller.
    fn identify(
        app: &App,
        rule: (Access, Option<KeyScope>),
        parts: &mut Parts,
        content: &mut Content,
    ) -> impl Future<Output = ApiResult<Self>> + Send;

    /// The caller, if it has a token.
    fn principal(&self) -> Option<&Caller> {
        None
    }
}

impl CallerKind for Caller {
    async fn identify(
        app: &App,
        (access, key_scope): (Access, Option<KeyScope>),
        parts: &mut Parts,
        _: &mut Content,
    ) -> ApiResult<Self> {
        guard::authorise(app, access, key_scope, parts).await
    }

    fn principal(&self) -> Option<&Caller> {
        Some(self)
    }
}

impl CallerKind for WidgetCaller {
    async fn identify(app: &App, _: (Access, Option<KeyScope>), parts: &mut Parts, _: &mut Content) -> ApiResult<Self> {
        widget_guard::admit(app, parts).await
    }
}

impl CallerKind for ChatbotFromBody {
    async fn identify(
        app: &App,
        _: (Access, Option<KeyScope>),
        parts: &mut Parts,
        content: &mut Content,
    ) -> ApiResult<Self> {
        widget_guard::admit_by_body(app, parts, content).await.map(Self)
    }
}

impl CallerKind for ChatbotOfLegacyPage {
    async fn identify(app: &App, _: (Access, Option<KeyScope>), parts: &mut Parts, _: &mut Content) -> ApiResult<Self> {
        widget_guard::admit_legacy(app, parts).await.map(Self)
    }
}

impl CallerKind for ChatbotFromSession {
    async fn identify(
        app: &App,
        _: (Access, Option<KeyScope>),
        parts: &mut Parts,
        content: &mut Content,
    ) -> ApiResult<Self> {
        widget_guard::admit_by_session(app, parts, content).await.map(Self)
    }
}

/// An anonymous caller, for public endpoints.
#[derive(Debug, Clone, Copy)]
pub struct Anyone;

impl CallerKind for Anyone {
    async fn identify(_: &App, _: (Access, Option<KeyScope>), _: &mut Parts, _: &mut Content) -> ApiResult<Self> {
        Ok(Self)
    }
}

/// A router that grows by contract types.
pub trait Register {
    /// Adds the handler of endpoint `E`.
    #[must_use]
    fn endpoint<E, C, H, F, R>(self, handler: H) -> Self
    where
        E: Endpoint,
        C: CallerKind,
        H: Fn(App, Call<E, C>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = ApiResult<R>> + Send + 'static,
        R: Into<Reply<E::Reply>> + Send + 'static;

    /// Adds the handler of an endpoint that answers in more than one media type; the handler makes the whole response.
    #[must_use]
    fn negotiated_endpoint<E, C, H, F>(self, handler: H) -> Self
    where
        E: Endpoint,
        C: CallerKind,
        H: Fn(App, Call<E, C>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = ApiResult<Response>> + Send + 'static;

    /// Adds the handler of an endpoint whose body is a file.
    #[must_use]
    fn upload_endpoint<E, H, F>(self, handler: H) -> Self
    where
        E: Endpoint,
        H: Fn(App, Upload<E>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = ApiResult<E::Reply>> + Send + 'static;

    /// Adds the handler of an endpoint that streams CSV; the handler makes the whole response.
    #[must_use]
    fn csv_endpoint<E, H, F>(self, handler: H) -> Self
    where
        E: Endpoint<Reply = Csv>,
        H: Fn(App, Call<E>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = ApiResult<Response>> + Send + 'static;
}

impl Register for Router<App> {
    fn endpoint<E, C, H, F, R>(self, handler: H) -> Self
    where
        E: Endpoint,
        C: CallerKind,
        H: Fn(App, Call<E, C>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = ApiResult<R>> + Send + 'static,
        R: Into<Reply<E::Reply>> + Send + 'static,
    {
        let serve = async move |State(app): State<App>, request: Request| {
            let conditions = etag::conditions(request.headers());
            answer::<E, C, _>(app, request, |app, call| {
                let handling = handler(app, call);
                async move {
                    let replied = handling.await.map(|reply| respond::<E>(reply.into(), &conditions));
                    replied.unwrap_or_else(IntoResponse::into_response)
                }
            })
            .await
        };
        self.route(E::PATH, on(filter(E::METHOD), serve))
    }

    fn negotiated_endpoint<E, C, H, F>(self, handler: H) -> Self
    where
        E: Endpoint,
        C: CallerKind,
        H: Fn(App, Call<E, C>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = ApiResult<Response>> + Send + 'static,
    {
        let serve = async move |State(app): State<App>, request: Request| {
            answer::<E, C, _>(app, request, |app, call| {
                let handling = handler(app, call);
                async move { handling.await.unwrap_or_else(IntoResponse::into_response) }
            })
            .await
        };
        self.route(E::PATH, on(filter(E::METHOD), serve))
    }

    fn upload_endpoint<E, H, F>(self, handler: H) -> Self
    where
        E: Endpoint,
        H: Fn(App, Upload<E>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = ApiResult<E::Reply>> + Send + 'static,
    {
        let serve = async move |State(app): State<App>, request: Request| {
            let (mut parts, body) = request.into_parts();
            let answer = async {
                let caller = guard::authorise(&app, E::ACCESS, E::KEY_SCOPE, &parts).await?;
                idempotency::refuse(&parts)?;
                let path = input::path::<E::Path>(E::PATH, &mut parts).await?;
                let query = input::query::<E::Query>(&parts)?;
                let errors = query.validate();
                if !errors.is_empty() {
                    return Err(ApiError::validation(errors));
                }
                let _permit = app.upload_limiter().acquire(caller.identity.tenant_id)?;
                let reply = handler(app.clone(), Upload { caller, path, query, parts, body }).await?;
                Ok::<_, ApiError>(respond::<E>(reply.into(), &HeaderMap::new()))
            };
            answer.await.unwrap_or_else(IntoResponse::into_response)
        };
        self.route(E::PATH, on(filter(E::METHOD), serve))
    }

    fn csv_endpoint<E, H, F>(self, handler: H) -> Self
    where
        E: Endpoint<Reply = Csv>,
        H: Fn(App, Call<E>) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = ApiResult<Response>> + Send + 'static,
    {
        let serve = async move |State(app): State<App>, request: Request| {
            if request.method().as_str() != E::METHOD.as_str() {
                return refuse_other_methods(E::METHOD);
            }
            let (parts, body) = request.into_parts();
            let answer = async {
                let call = read::<E, Caller>(&app, parts, body).await?;
                idempotency::refuse(&call.parts)?;
                handler(app.clone(), call).await
            };
            answer.await.unwrap_or_else(IntoResponse::into_response)
        };
        self.route(E::PATH, any(serve))
    }
}

/// Reads a call and does its work, once for each idempotency key.
async fn answer<E, C, W>(app: App, request: Request, work: impl FnOnce(App, Call<E, C>) -> W) -> Response
where
    E: Endpoint,
    C: CallerKind,
    W: Future<Output = Response> + Send + 'static,
{
    let (parts, body) = request.into_parts();
    let answer = async {
        let mut call = read::<E, C>(&app, parts, body).await?;
        let idempotency = call.idempotency.take();
        // On the heap, because the parts of a deep future are moved over the stack several times.
        let work = Box::pin(work(app.clone(), call));
        idempotency::once(&app, idempotency, work).await
    };
    answer.await.unwrap_or_else(IntoResponse::into_response)
}

async fn read<E: Endpoint, C: CallerKind>(app: &App, mut parts: Parts, body: Body) -> ApiResult<Call<E, C>> {
    let mut content = Content::Unread(body);
    guard::refuse_key(E::KEY_SCOPE, &parts.headers)?;
    let caller = C::identify(app, (E::ACCESS, E::KEY_SCOPE), &mut parts, &mut content).await?;
    let path = input::path::<E::Path>(E::PATH, &mut parts).await?;
    let query = input::query::<E::Query>(&parts)?;
    let body = content.json::<E::Body>(&parts, app.settings.body_limit).await?;
    let sent: &[u8] = if let Content::Read(bytes) = &content { bytes } else { &[] };
    let idempotency = match caller.principal() {
        Some(principal) => idempotency::of::<E>(&parts, sent)?.map(|key| (principal.clone(), key)),
        None => None,
    };
    let mut errors = query.validate();
    errors.extend(body.validate());
    if !errors.is_empty() {
        return Err(ApiError::validation(errors));
    }
    Ok(Call { caller, path, query, body, parts, idempotency })
}

/// An export is audited and runs a whole query: do not start one for its headers only. axum would name HEAD in `Allow`.
fn refuse_other_methods(allowed: Method) -> Response {
    let error = ApiError::from(ErrorCode::MethodNotAllowed);
    ([(header::ALLOW, HeaderValue::from_static(allowed.as_str()))], error).into_response()
}

/// Health must be fresh and is the only JSON that changes with time alone.
fn is_cacheable<E: Endpoint>() -> bool {
    E::METHOD == Method::Get && !E::PATH.starts_with("/health/")
}

fn respond<E: Endpoint>(reply: Reply<E::Reply>, conditions: &HeaderMap) -> Response {
    if is_cacheable::<E>() {
        return etag::json(conditions, &reply.value, "private, no-cache");
    }
    let status = StatusCode::from_u16(E::STATUS).unwrap_or(StatusCode::OK);
    if status == StatusCode::NO_CONTENT {
        return status.into_response();
    }
    let mut response = (status, Json(reply.value)).into_response();
    if let Some(location) = reply.location.and_then(|path| HeaderValue::try_from(path).ok()) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

const fn filter(method: Method) -> MethodFilter {
    match method {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Put => MethodFilter::PUT,
        Method::Patch => MethodFilter::PATCH,
        Method::Delete => MethodFilter::DELETE,
    }
}
