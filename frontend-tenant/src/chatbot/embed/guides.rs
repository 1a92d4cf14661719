//! Where to paste the snippet in the common site builders.

use app::{
    i18n::{Localized, Text},
    ui::CodeBlock,
};
use contract::ChatbotId;
use leptos::prelude::*;

use crate::texts::embed as texts;

/// The guides: one collapsed part per builder.
#[component]
pub(super) fn Guides(
    /// The platform's origin.
    platform: String,
    /// The widget's version.
    version: String,
    id: ChatbotId,
) -> impl IntoView {
    view! {
        <div class="ui-stack ui-stack--small">
            <h3>{texts::GUIDES.t()}</h3>
            <p class="ui-muted">{texts::GUIDES_TEXT.t()}</p>
            {guide(texts::HTML.into(), texts::HTML_STEPS, None)}
            {guide("WordPress".into(), texts::WORDPRESS_STEPS, None)}
            {guide("Shopify".into(), texts::SHOPIFY_STEPS, None)}
            {guide("Wix".into(), texts::WIX_STEPS, None)}
            {guide("Squarespace".into(), texts::SQUARESPACE_STEPS, None)}
            {guide("Webflow".into(), texts::WEBFLOW_STEPS, None)}
            {guide(texts::SPA.into(), texts::SPA_STEPS, None)}
            {guide(texts::TAG_MANAGER.into(), texts::TAG_MANAGER_STEPS, Some(mounting(&platform, &version, id)))}
        </div>
        <p class="ui-muted">{texts::CHECK.t()}</p>
    }
}

fn guide(name: Localized, steps: Text, code: Option<String>) -> impl IntoView {
    let steps = move || steps.get().lines().map(|step| view! { <li>{step}</li> }).collect_view();
    view! {
        <details class="ui-details">
            <summary class="ui-details__summary">{name}</summary>
            <div class="ui-stack ui-stack--small">
                <ol class="ui-list ui-list--numbered">{steps}</ol>
                {code.map(|code| view! { <CodeBlock label=texts::TAG_MANAGER_CODE code /> })}
            </div>
        </details>
    }
}

/// Adds the chatbot by a call: for places that drop the script tag's attributes.
fn mounting(platform: &str, version: &str, id: ChatbotId) -> String {
    format!(
        "<script>\n(function () {{\n  var script = document.createElement(\"script\");\n  \
         script.src = \"{platform}/static/widget/chat-widget.min.js?v={version}\";\n  \
         script.dataset.chatbotId = \"{id}\";\n  script.dataset.apiBase = \"{platform}/api/v1\";\n  \
         document.body.appendChild(script);\n}})();\n</script>"
    )
}
