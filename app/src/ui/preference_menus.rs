//! The menus for theme and language, on every page and before sign-in.

use contract::preferences::Theme;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::{Icon, IconName, Menu, MenuItem};
use crate::{
    i18n::{self, Language, LanguageChoice, texts},
    theme::ThemeChoice,
};

const TRIGGER: &str = "language-menu";

/// Switches the language.
#[component]
pub fn LanguageMenu() -> impl IntoView {
    let choice = LanguageChoice::get();
    let items: Vec<_> = Language::ALL
        .into_iter()
        .map(|language| {
            let checked = Signal::derive(move || choice.language() == language);
            view! {
                <MenuItem checked=checked on_select=move |()| switch(choice, language)>
                    <span lang=language.code()>{language.name()}</span>
                </MenuItem>
            }
        })
        .collect();
    let trigger = || {
        view! { <Icon name=IconName::Globe /><span class="ui-menu__code">{i18n::current().code().to_ascii_uppercase()}</span> }
    };
    // The spoken name holds the visible text: who steers by voice says what stands there.
    let label = format!("{}: {}", texts::LANGUAGE.t(), i18n::current().code().to_ascii_uppercase());
    view! { <Menu label id=TRIGGER end=true trigger=trigger.into()>{items}</Menu> }
}

/// Switches the language and brings the focus back to the menu, which is built anew with the page.
fn switch(choice: LanguageChoice, language: Language) {
    choice.set(language);
    request_animation_frame(|| {
        if let Some(trigger) = document().get_element_by_id(TRIGGER) {
            let _ = trigger.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    });
}

/// Switches the theme.
#[component]
pub fn ThemeMenu(
    /// Keeps the choice for the user, when somebody is signed in.
    #[prop(optional)]
    keep: Option<fn(Theme)>,
) -> impl IntoView {
    let choice = ThemeChoice::get();
    let themes = [
        (Theme::Light, IconName::Sun, texts::THEME_LIGHT),
        (Theme::Dark, IconName::Moon, texts::THEME_DARK),
        (Theme::Auto, IconName::Monitor, texts::THEME_AUTO),
    ];
    let items: Vec<_> = themes
        .into_iter()
        .map(|(theme, icon, text)| {
            let checked = Signal::derive(move || choice.theme() == theme);
            let select = move |()| {
                choice.show(theme);
                if let Some(keep) = keep {
                    keep(theme);
                }
            };
            view! { <MenuItem icon=icon checked=checked on_select=select>{text.t()}</MenuItem> }
        })
        .collect();
    let icon = move || match choice.theme() {
        Theme::Light => IconName::Sun,
        Theme::Dark => IconName::Moon,
        Theme::Auto => IconName::Monitor,
    };
    let trigger = move || view! { {move || view! { <Icon name=icon() /> }} };
    view! { <Menu label=texts::THEME end=true trigger=trigger.into()>{items}</Menu> }
}
