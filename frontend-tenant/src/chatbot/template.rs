//! Compares a chatbot with its template: each field that the template changed, with the adopted, the current and the
//! chatbot's value, and the choice between them.

mod apply;
mod change;
mod marks;
mod values;

use app::{
    api,
    i18n::{Localized, Text},
    resource::{Loaded, Resource},
    ui::{Banner, Card, EmptyState, IconName, SkeletonCards, Tone},
};
use contract::{
    chatbots::Chatbot,
    template_update::{GetTemplateUpdate, TemplateUpdate},
};
use leptos::prelude::*;

use self::{
    apply::{ApplyBar, Choices},
    change::ChangeCard,
};
use super::{frame::Frame, parts::Part};
use crate::{
    provisioning::ProvisioningPoller,
    read_only::{ReadOnlyBanner, is_read_only},
    texts::template_update as texts,
};

/// The comparison of the chatbot in the URL.
#[component]
pub(crate) fn TemplatePage() -> impl IntoView {
    view! { <Frame part=Part::Template content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let id = poller.chatbot().with_untracked(|chatbot| chatbot.id);
    let update = Resource::new(move || async move { api::call::<GetTemplateUpdate>(&id, &(), &()).await });
    view! {
        <Loaded resource=update skeleton=|| view! { <SkeletonCards count=3 /> } let:comparison>
            {
                let chatbot = poller.chatbot().get_untracked();
                match nothing(&chatbot, &comparison) {
                    Some((icon, title, text)) => {
                        view! { <Card><EmptyState icon title text /></Card> }.into_any()
                    }
                    None => view! { <Comparison poller update comparison /> }.into_any(),
                }
            }
        </Loaded>
    }
    .into_any()
}

/// Why there is nothing to compare; `None` when there is.
fn nothing(chatbot: &Chatbot, update: &TemplateUpdate) -> Option<(IconName, Text, Localized)> {
    if update.update_available || !update.changes.is_empty() {
        return None;
    }
    let Some(template) = &chatbot.template_id else {
        return Some((IconName::Template, texts::NONE_TITLE, texts::NONE_TEXT.into()));
    };
    let name = chatbot.template_snapshot.as_ref().map_or_else(|| template.to_string(), |content| content.name.clone());
    Some(match update.template_version {
        None => (IconName::Template, texts::WITHDRAWN_TITLE, texts::WITHDRAWN_TEXT.with(&[&name])),
        Some(version) => {
            let text = texts::CURRENT_TEXT.with(&[&version.to_string(), &name]);
            (IconName::Check, texts::CURRENT_TITLE, text)
        }
    })
}

#[component]
fn Comparison(
    poller: ProvisioningPoller,
    update: Resource<TemplateUpdate>,
    comparison: TemplateUpdate,
) -> impl IntoView {
    let choices = Choices::new(&comparison.changes);
    let chatbot = poller.chatbot().get_untracked();
    let name = chatbot.template_snapshot.map(|content| content.name).unwrap_or_default();
    let [from, to] = [comparison.snapshot_version, comparison.template_version]
        .map(|version| version.map_or_else(String::new, |version| version.to_string()));
    let intro = if comparison.update_available {
        texts::INTRO.with(&[&name, &from, &to])
    } else {
        texts::LEFT_OVER.with(&[&name])
    };
    let cards =
        comparison.changes.iter().map(|change| view! { <ChangeCard change=change.clone() choices /> }).collect_view();
    view! {
        <ReadOnlyBanner />
        <Banner tone=Tone::Info>{intro}</Banner>
        {cards}
        {(!is_read_only()).then(|| view! { <ApplyBar poller update comparison choices /> })}
    }
}
