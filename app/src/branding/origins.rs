//! The list of allowed websites: one per line. Each refused one shows its reason and, where possible, the pattern that
//! was probably meant.

use crate::{
    form::Field,
    row_owner::RowOwner,
    ui::{Button, ButtonKind, Card, EmptyState, IconButton, IconButtonKind, IconName, TextField},
};
use contract::{branding::MAX_ALLOWED_ORIGINS, origin::OriginPattern};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::reasons;
use super::texts;

/// The ids of the list and of the row with the button that adds to it, for moving the focus.
const LIST: &str = "allowed-origins";
const ADD: &str = "add-origin";

/// One line of the list.
#[derive(Debug, Clone, Copy)]
struct Line {
    key: u32,
    field: Field,
}

/// The edited list.
#[derive(Debug, Clone, Copy)]
pub struct Origins {
    lines: RwSignal<Vec<Line>>,
    next: StoredValue<u32>,
    owner: RowOwner,
}

impl Origins {
    pub(crate) fn new() -> Self {
        Self { lines: RwSignal::new(Vec::new()), next: StoredValue::new(0), owner: RowOwner::current() }
    }

    /// The patterns as typed, tracked.
    pub fn patterns(self) -> Vec<String> {
        self.lines.with(|lines| lines.iter().map(|line| line.field.get()).collect())
    }

    /// Restores the stored patterns.
    pub fn reset(self, patterns: &[String]) {
        self.lines.update(Vec::clear);
        for pattern in patterns {
            self.add(pattern);
        }
    }

    /// Whether every line is good; marks the bad ones with their reasons.
    pub fn check(self) -> bool {
        let patterns = untrack(|| self.patterns());
        let lines = self.lines.get_untracked();
        let mut good = true;
        for (index, line) in lines.iter().enumerate() {
            match reasons::refusal(&patterns, index) {
                Some(reason) => {
                    good = false;
                    line.field.set_error(reason);
                }
                None => line.field.clear_error(),
            }
        }
        good
    }

    fn add(self, pattern: &str) {
        let key = self.next.get_value();
        self.next.set_value(key + 1);
        let line = Line { key, field: self.owner.make(|| Field::new("allowed_origins", pattern)) };
        self.lines.update(|lines| lines.push(line));
    }

    fn remove(self, key: u32) {
        self.lines.update(|lines| lines.retain(|line| line.key != key));
    }
}

/// Edits the list of allowed websites.
#[component]
pub fn OriginsCard(
    origins: Origins,
    /// The user may only look.
    read_only: bool,
) -> impl IntoView {
    let count = move || origins.lines.with(Vec::len);
    let full = Signal::derive(move || read_only || count() >= MAX_ALLOWED_ORIGINS);
    let rows = move || {
        origins.lines.get().into_iter().enumerate().map(move |(index, line)| {
            view! { <OriginRow origins line number=index + 1 read_only /> }
        })
    };
    view! {
        <Card title=texts::ORIGINS>
            <p class="ui-muted">{texts::ORIGINS_TEXT.t()}</p>
            <Show
                when=move || { count() > 0 }
                fallback=|| view! {
                    <EmptyState icon=IconName::Globe title=texts::ORIGIN_EMPTY_TITLE text=texts::ORIGIN_EMPTY_TEXT />
                }
            >
                <ul class="ui-stack" id=LIST>{rows().collect_view()}</ul>
            </Show>
            <div class="ui-row ui-row--between ui-row--wrap" id=ADD>
                <Button
                    icon=IconName::Plus
                    small=true
                    disabled=full
                    on_click=Callback::new(move |()| {
                        origins.add("");
                        focus(&format!("#{LIST} li:last-child input"));
                    })
                >
                    {texts::ORIGIN_ADD.t()}
                </Button>
                <span class="ui-muted ui-small">
                    {move || texts::ORIGIN_COUNT.with(&[&count().to_string(), &MAX_ALLOWED_ORIGINS.to_string()]).get()}
                </span>
            </div>
        </Card>
    }
}

#[component]
fn OriginRow(origins: Origins, line: Line, number: usize, read_only: bool) -> impl IntoView {
    let field = line.field;
    let typed = Callback::new(move |_: String| {
        origins.check();
    });
    let suggestion = Memo::new(move |_| field.error().and_then(|_| reasons::meant(&field.get())));
    let take = move || {
        suggestion.get().map(|pattern| {
            let label = texts::ORIGIN_USE.with(&[&pattern]);
            let take = Callback::new(move |()| {
                field.set(pattern.clone());
                origins.check();
            });
            view! { <Button kind=ButtonKind::Secondary small=true on_click=take>{label}</Button> }
        })
    };
    let shared = move || {
        let is_shared = field.get().parse().is_ok_and(|pattern: OriginPattern| pattern.is_shared());
        is_shared.then(|| view! { <p class="ui-muted ui-small" role="status">{texts::ORIGIN_SHARED.t()}</p> })
    };
    view! {
        <li class="ui-field-row">
            <div class="ui-stack ui-stack--small">
                <TextField
                    label=texts::ORIGIN_LABEL.with(&[&number.to_string()])
                    field
                    mono=true
                    input_type="url"
                    placeholder="https://www.example.com"
                    disabled=read_only
                    on_input=typed
                />
                {shared}
                <div class="ui-row">{take}</div>
            </div>
            {(!read_only).then(|| view! {
                <IconButton
                    icon=IconName::Trash
                    kind=IconButtonKind::Danger
                    label=texts::ORIGIN_REMOVE.with(&[&number.to_string()])
                    on_click=Callback::new(move |()| {
                        origins.remove(line.key);
                        origins.check();
                        let is_empty = origins.lines.with_untracked(Vec::is_empty);
                        focus(&if is_empty { format!("#{ADD} button") } else { format!("#{LIST} li:last-child input") });
                    })
                />
            })}
        </li>
    }
}

/// Moves the focus to the first element of `selector`, once the list has been drawn again.
fn focus(selector: &str) {
    let selector = selector.to_owned();
    request_animation_frame(move || {
        if let Ok(Some(element)) = document().query_selector(&selector) {
            let _ = element.unchecked_into::<HtmlElement>().focus();
        }
    });
}
