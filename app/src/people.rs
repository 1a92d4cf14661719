//! The people of a tenant, shared by both consoles: the list, its dialogs, and the password that is shown once.

#![allow(unreachable_pub, reason = "the component macro emits a second, hidden item that is not re-exported")]

mod actions;
mod calls;
mod edit;
mod invite;
mod list;
mod password;
pub mod texts;

pub use calls::PeopleOf;
pub use list::{FIRST, PeopleList};

use contract::people::{Person, PersonRole, PersonState};

use crate::{
    i18n::{Localized, Text},
    ui::Tone,
};

pub(crate) const fn role_name(role: PersonRole) -> Text {
    match role {
        PersonRole::Admin => texts::ADMIN,
        PersonRole::Viewer => texts::VIEWER,
    }
}

/// The name and the meaning of a state.
pub(crate) const fn state_name(state: PersonState) -> (Text, Tone) {
    match state {
        PersonState::Active => (texts::ACTIVE, Tone::Success),
        PersonState::Invited => (texts::INVITED, Tone::Info),
        PersonState::Deactivated => (texts::DEACTIVATED, Tone::Neutral),
    }
}

pub(crate) fn role_options() -> Vec<(String, Localized)> {
    PersonRole::ALL.iter().map(|role| (role.as_str().to_owned(), role_name(*role).into())).collect()
}

/// First and last name, or the user name of a person without.
pub(crate) fn full_name(person: &Person) -> String {
    let name = format!("{} {}", person.first_name, person.last_name);
    let name = name.trim();
    if name.is_empty() { person.username.clone() } else { name.to_owned() }
}
