//! Stores the addresses of pages that a website names.

use store::{
    WriteTx,
    websites::{self, Website, pages},
};

use crate::service::{jobs::running::Running, knowledge::websites::Stopped};

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
    links.dedup();
    let tenant = running.job.tenant;
    let place = (website.chatbot, website.source);
    for slice in links.chunks(SLICE) {
        let without_room = pages::discover(tx, tenant, place, (slice, depth), website.settings.max_pages).await?;
        if without_room > 0 {
            // There is no room for the rest either.
            websites::set_page_limit(tx, tenant, website.source).await?;
            return Ok(false);
        }
    }
    Ok(true)
}
