//! Buttons that open the parts around every page: the palette and the list of shortcuts, which the console has placed.

use app::ui::{Button, IconName};
use leptos::prelude::*;
use web_sys::{KeyboardEvent, KeyboardEventInit};

use super::Section;

#[component]
pub(super) fn FrameNotes() -> impl IntoView {
    view! {
        <Section title="Frame, palette, shortcuts">
            <p class="ui-muted">
                "The frame is the one around this page: below 960 pixels its navigation is a drawer, on paper it is gone."
            </p>
            <div class="ui-gallery__row">
                <Button icon=IconName::Search on_click=|()| press("k", true)>"Palette (Ctrl K)"</Button>
                <Button on_click=|()| press("?", false)>"Shortcuts (?)"</Button>
            </div>
        </Section>
    }
}

/// Presses a key, as if on a keyboard.
fn press(key: &str, with_control: bool) {
    let how = KeyboardEventInit::new();
    how.set_key(key);
    how.set_ctrl_key(with_control);
    if let Ok(event) = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &how) {
        let _ = window().dispatch_event(&event);
    }
}
