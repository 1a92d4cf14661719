//! The theme: light, dark or like the system. It is a user preference in the API; a copy in local storage lets the
//! page's boot script apply it before the first paint.

use std::cell::Cell;

use contract::preferences::{GetPreferences, PreferencesPatch, Theme, UpdatePreferences};
use leptos::{prelude::*, task::spawn_local};

use crate::{api, backend::Console, storage, ui::toast_problem};

thread_local! {
    /// Whether the signed-in user has chosen a theme on this page.
    static IS_CHOSEN: Cell<bool> = const { Cell::new(false) };
}

/// The theme of this console, provided as context.
#[derive(Debug, Clone, Copy)]
pub struct ThemeChoice {
    theme: RwSignal<Theme>,
    key: StoredValue<String>,
}

impl ThemeChoice {
    /// Starts with the theme that was last seen in this browser under `svc_theme:operator` or `svc_theme:tenant`.
    pub fn provide(console: Console) -> Self {
        let key = console.theme_key().to_owned();
        let theme = storage::read(storage::local(), &key).map_or(Theme::Auto, |text| parse(&text));
        let choice = Self { theme: RwSignal::new(theme), key: StoredValue::new(key) };
        apply(theme);
        provide_context(choice);
        choice
    }

    /// The choice of this console.
    pub fn get() -> Self {
        expect_context()
    }

    /// The theme, tracked.
    pub fn theme(self) -> Theme {
        self.theme.get()
    }

    /// Applies the signed-in user's preference from the API, unless another theme was chosen meanwhile.
    pub async fn load(self) {
        if let Ok(preferences) = api::call::<GetPreferences>(&(), &(), &()).await
            && !IS_CHOSEN.get()
        {
            self.show(preferences.preferred_theme);
        }
    }

    /// Saves a theme in the signed-in user's preferences.
    pub fn keep(theme: Theme) {
        IS_CHOSEN.set(true);
        spawn_local(async move {
            let patch = PreferencesPatch { preferred_theme: Some(theme) };
            if let Err(problem) = api::call::<UpdatePreferences>(&(), &(), &patch).await {
                toast_problem(&problem);
            }
        });
    }

    /// Switches the theme in this browser.
    pub fn show(self, theme: Theme) {
        apply(theme);
        self.key.with_value(|key| storage::put(storage::local(), key, theme.as_str()));
        self.theme.set(theme);
    }
}

fn parse(text: &str) -> Theme {
    [Theme::Light, Theme::Dark].into_iter().find(|theme| theme.as_str() == text).unwrap_or_default()
}

fn apply(theme: Theme) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", theme.as_str());
    }
}
