//! The drawing of a chart. The pointer, a touch and the arrow keys choose a day.

use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;

use super::{DayKind, DayValues};
use crate::i18n::Localized;

/// The drawing's height in its own units.
const HEIGHT: i64 = 100;
/// A day's width in the drawing's own units.
const DAY: i64 = 20;
/// A column's width in them.
const COLUMN: i64 = 14;

/// The columns. The pointer and the arrow keys choose a day.
#[component]
pub(super) fn Stage(
    title: Localized,
    kinds: Vec<DayKind>,
    days: Vec<DayValues>,
    /// The sums of the days before.
    before: Vec<i64>,
    top: i64,
    value_text: Localized,
    chosen: RwSignal<Option<usize>>,
) -> impl IntoView {
    let count = days.len();
    let point = move |event: ev::PointerEvent| {
        let stage = event_target::<web_sys::Element>(&event);
        chosen.set(day_at(event.offset_x(), stage.client_width(), count));
    };
    // Lifting a finger also leaves the element; its choice must stay readable.
    let leave = move |event: ev::PointerEvent| {
        if event.pointer_type() != "touch" {
            chosen.set(None);
        }
    };
    let stage = NodeRef::<html::Div>::new();
    clear_by_tap(stage, chosen);
    let walk = move |event: ev::KeyboardEvent| {
        if let Some(day) = day_by_key(&event.key(), chosen.get_untracked(), count) {
            event.prevent_default();
            chosen.set(Some(day));
        }
    };
    view! {
        <div
            class="ui-plot__stage"
            node_ref=stage
            role="slider"
            tabindex="0"
            aria-readonly="true"
            aria-label=title
            aria-valuemin="1"
            aria-valuemax=count
            aria-valuenow=move || chosen.get().map_or(count, |day| day + 1)
            aria-valuetext=value_text
            on:pointermove=point
            on:pointerdown=point
            on:pointerleave=leave
            on:keydown=walk
            on:blur=move |_| chosen.set(None)
        >
            {drawing(&kinds, &days, &before, top, chosen)}
        </div>
    }
}

/// The columns, the line of the days before, and a mark at the chosen day.
fn drawing(
    kinds: &[DayKind],
    days: &[DayValues],
    before: &[i64],
    top: i64,
    chosen: RwSignal<Option<usize>>,
) -> impl IntoView + use<> {
    let width = i64::try_from(days.len()).unwrap_or_default() * DAY;
    let columns = days.iter().zip(0_i64..).map(|(day, index)| column(day, kinds, index, top)).collect_view();
    let mark = move || {
        chosen.get().and_then(|day| i64::try_from(day).ok()).map(|day| {
            view! { <rect class="ui-plot__chosen" x=day * DAY y="0" width=DAY height=HEIGHT /> }
        })
    };
    view! {
        <svg class="ui-plot__drawing" viewBox=format!("0 0 {width} {HEIGHT}") preserveAspectRatio="none" aria-hidden="true">
            <line class="ui-plot__line" x1="0" x2=width y1="0" y2="0" />
            <line class="ui-plot__line" x1="0" x2=width y1=HEIGHT / 2 y2=HEIGHT / 2 />
            {mark}
            {columns}
            {steps(before, top).map(|steps| view! { <path class="ui-plot__before" d=steps /> })}
            <line class="ui-plot__foot" x1="0" x2=width y1=HEIGHT y2=HEIGHT />
        </svg>
    }
}

/// Clears the choice when something else is pressed, because a touch has no leave event.
fn clear_by_tap(stage: NodeRef<html::Div>, chosen: RwSignal<Option<usize>>) {
    let press = window_event_listener(ev::pointerdown, move |event| {
        let target = event.target().map(JsCast::unchecked_into::<web_sys::Node>);
        let Some(Some(stage)) = stage.try_get_untracked() else { return };
        if !stage.contains(target.as_ref()) && chosen.try_get_untracked().flatten().is_some() {
            chosen.try_set(None);
        }
    });
    on_cleanup(move || press.remove());
}

/// The day at `x` pixels of a stage that is `width` pixels wide.
fn day_at(x: i32, width: i32, count: usize) -> Option<usize> {
    let (x, width) = (usize::try_from(x).ok()?, usize::try_from(width).ok()?);
    Some((x * count).checked_div(width)?.min(count.checked_sub(1)?))
}

/// The day that a key selects; without a chosen day the arrows begin at the latest one.
fn day_by_key(key: &str, chosen: Option<usize>, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    match key {
        "ArrowLeft" | "ArrowDown" => Some(chosen.map_or(last, |day| day.saturating_sub(1))),
        "ArrowRight" | "ArrowUp" => Some(chosen.map_or(last, |day| (day + 1).min(last))),
        "Home" => Some(0),
        "End" => Some(last),
        _ => None,
    }
}

fn column(day: &DayValues, kinds: &[DayKind], index: i64, top: i64) -> impl IntoView + use<> {
    let x = index * DAY + (DAY - COLUMN) / 2;
    let mut foot = HEIGHT;
    let parts = kinds.iter().zip(&day.counts).map(|(kind, count)| {
        // A number above 0 is always visible, however small it is.
        let height = (count * HEIGHT / top).max(count.signum() * 2);
        foot -= height;
        view! { <rect class=kind.mood.class() x=x y=foot width=COLUMN height=height /> }
    });
    parts.collect_view()
}

/// The days before as a line of steps, each as wide as a day.
fn steps(before: &[i64], top: i64) -> Option<String> {
    let step = |(sum, index): (&i64, i64)| {
        let begins = if index == 0 { 'M' } else { 'L' };
        format!("{begins}{},{}H{}", index * DAY, HEIGHT - sum * HEIGHT / top, (index + 1) * DAY)
    };
    let steps: Vec<_> = before.iter().zip(0_i64..).map(step).collect();
    (!steps.is_empty()).then(|| steps.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_on_the_stage_is_a_day() {
        assert_eq!(day_at(0, 300, 30), Some(0));
        assert_eq!(day_at(299, 300, 30), Some(29));
        assert_eq!(day_at(300, 300, 30), Some(29));
        assert_eq!(day_at(-1, 300, 30), None);
        assert_eq!(day_at(5, 0, 30), None);
    }

    #[test]
    fn arrows_walk_from_the_latest_day() {
        assert_eq!(day_by_key("ArrowLeft", None, 30), Some(29));
        assert_eq!(day_by_key("ArrowLeft", Some(29), 30), Some(28));
        assert_eq!(day_by_key("ArrowLeft", Some(0), 30), Some(0));
        assert_eq!(day_by_key("ArrowRight", Some(29), 30), Some(29));
        assert_eq!(day_by_key("Home", Some(29), 30), Some(0));
        assert_eq!(day_by_key("Tab", Some(29), 30), None);
    }

    #[test]
    fn the_days_before_are_steps() {
        assert_eq!(steps(&[2, 0], 4).as_deref(), Some("M0,50H20L20,100H40"));
        assert_eq!(steps(&[], 4), None);
    }
}
