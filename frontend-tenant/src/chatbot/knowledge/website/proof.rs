//! How a tenant proves that it owns a website: what to paste, and where.

use app::ui::{Banner, CodeBlock, Tone};
use contract::websites::{TOKEN_META, TOKEN_PATH, TOKEN_RECORD, Website};
use leptos::prelude::*;

use crate::texts::website as texts;

/// The ways, each with what to paste.
#[component]
pub(super) fn ProofSteps(website: Website) -> impl IntoView {
    let origin = origin(&website.url);
    let meta = format!("<meta name=\"{TOKEN_META}\" content=\"{}\">", website.token);
    let place = format!("{origin}{TOKEN_PATH}");
    let token = website.token.clone();
    let record = host(&origin).map(|host| {
        let name = format!("{TOKEN_RECORD}.{host}");
        view! {
            <li class="ui-stack ui-stack--small">
                <p class="ui-break">{texts::PROVE_RECORD.with(&[&name])}</p>
                <CodeBlock label=texts::PROVE_RECORD_LABEL code=Signal::stored(token.clone()) />
            </li>
        }
    });
    view! {
        <Banner tone=Tone::Warning title=texts::PROVE.with(&[&origin])>
            <p>{texts::PROVE_TEXT.t()}</p>
        </Banner>
        <ol class="ui-stack">
            <li>{texts::PROVE_SNIPPET.t()}</li>
            <li class="ui-stack ui-stack--small">
                <p>{texts::PROVE_META.t()}</p>
                <CodeBlock label=texts::PROVE_META_LABEL code=Signal::stored(meta) />
            </li>
            <li class="ui-stack ui-stack--small">
                <p class="ui-break">{texts::PROVE_FILE.with(&[&place])}</p>
                <CodeBlock label=texts::PROVE_FILE_LABEL code=Signal::stored(token) />
            </li>
            {record}
        </ol>
        <p class="ui-muted ui-small">{texts::PROVE_KEEP.t()}</p>
    }
}

/// Scheme and host of an address.
fn origin(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    format!("{scheme}://{}", rest.split(['/', '?']).next().unwrap_or_default())
}

/// The host name of an origin, without a port; `None` for an IP address, which has no DNS records.
fn host(origin: &str) -> Option<&str> {
    let name = origin.split_once("://").map_or(origin, |(_, name)| name);
    let name = name.split_once(':').map_or(name, |(name, _)| name);
    let is_address = name.starts_with('[') || name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (!is_address).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_records_and_addresses_do_not() {
        for (origin, name) in [
            ("https://www.example.com", Some("www.example.com")),
            ("http://shop.example.com:8080", Some("shop.example.com")),
            ("http://127.0.0.1:8080", None),
            ("http://[::1]:8080", None),
        ] {
            assert_eq!(host(origin), name, "{origin}");
        }
    }
}
