//! A command that tries a key, for the first of its scopes that reads or asks something.

use app::ui::{CodeBlock, Dialog, DialogSize};
use contract::{
    ChatbotId,
    api_keys::{ApiKey, KeyScope},
};
use leptos::prelude::*;

use super::Context;
use crate::texts::api_keys as texts;

/// A dialog with the command.
#[component]
pub(super) fn ExampleDialog(key: ApiKey, context: Context) -> impl IntoView {
    let title = texts::TRY_TITLE.with(&[&key.name]);
    let prefix = key.prefix.clone();
    view! {
        <Dialog open=context.open title size=DialogSize::Large dismissible=true>
            <div class="ui-dialog__body"><Example key=key.clone() secret=format!("{prefix}…") context /></div>
        </Dialog>
    }
}

/// The command, with the key as far as it is known.
#[component]
pub(super) fn Example(key: ApiKey, secret: String, context: Context) -> impl IntoView {
    let chatbot = match &key.chatbot_ids {
        Some(ids) => ids.first().copied(),
        None => context.chatbots.with_value(|chatbots| chatbots.first().map(|chatbot| chatbot.id)),
    };
    let Some(chatbot) = chatbot else { return view! { <p>{texts::TRY_NO_CHATBOT.t()}</p> }.into_any() };
    let origin = window().location().origin().unwrap_or_default();
    let code = Signal::stored(format!("KEY='{secret}'\n{}", command(&origin, &key.scopes, chatbot)));
    view! {
        <p>{texts::TRY_TEXT.t()}</p>
        <CodeBlock label=texts::TRY_COMMAND code />
    }
    .into_any()
}

fn command(origin: &str, scopes: &[KeyScope], chatbot: ChatbotId) -> String {
    const HEADER: &str = "-H \"Authorization: Bearer $KEY\"";
    const JSON: &str = "-H 'Content-Type: application/json'";
    let path = format!("{origin}/api/v1/tenants/me");
    let has = |scope| scopes.contains(&scope);
    if has(KeyScope::Ask) {
        return format!(
            "curl -X POST '{path}/chatbots/{chatbot}/ask' \\\n  {HEADER} {JSON} \\\n  -d '{{\"question\": \"Hello!\"}}'"
        );
    }
    let read = [
        (KeyScope::KnowledgeRead, format!("/chatbots/{chatbot}/sources")),
        (KeyScope::ConversationsRead, "/conversations".to_owned()),
        (KeyScope::FeedbackRead, format!("/chatbots/{chatbot}/feedback")),
        (KeyScope::SettingsRead, format!("/chatbots/{chatbot}")),
    ];
    match read.into_iter().find(|(scope, _)| has(*scope)) {
        Some((_, rest)) => format!("curl '{path}{rest}' \\\n  {HEADER}"),
        None => format!(
            "curl -X POST '{path}/chatbots/{chatbot}/sources' \\\n  {HEADER} {JSON} \\\n  \
             -d '{{\"kind\": \"api\", \"name\": \"Articles\"}}'"
        ),
    }
}
