//! The dialog that changes a person's name and e-mail address.

use contract::people::{Person, PersonPatch};
use leptos::prelude::*;

use super::{PeopleOf, full_name, texts};
use crate::{
    form::{Field, Form},
    ui::{Dialog, DialogForm, TextField, ToastKind, toast},
};

/// Changes a person's name and e-mail address.
#[component]
pub(super) fn EditDialog(
    open: RwSignal<bool>,
    of: PeopleOf,
    person: Person,
    #[prop(into)] on_done: Callback<()>,
) -> impl IntoView {
    let title = texts::EDIT_TITLE.with(&[&full_name(&person)]);
    view! { <Dialog open title><EditForm open of person=person.clone() on_done /></Dialog> }
}

#[component]
fn EditForm(open: RwSignal<bool>, of: PeopleOf, person: Person, on_done: Callback<()>) -> impl IntoView {
    let first = Field::new("first_name", person.first_name.clone());
    let last = Field::new("last_name", person.last_name.clone());
    let email = Field::new("email", person.email.clone());
    let form = Form::new([first, last, email]);
    let id = person.id;
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let changed = |field: Field, old: &str| Some(field.trimmed()).filter(|new| new != old);
        let patch = PersonPatch {
            first_name: changed(first, &person.first_name),
            last_name: changed(last, &person.last_name),
            email: changed(email, &person.email),
            ..PersonPatch::default()
        };
        let saved = move |person: Person| {
            toast(ToastKind::Success, texts::SAVED.with(&[&full_name(&person)]));
            open.set(false);
            on_done.run(());
        };
        form.send(patch, move |patch| of.update(id, patch), saved);
    };
    view! {
        <DialogForm open form on_submit=submit>
            <TextField label=texts::FIRST_NAME field=first />
            <TextField label=texts::LAST_NAME field=last />
            <TextField label=texts::EMAIL field=email input_type="email" />
        </DialogForm>
    }
}
