//! One website: its state, what to do next, and its pages.

use app::{
    api, format,
    i18n::{Localized, Text, plural},
    page_task::spawn_on_page,
    resource::Resource,
    ui::{Badge, Button, ButtonKind, ConfirmDialog, IconName, ToastKind, toast, toast_problem},
};
use contract::{
    ChatbotId, Page,
    documents::ChatbotSource,
    id::SourceId,
    sources::{DeleteSource, ReadWebsite, SourcePatch, UpdateSource},
    websites::{Website, WebsitePatch, WebsiteReading, WebsiteState},
};
use leptos::prelude::*;

use super::{labels, pages::PagesDialog, proof::ProofSteps, settings::SettingsDialog};
use crate::{read_only::is_read_only, texts::website as texts};

/// The context of a website's buttons.
#[derive(Clone, Copy)]
struct PanelActions {
    place: (ChatbotId, SourceId),
    sources: Resource<Page<ChatbotSource>>,
    busy: RwSignal<bool>,
    leaving: RwSignal<bool>,
    shows_pages: RwSignal<bool>,
    shows_settings: RwSignal<bool>,
}

/// A website of the list; `None` when it was removed.
#[component]
pub(super) fn WebsitePanel(
    id: ChatbotId,
    of: Memo<Option<ChatbotSource>>,
    sources: Resource<Page<ChatbotSource>>,
) -> impl IntoView {
    let Some(first) = of.get_untracked() else { return ().into_any() };
    let actions = PanelActions {
        place: (id, first.id),
        sources,
        busy: RwSignal::new(false),
        leaving: RwSignal::new(false),
        shows_pages: RwSignal::new(false),
        shows_settings: RwSignal::new(false),
    };
    let name = first.name.clone();
    let description = move || {
        let source = of.get()?;
        let website = source.website.clone()?;
        Some(view! { <Shown source website /> })
    };
    // The buttons stay while only numbers change, and until the list is built without the website, and with them the focus.
    let choices = Memo::new(move |before: Option<&Option<Choices>>| {
        let website = of.get().and_then(|source| source.website);
        website.as_ref().map(Choices::of).or_else(|| before.copied().flatten())
    });
    view! {
        <li class="ui-entries__item ui-stack ui-stack--small">
            {description}
            {move || choices.get().map(|choices| view! { <Buttons choices actions /> })}
            <PagesDialog place=actions.place name=name.clone() open=actions.shows_pages of />
            <SettingsDialog place=actions.place name=name.clone() open=actions.shows_settings of sources />
            <DeleteDialog actions name />
        </li>
    }
    .into_any()
}

/// The conditions that decide which buttons are shown.
#[derive(Clone, Copy, PartialEq)]
struct Choices {
    state: WebsiteState,
    paused: bool,
    approved: bool,
    has_pages: bool,
}

impl Choices {
    fn of(website: &Website) -> Self {
        Self {
            state: website.state,
            paused: website.paused,
            approved: website.approved,
            has_pages: website.pages.total() > 0,
        }
    }
}

#[component]
fn Shown(source: ChatbotSource, website: Website) -> impl IntoView {
    let (tone, state) = labels::badge(&website);
    let reason = website.problem.as_ref().map(|failure| {
        let detail = failure.detail.clone();
        view! {
            <p class="ui-small">{labels::problem(failure.code).t()}</p>
            {(!detail.is_empty()).then(|| view! { <p class="ui-muted ui-small ui-break" lang="en">{detail}</p> })}
        }
    });
    let steps = (website.state == WebsiteState::Unproven && !website.paused)
        .then(|| view! { <ProofSteps website=website.clone() /> });
    view! {
        <div class="ui-row ui-row--wrap">
            <span class="ui-strong ui-break">{source.name.clone()}</span>
            <Badge tone dot=true>{state.t()}</Badge>
        </div>
        {progress(&source, &website)}
        {reason}
        {counts(&website)}
        {steps}
        {times(&website)}
    }
}

/// How many pages the running job has visited.
fn progress(source: &ChatbotSource, website: &Website) -> impl IntoView + use<> {
    let is_running = matches!(website.state, WebsiteState::Previewing | WebsiteState::Reading) && !website.paused;
    let (done, total) = (website.pages.looked_at, website.pages.total());
    let label = texts::PROGRESS_LABEL.with(&[&source.name]);
    is_running.then(|| {
        let text = plural(total, texts::PROGRESS_ONE, texts::PROGRESS);
        let text = text.with_localized([done, total].map(format::number));
        view! {
            <progress class="ui-progress" max=total value=done aria-label=move || label.get()></progress>
            <p class="ui-muted ui-small">{text}</p>
        }
    })
}

/// The number of pages that were found or are in use.
fn counts(website: &Website) -> impl IntoView + use<> {
    let pages = website.pages;
    let numbers = |readable: i64| [readable, pages.left_out, pages.failed].map(format::number);
    let text: Option<Localized> = match website.state {
        WebsiteState::Previewed if pages.found == 0 => Some(texts::FOUND_NONE.into()),
        WebsiteState::Previewed => Some(texts::FOUND.with_localized(numbers(pages.found))),
        WebsiteState::Ready | WebsiteState::Failed | WebsiteState::Unproven if pages.ready > 0 => {
            Some(texts::READ_PAGES.with_localized(numbers(pages.ready)))
        }
        _ => None,
    };
    let more = (website.state == WebsiteState::Previewed && pages.waiting > 0)
        .then(|| counted(pages.waiting, texts::FOUND_MORE_ONE, texts::FOUND_MORE));
    let missing = (pages.missing > 0).then(|| counted(pages.missing, texts::GONE_ONE, texts::GONE));
    [text, more, missing].into_iter().flatten().map(|text| view! { <p class="ui-small">{text}</p> }).collect_view()
}

fn counted(pages: i64, one: Text, some: Text) -> Localized {
    plural(pages, one, some).with_localized([format::number(pages)])
}

/// When it was read, when it will be read next, and the proof of ownership.
fn times(website: &Website) -> impl IntoView + use<> {
    let synced = website.synced_at.map(|time| texts::SYNCED.with_localized([format::date_time(time)]));
    let next = website.next_sync_at.map(|time| texts::NEXT.with_localized([format::date_time(time)]));
    let proof = website.proven_by.map(|proof| Localized::from(labels::proof(proof)));
    let schedule = website.approved.then(|| Localized::from(labels::schedule(website.settings.schedule)));
    let parts: Vec<Localized> = [proof, schedule, synced, next].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| {
        let text = move || parts.iter().map(|part| part.get()).collect::<Vec<_>>().join(" · ");
        view! { <p class="ui-muted ui-small">{text}</p> }
    })
}

#[component]
fn Buttons(choices: Choices, actions: PanelActions) -> impl IntoView {
    let Choices { state, paused, approved, has_pages } = choices;
    let is_busy = state.is_busy() && !paused;
    let next = (!is_busy && !paused).then_some(match state {
        WebsiteState::Unproven => (texts::CHECK_AGAIN, !approved),
        WebsiteState::Failed => (texts::TRY_AGAIN, !approved),
        WebsiteState::Previewed => (texts::START, false),
        _ => (texts::READ_NOW, false),
    });
    let looks_again = state == WebsiteState::Previewed && !paused;
    let can_pause = approved || is_busy || paused;
    let admin = (!is_read_only()).then(|| {
        view! {
            {next.map(|(label, preview)| {
                let kind = if state == WebsiteState::Ready { ButtonKind::default() } else { ButtonKind::Primary };
                view! {
                    <Button kind small=true busy=actions.busy on_click=Callback::new(move |()| actions.read(preview))>
                        {label.t()}
                    </Button>
                }
            })}
            {looks_again.then(|| action(texts::LOOK_AGAIN, move || actions.read(true)))}
            {can_pause.then(|| {
                let label = if paused { texts::RESUME } else { texts::PAUSE };
                action(label, move || actions.pause(!paused))
            })}
            {action(texts::SETTINGS, move || actions.shows_settings.set(true))}
            <Button
                kind=ButtonKind::Ghost
                small=true
                icon=IconName::Trash
                on_click=Callback::new(move |()| actions.leaving.set(true))
            >
                {app::i18n::texts::DELETE.t()}
            </Button>
        }
    });
    view! {
        <div class="ui-row ui-row--wrap">
            {admin}
            {has_pages.then(|| action(texts::SHOW_PAGES, move || actions.shows_pages.set(true)))}
        </div>
    }
}

fn action(label: Text, run: impl Fn() + Send + Sync + 'static) -> impl IntoView {
    view! {
        <Button kind=ButtonKind::Ghost small=true on_click=Callback::new(move |()| run())>
            {label.t()}
        </Button>
    }
}

impl PanelActions {
    fn read(self, preview: bool) {
        let place = self.place;
        let call = async move { api::call::<ReadWebsite>(&place, &(), &WebsiteReading { preview }).await };
        spawn_on_page(self.busy, call, move |result| match result {
            Ok(_) => {
                toast(ToastKind::Info, if preview { texts::CHECK_STARTED } else { texts::STARTED });
                self.sources.reload();
            }
            Err(problem) => toast_problem(&problem),
        });
    }

    fn pause(self, paused: bool) {
        let place = self.place;
        let website = Some(WebsitePatch { paused: Some(paused), ..WebsitePatch::default() });
        let patch = SourcePatch { website, ..SourcePatch::default() };
        let call = async move { api::call::<UpdateSource>(&place, &(), &patch).await };
        spawn_on_page(self.busy, call, move |result| match result {
            Ok(_) => self.sources.reload(),
            Err(problem) => toast_problem(&problem),
        });
    }
}

#[component]
fn DeleteDialog(actions: PanelActions, name: String) -> impl IntoView {
    let (busy, failure) = (RwSignal::new(false), RwSignal::new(None));
    let confirm = Callback::new(move |()| {
        let place = actions.place;
        let call = async move { api::call::<DeleteSource>(&place, &(), &()).await };
        spawn_on_page(busy, call, move |result| match result {
            Err(problem) if !problem.is_missing() => failure.set(Some(problem)),
            // It may have been deleted in another tab.
            _ => {
                actions.leaving.set(false);
                toast(ToastKind::Success, texts::DELETED);
                actions.sources.reload();
            }
        });
    });
    view! {
        <ConfirmDialog
            open=actions.leaving
            title=texts::DELETE_TITLE
            text=texts::DELETE_TEXT.with(&[&name])
            confirm_label=app::i18n::texts::DELETE
            busy
            failure
            on_confirm=confirm
        />
    }
}
