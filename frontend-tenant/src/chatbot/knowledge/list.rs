//! The documents of a chatbot with their states. Search, state, order and page are in the URL.

use app::{
    api, format,
    i18n::{Localized, source_kinds},
    list_url::ListUrl,
    page_task::spawn_on_page,
    resource::{Loaded, Resource},
    ui::{
        Badge, Button, ButtonKind, ButtonLink, Card, Column, ConfirmDialog, IconName, ListPages, Select, SkeletonTable,
        Table, ToastKind, toast, toast_problem,
    },
};
use contract::{
    ChatbotId, Page,
    documents::{
        ChatbotSource, DocumentListQuery, DocumentState, IndexedDocument, ListDocuments, SkippedFile, SourceKind,
        SourceProgress,
    },
    uploads::{DeleteDocument, ExternalId},
};
use leptos::prelude::*;

use super::{
    progress::Progress,
    selection::{DeleteSelected, SelectDocument, Selection, SelectionBar, can_delete},
    states::{badge, problem, progress},
};
use crate::{
    routes,
    texts::{knowledge as texts, uploads as words},
};

/// The filter by state in the address.
const STATE: &str = "state";

/// The dialogs of the rows' buttons, and the selection.
#[derive(Clone, Copy)]
struct Opened {
    chatbot: ChatbotId,
    leaving: RwSignal<Option<IndexedDocument>>,
    selection: Selection,
    asks: RwSignal<bool>,
}

/// The documents; they are loaded again with the sources, and follow the progress meanwhile.
#[component]
pub(super) fn DocumentsCard(
    id: ChatbotId,
    url: ListUrl,
    sources: Resource<Page<ChatbotSource>>,
    progress: Progress,
) -> impl IntoView {
    let page = Resource::new(move || {
        progress.reloads.track();
        let state = url.value(STATE).parse().ok();
        let query = DocumentListQuery { source_id: None, state, page: url.page_query() };
        async move { api::call::<ListDocuments>(&id, &query, &()).await }
    });
    Effect::new(move |_| {
        let Some(told) = progress.told.get() else { return };
        if let Some(mut shown) = untrack(|| page.get())
            && bring_up_to_date(&mut shown.items, &told)
        {
            page.set(shown);
        }
    });
    let selection = Selection::new();
    let opened = Opened { chatbot: id, leaving: RwSignal::new(None), selection, asks: RwSignal::new(false) };
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
            <Loaded resource=page skeleton=|| view! { <SkeletonTable columns=4 /> } let:found>
                <Documents found url opened />
            </Loaded>
        </Card>
        <DeleteDialog id leaving=opened.leaving deleted />
        <DeleteSelected id selection open=opened.asks deleted />
    }
}

/// Merges reported states into the shown documents; returns whether one has changed.
fn bring_up_to_date(shown: &mut [IndexedDocument], told: &SourceProgress) -> bool {
    let mut has_changed = false;
    for document in shown {
        if let Some(changed) = told.changed.iter().find(|changed| changed.id == document.id)
            && changed != document
        {
            document.clone_from(changed);
            has_changed = true;
        }
        let reading = told.reading.iter().find(|reading| reading.id == document.id);
        if let Some(progress) = reading.map(|reading| reading.progress)
            && (document.state, document.progress) != (DocumentState::Reading, Some(progress))
        {
            (document.state, document.progress) = (DocumentState::Reading, Some(progress));
            has_changed = true;
        }
    }
    has_changed
}

#[component]
fn Documents(found: Page<IndexedDocument>, url: ListUrl, opened: Opened) -> impl IntoView {
    if found.total == 0 {
        let none = if untrack(|| url.is_narrowed(&[STATE])) { texts::NO_MATCH } else { texts::NO_DOCUMENT };
        return view! { <p class="ui-muted">{none.t()}</p> }.into_any();
    }
    let selects = found.items.iter().any(can_delete);
    let columns = [
        selects.then(|| Column::new(words::SELECT_COLUMN).without_head()),
        Some(Column::new(texts::DOCUMENT).sorted_by("title")),
        Some(Column::new(texts::STATE).sorted_by("state")),
        Some(Column::new(texts::PASSAGES).sorted_by("passages").number().wide_only()),
        Some(Column::new(texts::CHANGED).sorted_by("updated_at").wide_only()),
        Some(Column::new(app::i18n::texts::ACTIONS).without_head()),
    ];
    let columns: Vec<_> = columns.into_iter().flatten().collect();
    let page = found.items.clone();
    let rows = found.items.into_iter().map(|of| row(of, selects, opened)).collect_view();
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
        <ListPages url total=found.total limit=found.limit offset=found.offset />
    }
    .into_any()
}

/// One document; with a cell for its checkbox when the list `selects`.
fn row(of: IndexedDocument, selects: bool, opened: Opened) -> impl IntoView {
    let select = selects.then(|| {
        let (selection, document) = (opened.selection, of.clone());
        let select = can_delete(&of).then(|| view! { <SelectDocument selection document /> });
        view! { <td class="ui-table__cell">{select}</td> }
    });
    // The path of an own answer is meaningless.
    let place = match of.source_kind {
        source @ (SourceKind::Faq | SourceKind::FaqSeed) => {
            view! { <span class="ui-muted ui-small">{source_kinds::name(source).t()}</span> }.into_any()
        }
        // An unread document has only its path.
        _ if of.path == of.title => ().into_any(),
        _ => view! { <span class="ui-muted ui-small ui-mono">{of.path.clone()}</span> }.into_any(),
    };
    let (tone, state) = badge(of.state);
    let progress = progress(&of).map(|progress| view! { <span class="ui-muted ui-small ui-nowrap">{progress}</span> });
    let (title, passages, changed) = (of.title.clone(), of.passages, of.updated_at);
    let (reasons, buttons) = (reasons(&of), buttons(of, opened));
    view! {
        <tr class="ui-table__row">
            {select}
            <td class="ui-table__cell ui-table__cell--main">
                {title} <br /> {place} {reasons}
            </td>
            <td class="ui-table__cell">
                <div class="ui-row ui-row--wrap">
                    <Badge tone dot=true>{state.t()}</Badge>
                    {progress}
                </div>
            </td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">{format::number(passages)}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">
                <time datetime=format::machine(changed)>{format::date_time(changed)}</time>
            </td>
            <td class="ui-table__cell">{buttons}</td>
        </tr>
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
        let told: Localized = match (of.skipped.len(), pages) {
            (1, 1) => texts::PAGE_LEFT_OUT.into(),
            (1, _) => texts::SKIPPED_ONE.into(),
            (all, pages) if all == pages => texts::PAGES_LEFT_OUT.with_localized([count]),
            (_, 0) => texts::SKIPPED_SOME.with_localized([count]),
            _ => texts::SKIPPED_MIXED.with_localized([count]),
        };
        let files = of.skipped.iter().map(skipped_file).collect_view();
        view! {
            <details class="ui-details">
                <summary class="ui-details__summary ui-small">{told}</summary>
                <ul class="ui-list ui-small">{files}</ul>
            </details>
        }
    });
    let recognised = match of.ocr_pages {
        0 => None,
        1 => Some(texts::RECOGNISED_ONE.into()),
        pages => Some(texts::RECOGNISED_SOME.with_localized([format::number(pages)])),
    };
    let recognised = recognised.map(|told: Localized| view! { <p class="ui-muted ui-small">{told}</p> });
    view! { {failure} {former} {recognised} {skipped} }
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

fn buttons(of: IndexedDocument, Opened { chatbot, leaving, .. }: Opened) -> impl IntoView {
    let named = texts::VIEW_NAMED.with(&[&of.title]);
    let view = view! {
        <ButtonLink href=routes::document(chatbot, of.id) kind=ButtonKind::Ghost small=true>
            <span class="ui-visually-hidden">{named}</span>
            <span aria-hidden="true">{texts::VIEW.t()}</span>
        </ButtonLink>
    };
    let delete = can_delete(&of).then(|| {
        let named = texts::DELETE_NAMED.with(&[&of.title]);
        view! {
            <Button
                kind=ButtonKind::Ghost
                small=true
                icon=IconName::Trash
                on_click=Callback::new(move |()| leaving.set(Some(of.clone())))
            >
                <span class="ui-visually-hidden">{named}</span>
                <span aria-hidden="true">{app::i18n::texts::DELETE.t()}</span>
            </Button>
        }
    });
    view! { <div class="ui-row">{view} {delete}</div> }
}

#[component]
fn DeleteDialog(id: ChatbotId, leaving: RwSignal<Option<IndexedDocument>>, deleted: Callback<()>) -> impl IntoView {
    let (open, busy) = (RwSignal::new(false), RwSignal::new(false));
    Effect::new(move |_| open.set(leaving.with(Option::is_some)));
    let confirm = Callback::new(move |()| {
        let Some(document) = leaving.get_untracked() else { return };
        let Ok(name) = document.path.parse::<ExternalId>() else { return };
        let place = (id, document.source_id, name);
        let call = async move { api::call::<DeleteDocument>(&place, &(), &()).await };
        spawn_on_page(busy, call, move |result| {
            leaving.set(None);
            match result {
                Ok(()) => {
                    toast(ToastKind::Success, texts::DELETED);
                    deleted.run(());
                }
                Err(problem) => toast_problem(&problem),
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
                on_confirm=confirm
            />
        }
    }
}
