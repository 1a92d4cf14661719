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
    sources::{CreateSource, DeleteSource, NewSource, ReadWebsite, SourcePatch, UpdateSource},
    websites::WebsiteReading,
};
use leptos::prelude::*;

use super::visitor_files::VisitorFiles;
use crate::{
    read_only::is_read_only,
    texts::{knowledge as texts, uploads as upload_texts},
};

/// The dialogs of the buttons.
#[derive(Clone, Copy)]
struct Dialogs {
    create: RwSignal<bool>,
    to_rename: RwSignal<Option<ChatbotSource>>,
    to_delete: RwSignal<Option<ChatbotSource>>,
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
    let dialogs = Dialogs {
        create: RwSignal::new(false),
        to_rename: RwSignal::new(None),
        to_delete: RwSignal::new(None),
        read_again: read_again(id, sources),
    };
    let buttons = (!is_read_only()).then(|| {
        let create = Callback::new(move |()| dialogs.create.set(true));
        let show = Callback::new(move |()| shows_api.set(true));
        view! {
            <div class="ui-row ui-row--wrap">
                <Button small=true icon=IconName::Plus on_click=create>{upload_texts::NEW_SOURCE.t()}</Button>
                <Button small=true kind=ButtonKind::Ghost icon=IconName::Code on_click=show>
                    {upload_texts::API_BUTTON.t()}
                </Button>
            </div>
        }
    });
    let all = Memo::new(move |before: Option<&Vec<ChatbotSource>>| {
        // While the sources are loaded again, what was shown last stays.
        sources.get().map_or_else(|| before.cloned().unwrap_or_default(), |page| to_show(page.items))
    });
    // The rows stay while only numbers change, and with them the focus.
    let list = sources.part(|page| to_show(page.items.clone()).iter().map(Listed::of).collect::<Vec<_>>());
    view! {
        <Card title=texts::SOURCES>
            {buttons}
            <Loaded resource=list skeleton=|| view! { <SkeletonTable columns=4 /> } let:listed>
                <Sources id listed all sources dialogs />
            </Loaded>
        </Card>
        <CreateDialog id open=dialogs.create sources />
        <RenameDialog id to_rename=dialogs.to_rename sources />
        <DeleteDialog id to_delete=dialogs.to_delete sources />
    }
}

/// What decides which rows and buttons there are.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Listed {
    id: SourceId,
    kind: SourceKind,
    name: String,
    can_be_read_again: bool,
}

impl Listed {
    fn of(source: &ChatbotSource) -> Self {
        let can_be_read_again = source.failed > 0 || source.outdated > 0;
        Self { id: source.id, kind: source.kind, name: source.name.clone(), can_be_read_again }
    }

    const fn is_uploaded(&self) -> bool {
        matches!(self.kind, SourceKind::Upload | SourceKind::Api)
    }
}

#[component]
fn Sources(
    id: ChatbotId,
    listed: Vec<Listed>,
    /// The same sources with their numbers.
    all: Memo<Vec<ChatbotSource>>,
    sources: Resource<Page<ChatbotSource>>,
    dialogs: Dialogs,
) -> impl IntoView {
    if listed.is_empty() {
        return view! { <p class="ui-muted">{texts::NO_SOURCE.t()}</p> }.into_any();
    }
    let columns = vec![
        Column::new(texts::SOURCE),
        Column::new(texts::DOCUMENTS).number(),
        Column::new(texts::PASSAGES).number().wide_only(),
        Column::new(texts::SIZE).number().wide_only(),
        Column::new(texts::CHANGED).wide_only(),
        Column::new(app::i18n::texts::ACTIONS).without_head(),
    ];
    let uploaded: Vec<_> = listed.iter().filter(|of| of.is_uploaded()).map(|of| (of.id, of.name.clone())).collect();
    let rows = listed.into_iter().map(|of| source(of, all, dialogs)).collect_view();
    view! {
        <Table caption=texts::SOURCES columns>{rows}</Table>
        <VisitorFiles id uploaded all sources />
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
                toast(ToastKind::Info, upload_texts::READ_AGAIN_STARTED);
                sources.reload();
            }
            Err(problem) => toast_problem(&problem),
        });
    })
}

/// The sources with those of the operator's files as one: an operator may read file by file. The source of custom answers
/// stays after the last one was deleted, but is shown only with answers.
fn to_show(sources: Vec<ChatbotSource>) -> Vec<ChatbotSource> {
    let in_use = sources.into_iter().filter(|of| of.kind != SourceKind::Faq || of.documents > 0);
    let (files, mut others): (Vec<_>, Vec<_>) = in_use.partition(|of| of.kind == SourceKind::Files);
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

fn source(listed: Listed, all: Memo<Vec<ChatbotSource>>, dialogs: Dialogs) -> impl IntoView {
    let Listed { id, kind, ref name, .. } = listed;
    let is_named = !name.is_empty() && !matches!(kind, SourceKind::Faq | SourceKind::FaqSeed);
    let name = is_named.then(|| view! { <br /> <span class="ui-muted ui-small">{name.clone()}</span> });
    let of = Memo::new(move |_| all.with(|all| all.iter().find(|of| of.id == id).cloned()));
    let number = move |read: fn(&ChatbotSource) -> i64| {
        move || of.with(|of| of.as_ref().map(|of| format::number(read(of)).get()))
    };
    let changed = move || {
        let time = of.with(|of| of.as_ref().map(|of| of.updated_at));
        time.map(|time| view! { <time datetime=format::machine(time)>{format::date_time(time)}</time> })
    };
    let buttons = (listed.is_uploaded() && !is_read_only()).then(|| buttons(listed, of, dialogs));
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">{source_kinds::name(kind).t()} {name}</td>
            <td class="ui-table__cell ui-table__cell--number">{number(|of| of.documents)}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">{number(|of| of.passages)}</td>
            <td class="ui-table__cell ui-table__cell--number ui-table__cell--wide-only">{number(|of| of.characters)}</td>
            <td class="ui-table__cell ui-table__cell--wide-only ui-nowrap">{changed}</td>
            <td class="ui-table__cell">{buttons}</td>
        </tr>
    }
}

fn buttons(listed: Listed, of: Memo<Option<ChatbotSource>>, dialogs: Dialogs) -> impl IntoView {
    let Dialogs { to_rename, to_delete, read_again, .. } = dialogs;
    let Listed { id, name, can_be_read_again, .. } = listed;
    let again = can_be_read_again.then(|| {
        let read_again_label = upload_texts::READ_AGAIN_NAMED.with(&[&name]);
        view! {
            <Button
                kind=ButtonKind::Ghost
                small=true
                icon=IconName::Refresh
                on_click=Callback::new(move |()| read_again.run(id))
            >
                <span class="ui-visually-hidden">{read_again_label}</span>
                <span aria-hidden="true">{upload_texts::READ_AGAIN.t()}</span>
            </Button>
        }
    });
    let rename_named = upload_texts::RENAME_NAMED.with(&[&name]);
    let delete_named = upload_texts::DELETE_SOURCE_NAMED.with(&[&name]);
    let rename = Callback::new(move |()| to_rename.set(of.get_untracked()));
    let delete = Callback::new(move |()| to_delete.set(of.get_untracked()));
    view! {
        <div class="ui-row">
            {again}
            <Button kind=ButtonKind::Ghost small=true icon=IconName::Edit on_click=rename>
                <span class="ui-visually-hidden">{rename_named}</span>
                <span aria-hidden="true">{upload_texts::RENAME.t()}</span>
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
        <Dialog open title=upload_texts::NEW_SOURCE_TITLE>
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
            toast(ToastKind::Success, upload_texts::SOURCE_CREATED);
            sources.reload();
        });
    };
    view! {
        <DialogForm open form submit_label=upload_texts::SOURCE_CREATE on_submit=submit>
            <p>{upload_texts::NEW_SOURCE_TEXT.t()}</p>
            <TextField label=upload_texts::SOURCE_NAME field=name />
        </DialogForm>
    }
}

#[component]
fn RenameDialog(
    id: ChatbotId,
    to_rename: RwSignal<Option<ChatbotSource>>,
    sources: Resource<Page<ChatbotSource>>,
) -> impl IntoView {
    let open = opened_by(to_rename);
    view! {
        <Dialog open title=upload_texts::RENAME_TITLE>
            {move || to_rename.get().map(|source| view! { <RenameForm id source open sources /> })}
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
            toast(ToastKind::Success, upload_texts::RENAMED);
            sources.reload();
        });
    };
    view! {
        <DialogForm open form on_submit=submit>
            <TextField label=upload_texts::SOURCE_NAME field=name />
        </DialogForm>
    }
}

#[component]
fn DeleteDialog(
    id: ChatbotId,
    to_delete: RwSignal<Option<ChatbotSource>>,
    sources: Resource<Page<ChatbotSource>>,
) -> impl IntoView {
    let (open, busy, failure) = (opened_by(to_delete), RwSignal::new(false), RwSignal::new(None));
    let confirm = Callback::new(move |()| {
        let Some(place) = to_delete.with_untracked(|source| source.as_ref().map(|source| (id, source.id))) else {
            return;
        };
        let call = async move { api::call::<DeleteSource>(&place, &(), &()).await };
        spawn_on_page(busy, call, move |result| match result {
            Err(problem) if !problem.is_missing() => failure.set(Some(problem)),
            // It may have been deleted in another tab.
            _ => {
                open.set(false);
                toast(ToastKind::Success, upload_texts::SOURCE_DELETED);
                sources.reload();
            }
        });
    });
    move || {
        let source = to_delete.get();
        let (name, documents) =
            source.map_or_else(Default::default, |of| (of.name, of.documents + of.pending + of.failed));
        let text = upload_texts::DELETE_SOURCE_TEXT.with_localized([name.into(), format::number(documents)]);
        view! {
            <ConfirmDialog
                open
                title=upload_texts::DELETE_SOURCE_TITLE
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
