//! Records searches in the user's history. Typed text is searched immediately, but recorded only when it is intended:
//! after two seconds without typing, with Enter or when a result is opened. Recording does not repeat the search.

use std::time::Duration;

use app::api;
use contract::{
    id::{DocumentVersionId, SearchId},
    knowledge_hub::{ClickedDocument, NewRecordedSearch, RecordSearch, RecordSearchClick, SearchQuery},
};
use futures::{
    FutureExt,
    future::{LocalBoxFuture, Shared},
};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};

/// How long a query must be unchanged to be recorded.
const SETTLE_TIME: Duration = Duration::from_secs(2);

/// A search being recorded, or its id in the history; `None` when that failed.
type Recording = Shared<LocalBoxFuture<'static, Option<SearchId>>>;

/// The current search and its recording.
#[derive(Clone, Copy)]
pub(super) struct Recorder {
    query: Memo<SearchQuery>,
    /// The last search with its id.
    last_search: StoredValue<Option<(SearchQuery, SearchId)>>,
    /// A search to record as soon as its results arrive.
    awaited: StoredValue<Option<SearchQuery>>,
    recording: StoredValue<Option<(SearchQuery, Recording)>, LocalStorage>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl Recorder {
    /// Records `query` whenever it is unchanged for [`SETTLE_TIME`].
    pub(super) fn new(query: Memo<SearchQuery>) -> Self {
        let recorder = Self {
            query,
            last_search: StoredValue::new(None),
            awaited: StoredValue::new(None),
            recording: StoredValue::new_local(None),
            timer: StoredValue::new(None),
        };
        Effect::new(move |_| {
            query.track();
            recorder.stop();
            recorder.timer.set_value(set_timeout_with_handle(move || recorder.note(None), SETTLE_TIME).ok());
        });
        on_cleanup(move || recorder.stop());
        recorder
    }

    fn stop(self) {
        if let Some(Some(timer)) = self.timer.try_get_value() {
            timer.clear();
        }
    }

    /// The current search, regardless of its page.
    fn search(self) -> Option<SearchQuery> {
        let query = self.query.try_get_untracked().filter(|query| !query.q.trim().is_empty())?;
        Some(SearchQuery { limit: 0, offset: 0, ..query })
    }

    /// Stores the id of a search; further pages have none.
    pub(super) fn note_results(self, query: &SearchQuery, id: Option<SearchId>) {
        let Some(id) = id else { return };
        let search = SearchQuery { limit: 0, offset: 0, ..query.clone() };
        if self.search().as_ref() != Some(&search) {
            return;
        }
        let _ = self.last_search.try_set_value(Some((search.clone(), id)));
        if self.awaited.try_get_value().flatten() == Some(search) {
            self.note(None);
        }
    }

    /// Notes the query, and the document that was opened from its results. What fails is not missed.
    pub(super) fn note(self, opened: Option<DocumentVersionId>) {
        let Some(search) = self.search() else { return };
        self.stop();
        let last_search = self.last_search.try_get_value().flatten().filter(|(query, _)| *query == search);
        let Some((_, id)) = last_search else {
            let _ = self.awaited.try_set_value(Some(search));
            return;
        };
        let _ = self.awaited.try_set_value(None);
        let recording = self.record(search, id);
        let task: LocalBoxFuture<'static, ()> = Box::pin(async move {
            let Some(id) = recording.await else { return };
            if let Some(document_id) = opened {
                let _ = api::call::<RecordSearchClick>(&id, &(), &ClickedDocument { document_id }).await;
            }
        });
        spawn_local(task);
    }

    /// Records a search once: its recording may be under way. One that failed is tried again.
    fn record(self, search: SearchQuery, search_id: SearchId) -> Recording {
        let has_failed = |recording: &Recording| recording.peek() == Some(&None);
        let last = self.recording.try_get_value().flatten();
        if let Some((_, recording)) = last.filter(|(of, recording)| *of == search && !has_failed(recording)) {
            return recording;
        }
        let new = NewRecordedSearch { search_id, q: search.q.trim().to_owned() };
        let call = async move { api::call::<RecordSearch>(&(), &(), &new).await.ok().map(|noted| noted.search_id) };
        let recording = call.boxed_local().shared();
        let _ = self.recording.try_set_value(Some((search, recording.clone())));
        recording
    }
}
