//! The job that looks at a website: first at the site, then at one page after another. What became of a page is written in one
//! transaction with its document, so that an attempt that is killed is gone on with at the next page. After a minute the job gives way to
//! others and is gone on with when its turn comes again.

use std::time::Duration;

use contract::{
    audit::actions,
    chatbots::{Chatbot, ChatbotStatus},
    id::SourceId,
    usage::Quota,
    websites::{WebsitePageState, WebsiteProblem, WebsiteProof, WebsiteState},
};
use rag::document::Document;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{
    Actor, AuditEntry, WriteTx, documents,
    jobs::Job,
    vectors::Collection,
    websites::{
        self, Ending, Prepared, Tally, Website,
        pages::{self, Outcome, PageToFetch, Version, Wanted},
    },
};
use url::Url;

use super::{
    Stopped,
    fetch::{FetchError, Fetched, Fetcher, Validators},
    page::{self, Expected, Finding, Look},
    prepare,
    robots::Robots,
    scope::{self, Scope},
};
use crate::{
    auth::TENANT_REALM,
    service::{
        jobs::running::{Error, Running},
        knowledge::{Error as IndexingError, indexing, vector_sync},
        usage::{self, Exceeded},
    },
    state::CrawlSettings,
};

/// How long a job goes on before it gives way to others.
const SLICE: Duration = Duration::from_secs(60);
/// Pages in a row that nobody answers for; then the site is away.
const MAX_UNREACHABLE: usize = 5;
/// The longest pause that a busy site gets before a page is tried once more.
const MAX_RETRY_PAUSE: Duration = Duration::from_secs(30);
/// The pause when it does not say how long.
const RETRY_PAUSE: Duration = Duration::from_secs(2);
/// The user of the audit log for what nobody asked for.
const SCHEDULE: &str = "schedule";

/// What the job is about.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Payload {
    pub source: SourceId,
    /// Only pages that have been missing for long.
    pub only_missing: bool,
}

fn payload(job: &Job) -> Option<Payload> {
    serde_json::from_value(job.payload.clone()).ok()
}

/// Looks at the website of a job.
///
/// # Errors
/// When the job is another worker's by now, or another attempt may work.
pub async fn run(running: &Running) -> Result<(), Error> {
    let Some(payload) = payload(&running.job) else { return Ok(()) };
    let tenant = running.job.tenant;
    let mut tx = running.begin().await?;
    let website = websites::lock(&mut tx, tenant, payload.source).await?;
    let website = website.filter(|website| website.job == Some(running.job.id) && !website.is_paused);
    let chatbot = store::chatbots::find(&mut tx, tenant, running.job.chatbot).await?;
    let (Some(website), Some(chatbot)) = (website, chatbot) else { return running.finish(tx).await };
    running.commit(tx).await?;
    let source = website.source;
    let crawl = async {
        if chatbot.status == ChatbotStatus::Deactivated {
            return Err(Stopped::site(WebsiteProblem::ChatbotNotActive, "the chatbot is deactivated"));
        }
        Crawl::begin(running, payload, website, chatbot).await?.go_on().await
    };
    match crawl.await {
        Ok(()) => Ok(()),
        Err(Stopped::Job(error)) => Err(error),
        Err(Stopped::Unproven) => {
            let ending = Ending { state: WebsiteState::Unproven, problem: None, is_proven: false, is_whole: false };
            tracing::info!(%source, "websites.not_proven");
            end(running, source, &ending).await
        }
        Err(Stopped::Site { problem, detail, is_proven }) => {
            let problem = Some((problem, detail.as_str()));
            let ending = Ending { state: WebsiteState::Failed, problem, is_proven, is_whole: false };
            end(running, source, &ending).await
        }
    }
}

/// Says of a website that it was tried often enough.
///
/// # Errors
/// When the database fails.
pub async fn give_up(tx: &mut WriteTx, job: &Job) -> store::Result<()> {
    let Some(payload) = payload(job) else { return Ok(()) };
    let website = websites::lock(tx, job.tenant, payload.source).await?;
    if website.is_some_and(|website| website.job == Some(job.id)) {
        let why = "every attempt to read the website failed; the server's log says why";
        let problem = Some((WebsiteProblem::GivenUp, why));
        let ending = Ending { state: WebsiteState::Failed, problem, is_proven: true, is_whole: false };
        websites::end(tx, job.tenant, payload.source, &ending).await?;
    }
    Ok(())
}

/// Ends the job, with an audit row when the website has changed what the chatbot knows.
async fn end(running: &Running, source: SourceId, ending: &Ending<'_>) -> Result<(), Error> {
    let tenant = running.job.tenant;
    let mut tx = running.begin().await?;
    let Some(website) = websites::lock(&mut tx, tenant, source).await? else { return running.finish(tx).await };
    let Tally { pages_added, pages_changed, pages_removed, .. } = website.tally;
    if pages_added + pages_changed + pages_removed == 0 {
        websites::end(&mut tx, tenant, source, ending).await?;
        return running.finish(tx).await;
    }
    tx.discard().await?;
    let user = website.requested_by.as_deref().unwrap_or(SCHEDULE);
    let mut tx = running.begin_as(TENANT_REALM, user).await?;
    websites::end(&mut tx, tenant, source, ending).await?;
    let after = json!({
        "pages_added": pages_added, "pages_changed": pages_changed, "pages_removed": pages_removed, "state": ending.state,
    });
    let entry = AuditEntry {
        actor: Actor { role: "tenant", user: user.to_owned(), ip_address: None, session_id: None },
        tenant_id: Some(tenant),
        chatbot_id: Some(running.job.chatbot),
        action: actions::CHATBOT_SOURCE_SYNCED,
        entity_type: "chatbot_source",
        entity_id: source.to_string(),
        details: json!({ "before": null, "after": after }),
    };
    running.finish_audited(tx, &entry).await
}

struct Crawl<'a> {
    running: &'a Running,
    payload: Payload,
    website: Website,
    chatbot: Chatbot,
    fetcher: Fetcher,
    scope: Scope,
    missing_hash: Option<String>,
    delay: Duration,
    unreachable: usize,
}

impl<'a> Crawl<'a> {
    /// Asks the site what it has to be asked first, unless an attempt before has.
    async fn begin(
        running: &'a Running,
        payload: Payload,
        website: Website,
        chatbot: Chatbot,
    ) -> Result<Self, Stopped> {
        let settings = &running.app.settings.crawl;
        let mut fetcher = Fetcher::new(settings.fetch_rules());
        if website.is_approved {
            vector_sync::repair(&running.app, Collection { tenant: running.job.tenant, chatbot: chatbot.id }).await?;
        }
        let (prepared, first) = match website.prepared.clone() {
            Some(prepared) => (prepared, None),
            None => {
                let (prepared, first) = prepare(running, &mut fetcher, &website, payload).await?;
                (prepared, Some(first))
            }
        };
        let origin = Url::parse(&prepared.origin)
            .map_err(|_| Stopped::site(WebsiteProblem::Unreachable, "the address is none of a website"))?;
        let robots = Robots::parse(&prepared.robots);
        let delay = settings.delay.max(robots.delay().unwrap_or_default());
        let scope = Scope { origin, robots, settings: website.settings.clone() };
        let mut crawl = Self {
            running,
            payload,
            website,
            chatbot,
            fetcher,
            scope,
            missing_hash: prepared.missing_hash,
            delay,
            unreachable: 0,
        };
        if let Some(first) = first.filter(|_| !payload.only_missing) {
            crawl.take_first(first).await?;
        }
        Ok(crawl)
    }

    /// The first page has been fetched with the proof.
    async fn take_first(&mut self, first: Fetched) -> Result<(), Stopped> {
        let Some(url) = scope::normal(first.url.clone()) else { return Ok(()) };
        let mut tx = self.running.begin().await?;
        let page = pages::claim(&mut tx, self.running.job.tenant, self.place(), (url.as_str(), 0), self.running.job.id);
        let page = page.await?;
        self.running.commit(tx).await?;
        match page {
            Some(page) => self.take(page, &url, first).await,
            None => Ok(()),
        }
    }

    /// Looks at pages until all were looked at, or the time is over.
    async fn go_on(mut self) -> Result<(), Stopped> {
        loop {
            let mut tx = self.running.begin().await?;
            let tenant = self.running.job.tenant;
            let website = websites::lock(&mut tx, tenant, self.website.source).await?;
            let Some(website) = website.filter(|website| !website.is_paused) else {
                return Ok(self.running.finish(tx).await?);
            };
            let page = pages::next(&mut tx, tenant, self.wanted()).await?;
            let (looked_at, total) =
                pages::looked_at(&mut tx, tenant, self.website.source, self.running.job.id).await?;
            store::jobs::set_progress(&mut tx, &self.running.job, number(looked_at), Some(number(total))).await?;
            self.running.commit(tx).await?;
            let is_enough = !self.website.is_approved && looked_at >= self.settings().preview_pages;
            let Some(page) = page.filter(|_| !is_enough) else { return self.finish(None).await };
            if self.is_over(&website) {
                return self.finish(Some(WebsiteProblem::RunLimit)).await;
            }
            if self.running.has_had(SLICE) {
                return Ok(self.running.give_way().await?);
            }
            self.look_at(page).await?;
        }
    }

    fn is_over(&self, website: &Website) -> bool {
        let settings = self.settings();
        website.tally.fetched_bytes > settings.max_bytes || website.running_seconds > settings.max_minutes * 60
    }

    async fn finish(self, problem: Option<WebsiteProblem>) -> Result<(), Stopped> {
        let state = if self.website.is_approved { WebsiteState::Ready } else { WebsiteState::Previewed };
        let is_whole = problem.is_none() && !self.payload.only_missing;
        let ending = Ending { state, problem: problem.map(|problem| (problem, "")), is_proven: true, is_whole };
        Ok(end(self.running, self.website.source, &ending).await?)
    }

    async fn look_at(&mut self, page: PageToFetch) -> Result<(), Stopped> {
        let Some(url) = Url::parse(&page.url).ok() else {
            return self.settle(&page, Finding::Failed(WebsiteProblem::Malformed, String::new())).await;
        };
        // What leads to the other pages is looked at in any case.
        if page.depth > 0 && !self.scope.is_included(&url) {
            return self.settle(&page, Finding::LeftOut(WebsiteProblem::Excluded, String::new())).await;
        }
        if let Err(error) = self.scope.admits(&url) {
            return self.settle(&page, Finding::LeftOut(error.problem(), error.to_string())).await;
        }
        if self.website.is_approved
            && !was_read(&page)
            && let Some(full) = self.full().await?
        {
            return self.settle(&page, beyond(full)).await;
        }
        if self.website.is_approved && page.state == WebsitePageState::Found && self.take_kept(&page, &url).await? {
            return Ok(());
        }
        match self.fetch(&page, &url).await {
            Ok(fetched) => {
                self.unreachable = 0;
                self.take(page, &url, fetched).await
            }
            Err(error) => self.take_error(page, &error).await,
        }
    }

    async fn take_error(&mut self, page: PageToFetch, error: &FetchError) -> Result<(), Stopped> {
        let detail = error.to_string();
        match error {
            FetchError::OtherHost(_) | FetchError::Robots(_) => {
                self.settle(&page, Finding::LeftOut(error.problem(), detail)).await
            }
            FetchError::Unreachable(_) | FetchError::Certificate(_) => {
                self.unreachable += 1;
                self.settle(&page, Finding::Failed(error.problem(), detail.clone())).await?;
                if self.unreachable < MAX_UNREACHABLE {
                    return Ok(());
                }
                Err(Stopped::Site { problem: error.problem(), detail, is_proven: true })
            }
            _ => self.settle(&page, Finding::Failed(error.problem(), detail)).await,
        }
    }

    /// Fetches a page after the pause that the site wants; once more when it is busy.
    async fn fetch(&mut self, page: &PageToFetch, url: &Url) -> Result<Fetched, FetchError> {
        let is_read = matches!(page.state, WebsitePageState::Ready | WebsitePageState::Missing);
        let validators = Validators {
            etag: page.etag.as_deref().filter(|_| is_read),
            last_modified: page.last_modified.as_deref().filter(|_| is_read),
        };
        tokio::time::sleep(self.delay).await;
        let scope = &self.scope;
        let fetched = self.fetcher.get(url, validators, &|url| scope.admits(url)).await?;
        if !matches!(fetched.status, 429 | 503) {
            return Ok(fetched);
        }
        let pause = fetched.retry_after().unwrap_or(RETRY_PAUSE).min(MAX_RETRY_PAUSE);
        tokio::time::sleep(pause.max(self.delay)).await;
        self.fetcher.get(url, validators, &|url| scope.admits(url)).await
    }

    /// Reads what the preview fetched; says whether it was there.
    async fn take_kept(&mut self, page: &PageToFetch, url: &Url) -> Result<bool, Stopped> {
        let mut tx = self.running.begin().await?;
        let kept = pages::body(&mut tx, self.running.job.tenant, page.id).await?;
        self.running.commit(tx).await?;
        let Some((kept_type, body)) = kept else { return Ok(false) };
        let sandbox = &self.running.app.settings.sandbox;
        let Look { finding, links } = page::look_at_kept(sandbox, (&kept_type, &body), url, &self.scope).await?;
        if page.depth < self.website.settings.max_depth {
            self.discover(&links, page.depth + 1).await?;
        }
        let version = Version {
            title: &page.title,
            etag: page.etag.as_deref(),
            last_modified: page.last_modified.as_deref(),
            content_hash: page.content_hash.as_deref(),
        };
        match finding {
            Finding::Readable { document, .. } => self.store(page, &document, version).await?,
            other => self.settle(page, other).await?,
        }
        Ok(true)
    }

    /// What an answer makes of a page, and of the one that it led on to.
    async fn take(&mut self, page: PageToFetch, url: &Url, fetched: Fetched) -> Result<(), Stopped> {
        self.count(&fetched).await?;
        let Some(reached) = scope::normal(fetched.url.clone()) else {
            return self.settle(&page, Finding::LeftOut(WebsiteProblem::Redirect, fetched.url.to_string())).await;
        };
        if reached == *url {
            return self.take_answer(page, &reached, fetched).await;
        }
        self.settle(&page, Finding::LeftOut(WebsiteProblem::Redirect, reached.to_string())).await?;
        if !self.scope.is_included(&reached) {
            return Ok(());
        }
        let mut tx = self.running.begin().await?;
        let known = pages::claim(
            &mut tx,
            self.running.job.tenant,
            self.place(),
            (reached.as_str(), page.depth),
            self.running.job.id,
        );
        let known = known.await?;
        self.running.commit(tx).await?;
        match known {
            Some(page) => self.take_answer(page, &reached, fetched).await,
            None => Ok(()),
        }
    }

    async fn take_answer(&mut self, page: PageToFetch, url: &Url, fetched: Fetched) -> Result<(), Stopped> {
        let expected = Expected {
            scope: &self.scope,
            missing_hash: self.missing_hash.as_deref(),
            language: &self.chatbot.language,
        };
        let sandbox = &self.running.app.settings.sandbox;
        let Look { finding, links } = page::look(sandbox, &fetched, url, &expected).await?;
        if page.depth < self.website.settings.max_depth {
            self.discover(&links, page.depth + 1).await?;
        }
        let Finding::Readable { document, file_type } = finding else { return self.settle(&page, finding).await };
        let version = Version {
            title: &document.title,
            etag: fetched.header(&http::header::ETAG),
            last_modified: fetched.header(&http::header::LAST_MODIFIED),
            content_hash: Some(&document.content_hash),
        };
        if was_read(&page) && page.content_hash.as_deref() == version.content_hash {
            return self.settle_as(&page, Finding::Unchanged, Some(version)).await;
        }
        if let Some(other) = self.same_content(&page, &document).await? {
            return self.settle(&page, Finding::LeftOut(WebsiteProblem::Duplicate, other)).await;
        }
        if self.website.is_approved {
            return self.store(&page, &document, version).await;
        }
        let mut tx = self.running.begin().await?;
        let (tenant, kept) = (self.running.job.tenant, page::kept_type(&fetched, file_type));
        pages::keep_body(&mut tx, tenant, self.chatbot.id, page.id, (&kept, &fetched.body)).await?;
        let outcome =
            Outcome { state: WebsitePageState::Found, problem: None, version: Some(version), is_changed: false };
        pages::settle(&mut tx, tenant, (page.id, self.running.job.id), &outcome).await?;
        Ok(self.running.commit(tx).await?)
    }

    async fn discover(&self, links: &[String], depth: i32) -> Result<(), Stopped> {
        if links.is_empty() {
            return Ok(());
        }
        let mut tx = self.running.begin().await?;
        discover(&mut tx, self.running, &self.website, links, depth).await?;
        Ok(self.running.commit(tx).await?)
    }

    async fn count(&self, fetched: &Fetched) -> Result<(), Stopped> {
        let tally = Tally { fetched_bytes: i64::try_from(fetched.wire_bytes).unwrap_or(i64::MAX), ..Tally::default() };
        let mut tx = self.running.begin().await?;
        websites::add(&mut tx, self.running.job.tenant, self.website.source, tally).await?;
        Ok(self.running.commit(tx).await?)
    }

    async fn same_content(&self, page: &PageToFetch, document: &Document) -> Result<Option<String>, Stopped> {
        let mut tx = self.running.begin().await?;
        let place = (self.website.source, page.id);
        let other = pages::with_content(&mut tx, self.running.job.tenant, place, &document.content_hash).await?;
        self.running.commit(tx).await?;
        Ok(other)
    }

    /// Embeds a page and replaces its former version.
    async fn store(&self, page: &PageToFetch, document: &Document, version: Version<'_>) -> Result<(), Stopped> {
        let (app, tenant) = (&self.running.app, self.running.job.tenant);
        let embedded = match indexing::embed(app, (tenant, self.chatbot.id), document).await {
            Ok(embedded) => embedded,
            Err(error) => return self.settle(page, unindexable(error)?).await,
        };
        vector_sync::upsert(app, self.collection(), &embedded.model, &embedded.passages).await?;
        let place = indexing::Place { tenant, chatbot: self.chatbot.id, source: self.website.source, upload: None };
        let mut tx = self.running.begin().await?;
        let former = match indexing::replace(app, &mut tx, place, document, &embedded).await {
            Ok(former) => former,
            Err(error) => {
                tx.discard().await?;
                return self.settle(page, unindexable(error)?).await;
            }
        };
        let added = [
            (Quota::Pages, i64::from(!was_read(page))),
            (Quota::Passages, i64::from(number_of(&embedded.passages)) - i64::from(number_of(&former))),
        ];
        pages::take_body(&mut tx, tenant, page.id).await?;
        let outcome =
            Outcome { state: WebsitePageState::Ready, problem: None, version: Some(version), is_changed: true };
        pages::settle(&mut tx, tenant, (page.id, self.running.job.id), &outcome).await?;
        let tally = if was_read(page) {
            Tally { pages_changed: 1, ..Tally::default() }
        } else {
            Tally { pages_added: 1, ..Tally::default() }
        };
        websites::add(&mut tx, tenant, self.website.source, tally).await?;
        if let Some(exceeded) = usage::exceeded(app, &mut tx, tenant, &added).await? {
            tx.discard().await?;
            return self.settle(page, beyond(exceeded)).await;
        }
        self.running.commit(tx).await?;
        vector_sync::remove(app, self.collection(), &former).await;
        Ok(())
    }

    /// The quota of which nothing is left for a page that was not read before.
    async fn full(&self) -> Result<Option<Exceeded>, Stopped> {
        let mut tx = self.running.begin().await?;
        let tenant = self.running.job.tenant;
        let full = usage::used_up(&self.running.app, &mut tx, tenant, &[Quota::Pages, Quota::Passages]).await?;
        self.running.commit(tx).await?;
        Ok(full)
    }

    async fn settle(&self, page: &PageToFetch, finding: Finding) -> Result<(), Stopped> {
        self.settle_as(page, finding, None).await
    }

    /// Writes what became of a page. The document of one that is left out, or gone for the second time, is removed.
    async fn settle_as(
        &self,
        page: &PageToFetch,
        finding: Finding,
        version: Option<Version<'_>>,
    ) -> Result<(), Stopped> {
        let tenant = self.running.job.tenant;
        let state = page::state_of(&finding, was_read(page));
        let is_gone_for_good = matches!(finding, Finding::Gone(..)) && page.is_long_missing;
        let is_dead_link =
            matches!(finding, Finding::Gone(WebsiteProblem::NotFound, _)) && page.state == WebsitePageState::Failed;
        let mut tx = self.running.begin().await?;
        let mut former = Vec::new();
        if is_gone_for_good || state == WebsitePageState::LeftOut {
            former = documents::remove(&mut tx, tenant, self.chatbot.id, self.website.source, &page.url).await?;
            let tally = Tally { pages_removed: i32::from(was_read(page)), ..Tally::default() };
            websites::add(&mut tx, tenant, self.website.source, tally).await?;
        }
        if is_gone_for_good || is_dead_link {
            pages::delete(&mut tx, tenant, page.id).await?;
        } else {
            let problem = match &finding {
                Finding::LeftOut(problem, detail)
                | Finding::Gone(problem, detail)
                | Finding::Failed(problem, detail) => Some((*problem, detail.as_str())),
                Finding::Unchanged | Finding::Readable { .. } => None,
            };
            let outcome = Outcome { state, problem, version, is_changed: false };
            pages::settle(&mut tx, tenant, (page.id, self.running.job.id), &outcome).await?;
        }
        self.running.commit(tx).await?;
        vector_sync::remove(&self.running.app, self.collection(), &former).await;
        Ok(())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            source: self.website.source,
            job: self.running.job.id,
            only_missing: self.payload.only_missing,
            confirm_minutes: self.settings().confirm_gone_minutes,
        }
    }

    fn settings(&self) -> &CrawlSettings {
        &self.running.app.settings.crawl
    }

    fn place(&self) -> (contract::ChatbotId, SourceId) {
        (self.chatbot.id, self.website.source)
    }

    fn collection(&self) -> Collection {
        Collection { tenant: self.running.job.tenant, chatbot: self.chatbot.id }
    }
}

/// Asks the site, and notes what it said with the pages that it lists; gives its first page as well.
async fn prepare(
    running: &Running,
    fetcher: &mut Fetcher,
    website: &Website,
    payload: Payload,
) -> Result<(Prepared, Fetched), Stopped> {
    let known = first_page(running, website).await?;
    // A page that proves whose the site is has to be seen again.
    let is_proof = !matches!(website.proven_by, Some(WebsiteProof::File | WebsiteProof::Operator));
    let known = known.filter(|page| !is_proof && was_read(page));
    let validators = Validators {
        etag: known.as_ref().and_then(|page| page.etag.as_deref()),
        last_modified: known.as_ref().and_then(|page| page.last_modified.as_deref()),
    };
    let site = prepare::ask(running, fetcher, website, validators).await?;
    let state = if website.is_approved { WebsiteState::Reading } else { WebsiteState::Previewing };
    let origin = Url::parse(&site.prepared.origin).map_err(|_| Stopped::site(WebsiteProblem::Malformed, ""))?;
    let scope = Scope { origin, robots: Robots::parse(&site.prepared.robots), settings: website.settings.clone() };
    let listed: Vec<String> =
        site.listed.iter().filter_map(|link| scope.link(&site.first.url, link)).map(String::from).collect();
    let mut tx = running.begin().await?;
    websites::set_prepared(&mut tx, running.job.tenant, website.source, &site.prepared, (site.proof, state)).await?;
    let bytes = i64::try_from(site.bytes - site.first.wire_bytes).unwrap_or_default();
    let tally = Tally { fetched_bytes: bytes, ..Tally::default() };
    websites::add(&mut tx, running.job.tenant, website.source, tally).await?;
    if website.settings.max_depth > 0 && !payload.only_missing {
        discover(&mut tx, running, website, &listed, 1).await?;
    }
    running.commit(tx).await?;
    Ok((site.prepared, site.first))
}

async fn first_page(running: &Running, website: &Website) -> Result<Option<PageToFetch>, Stopped> {
    let Some(url) = scope::parse_start(&website.url) else { return Ok(None) };
    let mut tx = running.begin().await?;
    let place = (website.source, url.as_str());
    let page = pages::unseen(&mut tx, running.job.tenant, place, running.job.id).await?;
    running.commit(tx).await?;
    Ok(page)
}

/// Notes pages that were found.
async fn discover(
    tx: &mut WriteTx,
    running: &Running,
    website: &Website,
    links: &[String],
    depth: i32,
) -> Result<(), Stopped> {
    let mut links = links.to_vec();
    links.sort();
    links.dedup();
    let tenant = running.job.tenant;
    let place = (website.chatbot, website.source);
    let without_room = pages::discover(tx, tenant, place, (&links, depth), website.settings.max_pages).await?;
    if without_room > 0 {
        websites::set_page_limit(tx, tenant, website.source).await?;
    }
    Ok(())
}

/// What is said of a page that a quota keeps out. A version that was read before stays.
fn beyond(exceeded: Exceeded) -> Finding {
    Finding::Failed(exceeded.website_problem(), exceeded.detail())
}

fn was_read(page: &PageToFetch) -> bool {
    matches!(page.state, WebsitePageState::Ready | WebsitePageState::Missing)
}

/// What is said of a page that cannot be embedded or stored.
fn unindexable(error: IndexingError) -> Result<Finding, Stopped> {
    if error.is_of_one_document() {
        return Ok(Finding::Failed(WebsiteProblem::Malformed, error.to_string()));
    }
    Err(Stopped::Job(Error::Temporary(error.to_string())))
}

fn number_of<T>(items: &[T]) -> i32 {
    i32::try_from(items.len()).unwrap_or(i32::MAX)
}

fn number(count: i64) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
