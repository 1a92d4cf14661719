//! Reads the site's metadata before its pages are visited, and the pages that it lists.

use contract::websites::{WebsiteProblem, WebsiteProof, WebsiteState};
use store::{
    WriteTx,
    websites::{
        self, CrawlCounts, Prepared, Website,
        pages::{self, PageToFetch},
    },
};
use url::Url;

use super::{Payload, was_read};
use crate::service::{
    jobs::running::Running,
    knowledge::websites::{
        Stopped,
        fetch::{Fetched, Fetcher, Validators},
        prepare,
        robots::Robots,
        scope::{self, Scope},
    },
};

/// Addresses that one statement looks up and adds.
const SLICE: usize = 5000;

/// Reads the site's metadata and stores it with the listed pages; returns the site's first page as well.
pub(super) async fn prepare(
    running: &Running,
    fetcher: &mut Fetcher,
    website: &Website,
    payload: Payload,
) -> Result<(Prepared, Fetched), Stopped> {
    let known = first_page(running, website).await?;
    // A page that proves the ownership must be fetched again.
    let is_proof =
        !matches!(website.proven_by, Some(WebsiteProof::File | WebsiteProof::DnsTxt | WebsiteProof::Operator));
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
        site.listed.into_iter().filter_map(|link| scope.link(&site.first.url, &link)).map(String::from).collect();
    let mut tx = running.begin().await?;
    websites::set_prepared(&mut tx, running.job.tenant, website.source, &site.prepared, (site.proof, state)).await?;
    let bytes = i64::try_from(site.bytes - site.first.wire_bytes).unwrap_or_default();
    let counts = CrawlCounts { fetched_bytes: bytes, ..CrawlCounts::default() };
    websites::add(&mut tx, running.job.tenant, website.source, counts).await?;
    if website.settings.max_depth > 0 && !payload.only_missing {
        discover(&mut tx, running, website, listed, 1).await?;
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

/// Records pages that were found.
pub(super) async fn discover(
    tx: &mut WriteTx,
    running: &Running,
    website: &Website,
    mut links: Vec<String>,
    depth: i32,
) -> Result<(), Stopped> {
    links.sort();
    links.dedup();
    let tenant = running.job.tenant;
    let place = (website.chatbot, website.source);
    for slice in links.chunks(SLICE) {
        let without_room = pages::discover(tx, tenant, place, (slice, depth), website.settings.max_pages).await?;
        if without_room > 0 {
            // There is no room for the rest either.
            websites::set_page_limit(tx, tenant, website.source).await?;
            break;
        }
    }
    Ok(())
}
