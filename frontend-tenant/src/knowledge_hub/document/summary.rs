//! The summary of a document, generated on demand.

use std::{rc::Rc, time::Duration};

use app::{
    api,
    focus_restore::focus_next,
    page_task::spawn_on_page,
    ui::{Button, Card, toast_problem},
};
use contract::{
    ErrorCode,
    id::DocumentVersionId,
    knowledge_hub::{DocumentSummary, GetDocumentSummary, SummaryState},
};
use leptos::prelude::*;

use crate::texts::knowledge_hub as texts;

/// Delay before the next request while the summary is being generated.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Maximum number of requests: a language model may take a minute, and others may come first.
const MAX_REQUESTS: u32 = 60;
/// The prefix of the version of a summary by a language model.
const WRITTEN: &str = "generated";
/// The id of the part of the page with the summary.
const PART: &str = "document-summary";

/// The card with the summary.
#[component]
pub(super) fn Summary(id: DocumentVersionId) -> impl IntoView {
    let (summary, busy) = (RwSignal::new(None::<DocumentSummary>), RwSignal::new(false));
    let ask = Callback::new(move |()| fetch(id, summary, busy, MAX_REQUESTS));
    let body = move || match summary.get() {
        Some(summary) => {
            let is_written = summary.model_version.is_some_and(|made_by| made_by.starts_with(WRITTEN));
            let note = if is_written { texts::SUMMARY_WRITTEN } else { texts::SUMMARY_NOTE };
            view! {
                <p class="ui-prose">{summary.summary}</p>
                <p class="ui-muted ui-small">{note.t()}</p>
            }
            .into_any()
        }
        None => view! { <Button busy on_click=ask>{texts::SUMMARISE.t()}</Button> }.into_any(),
    };
    view! {
        <Card title=texts::SUMMARY>
            <div id=PART tabindex="-1" role="status">{body}</div>
        </Card>
    }
}

/// Requests the summary, and again while it is being generated.
fn fetch(id: DocumentVersionId, summary: RwSignal<Option<DocumentSummary>>, busy: RwSignal<bool>, tries: u32) {
    let call = async move { api::call::<GetDocumentSummary>(&id, &(), &()).await };
    let again: Rc<dyn Fn()> = Rc::new(move || fetch(id, summary, busy, tries - 1));
    spawn_on_page(busy, call, move |answer| match answer {
        Ok(new_summary) if new_summary.state == SummaryState::Ready => {
            // The button is removed with its focus.
            if has_focus() {
                focus_next(format!("#{PART}"));
            }
            summary.try_set(Some(new_summary));
        }
        Ok(_) if tries > 1 => {
            busy.try_set(true);
            set_timeout(move || again(), POLL_INTERVAL);
        }
        Ok(_) => toast_problem(&ErrorCode::ServiceUnavailable.into()),
        Err(problem) => toast_problem(&problem),
    });
}

/// Whether the user is still at the button.
fn has_focus() -> bool {
    let active = document().active_element();
    active.is_some_and(|active| active.closest(&format!("#{PART}")).is_ok_and(|part| part.is_some()))
}
