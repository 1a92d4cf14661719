//! The frame of a console: header with brand and menus, navigation that becomes a drawer on narrow
//! screens, and the page.

use leptos::{ev, prelude::*};
use leptos_router::hooks::use_location;
use wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement};

use super::{
    Avatar, Icon, IconButton, IconName, LanguageMenu, LazyView, Menu, MenuItem, ThemeMenu,
    command_palette::{CommandPalette, PaletteButton},
    scroll_memory,
    session_limit::SessionLimit,
};
use crate::{
    auth,
    i18n::{Text, texts},
    session::Session,
    theme::ThemeChoice,
};

const CONTENT: &str = "main";

/// One entry of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NavItem {
    /// The address from the site's root.
    pub href: &'static str,
    /// The page's name.
    pub label: Text,
    /// Decoration before the page's name.
    pub icon: IconName,
}

impl NavItem {
    /// Whether `path` is this entry's page or, unless it is the console's first page, one below it.
    fn leads_to(self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        match self.href.strip_suffix('/') {
            Some(first_page) => path == first_page,
            None => path.strip_prefix(self.href).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
        }
    }
}

/// The frame of a console; inside the router.
#[component]
pub fn AppShell(
    /// Shown next to the logo.
    console_name: Text,
    /// The navigation. The first entry ends in `/`, and the brand links to it.
    #[prop(into)]
    nav: Signal<Vec<NavItem>>,
    /// The platform's version.
    #[prop(into)]
    version: String,
    /// The content of the command palette: a [`PaletteChoices`](super::PaletteChoices).
    palette: LazyView,
    children: Children,
) -> impl IntoView {
    let (open, palette_open) = (RwSignal::new(false), RwSignal::new(false));
    let (path, search) = (use_location().pathname, use_location().search);
    scroll_memory::remember();
    Effect::new(move |_| {
        path.track();
        search.track();
        scroll_memory::record_address();
    });
    Effect::new(move |first: Option<()>| {
        path.track();
        open.set(false);
        // A new page is announced and read from its beginning.
        if first.is_some() {
            focus_content();
        }
    });
    let escape = window_event_listener(ev::keydown, move |event| {
        if event.key() == "Escape" {
            open.set(false);
        }
    });
    on_cleanup(move || escape.remove());
    let home = nav.with_untracked(|nav| nav.first().map_or("/", |item| item.href));
    view! {
        <div class="ui-shell" class=("ui-shell--open", move || open.get())>
            <a class="ui-shell__skip" href=format!("#{CONTENT}") on:click=skip>{texts::SKIP_TO_CONTENT.t()}</a>
            <Header console_name home open palette_open />
            <nav class="ui-shell__nav" aria-label=texts::MAIN_NAVIGATION.t()>
                <ul class="ui-shell__links">{move || links(nav.get(), path)}</ul>
                <div class="ui-shell__nav-foot">{texts::VERSION.with(&[&version])}</div>
            </nav>
            <div class="ui-shell__scrim" on:click=move |_| open.set(false)></div>
            <main class="ui-shell__main" id=CONTENT tabindex="-1">
                <div class="ui-shell__content"><SessionLimit /> {children()}</div>
                <CommandPalette open=palette_open choices=palette />
            </main>
        </div>
    }
}

/// The button of the drawer, the brand and the menus.
#[component]
fn Header(
    console_name: Text,
    home: &'static str,
    /// Whether the drawer is open.
    open: RwSignal<bool>,
    palette_open: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <header class="ui-shell__header">
            <IconButton
                class="ui-shell__toggle"
                icon=IconName::Menu
                label=texts::OPEN_NAVIGATION
                expanded=Signal::from(open)
                on_click=move |()| open.update(|open| *open = !*open)
            />
            <a class="ui-shell__brand" href=home>
                <span class="ui-shell__logo"><Icon name=IconName::Chatbot /></span>
                <span class="ui-shell__name">{console_name.t()}</span>
            </a>
            <div class="ui-shell__tools">
                <PaletteButton open=palette_open />
                <LanguageMenu />
                <ThemeMenu keep=ThemeChoice::keep />
                <UserMenu />
            </div>
        </header>
    }
}

fn links(nav: Vec<NavItem>, path: Memo<String>) -> impl IntoView {
    nav.into_iter()
        .map(|item| {
            let current = move || path.with(|path| item.leads_to(path)).then_some("page");
            view! {
                <li>
                    <a class="ui-shell__link" href=item.href aria-current=current>
                        <Icon name=item.icon />
                        <span>{item.label.t()}</span>
                    </a>
                </li>
            }
        })
        .collect_view()
}

#[component]
fn UserMenu() -> impl IntoView {
    let session = Session::get();
    let name = session.username();
    let avatar_name = name.clone();
    let trigger = move || view! { <Avatar name=avatar_name /> };
    view! {
        <Menu label=texts::ACCOUNT end=true trigger=trigger.into()>
            <div class="ui-menu__title">
                {texts::SIGNED_IN_AS.with(&[&name])} <br /> <span class="ui-muted">{session.role()}</span>
            </div>
            <hr class="ui-menu__line" />
            <MenuItem icon=IconName::Info on_select=|()| open_help()>{texts::HELP.t()}</MenuItem>
            <MenuItem icon=IconName::SignOut on_select=|()| auth::sign_out()>{texts::SIGN_OUT.t()}</MenuItem>
        </Menu>
    }
}

/// Opens the documentation of the current page in another tab.
fn open_help() {
    let address = format!("/docs/for{}", window().location().pathname().unwrap_or_default());
    let _ = window().open_with_url_and_target_and_features(&address, "_blank", "noopener");
}

/// The skip link moves the focus itself, because the router would handle its click as a navigation.
fn skip(event: ev::MouseEvent) {
    event.prevent_default();
    focus_content();
    window().scroll_to_with_x_and_y(0.0, 0.0);
}

/// Focuses the beginning of the page, as after a navigation, when most of the page is replaced. Keeps the scroll
/// position.
pub fn focus_content() {
    if let Some(main) = document().get_element_by_id(CONTENT) {
        // The browser would scroll the content's top under the fixed header.
        focus_still(main.unchecked_ref());
    }
}

/// Moves the focus and leaves the page scrolled as it is.
pub(super) fn focus_still(element: &HtmlElement) {
    let still = FocusOptions::new();
    still.set_prevent_scroll(true);
    let _ = element.focus_with_options(&still);
}
