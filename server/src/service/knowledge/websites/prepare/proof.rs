//! The proof that a website is the tenant's. The platform itself fetches all evidence from the exact host.

use std::net::SocketAddr;

use contract::{
    ChatbotId,
    websites::{TOKEN_META, TOKEN_PATH, TOKEN_RECORD, WebsiteProof},
};
use http::header;
use rag::document::web_page::Ownership;
use store::websites::{Website, hosts};
use url::Url;

use super::stays;
use crate::{
    sandbox::{Failure, Sandbox},
    service::{
        jobs::running::{self, Running},
        knowledge::websites::{
            Stopped, dns,
            fetch::{Fetched, Fetcher, Validators},
            page_url,
        },
    },
};

/// Folder of the widget's files on the platform.
const WIDGET: &str = "/static/widget/";

/// The proof, and the path of the folder that it covers; empty for the whole host. A page proves its folder alone,
/// because others may be the authors of the rest. Then a proof of the host is looked for.
pub(super) async fn find(
    running: &Running,
    fetcher: &mut Fetcher,
    website: &Website,
    (start, first): (&Url, &Fetched),
) -> Result<Option<(WebsiteProof, String)>, Stopped> {
    let by_page = match of_page(running, website, first).await? {
        (None, Some(next)) => match fetcher.get(&next, Validators::default(), &|url| stays(&first.url, url)).await {
            Ok(next) => of_page(running, website, &next).await?.0,
            Err(_) => None,
        },
        (proof, _) => proof,
    };
    let folder = folder_of(start, &first.url);
    if let Some(proof) = by_page.filter(|_| folder == "/") {
        return Ok(Some((proof, String::new())));
    }
    if is_allowed(running, &first.url).await? {
        return Ok(Some((WebsiteProof::Operator, String::new())));
    }
    let of_host = of_host(running.app.settings.crawl.dns_resolver, fetcher, website, first).await?;
    Ok(of_host.map(|proof| (proof, String::new())).or_else(|| by_page.map(|proof| (proof, folder.to_owned()))))
}

/// The proof that a page itself shows, and the page of its folder to which it leads on.
async fn of_page(
    running: &Running,
    website: &Website,
    page: &Fetched,
) -> Result<(Option<WebsiteProof>, Option<Url>), Stopped> {
    let settings = &running.app.settings;
    let Ok(platform) = Url::parse(&settings.base_url) else { return Ok((None, None)) };
    // Tenants upload files that the platform serves.
    if platform.origin() == page.url.origin() {
        return Ok((None, None));
    }
    let evidence = evidence(&settings.sandbox, page).await?;
    if evidence.tokens.contains(&website.token) {
        return Ok((Some(WebsiteProof::MetaTag), None));
    }
    let snippets = evidence.snippets.iter().filter(|(_, src)| is_widget(&platform, &page.url, src));
    let chatbots: Vec<ChatbotId> = snippets.filter_map(|(id, _)| id.parse().ok()).collect();
    let mut tx = running.begin().await?;
    let has_snippet = store::websites::has_chatbot(&mut tx, running.job.tenant, &chatbots).await?;
    running.commit(tx).await?;
    let next = evidence.refresh.and_then(|target| page.url.join(&target).ok());
    let next =
        next.filter(|next| next.origin() == page.url.origin() && next.path().starts_with(folder(page.url.path())));
    Ok((has_snippet.then_some(WebsiteProof::Snippet), next))
}

/// The proof of the whole host by a file or a TXT record.
async fn of_host(
    resolver: Option<SocketAddr>,
    fetcher: &mut Fetcher,
    website: &Website,
    first: &Fetched,
) -> Result<Option<WebsiteProof>, Stopped> {
    if has_file(fetcher, website, first).await {
        return Ok(Some(WebsiteProof::File));
    }
    match has_record(resolver, website, &first.url).await {
        Some(has_record) => Ok(has_record.then_some(WebsiteProof::DnsTxt)),
        // A resolver that is away takes no proof away.
        None if website.proven_by == Some(WebsiteProof::DnsTxt) => {
            Err(running::Error::Temporary("the resolver does not say which TXT records the host has".to_owned()).into())
        }
        None => Ok(None),
    }
}

/// Whether an operator has allowed the host of an address.
pub(super) async fn is_allowed(running: &Running, url: &Url) -> Result<bool, Stopped> {
    let mut tx = running.begin().await?;
    let is_allowed = hosts::is_allowed(&mut tx, running.job.tenant, url.host_str().unwrap_or_default()).await?;
    running.commit(tx).await?;
    Ok(is_allowed)
}

/// What the first page shows about its owner. Only a page that browsers display counts: other files may be anybody's
/// upload. A page that breaks its reader shows nothing.
async fn evidence(sandbox: &Sandbox, first: &Fetched) -> Result<Ownership, Stopped> {
    if !is_displayed(&first.media_type(), first.header(&header::CONTENT_DISPOSITION)) {
        return Ok(Ownership::default());
    }
    match sandbox.read_ownership(&first.body, TOKEN_META).await {
        Ok(evidence) => Ok(evidence),
        Err(Failure::Refused(_)) => Ok(Ownership::default()),
        Err(failure) => Err(running::Error::Temporary(failure.to_string()).into()),
    }
}

/// Whether browsers display a response as a page: HTML, and not a download.
fn is_displayed(media_type: &str, disposition: Option<&str>) -> bool {
    let disposition = disposition.and_then(|value| value.split(';').next()).unwrap_or("inline");
    matches!(media_type, "text/html" | "application/xhtml+xml") && disposition.trim().eq_ignore_ascii_case("inline")
}

/// Whether the address of a script, as a page has it, is one of the platform's widget.
fn is_widget(platform: &Url, page: &Url, src: &str) -> bool {
    page.join(src.trim()).is_ok_and(|script| script.origin() == platform.origin() && script.path().starts_with(WIDGET))
}

/// The folder that a page proves, which is what its author controls. A host that leads from its root to a page controls
/// that page.
fn folder_of<'a>(start: &Url, page: &'a Url) -> &'a str {
    if start.path() == "/" && start.query().is_none() && page_url::host_of(start) == page_url::host_of(page) {
        return "/";
    }
    folder(page.path())
}

fn folder(path: &str) -> &str {
    path.rfind('/').map_or("/", |end| &path[..=end])
}

/// Whether the site has the token as a file.
async fn has_file(fetcher: &mut Fetcher, website: &Website, first: &Fetched) -> bool {
    let Ok(place) = first.url.join(TOKEN_PATH) else { return false };
    let stays = |url: &Url| stays(&first.url, url);
    let Ok(file) = fetcher.get(&place, Validators::default(), &stays).await else { return false };
    file.status == 200 && file.body.trim_ascii() == website.token.as_bytes()
}

/// Whether the host has the token as a TXT record; nothing when the resolver does not say.
pub(super) async fn has_record(resolver: Option<SocketAddr>, website: &Website, url: &Url) -> Option<bool> {
    let (Some(resolver), Some(host)) = (resolver, url.domain()) else { return Some(false) };
    let records = dns::txt(resolver, &format!("{TOKEN_RECORD}.{host}")).await?;
    Some(records.iter().any(|record| record.trim_ascii() == website.token.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_displayed_pages_are_evidence() {
        for (media_type, disposition, is_evidence) in [
            ("text/html", None, true),
            ("application/xhtml+xml", Some("inline; filename=a.html"), true),
            ("text/plain", None, false),
            ("", None, false),
            ("image/svg+xml", None, false),
            ("text/html", Some("attachment"), false),
            ("text/html", Some(" Attachment; filename=a.html"), false),
        ] {
            assert_eq!(is_displayed(media_type, disposition), is_evidence, "{media_type} {disposition:?}");
        }
    }

    #[test]
    fn a_snippet_loads_the_widget_of_this_platform() {
        let [platform, page] =
            ["https://chat.example.com", "https://shop.example/help/"].map(|url| Url::parse(url).unwrap());
        for (src, is_own) in [
            ("https://chat.example.com/static/widget/chat-widget.min.js?v=2.0.0", true),
            ("//chat.example.com/static/widget/chat-widget.min.js", true),
            ("/static/widget/chat-widget.min.js", false),
            ("http://chat.example.com/static/widget/chat-widget.min.js", false),
            ("https://chat.example.com/static/widget/../../uploads/x.js", false),
            ("https://chat.example.com.evil.example/static/widget/chat-widget.min.js", false),
            ("https://chat.example.com@evil.example/static/widget/chat-widget.min.js", false),
            ("x.js", false),
        ] {
            assert_eq!(is_widget(&platform, &page, src), is_own, "{src}");
        }
    }

    #[test]
    fn a_page_proves_its_folder() {
        for (start, page, folder) in [
            ("https://host.example/", "https://host.example/", "/"),
            ("https://host.example/index.html", "https://host.example/index.html", "/"),
            ("https://host.example/~ann/", "https://host.example/~ann/", "/~ann/"),
            ("https://host.example/~ann/a", "https://host.example/~ann/a/b.html?x=/y/", "/~ann/a/"),
            // The root leads to its own pages.
            ("https://host.example/", "https://www.host.example/en/home", "/"),
            ("https://host.example/?to=/~ann/", "https://host.example/~ann/", "/~ann/"),
            ("https://other.example/", "https://host.example/~ann/", "/~ann/"),
        ] {
            let [start, page] = [start, page].map(|url| Url::parse(url).unwrap());
            assert_eq!(folder_of(&start, &page), folder, "{page}");
        }
    }
}
