//! The loaded passages of a document: some around the one in the URL, more of them on demand.

use app::{api, focus_restore::focus_next, page_task::spawn_on_page, ui::toast_problem};
use contract::{
    id::{DocumentVersionId, PassageId},
    knowledge_hub::{GetKnowledgeDocument, KnowledgeDocument, KnowledgeDocumentQuery, KnowledgePassage},
};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

/// Passages per request.
pub(super) const PASSAGES: i64 = 50;

/// The prefix of a URL fragment with a passage.
const ANCHOR: &str = "passage-";

/// The id of a passage in the page.
pub(super) fn anchor(id: PassageId) -> String {
    format!("{ANCHOR}{id}")
}

/// The passage in a URL fragment.
pub(super) fn passage_of(hash: &str) -> Option<PassageId> {
    hash.trim_start_matches('#').strip_prefix(ANCHOR)?.parse().ok()
}

/// The passages that are loaded, without a gap between them.
#[derive(Clone, Copy)]
pub(super) struct PassageWindow {
    document: DocumentVersionId,
    rows: RwSignal<Vec<KnowledgePassage>>,
    /// Number of passages before the first loaded one.
    offset: RwSignal<i64>,
    total: RwSignal<i64>,
    marked: RwSignal<Option<PassageId>>,
    busy: RwSignal<bool>,
}

impl PassageWindow {
    /// Starts with the passages of a document. The one in the URL is marked and scrolled to, also when the URL changes.
    pub(super) fn new(of: &KnowledgeDocument) -> Self {
        let window = Self {
            document: of.document_id,
            rows: RwSignal::new(of.passages.clone()),
            offset: RwSignal::new(of.offset),
            total: RwSignal::new(of.passage_total),
            marked: RwSignal::new(None),
            busy: RwSignal::new(false),
        };
        let hash = use_location().hash;
        Effect::new(move |former: Option<Option<PassageId>>| {
            let passage = hash.with(|hash| passage_of(hash));
            match (passage, former) {
                (Some(id), None) => {
                    window.marked.set(Some(id));
                    scroll_to(id);
                }
                (Some(id), Some(former)) if former != passage => window.jump(id),
                _ => {}
            }
            passage
        });
        window
    }

    /// The passages in their order; tracked.
    pub(super) fn rows(self) -> Vec<KnowledgePassage> {
        self.rows.get()
    }

    pub(super) fn is_marked(self, id: PassageId) -> bool {
        self.marked.get() == Some(id)
    }

    pub(super) fn is_empty(self) -> bool {
        self.rows.with(Vec::is_empty)
    }

    pub(super) fn is_busy(self) -> Signal<bool> {
        self.busy.into()
    }

    pub(super) fn has_earlier(self) -> bool {
        self.offset.get() > 0
    }

    pub(super) fn has_later(self) -> bool {
        self.range().1 < self.total.get()
    }

    /// The number of passages before the first loaded one and up to the last one; tracked.
    pub(super) fn range(self) -> (i64, i64) {
        let (offset, rows) = (self.offset.get(), self.rows.with(Vec::len));
        (offset, offset + i64::try_from(rows).unwrap_or_default())
    }

    pub(super) fn total(self) -> i64 {
        self.total.get()
    }

    /// Loads the passages before the first loaded one. Focuses the last of them, so that the reader can continue.
    pub(super) fn load_earlier(self) {
        let end = untrack(|| self.range()).0;
        let offset = (end - PASSAGES).max(0);
        let query = KnowledgeDocumentQuery { limit: end - offset, offset, around: None };
        self.load(query, move |document| {
            // After a jump, these are not the neighbours any more.
            if untrack(|| self.range()).0 != end {
                return;
            }
            let last = document.passages.last().map(|passage| passage.id);
            self.rows.update(|rows| {
                let mut all = document.passages;
                all.append(rows);
                *rows = all;
            });
            self.offset.set(offset);
            if let Some(last) = last {
                focus(last);
            }
        });
    }

    /// Loads the passages after the last loaded one. Focuses the first of them.
    pub(super) fn load_later(self) {
        let offset = untrack(|| self.range()).1;
        let query = KnowledgeDocumentQuery { limit: PASSAGES, offset, around: None };
        self.load(query, move |document| {
            if untrack(|| self.range()).1 != offset {
                return;
            }
            let first = document.passages.first().map(|passage| passage.id);
            self.rows.update(|rows| rows.extend(document.passages));
            self.total.set(document.passage_total);
            if let Some(first) = first {
                focus(first);
            }
        });
    }

    /// Marks a passage and moves the focus to it, after loading its neighbourhood when it is not there.
    pub(super) fn jump(self, id: PassageId) {
        self.marked.set(Some(id));
        if self.rows.with_untracked(|rows| rows.iter().any(|row| row.id == id)) {
            focus(id);
            return;
        }
        let query = KnowledgeDocumentQuery { limit: PASSAGES, offset: 0, around: Some(id) };
        self.load(query, move |document| {
            // Another jump happened in the meantime.
            if self.marked.get_untracked() != Some(id) {
                return;
            }
            self.offset.set(document.offset);
            self.total.set(document.passage_total);
            self.rows.set(document.passages);
            focus(id);
        });
    }

    fn load(self, query: KnowledgeDocumentQuery, done: impl FnOnce(KnowledgeDocument) + 'static) {
        let document = self.document;
        let call = async move { api::call::<GetKnowledgeDocument>(&document, &query, &()).await };
        spawn_on_page(self.busy, call, move |answer| match answer {
            Ok(document) => done(document),
            Err(problem) => toast_problem(&problem),
        });
    }
}

/// Focuses a passage in the next frame.
fn focus(id: PassageId) {
    focus_next(format!("#{}", anchor(id)));
    scroll_to(id);
}

fn scroll_to(id: PassageId) {
    request_animation_frame(move || {
        if let Some(passage) = document().get_element_by_id(&anchor(id)) {
            passage.scroll_into_view();
        }
    });
}
