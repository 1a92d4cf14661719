//! A document: its passages around the one in the URL, an outline, its versions, a summary on demand, the bookmark and
//! the original.

mod outline;
mod passages;
mod quotations;
mod summary;
mod window;

use app::{
    api, format,
    page_task::{download_on_page, spawn_on_page},
    resource::{Loaded, Resource},
    ui::{Badge, Banner, Button, Card, Icon, IconName, Link, SkeletonCards, ToastKind, Tone, toast, toast_problem},
};
use contract::{
    id::{BookmarkId, DocumentVersionId},
    knowledge_hub::{
        CreateBookmark, DeleteBookmark, DocumentVersion, GetKnowledgeDocument, KnowledgeDocument,
        KnowledgeDocumentQuery, NewBookmark,
    },
    uploads::{DownloadOriginal, ExternalId},
};
use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_params_map};

use self::{
    outline::Outline,
    passages::Passages,
    quotations::Quotations,
    summary::Summary,
    window::{PASSAGES, PassageWindow, passage_of},
};
use super::{labels, sections::Head};
use crate::{not_found::NotFoundPage, paths, texts::knowledge_hub as texts};

/// The document in the URL.
#[component]
pub(crate) fn DocumentPage() -> impl IntoView {
    let params = use_params_map();
    move || match params.with(|params| params.get("id")).and_then(|id| id.parse::<DocumentVersionId>().ok()) {
        Some(id) => view! { <OfId id /> }.into_any(),
        None => view! { <NotFoundPage /> }.into_any(),
    }
}

#[component]
fn OfId(id: DocumentVersionId) -> impl IntoView {
    let around = use_location().hash.with_untracked(|hash| passage_of(hash));
    let document = Resource::new(move || async move {
        let query = KnowledgeDocumentQuery { limit: PASSAGES, offset: 0, around };
        api::call::<GetKnowledgeDocument>(&id, &query, &()).await
    });
    view! {
        <Loaded resource=document skeleton=|| view! { <SkeletonCards count=2 /> } let:document>
            {document_view(document)}
        </Loaded>
    }
}

fn document_view(of: KnowledgeDocument) -> AnyView {
    let superseded = of.superseded_by.map(|newest| {
        view! {
            <Banner tone=Tone::Info>
                <p>{texts::SUPERSEDED.t()}</p>
                <Link href=paths::knowledge_document(newest)>{texts::SHOW_NEWEST.t()}</Link>
            </Banner>
        }
    });
    let (newest, id) = (of.superseded_by.unwrap_or(of.document_id), of.document_id);
    let (source, chatbot) = (of.source.clone(), of.chatbot.name.clone());
    let window = PassageWindow::new(&of);
    view! {
        <Head title=of.title.clone() subtitle=texts::UPDATED.with_localized([format::date(of.created_at)]) />
        {superseded}
        <div class="ui-row ui-row--wrap">
            <BookmarkButton id bookmark=of.bookmark_id />
            <Original document=of.clone() />
            <Link href=paths::knowledge_source(source.id) quiet=true>{source.name}</Link>
            <Badge>{labels::kind(source.kind).t()}</Badge>
            <span class="ui-muted">{chatbot}</span>
        </div>
        <div class="ui-grid ui-grid--main-side">
            <Passages window />
            <div class="ui-stack">
                <Summary id=newest />
                <Versions versions=of.versions current=id />
                <Quotations quoted_in=of.quoted_in />
                <Outline headings=of.outline window />
            </div>
        </div>
    }
    .into_any()
}

/// Sets the caller's bookmark, or removes it.
#[component]
fn BookmarkButton(id: DocumentVersionId, bookmark: Option<BookmarkId>) -> impl IntoView {
    let (set, busy) = (RwSignal::new(bookmark), RwSignal::new(false));
    let toggle = Callback::new(move |()| {
        let bookmark = set.get_untracked();
        let call = async move {
            match bookmark {
                Some(bookmark) => api::call::<DeleteBookmark>(&bookmark, &(), &()).await.map(|()| None),
                None => {
                    let new = NewBookmark { document_id: id, note: None };
                    api::call::<CreateBookmark>(&(), &(), &new).await.map(|created| Some(created.id))
                }
            }
        };
        spawn_on_page(busy, call, move |changed| match changed {
            Ok(now) => {
                set.set(now);
                let message = if now.is_some() { texts::BOOKMARKED } else { texts::BOOKMARK_REMOVED };
                toast(ToastKind::Success, message);
            }
            Err(problem) => toast_problem(&problem),
        });
    });
    let label = move || if set.get().is_some() { texts::BOOKMARK_REMOVE.get() } else { texts::BOOKMARK.get() };
    view! { <Button busy on_click=toggle>{label}</Button> }
}

/// The way to the page or the uploaded file.
#[component]
fn Original(document: KnowledgeDocument) -> impl IntoView {
    let KnowledgeDocument { url, external_id, source, chatbot, .. } = document;
    let busy = RwSignal::new(false);
    if let Some(url) = url {
        return Some(view! { <Link href=url external=true>{texts::OPEN_ORIGINAL.t()}</Link> }.into_any());
    }
    let external_id = ExternalId::try_from(external_id?).ok()?;
    let download = Callback::new(move |()| {
        let path = (chatbot.id, source.id, external_id.clone());
        download_on_page::<DownloadOriginal>(busy, path, ());
    });
    Some(
        view! {
            <Button busy on_click=download><Icon name=IconName::Download />" "{texts::DOWNLOAD.t()}</Button>
        }
        .into_any(),
    )
}

#[component]
fn Versions(versions: Vec<DocumentVersion>, current: DocumentVersionId) -> impl IntoView {
    if versions.len() < 2 {
        return None;
    }
    let rows: Vec<_> = versions
        .into_iter()
        .map(|of| {
            let label = texts::VERSION
                .with_localized([format::number(i64::from(of.version)), format::date_time(of.created_at)]);
            let label = if of.document_id == current {
                view! { <span class="ui-strong" aria-current="true">{label}</span> }.into_any()
            } else {
                view! { <Link href=paths::knowledge_document(of.document_id) quiet=true>{label}</Link> }.into_any()
            };
            view! { <li>{label}</li> }
        })
        .collect();
    Some(view! { <Card title=texts::VERSIONS><ul class="ui-list ui-list--loose">{rows}</ul></Card> })
}
