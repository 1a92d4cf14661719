//! Fields in every state.

use std::time::Duration;

use app::{
    form::{Field, Form},
    problem::Problem,
    ui::{Button, Checkbox, Choice, ColorField, RadioCards, SaveBar, SearchField, Select, Switch, TextArea, TextField},
};
use contract::ErrorCode;
use futures::channel::oneshot;
use leptos::prelude::*;

use super::Section;

/// How long saving the gallery's form takes.
const SAVE_DELAY: Duration = Duration::from_secs(3);

#[component]
pub(super) fn Fields() -> impl IntoView {
    let wrong = Field::new("wrong", "Harbor Supply");
    wrong.set_error("Has 1 to 63 of a-z, 0-9 and '-'.");
    view! {
        <Section title="Fields">
            <div class="ui-form">
                <div class="ui-form__row">
                    <TextField label="Empty" field=Field::new("a", "") placeholder="An example" />
                    <TextField label="With hint" field=Field::new("b", "Value") hint="How to fill it." optional=true />
                    <TextField label="Wrong" field=wrong hint="The hint stays." mono=true />
                    <TextField label="Disabled" field=Field::new("c", "Fixed") disabled=true />
                    <TextField label="With prefix" field=Field::new("d", "example.com") prefix="https://" />
                    <ColorField label="Colour" field=Field::new("e", "#1d4ed8") />
                    <ColorField label="No colour" field=Field::new("f", "") hint="Empty means the default." />
                </div>
                <TextArea label="Several lines" field=Field::new("g", "First line\nSecond line") />
                <TextArea label="Disabled" field=Field::new("h", "Fixed") disabled=true rows=2 />
            </div>
        </Section>
        <Section title="The foot of a form">
            <Foot />
        </Section>
        <Section title="Choices">
            <Choices />
        </Section>
    }
}

/// Nothing to save, changes, a refusal, and while it is saved.
#[component]
fn Foot() -> impl IntoView {
    let (changes, form) = (RwSignal::new(0_usize), Form::new([]));
    let refuse = move |()| {
        form.refuse(&Problem { body: ErrorCode::ServiceUnavailable.into(), request_id: Some("01890a5d".to_owned()) });
    };
    let save = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        form.send((), |()| saved(), move |()| changes.set(0));
    };
    view! {
        <form class="ui-form" on:submit=save>
            <div class="ui-gallery__row">
                <Button on_click=move |()| changes.set(1)>"One change"</Button>
                <Button on_click=move |()| changes.set(3)>"Three changes"</Button>
                <Button on_click=refuse>"Refused"</Button>
            </div>
            <SaveBar form changes=changes save_label="Save" on_discard=move |()| changes.set(0) />
        </form>
    }
}

/// The result of a slow save.
async fn saved() -> Result<(), Problem> {
    let (done, wait) = oneshot::channel::<()>();
    set_timeout(move || drop(done), SAVE_DELAY);
    let _gone = wait.await;
    Ok(())
}

#[component]
fn Choices() -> impl IntoView {
    let (chosen, card) = (RwSignal::new("b".to_owned()), RwSignal::new("one".to_owned()));
    let (on, checked) = (RwSignal::new(true), RwSignal::new(true));
    let options = || [("a", "First"), ("b", "Second")].map(|(key, text)| (key.to_owned(), text.into())).to_vec();
    let groups = [("Fruit", "c", "Apple"), ("Vegetables", "d", "Carrot")]
        .map(|(group, key, text)| (group.into(), vec![(key.to_owned(), text.into())]))
        .to_vec();
    let choices = [
        ("one", "Support", "Answers questions of customers."),
        ("two", "Shop", "Helps to find a product."),
        ("three", "Empty", "Start from nothing."),
    ]
    .map(|(value, title, text)| Choice { value: value.to_owned(), title: title.into(), text: text.into() });
    view! {
        <div class="ui-gallery__row">
            <Select label="Select" value=chosen options=options() on_change=move |value| chosen.set(value) />
            <Select label="Groups" value=chosen options=options() groups=groups on_change=move |value| chosen.set(value) />
            <Select label="Disabled" value=chosen options=options() disabled=true on_change=|_| {} />
            <Select label="Small" value=chosen options=options() small=true hide_label=true on_change=|_| {} />
        </div>
        <div class="ui-gallery__row">
            <Checkbox label="Checkbox" checked=checked on_change=move |value| checked.set(value) />
            <Checkbox label="Off" checked=false on_change=|_| {} />
            <Checkbox label="Disabled" checked=true disabled=true on_change=|_| {} />
            <Switch label="Switch" checked=on on_change=move |value| on.set(value) />
            <Switch label="Off" checked=false on_change=|_| {} />
            <Switch label="Disabled" checked=true disabled=true on_change=|_| {} />
        </div>
        <SearchField label="Search" value=RwSignal::new(String::new()) on_search=|_| {} />
        <RadioCards legend="Cards" choices=choices.to_vec() value=card on_change=move |value| card.set(value) />
    }
}
