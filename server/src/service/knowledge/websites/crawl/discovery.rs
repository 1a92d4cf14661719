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
    for (number, slice) in links.chunks(SLICE).enumerate() {
        let keys: Vec<String> = slice.iter().map(|link| page_url::key_of(link)).collect();
        let discovered = (slice, keys.as_slice(), depth);
        let without_room = pages::discover(tx, tenant, place, discovered, website.settings.max_pages).await?;
        if without_room > 0 {
            // There is no room for the rest either.
            let rest = links.len().saturating_sub((number + 1) * SLICE);
            let (beyond, listed) = (without_room + i64::try_from(rest).unwrap_or(i64::MAX), links.len());
            let detail = format!("{beyond} of {listed} addresses that were found together did not fit");
            websites::set_notice(tx, tenant, website.source, (WebsiteProblem::PageLimit, Some(&detail))).await?;
            return Ok(false);
        }
    }
    Ok(true)
}
