//! How a tenant shows that a website is its own: what to paste, and where.

use app::ui::{Banner, CodeBlock, Tone};
use contract::websites::{TOKEN_META, TOKEN_PATH, Website};
use leptos::prelude::*;

use crate::texts::website as texts;

/// The three ways, each with what to paste.
#[component]
pub(super) fn ProofSteps(website: Website) -> impl IntoView {
    let origin = origin(&website.url);
    let meta = format!("<meta name=\"{TOKEN_META}\" content=\"{}\">", website.token);
    let place = format!("{origin}{TOKEN_PATH}");
    view! {
        <Banner tone=Tone::Warning title=texts::PROVE.with(&[&origin])>
            <p>{texts::PROVE_TEXT.t()}</p>
        </Banner>
        <ol class="ui-list ui-stack ui-stack--small">
            <li>{texts::PROVE_SNIPPET.t()}</li>
            <li>
                <p>{texts::PROVE_META.t()}</p>
                <CodeBlock label=texts::PROVE_META_LABEL code=Signal::stored(meta) />
            </li>
            <li>
                <p class="ui-break">{texts::PROVE_FILE.with(&[&place])}</p>
                <CodeBlock label=texts::PROVE_FILE_LABEL code=Signal::stored(website.token) />
            </li>
        </ol>
        <p class="ui-muted ui-small">{texts::PROVE_KEEP.t()}</p>
    }
}

/// Scheme and host of an address.
fn origin(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    format!("{scheme}://{}", rest.split(['/', '?']).next().unwrap_or_default())
}
