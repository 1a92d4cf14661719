//! A document as the chatbot sees it: its passages, and the uploaded file to download.

use app::{
    api,
    page_task::download_on_page,
    resource::{Loaded, Resource},
    ui::{Button, Dialog, DialogSize, IconName, Pagination, Prose, SkeletonTable},
};
use contract::{
    ChatbotId,
    documents::IndexedDocument,
    uploads::{DocumentPassage, DownloadOriginal, ExternalId, ListDocumentPassages, PassageListQuery},
};
use leptos::prelude::*;

use crate::texts::knowledge as texts;

/// Passages a page.
const ROWS: i64 = 25;

/// The dialog with the passages of `document`; it is open while there is one.
#[component]
pub(super) fn PassagesDialog(id: ChatbotId, document: RwSignal<Option<IndexedDocument>>) -> impl IntoView {
    let open = RwSignal::new(false);
    Effect::new(move |_| open.set(document.with(Option::is_some)));
    move || {
        let shown = document.get();
        let title = shown.as_ref().map(|document| document.title.clone()).unwrap_or_default();
        view! {
            <Dialog open title size=DialogSize::Large>
                {shown.clone().map(|document| view! { <Passages id document /> })}
            </Dialog>
        }
    }
}

#[component]
fn Passages(id: ChatbotId, document: IndexedDocument) -> impl IntoView {
    // Paths of other sources may be no external ids; all that tenants upload are.
    let Ok(name) = document.path.parse::<ExternalId>() else {
        return view! { <div class="ui-dialog__body"><p>{texts::PASSAGES_NONE.t()}</p></div> }.into_any();
    };
    let place = (id, document.source_id, name);
    let (shown, download) = (RwSignal::new((0, ROWS)), place.clone());
    let passages = Resource::new(move || {
        let (offset, limit) = shown.get();
        let place = place.clone();
        async move { api::call::<ListDocumentPassages>(&place, &PassageListQuery { limit, offset }, &()).await }
    });
    let is_archive = document.files > 1;
    let original = document.bytes.is_some().then(|| {
        let busy = RwSignal::new(false);
        let save = Callback::new(move |()| download_on_page::<DownloadOriginal>(busy, download.clone(), ()));
        view! {
            <Button small=true icon=IconName::Download busy on_click=save>{texts::DOWNLOAD.t()}</Button>
        }
    });
    view! {
        <div class="ui-dialog__body">
            <div class="ui-row ui-row--between ui-row--wrap">
                <p class="ui-muted">{texts::PASSAGES_TEXT.t()}</p>
                {original}
            </div>
            <Loaded resource=passages skeleton=|| view! { <SkeletonTable columns=1 /> } let:page>
                {if page.total == 0 {
                    view! { <p class="ui-muted">{texts::PASSAGES_NONE.t()}</p> }.into_any()
                } else {
                    let rows = page.items.into_iter().map(|of| passage(of, is_archive)).collect_view();
                    view! {
                        <ol class="ui-entries" aria-label=texts::PASSAGES.t()>{rows}</ol>
                        <Pagination
                            total=page.total
                            limit=page.limit
                            offset=page.offset
                            on_page=move |offset| shown.update(|shown| shown.0 = offset)
                            on_size=move |size| shown.set((0, size))
                            of=Some(texts::PASSAGES)
                        />
                    }
                    .into_any()
                }}
            </Loaded>
        </div>
    }
    .into_any()
}

fn passage(of: DocumentPassage, is_archive: bool) -> impl IntoView {
    let page = of.anchor.as_deref().and_then(|anchor| anchor.strip_prefix("page=")).map(str::to_owned);
    let page = page.map(|number| texts::PAGE.with(&[&number]));
    let recognised = of.is_ocr.then(|| view! { <p class="ui-muted ui-small">{texts::RECOGNISED.t()}</p> });
    let heading = if of.heading.is_empty() { of.title } else { of.heading };
    view! {
        <li class="ui-entries__item">
            <p class="ui-strong">{heading}</p>
            {page.map(|page| view! { <p class="ui-muted ui-small">{page}</p> })}
            {recognised}
            {is_archive.then(|| view! { <p class="ui-muted ui-small ui-mono ui-break">{of.path}</p> })}
            <Prose text=of.content />
        </li>
    }
}
