//! How to embed the chatbot: the snippet, guides for site builders, the sources for a content security policy, and the
//! allowed websites.

mod guides;

use app::{
    api,
    backend::ConsoleConfig,
    resource::{Loaded, Resource},
    ui::{Banner, ButtonLink, Card, CodeBlock, Skeleton, Tone},
};
use contract::{ChatbotId, branding::GetTenantBranding};
use leptos::prelude::*;

use self::guides::Guides;
use crate::{paths, read_only::AdminOnly, texts::chatbot as texts};

/// The snippet and what must be true for it to work.
#[component]
pub(super) fn EmbedCard(id: ChatbotId) -> impl IntoView {
    let platform = location().origin().unwrap_or_default();
    let version = expect_context::<ConsoleConfig>().widget_version;
    let branding = Resource::new(|| async { api::call::<GetTenantBranding>(&(), &(), &()).await });
    view! {
        <Card title=texts::EMBED>
            <p class="ui-muted">{texts::EMBED_TEXT.t()}</p>
            <CodeBlock label=texts::SNIPPET code=snippet(&platform, &version, id) />
            <Loaded resource=branding skeleton=|| view! { <Skeleton lines=2 /> } let:branding>
                {websites(branding.allowed_origins)}
            </Loaded>
            <Guides platform=platform.clone() version id />
            <details class="ui-details">
                <summary class="ui-details__summary">{texts::CSP.t()}</summary>
                <div class="ui-stack ui-stack--small">
                    <p class="ui-muted">{texts::CSP_TEXT.t()}</p>
                    <CodeBlock label=texts::CSP code=policy(&platform) />
                </div>
            </details>
        </Card>
    }
}

fn snippet(platform: &str, version: &str, id: ChatbotId) -> String {
    format!(
        "<script src=\"{platform}/static/widget/chat-widget.min.js?v={version}\"\n  \
         data-chatbot-id=\"{id}\"\n  data-api-base=\"{platform}/api/v1\" defer></script>"
    )
}

fn policy(platform: &str) -> String {
    format!("script-src {platform} 'wasm-unsafe-eval';\nconnect-src {platform};")
}

/// The websites that may show the chatbot, or the way to allow the first one.
fn websites(origins: Vec<String>) -> AnyView {
    if !origins.is_empty() {
        let chips =
            origins.into_iter().map(|origin| view! { <span class="ui-chip ui-mono">{origin}</span> }).collect_view();
        return view! {
            <div class="ui-stack ui-stack--small">
                <p class="ui-muted">{texts::ORIGINS.t()}</p>
                <div class="ui-chips">{chips}</div>
            </div>
        }
        .into_any();
    }
    view! {
        <Banner tone=Tone::Warning title=texts::NO_ORIGINS_TITLE>
            <div class="ui-stack ui-stack--small">
                <p>{texts::NO_ORIGINS_TEXT.t()}</p>
                <AdminOnly>
                    <div class="ui-row">
                        <ButtonLink href=paths::allowed_websites() small=true>{texts::NO_ORIGINS_ACTION.t()}</ButtonLink>
                    </div>
                </AdminOnly>
            </div>
        </Banner>
    }
    .into_any()
}
