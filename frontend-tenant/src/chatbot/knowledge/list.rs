//! The documents of a chatbot with their states. Search, state, order and page are in the URL.

use std::collections::HashMap;

use app::{
    api, format,
    i18n::{Localized, source_kinds},
    list_url::ListUrl,
    page_task::spawn_on_page,
    resource::{Loaded, Resource},
    ui::{
        Badge, Button, ButtonKind, ButtonLink, Card, Column, ConfirmDialog, IconName, ListPages, Select, SkeletonTable,
        Table, ToastKind, toast,
    },
};
use contract::{
    ChatbotId, Page,
    documents::{
        ChatbotSource, DocumentListQuery, DocumentState, IndexedDocument, ListDocuments, Omission, SkippedFile,
        SourceKind, SourceProgress,
    },
    id::DocumentId,
    uploads::{DeleteDocument, ExternalId},
};
use leptos::prelude::*;

use super::{
    progress::Progress,
    selection::{DeleteSelected, SelectDocument, Selection, SelectionBar, can_delete},
    states::{badge, omission_words, problem, progress, waits_for},
};
use crate::{
    paths,
    texts::{knowledge as texts, uploads as upload_texts},
};

/// The filter by state in the address.
const STATE: &str = "state";

/// Documents of the page that changed since it was loaded.
type Updates = HashMap<DocumentId, IndexedDocument>;

/// The dialogs of the rows' buttons, the selection, and the documents that changed since the page was loaded.
#[derive(Clone, Copy)]
struct Opened {
    chatbot: ChatbotId,
    updates: RwSignal<Updates>,
    leaving: RwSignal<Option<IndexedDocument>>,
    selection: Selection,
    asks: RwSignal<bool>,
}

/// The documents; they are loaded again with the sources, and follow the progress meanwhile. Rows stay while others change: their
/// buttons keep the focus and can be pressed.
#[component]
pub(super) fn DocumentsCard(
    id: ChatbotId,
    url: ListUrl,
    sources: Resource<Page<ChatbotSource>>,
    progress: Progress,
) -> impl IntoView {
    let updates = RwSignal::new(Updates::new());
    let page = Resource::new(move || {
        progress.reloads.track();
        let state = url.value(STATE).parse().ok();
        let query = DocumentListQuery { source_id: None, state, page: url.page_query() };
        async move {
            let documents = api::call::<ListDocuments>(&id, &query, &()).await;
            updates.try_set(Updates::new());
            documents
        }
    });
    Effect::new(move |_| {
        let Some(reported) = progress.last_event.get() else { return };
        let (listed, mut all) = (untrack(|| page.get()), updates.get_untracked());
        if listed.is_some_and(|listed| add_updates(&mut all, &listed.items, &reported)) {
            updates.set(all);
        }
    });
    let selection = Selection::new();
    let opened = Opened { chatbot: id, updates, leaving: RwSignal::new(None), selection, asks: RwSignal::new(false) };
    Effect::new(move |_| {
        if let Some(page) = page.get() {
            selection.keep(&page.items);
        }
    });
    let deleted = Callback::new(move |()| sources.reload());
    let states = DocumentState::ALL.iter().map(|state| (state.as_str().to_owned(), badge(*state).1.into()));
    let states = std::iter::once((String::new(), texts::STATE_ALL.into())).chain(states).collect();
    view! {
        <Card title=texts::DOCUMENTS>
            <div class="ui-row">
                <Select
                    label=texts::STATE
                    value=url.signal(STATE)
                    options=states
                    on_change=Callback::new(move |state: String| url.filter(STATE, &state))
                    hide_label=true
                    small=true
                />
            </div>
            <Loaded resource=page skeleton=|| view! { <SkeletonTable columns=4 /> } let:documents>
                <Documents documents url opened />
            </Loaded>
        </Card>
        <DeleteDialog id leaving=opened.leaving deleted />
        <DeleteSelected id selection open=opened.asks deleted />
    }
}

/// Adds the reported states of the shown documents; returns whether one has changed.
fn add_updates(updates: &mut Updates, documents: &[IndexedDocument], reported: &SourceProgress) -> bool {
    let mut has_changed = false;
    for document in documents {
        let before = updates.get(&document.id).unwrap_or(document);
        let mut now = reported.changed.iter().find(|changed| changed.id == document.id).unwrap_or(before).clone();
        if let Some(reading) = reported.reading.iter().find(|reading| reading.id == document.id) {
            (now.state, now.progress) = (DocumentState::Reading, Some(reading.progress));
        }
        if now != *before {
            updates.insert(document.id, now);
            has_changed = true;
        }
    }
    has_changed
}

#[component]
fn Documents(documents: Page<IndexedDocument>, url: ListUrl, opened: Opened) -> impl IntoView {
    if documents.total == 0 {
        let none = if untrack(|| url.is_narrowed(&[STATE])) { texts::NO_MATCH } else { texts::NO_DOCUMENT };
        return view! { <p class="ui-muted">{none.t()}</p> }.into_any();
    }
    let selects = documents.items.iter().any(can_delete);
    let columns = [
        selects.then(|| Column::new(upload_texts::SELECT_COLUMN).without_head()),
        Some(Column::new(texts::DOCUMENT).sorted_by("title")),
        Some(Column::new(texts::STATE).sorted_by("state")),
        Some(Column::new(texts::PASSAGES).sorted_by("passages").number().wide_only()),
        Some(Column::new(texts::CHANGED).sorted_by("updated_at").wide_only()),
        Some(Column::new(app::i18n::texts::ACTIONS).without_head()),
    ];
    let columns: Vec<_> = columns.into_iter().flatten().collect();
    let page = documents.items.clone();
    let rows = documents.items.into_iter().map(|of| row(of, selects, opened)).collect_view();
    view! {
        <SelectionBar selection=opened.selection page asks=opened.asks />
        <Table
            caption=texts::DOCUMENTS
            columns
            sort=url.sort()
            on_sort=Callback::new(move |sort: String| url.order(&sort))
        >
            {rows}
        </Table>
        <ListPages url total=documents.total limit=documents.limit offset=documents.offset />
    }
    .into_any()
}

/// One document; with a cell for its checkbox when the list `selects`. Each cell is built again when what it shows has changed.
fn row(of: IndexedDocument, selects: bool, opened: Opened) -> impl IntoView {
    let Opened { updates, selection, .. } = opened;
    let id = of.id;
    let document = Memo::new(move |_| updates.with(|updates| updates.get(&id).cloned()).unwrap_or_else(|| of.clone()));
    // While files of an archive are read, nothing but their number changes.
    let settled = Memo::new(move |_| IndexedDocument { progress: None, ..document.get() });
    let select = selects.then(|| {
        let select =
            document.with_untracked(can_delete).then(|| view! { <SelectDocument selection document=settled /> });
        view! { <td class="ui-table__cell">{select}</td> }
    });
    let changed = move || {
        let time = settled.with(|of| of.updated_at);
        view! { <time datetime=format::machine(time)>{format::date_time(time)}</time> }
    };
    view! {
        <tr class="ui-table__row">
            {select}
            <td class="ui-table__cell ui-table__cell--main">{move || settled.with(what)}</td>
            <td class="ui-table__cell">{move || document.with(how_far)}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">
                {move || format::number(settled.with(|of| of.passages)).get()}
            </td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">{changed}</td>
            <td class="ui-table__cell">{buttons(settled, opened)}</td>
        </tr>
    }
}

/// What a document is called, where it is, and why it could not be read.
fn what(of: &IndexedDocument) -> impl IntoView + use<> {
    // The path of an own answer is meaningless.
    let place = match of.source_kind {
        source @ (SourceKind::Faq | SourceKind::FaqSeed) => {
            view! { <span class="ui-muted ui-small">{source_kinds::name(source).t()}</span> }.into_any()
        }
        // An unread document has only its path.
        _ if of.path == of.title => ().into_any(),
        _ => view! { <span class="ui-muted ui-small ui-mono">{of.path.clone()}</span> }.into_any(),
    };
    view! { {of.title.clone()} <br /> {place} {reasons(of)} }
}

/// The state of a document, and how much of it is read or what it waits for.
fn how_far(of: &IndexedDocument) -> impl IntoView + use<> {
    let (tone, state) = badge(of.state);
    let progress = progress(of).map(|progress| view! { <span class="ui-muted ui-small ui-nowrap">{progress}</span> });
    let waits = waits_for(of).map(|text| view! { <span class="ui-muted ui-small">{text.t()}</span> });
    view! {
        <div class="ui-row ui-row--wrap">
            <Badge tone dot=true>{state.t()}</Badge>
            {progress}
            {waits}
        </div>
    }
}

/// Why a document, or files in it, could not be read, and what to do.
pub(super) fn reasons(of: &IndexedDocument) -> impl IntoView + use<> {
    let failure = of.problem.as_ref().map(|failure| view! { <p class="ui-small">{problem(failure.code).t()}</p> });
    let keeps = of.problem.is_some() && of.passages > 0;
    let former = keeps.then(|| view! { <p class="ui-muted ui-small">{texts::FORMER_VERSION.t()}</p> });
    let skipped = (!of.skipped.is_empty()).then(|| {
        let count = format::count(of.skipped.len());
        let pages = of.skipped.iter().filter(|skipped| page_of(skipped).is_some()).count();
        let summary: Localized = match (of.skipped.len(), pages) {
            (1, 1) => texts::PAGE_LEFT_OUT.into(),
            (1, _) => texts::SKIPPED_ONE.into(),
            (all, pages) if all == pages => texts::PAGES_LEFT_OUT.with_localized([count]),
            (_, 0) => texts::SKIPPED_SOME.with_localized([count]),
            _ => texts::SKIPPED_MIXED.with_localized([count]),
        };
        let files = of.skipped.iter().map(skipped_file).collect_view();
        view! {
            <details class="ui-details">
                <summary class="ui-details__summary ui-small">{summary}</summary>
                <ul class="ui-list ui-small">{files}</ul>
            </details>
        }
    });
    let recognised = match of.ocr_pages {
        0 => None,
        1 => Some(texts::RECOGNISED_ONE.into()),
        pages => Some(texts::RECOGNISED_SOME.with_localized([format::number(pages)])),
    };
    let recognised = recognised.map(|text: Localized| view! { <p class="ui-muted ui-small">{text}</p> });
    let omitted = omitted(&of.omissions).map(|text| view! { <p class="ui-muted ui-small">{text}</p> });
    view! { {failure} {former} {recognised} {omitted} {skipped} }
}

/// What of a file was left out although it could be read, as one sentence.
fn omitted(omissions: &[Omission]) -> Option<Localized> {
    let parts: Vec<Localized> = omissions
        .iter()
        .map(|omission| {
            let (one, some) = omission_words(omission.kind);
            match omission.count {
                1 => one.into(),
                count => some.with_localized([format::number(count)]),
            }
        })
        .collect();
    (!parts.is_empty()).then(|| texts::NOT_READ.with_localized([Localized::joined(parts, ", ")]))
}

/// The number of a skipped page, and its file if that is in an archive.
fn page_of(skipped: &SkippedFile) -> Option<(Option<&str>, &str)> {
    let (file, number) = match skipped.path.rsplit_once(", Page ") {
        Some((file, number)) => (Some(file), number),
        None => (None, skipped.path.strip_prefix("Page ")?),
    };
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some((file, number))
}

fn skipped_file(file: &SkippedFile) -> impl IntoView + use<> {
    let path = match page_of(file) {
        Some((None, number)) => view! { <span>{texts::PAGE.with(&[number])}</span> }.into_any(),
        Some((Some(file), number)) => view! {
            <span class="ui-mono ui-break">{file.to_owned()}</span>
            ", "
            <span>{texts::PAGE.with(&[number])}</span>
        }
        .into_any(),
        None => view! { <span class="ui-mono ui-break">{file.path.clone()}</span> }.into_any(),
    };
    view! { <li>{path} " " {problem(file.code).t()}</li> }
}

fn buttons(of: Memo<IndexedDocument>, Opened { chatbot, leaving, .. }: Opened) -> impl IntoView {
    // A document that is read may get another title.
    let title = Memo::new(move |_| of.with(|of| of.title.clone()));
    let view = view! {
        <ButtonLink href=paths::document(chatbot, of.with_untracked(|of| of.id)) kind=ButtonKind::Ghost small=true>
            <span class="ui-visually-hidden">{move || texts::VIEW_NAMED.with(&[&title.get()]).get()}</span>
            <span aria-hidden="true">{texts::VIEW.t()}</span>
        </ButtonLink>
    };
    let delete = of.with_untracked(can_delete).then(|| {
        view! {
            <Button
                kind=ButtonKind::Ghost
                small=true
                icon=IconName::Trash
                on_click=Callback::new(move |()| leaving.set(Some(of.get_untracked())))
            >
                <span class="ui-visually-hidden">{move || texts::DELETE_NAMED.with(&[&title.get()]).get()}</span>
                <span aria-hidden="true">{app::i18n::texts::DELETE.t()}</span>
            </Button>
        }
    });
    view! { <div class="ui-row">{view} {delete}</div> }
}

#[component]
fn DeleteDialog(id: ChatbotId, leaving: RwSignal<Option<IndexedDocument>>, deleted: Callback<()>) -> impl IntoView {
    let (open, busy, failure) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(None));
    Effect::new(move |_| open.set(leaving.with(Option::is_some)));
    let confirm = Callback::new(move |()| {
        let Some(document) = leaving.get_untracked() else { return };
        let Ok(name) = document.path.parse::<ExternalId>() else { return };
        let place = (id, document.source_id, name);
        let call = async move { api::call::<DeleteDocument>(&place, &(), &()).await };
        spawn_on_page(busy, call, move |result| match result {
            Err(problem) if !problem.is_missing() => failure.set(Some(problem)),
            // It may have been deleted in another tab.
            _ => {
                leaving.set(None);
                toast(ToastKind::Success, texts::DELETED);
                deleted.run(());
            }
        });
    });
    move || {
        let title =
            leaving.with(|document| document.as_ref().map(|document| document.title.clone())).unwrap_or_default();
        view! {
            <ConfirmDialog
                open
                title=texts::DELETE_TITLE
                text=texts::DELETE_TEXT.with(&[&title])
                confirm_label=app::i18n::texts::DELETE
                busy
                failure
                on_confirm=confirm
            />
        }
    }
}
