//! The upload of files and folders: dropped anywhere on the page or chosen, each with its result.

mod files;
mod progress;
mod queue;

use std::time::Duration;

use app::{
    backend::ConsoleConfig,
    format,
    i18n::Localized,
    resource::Resource,
    ui::{Button, ButtonKind, Card, Icon, IconName, Select},
    upload_kinds::{self, SizeLimits},
};
use contract::{
    ChatbotId, Page,
    documents::{ChatbotSource, SourceKind},
};
use leptos::{ev, html, prelude::*, task::spawn_local};

use self::{progress::SentFiles, queue::Uploads};
use super::ways::OtherWays;
use crate::texts::{knowledge as texts, uploads as upload_texts};

/// How long dragged files count as over the page after the last event.
const DRAG_TIMEOUT: Duration = Duration::from_millis(800);

/// The drop area, the buttons that choose files, and, while the chatbot has no knowledge, the other ways to add some.
#[component]
pub(super) fn UploadCard(
    id: ChatbotId,
    sources: Resource<Page<ChatbotSource>>,
    /// Whether text in pictures is recognised; `None` until it is loaded.
    reads_scans: Signal<Option<bool>>,
    /// Opens the example of the API.
    shows_api: RwSignal<bool>,
) -> impl IntoView {
    let config = expect_context::<ConsoleConfig>();
    let number = |text: &str| text.parse().unwrap_or(u64::MAX);
    let limits = SizeLimits { file: number(&config.max_file_bytes), archive: number(&config.max_archive_bytes) };
    let uploads = Uploads::new(id, sources, limits, reads_scans);
    let is_over = RwSignal::new(false);
    listen_for_drops(uploads, is_over);
    let knows_nothing = Memo::new(move |before: Option<&bool>| {
        // Keeps the last value while the sources are reloaded.
        sources.get().map_or_else(|| before.copied().unwrap_or(false), |page| page.items.iter().all(is_empty))
    });
    view! {
        <Card title=texts::UPLOAD>
            {move || knows_nothing.get().then(|| view! { <p>{texts::UPLOAD_FIRST.t()}</p> })}
            <div class="ui-ways" class=("ui-ways--several", knows_nothing)>
                <Dropzone uploads is_over />
                {move || knows_nothing.get().then(|| view! { <OtherWays id shows_api /> })}
            </div>
            <TargetChoice uploads sources />
            <SentFiles uploads />
        </Card>
        <div class="ui-drop-overlay" aria-hidden="true" hidden=move || !is_over.get()>
            <p class="ui-drop-overlay__text">
                <Icon name=IconName::Upload />
                {upload_texts::DROP_ANYWHERE.t()}
            </p>
        </div>
    }
}

fn is_empty(source: &ChatbotSource) -> bool {
    source.documents + source.pending + source.failed == 0
}

/// Handles files that are dropped anywhere on the page, and highlights the page while they are dragged.
fn listen_for_drops(uploads: Uploads, is_over: RwSignal<bool>) {
    let has_files = |event: &ev::DragEvent| event.data_transfer().is_some_and(|data| files::has_files(&data));
    let leaving = StoredValue::new(None::<TimeoutHandle>);
    let over = window_event_listener(ev::dragover, move |event| {
        if has_files(&event) {
            // Without this the browser would open the file in place of the page.
            event.prevent_default();
            is_over.set(true);
            // Browsers send no event when a drag leaves the page or is cancelled, but they repeat this one while it
            // lasts.
            let end = move || {
                is_over.try_set(false);
            };
            let timeout = set_timeout_with_handle(end, DRAG_TIMEOUT).ok();
            leaving.update_value(|before| {
                if let Some(before) = std::mem::replace(before, timeout) {
                    before.clear();
                }
            });
        }
    });
    let dropped = window_event_listener(ev::drop, move |event| {
        is_over.set(false);
        let Some(data) = event.data_transfer().filter(files::has_files) else { return };
        event.prevent_default();
        let dropped = files::dropped(&data);
        spawn_local(async move { uploads.add(files::read_all(dropped).await) });
    });
    on_cleanup(move || {
        over.remove();
        dropped.remove();
    });
}

#[component]
fn Dropzone(uploads: Uploads, is_over: RwSignal<bool>) -> impl IntoView {
    let (files, folder) = (NodeRef::<html::Input>::new(), NodeRef::<html::Input>::new());
    let chosen = move |input: NodeRef<html::Input>| {
        let Some(input) = input.get_untracked() else { return };
        if let Some(list) = input.files() {
            uploads.add(files::chosen(&list));
        }
        // Lets the same file be chosen again.
        input.set_value("");
    };
    Effect::new(move |_| {
        if let Some(input) = folder.get() {
            input.set_webkitdirectory(true);
        }
    });
    let (SizeLimits { file, archive }, reads_scans) = (uploads.limits, uploads.reads_scans);
    let formats = move || {
        let text =
            if reads_scans.get() == Some(false) { upload_texts::FORMATS_WITHOUT_SCANS } else { texts::UPLOAD_FORMATS };
        text.with_localized([file, archive].map(format::bytes)).get()
    };
    let no_scans = move || {
        (reads_scans.get() == Some(false))
            .then(|| view! { <p class="ui-muted ui-small">{upload_texts::NO_SCANS.t()}</p> })
    };
    view! {
        <div class="ui-dropzone" class=("ui-dropzone--over", is_over)>
            <span class="ui-dropzone__icon"><Icon name=IconName::Upload /></span>
            <p>{texts::UPLOAD_TEXT.t()}</p>
            <input
                class="ui-file"
                type="file"
                multiple=true
                accept=upload_kinds::accepted()
                aria-label=texts::UPLOAD_CHOOSE.t()
                hidden
                node_ref=files
                on:change=move |_| chosen(files)
            />
            <input
                class="ui-file"
                type="file"
                aria-label=upload_texts::CHOOSE_FOLDER.t()
                hidden
                node_ref=folder
                on:change=move |_| chosen(folder)
            />
            <div class="ui-row ui-row--wrap">
                <Button kind=ButtonKind::Primary icon=IconName::Upload on_click=choose(files)>
                    {texts::UPLOAD_CHOOSE.t()}
                </Button>
                <Button on_click=choose(folder)>{upload_texts::CHOOSE_FOLDER.t()}</Button>
            </div>
            <p class="ui-muted ui-small">{formats}</p>
            {no_scans}
        </div>
    }
}

/// Lets the user choose files.
fn choose(input: NodeRef<html::Input>) -> Callback<()> {
    Callback::new(move |()| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    })
}

/// Which source files are added to, when there are several.
#[component]
fn TargetChoice(uploads: Uploads, sources: Resource<Page<ChatbotSource>>) -> impl IntoView {
    let choices = Memo::new(move |before: Option<&Vec<(String, String)>>| {
        let uploaded = |page: Page<ChatbotSource>| {
            let uploaded = page.items.into_iter().filter(|source| source.kind == SourceKind::Upload);
            uploaded.map(|source| (source.id.to_string(), source.name)).collect()
        };
        sources.get().map_or_else(|| before.cloned().unwrap_or_default(), uploaded)
    });
    // A deleted source is no longer a target.
    Effect::new(move |_| {
        let is_gone = uploads.target.get().is_some_and(|target| {
            let target = target.to_string();
            choices.with(|choices| choices.iter().all(|(id, _)| *id != target))
        });
        if is_gone {
            uploads.target.set(None);
        }
    });
    let value = Signal::derive(move || {
        let first = || choices.with(|choices| choices.first().map(|(id, _)| id.clone()));
        uploads.target.get().map(|target| target.to_string()).or_else(first).unwrap_or_default()
    });
    move || {
        let choices = choices.get();
        (choices.len() > 1).then(|| {
            let options = choices.into_iter().map(|(id, name)| (id, Localized::from(name))).collect();
            let choose = Callback::new(move |id: String| uploads.target.set(id.parse().ok()));
            view! { <Select label=upload_texts::TARGET value options on_change=choose /> }
        })
    }
}
