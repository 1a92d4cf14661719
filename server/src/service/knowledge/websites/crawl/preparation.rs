//! Reads the site's metadata before its pages are visited.

use contract::websites::{WebsiteProblem, WebsiteProof, WebsiteState};
use store::websites::{
    self, CrawlCounts, Prepared, Website,
    pages::{self, PageToFetch},
};

use super::{Payload, sitemaps::Sitemaps, was_read};
use crate::service::{
    jobs::running::Running,
    knowledge::websites::{
        Stopped,
        fetch::{Fetched, Fetcher, Validators},
        page_url, prepare,
    },
};

/// Reads the site's metadata and stores it, with the sitemaps that are read next; returns these and the site's first
/// page as well.
pub(super) async fn prepare(
    running: &Running,
    fetcher: &mut Fetcher,
    website: &Website,
    payload: Payload,
) -> Result<(Prepared, Sitemaps, Fetched), Stopped> {
    let read_page = first_page(running, website).await?;
    // A page that proves the ownership must be fetched again.
    let is_proof =
        !matches!(website.proven_by, Some(WebsiteProof::File | WebsiteProof::DnsTxt | WebsiteProof::Operator));
    let read_page = read_page.filter(|page| !is_proof && was_read(page));
    let validators = Validators {
        etag: read_page.as_ref().and_then(|page| page.etag.as_deref()),
        last_modified: read_page.as_ref().and_then(|page| page.last_modified.as_deref()),
    };
    let site = prepare::ask(running, fetcher, website, validators).await?;
    let state = if website.is_approved { WebsiteState::Reading } else { WebsiteState::Previewing };
    let sitemaps = if website.settings.max_depth > 0 && !payload.only_missing {
        Sitemaps::of(&site.prepared)
    } else {
        Sitemaps::default()
    };
    let mut tx = running.begin().await?;
    websites::set_prepared(&mut tx, running.job.tenant, website.source, &site.prepared, (site.proof, state)).await?;
    if let Some(why) = &site.without_https {
        let hint = (WebsiteProblem::WithoutHttps, why.as_str());
        websites::set_hint(&mut tx, running.job.tenant, website.source, hint).await?;
    }
    let fetched_bytes = i64::try_from(site.prepared.robots.len()).unwrap_or(i64::MAX);
    let counts = CrawlCounts { fetched_bytes, ..CrawlCounts::default() };
    websites::add(&mut tx, running.job.tenant, website.source, counts).await?;
    running.set_checkpoint(&mut tx, &sitemaps).await?;
    running.commit(tx).await?;
    Ok((site.prepared, sitemaps, site.first))
}

async fn first_page(running: &Running, website: &Website) -> Result<Option<PageToFetch>, Stopped> {
    let Some(url) = page_url::parse_start(&website.url) else { return Ok(None) };
    let mut tx = running.begin().await?;
    let place = (website.source, url.as_str());
    let page = pages::unseen(&mut tx, running.job.tenant, place, running.job.id).await?;
    running.commit(tx).await?;
    Ok(page)
}
