//! Reads a site's metadata before its pages: the proof of ownership, its robots.txt, and its response for missing pages.

mod proof;

use contract::websites::{WebsiteProblem, WebsiteProof};
use parking_lot::Mutex;
use store::websites::{Prepared, Website};
use url::Url;
use uuid::Uuid;

use super::{
    Stopped,
    fetch::{FetchError, Fetched, Fetcher, Validators},
    page_url,
    robots::{self, Robots},
};
use crate::{sandbox::Sandbox, service::jobs::running::Running};

/// A site that may be read.
pub(super) struct Site {
    pub prepared: Prepared,
    pub proof: WebsiteProof,
    /// The answer to the first page.
    pub first: Fetched,
    /// Why the site is read with http although its address has https.
    pub without_https: Option<String>,
}

/// Reads a site's metadata. `validators` are those of its first page, whose content is not needed unless it proves the
/// ownership.
///
/// # Errors
/// When the site cannot be read, or another attempt may work.
pub(super) async fn ask(
    running: &Running,
    fetcher: &mut Fetcher,
    website: &Website,
    validators: Validators<'_>,
) -> Result<Site, Stopped> {
    let start = page_url::parse_start(&website.url)
        .ok_or_else(|| Stopped::site(WebsiteProblem::Unreachable, "the address is none of a website"))?;
    let mut last = Mutex::new(start.clone());
    let mut without_https = None;
    let mut reached = reach(running, fetcher, (&start, &last), validators).await;
    if let Some(detail) = no_answer(&reached).map(str::to_owned)
        && let Some(plain) = plain_address(website, fetcher, &start)
    {
        let last_plain = Mutex::new(plain.clone());
        let reached_plain = reach(running, fetcher, (&plain, &last_plain), validators).await;
        if no_answer(&reached_plain).is_none() {
            without_https = Some(detail).filter(|_| last_plain.lock().scheme() == "http");
            (reached, last) = (reached_plain, last_plain);
        }
    }
    let (robots, mut first) = match reached {
        Ok(reached) => reached,
        Err(Stopped::Site { problem, detail, .. }) => {
            return Err(failure_of(running, website, &last.into_inner(), (problem, detail)).await);
        }
        Err(stopped) => return Err(stopped),
    };
    let mut proof = proof::find(running, fetcher, website, (&start, &first)).await?;
    if proof.is_none() && first.status == 304 {
        // The former proof is gone, but the page itself may be one.
        let fetched = fetcher.get(&start, Validators::default(), &|url| stays(&first.url, url)).await;
        first = fetched.map_err(|error| Stopped::of(&error))?;
        proof = proof::find(running, fetcher, website, (&start, &first)).await?;
    }
    let Some((proof, folder)) = proof else { return Err(unproven(running, website, &first).await) };
    let rules = Robots::parse(&robots);
    let missing_hash = missing_hash(&running.app.settings.sandbox, fetcher, &first.url, &rules).await;
    let origin = format!("{}{folder}", page_url::origin_of(&first.url));
    let prepared = Prepared { origin, robots, missing_hash };
    Ok(Site { prepared, proof, first, without_https })
}

/// Why there is no answer, if there is none.
fn no_answer<T>(reached: &Result<T, Stopped>) -> Option<&str> {
    match reached {
        Err(Stopped::Site { problem: WebsiteProblem::Unreachable | WebsiteProblem::Certificate, detail, .. }) => {
            Some(detail)
        }
        _ => None,
    }
}

/// The address of a start with http instead of https. A host that has shown a certificate, in this visit or before, is
/// never asked without: somebody between could have closed its port.
fn plain_address(website: &Website, fetcher: &Fetcher, start: &Url) -> Option<Url> {
    let had_https = website.last_origin.as_ref().is_some_and(|origin| origin.starts_with("https:"));
    if start.scheme() != "https" || had_https || fetcher.has_tls(start) {
        return None;
    }
    let mut plain = start.clone();
    plain.set_scheme("http").ok()?;
    Some(plain)
}

/// Why a site has no proof. One that had a proof may show a bot check or a login instead of its first page.
async fn unproven(running: &Running, website: &Website, first: &Fetched) -> Stopped {
    if website.proven_by.is_none() {
        return Stopped::Unproven;
    }
    let Ok(page) = running.app.settings.sandbox.read_page(first.url.as_str(), None, &first.body).await else {
        return Stopped::Unproven;
    };
    let problem = match (page.is_bot_check, page.is_login) {
        (true, _) => WebsiteProblem::BotCheck,
        (_, true) => WebsiteProblem::LoginPage,
        _ => return Stopped::Unproven,
    };
    Stopped::Site { problem, detail: "the first page does not show its text".to_owned(), is_proven: true }
}

/// Whether the last visit proved the host of an address.
fn is_proven_host(website: &Website, url: &Url) -> bool {
    let host = |address: &str| page_url::parse_start(address).map(|address| page_url::host_of(&address));
    website.proven_by.is_some() && host(&website.url) == Some(page_url::host_of(url))
}

/// Fetches the site's robots.txt and its first page. `last` is set to the last address that is requested for the page.
async fn reach(
    running: &Running,
    fetcher: &mut Fetcher,
    (start, last): (&Url, &Mutex<Url>),
    validators: Validators<'_>,
) -> Result<(String, Fetched), Stopped> {
    let mut robots = robots_of(fetcher, start).await?;
    check(&robots, start)?;
    let record = |url: &Url| {
        url.clone_into(&mut last.lock());
        Ok(())
    };
    let first = fetcher.get(start, validators, &record).await.map_err(|error| Stopped::of(&error))?;
    let host = page_url::host_of(&first.url);
    if running.job.host.as_ref().is_some_and(|queued| *queued != host) {
        return Err(running.move_to_host(&host).await.into());
    }
    if first.url.origin() != start.origin() {
        robots = robots_of(fetcher, &first.url).await?;
        check(&robots, &first.url)?;
    }
    check_status(&first)?;
    Ok((robots, first))
}

/// Why the site of an address cannot be reached. Only those who have proven the host learn whether its ports are open and what it
/// answers to the platform.
async fn failure_of(
    running: &Running,
    website: &Website,
    url: &Url,
    (problem, detail): (WebsiteProblem, String),
) -> Stopped {
    let is_public = matches!(problem, WebsiteProblem::AddressRefused | WebsiteProblem::RefusedByRobots);
    if is_public {
        return Stopped::Site { problem, detail, is_proven: website.proven_by.is_some() };
    }
    let is_proven = match proof::is_allowed(running, url).await {
        Ok(is_allowed) => is_allowed || is_proven_host(website, url),
        Err(stopped) => return stopped,
    };
    if is_proven || proof::has_record(running.app.settings.crawl.dns_resolver, website, url).await == Some(true) {
        return Stopped::Site { problem, detail, is_proven };
    }
    let detail =
        "the first page cannot be read; the exact reason is shown once a TXT record or an operator proves the host";
    Stopped::site(WebsiteProblem::Unreachable, detail)
}

fn check(robots: &str, url: &Url) -> Result<(), Stopped> {
    if Robots::parse(robots).allows(url) {
        return Ok(());
    }
    Err(Stopped::site(WebsiteProblem::RefusedByRobots, &format!("robots.txt refuses {}", url.path())))
}

fn check_status(first: &Fetched) -> Result<(), Stopped> {
    let problem = match first.status {
        200..=299 | 304 => return Ok(()),
        401 => WebsiteProblem::LoginPage,
        403 => WebsiteProblem::Forbidden,
        404 | 410 => WebsiteProblem::NotFound,
        _ => WebsiteProblem::ServerError,
    };
    Err(Stopped::site(problem, &format!("the first page has status {}", first.status)))
}

/// The robots.txt of a host; empty when it has none. Applies its delay from then on. While the site fails to respond,
/// everything is disallowed (RFC 9309).
async fn robots_of(fetcher: &mut Fetcher, url: &Url) -> Result<String, Stopped> {
    let place = url.join("/robots.txt").map_err(|_| Stopped::site(WebsiteProblem::Unreachable, "no host"))?;
    let fetched = fetcher.get(&place, Validators::default(), &|_| Ok(())).await;
    match fetched {
        Ok(fetched) if fetched.status / 100 == 2 => {
            let bytes = &fetched.body[..fetched.body.len().min(robots::MAX_BYTES)];
            // The database stores no NUL.
            let robots = String::from_utf8_lossy(bytes).replace('\0', "");
            fetcher.set_delay(url, Robots::parse(&robots).delay().unwrap_or_default());
            Ok(robots)
        }
        Ok(fetched) if fetched.status / 100 == 4 && fetched.status != 429 => Ok(String::new()),
        Ok(fetched) => {
            let detail = format!("robots.txt has status {}", fetched.status);
            Err(Stopped::site(WebsiteProblem::ServerError, &detail))
        }
        Err(FetchError::RedirectLoop(_) | FetchError::TooLarge(_) | FetchError::Malformed(_)) => Ok(String::new()),
        Err(error) => Err(Stopped::of(&error)),
    }
}

/// Another host has its own rules and its own proof.
pub(super) fn stays(first: &Url, url: &Url) -> Result<(), FetchError> {
    if url.origin() == first.origin() { Ok(()) } else { Err(FetchError::OtherHost(url.to_string())) }
}

/// The hash of the text that the site shows for a missing page with a success status.
async fn missing_hash(sandbox: &Sandbox, fetcher: &mut Fetcher, first: &Url, robots: &Robots) -> Option<String> {
    let place = first.join(&format!("/{}", Uuid::new_v4().simple())).ok().filter(|place| robots.allows(place))?;
    let stays = |url: &Url| stays(first, url);
    let fetched = fetcher.get(&place, Validators::default(), &stays).await.ok()?;
    // A site that redirects to its first page shows that, which is a normal page.
    let is_shown = fetched.status == 200 && fetched.url.path() == place.path();
    if !is_shown {
        return None;
    }
    let page = sandbox.read_page("", None, &fetched.body).await.ok()?;
    page.document.map(|document| document.content_hash)
}
