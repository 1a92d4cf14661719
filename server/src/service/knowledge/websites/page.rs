//! Interprets a site's response for a page.

use contract::{
    documents::DocumentProblem,
    websites::{WebsitePageState, WebsiteProblem},
};
use rag::document::{
    Document,
    web_page::{self, WebPage},
};
use url::Url;

use super::{
    fetch::Fetched,
    file_type::{FILE_TYPES, file_type},
    scope::Scope,
};
use crate::{
    sandbox::{Failure, Sandbox},
    service::jobs::running::Error,
};

/// The result for a page.
#[derive(Debug)]
pub(super) enum Finding {
    /// It has not changed since the last visit.
    Unchanged,
    /// It can be read.
    Readable { document: Document, file_type: &'static str },
    /// Excluded by its owner or its type.
    LeftOut(WebsiteProblem, String),
    /// The page is missing: a second check decides.
    Gone(WebsiteProblem, String),
    /// It cannot be read now; a version that was read stays.
    Failed(WebsiteProblem, String),
}

/// The result for a page, with its links.
#[derive(Debug)]
pub(super) struct PageResult {
    pub finding: Finding,
    /// Addresses of pages of the website that it links to.
    pub links: Vec<String>,
}

impl From<Finding> for PageResult {
    fn from(finding: Finding) -> Self {
        Self { finding, links: Vec::new() }
    }
}

/// Settings of the chatbot and the site for all pages.
pub(super) struct Expected<'a> {
    pub scope: &'a Scope,
    pub missing_hash: Option<&'a str>,
    /// The page that this one names as the original without reason.
    pub ignored_canonical: Option<&'a str>,
    /// The language of the chatbot, such as `de` or `de-AT`.
    pub language: &'a str,
}

/// Interprets a response for the page `url`.
///
/// # Errors
/// When there is no process to read it.
pub(super) async fn evaluate(
    sandbox: &Sandbox,
    fetched: &Fetched,
    url: &Url,
    expected: &Expected<'_>,
) -> Result<PageResult, Error> {
    let status = fetched.status;
    let detail = || format!("status {status}");
    match status {
        304 => return Ok(Finding::Unchanged.into()),
        200..=299 => {}
        404 | 410 => return Ok(Finding::Gone(WebsiteProblem::NotFound, detail()).into()),
        401 => return Ok(Finding::Gone(WebsiteProblem::LoginPage, detail()).into()),
        403 => return Ok(Finding::Failed(WebsiteProblem::Forbidden, detail()).into()),
        _ => return Ok(Finding::Failed(WebsiteProblem::ServerError, detail()).into()),
    }
    let (noindex, _) = robots_tags(fetched);
    let disposition = fetched.header(&http::header::CONTENT_DISPOSITION);
    let Some(file_type) = file_type(&fetched.media_type(), disposition, url, &fetched.body) else {
        return Ok(Finding::LeftOut(WebsiteProblem::UnsupportedType, fetched.media_type()).into());
    };
    if file_type != "html" {
        if noindex {
            return Ok(Finding::LeftOut(WebsiteProblem::Noindex, String::new()).into());
        }
        return Ok(read(sandbox, file_type, url, &fetched.body).await?.into());
    }
    let charset = fetched.header(&http::header::CONTENT_TYPE).and_then(charset);
    Ok(match sandbox.read_page(url.as_str(), charset.as_deref(), &fetched.body).await {
        Ok(page) => evaluate_page(page, fetched, url, expected),
        Err(failure) => unreadable(failure)?.into(),
    })
}

fn evaluate_page(page: WebPage, fetched: &Fetched, url: &Url, expected: &Expected<'_>) -> PageResult {
    let (noindex, nofollow) = robots_tags(fetched);
    let base = base(&page, url);
    let mut links = if nofollow { Vec::new() } else { links(&page, url, expected.scope) };
    if noindex || page.noindex {
        return PageResult { finding: Finding::LeftOut(WebsiteProblem::Noindex, String::new()), links };
    }
    if let Some((problem, other)) = elsewhere(&page, &base, url, expected) {
        let other = String::from(other);
        links.push(other.clone());
        return PageResult { finding: Finding::LeftOut(problem, other), links };
    }
    PageResult { finding: content(page, expected.missing_hash), links }
}

/// The page to read instead of this one, if it names one. Another page counts only when the website includes it:
/// otherwise nothing would be read of a website that names pages of another host.
fn elsewhere(page: &WebPage, base: &Url, url: &Url, expected: &Expected<'_>) -> Option<(WebsiteProblem, Url)> {
    let read = |other: &str| {
        let other = expected.scope.link(base, other).filter(|other| expected.scope.admits(other).is_ok());
        other.filter(|other| !Scope::is_same_page(other, url))
    };
    if let Some(target) = page.refresh.as_deref().and_then(read) {
        return Some((WebsiteProblem::Redirect, target));
    }
    let canonical = page.canonical.as_deref().and_then(read);
    if let Some(canonical) = canonical.filter(|canonical| expected.ignored_canonical != Some(canonical.as_str())) {
        return Some((WebsiteProblem::Canonical, canonical));
    }
    let primary = |language: &str| language.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let own = primary(expected.language);
    let alternates: Vec<(&str, Url)> = page
        .alternates
        .iter()
        .filter_map(|(language, href)| Some((language.as_str(), base.join(href).ok()?)))
        .collect();
    let is_own = alternates.iter().any(|(language, other)| primary(language) == own && Scope::is_same_page(other, url));
    let mut others = alternates.iter().filter(|(language, _)| !is_own && primary(language) == own);
    others.find_map(|(_, other)| read(other.as_str())).map(|other| (WebsiteProblem::OtherLanguage, other))
}

fn content(page: WebPage, missing_hash: Option<&str>) -> Finding {
    if page.is_bot_check {
        return Finding::Failed(WebsiteProblem::BotCheck, String::new());
    }
    let hash = page.document.as_ref().map(|document| document.content_hash.as_str());
    if page.says_missing || (hash.is_some() && hash == missing_hash) {
        return Finding::Gone(WebsiteProblem::SoftNotFound, String::new());
    }
    if page.is_login {
        return Finding::Gone(WebsiteProblem::LoginPage, String::new());
    }
    match page.document {
        Some(document) => Finding::Readable { document, file_type: "html" },
        None if page.has_scripts => Finding::Failed(WebsiteProblem::NeedsScripts, String::new()),
        None => Finding::Gone(WebsiteProblem::NoText, String::new()),
    }
}

/// How to read a body that is stored with a preview: its type, the encoding in its headers, and whether to ignore its
/// links.
pub(super) fn kept_type(fetched: &Fetched, file_type: &str) -> String {
    let charset = fetched.header(&http::header::CONTENT_TYPE).and_then(charset).unwrap_or_default();
    let nofollow = if robots_tags(fetched).1 { "nofollow" } else { "" };
    format!("{file_type};{charset};{nofollow}")
}

/// Interprets a body that a preview has stored. The settings may have changed since, so its links are evaluated again.
///
/// # Errors
/// When there is no process to read it.
pub(super) async fn evaluate_kept(
    sandbox: &Sandbox,
    (kept_type, body): (&str, &[u8]),
    url: &Url,
    scope: &Scope,
) -> Result<PageResult, Error> {
    let mut parts = kept_type.split(';');
    let (file_type, charset) = (parts.next().unwrap_or_default(), parts.next().filter(|charset| !charset.is_empty()));
    let nofollow = parts.next() == Some("nofollow");
    let known_type = FILE_TYPES.into_iter().find(|known_type| *known_type == file_type);
    let Some(file_type) = known_type else {
        return Ok(Finding::LeftOut(WebsiteProblem::UnsupportedType, file_type.to_owned()).into());
    };
    if file_type != "html" {
        return Ok(read(sandbox, file_type, url, body).await?.into());
    }
    Ok(match sandbox.read_page(url.as_str(), charset, body).await {
        Ok(page) => {
            let links = if nofollow { Vec::new() } else { links(&page, url, scope) };
            PageResult { finding: content(page, None), links }
        }
        Err(failure) => unreadable(failure)?.into(),
    })
}

/// The addresses of the website that a page links to.
fn links(page: &WebPage, url: &Url, scope: &Scope) -> Vec<String> {
    if page.nofollow {
        return Vec::new();
    }
    let base = base(page, url);
    page.links.iter().filter_map(|link| scope.link(&base, link)).map(String::from).collect()
}

fn base(page: &WebPage, url: &Url) -> Url {
    page.base.as_ref().and_then(|base| url.join(base).ok()).unwrap_or_else(|| url.clone())
}

async fn read(sandbox: &Sandbox, file_type: &'static str, url: &Url, body: &[u8]) -> Result<Finding, Error> {
    match sandbox.read_web_file(url.as_str(), file_type, body).await {
        Ok(document) => Ok(Finding::Readable { document, file_type }),
        Err(failure) => unreadable(failure),
    }
}

fn unreadable(failure: Failure) -> Result<Finding, Error> {
    let refusal = match failure {
        Failure::Refused(refusal) => refusal,
        failure @ Failure::Unavailable(_) => return Err(Error::Temporary(failure.to_string())),
    };
    let problem = match refusal.problem {
        DocumentProblem::NoText | DocumentProblem::Scanned | DocumentProblem::UndecodableText => WebsiteProblem::NoText,
        DocumentProblem::TooLarge => WebsiteProblem::TooLarge,
        DocumentProblem::UnsupportedType => WebsiteProblem::UnsupportedType,
        _ => WebsiteProblem::Malformed,
    };
    Ok(Finding::Failed(problem, refusal.detail))
}

fn charset(content_type: &str) -> Option<String> {
    let parameters = content_type.split(';').skip(1);
    let value = parameters.filter_map(|parameter| parameter.split_once('=')).find_map(|(name, value)| {
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"').to_owned())
    });
    value.filter(|value| !value.is_empty())
}

fn robots_tags(fetched: &Fetched) -> (bool, bool) {
    fetched
        .robots_tags()
        .filter_map(directives)
        .fold((false, false), |(noindex, nofollow), directive| (noindex | directive.0, nofollow | directive.1))
}

/// The directives of one header, unless it is for another crawler.
fn directives(value: &str) -> Option<(bool, bool)> {
    match value.split_once(':') {
        Some((name, rest)) if !name.contains(',') && !name.trim().eq_ignore_ascii_case("unavailable_after") => {
            let is_own = name.trim().eq_ignore_ascii_case(super::robots::PRODUCT);
            is_own.then(|| web_page::robots_directives(rest))
        }
        _ => Some(web_page::robots_directives(value)),
    }
}

/// The state of a page that was not read.
pub(super) const fn state_of(finding: &Finding, was_read: bool) -> WebsitePageState {
    match finding {
        Finding::Unchanged | Finding::Readable { .. } => WebsitePageState::Ready,
        Finding::LeftOut(..) => WebsitePageState::LeftOut,
        Finding::Gone(..) if was_read => WebsitePageState::Missing,
        Finding::Failed(..) if was_read => WebsitePageState::Ready,
        Finding::Gone(..) | Finding::Failed(..) => WebsitePageState::Failed,
    }
}
