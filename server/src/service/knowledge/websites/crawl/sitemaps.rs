//! The pages in the site's sitemaps. They are stored after each sitemap, so that no more than one is in memory, and others
//! may go first.

use contract::websites::WebsiteProblem;
use serde::{Deserialize, Serialize};
use store::websites::{self, CrawlCounts, Prepared};
use url::Url;

use super::{Crawl, discovery::discover};
use crate::service::knowledge::websites::{
    Stopped,
    fetch::{Validators, gunzip},
    prepare::stays,
    robots::Robots,
    sitemap::Sitemap,
};

/// Maximum sitemaps of one site.
const MAX_SITEMAPS: usize = 20;
/// Maximum bytes of a sitemap.
const MAX_SITEMAP_BYTES: usize = 10_000_000;
/// Maximum bytes of the address of a sitemap (sitemaps.org).
const MAX_ADDRESS: usize = 2048;

/// The checkpoint of the job: sitemaps that are known, and how many of them were read.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Sitemaps {
    places: Vec<String>,
    done: usize,
    /// Addresses in the sitemaps, and those of other hosts among them.
    #[serde(default)]
    listed: usize,
    #[serde(default)]
    foreign: usize,
}

impl Sitemaps {
    /// Those that robots.txt names, or the usual one.
    pub(super) fn of(prepared: &Prepared) -> Self {
        let mut sitemaps = Self::default();
        let robots_sitemaps = Robots::parse(&prepared.robots).sitemaps;
        sitemaps.add(if robots_sitemaps.is_empty() { vec!["/sitemap.xml".to_owned()] } else { robots_sitemaps });
        sitemaps
    }

    /// Adds sitemaps that a sitemap lists, as far as they are fetched: it may list 50,000.
    fn add(&mut self, listed: Vec<String>) {
        for place in listed {
            if self.places.len() >= MAX_SITEMAPS {
                return;
            }
            if place.len() <= MAX_ADDRESS && !self.places.contains(&place) {
                self.places.push(place);
            }
        }
    }
}

impl Crawl<'_> {
    /// Stores the pages that the sitemaps list, until the website has as many as it may have. Unreadable sitemaps are
    /// skipped. Returns `false` when others go first.
    pub(super) async fn read_sitemaps(&mut self, mut sitemaps: Sitemaps) -> Result<bool, Stopped> {
        while let Some(place) = sitemaps.places.get(sitemaps.done).cloned() {
            let (sitemap, bytes) = self.fetch_sitemap(&place).await;
            sitemaps.done += 1;
            let base = self.scope.origin.clone();
            let is_foreign =
                |link: &&String| base.join(link).is_ok_and(|url| !self.scope.is_own(&self.scope.on_host(url)));
            sitemaps.foreign += sitemap.pages.iter().chain(&sitemap.sitemaps).filter(is_foreign).count();
            sitemaps.listed += sitemap.pages.len() + sitemap.sitemaps.len();
            sitemaps.add(sitemap.sitemaps);
            let links = sitemap.pages.into_iter().filter_map(|link| self.scope.link(&base, &link)).map(String::from);
            let links: Vec<String> = links.collect();
            let (tenant, source) = (self.running.job.tenant, self.website.source);
            let mut tx = self.running.begin().await?;
            let fetched_bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
            websites::add(&mut tx, tenant, source, CrawlCounts { fetched_bytes, ..CrawlCounts::default() }).await?;
            let is_last = sitemaps.done == sitemaps.places.len();
            if is_last && sitemaps.foreign * 2 > sitemaps.listed {
                let (foreign, listed) = (sitemaps.foreign, sitemaps.listed);
                let detail = format!("{foreign} of {listed} addresses in the sitemaps are of another host");
                websites::set_notice(&mut tx, tenant, source, (WebsiteProblem::OtherHost, Some(&detail))).await?;
            }
            if !discover(&mut tx, self.running, &self.website, links, 1).await? {
                sitemaps.done = sitemaps.places.len();
            }
            self.running.set_checkpoint(&mut tx, &sitemaps).await?;
            self.running.commit(tx).await?;
            if sitemaps.done < sitemaps.places.len() && self.running.should_yield(self.running.slice()).await? {
                self.running.requeue().await?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A sitemap, and the bytes on the wire.
    async fn fetch_sitemap(&mut self, place: &str) -> (Sitemap, u64) {
        let origin = self.scope.origin.clone();
        let Ok(place) = origin.join(place).map(|place| self.scope.on_host(place)) else {
            return (Sitemap::default(), 0);
        };
        let stays = |url: &Url| stays(&origin, url);
        let Ok(fetched) = self.fetcher.get(&place, Validators::default(), &stays).await else {
            return (Sitemap::default(), 0);
        };
        if fetched.status != 200 {
            return (Sitemap::default(), fetched.wire_bytes);
        }
        let sitemap = match fetched.body.as_slice() {
            compressed @ [0x1f, 0x8b, ..] => Sitemap::parse(&gunzip(compressed, MAX_SITEMAP_BYTES).unwrap_or_default()),
            plain => Sitemap::parse(plain),
        };
        (sitemap, fetched.wire_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_listed_sitemaps_only_those_that_are_fetched_are_kept() {
        let mut sitemaps = Sitemaps::default();
        sitemaps.add(["/1.xml", "/1.xml", "/2.xml", "/2.xml"].map(str::to_owned).to_vec());
        assert_eq!(sitemaps.places, ["/1.xml", "/2.xml"]);
        sitemaps.add(vec![format!("/{}.xml", "long".repeat(MAX_ADDRESS))]);
        sitemaps.add((0..50_000).map(|number| format!("/more/{number}.xml")).collect());
        let last = sitemaps.places.last().map(String::as_str);
        assert_eq!((sitemaps.places.len(), last), (MAX_SITEMAPS, Some("/more/17.xml")));
    }
}
