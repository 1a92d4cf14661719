//! A running export: its progress, a way to stop it, and whether the file was cut at its limit.

use app::{
    api,
    download::Received,
    form::Form,
    format,
    i18n::Localized,
    ui::{Banner, Button, Spinner, Tone},
};
use contract::output_filter::{ExportOutputFilterAudit, OutputFilterExportQuery};
use leptos::{prelude::*, task::spawn_local};

use crate::texts::output_filter as texts;

/// The first field of the row that ends a file which was cut.
const MARKER: &str = "\"#TRUNCATED\"";

/// One export.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// Bytes that have arrived, while it runs.
    received: RwSignal<Option<u64>>,
    is_stopped: RwSignal<bool>,
    outcome: RwSignal<Option<(Tone, Localized)>>,
}

impl Run {
    pub(super) fn new() -> Self {
        Self { received: RwSignal::new(None), is_stopped: RwSignal::new(false), outcome: RwSignal::new(None) }
    }

    pub(super) fn is_busy(self) -> Signal<bool> {
        Signal::derive(move || self.received.with(Option::is_some))
    }

    /// Starts the export unless one runs; errors appear in `form`.
    pub(super) fn start(self, query: OutputFilterExportQuery, form: Form, on_done: Callback<()>) {
        if self.received.with_untracked(Option::is_some) {
            return;
        }
        self.received.set(Some(0));
        self.is_stopped.set(false);
        self.outcome.set(None);
        spawn_local(async move {
            // Going to another page stops the export as the button does.
            let keep_going = move |bytes: u64| {
                self.received.try_set(Some(bytes)).is_none() && self.is_stopped.try_get_untracked() == Some(false)
            };
            let result = api::download_watched::<ExportOutputFilterAudit>(&(), &query, &(), keep_going).await;
            if self.received.try_set(None).is_some() {
                return;
            }
            match result {
                Ok(received) => self.outcome.set(Some(outcome(&received))),
                Err(problem) => form.refuse(&problem),
            }
            on_done.run(());
        });
    }
}

fn outcome(received: &Received) -> (Tone, Localized) {
    match received {
        Received::Stopped => (Tone::Info, texts::STOPPED.into()),
        Received::Whole { bytes, end } if end.contains(MARKER) => {
            (Tone::Warning, texts::TRUNCATED.with_localized([format::bytes(*bytes)]))
        }
        Received::Whole { bytes, .. } => (Tone::Success, texts::DONE.with_localized([format::bytes(*bytes)])),
    }
}

/// The progress of an export, or its result.
#[component]
pub(super) fn Progress(run: Run) -> impl IntoView {
    let running = move || {
        run.received.get().map(|bytes| {
            let text = texts::RUNNING.with_localized([format::bytes(bytes)]);
            view! {
                <div class="ui-row ui-row--wrap">
                    <Spinner label=texts::START />
                    <span>{text}</span>
                    <Button small=true on_click=move |()| run.is_stopped.set(true)>{texts::STOP.t()}</Button>
                </div>
            }
        })
    };
    let outcome = move || run.outcome.get().map(|(tone, text)| view! { <Banner tone>{text}</Banner> });
    view! {
        {running}
        {outcome}
    }
}
