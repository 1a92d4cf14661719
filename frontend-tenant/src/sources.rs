//! The sources of an answer, numbered as in the answer, each with its section.

use app::{
    api,
    resource::{Loaded, Resource},
    ui::{Button, ButtonKind, Dialog, DialogSize, Link, Prose, Skeleton},
};
use contract::{ChatbotId, documents::GetSourceSection, id::PassageId, widget::WidgetSource};
use leptos::prelude::*;

use crate::texts::sources as texts;

/// The chatbot whose sources a part of a page shows, as context.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourcesOf(pub(super) ChatbotId);

/// The sources with titles and extracts; the title of a page of a website is a link. Where the chatbot is known
/// ([`SourcesOf`]), the section of a source can be read.
#[component]
pub(super) fn NumberedSources(sources: Vec<WidgetSource>) -> impl IntoView {
    let chatbot = use_context::<SourcesOf>().map(|SourcesOf(chatbot)| chatbot);
    let section = RwSignal::new(None::<(PassageId, String)>);
    let rows: Vec<_> = sources
        .into_iter()
        .zip(1..)
        .map(|(source, number)| {
            let title = source.source_title.clone();
            let read = source.passage_id.filter(|_| chatbot.is_some()).map(|passage| {
                let of = format!(": {title}");
                let open = Callback::new(move |()| section.set(Some((passage, title.clone()))));
                view! {
                    " "
                    <Button small=true kind=ButtonKind::Ghost on_click=open>
                        <span>{texts::SECTION.t()} <span class="ui-visually-hidden">{of}</span></span>
                    </Button>
                }
            });
            let name = format!("[{number}] {}", source.source_title);
            let name = match source.url {
                Some(href) => view! { <Link href external=true>{name}</Link> }.into_any(),
                None => name.into_any(),
            };
            view! {
                <li>
                    <span class="ui-strong">{name}</span>
                    " "
                    <span class="ui-muted">{source.content_snippet}</span>
                    {read}
                </li>
            }
        })
        .collect();
    view! {
        <ul class="ui-list ui-list--loose">{rows}</ul>
        {chatbot.map(|chatbot| view! { <SectionDialog chatbot section /> })}
    }
}

/// The dialog with a section; it is open while one is chosen.
#[component]
fn SectionDialog(chatbot: ChatbotId, section: RwSignal<Option<(PassageId, String)>>) -> impl IntoView {
    let open = RwSignal::new(false);
    Effect::new(move |_| open.set(section.with(Option::is_some)));
    move || {
        let chosen = section.get();
        let title = chosen.as_ref().map(|(_, title)| title.clone()).unwrap_or_default();
        view! {
            <Dialog open title size=DialogSize::Large dismissible=true>
                {chosen.clone().map(|(passage, _)| view! { <Section chatbot passage /> })}
            </Dialog>
        }
    }
}

#[component]
fn Section(chatbot: ChatbotId, passage: PassageId) -> impl IntoView {
    let section =
        Resource::new(move || async move { api::call::<GetSourceSection>(&(chatbot, passage), &(), &()).await });
    view! {
        <div class="ui-dialog__body">
            <Loaded resource=section skeleton=|| view! { <Skeleton lines=6 /> } let:section>
                <Prose text=section.content />
                {section.is_cut.then(|| view! { <p class="ui-muted ui-small">{texts::SECTION_CUT.t()}</p> })}
            </Loaded>
        </div>
    }
}
