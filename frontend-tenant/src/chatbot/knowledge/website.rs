//! Websites of the chatbot: a form for a new one, and each website with its state.

mod labels;
mod pages;
mod panel;
mod proof;
mod settings;
mod suggestions;

use app::{
    api,
    form::{Field, Form, FormError},
    resource::{Loaded, Resource},
    ui::{Button, ButtonKind, Card, IconName, Skeleton, TextField},
};
use contract::{
    ChatbotId, Page,
    documents::{ChatbotSource, SourceKind},
    id::SourceId,
    sources::{CreateSource, MAX_SOURCE_NAME, NewSource},
    websites::NewWebsite,
};
use leptos::prelude::*;

use self::{panel::WebsitePanel, suggestions::Suggestions};
use crate::{read_only::is_read_only, texts::website as texts};

/// The websites of the chatbot, and the form that adds one.
#[component]
pub(super) fn WebsiteCard(id: ChatbotId, sources: Resource<Page<ChatbotSource>>) -> impl IntoView {
    let websites = Memo::new(move |before: Option<&Vec<ChatbotSource>>| {
        // Keeps the last content while the sources are reloaded.
        let websites = |page: Page<ChatbotSource>| page.items.into_iter().filter(|source| source.website.is_some());
        sources.get().map_or_else(|| before.cloned().unwrap_or_default(), |page| websites(page).collect())
    });
    // The panels stay while only numbers change, and with them the focus.
    let list = sources.part(|page| {
        let websites = page.items.iter().filter(|source| source.website.is_some());
        websites.map(|source| source.id).collect::<Vec<_>>()
    });
    view! {
        <Card title=texts::TITLE>
            {(!is_read_only()).then(|| view! { <AddForm id sources websites /> })}
            <Loaded resource=list skeleton=|| view! { <Skeleton lines=1 /> } let:ids>
                <Panels id ids websites sources />
            </Loaded>
        </Card>
    }
}

#[component]
fn Panels(
    id: ChatbotId,
    ids: Vec<SourceId>,
    /// The same websites with their numbers.
    websites: Memo<Vec<ChatbotSource>>,
    sources: Resource<Page<ChatbotSource>>,
) -> impl IntoView {
    if ids.is_empty() {
        return view! { <p class="ui-muted">{texts::NONE.t()}</p> }.into_any();
    }
    let panels = ids.into_iter().map(|source| {
        let of = Memo::new(move |_| websites.with(|all| all.iter().find(|website| website.id == source).cloned()));
        view! { <WebsitePanel id of sources /> }
    });
    view! { <ul class="ui-entries" aria-label=texts::LIST.t()>{panels.collect_view()}</ul> }.into_any()
}

#[component]
fn AddForm(id: ChatbotId, sources: Resource<Page<ChatbotSource>>, websites: Memo<Vec<ChatbotSource>>) -> impl IntoView {
    let url = Field::new("url", "");
    let form = Form::new([url]);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let address = url.trimmed();
        let body =
            NewSource { kind: SourceKind::Website, name: name(&address), website: Some(NewWebsite::at(address)) };
        let call = move |body| async move { api::call::<CreateSource>(&id, &(), &body).await };
        form.send(body, call, move |_| {
            url.set("");
            sources.reload();
        });
    };
    view! {
        <form class="ui-stack ui-stack--small ui-narrow" novalidate on:submit=submit>
            <p>{texts::INTRO.t()}</p>
            <TextField label=texts::URL field=url hint=texts::URL_HINT input_type="url" />
            <Suggestions id websites url />
            <FormError form />
            <div class="ui-row">
                <Button kind=ButtonKind::Primary submit=true icon=IconName::Search busy=form.busy()>
                    {texts::ADD.t()}
                </Button>
            </div>
        </form>
    }
}

/// A source is called like its address, without the scheme.
fn name(address: &str) -> String {
    let name = address.split_once("://").map_or(address, |(_, rest)| rest).trim_end_matches('/');
    let name: String = name.chars().take(MAX_SOURCE_NAME).collect();
    // An invalid address is refused at its own field.
    if name.is_empty() { "-".to_owned() } else { name }
}
