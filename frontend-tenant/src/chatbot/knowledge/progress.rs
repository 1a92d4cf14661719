//! Follows the reading of a chatbot's documents: by events of the platform, or by polling every two seconds where event
//! streams are blocked. A hidden tab does not follow.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use app::{
    api,
    event_stream::{EventStream, StreamCloser},
    resource::Resource,
};
use contract::{
    ChatbotId, Page,
    documents::{ChatbotSource, SourceProgress, WatchSources},
};
use leptos::{prelude::*, task::spawn_local};

/// Polling interval, and delay before a failed stream is opened again.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Timeout of the first event, which is sent immediately unless a proxy buffers the stream.
const FIRST_EVENT_TIMEOUT: Duration = Duration::from_secs(10);
/// A stream that lasted so long has not failed: it reached its time limit.
const LASTING_MS: f64 = 30_000.0;
/// Consecutive failures after which the page polls until everything is read.
const MAX_FAILURES: u32 = 3;
/// While events arrive, the list of documents is reloaded at this interval, for documents that it does not show yet.
const LISTS_MS: f64 = 30_000.0;

/// The progress of reading, in addition to the sources.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    id: ChatbotId,
    sources: Resource<Page<ChatbotSource>>,
    /// The last event.
    pub(super) last_event: RwSignal<Option<SourceProgress>>,
    /// Changes when lists of documents should be loaded again.
    pub(super) reloads: RwSignal<u32>,
    state: StoredValue<Rc<State>, LocalStorage>,
}

#[derive(Default)]
struct State {
    /// The number of the current stream; changes when the page is left.
    number: Cell<u32>,
    /// Whether this stream is open, or is being opened.
    is_open: Cell<bool>,
    /// Whether it has sent an event.
    has_sent: Cell<bool>,
    closer: RefCell<Option<StreamCloser>>,
    failures: Cell<u32>,
    /// The sources were changed by an event that the lists have followed.
    by_event: Cell<bool>,
    /// When the lists were loaded last.
    lists_at: Cell<Option<f64>>,
}

impl Progress {
    /// Keeps the sources up to date while something is being read, until the page is left.
    pub(super) fn follow(id: ChatbotId, sources: Resource<Page<ChatbotSource>>) -> Self {
        let state = StoredValue::new_local(Rc::<State>::default());
        let progress = Self { id, sources, last_event: RwSignal::new(None), reloads: RwSignal::new(0), state };
        Effect::new(move |_| {
            let Some(page) = sources.get() else { return };
            let state = progress.state.get_value();
            progress.reload_lists(&state);
            if !page.items.iter().any(ChatbotSource::is_working) {
                state.failures.set(0);
            } else if !state.is_open.get() && state.failures.get() < MAX_FAILURES {
                progress.open();
            } else if !state.is_open.get()
                && let Ok(timer) = set_timeout_with_handle(move || sources.reload(), POLL_INTERVAL)
            {
                // Also when the user leaves the page.
                on_cleanup(move || timer.clear());
            }
        });
        let visibility = window_event_listener_untyped("visibilitychange", move |_| progress.follow_visibility());
        on_cleanup(move || {
            visibility.remove();
            if let Some(state) = progress.state.try_get_value() {
                state.abandon();
            }
        });
        progress
    }

    /// Closes the stream while the tab is hidden: a browser opens at most six connections to a server for all tabs.
    fn follow_visibility(self) {
        let Some(state) = self.state.try_get_value() else { return };
        if document().hidden() {
            state.abandon();
        } else if !state.is_open.get() {
            // Opens the stream again when something is being read.
            self.sources.reload();
        }
    }

    /// Reloads the lists after the sources, except after the first load, which included them.
    fn reload_lists(self, state: &State) {
        if state.by_event.replace(false) {
            return;
        }
        if state.lists_at.replace(Some(js_sys::Date::now())).is_some() {
            self.reloads.update(|reloads| *reloads += 1);
        }
    }

    fn open(self) {
        if document().hidden() {
            return;
        }
        let state = self.state.get_value();
        let number = state.abandon();
        state.is_open.set(true);
        let held_back = Rc::clone(&state);
        set_timeout(
            move || {
                if held_back.number.get() == number && held_back.is_open.get() && !held_back.has_sent.get() {
                    held_back.abandon();
                    held_back.failures.set(MAX_FAILURES);
                    self.sources.reload();
                }
            },
            FIRST_EVENT_TIMEOUT,
        );
        spawn_local(self.run(state, number));
    }

    /// Reads a stream to its end.
    async fn run(self, state: Rc<State>, number: u32) {
        let began = js_sys::Date::now();
        if let Ok(stream) = api::events::<WatchSources>(&self.id, &(), &()).await {
            let closer = stream.closer();
            if state.number.get() == number {
                *state.closer.borrow_mut() = Some(closer.clone());
                self.listen(stream, &state, number).await;
            }
            closer.close();
        }
        if state.number.get() == number && state.is_open.get() {
            state.abandon();
            let lasted = js_sys::Date::now() - began >= LASTING_MS;
            state.failures.set(if lasted { 0 } else { state.failures.get() + 1 });
            self.go_on_soon(state);
        }
    }

    async fn listen(self, mut stream: EventStream, state: &State, number: u32) {
        while let Some(event) = stream.next().await {
            let is_last = event.name == SourceProgress::IDLE;
            let is_progress = is_last || event.name == SourceProgress::EVENT;
            let progress = serde_json::from_str::<SourceProgress>(&event.data).ok().filter(|_| is_progress);
            // An error, or the page was left.
            let Some(progress) = progress.filter(|_| state.number.get() == number) else { return };
            state.has_sent.set(true);
            if is_last {
                state.is_open.set(false);
            }
            self.show(state, progress, is_last);
        }
    }

    /// Shows an event. The documents in it are put into the lists; at the end these are loaded again.
    fn show(self, state: &State, progress: SourceProgress, is_last: bool) {
        let now = js_sys::Date::now();
        let is_due = state.lists_at.get().is_none_or(|at| now - at >= LISTS_MS);
        let sources = progress.sources.clone();
        self.last_event.set(Some(progress));
        // Where nothing else has changed, only documents go on.
        if is_last || is_due || untrack(|| self.sources.get()).as_ref() != Some(&sources) {
            state.by_event.set(!is_last && !is_due);
            self.sources.set(sources);
        }
    }

    /// Reopens the stream after a delay, or polls.
    fn go_on_soon(self, state: Rc<State>) {
        let number = state.number.get();
        set_timeout(
            move || {
                if state.number.get() != number {
                    return;
                }
                if state.failures.get() < MAX_FAILURES { self.open() } else { self.sources.reload() }
            },
            POLL_INTERVAL,
        );
    }
}

impl State {
    /// Drops the open stream, if there is one; returns the number of the next one.
    fn abandon(&self) -> u32 {
        self.number.set(self.number.get() + 1);
        self.is_open.set(false);
        self.has_sent.set(false);
        if let Some(closer) = self.closer.take() {
            closer.close();
        }
        self.number.get()
    }
}
