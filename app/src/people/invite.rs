//! The dialog that invites a person, and then shows the first password if no invitation was mailed.

use contract::{
    people::{InvitedPerson, NewPerson, PersonRole},
    validate::suggest_slug,
};
use leptos::prelude::*;

use super::{
    PeopleOf, full_name,
    password::{Credentials, PasswordDialog},
    role_options, texts,
};
use crate::{
    form::{Field, Form},
    i18n::{Localized, texts as common},
    ui::{Dialog, DialogForm, Select, TextField, ToastKind, toast},
};

#[component]
pub(super) fn InviteDialog(
    open: RwSignal<bool>,
    /// The tenant of the person.
    of: PeopleOf,
    /// The tenant whose first administrator is invited; `None` for other people.
    first_of: RwSignal<Option<String>>,
    /// Called after an invitation.
    #[prop(into)]
    on_done: Callback<()>,
) -> impl IntoView {
    let credentials = RwSignal::new(None);
    let invited = move |invited: InvitedPerson| {
        let name = full_name(&invited.person);
        open.set(false);
        match invited.first_password {
            Some(password) => {
                toast(ToastKind::Success, texts::INVITED_DONE.with(&[&name]));
                credentials.set(Some(Credentials { name, username: invited.person.username, password }));
            }
            None => toast(ToastKind::Success, texts::INVITED_BY_MAIL.with(&[&name, &invited.person.email])),
        }
        on_done.run(());
    };
    let title = Localized::new(move || {
        let title = if first_of.with(Option::is_some) { texts::FIRST_ADMIN_TITLE } else { texts::INVITE_TITLE };
        title.get().to_owned()
    });
    view! {
        <Dialog open title><InviteForm open of first_of=first_of.get_untracked() on_invited=invited /></Dialog>
        <PasswordDialog credentials />
    }
}

#[component]
fn InviteForm(
    open: RwSignal<bool>,
    of: PeopleOf,
    first_of: Option<String>,
    #[prop(into)] on_invited: Callback<InvitedPerson>,
) -> impl IntoView {
    let role = if first_of.is_some() { PersonRole::Admin } else { PersonRole::Viewer };
    let cancel_label = if first_of.is_some() { texts::LATER } else { common::CANCEL };
    let field = |name| Field::new(name, "");
    let (first, last, email) = (field("first_name"), field("last_name"), field("email"));
    let (username, role) = (field("username"), Field::new("role", role.as_str()));
    let form = Form::new([first, last, email, username, role]);
    // The user name follows the names until the user edits it.
    let follows = StoredValue::new(true);
    let suggest_username = move |_: String| {
        if follows.get_value() {
            let parts = [first, last].map(|field| suggest_slug(&field.trimmed()));
            let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            username.set(parts.join("."));
        }
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let body = NewPerson {
            username: username.trimmed(),
            first_name: first.trimmed(),
            last_name: last.trimmed(),
            email: email.trimmed(),
            role: role.trimmed().parse().unwrap_or(PersonRole::Viewer),
        };
        form.send(body, move |body| of.invite(body), move |invited| on_invited.run(invited));
    };
    view! {
        <DialogForm open form submit_label=texts::INVITE_SUBMIT cancel_label on_submit=submit>
            {first_of.map(|name| view! { <p>{texts::FIRST_ADMIN_TEXT.with(&[&name])}</p> })}
            <TextField label=texts::FIRST_NAME field=first on_input=suggest_username />
            <TextField label=texts::LAST_NAME field=last on_input=suggest_username />
            <TextField label=texts::EMAIL field=email input_type="email" />
            <TextField
                label=texts::USERNAME
                field=username
                hint=texts::USERNAME_HINT
                mono=true
                on_input=move |text: String| follows.set_value(text.is_empty())
            />
            <Select
                label=texts::ROLE
                value=Signal::derive(move || role.get())
                options=role_options()
                on_change=move |value: String| role.set(value)
            />
        </DialogForm>
    }
}
