//! Shows the end of an emergency session on every page: sessions of the break-glass and tunnel clients end two hours
//! after their sign-in, whatever is open.

use std::time::Duration;

use contract::clients::EMERGENCY;
use js_sys::{Date, Number};
use leptos::prelude::*;

use super::{Banner, Tone};
use crate::{bearer, i18n::texts, id_token, session::Session};

/// The duration of such a session, in minutes.
const MINUTES: f64 = 120.0;
/// Interval between updates.
const UPDATE_INTERVAL: Duration = Duration::from_secs(10);

/// Shows the remaining time of the session; nothing when it has no fixed end.
#[component]
pub(super) fn SessionLimit() -> impl IntoView {
    let client = Session::get().client_id();
    if !EMERGENCY.contains(&client.as_str()) {
        return None;
    }
    let signed_in = bearer::current().as_deref().and_then(id_token::signed_in_at)?;
    let minutes_left = move || (f64::from(signed_in) / 60.0 + MINUTES - Date::now() / 60_000.0).ceil().max(0.0);
    let shown_minutes = RwSignal::new(minutes_left());
    if let Ok(clock) = set_interval_with_handle(move || shown_minutes.set(minutes_left()), UPDATE_INTERVAL) {
        on_cleanup(move || clock.clear());
    }
    // Announced once, not every minute.
    let text = move || match shown_minutes.get() {
        0.0 => texts::EMERGENCY_OVER.get().to_owned(),
        // The browser's way to write a number is there already.
        minutes => texts::EMERGENCY_LEFT.with(&[&String::from(Number::from(minutes).to_locale_string("en"))]).get(),
    };
    Some(view! {
        <Banner tone=Tone::Danger title=texts::EMERGENCY.with(&[&client])>
            <span role="timer" aria-live="off">{text}</span>
        </Banner>
    })
}
