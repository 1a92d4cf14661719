//! Websites that a chatbot reads. [`fetch`] requests pages safely, because others choose the addresses; [`prepare`]
//! verifies ownership, [`crawl`] is the job that visits the pages, and [`schedule`] queues it.

pub mod crawl;
mod dns;
pub mod fetch;
mod file_type;
mod page;
mod page_url;
mod pattern;
mod prepare;
mod robots;
pub mod schedule;
mod scope;
mod sitemap;

use contract::{
    ChatbotId, ErrorCode, Page, TenantId,
    audit::actions,
    documents::{ChatbotSource, SourceKind},
    id::SourceId,
    page::PageQuery,
    usage::Quota,
    websites::{
        AllowedHost, AllowedHostListQuery, HostName, NewAllowedHost, NewWebsite, URL_RULE, WebsitePage,
        WebsitePageListQuery, WebsitePatch, WebsiteProblem, WebsiteReading, WebsiteSettings,
    },
};
use serde_json::{Value, json};
use store::{
    AuditEntry, PgConnection, WriteTx,
    jobs::{self, JobKind, NewJob},
    sources,
    websites::{self, hosts, pages},
};
use uuid::Uuid;

pub(crate) use self::dns::system_resolver;
use self::{crawl::Payload, fetch::FetchError};
use super::source_change;
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    service::{
        chatbot_tx::{self, Lock},
        jobs::running,
        tenant_write, usage,
    },
    state::{App, CrawlSettings},
};

/// The user agent for websites; `contact` is for complaints of their owners.
pub fn user_agent(contact: &str) -> String {
    format!("{}/{} (+{contact})", robots::PRODUCT, env!("CARGO_PKG_VERSION"))
}

impl CrawlSettings {
    /// The fetcher's limits from the settings.
    pub(super) fn fetch_rules(&self) -> fetch::FetchRules {
        fetch::FetchRules {
            user_agent: self.user_agent.clone(),
            allow_loopback: self.allow_loopback,
            delay: self.delay,
            timeout: self.timeout,
            max_bytes: self.max_page_bytes,
        }
    }
}

/// Why a job on a website ends before its pages do.
#[derive(Debug)]
enum Stopped {
    /// The site does not show that it is the tenant's.
    Unproven,
    /// The site cannot be read.
    Site { problem: WebsiteProblem, detail: String, is_proven: bool },
    /// The job is another worker's, or another attempt may work.
    Job(running::Error),
}

impl Stopped {
    fn site(problem: WebsiteProblem, detail: &str) -> Self {
        Self::Site { problem, detail: detail.to_owned(), is_proven: false }
    }

    fn of(error: &FetchError) -> Self {
        Self::site(error.problem(), &error.to_string())
    }
}

impl From<running::Error> for Stopped {
    fn from(error: running::Error) -> Self {
        Self::Job(error)
    }
}

impl From<store::Error> for Stopped {
    fn from(error: store::Error) -> Self {
        Self::Job(error.into())
    }
}

/// Inserts the website of a new source and queues its first visit; returns its address.
///
/// # Errors
/// `validation_error` when the address is not valid for a website.
pub(super) async fn insert(
    tx: &mut WriteTx,
    caller: &Caller,
    tenant: TenantId,
    place: (ChatbotId, SourceId),
    website: &NewWebsite,
) -> ApiResult<()> {
    let url = page_url::parse_start(&website.url)
        .ok_or_else(|| ApiError::field(&["body", "website", "url"], URL_RULE, "website_url"))?;
    let token = Uuid::new_v4().simple().to_string();
    websites::insert(tx, tenant, place, (url.as_str(), &token), &website.settings()).await?;
    Ok(queue(tx, tenant, place, false, (Some(&caller.identity.username), false)).await?)
}

/// Queues a visit to a website. No other job uses its host at the same time.
pub(super) async fn queue(
    tx: &mut WriteTx,
    tenant: TenantId,
    (chatbot, source): (ChatbotId, SourceId),
    only_missing: bool,
    start: (Option<&str>, bool),
) -> store::Result<()> {
    let payload = serde_json::to_value(Payload { source, only_missing }).unwrap_or_default();
    let address = websites::address(tx, tenant, source).await?;
    let host = address.and_then(|address| Some(page_url::host_of(&page_url::parse_start(&address)?)));
    let new = NewJob { kind: JobKind::Crawl, chatbot, payload, is_large: true, storage: None, host };
    let job = jobs::insert(tx, tenant, &new).await?;
    websites::start(tx, tenant, source, (job, only_missing), start).await
}

/// The fields of a website that a tenant can change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Changeable {
    url: String,
    settings: WebsiteSettings,
    is_paused: bool,
}

impl Changeable {
    /// Its representation in the audit log.
    pub(super) fn described(&self) -> Value {
        described(&self.settings, self.is_paused)
    }
}

/// A website as the audit log has it. Its address stays out: operators read the log.
pub(super) fn described(settings: &WebsiteSettings, is_paused: bool) -> Value {
    json!({
        "include": settings.include.len(), "exclude": settings.exclude.len(), "max_pages": settings.max_pages,
        "max_depth": settings.max_depth, "schedule": settings.schedule, "paused": is_paused,
    })
}

/// A website before and after a change; `None` when nothing is to be changed.
///
/// # Errors
/// `validation_error` when the source is not a website.
pub(super) fn change(
    current: &ChatbotSource,
    patch: Option<&WebsitePatch>,
) -> ApiResult<Option<(Changeable, Changeable)>> {
    let Some(patch) = patch else { return Ok(None) };
    let Some(website) = &current.website else {
        return Err(ApiError::field(&["body", "website"], "is for sources of the kind website", "website"));
    };
    let before = Changeable { url: website.url.clone(), settings: website.settings.clone(), is_paused: website.paused };
    let after = Changeable {
        settings: patch.apply(&before.settings),
        is_paused: patch.paused.unwrap_or(before.is_paused),
        ..before.clone()
    };
    Ok(Some((before, after)))
}

/// Writes a change. The job of a website that is paused is canceled.
pub(super) async fn update(
    tx: &mut WriteTx,
    tenant: TenantId,
    source: SourceId,
    (before, after): (&Changeable, &Changeable),
) -> ApiResult<()> {
    if after.is_paused && !before.is_paused {
        let running = websites::open_job(tx, tenant, source).await?;
        jobs::cancel(tx, tenant, &running.into_iter().collect::<Vec<_>>()).await?;
        websites::halt(tx, tenant, source).await?;
    }
    Ok(websites::update(tx, tenant, source, &after.settings, after.is_paused).await?)
}

/// Queues a visit to a website, or the reading of its pages.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`, `source_not_found`, `source_read_only`, `website_busy`, `website_paused`,
/// `quota_pages`, `quota_passages`.
pub async fn read(
    app: &App,
    caller: &Caller,
    (chatbot, id): (ChatbotId, SourceId),
    reading: WebsiteReading,
) -> ApiResult<ChatbotSource> {
    let (mut tx, tenant) = chatbot_tx::begin_active(app, caller, chatbot, Lock::Nothing).await?;
    lock(&mut tx, tenant, (chatbot, id)).await?;
    if websites::open_job(&mut tx, tenant, id).await?.is_some() {
        return Err(ErrorCode::WebsiteBusy.into());
    }
    let website = websites::lock(&mut tx, tenant, id).await?.ok_or(ErrorCode::SourceNotFound)?;
    if website.is_paused {
        return Err(ErrorCode::WebsitePaused.into());
    }
    let is_first = !website.is_approved && !reading.preview;
    if is_first && let Some(full) = usage::used_up(app, &mut tx, tenant, &[Quota::Pages, Quota::Passages]).await? {
        return Err(full.into());
    }
    let start = (Some(caller.identity.username.as_str()), !reading.preview);
    queue(&mut tx, tenant, (chatbot, id), false, start).await?;
    let source_now = source_change::find(&mut tx, tenant, chatbot, id).await?;
    let approved = website.is_approved || !reading.preview;
    let details = json!({ "before": { "approved": website.is_approved }, "after": { "approved": approved } });
    let entry = source_change::entry(caller, tenant, chatbot, actions::CHATBOT_SOURCE_READ_REQUESTED, id, details);
    tx.commit_audited(&entry).await?;
    app.job_queued().notify_waiters();
    Ok(source_now)
}

async fn lock(connection: &mut PgConnection, tenant: TenantId, (chatbot, id): (ChatbotId, SourceId)) -> ApiResult<()> {
    let source = sources::lock(connection, tenant, chatbot, id).await?.ok_or(ErrorCode::SourceNotFound)?;
    if source.kind == SourceKind::Website { Ok(()) } else { Err(ErrorCode::SourceReadOnly.into()) }
}

/// A page of the pages of a website; empty for a source of another kind.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`.
pub async fn pages(
    app: &App,
    caller: &Caller,
    (chatbot, id): (ChatbotId, SourceId),
    query: &WebsitePageListQuery,
) -> ApiResult<Page<WebsitePage>> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    if sources::find(&mut tx, tenant, chatbot, id).await?.is_none() {
        return Err(ErrorCode::SourceNotFound.into());
    }
    let page = pages::list(&mut tx, tenant, id, query).await?;
    Ok(page)
}

/// The hosts that a tenant may read without a proof.
///
/// # Errors
/// `tenant_not_found`.
pub async fn allowed_hosts(
    app: &App,
    caller: &Caller,
    tenant: TenantId,
    query: &AllowedHostListQuery,
) -> ApiResult<Page<AllowedHost>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    store::tenants::find(&mut tx, tenant).await?.ok_or(ErrorCode::TenantNotFound)?;
    // A tenant has few.
    let mut hosts = hosts::all(&mut tx, tenant).await?;
    let PageQuery { q, sort, limit, offset } = &query.page;
    let search = q.as_deref().unwrap_or_default().trim().to_lowercase();
    hosts.retain(|host| host.host.contains(&search));
    if sort.as_deref().is_some_and(|sort| sort.starts_with('-')) {
        hosts.reverse();
    }
    let total = i64::try_from(hosts.len()).unwrap_or(i64::MAX);
    let (limit, offset) = (*limit, *offset);
    let [skipped, taken] = [offset, limit].map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    Ok(Page { items: hosts.into_iter().skip(skipped).take(taken).collect(), total, limit, offset })
}

/// Allows a tenant to read a host without a proof. One that is allowed stays, and nothing is written. Returns it.
///
/// # Errors
/// `tenant_not_found`.
pub async fn allow_host(app: &App, caller: &Caller, tenant: TenantId, new: &NewAllowedHost) -> ApiResult<AllowedHost> {
    let host = new.host.trim().to_ascii_lowercase();
    let mut tx = tenant_write::begin(app, caller).await?;
    store::tenants::find(&mut tx, tenant).await?.ok_or(ErrorCode::TenantNotFound)?;
    let is_new = hosts::insert(&mut tx, tenant, &host, &caller.identity.username).await?;
    let all = hosts::all(&mut tx, tenant).await?;
    let allowed = all.into_iter().find(|allowed| allowed.host == host).ok_or(ErrorCode::InternalError)?;
    if !is_new {
        tx.discard().await?;
        return Ok(allowed);
    }
    let details = json!({ "before": null, "after": { "host": host } });
    let entry = host_entry(caller, tenant, actions::ALLOWED_HOST_CREATED, &host, details);
    tx.commit_audited(&entry).await?;
    Ok(allowed)
}

/// Revokes the permission for a host. Its documents stay until the next sync, which fails.
///
/// # Errors
/// `tenant_not_found`, `allowed_host_not_found`.
pub async fn disallow_host(app: &App, caller: &Caller, (tenant, host): (TenantId, HostName)) -> ApiResult<()> {
    let host = String::from(host);
    let mut tx = tenant_write::begin(app, caller).await?;
    store::tenants::find(&mut tx, tenant).await?.ok_or(ErrorCode::TenantNotFound)?;
    if !hosts::delete(&mut tx, tenant, &host).await? {
        return Err(ErrorCode::AllowedHostNotFound.into());
    }
    let details = json!({ "before": { "host": host }, "after": null });
    let entry = host_entry(caller, tenant, actions::ALLOWED_HOST_DELETED, &host, details);
    Ok(tx.commit_audited(&entry).await?)
}

fn host_entry(caller: &Caller, tenant: TenantId, action: &'static str, host: &str, details: Value) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: None,
        action,
        entity_type: "allowed_host",
        entity_id: host.to_owned(),
        details,
    }
}
