//! The user's bookmarks, with their notes.

use app::{
    api,
    form::Field,
    format,
    i18n::texts as shared,
    list_url::ListUrl,
    page_task::spawn_on_page,
    problem::Problem,
    resource::{Loaded, Resource},
    ui::{
        Badge, Button, ButtonKind, Card, Dialog, EmptyState, Failure, IconButton, IconName, Link, ListPages,
        SkeletonTable, TextArea, ToastKind, Tone, toast, toast_problem,
    },
};
use contract::{
    Page, Patch,
    id::BookmarkId,
    knowledge_hub::{
        Bookmark, BookmarkPatch, BookmarkState, DeleteBookmark, ListBookmarks, RecordListQuery, UpdateBookmark,
    },
};
use leptos::{ev, prelude::*};

use super::sections::Head;
use crate::{paths, texts::knowledge_hub as texts};

const PAGE_SIZE: i64 = 25;

#[component]
pub(crate) fn BookmarksPage() -> impl IntoView {
    let url = ListUrl::new("", PAGE_SIZE);
    let bookmarks = Resource::new(move || {
        let page = url.page_query();
        let query = RecordListQuery { limit: page.limit, offset: page.offset };
        async move { api::call::<ListBookmarks>(&(), &query, &()).await }
    });
    let (busy, edited) = (RwSignal::new(false), RwSignal::new(None::<Bookmark>));
    let delete = Callback::new(move |id: BookmarkId| {
        if busy.get_untracked() {
            return;
        }
        let call = async move { api::call::<DeleteBookmark>(&id, &(), &()).await };
        spawn_on_page(busy, call, move |deleted| match deleted {
            Ok(()) => {
                toast(ToastKind::Success, texts::BOOKMARK_REMOVED);
                bookmarks.reload();
            }
            Err(problem) => toast_problem(&problem),
        });
    });
    view! {
        <Head title=texts::BOOKMARKS subtitle=texts::BOOKMARKS_SUBTITLE here=paths::KNOWLEDGE_BOOKMARKS />
        <Loaded resource=bookmarks skeleton=|| view! { <SkeletonTable columns=2 /> } let:page>
            {list(url, page, edited, delete)}
        </Loaded>
        <NoteDialog edited saved=move |()| bookmarks.reload() />
    }
}

fn list(
    url: ListUrl,
    page: Page<Bookmark>,
    edited: RwSignal<Option<Bookmark>>,
    delete: Callback<BookmarkId>,
) -> AnyView {
    let Page { items, total, limit, offset } = page;
    if total == 0 {
        return view! {
            <Card>
                <EmptyState icon=IconName::Audit title=texts::BOOKMARKS_NONE text=texts::BOOKMARKS_NONE_TEXT />
            </Card>
        }
        .into_any();
    }
    let rows: Vec<_> = items.into_iter().map(|bookmark| row(bookmark, edited, delete)).collect();
    view! {
        <Card flush=true><ul class="ui-entries">{rows}</ul></Card>
        <ListPages url total limit offset />
    }
    .into_any()
}

fn row(of: Bookmark, edited: RwSignal<Option<Bookmark>>, delete: Callback<BookmarkId>) -> impl IntoView {
    let badge = match of.state {
        BookmarkState::Current => None,
        BookmarkState::Changed => Some((Tone::Info, texts::STATE_CHANGED)),
        BookmarkState::Gone => Some((Tone::Warning, texts::STATE_GONE)),
    };
    let badge = badge.map(|(tone, text)| view! { " " <Badge tone>{text.t()}</Badge> });
    let (name, document) = (of.title.clone(), of.document_id);
    let title = match of.newest_document_id {
        Some(_) => view! { <Link href=paths::knowledge_document(document)>{name}</Link> }.into_any(),
        None => view! { <span class="ui-strong">{name}</span> }.into_any(),
    };
    let (id, label) = (of.id, texts::BOOKMARK_REMOVE_NAMED.with(&[&of.title]));
    let note = of.note.clone().map(|note| view! { <p class="ui-prose">{note}</p> });
    let (edit_label, bookmark) = (texts::NOTE_OF.with(&[&of.title]), of.clone());
    view! {
        <li class="ui-entries__item">
            <div class="ui-row ui-row--between">
                <div class="ui-break">
                    {title}
                    {badge}
                    <p class="ui-muted ui-small">{format::date(of.created_at)}</p>
                </div>
                <div class="ui-row">
                    <IconButton
                        icon=IconName::Edit
                        label=edit_label
                        on_click=move |()| edited.set(Some(bookmark.clone()))
                    />
                    <IconButton icon=IconName::Trash label on_click=move |()| delete.run(id) />
                </div>
            </div>
            {note}
        </li>
    }
}

/// The dialog for the note of the bookmark that is edited.
#[component]
fn NoteDialog(edited: RwSignal<Option<Bookmark>>, #[prop(into)] saved: Callback<()>) -> impl IntoView {
    let (open, busy) = (RwSignal::new(false), RwSignal::new(false));
    let failure = RwSignal::new(None::<Problem>);
    let note = Field::new("note", "");
    Effect::new(move |_| {
        if let Some(bookmark) = edited.get() {
            note.set(bookmark.note.unwrap_or_default());
            failure.set(None);
            open.set(true);
        }
    });
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(bookmark) = edited.get_untracked() else { return };
        let patch = BookmarkPatch { note: note.non_empty().map_or(Patch::Null, Patch::Value) };
        let call = async move { api::call::<UpdateBookmark>(&bookmark.id, &(), &patch).await };
        spawn_on_page(busy, call, move |changed| match changed {
            Ok(_) => {
                open.set(false);
                toast(ToastKind::Success, shared::SAVED);
                saved.run(());
            }
            Err(problem) => failure.set(Some(problem)),
        });
    };
    view! {
        <Dialog open title=texts::NOTE_EDIT>
            <form class="ui-dialog__form" on:submit=submit>
                <div class="ui-dialog__body">
                    <TextArea label=texts::NOTE field=note optional=true />
                    <Failure failure />
                </div>
                <footer class="ui-dialog__footer">
                    <Button disabled=busy on_click=move |()| open.set(false)>{shared::CANCEL.t()}</Button>
                    <Button kind=ButtonKind::Primary submit=true busy>{shared::SAVE.t()}</Button>
                </footer>
            </form>
        </Dialog>
    }
}
