//! The menus for theme and language, on every page and before sign-in.

use contract::preferences::Theme;
use leptos::prelude::*;

use super::{Icon, IconName, Menu, MenuItem};
use crate::{
    i18n::{self, Language, Localized, texts},
    theme::ThemeChoice,
};

/// Switches the language.
#[component]
pub fn LanguageMenu() -> impl IntoView {
    let items: Vec<_> = Language::ALL
        .into_iter()
        .map(|language| {
            let checked = Signal::derive(move || i18n::current() == language);
            view! {
                <MenuItem checked=checked on_select=move |()| i18n::switch(language)>
                    <span lang=language.code()>{language.name()}</span>
                </MenuItem>
            }
        })
        .collect();
    let code = || i18n::current().code().to_ascii_uppercase();
    let trigger = move || view! { <Icon name=IconName::Globe /><span class="ui-menu__code">{code}</span> };
    // The accessible name contains the visible text, for users of speech control.
    let label = Localized::new(move || format!("{}: {}", texts::LANGUAGE.get(), code()));
    view! { <Menu label end=true trigger=trigger.into()>{items}</Menu> }
}

/// Switches the theme.
#[component]
pub fn ThemeMenu(
    /// Saves the choice of a signed-in user.
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
