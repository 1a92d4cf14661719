//! One field that the template changed: its three values and the choice.

use app::ui::{Badge, Card, Choice, RadioCards, Tone};
use contract::template_update::TemplateChange;
use leptos::prelude::*;
use serde_json::Value;

use super::{
    apply::Choices,
    marks::{Marked, Part, compare},
    values::{self, label},
};
use crate::{read_only::is_read_only, texts::template_update as texts};

/// The sides that the snapshot is compared with.
const TEMPLATE: usize = 1;
const CURRENT: usize = 2;

const TAKE: &str = "take";
const KEEP: &str = "keep";

/// A field with what the chatbot took, what the template has now and what the chatbot has.
#[component]
pub(super) fn ChangeCard(change: TemplateChange, choices: Choices) -> impl IntoView {
    let is_text = change.snapshot.is_string();
    let sides = StoredValue::new([&change.snapshot, &change.template, &change.current].map(Value::clone));
    let compared =
        move |with: usize| sides.with_value(|sides| compare(&values::parts(&sides[0]), &values::parts(&sides[with])));
    let (taken, now) =
        (move || marked_text(compared(TEMPLATE).0, is_text), move || marked_text(compared(TEMPLATE).1, is_text));
    let mine = change.customised.then_some(move || marked_text(compared(CURRENT).1, is_text));
    let (tone, word) =
        if change.customised { (Tone::Warning, texts::CONFLICT) } else { (Tone::Success, texts::NO_CONFLICT) };
    view! {
        <Card
            title=label(&change.field)
            actions=ViewFnOnce::from(move || view! { <Badge tone dot=true>{word.t()}</Badge> })
        >
            <div class="ui-compare">
                <Side title=texts::SNAPSHOT>{taken}</Side>
                <Side title=texts::TEMPLATE>{now}</Side>
                <Side title=texts::MINE>
                    {match mine {
                        Some(mine) => mine.into_any(),
                        None => view! { <p class="ui-muted">{texts::SAME.t()}</p> }.into_any(),
                    }}
                </Side>
            </div>
            {(!is_read_only()).then(|| view! { <Decision change choices /> })}
        </Card>
    }
}

#[component]
fn Side(title: app::i18n::Text, children: Children) -> impl IntoView {
    view! {
        <section class="ui-compare__side">
            <h3 class="ui-compare__title">{title.t()}</h3>
            <div class="ui-compare__value" tabindex="0" role="group" aria-label=title.t()>{children()}</div>
        </section>
    }
}

/// A text as its words, a list as its entries, with marks.
fn marked_text(parts: Vec<Part>, is_text: bool) -> AnyView {
    if parts.is_empty() {
        return view! { <p class="ui-muted">{texts::EMPTY.t()}</p> }.into_any();
    }
    let marked = parts.into_iter().map(|part| match part.mark {
        Marked::Same => part.text.into_any(),
        Marked::Added => view! { <ins>{part.text}</ins> }.into_any(),
        Marked::Removed => view! { <del>{part.text}</del> }.into_any(),
    });
    if is_text {
        view! { <p>{marked.collect_view()}</p> }.into_any()
    } else {
        let entries = marked.map(|entry| view! { <li>{entry}</li> }).collect_view();
        view! { <ul class="ui-list ui-list--bulleted">{entries}</ul> }.into_any()
    }
}

#[component]
fn Decision(change: TemplateChange, choices: Choices) -> impl IntoView {
    let take = if change.customised { texts::TAKE_CONFLICT_TEXT } else { texts::TAKE_TEXT };
    let keep = if change.field == "faq_seed" { texts::KEEP_FAQ_TEXT } else { texts::KEEP_TEXT };
    let options = vec![
        Choice { value: TAKE.to_owned(), title: texts::TAKE.into(), text: take.into() },
        Choice { value: KEEP.to_owned(), title: texts::KEEP.into(), text: keep.into() },
    ];
    let legend = texts::CHOOSE.with_localized([label(&change.field)]);
    let field = change.field.clone();
    let value = Signal::derive(move || if choices.takes(&field) { TAKE } else { KEEP }.to_owned());
    let choose = Callback::new(move |value: String| choices.set(&change.field, value == TAKE));
    view! { <RadioCards legend choices=options value on_change=choose /> }
}
