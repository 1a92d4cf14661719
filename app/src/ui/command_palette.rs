//! The command palette: a field to go anywhere and to run global actions. Ctrl-K opens it, arrow keys and Enter choose.
//! It offers fixed entries and the results of the console's own search. Its code is loaded when it is first opened.

use std::{future::Future, pin::Pin, time::Duration};

use contract::preferences::Theme;
use leptos::{ev, html, prelude::*, task::spawn_local};

use super::{Dialog, Icon, IconName, LazyPage, LazyView, unique_id, use_guarded_navigate};
use crate::{
    auth,
    i18n::{self, Language, Localized, Text, texts},
    letter_case::lower,
    theme::ThemeChoice,
};

/// How long typing pauses before the search runs.
const SEARCH_DELAY: Duration = Duration::from_millis(200);

/// A page to go to, or something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteEntry {
    /// The name.
    pub label: Localized,
    /// The kind of thing.
    pub kind: Localized,
    /// The action when it is chosen.
    pub action: PaletteAction,
}

impl PaletteEntry {
    /// A page with an address.
    pub fn new(label: impl Into<Localized>, kind: impl Into<Localized>, href: impl Into<String>) -> Self {
        Self { label: label.into(), kind: kind.into(), action: PaletteAction::Go(href.into()) }
    }

    /// Something to create, at the address of its form.
    pub fn action(label: impl Into<Localized>, href: impl Into<String>) -> Self {
        Self::new(label, texts::ACTION, href)
    }
}

/// What choosing an entry does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaletteAction {
    /// Opens an address.
    Go(String),
    /// Switches the theme and saves it.
    Theme(Theme),
    /// Switches the language.
    Language(Language),
    /// Ends the session.
    SignOut,
}

/// Actions that are available everywhere.
fn everywhere() -> Vec<PaletteEntry> {
    let action = |label: Text, action| PaletteEntry { label: label.into(), kind: texts::ACTION.into(), action };
    let language = |language: Language| PaletteEntry {
        label: texts::USE_LANGUAGE.with(&[language.name()]),
        kind: texts::ACTION.into(),
        action: PaletteAction::Language(language),
    };
    let mut all = vec![
        action(texts::USE_LIGHT, PaletteAction::Theme(Theme::Light)),
        action(texts::USE_DARK, PaletteAction::Theme(Theme::Dark)),
        action(texts::USE_SYSTEM, PaletteAction::Theme(Theme::Auto)),
    ];
    all.extend(Language::ALL.map(language));
    all.push(action(texts::SIGN_OUT, PaletteAction::SignOut));
    all
}

/// The console's own search, for what is typed; it answers with nothing when it fails.
pub type FindEntries = fn(String) -> Pin<Box<dyn Future<Output = Vec<PaletteEntry>>>>;

/// Whether the palette is open, for what it shows.
#[derive(Clone, Copy)]
struct PaletteOpen(RwSignal<bool>);

/// The button that opens the palette and shows its shortcut.
#[component]
pub(super) fn PaletteButton(
    /// Whether the palette is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <button
            class="ui-palette-button"
            type="button"
            aria-keyshortcuts="Control+K"
            on:click=move |_| open.set(true)
        >
            <Icon name=IconName::Search />
            // The name stays when a narrow screen hides the visible text.
            <span class="ui-visually-hidden">{texts::PALETTE.t()}</span>
            <span class="ui-palette-button__text" aria-hidden="true">{texts::PALETTE.t()}</span>
            <kbd class="ui-palette-button__keys" aria-hidden="true">"Ctrl K"</kbd>
        </button>
    }
}

/// The palette; one a console, inside the router.
#[component]
pub(super) fn CommandPalette(
    open: RwSignal<bool>,
    /// The content: a [`PaletteChoices`].
    choices: LazyView,
) -> impl IntoView {
    provide_context(PaletteOpen(open));
    let shortcut = window_event_listener(ev::keydown, move |event| {
        let is_shortcut = event.key().eq_ignore_ascii_case("k") && (event.ctrl_key() || event.meta_key());
        if is_shortcut && !event.shift_key() && !event.alt_key() {
            event.prevent_default();
            // Does not open over another dialog.
            if open.get_untracked() || document().query_selector("dialog[open]").is_ok_and(|dialog| dialog.is_none()) {
                open.update(|open| *open = !*open);
            }
        }
    });
    on_cleanup(move || shortcut.remove());
    view! {
        <Dialog open title=texts::PALETTE dismissible=true>
            <div class="ui-dialog__body ui-palette"><LazyPage view=choices /></div>
        </Dialog>
    }
}

/// The palette's field and what it offers.
#[component]
pub fn PaletteChoices(
    /// Entries that are always there.
    mut entries: Vec<PaletteEntry>,
    /// Finds more.
    find: FindEntries,
) -> impl IntoView {
    let PaletteOpen(open) = expect_context();
    entries.extend(everywhere());
    let field = NodeRef::<html::Input>::new();
    // The dialog was open before its code was loaded.
    field.on_load(|field| {
        request_animation_frame(move || {
            let _ = field.focus();
        });
    });
    let (search, at) = (Search::new(find), RwSignal::new(0_usize));
    let typed = move |event: ev::Event| {
        at.set(0);
        search.set_text(event_target_value(&event));
    };
    let matching = search.matching_entries(entries);
    let go = run_action(open);
    let list = unique_id("palette");
    let option = StoredValue::new(list.clone());
    let keydown = move |event: ev::KeyboardEvent| {
        if press_key(&event.key(), matching, at, go) {
            event.prevent_default();
        }
    };
    let is_nothing = move || search.results.with(Option::is_some) && matching.with(Vec::is_empty);
    let active = move || {
        matching.with(|matching| !matching.is_empty()).then(|| option.with_value(|list| format!("{list}-{}", at.get())))
    };
    view! {
            <input
                class="ui-input"
                node_ref=field
                type="text"
                role="combobox"
                aria-expanded="true"
                aria-autocomplete="list"
                aria-controls=list.clone()
                aria-activedescendant=active
                aria-label=texts::PALETTE.t()
                placeholder=texts::PALETTE_HINT.t()
                autocomplete="off"
                spellcheck="false"
                prop:value=move || search.text.get()
                on:input=typed
                on:keydown=keydown
            />
            <ul class="ui-palette__list" role="listbox" id=list aria-label=texts::PALETTE.t()>
                {move || matching.get().into_iter().enumerate().map(|(index, entry)| {
                    view! { <Option entry index at id=option.with_value(|list| format!("{list}-{index}")) go /> }
                }).collect_view()}
            </ul>
            <p class="ui-muted" role="status">
                {move || is_nothing().then(|| texts::PALETTE_NOTHING.get())}
            </p>
    }
}

#[component]
fn Option(
    entry: PaletteEntry,
    index: usize,
    at: RwSignal<usize>,
    id: String,
    go: Callback<PaletteAction>,
) -> impl IntoView {
    let PaletteEntry { label, kind, action } = entry;
    view! {
        <li
            class="ui-palette__item"
            role="option"
            id=id
            aria-selected=move || (at.get() == index).to_string()
            on:mousemove=move |_| {
                if at.get_untracked() != index {
                    at.set(index);
                }
            }
            on:click=move |_| go.run(action.clone())
        >
            <span>{label}</span>
            <span class="ui-muted ui-small">{kind}</span>
        </li>
    }
}

/// Closes the palette and runs what was chosen in it.
fn run_action(open: RwSignal<bool>) -> Callback<PaletteAction> {
    let (theme, leave) = (ThemeChoice::get(), use_guarded_navigate());
    Callback::new(move |action: PaletteAction| {
        open.set(false);
        match action {
            PaletteAction::Go(href) => leave(&href),
            PaletteAction::Theme(chosen) => {
                theme.show(chosen);
                ThemeChoice::keep(chosen);
            }
            PaletteAction::Language(language) => i18n::switch(language),
            PaletteAction::SignOut => auth::sign_out(),
        }
    })
}

/// Moves the choice or runs it, and returns whether the key does either.
fn press_key(key: &str, entries: Memo<Vec<PaletteEntry>>, at: RwSignal<usize>, go: Callback<PaletteAction>) -> bool {
    let count = entries.with_untracked(Vec::len);
    let step = |by: usize| at.update(|at| *at = if count == 0 { 0 } else { (*at + by) % count });
    match key {
        "ArrowDown" => step(1),
        "ArrowUp" => step(count.saturating_sub(1)),
        "Enter" => {
            if let Some(entry) = entries.with_untracked(|entries| entries.get(at.get_untracked()).cloned()) {
                go.run(entry.action);
            }
        }
        _ => return false,
    }
    true
}

/// The typed text and what the console's search finds for it.
#[derive(Clone, Copy)]
struct Search {
    find: FindEntries,
    text: RwSignal<String>,
    /// `None` while the search runs.
    results: RwSignal<Option<Vec<PaletteEntry>>>,
    generation: StoredValue<u32>,
}

impl Search {
    fn new(find: FindEntries) -> Self {
        let results = RwSignal::new(Some(Vec::new()));
        Self { find, text: RwSignal::new(String::new()), results, generation: StoredValue::new(0) }
    }

    /// Takes what is typed, and searches for it after a pause.
    fn set_text(self, typed: String) {
        self.text.set(typed.clone());
        // Results for other words are outdated.
        self.results.set(if typed.trim().is_empty() { Some(Vec::new()) } else { None });
        let own = self.generation.get_value() + 1;
        self.generation.set_value(own);
        set_timeout(move || self.run(&typed, own), SEARCH_DELAY);
    }

    /// Searches, unless more was typed meanwhile or the palette is closed.
    fn run(self, typed: &str, own: u32) {
        let is_latest = move || self.generation.try_get_value() == Some(own);
        if !is_latest() {
            return;
        }
        let typed = typed.trim().to_owned();
        if typed.is_empty() {
            return;
        }
        spawn_local(async move {
            let entries = (self.find)(typed).await;
            if is_latest() {
                self.results.set(Some(entries));
            }
        });
    }

    /// The entries whose name contains the text, then the results.
    fn matching_entries(self, entries: Vec<PaletteEntry>) -> Memo<Vec<PaletteEntry>> {
        Memo::new(move |_| {
            let search_text = lower(self.text.get().trim());
            let mut matching: Vec<_> =
                entries.iter().filter(|entry| lower(&entry.label.get()).contains(&search_text)).cloned().collect();
            matching.extend(self.results.get().unwrap_or_default());
            matching
        })
    }
}
