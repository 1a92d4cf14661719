//! From a row of the audit log to the rows beside it, by button or by key, within the filters of the list it was opened from.

use app::{
    api,
    i18n::Text,
    list_url::ListUrl,
    problem::Problem,
    resource::Resource,
    ui::{Button, IconName, is_typing},
};
use contract::{
    AuditId, ErrorCode,
    audit::{AuditNeighbours, GetAuditNeighbours},
};
use leptos::{ev, prelude::*};
use leptos_router::{NavigateOptions, hooks::use_navigate};

use super::filter;
use crate::{paths, texts};

/// The ways from one row to the next.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    rows: Resource<AuditNeighbours>,
    go: Callback<AuditId>,
}

impl Steps {
    /// The ways from the row of the page; `j` and `k` take them as long as the page is there.
    pub(super) fn new(list: ListUrl, id: Signal<Option<AuditId>>) -> Self {
        let rows = Resource::new(move || {
            let (id, filter) = (id.get(), filter::from_address(list));
            async move {
                let id = id.ok_or_else(|| Problem::from(ErrorCode::AuditEntryNotFound))?;
                api::call::<GetAuditNeighbours>(&id, &filter?, &()).await
            }
        });
        let navigate = use_navigate();
        let go = Callback::new(move |id| {
            let address = format!("{}{}", paths::audit_row(id), untrack(|| filter::query(list)));
            navigate(&address, NavigateOptions { resolve: false, ..NavigateOptions::default() });
        });
        let steps = Self { rows, go };
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

    fn older(self) -> Option<AuditId> {
        self.rows.get().and_then(|rows| rows.older)
    }

    fn newer(self) -> Option<AuditId> {
        self.rows.get().and_then(|rows| rows.newer)
    }

    /// Goes there unless the row has none, or its neighbours are not known yet.
    fn take(self, side: impl Fn(Self) -> Option<AuditId>) {
        if let (false, Some(id)) = (self.rows.is_busy(), side(self)) {
            self.go.run(id);
        }
    }
}

/// The two buttons.
#[component]
pub(super) fn StepButtons(steps: Steps) -> impl IntoView {
    let button = |label: Text, key: &'static str, icon: IconName, side: fn(Steps) -> Option<AuditId>| {
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
        <div class="ui-row" role="group" aria-label=texts::AUDIT_NEIGHBOURS.t()>
            {button(texts::NEWER, "k", IconName::ArrowUp, Steps::newer)}
            {button(texts::OLDER, "j", IconName::ArrowDown, Steps::older)}
        </div>
    }
}
