//! From a conversation to the ones beside it, by button or by key, within the filters of the list it was opened from.

use app::{
    api,
    i18n::Text,
    list_url::ListUrl,
    problem::Problem,
    resource::Resource,
    ui::{Button, IconName, is_typing},
};
use contract::{
    ErrorCode, SessionId,
    conversations::{ConversationNeighbours, GetConversationNeighbours},
};
use leptos::{ev, prelude::*};
use leptos_router::{NavigateOptions, hooks::use_navigate};

use crate::{conversations, routes, texts::conversations as texts};

/// The ways from one conversation to the next.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    beside: Resource<ConversationNeighbours>,
    go: Callback<SessionId>,
}

impl Steps {
    /// The ways from the conversation of the page; `j` and `k` take them as long as the page is there.
    pub(super) fn new(list: ListUrl, id: Signal<Option<SessionId>>) -> Self {
        let beside = Resource::new(move || {
            let (id, filter) = (id.get(), conversations::listed(list));
            async move {
                let id = id.ok_or_else(|| Problem::from(ErrorCode::SessionNotFound))?;
                api::call::<GetConversationNeighbours>(&id, &filter, &()).await
            }
        });
        let navigate = use_navigate();
        let go = Callback::new(move |id| {
            let address = format!("{}{}", routes::conversation(id, None), untrack(|| conversations::query(list)));
            navigate(&address, NavigateOptions { resolve: false, ..NavigateOptions::default() });
        });
        let steps = Self { beside, go };
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

    fn older(self) -> Option<SessionId> {
        self.beside.get().and_then(|beside| beside.older)
    }

    fn newer(self) -> Option<SessionId> {
        self.beside.get().and_then(|beside| beside.newer)
    }

    /// Goes there unless there is none, or its neighbours are not known yet.
    fn take(self, side: impl Fn(Self) -> Option<SessionId>) {
        if let (false, Some(id)) = (self.beside.is_busy(), side(self)) {
            self.go.run(id);
        }
    }
}

/// The two buttons.
#[component]
pub(super) fn StepButtons(steps: Steps) -> impl IntoView {
    let button = |label: Text, key: &'static str, icon: IconName, side: fn(Steps) -> Option<SessionId>| {
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
        <div class="ui-row" role="group" aria-label=texts::NEIGHBOURS.t()>
            {button(texts::NEWER_ONE, "k", IconName::ArrowUp, Steps::newer)}
            {button(texts::OLDER_ONE, "j", IconName::ArrowDown, Steps::older)}
        </div>
    }
}
