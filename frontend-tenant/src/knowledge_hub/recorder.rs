//! Notes searches in the user's history: what somebody types is searched at once, and noted when it is meant, after two seconds of
//! rest, with Enter or when a result is opened.

use std::time::Duration;

use app::api;
use contract::{
    id::{DocumentVersionId, SearchId},
    knowledge_hub::{ClickedDocument, RecordSearchClick, SearchKnowledge, SearchQuery},
};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};

/// How long a query rests until it is noted.
const REST: Duration = Duration::from_secs(2);

/// The search that is shown, and what is noted of it.
#[derive(Clone, Copy)]
pub(super) struct Recorder {
    query: Memo<SearchQuery>,
    noted: StoredValue<Option<(SearchQuery, SearchId)>>,
    timer: StoredValue<Option<TimeoutHandle>>,
}

impl Recorder {
    /// Notes `query` whenever it rests.
    pub(super) fn new(query: Memo<SearchQuery>) -> Self {
        let recorder = Self { query, noted: StoredValue::new(None), timer: StoredValue::new(None) };
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

    /// Notes the query, and the document that was opened from its results. What fails is not missed.
    pub(super) fn note(self, opened: Option<DocumentVersionId>) {
        let Some(query) = self.query.try_get_untracked().filter(|query| !query.q.is_empty()) else { return };
        self.stop();
        let known = self.noted.try_get_value().flatten().filter(|(noted, _)| *noted == query).map(|(_, id)| id);
        let noted = self.noted;
        let task: std::pin::Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move {
            let search = match known {
                Some(search) => Some(search),
                None => {
                    let request = SearchQuery { record: true, limit: 1, offset: 0, ..query.clone() };
                    let found = api::call::<SearchKnowledge>(&(), &request, &()).await;
                    found.ok().and_then(|found| found.search_id)
                }
            };
            let Some(search) = search else { return };
            let _ = noted.try_set_value(Some((query, search)));
            if let Some(document_id) = opened {
                let _ = api::call::<RecordSearchClick>(&search, &(), &ClickedDocument { document_id }).await;
            }
        });
        spawn_local(task);
    }
}
