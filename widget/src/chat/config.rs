//! Fetches the chatbot's configuration if the loader could not, applies it to the view, and chooses the colour scheme.

use std::rc::Rc;

use contract::branding::{LauncherPosition, Theme};
use contract::widget::WidgetConfig;
use js_sys::{Array, Reflect};
use wasm_bindgen::JsValue;
use web_sys::{CssStyleSheet, MediaQueryList};

use super::Chat;
use crate::{api, dom, json, theme};

impl Chat {
    /// Fetches the configuration; on failure the visitor reads why, and an unreachable API is watched.
    pub(super) fn load_config(self: &Rc<Self>) {
        let chat = Rc::clone(self);
        dom::spawn(async move {
            match api::config(&chat.options).await {
                Ok(config) => {
                    chat.apply_config(config);
                    chat.render_welcome();
                }
                Err(error) => chat.report(error),
            }
        });
    }

    /// Applies a configuration's colours and position.
    pub(super) fn apply_config(&self, config: WidgetConfig) {
        let branding = &config.branding;
        self.adopt(&theme::style_sheet(&branding.fields));
        if let Some(css) = branding.custom_css.as_deref() {
            self.adopt(css);
        }
        let own = self.options.position.as_deref().and_then(json::position);
        let is_left = own.or(branding.fields.launcher_position) == Some(LauncherPosition::BottomLeft);
        dom::attribute(&self.view.frame, "data-position", if is_left { "bottom_left" } else { "bottom_right" });
        *self.config.borrow_mut() = Some(config);
        self.show_scheme();
    }

    /// Shows the configuration's names, welcome and suggested questions.
    pub(super) fn render_welcome(&self) {
        if let Some(config) = self.config.borrow().as_ref() {
            self.view.apply(config, self.texts);
        }
    }

    /// Follows the light or dark scheme of the visitor's system.
    pub(super) fn follow_scheme(self: &Rc<Self>) {
        self.show_scheme();
        if let Some(query) = dark_query() {
            let chat = Rc::downgrade(self);
            dom::on(&query, "change", move |_| {
                if let Some(chat) = chat.upgrade() {
                    chat.show_scheme();
                }
            });
        }
    }

    fn show_scheme(&self) {
        let own = self.options.theme.as_deref().and_then(json::theme);
        let branded = || self.config.borrow().as_ref().and_then(|config| config.branding.fields.theme);
        let is_dark = match own.or_else(branded).unwrap_or(Theme::Auto) {
            Theme::Light => false,
            Theme::Dark => true,
            Theme::Auto => dark_query().is_some_and(|query| query.matches()),
        };
        dom::attribute(&self.view.frame, "data-scheme", if is_dark { "dark" } else { "light" });
    }

    /// Adds a style sheet to the shadow root. The browser ignores rules that a constructed sheet may not have
    /// (`@import`).
    fn adopt(&self, css: &str) {
        let Ok(sheet) = CssStyleSheet::new() else { return };
        if sheet.replace_sync(css).is_err() {
            return;
        }
        let key = JsValue::from_str("adoptedStyleSheets");
        let sheets = Reflect::get(&self.root, &key).map(|sheets| Array::from(&sheets)).unwrap_or_default();
        sheets.push(&sheet);
        let _ = Reflect::set(&self.root, &key, &sheets);
    }
}

fn dark_query() -> Option<MediaQueryList> {
    dom::window().match_media("(prefers-color-scheme: dark)").ok().flatten()
}
