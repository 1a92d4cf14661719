//! The frame of all pages of a chatbot: its name and state, the navigation to its other pages, and important notices.

use app::{
    api,
    resource::{Loaded, Resource},
    ui::{Badge, Banner, Button, Crumb, IconName, PageHeader, SectionLink, SectionNav, SkeletonCards, Tone},
};
use contract::{
    ChatbotId, ErrorCode,
    chatbots::{Chatbot, ChatbotStatus, GetChatbot, Provisioning},
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::{
    open_items::OpenItems,
    parts::{Part, Section},
};
use crate::{
    not_found::NotFoundPage,
    paths,
    provisioning::{ProvisioningPoller, provisioning_badge, status_badge},
    read_only::AdminOnly,
    texts::{self as console, chatbot as texts, sections},
};

/// A page of the chatbot in the URL. `content` builds the part below the chatbot's name.
#[component]
pub(super) fn Frame(
    part: Part,
    /// Builds the page.
    content: fn(ProvisioningPoller) -> AnyView,
) -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")?.parse::<ChatbotId>().ok()));
    move || match id.get() {
        Some(id) => view! { <OfId id part content /> }.into_any(),
        None => view! { <NotFoundPage /> }.into_any(),
    }
}

#[component]
fn OfId(id: ChatbotId, part: Part, content: fn(ProvisioningPoller) -> AnyView) -> impl IntoView {
    let chatbot = Resource::new(move || async move {
        match api::call::<GetChatbot>(&id, &(), &()).await {
            Ok(chatbot) => Ok(Some(chatbot)),
            Err(problem) if problem.code() == Some(ErrorCode::ChatbotNotFound) => Ok(None),
            Err(problem) => Err(problem),
        }
    });
    view! {
        <Loaded resource=chatbot skeleton=|| view! { <SkeletonCards count=4 /> } let:stored>
            {match stored {
                Some(chatbot) => view! { <Framed chatbot part content /> }.into_any(),
                None => view! { <NotFoundPage /> }.into_any(),
            }}
        </Loaded>
    }
}

#[component]
fn Framed(chatbot: Chatbot, part: Part, content: fn(ProvisioningPoller) -> AnyView) -> impl IntoView {
    let id = chatbot.id;
    let poller = ProvisioningPoller::new(chatbot);
    let chatbot = poller.chatbot();
    let names = Memo::new(move |_| chatbot.with(|chatbot| (chatbot.name.clone(), chatbot.description.clone())));
    let status = Memo::new(move |_| chatbot.with(|chatbot| chatbot.status));
    let state = poller.state();
    let open = OpenItems::provide(id);
    view! {
        {move || {
            let (name, description) = names.get();
            view! { <Head name description status state /> }
        }}
        <Pages id part open />
        {move || notice(poller, status.get(), state.get())}
        {content(poller)}
    }
}

/// The ways to the other pages: between the groups, and within the group of this page.
#[component]
fn Pages(id: ChatbotId, part: Part, open: OpenItems) -> impl IntoView {
    let is_here = |section: &Section| section.parts().contains(&part);
    let link = |section: Section| SectionLink {
        href: section.parts().first().copied().unwrap_or(Part::Overview).href(id),
        label: section.label().into(),
        is_current: is_here(&section),
        open: open.of_section(section),
    };
    let links = Section::ALL.map(link).to_vec();
    let within = Section::ALL.into_iter().find(is_here).filter(|section| section.parts().len() > 1).map(|section| {
        let link = |of: &Part| SectionLink {
            href: of.href(id),
            label: of.label().into(),
            is_current: *of == part,
            open: open.of_part(*of),
        };
        let links = section.parts().iter().map(link).collect();
        let label = sections::PARTS_OF.with_localized([section.label().into()]);
        view! { <SectionNav label links parts=true /> }
    });
    view! {
        <div class="ui-stack ui-stack--small">
            <SectionNav label=sections::PAGES links />
            {within}
        </div>
    }
}

#[component]
fn Head(name: String, description: String, status: Memo<ChatbotStatus>, state: Memo<Provisioning>) -> impl IntoView {
    let crumbs = vec![Crumb::link(console::CHATBOTS, paths::CHATBOTS), Crumb::here(name.clone())];
    let badges = move || {
        let (status_tone, status_text) = status_badge(status.get());
        let (tone, text) = provisioning_badge(state.get());
        view! {
            <Badge tone=status_tone dot=true>{status_text.t()}</Badge>
            <Badge tone dot=true>{text.t()}</Badge>
        }
    };
    view! { <PageHeader title=name subtitle=description crumbs>{badges}</PageHeader> }
}

/// The most important notice.
fn notice(poller: ProvisioningPoller, status: ChatbotStatus, state: Provisioning) -> impl IntoView {
    match (status, state) {
        (ChatbotStatus::Deactivated, _) => view! {
            <Banner tone=Tone::Neutral title=texts::DEACTIVATED_TITLE>{texts::DEACTIVATED_TEXT.t()}</Banner>
        }
        .into_any(),
        (_, Provisioning::Failed) => view! { <FailedBanner poller /> }.into_any(),
        (_, Provisioning::Pending) => view! {
            <Banner tone=Tone::Info title=texts::PENDING_TITLE>{texts::PENDING_TEXT.t()}</Banner>
        }
        .into_any(),
        (_, Provisioning::Ready) => ().into_any(),
    }
}

/// The collection could not be created; administrators can retry.
#[component]
pub(crate) fn FailedBanner(poller: ProvisioningPoller) -> impl IntoView {
    let retry = Callback::new(move |()| poller.retry());
    view! {
        <Banner tone=Tone::Danger title=texts::FAILED_TITLE>
            <div class="ui-stack ui-stack--small">
                <p>{texts::FAILED_TEXT.t()}</p>
                <AdminOnly>
                    <div class="ui-row">
                        <Button small=true icon=IconName::Refresh busy=poller.busy() on_click=retry>
                            {texts::RETRY.t()}
                        </Button>
                    </div>
                </AdminOnly>
            </div>
        </Banner>
    }
}
