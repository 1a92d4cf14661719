//! Whether visitors may open the uploaded files of a source.

use app::{
    api,
    page_task::spawn_on_page,
    resource::Resource,
    ui::{Switch, ToastKind, toast, toast_problem},
};
use contract::{
    ChatbotId, Page,
    documents::ChatbotSource,
    id::SourceId,
    sources::{SourcePatch, UpdateSource},
};
use leptos::prelude::*;

use crate::{read_only::is_read_only, texts::knowledge as texts};

/// A switch for each source of uploaded files, with its explanation.
#[component]
pub(super) fn VisitorFiles(
    id: ChatbotId,
    /// The sources of uploaded files with their names.
    uploaded: Vec<(SourceId, String)>,
    /// The sources with their current settings.
    all: Memo<Vec<ChatbotSource>>,
    sources: Resource<Page<ChatbotSource>>,
) -> impl IntoView {
    if uploaded.is_empty() {
        return None;
    }
    let switch = |(source, name): (SourceId, String)| {
        let stored = Memo::new(move |_| all.with(|all| all.iter().any(|of| of.id == source && of.visitors_open_files)));
        view! { <SourceSwitch place=(id, source) name stored sources /> }
    };
    let switches = uploaded.into_iter().map(switch).collect_view();
    Some(view! {
        {switches}
        <p class="ui-muted ui-small">{texts::VISITORS_OPEN_FILES_HINT.t()}</p>
    })
}

#[component]
fn SourceSwitch(
    place: (ChatbotId, SourceId),
    name: String,
    stored: Memo<bool>,
    sources: Resource<Page<ChatbotSource>>,
) -> impl IntoView {
    let (busy, is_on) = (RwSignal::new(false), RwSignal::new(stored.get_untracked()));
    Effect::new(move |_| {
        let on = stored.get();
        if !busy.get_untracked() {
            is_on.set(on);
        }
    });
    let switch = Callback::new(move |on: bool| {
        let patch = SourcePatch { visitors_open_files: Some(on), ..SourcePatch::default() };
        let call = async move { api::call::<UpdateSource>(&place, &(), &patch).await };
        is_on.set(on);
        spawn_on_page(busy, call, move |result| match result {
            Ok(_) => {
                toast(ToastKind::Success, if on { texts::FILES_OPEN } else { texts::FILES_CLOSED });
                sources.reload();
            }
            Err(problem) => {
                is_on.set(!on);
                toast_problem(&problem);
            }
        });
    });
    let label = texts::VISITORS_OPEN_FILES.with(&[&name]);
    view! { <Switch label checked=is_on busy disabled=is_read_only() on_change=switch /> }
}
