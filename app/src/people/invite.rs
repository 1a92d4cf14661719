//! The dialog that invites a person, and then shows the first password.

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
    form::{Field, Form, FormError},
    i18n::{Localized, texts as common},
    ui::{Button, ButtonKind, Dialog, Select, TextField, ToastKind, toast},
};

/// Invites a person.
#[component]
pub fn InviteDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// Where the person belongs.
    #[prop(into)]
    of: Signal<PeopleOf>,
    /// The dialog's title.
    #[prop(default = texts::INVITE_TITLE.into(), into)]
    title: Localized,
    /// Why.
    #[prop(optional, into)]
    text: Localized,
    /// The role that is chosen at first.
    #[prop(default = PersonRole::Viewer)]
    role: PersonRole,
    /// The button that invites nobody.
    #[prop(default = common::CANCEL.into(), into)]
    cancel: Localized,
    /// Hears that somebody was invited.
    #[prop(into)]
    on_done: Callback<()>,
) -> impl IntoView {
    let shown = RwSignal::new(None);
    let invited = move |invited: InvitedPerson| {
        let name = full_name(&invited.person);
        toast(ToastKind::Success, texts::INVITED_DONE.with(&[&name]));
        open.set(false);
        shown.set(Some(Credentials { name, username: invited.person.username, password: invited.first_password }));
        on_done.run(());
    };
    let content = move || {
        let (text, cancel) = (text.clone(), cancel.clone());
        view! { <InviteForm open of=of.get_untracked() text role cancel on_invited=invited /> }
    };
    view! {
        <Dialog open title>{content.clone()()}</Dialog>
        <PasswordDialog shown />
    }
}

#[component]
fn InviteForm(
    open: RwSignal<bool>,
    of: PeopleOf,
    text: Localized,
    role: PersonRole,
    cancel: Localized,
    #[prop(into)] on_invited: Callback<InvitedPerson>,
) -> impl IntoView {
    let field = |name| Field::new(name, "");
    let (first, last, email) = (field("first_name"), field("last_name"), field("email"));
    let (username, role) = (field("username"), Field::new("role", role.as_str()));
    let form = Form::new([first, last, email, username, role]);
    // The user name follows the names until the user writes one.
    let follows = StoredValue::new(true);
    let named = move |_: String| {
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
        <form class="ui-dialog__form" novalidate on:submit=submit>
            <div class="ui-dialog__body">
                {(!text.is_empty()).then(|| view! { <p>{text}</p> })}
                <TextField label=texts::FIRST_NAME field=first on_input=named />
                <TextField label=texts::LAST_NAME field=last on_input=named />
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
                <FormError form />
            </div>
            <footer class="ui-dialog__footer">
                <Button on_click=move |()| open.set(false)>{cancel}</Button>
                <Button kind=ButtonKind::Primary submit=true busy=form.busy()>{texts::INVITE_SUBMIT.t()}</Button>
            </footer>
        </form>
    }
}
