//! Writes the result of a page: its document, or why it has none.

use contract::{
    usage::Quota,
    websites::{WebsitePageState, WebsiteProblem},
};
use rag::document::Document;
use store::{
    documents,
    websites::{
        self, CrawlCounts,
        pages::{self, PageToFetch, Version, VisitOutcome},
    },
};

use super::{Crawl, was_read};
use crate::service::{
    jobs::running::Error,
    knowledge::{
        Error as IndexingError, indexing, vector_sync,
        websites::{
            Stopped,
            page::{self, Finding},
        },
    },
    usage::{self, Exceeded},
};

impl Crawl<'_> {
    /// Embeds a page and replaces its former version.
    pub(super) async fn store(
        &self,
        page: &PageToFetch,
        document: &Document,
        version: Version<'_>,
    ) -> Result<(), Stopped> {
        let (app, tenant) = (&self.running.app, self.running.job.tenant);
        let owner =
            indexing::DocumentOwner { tenant, chatbot: self.chatbot.id, source: self.website.source, upload: None };
        let embedded = match indexing::embed(app, owner, document).await {
            Ok(embedded) => embedded,
            Err(error) => return self.settle(page, unindexable(error)?).await,
        };
        vector_sync::upsert(app, self.collection(), &embedded.model, &embedded.passages).await?;
        let mut tx = self.running.begin().await?;
        let former = match indexing::replace(app, &mut tx, owner, document, &embedded).await {
            Ok(replaced) => replaced.former,
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
            VisitOutcome { state: WebsitePageState::Ready, problem: None, version: Some(version), is_changed: true };
        pages::settle(&mut tx, tenant, (page.id, self.running.job.id), &outcome).await?;
        let counts = if was_read(page) {
            CrawlCounts { pages_changed: 1, ..CrawlCounts::default() }
        } else {
            CrawlCounts { pages_added: 1, ..CrawlCounts::default() }
        };
        websites::add(&mut tx, tenant, self.website.source, counts).await?;
        if let Some(exceeded) = usage::exceeded(app, &mut tx, tenant, &added).await? {
            tx.discard().await?;
            return self.settle(page, beyond(exceeded)).await;
        }
        self.running.commit(tx).await?;
        vector_sync::remove(app, self.collection(), &former).await;
        Ok(())
    }

    /// The exhausted quota for a page that was not read before.
    pub(super) async fn full(&self) -> Result<Option<Exceeded>, Stopped> {
        let mut tx = self.running.begin().await?;
        let tenant = self.running.job.tenant;
        let full = usage::used_up(&self.running.app, &mut tx, tenant, &[Quota::Pages, Quota::Passages]).await?;
        self.running.commit(tx).await?;
        Ok(full)
    }

    pub(super) async fn settle(&self, page: &PageToFetch, finding: Finding) -> Result<(), Stopped> {
        self.settle_as(page, finding, None).await
    }

    /// Writes the result of a page. Removes its document when the page is excluded, or missing for the second time.
    pub(super) async fn settle_as(
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
        let is_dead_link = is_dead_link && page.is_old;
        let mut tx = self.running.begin().await?;
        let mut former = Vec::new();
        if is_gone_for_good || state == WebsitePageState::LeftOut {
            former = documents::remove(&mut tx, tenant, self.chatbot.id, self.website.source, &page.url).await?;
            let counts = CrawlCounts { pages_removed: i32::from(was_read(page)), ..CrawlCounts::default() };
            websites::add(&mut tx, tenant, self.website.source, counts).await?;
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
            let outcome = VisitOutcome { state, problem, version, is_changed: false };
            pages::settle(&mut tx, tenant, (page.id, self.running.job.id), &outcome).await?;
        }
        self.running.commit(tx).await?;
        vector_sync::remove(&self.running.app, self.collection(), &former).await;
        Ok(())
    }
}

/// The finding for a page that exceeds a quota. A version that was read before stays.
pub(super) fn beyond(exceeded: Exceeded) -> Finding {
    Finding::Failed(exceeded.website_problem(), exceeded.detail())
}

/// The finding for a page that cannot be embedded or stored.
fn unindexable(error: IndexingError) -> Result<Finding, Stopped> {
    if error.is_of_one_document() {
        return Ok(Finding::Failed(WebsiteProblem::Malformed, error.to_string()));
    }
    Err(Stopped::Job(Error::Temporary(error.to_string())))
}

fn number_of<T>(items: &[T]) -> i32 {
    i32::try_from(items.len()).unwrap_or(i32::MAX)
}
