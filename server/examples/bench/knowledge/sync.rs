//! Measures what a second visit to a website fetches and changes.

use std::{collections::BTreeMap, time::Duration};

use sqlx::PgConnection;

use super::{
    german,
    site::{Site, path},
    website::{Website, settings},
    world::World,
};
use crate::{Result, figures::setting};

/// Pages that change, and pages that go.
const CHANGED: [u64; 3] = [1, 2, 3];
const GONE: [u64; 2] = [4, 5];

/// Measures and prints, for a site of `BENCH_PAGES_SYNCED` pages (500).
pub(super) async fn run() -> Result<()> {
    let pages = setting("BENCH_PAGES_SYNCED", 500).max(20);
    let world = World::start(&settings()).await?;
    let mut superuser = world.database.superuser().await?;
    let tenant = world.tenant("town", "de").await?;
    let site = Site::start(tenant.chatbot, pages).await?;
    let website = Website::add(&tenant, &site.url, pages).await?;
    website.until("previewed").await?;
    let took = website.sync().await?;
    show("first sync, after its preview", took, &site, &mut superuser).await?;
    for number in CHANGED {
        site.set(path(number), german::page(number, 1));
    }
    for number in GONE {
        site.remove(&path(number));
    }
    let took = website.sync().await?;
    show("second sync, 3 changed, 2 gone", took, &site, &mut superuser).await?;
    let took = website.sync().await?;
    show("third sync, 2 still gone", took, &site, &mut superuser).await
}

/// A line with what the site answered, and what the chatbot knows then.
async fn show(name: &str, took: Duration, site: &Site, superuser: &mut PgConnection) -> Result<()> {
    let (documents, changed): (i64, i64) =
        sqlx::query_as("select count(*), count(*) filter (where version > 1) from documents")
            .fetch_one(superuser)
            .await?;
    let answers: BTreeMap<u16, u64> = site.take_answers();
    let of = |status: u16| answers.get(&status).copied().unwrap_or_default();
    println!(
        "{name:<32} {:>7.1} s   pages answered 200: {:>4}   304: {:>4}   404: {:>4}   documents {documents}, of them changed {changed}",
        took.as_secs_f64(),
        of(200),
        of(304),
        of(404),
    );
    Ok(())
}
