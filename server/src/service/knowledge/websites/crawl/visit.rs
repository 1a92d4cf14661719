//! A visit to one page: fetched, or taken from the preview, and read in a separate process.

use std::time::Duration;

use contract::{
    usage::Quota,
    websites::{WebsitePageState, WebsiteProblem},
};
use rag::document::Document;
use store::websites::{
    self, CrawlCounts,
    pages::{self, PageToFetch, Version, VisitOutcome},
};
use url::Url;

use super::{Crawl, discovery::discover, outcome::beyond, was_read};
use crate::service::{
    knowledge::websites::{
        Stopped,
        fetch::{FetchError, Fetched, Validators},
        page::{self, Expected, Finding, PageResult},
        page_url,
    },
    usage,
};

/// Consecutive unreachable pages after which the site counts as unreachable.
const MAX_UNREACHABLE: usize = 5;
/// Maximum delay before a page of a busy site is retried.
const MAX_RETRY_PAUSE: Duration = Duration::from_secs(30);
/// The delay when the site requests none.
const RETRY_PAUSE: Duration = Duration::from_secs(2);

impl Crawl<'_> {
    pub(super) async fn visit(&mut self, page: PageToFetch) -> Result<(), Stopped> {
        let Some(url) = Url::parse(&page.url).ok() else {
            return self.settle(&page, Finding::Failed(WebsiteProblem::Malformed, String::new())).await;
        };
        // The first page is always visited, because it links to the others.
        if page.depth > 0 && !self.scope.is_included(&url) {
            return self.settle(&page, Finding::LeftOut(WebsiteProblem::Excluded, String::new())).await;
        }
        if let Err(error) = self.scope.admits(&url) {
            return self.settle(&page, refused(&page, &error)).await;
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
        if !was_read(&page)
            && let Some(plain) = page_url::without(&url, &self.scope.dropped)
        {
            self.discover(vec![plain.to_string()], page.depth).await?;
            return self.settle(&page, Finding::LeftOut(WebsiteProblem::Duplicate, plain.into())).await;
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
            FetchError::OutsideProof(_) => self.settle(&page, refused(&page, error)).await,
            FetchError::OtherHost(_) | FetchError::Robots(_) => {
                self.settle(&page, led_away(&page, error.problem(), detail)).await
            }
            FetchError::Unreachable(_) | FetchError::Certificate(_) | FetchError::NoTls(_) => {
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

    /// Fetches a page; retries once when the site is busy.
    async fn fetch(&mut self, page: &PageToFetch, url: &Url) -> Result<Fetched, FetchError> {
        let is_read = matches!(page.state, WebsitePageState::Ready | WebsitePageState::Missing);
        let validators = Validators {
            etag: page.etag.as_deref().filter(|_| is_read),
            last_modified: page.last_modified.as_deref().filter(|_| is_read),
        };
        let scope = &self.scope;
        let fetched = self.fetcher.get(url, validators, &|url| scope.admits(url)).await?;
        if !matches!(fetched.status, 429 | 503) {
            return Ok(fetched);
        }
        let pause = fetched.retry_after().unwrap_or(RETRY_PAUSE).min(MAX_RETRY_PAUSE);
        tokio::time::sleep(pause).await;
        self.fetcher.get(url, validators, &|url| scope.admits(url)).await
    }

    /// Reads the body that the preview stored; returns whether there was one.
    async fn take_kept(&mut self, page: &PageToFetch, url: &Url) -> Result<bool, Stopped> {
        let mut tx = self.running.begin().await?;
        let stored_body = pages::body(&mut tx, self.running.job.tenant, page.id).await?;
        self.running.commit(tx).await?;
        let Some((kept_type, body)) = stored_body else { return Ok(false) };
        let sandbox = &self.running.app.settings.sandbox;
        let PageResult { finding, links } = page::evaluate_kept(sandbox, (&kept_type, &body), url, &self.scope).await?;
        if page.depth < self.website.settings.max_depth {
            self.discover(links, page.depth + 1).await?;
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

    /// Handles the response for a page, and for the page that it redirects to.
    pub(super) async fn take(&mut self, page: PageToFetch, url: &Url, fetched: Fetched) -> Result<(), Stopped> {
        self.count(&fetched).await?;
        let Some(reached) = page_url::normal(fetched.url.clone()) else {
            return self.settle(&page, Finding::LeftOut(WebsiteProblem::Redirect, fetched.url.to_string())).await;
        };
        if reached == *url {
            let result = self.evaluate(&reached, &fetched, page.ignored_canonical.as_deref()).await?;
            if !was_read(&page) && self.take_plain(&page, &reached, &result).await? {
                return Ok(());
            }
            return self.store_result(page, &fetched, result).await;
        }
        if !self.scope.is_included(&reached) {
            return self.settle(&page, led_away(&page, WebsiteProblem::Redirect, reached.to_string())).await;
        }
        match self.claim(&reached, page.depth).await? {
            Some(target) => {
                let result = self.evaluate(&reached, &fetched, target.ignored_canonical.as_deref()).await?;
                self.settle(&page, led_to(&page, &result.finding, reached.to_string())).await?;
                self.store_result(target, &fetched, result).await
            }
            None => self.settle(&page, led_away(&page, WebsiteProblem::Redirect, reached.to_string())).await,
        }
    }

    pub(super) async fn evaluate(
        &self,
        url: &Url,
        fetched: &Fetched,
        ignored_canonical: Option<&str>,
    ) -> Result<PageResult, Stopped> {
        let expected = Expected {
            scope: &self.scope,
            missing_hash: self.missing_hash.as_deref(),
            ignored_canonical,
            language: &self.chatbot.language,
        };
        Ok(page::evaluate(&self.running.app.settings.sandbox, fetched, url, &expected).await?)
    }

    /// Stores the result of a response for its page, and the links that it has.
    pub(super) async fn store_result(
        &mut self,
        page: PageToFetch,
        fetched: &Fetched,
        result: PageResult,
    ) -> Result<(), Stopped> {
        let PageResult { finding, links } = result;
        if page.depth < self.website.settings.max_depth {
            self.discover(links, page.depth + 1).await?;
        }
        let Finding::Readable { document, file_type } = finding else {
            return self.settle(&page, keep_until_second_check(&page, finding)).await;
        };
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
            return self
                .settle(&page, keep_until_second_check(&page, Finding::LeftOut(WebsiteProblem::Duplicate, other)))
                .await;
        }
        if self.website.is_approved && was_read(&page) {
            return self.store_changed(page, document, fetched).await;
        }
        if self.website.is_approved {
            return self.store(&page, &document, version).await;
        }
        let mut tx = self.running.begin().await?;
        let (tenant, body_type) = (self.running.job.tenant, page::kept_type(fetched, file_type));
        // Without its body, the page is fetched again when it is read.
        if usage::used_up(&self.running.app, &mut tx, tenant, &[Quota::Bytes]).await?.is_none() {
            pages::keep_body(&mut tx, tenant, self.chatbot.id, page.id, (&body_type, &fetched.body)).await?;
        }
        let outcome =
            VisitOutcome { state: WebsitePageState::Found, problem: None, version: Some(version), is_changed: false };
        pages::settle(&mut tx, tenant, (page.id, self.running.job.id), &outcome).await?;
        Ok(self.running.commit(tx).await?)
    }

    async fn discover(&self, links: Vec<String>, depth: i32) -> Result<(), Stopped> {
        if links.is_empty() {
            return Ok(());
        }
        let mut tx = self.running.begin().await?;
        discover(&mut tx, self.running, &self.website, links, depth).await?;
        Ok(self.running.commit(tx).await?)
    }

    pub(super) async fn count(&self, fetched: &Fetched) -> Result<(), Stopped> {
        let counts = CrawlCounts {
            fetched_bytes: i64::try_from(fetched.wire_bytes).unwrap_or(i64::MAX),
            ..CrawlCounts::default()
        };
        let mut tx = self.running.begin().await?;
        websites::add(&mut tx, self.running.job.tenant, self.website.source, counts).await?;
        Ok(self.running.commit(tx).await?)
    }

    async fn same_content(&self, page: &PageToFetch, document: &Document) -> Result<Option<String>, Stopped> {
        let mut tx = self.running.begin().await?;
        let place = (self.website.source, page.id);
        let other = pages::with_content(&mut tx, self.running.job.tenant, place, &document.content_hash).await?;
        self.running.commit(tx).await?;
        Ok(other)
    }
}

/// The finding for a page that another one replaces. A version that was read stays until a second check, because a site
/// out of order may name one page for all.
fn keep_until_second_check(page: &PageToFetch, finding: Finding) -> Finding {
    use WebsiteProblem::{Canonical, Duplicate, OtherLanguage, Redirect};
    match finding {
        Finding::LeftOut(problem @ (Canonical | Duplicate | OtherLanguage | Redirect), other) if was_read(page) => {
            Finding::Gone(problem, other)
        }
        finding => finding,
    }
}

/// The finding for a page that may not be requested. A version that was read stays when the proof covers the page no
/// more: the tenant is told, and can prove the whole host.
fn refused(page: &PageToFetch, error: &FetchError) -> Finding {
    if was_read(page) && matches!(error, FetchError::OutsideProof(_)) {
        return Finding::Failed(error.problem(), error.to_string());
    }
    Finding::LeftOut(error.problem(), error.to_string())
}

/// The finding for a page that redirects to another one, by what is found there. Many sites redirect each page to a login or an error
/// page of its own.
fn led_to(page: &PageToFetch, finding: &Finding, reached: String) -> Finding {
    match finding {
        Finding::Unchanged | Finding::Readable { .. } => Finding::LeftOut(WebsiteProblem::Redirect, reached),
        Finding::Failed(problem, detail) if was_read(page) => Finding::Failed(*problem, detail.clone()),
        Finding::Failed(..) | Finding::Gone(..) | Finding::LeftOut(..) => {
            led_away(page, WebsiteProblem::Redirect, reached)
        }
    }
}

/// The finding for a page that redirects to one that is not read instead. During maintenance, or behind a login, a site
/// redirects every page for a while: a version that was read stays until a second check.
fn led_away(page: &PageToFetch, problem: WebsiteProblem, detail: String) -> Finding {
    if was_read(page) { Finding::Gone(problem, detail) } else { Finding::LeftOut(problem, detail) }
}
