//! The actions on a person besides editing, each with a confirmation.

use contract::people::{Person, PersonPatch, PersonRole};
use leptos::prelude::*;

use super::{PeopleOf, full_name, password::Credentials, texts};
use crate::{
    i18n::Text,
    page_task::spawn_on_page,
    problem::Problem,
    ui::{ConfirmDialog, IconName, ToastKind, toast},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    MakeAdmin,
    MakeViewer,
    NewPassword,
    SignOut,
    Deactivate,
    Activate,
    Remove,
}

impl Action {
    /// The actions that a person's state allows; for the user's own account none that removes rights.
    pub(super) fn of(person: &Person, is_own: bool) -> Vec<Self> {
        let is_active = person.state != contract::people::PersonState::Deactivated;
        let mut actions = Vec::new();
        if !is_own {
            actions.push(if person.role == Some(PersonRole::Admin) { Self::MakeViewer } else { Self::MakeAdmin });
            actions.push(Self::NewPassword);
        }
        actions.push(Self::SignOut);
        if !is_own {
            actions.push(if is_active { Self::Deactivate } else { Self::Activate });
            actions.push(Self::Remove);
        }
        actions
    }

    /// The texts of its name, question and result.
    const fn texts(self) -> (Text, Text, Text) {
        match self {
            Self::MakeAdmin => (texts::MAKE_ADMIN, texts::MAKE_ADMIN_TITLE, texts::MAKE_ADMIN_TEXT),
            Self::MakeViewer => (texts::MAKE_VIEWER, texts::MAKE_VIEWER_TITLE, texts::MAKE_VIEWER_TEXT),
            Self::NewPassword => (texts::NEW_PASSWORD, texts::NEW_PASSWORD_TITLE, texts::NEW_PASSWORD_TEXT),
            Self::SignOut => (texts::SIGN_OUT, texts::SIGN_OUT_TITLE, texts::SIGN_OUT_TEXT),
            Self::Deactivate => (texts::DEACTIVATE, texts::DEACTIVATE_TITLE, texts::DEACTIVATE_TEXT),
            Self::Activate => (texts::ACTIVATE, texts::ACTIVATE_TITLE, texts::ACTIVATE_TEXT),
            Self::Remove => (texts::REMOVE, texts::REMOVE_TITLE, texts::REMOVE_TEXT),
        }
    }

    pub(super) const fn label(self) -> Text {
        self.texts().0
    }

    pub(super) const fn icon(self) -> IconName {
        match self {
            Self::MakeAdmin | Self::MakeViewer => IconName::User,
            Self::NewPassword => IconName::Refresh,
            Self::SignOut => IconName::SignOut,
            Self::Deactivate => IconName::Close,
            Self::Activate => IconName::Check,
            Self::Remove => IconName::Trash,
        }
    }

    /// Runs the action; returns a new password if there is one.
    async fn run(self, of: PeopleOf, person: &Person) -> Result<Option<String>, Problem> {
        let patch = match self {
            Self::NewPassword => return Ok(Some(of.reset_password(person.id).await?.first_password)),
            Self::SignOut => return of.sign_out(person.id).await.map(|()| None),
            Self::Remove => return of.remove(person.id).await.map(|()| None),
            Self::MakeAdmin => PersonPatch { role: Some(PersonRole::Admin), ..PersonPatch::default() },
            Self::MakeViewer => PersonPatch { role: Some(PersonRole::Viewer), ..PersonPatch::default() },
            Self::Deactivate => PersonPatch { is_active: Some(false), ..PersonPatch::default() },
            Self::Activate => PersonPatch { is_active: Some(true), ..PersonPatch::default() },
        };
        of.update(person.id, patch).await.map(|_| None)
    }

    const fn done(self) -> Text {
        match self {
            Self::SignOut => texts::SIGNED_OUT,
            Self::Remove => texts::REMOVED,
            _ => texts::SAVED,
        }
    }
}

/// Asks for confirmation and runs an action.
#[component]
pub(super) fn ActionDialog(
    open: RwSignal<bool>,
    of: PeopleOf,
    person: Person,
    action: Action,
    /// Receives a new password to show.
    credentials: RwSignal<Option<Credentials>>,
    #[prop(into)] on_done: Callback<()>,
) -> impl IntoView {
    let (busy, failure) = (RwSignal::new(false), RwSignal::new(None));
    let (label, title, text) = action.texts();
    let name = full_name(&person);
    let shown_name = name.clone();
    let confirm = move |()| {
        let (called, name, username) = (person.clone(), name.clone(), person.username.clone());
        let call = async move { action.run(of, &called).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(password) => {
                open.set(false);
                match password {
                    Some(password) => credentials.set(Some(Credentials { name, username, password })),
                    None => toast(ToastKind::Success, action.done().with(&[&name])),
                }
                on_done.run(());
            }
            Err(problem) => failure.set(Some(problem)),
        });
    };
    view! {
        <ConfirmDialog
            open
            title=title.with(&[&shown_name])
            text=text.with(&[&shown_name])
            confirm_label=label
            busy=busy
            failure
            on_confirm=confirm
        />
    }
}
