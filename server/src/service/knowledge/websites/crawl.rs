//! The job that visits a website: first the site's metadata, then one page after another. The result of a page is
//! written in one transaction with its document, so that a killed attempt continues with the next page. After a minute
//! the job lets others go first and continues in its turn.

mod compared;
mod discovery;
mod outcome;
mod preparation;
mod sitemaps;
mod visit;

use std::time::Duration;

use contract::{
    audit::actions,
    chatbots::{Chatbot, ChatbotStatus},
    id::SourceId,
    websites::{WebsitePageState, WebsiteProblem, WebsiteState},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{
    Actor, AuditEntry, WriteTx,
    jobs::Job,
    vectors::Collection,
    websites::{
        self, CrawlCounts, Ending, Website,
        pages::{self, PageSelection, PageToFetch},
    },
};
use url::Url;

use self::{compared::Compared, preparation::prepare, sitemaps::Sitemaps};
use super::{
    Stopped,
    fetch::{Fetched, Fetcher},
    page_url,
    robots::Robots,
    scope::Scope,
};
use crate::{
    auth::TENANT_REALM,
    service::{
        jobs::running::{Error, Running},
        knowledge::vector_sync,
    },
    state::CrawlSettings,
};

/// How long a job runs before it lets the other websites of its tenant go first; other tenants wait for less.
const SLICE: Duration = Duration::from_secs(60);
/// The user of the audit log for scheduled jobs.
const SCHEDULE: &str = "schedule";

/// The payload of the job.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Payload {
    pub source: SourceId,
    /// Only pages that have been missing for long.
    pub only_missing: bool,
}

fn payload(job: &Job) -> Option<Payload> {
    serde_json::from_value(job.payload.clone()).ok()
}

/// Visits the website of a job.
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
    let (source, only_missing) = (website.source, payload.only_missing);
    let crawl = async {
        if chatbot.status == ChatbotStatus::Deactivated {
            return Err(Stopped::site(WebsiteProblem::ChatbotNotActive, "the chatbot is deactivated"));
        }
        let (mut crawl, sitemaps) = Crawl::begin(running, payload, website, chatbot).await?;
        if crawl.read_sitemaps(sitemaps).await? { crawl.visit_pages().await } else { Ok(()) }
    };
    match crawl.await {
        Ok(()) => Ok(()),
        Err(Stopped::Job(error)) => Err(error),
        Err(Stopped::Unproven) => {
            let state = WebsiteState::Unproven;
            let ending = Ending { state, problem: None, is_proven: false, is_whole: false, only_missing };
            tracing::info!(%source, "websites.not_proven");
            end(running, source, &ending).await
        }
        Err(Stopped::Site { problem, detail, is_proven }) => {
            let problem = Some((problem, detail.as_str()));
            let state = WebsiteState::Failed;
            let ending = Ending { state, problem, is_proven, is_whole: false, only_missing };
            end(running, source, &ending).await
        }
    }
}

/// Records that the attempts for a website are used up.
pub async fn give_up(tx: &mut WriteTx, job: &Job) -> store::Result<()> {
    let Some(payload) = payload(job) else { return Ok(()) };
    let website = websites::lock(tx, job.tenant, payload.source).await?;
    if website.is_some_and(|website| website.job == Some(job.id)) {
        let why = "every attempt to read the website failed; the server's log says why";
        let problem = Some((WebsiteProblem::GivenUp, why));
        let (state, only_missing) = (WebsiteState::Failed, payload.only_missing);
        let ending = Ending { state, problem, is_proven: true, is_whole: false, only_missing };
        websites::end(tx, job.tenant, payload.source, &ending).await?;
    }
    Ok(())
}

/// Ends the job, with an audit row if the chatbot's knowledge has changed.
async fn end(running: &Running, source: SourceId, ending: &Ending<'_>) -> Result<(), Error> {
    let tenant = running.job.tenant;
    let mut tx = running.begin().await?;
    let Some(website) = websites::lock(&mut tx, tenant, source).await? else { return running.finish(tx).await };
    let CrawlCounts { pages_added, pages_changed, pages_removed, .. } = website.counts;
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
    unreachable: usize,
    compared: Compared,
}

impl<'a> Crawl<'a> {
    /// Reads the site's metadata, unless an earlier attempt has. Returns the sitemaps that are not read yet as well.
    async fn begin(
        running: &'a Running,
        payload: Payload,
        website: Website,
        chatbot: Chatbot,
    ) -> Result<(Self, Sitemaps), Stopped> {
        let settings = &running.app.settings.crawl;
        let mut fetcher = Fetcher::new(settings.fetch_rules());
        // Only a job that a user waits for starts without a pause.
        if website.requested_by.is_none()
            && let Some(start) = page_url::parse_start(&website.url)
        {
            fetcher.record_request(&start);
        }
        if website.is_approved {
            vector_sync::repair(&running.app, Collection { tenant: running.job.tenant, chatbot: chatbot.id }).await?;
        }
        let (prepared, sitemaps, first) = match website.prepared.clone() {
            Some(prepared) => (prepared, running.checkpoint().await?.unwrap_or_default(), None),
            None => {
                let (prepared, sitemaps, first) = prepare(running, &mut fetcher, &website, payload).await?;
                (prepared, sitemaps, Some(first))
            }
        };
        let origin = Url::parse(&prepared.origin)
            .map_err(|_| Stopped::site(WebsiteProblem::Unreachable, "the address is none of a website"))?;
        let robots = Robots::parse(&prepared.robots);
        fetcher.set_delay(&origin, robots.delay().unwrap_or_default());
        if first.is_none() {
            fetcher.record_request(&origin);
        }
        let scope = Scope { origin, robots, settings: website.settings.clone(), dropped: Vec::new() };
        let mut crawl = Self {
            running,
            payload,
            website,
            chatbot,
            fetcher,
            scope,
            missing_hash: prepared.missing_hash,
            unreachable: 0,
            compared: Compared::default(),
        };
        if let Some(first) = first.filter(|_| !payload.only_missing) {
            crawl.take_first(first).await?;
        }
        Ok((crawl, sitemaps))
    }

    /// Stores the first page, which was fetched together with the proof.
    async fn take_first(&mut self, first: Fetched) -> Result<(), Stopped> {
        let Some(url) = page_url::normal(first.url.clone()) else { return Ok(()) };
        match self.claim(&url, 0).await? {
            Some(page) => self.take(page, &url, first).await,
            None => Ok(()),
        }
    }

    /// Visits pages until none is left, or the time is over.
    async fn visit_pages(mut self) -> Result<(), Stopped> {
        loop {
            let mut tx = self.running.begin().await?;
            let tenant = self.running.job.tenant;
            let website = websites::lock(&mut tx, tenant, self.website.source).await?;
            let Some(website) = website.filter(|website| !website.is_paused) else {
                return Ok(self.running.finish(tx).await?);
            };
            let page = pages::next(&mut tx, tenant, self.selection()).await?;
            let (visited, total) =
                pages::count_visited(&mut tx, tenant, self.website.source, self.running.job.id).await?;
            store::jobs::set_progress(&mut tx, &self.running.job, number(visited), Some(number(total))).await?;
            self.running.commit(tx).await?;
            let is_enough = !self.website.is_approved && visited >= self.settings().preview_pages;
            let Some(page) = page.filter(|_| !is_enough) else {
                self.store_held().await?;
                if self.ignore_canonicals().await? {
                    continue;
                }
                return self.finish(None).await;
            };
            if self.is_over(&website) {
                self.store_held().await?;
                return self.finish(Some(WebsiteProblem::RunLimit)).await;
            }
            if self.running.has_run_for(SLICE) || self.running.should_yield(self.running.slice()).await? {
                self.store_held().await?;
                return Ok(self.running.requeue().await?);
            }
            self.visit(page).await?;
        }
    }

    fn is_over(&self, website: &Website) -> bool {
        let settings = self.settings();
        website.counts.fetched_bytes > settings.max_bytes || website.running_seconds > settings.max_minutes * 60
    }

    /// Whether pages are visited again because the originals that they name are none.
    async fn ignore_canonicals(&self) -> Result<bool, Stopped> {
        if self.payload.only_missing {
            return Ok(false);
        }
        let (tenant, job) = (self.running.job.tenant, self.running.job.id);
        let mut tx = self.running.begin().await?;
        let pages = pages::ignore_canonicals(&mut tx, tenant, self.website.source, job).await?;
        self.running.commit(tx).await?;
        Ok(pages > 0)
    }

    /// Refuses the visit when most pages have turned alike or empty, or into a login or a bot check. Everything that was
    /// read stays.
    async fn check_pages(&self) -> Result<(), Stopped> {
        let (tenant, source, job) = (self.running.job.tenant, self.website.source, self.running.job.id);
        let mut tx = self.running.begin().await?;
        let counts = pages::turned(&mut tx, tenant, source, job).await?;
        let problem = counts.problem().filter(|_| !self.payload.only_missing);
        if problem.is_some() {
            pages::keep_turned(&mut tx, tenant, source, job).await?;
        }
        self.running.commit(tx).await?;
        let Some(problem) = problem else { return Ok(()) };
        let detail = format!("{} of {} pages do not show their own text", counts.turned, counts.all);
        Err(Stopped::Site { problem, detail, is_proven: true })
    }

    async fn finish(self, problem: Option<WebsiteProblem>) -> Result<(), Stopped> {
        self.check_pages().await?;
        let state = if self.website.is_approved { WebsiteState::Ready } else { WebsiteState::Previewed };
        let only_missing = self.payload.only_missing;
        let is_whole = problem.is_none() && !only_missing;
        let problem = problem.map(|problem| (problem, ""));
        let ending = Ending { state, problem, is_proven: true, is_whole, only_missing };
        Ok(end(self.running, self.website.source, &ending).await?)
    }

    fn selection(&self) -> PageSelection {
        PageSelection {
            source: self.website.source,
            job: self.running.job.id,
            only_missing: self.payload.only_missing,
            confirm_minutes: self.settings().confirm_gone_minutes,
            except: self.compared.unsettled_page(),
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

fn was_read(page: &PageToFetch) -> bool {
    matches!(page.state, WebsitePageState::Ready | WebsitePageState::Missing)
}

fn number(count: i64) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
