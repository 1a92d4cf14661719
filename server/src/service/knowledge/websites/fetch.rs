//! Fetches pages of websites that tenants name. Every address is untrusted: names are resolved once, the IP address is
//! checked, and the connection uses that address, for the first request and for every redirect. Sizes, redirects and
//! time are bounded.

mod address;
mod connection;
mod cookies;
mod decode;
mod request_delays;

use std::{collections::HashSet, sync::Arc, time::Duration};

use contract::websites::WebsiteProblem;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use tokio::time::Instant;
use url::Url;

pub(super) use self::decode::gunzip;
use self::{
    connection::{Connection, Network},
    cookies::Cookies,
    request_delays::RequestDelays,
};

/// Maximum redirects of one request.
const MAX_REDIRECTS: usize = 5;

/// The limits of a fetcher.
#[derive(Debug, Clone)]
pub struct FetchRules {
    /// The user agent, with an address for complaints.
    pub user_agent: String,
    /// Whether addresses of this machine may be fetched, on any port.
    pub allow_loopback: bool,
    /// Between two requests to a host; a host may ask for more.
    pub delay: Duration,
    /// The longest time of one request with its redirects, without the pauses between them.
    pub timeout: Duration,
    /// Maximum bytes of a body, before and after decompression.
    pub max_bytes: usize,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The address may not be fetched.
    #[error("{0}")]
    Refused(String),
    /// There is no response, or not in time.
    #[error("{0}")]
    Unreachable(String),
    /// The certificate is not valid.
    #[error("{0}")]
    Certificate(String),
    /// What answers does not speak TLS, or no version of it that is secure.
    #[error("{0}")]
    NoTls(String),
    /// Redirects lead in a circle or never end.
    #[error("{0}")]
    RedirectLoop(String),
    /// A redirect leads to another host.
    #[error("it leads to {0}")]
    OtherHost(String),
    /// The address is outside of the folder whose ownership is proven.
    #[error("only {0} is proven")]
    OutsideProof(String),
    /// The site's robots.txt refuses the address.
    #[error("robots.txt refuses {0}")]
    Robots(String),
    /// The answer is larger than it may be.
    #[error("it has more than {0} bytes")]
    TooLarge(usize),
    /// The answer breaks the rules of HTTP.
    #[error("{0}")]
    Malformed(String),
}

impl FetchError {
    /// The reason as the tenant sees it.
    pub const fn problem(&self) -> WebsiteProblem {
        match self {
            Self::Refused(_) => WebsiteProblem::AddressRefused,
            Self::Unreachable(_) => WebsiteProblem::Unreachable,
            Self::Certificate(_) | Self::NoTls(_) => WebsiteProblem::Certificate,
            Self::RedirectLoop(_) => WebsiteProblem::RedirectLoop,
            Self::OtherHost(_) => WebsiteProblem::OtherHost,
            Self::OutsideProof(_) => WebsiteProblem::OutsideProof,
            Self::Robots(_) => WebsiteProblem::RefusedByRobots,
            Self::TooLarge(_) => WebsiteProblem::TooLarge,
            Self::Malformed(_) => WebsiteProblem::Malformed,
        }
    }
}

/// The validators of an earlier response.
#[derive(Debug, Clone, Copy, Default)]
pub struct Validators<'a> {
    /// The entity tag.
    pub etag: Option<&'a str>,
    /// The time of the last change.
    pub last_modified: Option<&'a str>,
}

/// An answer.
#[derive(Debug)]
pub struct Fetched {
    /// The address that answered, after redirects.
    pub url: Url,
    /// The HTTP status of the last response.
    pub status: u16,
    headers: HeaderMap,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// Bytes of the bodies on the wire.
    pub wire_bytes: u64,
}

impl Fetched {
    /// A header's value.
    pub fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The media type without parameters, in lower case; empty when there is none.
    pub fn media_type(&self) -> String {
        let value = self.header(&header::CONTENT_TYPE).unwrap_or_default();
        value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// Every value of `X-Robots-Tag`.
    pub fn robots_tags(&self) -> impl Iterator<Item = &str> {
        self.headers.get_all("x-robots-tag").iter().filter_map(|value| value.to_str().ok())
    }

    /// Seconds that the site asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        self.header(&header::RETRY_AFTER)?.trim().parse().ok().map(Duration::from_secs)
    }
}

/// A check of each requested address.
pub type UrlCheck<'a> = &'a (dyn Fn(&Url) -> Result<(), FetchError> + Sync);

/// Fetches, one request at a time, over one connection. Between two requests to a host it pauses.
pub struct Fetcher {
    rules: FetchRules,
    delays: RequestDelays,
    network: Network,
    tls: Arc<tokio_rustls::rustls::ClientConfig>,
    connection: Option<Connection>,
    cookies: Cookies,
    /// Hosts that have shown a certificate.
    tls_hosts: HashSet<String>,
}

impl Fetcher {
    /// A fetcher without a connection.
    pub fn new(rules: FetchRules) -> Self {
        let delays = RequestDelays::new(rules.delay);
        let (network, tls) = (Network::Internet, tls::config());
        Self { rules, delays, network, tls, connection: None, cookies: Cookies::default(), tls_hosts: HashSet::new() }
    }

    /// Increases the delay between requests to the host of an address, if the host asks for that.
    pub fn set_delay(&mut self, url: &Url, delay: Duration) {
        self.delays.set_delay(url, delay);
    }

    /// Marks a host as just requested, so that its next request waits.
    pub fn record_request(&mut self, url: &Url) {
        self.delays.record_request(url);
    }

    /// Whether the host of an address has shown a certificate, even one that is not valid.
    pub fn has_tls(&self, url: &Url) -> bool {
        url.host_str().is_some_and(|host| self.tls_hosts.contains(host))
    }

    /// Fetches an address. `check` is called before each request, including redirects.
    ///
    /// # Errors
    /// See [`FetchError`].
    pub async fn get(
        &mut self,
        url: &Url,
        validators: Validators<'_>,
        check: UrlCheck<'_>,
    ) -> Result<Fetched, FetchError> {
        let (mut url, mut visits, mut wire_bytes) = (url.clone(), Vec::new(), 0);
        let mut time_left = self.rules.timeout;
        loop {
            url.set_fragment(None);
            connection::check_form(&url)?;
            check(&url)?;
            // With a new cookie, the same address may answer something else.
            let visit = (url.clone(), self.cookies.header(&url));
            if visits.contains(&visit) {
                return Err(FetchError::RedirectLoop(format!("{url} leads back to itself")));
            }
            // The target of a redirect has other validators than the requested page.
            let validators = if visits.is_empty() { validators } else { Validators::default() };
            self.delays.pause(&url).await;
            let mut fetched = self.request_within(&mut time_left, &url, validators).await?;
            wire_bytes += fetched.wire_bytes;
            fetched.wire_bytes = wire_bytes;
            let target = target(&fetched)?;
            visits.push(visit);
            match target {
                None => return Ok(fetched),
                Some(_) if visits.len() > MAX_REDIRECTS => {
                    return Err(FetchError::RedirectLoop(format!("more than {MAX_REDIRECTS} redirects")));
                }
                Some(target) => url = target,
            }
        }
    }

    /// One request, with a time limit, recorded for its host.
    async fn request_within(
        &mut self,
        time_left: &mut Duration,
        url: &Url,
        validators: Validators<'_>,
    ) -> Result<Fetched, FetchError> {
        let began = Instant::now();
        let fetched = tokio::time::timeout(*time_left, self.request(url, validators)).await;
        self.delays.record_request(url);
        *time_left = time_left.saturating_sub(began.elapsed());
        fetched.unwrap_or_else(|_| {
            // The rest of a response would be parsed as the beginning of the next one.
            self.connection = None;
            Err(FetchError::Unreachable(format!("no answer within {} seconds", self.rules.timeout.as_secs())))
        })
    }

    async fn request(&mut self, url: &Url, validators: Validators<'_>) -> Result<Fetched, FetchError> {
        let headers = self.headers(url, validators);
        // The kept connection may have been closed in the meantime: then open a new one.
        if let Some(mut open_connection) = self.connection.take().filter(|open_connection| open_connection.is_for(url))
            && let Some(answer) = open_connection.send_again(url, headers.clone()).await
        {
            return self.receive(url, open_connection, answer).await;
        }
        let opened = Connection::open(url, &self.rules, &self.network, &self.tls).await;
        if url.scheme() == "https" && matches!(opened, Ok(_) | Err(FetchError::Certificate(_))) {
            self.tls_hosts.extend(url.host_str().map(str::to_owned));
        }
        let mut connection = opened?;
        let answer = connection.send(url, headers).await?;
        self.receive(url, connection, answer).await
    }

    async fn receive(
        &mut self,
        url: &Url,
        connection: Connection,
        answer: connection::HttpResponse,
    ) -> Result<Fetched, FetchError> {
        let (head, body) = answer.into_parts();
        self.cookies.store(url, &head.headers);
        let (body, is_whole) = decode::read(body, self.rules.max_bytes).await?;
        let wire_bytes = body.len() as u64;
        if is_whole {
            self.connection = Some(connection);
        }
        let encoding = head.headers.get(header::CONTENT_ENCODING).and_then(|value| value.to_str().ok());
        let body = decode::decode(body, encoding, self.rules.max_bytes)?;
        Ok(Fetched { url: url.clone(), status: head.status.as_u16(), headers: head.headers, body, wire_bytes })
    }

    fn headers(&self, url: &Url, validators: Validators<'_>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(cookies) = self.cookies.header(url) {
            headers.insert(header::COOKIE, cookies);
        }
        let mut set = |name, value: &str| {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(name, value);
            }
        };
        set(header::USER_AGENT, &self.rules.user_agent);
        set(header::ACCEPT, "text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,*/*;q=0.5");
        set(header::ACCEPT_ENCODING, "gzip");
        if let Some(etag) = validators.etag {
            set(header::IF_NONE_MATCH, etag);
        }
        if let Some(last_modified) = validators.last_modified {
            set(header::IF_MODIFIED_SINCE, last_modified);
        }
        headers
    }
}

impl std::fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fetcher").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// The target of a redirect.
fn target(fetched: &Fetched) -> Result<Option<Url>, FetchError> {
    if !matches!(fetched.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = fetched.headers.get(header::LOCATION) else { return Ok(None) };
    let location = std::str::from_utf8(location.as_bytes()).ok();
    let target = location.and_then(|location| fetched.url.join(location.trim()).ok());
    target.map(Some).ok_or_else(|| FetchError::Malformed("a redirect leads to no address".to_owned()))
}

#[cfg(test)]
mod tests;
