//! The progress of the uploads: the whole batch with its speed, and each file with its result.

use std::time::Duration;

use app::{
    focus_restore::focus_next,
    format,
    i18n::{Localized, Text},
    ui::{Badge, Banner, Button, IconName, Tone},
    upload_pace::{Pace, Totals, pace},
};
use leptos::prelude::*;

use super::queue::{SendState, Sent, Uploads};
use crate::texts::{knowledge as texts, uploads as upload_texts};

/// A longer list shows only files that are being sent or were refused.
const MAX_ROWS: usize = 100;
/// Minimum interval between progress announcements to screen readers.
const ANNOUNCE_MS: f64 = 10_000.0;
/// The pace is worked out again.
const TICK: Duration = Duration::from_secs(1);

/// The files that were sent from this page.
#[component]
pub(super) fn SentFiles(uploads: Uploads) -> impl IntoView {
    let is_empty = Memo::new(move |_| uploads.list.with(Vec::is_empty));
    let notice =
        move || uploads.notice.get().map(|notice| view! { <Banner tone=Tone::Warning><p>{notice}</p></Banner> });
    view! {
        {notice}
        <p class="ui-visually-hidden" role="status">{announced(uploads)}</p>
        {move || (!is_empty.get()).then(|| view! { <Batch uploads /> })}
    }
}

#[component]
fn Batch(uploads: Uploads) -> impl IntoView {
    let totals = Memo::new(move |_| uploads.totals().since(uploads.began.get().1));
    let now = clock(uploads.busy);
    let list = uploads.list;
    let detail = move || {
        let totals = totals.get();
        let elapsed = now.get() - uploads.began.get().0;
        uploads.busy.get().then(|| detail(totals, pace(totals, elapsed)))
    };
    let rows = Memo::new(move |_| {
        list.with(|list| {
            let all = list.len() <= MAX_ROWS;
            list.iter().filter(|file| all || file.state.with(SendState::is_notable)).cloned().collect::<Vec<_>>()
        })
    });
    let bar = move || {
        uploads.busy.get().then(|| {
            let max = move || totals.get().bytes.max(1).to_string();
            let sent = move || totals.get().sent.to_string();
            view! { <progress class="ui-progress" max=max value=sent aria-label=texts::UPLOADS.t()></progress> }
        })
    };
    // One button, so that it keeps the focus when the uploads end.
    let act = Callback::new(move |()| {
        if uploads.busy.get_untracked() {
            uploads.cancel();
        } else {
            uploads.clear();
            focus_next(".ui-dropzone button");
        }
    });
    let can_send_again = Memo::new(move |_| {
        let can = |file: &Sent| file.state.with(SendState::can_be_sent_again);
        !uploads.busy.get() && list.with(|list| list.iter().any(can))
    });
    let send_again = Callback::new(move |()| {
        uploads.send_again();
        // Not to the next button, which would cancel the uploads.
        focus_next("#uploads");
    });
    let again = move || {
        can_send_again.get().then(|| {
            view! {
                <Button small=true icon=IconName::Refresh on_click=send_again>
                    {app::i18n::texts::RETRY.t()}
                </Button>
            }
        })
    };
    let label = move || if uploads.busy.get() { upload_texts::CANCEL.get() } else { texts::UPLOAD_CLEAR.get() };
    view! {
        <div class="ui-stack ui-stack--small">
            <div class="ui-row ui-row--between ui-row--wrap">
                <p>{move || summary(uploads, totals.get()).get()}</p>
                <div class="ui-row ui-row--wrap">
                    {again}
                    <Button small=true on_click=act>{label}</Button>
                </div>
            </div>
            {bar}
            {move || detail().map(|detail| view! { <p class="ui-muted ui-small">{detail}</p> })}
            <ul id="uploads" class="ui-entries" tabindex="-1" aria-label=texts::UPLOADS.t()>
                <For each=move || rows.get() key=|file| file.key children=row />
            </ul>
            {move || {
                let hidden = list.with(Vec::len).saturating_sub(rows.with(Vec::len));
                (hidden > 0).then(|| {
                    view! { <p class="ui-muted ui-small">{upload_texts::MORE_FILES.with_localized([format::count(hidden)])}</p> }
                })
            }}
        </div>
    }
}

/// The time in milliseconds, updated while `runs` is true.
fn clock(runs: RwSignal<bool>) -> RwSignal<f64> {
    let now = RwSignal::new(js_sys::Date::now());
    Effect::new(move |_| {
        now.set(js_sys::Date::now());
        if !runs.get() {
            return;
        }
        let tick = move || {
            let _ = now.try_set(js_sys::Date::now());
        };
        if let Ok(timer) = set_interval_with_handle(tick, TICK) {
            on_cleanup(move || timer.clear());
        }
    });
    now
}

/// How many files have finished, and how many were refused; tracked.
fn summary(uploads: Uploads, totals: Totals) -> Localized {
    let failed = uploads.list.with(|list| list.iter().filter(|file| file.state.with(SendState::has_failed)).count());
    let done = texts::UPLOADING.with_localized([format::count(totals.done), format::count(totals.files)]);
    let not_taken = upload_texts::NOT_TAKEN.with_localized([format::count(failed)]);
    match (totals.files, failed) {
        (_, 0) => done,
        (0, _) => not_taken,
        _ => Localized::joined(vec![done, not_taken], " · "),
    }
}

/// The sent share of all bytes, the speed and the remaining time.
fn detail(totals: Totals, pace: Option<Pace>) -> Localized {
    let bytes = upload_texts::BYTES_SENT.with_localized([totals.sent, totals.bytes].map(format::bytes));
    let Some(Pace { files_per_minute, seconds_left }) = pace else { return bytes };
    let number = |count: u64| format::number(i64::try_from(count).unwrap_or(i64::MAX));
    let speed = upload_texts::FILES_PER_MINUTE.with_localized([number(files_per_minute)]);
    let (text, count): (Text, u64) = match seconds_left {
        0..60 => (upload_texts::SECONDS_LEFT, seconds_left.max(1)),
        60..5_400 => (upload_texts::MINUTES_LEFT, seconds_left.div_ceil(60)),
        _ => (upload_texts::HOURS_LEFT, seconds_left.div_ceil(3_600)),
    };
    Localized::joined(vec![bytes, speed, text.with_localized([number(count)])], " · ")
}

/// The announcement for screen readers: the start and the end of a batch, and its progress at most every ten seconds.
fn announced(uploads: Uploads) -> impl Fn() -> String + Send + Sync + 'static {
    let text = RwSignal::new(None::<Localized>);
    let now = clock(uploads.busy);
    Effect::new(move |last: Option<f64>| {
        let (now, is_busy) = (now.get(), uploads.busy.get());
        let last = last.unwrap_or_default();
        let is_recent = last >= uploads.began.get().0 && now - last < ANNOUNCE_MS;
        if uploads.list.with(Vec::is_empty) || (is_busy && is_recent) {
            return last;
        }
        let announcement = untrack(|| summary(uploads, uploads.totals().since(uploads.began.get().1)));
        text.set(Some(announcement));
        now
    });
    move || text.get().map(|text| text.get()).unwrap_or_default()
}

fn row(file: Sent) -> impl IntoView {
    let state = file.state;
    let end = move || {
        let (tone, text) = state.with(SendState::badge);
        view! { <Badge tone dot=true>{text.t()}</Badge> }
    };
    let reason = move || state.with(SendState::reason).map(|reason| view! { <p class="ui-small">{reason}</p> });
    view! {
        <li class="ui-entries__item">
            <div class="ui-row ui-row--between ui-row--wrap">
                <span class="ui-mono ui-small ui-break">{file.path}</span>
                {end}
            </div>
            {reason}
        </li>
    }
}
