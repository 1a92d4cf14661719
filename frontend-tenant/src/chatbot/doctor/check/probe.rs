//! Waits for a request of a page's widget: polls the report every two seconds for two minutes, also while this tab is
//! hidden, because the user opens the page in another one.

use std::time::Duration;

use app::{
    api,
    resource::Resource,
    ui::{Banner, Button, Spinner, Tone},
};
use contract::{
    ChatbotId,
    embed::{EmbedOrigin, EmbedOutcome, EmbedReport, EmbedReportQuery, GetEmbedReport},
};
use leptos::{leptos_dom::helpers::IntervalHandle, prelude::*, task::spawn_local};

use super::super::labels;
use crate::texts::doctor as texts;

const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Maximum number of polls.
const MAX_ATTEMPTS: u32 = 60;
/// How long the browser of an accepted page caches the response and sends no new request.
const REMEMBERED_SECONDS: i64 = 60;

/// The state of the wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Detected,
    TimedOut,
}

/// The waiting for one page.
#[derive(Debug, Clone, Copy)]
pub(super) struct WidgetProbe {
    id: ChatbotId,
    report: Resource<EmbedReport>,
    stage: RwSignal<Stage>,
    last_request: RwSignal<Option<EmbedOrigin>>,
    origin: StoredValue<String>,
    looks: StoredValue<u32>,
    timer: StoredValue<Option<IntervalHandle>>,
}

impl WidgetProbe {
    /// A probe that has not started.
    pub(super) fn new(id: ChatbotId, report: Resource<EmbedReport>) -> Self {
        let probe = Self {
            id,
            report,
            stage: RwSignal::new(Stage::TimedOut),
            last_request: RwSignal::new(None),
            origin: StoredValue::new(String::new()),
            looks: StoredValue::new(0),
            timer: StoredValue::new(None),
        };
        on_cleanup(move || probe.stop());
        probe
    }

    /// The last request of the page, tracked.
    pub(super) fn last_request(self) -> Option<EmbedOrigin> {
        self.last_request.get()
    }

    /// Waits for a request of `origin` after `seen`, unless that was a moment ago.
    pub(super) fn begin(self, origin: &str, last_request: Option<EmbedOrigin>) {
        self.stop();
        let answered = last_request.as_ref().filter(|of| of.outcome == EmbedOutcome::Accepted);
        let is_fresh = answered.is_some_and(|of| {
            let now = js_sys::Date::now();
            #[expect(clippy::cast_possible_truncation, reason = "milliseconds since 1970 fit into 64 bits")]
            let age = now as i64 / 1000 - of.last_seen_at.timestamp();
            age < REMEMBERED_SECONDS
        });
        self.last_request.set(last_request);
        self.origin.set_value(origin.to_owned());
        if is_fresh {
            self.stage.set(Stage::Detected);
        } else {
            self.start();
        }
    }

    fn start(self) {
        self.stop();
        self.looks.set_value(0);
        self.stage.set(Stage::Waiting);
        self.timer.set_value(set_interval_with_handle(move || self.poll(), POLL_INTERVAL).ok());
    }

    fn stop(self) {
        if let Some(Some(timer)) = self.timer.try_update_value(Option::take) {
            timer.clear();
        }
    }

    fn poll(self) {
        self.looks.update_value(|looks| *looks += 1);
        if self.looks.get_value() > MAX_ATTEMPTS {
            self.stop();
            self.stage.set(Stage::TimedOut);
            return;
        }
        spawn_local(async move {
            // One that fails is followed by the next.
            let Ok(report) = api::call::<GetEmbedReport>(&self.id, &EmbedReportQuery::default(), &()).await else {
                return;
            };
            let Some(origin) = self.origin.try_get_value() else { return };
            let origin_report = super::origin_report(&report, &origin);
            let last = self.last_request.with_untracked(|last_request| last_request.as_ref().map(|of| of.last_seen_at));
            if origin_report.as_ref().map(|of| of.last_seen_at) > last {
                self.stop();
                self.last_request.set(origin_report);
                self.stage.set(Stage::Detected);
                self.report.reload();
            }
        });
    }
}

/// The state of the wait.
#[component]
pub(super) fn ProbeStatus(probe: WidgetProbe, origin: String) -> impl IntoView {
    let version = expect_context::<app::backend::ConsoleConfig>().widget_version;
    let body = move || {
        match probe.stage.get() {
        Stage::Waiting => view! {
            <div class="ui-row">
                <Spinner label=texts::SEEN />
                <span>{texts::WAITING.with(&[&origin])}</span>
            </div>
        }
        .into_any(),
        Stage::Detected => probe.last_request().map(|of| detected(&of, &version)).into_any(),
        Stage::TimedOut => view! {
            <Banner tone=Tone::Warning title=texts::TIMED_OUT_TITLE>
                <div class="ui-stack ui-stack--small">
                    <p>{texts::TIMED_OUT_TEXT.t()}</p>
                    <div class="ui-row">
                        <Button small=true on_click=Callback::new(move |()| probe.start())>{texts::WAIT_AGAIN.t()}</Button>
                    </div>
                </div>
            </Banner>
        }
        .into_any(),
    }
    };
    view! { <div aria-live="polite">{body}</div> }
}

fn detected(of: &EmbedOrigin, current: &str) -> impl IntoView + use<> {
    let (tone, _, meaning) = labels::state(of);
    let version = labels::version(of.widget_version.as_deref(), current);
    view! {
        <Banner tone title=texts::DETECTED_TITLE>
            <div class="ui-stack ui-stack--small">
                <p>{meaning.t()}</p>
                <p>{version}</p>
            </div>
        </Banner>
    }
}
