//! Fourth step: the ways to add knowledge to the new chatbot, with links to their pages.

use app::{
    i18n::Text,
    ui::{ButtonKind, ButtonLink, Card, CodeBlock, IconName},
};
use contract::{ChatbotId, chatbots::Chatbot};
use leptos::prelude::*;

use crate::{paths, texts::create as texts};

/// Offers the ways to add knowledge; all of them can be skipped.
#[component]
pub(super) fn KnowledgeStep(chatbot: RwSignal<Chatbot>) -> impl IntoView {
    let (id, title) = chatbot.with_untracked(|chatbot| (chatbot.id, texts::KNOWLEDGE_TITLE.with(&[&chatbot.name])));
    view! {
        <div class="ui-stack">
            <div class="ui-stack ui-stack--small">
                <h2>{title}</h2>
                <p class="ui-muted">{texts::KNOWLEDGE_TEXT.t()}</p>
            </div>
            <div class="ui-grid ui-grid--cards">
                <Way
                    title=texts::FILES_WAY
                    text=texts::FILES_WAY_TEXT
                    href=paths::documents(id)
                    kind=ButtonKind::Primary
                    icon=IconName::Upload
                />
                <Way
                    title=texts::WEBSITE_WAY
                    text=texts::WEBSITE_WAY_TEXT
                    href=paths::websites(id)
                    kind=ButtonKind::Secondary
                    icon=IconName::Globe
                />
                <Card title=texts::API_WAY>
                    <p>{texts::API_WAY_TEXT.t()}</p>
                    <CodeBlock label=texts::API_ADDRESS code=sources_address(id) />
                </Card>
            </div>
            <div class="ui-form__actions">
                <ButtonLink href=paths::install(id) icon=IconName::Code>{texts::EMBED.t()}</ButtonLink>
                <ButtonLink href=paths::chatbot(id)>{texts::LATER.t()}</ButtonLink>
            </div>
        </div>
    }
}

/// A way with a link to its page.
#[component]
fn Way(title: Text, text: Text, href: String, kind: ButtonKind, icon: IconName) -> impl IntoView {
    view! {
        <Card title>
            <p>{text.t()}</p>
            <div class="ui-row">
                <ButtonLink href kind icon>{title.t()}</ButtonLink>
            </div>
        </Card>
    }
}

/// The API address for a program to create its source and upload documents.
fn sources_address(id: ChatbotId) -> String {
    let platform = location().origin().unwrap_or_default();
    format!("{platform}/api/v1/tenants/me/chatbots/{id}/sources")
}
