//! The documents selected for deletion. Only documents on the current page of the list can be selected.

use std::collections::BTreeMap;

use app::{
    api,
    focus_restore::focus_next,
    format,
    i18n::Localized,
    page_task::spawn_on_page,
    problem::Problem,
    ui::{Button, ButtonKind, Checkbox, ConfirmDialog, IconName, ToastKind, toast},
};
use contract::{
    ChatbotId,
    documents::{IndexedDocument, SourceKind},
    id::{DocumentId, SourceId},
    uploads::{DeleteDocuments, DocumentsToDelete},
};
use leptos::prelude::*;

use crate::{read_only::is_read_only, texts::uploads as texts};

/// The place of the checkbox that selects the page.
const SELECT_PAGE: &str = "select-documents";

/// The selected documents, each with its source and its external id there.
#[derive(Clone, Copy)]
pub(super) struct Selection(RwSignal<BTreeMap<DocumentId, (SourceId, String)>>);

/// Whether a document was uploaded, and by this user may be deleted.
pub(super) fn can_delete(document: &IndexedDocument) -> bool {
    matches!(document.source_kind, SourceKind::Upload | SourceKind::Api) && !is_read_only()
}

impl Selection {
    pub(super) fn new() -> Self {
        Self(RwSignal::new(BTreeMap::new()))
    }

    fn has(self, id: DocumentId) -> bool {
        self.0.with(|selected| selected.contains_key(&id))
    }

    fn len(self) -> usize {
        self.0.with(BTreeMap::len)
    }

    fn set(self, document: &IndexedDocument, selected: bool) {
        self.0.update(|all| {
            if selected {
                all.insert(document.id, (document.source_id, document.path.clone()));
            } else {
                all.remove(&document.id);
            }
        });
    }

    /// Selects nothing. The button that was pressed for it disappears.
    fn clear(self) {
        self.0.update(BTreeMap::clear);
        focus_next(format!("#{SELECT_PAGE} input"));
    }

    /// Forgets what the page of the list does not show.
    pub(super) fn keep(self, page: &[IndexedDocument]) {
        let is_shown = |id: &DocumentId| page.iter().any(|document| document.id == *id);
        if self.0.with_untracked(|all| !all.keys().all(is_shown)) {
            self.0.update(|all| all.retain(|id, _| is_shown(id)));
        }
    }

    /// The external ids, by source.
    fn by_source(self) -> BTreeMap<SourceId, Vec<String>> {
        self.0.with_untracked(|all| {
            all.values().fold(BTreeMap::new(), |mut sources: BTreeMap<_, Vec<_>>, (source, path)| {
                sources.entry(*source).or_default().push(path.clone());
                sources
            })
        })
    }
}

/// The checkbox of one document.
#[component]
pub(super) fn SelectDocument(selection: Selection, document: Memo<IndexedDocument>) -> impl IntoView {
    let id = document.with_untracked(|document| document.id);
    let label = move || document.with(|document| texts::SELECT_NAMED.with(&[&document.title])).get();
    view! {
        <input
            class="ui-checkbox__input"
            type="checkbox"
            aria-label=label
            prop:checked=move || selection.has(id)
            on:change=move |event| selection.set(&document.get_untracked(), event_target_checked(&event))
        />
    }
}

/// A checkbox that selects the documents of the page that can be deleted, what is selected, and the button that deletes it.
#[component]
pub(super) fn SelectionBar(selection: Selection, page: Vec<IndexedDocument>, asks: RwSignal<bool>) -> impl IntoView {
    let page: Vec<_> = page.into_iter().filter(can_delete).collect();
    if page.is_empty() {
        return None;
    }
    let page = StoredValue::new(page);
    let is_whole = Signal::derive(move || page.with_value(|page| page.iter().all(|of| selection.has(of.id))));
    let all = Callback::new(move |selected: bool| {
        page.with_value(|page| page.iter().for_each(|document| selection.set(document, selected)));
    });
    let none = Callback::new(move |()| selection.clear());
    let delete = Callback::new(move |()| asks.set(true));
    let actions = move || {
        (selection.len() > 0).then(|| {
            view! {
                <span class="ui-strong" role="status">{texts::SELECTED.with_localized([format::count(selection.len())])}</span>
                <Button small=true on_click=none>{texts::SELECT_NONE.t()}</Button>
                <Button small=true kind=ButtonKind::Danger icon=IconName::Trash on_click=delete>
                    {texts::DELETE_SELECTED.t()}
                </Button>
            }
        })
    };
    Some(view! {
        <div class="ui-row ui-row--wrap ui-row--between ui-selection">
            <div id=SELECT_PAGE><Checkbox label=texts::SELECT_PAGE checked=is_whole on_change=all /></div>
            <div class="ui-row ui-row--wrap">{actions}</div>
        </div>
    })
}

/// Asks for confirmation, and deletes the selected documents source by source.
#[component]
pub(super) fn DeleteSelected(
    id: ChatbotId,
    selection: Selection,
    open: RwSignal<bool>,
    /// Called after documents were deleted.
    deleted: Callback<()>,
) -> impl IntoView {
    let (busy, failure) = (RwSignal::new(false), RwSignal::new(None));
    let confirm = Callback::new(move |()| {
        let call = async move { Ok::<_, Problem>(delete(id, selection.by_source()).await) };
        spawn_on_page(busy, call, move |result| {
            let Ok((count, problem)) = result else { return };
            if count > 0 {
                toast(ToastKind::Success, deleted_text(count));
                deleted.run(());
            }
            match problem {
                Some(problem) => failure.set(Some(problem)),
                None => {
                    open.set(false);
                    selection.clear();
                }
            }
        });
    });
    // After a deletion that failed in part, the number changes, and the dialog stays with its error.
    let title = Localized::new(move || match selection.len() {
        1 => texts::DELETE_MANY_TITLE_ONE.get().to_owned(),
        count => texts::DELETE_MANY_TITLE.with_localized([format::count(count)]).get(),
    });
    view! {
        <ConfirmDialog
            open
            title
            text=texts::DELETE_MANY_TEXT
            confirm_label=app::i18n::texts::DELETE
            busy
            failure
            on_confirm=confirm
        />
    }
}

/// Returns how many documents were deleted, and the error that stopped it.
async fn delete(id: ChatbotId, sources: BTreeMap<SourceId, Vec<String>>) -> (i64, Option<Problem>) {
    let mut count = 0;
    for (source, external_ids) in sources {
        match api::call::<DeleteDocuments>(&(id, source), &(), &DocumentsToDelete { external_ids }).await {
            Ok(outcome) => count += outcome.deleted,
            Err(problem) => return (count, Some(problem)),
        }
    }
    (count, None)
}

fn deleted_text(count: i64) -> Localized {
    match count {
        1 => texts::DELETED_ONE.into(),
        _ => texts::DELETED_SOME.with_localized([format::number(count)]),
    }
}
