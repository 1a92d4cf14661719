//! The sources of the documents with their figures, and actions on those that the tenant fills itself.

use app::{
    api,
    form::{Field, Form},
    format,
    i18n::source_kinds,
    page_task::spawn_on_page,
    resource::{Loaded, Resource},
    ui::{
        Button, ButtonKind, Card, Column, ConfirmDialog, Dialog, DialogForm, IconName, SkeletonTable, Table, TextField,
        ToastKind, toast, toast_problem,
    },
};
use contract::{
    ChatbotId, Page,
    documents::{ChatbotSource, SourceKind},
    id::SourceId,
    sources::{CreateSource, DeleteSource, NewSource, SourcePatch, UpdateSource},
    websites::{ReadWebsite, WebsiteReading},
};
use leptos::prelude::*;

use super::visitor_files::VisitorFiles;
use crate::{
    read_only::is_read_only,
    texts::{knowledge as texts, uploads as words},
};

/// The dialogs of the buttons.
#[derive(Clone, Copy)]
struct Opened {
    creates: RwSignal<bool>,
    renamed: RwSignal<Option<ChatbotSource>>,
    leaving: RwSignal<Option<ChatbotSource>>,
    read_again: Callback<SourceId>,
}

/// The sources of the chatbot.
#[component]
pub(super) fn SourcesCard(
    id: ChatbotId,
    sources: Resource<Page<ChatbotSource>>,
    /// Opens the example of the API.
    shows_api: RwSignal<bool>,
) -> impl IntoView {
    let opened = Opened {
        creates: RwSignal::new(false),
        renamed: RwSignal::new(None),
        leaving: RwSignal::new(None),
        read_again: read_again(id, sources),
    };
    let buttons = (!is_read_only()).then(|| {
        let create = Callback::new(move |()| opened.creates.set(true));
        let show = Callback::new(move |()| shows_api.set(true));
        view! {
            <div class="ui-row ui-row--wrap">
                <Button small=true icon=IconName::Plus on_click=create>{words::NEW_SOURCE.t()}</Button>
                <Button small=true kind=ButtonKind::Ghost icon=IconName::Code on_click=show>
                    {words::API_BUTTON.t()}
                </Button>
            </div>
        }
    });
    view! {
        <Card title=texts::SOURCES>
            {buttons}
            <Loaded resource=sources skeleton=|| view! { <SkeletonTable columns=4 /> } let:found>
                <Sources id found=found.items sources opened />
            </Loaded>
        </Card>
        <CreateDialog id open=opened.creates sources />
        <RenameDialog id renamed=opened.renamed sources />
        <DeleteDialog id leaving=opened.leaving sources />
    }
}

#[component]
fn Sources(
    id: ChatbotId,
    found: Vec<ChatbotSource>,
    sources: Resource<Page<ChatbotSource>>,
    opened: Opened,
) -> impl IntoView {
    if found.is_empty() {
        return view! { <p class="ui-muted">{texts::NO_DOCUMENT.t()}</p> }.into_any();
    }
    let columns = vec![
        Column::new(texts::SOURCE),
        Column::new(texts::DOCUMENTS).number(),
        Column::new(texts::PASSAGES).number().wide_only(),
        Column::new(texts::SIZE).number().wide_only(),
        Column::new(texts::CHANGED).wide_only(),
        Column::new(app::i18n::texts::ACTIONS).without_head(),
    ];
    let uploaded: Vec<_> = found.iter().filter(|of| is_uploaded(of)).cloned().collect();
    let rows = with_files_together(found).into_iter().map(|of| source(of, opened)).collect_view();
    view! {
        <Table caption=texts::SOURCES columns>{rows}</Table>
        <VisitorFiles id uploaded sources />
    }
    .into_any()
}

/// Reads the documents of a source again that could not be read.
fn read_again(id: ChatbotId, sources: Resource<Page<ChatbotSource>>) -> Callback<SourceId> {
    let busy = RwSignal::new(false);
    Callback::new(move |source: SourceId| {
        if busy.get_untracked() {
            return;
        }
        let call = async move { api::call::<ReadWebsite>(&(id, source), &(), &WebsiteReading::default()).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(_) => {
                toast(ToastKind::Info, words::READ_AGAIN_STARTED);
                sources.reload();
            }
            Err(problem) => toast_problem(&problem),
        });
    })
}

const fn is_uploaded(source: &ChatbotSource) -> bool {
    matches!(source.kind, SourceKind::Upload | SourceKind::Api)
}

/// The sources with those of the operator's files as one: an operator may read file by file.
fn with_files_together(sources: Vec<ChatbotSource>) -> Vec<ChatbotSource> {
    let (files, mut others): (Vec<_>, Vec<_>) = sources.into_iter().partition(|of| of.kind == SourceKind::Files);
    let together = files.into_iter().reduce(|sum, of| ChatbotSource {
        name: String::new(),
        documents: sum.documents + of.documents,
        passages: sum.passages + of.passages,
        characters: sum.characters + of.characters,
        updated_at: sum.updated_at.max(of.updated_at),
        ..sum
    });
    others.extend(together);
    others
}

fn source(of: ChatbotSource, opened: Opened) -> impl IntoView {
    let is_named = !of.name.is_empty() && !matches!(of.kind, SourceKind::Faq | SourceKind::FaqSeed);
    let buttons = (is_uploaded(&of) && !is_read_only()).then(|| buttons(of.clone(), opened));
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                {source_kinds::name(of.kind).t()}
                {is_named.then(|| view! { <br /> <span class="ui-muted ui-small">{of.name}</span> })}
            </td>
            <td class="ui-table__cell ui-table__cell--number">{format::number(of.documents)}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">{format::number(of.passages)}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">{format::number(of.characters)}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">
                <time datetime=format::machine(of.updated_at)>{format::date_time(of.updated_at)}</time>
            </td>
            <td class="ui-table__cell">{buttons}</td>
        </tr>
    }
}

fn buttons(of: ChatbotSource, Opened { renamed, leaving, read_again, .. }: Opened) -> impl IntoView {
    let again = (of.failed > 0 || of.outdated > 0).then(|| {
        let (source, named) = (of.id, words::READ_AGAIN_NAMED.with(&[&of.name]));
        view! {
            <Button
                kind=ButtonKind::Ghost
                small=true
                icon=IconName::Refresh
                on_click=Callback::new(move |()| read_again.run(source))
            >
                <span class="ui-visually-hidden">{named}</span>
                <span aria-hidden="true">{words::READ_AGAIN.t()}</span>
            </Button>
        }
    });
    let rename_named = words::RENAME_NAMED.with(&[&of.name]);
    let delete_named = words::DELETE_SOURCE_NAMED.with(&[&of.name]);
    let same = of.clone();
    let rename = Callback::new(move |()| renamed.set(Some(same.clone())));
    let delete = Callback::new(move |()| leaving.set(Some(of.clone())));
    view! {
        <div class="ui-row">
            {again}
            <Button kind=ButtonKind::Ghost small=true icon=IconName::Edit on_click=rename>
                <span class="ui-visually-hidden">{rename_named}</span>
                <span aria-hidden="true">{words::RENAME.t()}</span>
            </Button>
            <Button kind=ButtonKind::Ghost small=true icon=IconName::Trash on_click=delete>
                <span class="ui-visually-hidden">{delete_named}</span>
                <span aria-hidden="true">{app::i18n::texts::DELETE.t()}</span>
            </Button>
        </div>
    }
}

#[component]
fn CreateDialog(id: ChatbotId, open: RwSignal<bool>, sources: Resource<Page<ChatbotSource>>) -> impl IntoView {
    view! {
        <Dialog open title=words::NEW_SOURCE_TITLE>
            <CreateForm id open sources />
        </Dialog>
    }
}

#[component]
fn CreateForm(id: ChatbotId, open: RwSignal<bool>, sources: Resource<Page<ChatbotSource>>) -> impl IntoView {
    let name = Field::new("name", "");
    let form = Form::new([name]);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let new = NewSource { kind: SourceKind::Upload, name: name.trimmed(), website: None };
        let call = move |new| async move { api::call::<CreateSource>(&id, &(), &new).await };
        form.send(new, call, move |_| {
            open.set(false);
            toast(ToastKind::Success, words::SOURCE_CREATED);
            sources.reload();
        });
    };
    view! {
        <DialogForm open form submit_label=words::SOURCE_CREATE on_submit=submit>
            <p>{words::NEW_SOURCE_TEXT.t()}</p>
            <TextField label=words::SOURCE_NAME field=name />
        </DialogForm>
    }
}

#[component]
fn RenameDialog(
    id: ChatbotId,
    renamed: RwSignal<Option<ChatbotSource>>,
    sources: Resource<Page<ChatbotSource>>,
) -> impl IntoView {
    let open = opened_by(renamed);
    view! {
        <Dialog open title=words::RENAME_TITLE>
            {move || renamed.get().map(|source| view! { <RenameForm id source open sources /> })}
        </Dialog>
    }
}

#[component]
fn RenameForm(
    id: ChatbotId,
    source: ChatbotSource,
    open: RwSignal<bool>,
    sources: Resource<Page<ChatbotSource>>,
) -> impl IntoView {
    let place = (id, source.id);
    let name = Field::new("name", source.name);
    let form = Form::new([name]);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let patch = SourcePatch { name: Some(name.trimmed()), ..SourcePatch::default() };
        let call = move |patch| async move { api::call::<UpdateSource>(&place, &(), &patch).await };
        form.send(patch, call, move |_| {
            open.set(false);
            toast(ToastKind::Success, words::RENAMED);
            sources.reload();
        });
    };
    view! {
        <DialogForm open form on_submit=submit>
            <TextField label=words::SOURCE_NAME field=name />
        </DialogForm>
    }
}

#[component]
fn DeleteDialog(
    id: ChatbotId,
    leaving: RwSignal<Option<ChatbotSource>>,
    sources: Resource<Page<ChatbotSource>>,
) -> impl IntoView {
    let (open, busy, failure) = (opened_by(leaving), RwSignal::new(false), RwSignal::new(None));
    let confirm = Callback::new(move |()| {
        let Some(place) = leaving.with_untracked(|source| source.as_ref().map(|source| (id, source.id))) else {
            return;
        };
        let call = async move { api::call::<DeleteSource>(&place, &(), &()).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(()) => {
                open.set(false);
                toast(ToastKind::Success, words::SOURCE_DELETED);
                sources.reload();
            }
            Err(problem) => failure.set(Some(problem)),
        });
    });
    move || {
        let source = leaving.get();
        let (name, documents) =
            source.map_or_else(Default::default, |of| (of.name, of.documents + of.pending + of.failed));
        let text = words::DELETE_SOURCE_TEXT.with_localized([name.into(), format::number(documents)]);
        view! {
            <ConfirmDialog
                open
                title=words::DELETE_SOURCE_TITLE
                text
                confirm_label=app::i18n::texts::DELETE
                busy
                failure
                on_confirm=confirm
            />
        }
    }
}

/// Whether the dialog about a source is open: whenever one is named.
fn opened_by(source: RwSignal<Option<ChatbotSource>>) -> RwSignal<bool> {
    let open = RwSignal::new(false);
    Effect::new(move |_| open.set(source.with(Option::is_some)));
    open
}
