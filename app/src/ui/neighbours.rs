//! Navigation from the page of one row of a list to the adjacent rows, by button or by key.

use std::future::Future;

use leptos::{ev, prelude::*};
use leptos_router::{NavigateOptions, hooks::use_navigate};

use super::{Button, IconName, search_field::is_typing};
use crate::{i18n::Text, problem::Problem, resource::Resource};

/// The addresses of the adjacent rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The address of the next newer row.
    pub newer: Option<String>,
    /// The address of the next older row.
    pub older: Option<String>,
}

/// The ways from one row to the next.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    neighbours: Resource<Neighbours>,
    go: Callback<String>,
}

impl Steps {
    /// Loads the adjacent rows with `find`. The keys `j` and `k` open them while the page is shown.
    pub fn new<Fut>(find: impl Fn() -> Fut + 'static) -> Self
    where
        Fut: Future<Output = Result<Neighbours, Problem>> + 'static,
    {
        let navigate = use_navigate();
        let go = Callback::new(move |address: String| {
            navigate(&address, NavigateOptions { resolve: false, ..NavigateOptions::default() });
        });
        let steps = Self { neighbours: Resource::new(find), go };
        let keys = window_event_listener(ev::keydown, move |event| steps.press(&event));
        on_cleanup(move || keys.remove());
        steps
    }

    fn press(self, event: &ev::KeyboardEvent) {
        let is_plain = !(event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key());
        let side = match event.key().as_str() {
            "j" => Self::older,
            "k" => Self::newer,
            _ => return,
        };
        if is_plain && !is_typing() {
            untrack(|| self.take(side));
        }
    }

    fn older(self) -> Option<String> {
        self.neighbours.get().and_then(|neighbours| neighbours.older)
    }

    fn newer(self) -> Option<String> {
        self.neighbours.get().and_then(|neighbours| neighbours.newer)
    }

    /// Opens the address, unless there is none or it is not loaded yet.
    fn take(self, side: impl Fn(Self) -> Option<String>) {
        if let (false, Some(address)) = (self.neighbours.is_busy(), side(self)) {
            self.go.run(address);
        }
    }
}

/// The two buttons.
#[component]
pub fn StepButtons(
    /// The rows before and after this one.
    steps: Steps,
    /// The label of both buttons.
    label: Text,
    /// The label of the link to the newer row.
    newer: Text,
    /// The label of the link to the older row.
    older: Text,
) -> impl IntoView {
    let button = |label: Text, key: &'static str, icon: IconName, side: fn(Steps) -> Option<String>| {
        view! {
            <Button
                icon
                disabled=Signal::derive(move || side(steps).is_none())
                on_click=move |()| untrack(|| steps.take(side))
            >
                {label.t()}
                " "
                <kbd class="ui-kbd" aria-hidden="true">{key}</kbd>
            </Button>
        }
    };
    view! {
        <div class="ui-row" role="group" aria-label=label.t()>
            {button(newer, "k", IconName::ArrowUp, Steps::newer)}
            {button(older, "j", IconName::ArrowDown, Steps::older)}
        </div>
    }
}
