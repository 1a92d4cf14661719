//! Other ways to add knowledge to a chatbot: its website, and uploads through the API.

use app::ui::{Button, ButtonLink, CodeBlock, Dialog, DialogSize, Icon, IconName};
use contract::ChatbotId;
use leptos::prelude::*;

use crate::{paths, texts::uploads as texts};

/// A card for each of the other ways.
#[component]
pub(super) fn OtherWays(
    id: ChatbotId,
    /// Opens the example of the API.
    shows_api: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <div class="ui-way">
            <span class="ui-dropzone__icon"><Icon name=IconName::Globe /></span>
            <p class="ui-strong">{texts::WAY_WEBSITE.t()}</p>
            <p class="ui-small">{texts::WAY_WEBSITE_TEXT.t()}</p>
            <ButtonLink href=paths::websites(id)>{texts::WAY_WEBSITE_LINK.t()}</ButtonLink>
        </div>
        <div class="ui-way">
            <span class="ui-dropzone__icon"><Icon name=IconName::Code /></span>
            <p class="ui-strong">{texts::WAY_API.t()}</p>
            <p class="ui-small">{texts::WAY_API_TEXT.t()}</p>
            <Button on_click=move |()| shows_api.set(true)>{texts::WAY_API_SHOW.t()}</Button>
        </div>
    }
}

/// How a program uploads documents to this chatbot, with requests to copy.
#[component]
pub(super) fn ApiDialog(id: ChatbotId, open: RwSignal<bool>) -> impl IntoView {
    let origin = window().location().origin().unwrap_or_default();
    let sources = format!("{origin}/api/v1/tenants/me/chatbots/{id}/sources");
    let make = format!(
        "curl -X POST '{sources}' \\\n  -H \"Authorization: Bearer $KEY\" -H 'Content-Type: application/json' \\\n  \
         -d '{{\"kind\": \"api\", \"name\": \"Articles\"}}'"
    );
    let put = format!(
        "curl -X PUT \"{sources}/$SOURCE/documents/article-42.md\" \\\n  -H \"Authorization: Bearer $KEY\" \\\n  \
         --data-binary @article-42.md"
    );
    let [chatbot, make, put] = [id.to_string(), make, put].map(Signal::stored);
    view! {
        <Dialog open title=texts::API_TITLE size=DialogSize::Large dismissible=true>
            <div class="ui-dialog__body">
                <p>{texts::API_INTRO.t()}</p>
                <CodeBlock label=texts::API_CHATBOT code=chatbot />
                <p>{texts::API_MAKE.t()}</p>
                <CodeBlock label=texts::API_MAKE_LABEL code=make />
                <p>{texts::API_PUT.t()}</p>
                <CodeBlock label=texts::API_PUT_LABEL code=put />
                <p class="ui-muted ui-small">{texts::API_MORE.t()}</p>
                <p><ButtonLink href=paths::API_KEYS>{texts::API_KEYS.t()}</ButtonLink></p>
            </div>
        </Dialog>
    }
}
