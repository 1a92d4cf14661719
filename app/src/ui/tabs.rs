//! Parts of a page, one of which is visible. Arrow keys move between the tabs.

use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::i18n::Localized;

/// The tabs. Their panels are [`TabPanel`]s with the same keys.
#[component]
pub fn Tabs(
    /// Names the tabs to screen readers.
    #[prop(into)]
    label: Localized,
    /// Keys with their texts.
    tabs: Vec<(&'static str, Localized)>,
    /// The key of the visible tab.
    #[prop(into)]
    selected: Signal<String>,
    /// Called with the key of the requested tab.
    #[prop(into)]
    on_select: Callback<String>,
) -> impl IntoView {
    let keys: Vec<&'static str> = tabs.iter().map(|(key, _)| *key).collect();
    let keydown = move |event: ev::KeyboardEvent| {
        let at = keys.iter().position(|key| selected.with_untracked(|selected| selected == key)).unwrap_or(0);
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % keys.len(),
            "ArrowLeft" => (at + keys.len() - 1) % keys.len(),
            "Home" => 0,
            "End" => keys.len() - 1,
            _ => return,
        };
        event.prevent_default();
        on_select.run(keys[to].to_owned());
        if let Some(tab) = document().get_element_by_id(&tab_id(keys[to])) {
            let _ = tab.unchecked_ref::<HtmlElement>().focus();
        }
    };
    let buttons: Vec<_> = tabs
        .into_iter()
        .map(|(key, text)| {
            let is_selected = move || selected.with(|selected| selected == key);
            view! {
                <button
                    class="ui-tabs__tab"
                    type="button"
                    role="tab"
                    id=tab_id(key)
                    aria-controls=panel_id(key)
                    aria-selected=move || is_selected().to_string()
                    tabindex=move || if is_selected() { "0" } else { "-1" }
                    on:click=move |_| on_select.run(key.to_owned())
                >
                    {text}
                </button>
            }
        })
        .collect();
    view! { <div class="ui-tabs" role="tablist" aria-label=label on:keydown=keydown>{buttons}</div> }
}

/// The content of a tab.
#[component]
pub fn TabPanel(
    /// The content is visible while this key is selected.
    key: &'static str,
    /// The key of the visible tab.
    #[prop(into)]
    selected: Signal<String>,
    /// The content, built when the tab becomes visible.
    children: ChildrenFn,
) -> impl IntoView {
    let is_selected = move || selected.with(|selected| selected == key);
    view! {
        <div class="ui-tabs__panel" role="tabpanel" id=panel_id(key) aria-labelledby=tab_id(key) hidden=move || !is_selected()>
            {move || is_selected().then(|| children())}
        </div>
    }
}

fn tab_id(key: &str) -> String {
    format!("tab-{key}")
}

fn panel_id(key: &str) -> String {
    format!("panel-{key}")
}
