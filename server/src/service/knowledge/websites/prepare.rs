//! Reads a site's metadata before its pages: the proof of ownership, its robots.txt, and its response for missing pages.

use std::net::SocketAddr;

use contract::{
    ChatbotId,
    websites::{TOKEN_META, TOKEN_PATH, TOKEN_RECORD, WebsiteProblem, WebsiteProof},
};
use rag::document::web_page::Ownership;
use store::websites::{Prepared, Website, hosts};
use url::Url;
use uuid::Uuid;

use super::{
    Stopped, dns,
    fetch::{FetchError, Fetched, Fetcher, Validators},
    robots::{self, Robots},
    scope,
};
use crate::{
    sandbox::{Failure, Sandbox},
    service::jobs::running::{self, Running},
};

/// A site that may be read.
pub(super) struct Site {
    pub prepared: Prepared,
    pub proof: WebsiteProof,
    /// The answer to the first page.
    pub first: Fetched,
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
    let start = scope::parse_start(&website.url)
        .ok_or_else(|| Stopped::site(WebsiteProblem::Unreachable, "the address is none of a website"))?;
    let mut robots = robots_of(fetcher, &start).await?;
    check(&robots, &start)?;
    let first = fetcher.get(&start, validators, &|_| Ok(())).await.map_err(|error| Stopped::of(&error))?;
    let host = scope::host_of(&first.url);
    if running.job.host.as_ref().is_some_and(|queued| *queued != host) {
        return Err(running.move_to_host(&host).await.into());
    }
    if first.url.origin() != start.origin() {
        robots = robots_of(fetcher, &first.url).await?;
        check(&robots, &first.url)?;
    }
    check_status(&first)?;
    let proof = prove(running, fetcher, website, &first).await?;
    let proof = proof.ok_or(Stopped::Unproven)?;
    let rules = Robots::parse(&robots);
    let missing_hash = missing_hash(&running.app.settings.sandbox, fetcher, &first.url, &rules).await;
    let prepared = Prepared { origin: scope::origin_of(&first.url), robots, missing_hash };
    Ok(Site { prepared, proof, first })
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

/// The proof that the tenant owns the site. The platform itself fetches all evidence from the exact host.
async fn prove(
    running: &Running,
    fetcher: &mut Fetcher,
    website: &Website,
    first: &Fetched,
) -> Result<Option<WebsiteProof>, Stopped> {
    // A page that breaks its reader shows nothing.
    let shown = match running.app.settings.sandbox.read_ownership(&first.body, TOKEN_META).await {
        Ok(shown) => shown,
        Err(Failure::Refused(_)) => Ownership::default(),
        Err(failure) => return Err(running::Error::Temporary(failure.to_string()).into()),
    };
    if shown.tokens.contains(&website.token) {
        return Ok(Some(WebsiteProof::MetaTag));
    }
    let tenant = running.job.tenant;
    let chatbots: Vec<ChatbotId> = shown.chatbots.iter().filter_map(|id| id.parse().ok()).collect();
    let mut tx = running.begin().await?;
    let has_snippet = store::websites::has_chatbot(&mut tx, tenant, &chatbots).await?;
    let is_allowed = hosts::is_allowed(&mut tx, tenant, first.url.host_str().unwrap_or_default()).await?;
    running.commit(tx).await?;
    if has_snippet {
        return Ok(Some(WebsiteProof::Snippet));
    }
    if is_allowed {
        return Ok(Some(WebsiteProof::Operator));
    }
    if has_file(fetcher, website, first).await {
        return Ok(Some(WebsiteProof::File));
    }
    match has_record(running.app.settings.crawl.dns_resolver, website, first).await {
        Some(has_record) => Ok(has_record.then_some(WebsiteProof::DnsTxt)),
        // A resolver that is away takes no proof away.
        None if website.proven_by == Some(WebsiteProof::DnsTxt) => {
            Err(running::Error::Temporary("the resolver does not say which TXT records the host has".to_owned()).into())
        }
        None => Ok(None),
    }
}

/// Whether the site has the token as a file.
async fn has_file(fetcher: &mut Fetcher, website: &Website, first: &Fetched) -> bool {
    let Ok(place) = first.url.join(TOKEN_PATH) else { return false };
    let stays = |url: &Url| stays(&first.url, url);
    let Ok(file) = fetcher.get(&place, Validators::default(), &stays).await else { return false };
    file.status == 200 && file.body.trim_ascii() == website.token.as_bytes()
}

/// Whether the host has the token as a TXT record; nothing when the resolver does not say.
async fn has_record(resolver: Option<SocketAddr>, website: &Website, first: &Fetched) -> Option<bool> {
    let (Some(resolver), Some(host)) = (resolver, first.url.domain()) else { return Some(false) };
    let records = dns::txt(resolver, &format!("{TOKEN_RECORD}.{host}")).await?;
    Some(records.iter().any(|record| record.trim_ascii() == website.token.as_bytes()))
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
