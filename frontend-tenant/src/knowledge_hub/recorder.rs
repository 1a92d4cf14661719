//! Records searches in the user's history. Typed text is searched immediately, but recorded only when it is intended:
//! after two seconds without typing, with Enter or when a result is opened. Recording does not repeat the search.

use std::time::Duration;

use app::api;
use contract::{
    id::{DocumentVersionId, SearchId},
    knowledge_hub::{ClickedDocument, NewRecordedSearch, RecordSearch, RecordSearchClick, SearchQuery},
};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};

/// How long a query must be unchanged to be recorded.
const REST: Duration = Duration::from_secs(2);

/// The current search and its recording.
#[derive(Clone, Copy)]
pub(super) struct Recorder {
    query: Memo<SearchQuery>,
    /// The last search with its number of results.
    found: StoredValue<Option<(SearchQuery, i64)>>,
    /// A search to record as soon as its results arrive.
    awaited: StoredValue<Option<SearchQuery>>,
    noted: StoredValue<Option<(SearchQuery, SearchId)>>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl Recorder {
    /// Records `query` whenever it is unchanged for [`REST`].
    pub(super) fn new(query: Memo<SearchQuery>) -> Self {
        let recorder = Self {
            query,
            found: StoredValue::new(None),
            awaited: StoredValue::new(None),
            noted: StoredValue::new(None),
            timer: StoredValue::new(None),
        };
        Effect::new(move |_| {
            query.track();
            recorder.stop();
            recorder.timer.set_value(set_timeout_with_handle(move || recorder.note(None), REST).ok());
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

    /// Stores the number of results of a query.
    pub(super) fn found(self, query: &SearchQuery, total: i64) {
        let search = SearchQuery { limit: 0, offset: 0, ..query.clone() };
        if self.search().as_ref() != Some(&search) {
            return;
        }
        let _ = self.found.try_set_value(Some((search.clone(), total)));
        if self.awaited.try_get_value().flatten() == Some(search) {
            self.note(None);
        }
    }

    /// Notes the query, and the document that was opened from its results. What fails is not missed.
    pub(super) fn note(self, opened: Option<DocumentVersionId>) {
        let Some(search) = self.search() else { return };
        self.stop();
        let known = self.noted.try_get_value().flatten().filter(|(noted, _)| *noted == search).map(|(_, id)| id);
        let found = self.found.try_get_value().flatten().filter(|(found, _)| *found == search);
        let Some((_, total)) = found else {
            let _ = self.awaited.try_set_value(Some(search));
            return;
        };
        let _ = self.awaited.try_set_value(None);
        let noted = self.noted;
        let task: std::pin::Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move {
            let id = match known {
                Some(id) => Some(id),
                None => {
                    let new = NewRecordedSearch { q: search.q.clone(), total };
                    api::call::<RecordSearch>(&(), &(), &new).await.ok().map(|noted| noted.search_id)
                }
            };
            let Some(id) = id else { return };
            let _ = noted.try_set_value(Some((search, id)));
            if let Some(document_id) = opened {
                let _ = api::call::<RecordSearchClick>(&id, &(), &ClickedDocument { document_id }).await;
            }
        });
        spawn_local(task);
    }
}
