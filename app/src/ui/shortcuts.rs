//! The list of keyboard shortcuts, opened with `?`.

use leptos::{ev, prelude::*};

use super::{Dialog, DialogSize, search_field::is_typing};
use crate::i18n::{Text, texts};

/// Keys that work everywhere in a console.
const SHORTCUTS: [(&str, Text); 6] = [
    ("/", texts::KEY_SEARCH),
    ("Ctrl K", texts::KEY_PALETTE),
    ("?", texts::KEY_SHORTCUTS),
    ("Tab", texts::KEY_TAB),
    ("↑ ↓", texts::KEY_ARROWS),
    ("Esc", texts::KEY_ESCAPE),
];

/// The list of keyboard shortcuts; one a console.
#[component]
pub fn Shortcuts(
    /// Keys that work on some pages of this console.
    #[prop(optional)]
    more: &'static [(&'static str, Text)],
) -> impl IntoView {
    let open = RwSignal::new(false);
    let shortcut = window_event_listener(ev::keydown, move |event| {
        if event.key() == "?" && !event.ctrl_key() && !event.meta_key() && !event.alt_key() && !is_typing() {
            event.prevent_default();
            open.set(true);
        }
    });
    on_cleanup(move || shortcut.remove());
    view! {
        <Dialog open title=texts::SHORTCUTS size=DialogSize::Small dismissible=true>
            <div class="ui-dialog__body">
                <dl class="ui-definitions">{SHORTCUTS.iter().chain(more).map(entry).collect_view()}</dl>
            </div>
        </Dialog>
    }
}

fn entry((key, text): &(&'static str, Text)) -> impl IntoView + use<> {
    view! {
        <div class="ui-definitions__item">
            <dt class="ui-definitions__term"><kbd>{*key}</kbd></dt>
            <dd class="ui-definitions__value">{text.t()}</dd>
        </div>
    }
}
