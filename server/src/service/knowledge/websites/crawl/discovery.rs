//! Stores the addresses of pages that a website names.

use std::collections::HashSet;

use contract::websites::WebsiteProblem;
use store::{
    WriteTx,
    websites::{self, Website, pages},
};

use crate::service::{
    jobs::running::Running,
    knowledge::websites::{Stopped, page_url},
};

/// Addresses that one statement looks up and adds.
const SLICE: usize = 5000;

/// Records pages that were found; `false` when there is no room for all of them.
pub(super) async fn discover(
    tx: &mut WriteTx,
    running: &Running,
    website: &Website,
    mut links: Vec<String>,
    depth: i32,
) -> Result<bool, Stopped> {
    links.sort();
    let mut keys = HashSet::new();
    links.retain(|link| keys.insert(page_url::key_of(link)));
    let tenant = running.job.tenant;
    let place = (website.chatbot, website.source);
    for slice in links.chunks(SLICE) {
        let keys: Vec<String> = slice.iter().map(|link| page_url::key_of(link)).collect();
        let found = (slice, keys.as_slice(), depth);
        let without_room = pages::discover(tx, tenant, place, found, website.settings.max_pages).await?;
        if without_room > 0 {
            // There is no room for the rest either.
            websites::set_notice(tx, tenant, website.source, (WebsiteProblem::PageLimit, None)).await?;
            return Ok(false);
        }
    }
    Ok(true)
}
