//! Texts of the audit log: the sentence of a row, and the names of actions, entity types, roles and fields. The
//! operator console shows them; they are in this crate so that a test can check every action.

mod actions;
mod fields;
mod kinds;
mod sentence;

use std::borrow::Cow;

pub use actions::{ACTIONS, Action};
use contract::audit::actions as codes;
pub use fields::{field, is_empty, value};
pub use kinds::{Area, KINDS, Kind, kind};
pub use sentence::{Sentence, thing};

/// A text in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BilingualText {
    en: &'static str,
    de: &'static str,
}

impl BilingualText {
    pub(crate) const fn new(en: &'static str, de: &'static str) -> Self {
        Self { en, de }
    }

    /// The text in one language.
    pub const fn of(self, is_german: bool) -> &'static str {
        if is_german { self.de } else { self.en }
    }
}

#[cfg(feature = "csr")]
impl From<BilingualText> for crate::i18n::Text {
    fn from(text: BilingualText) -> Self {
        Self::new(text.en, text.de)
    }
}

#[cfg(feature = "csr")]
impl From<BilingualText> for crate::i18n::Localized {
    fn from(text: BilingualText) -> Self {
        crate::i18n::Text::from(text).into()
    }
}

/// The roles of an actor: the value in the log, and its name.
pub const ROLES: [(&str, BilingualText); 4] = [
    ("operator", BilingualText::new("Operator", "Betreiber")),
    ("vendor", BilingualText::new("Vendor", "Anbieter")),
    ("tenant", BilingualText::new("Tenant", "Mandant")),
    ("anonymous", BilingualText::new("Visitor", "Besucher")),
];

/// The name of a role of an actor.
pub fn role(code: &str) -> Option<BilingualText> {
    ROLES.into_iter().find(|(role, _)| *role == code).map(|(_, name)| name)
}

/// An action by its value in the log.
pub fn action(code: &str) -> Option<&'static Action> {
    let code = current(code);
    ACTIONS.iter().find(|action| action.code == code)
}

/// Maps names of actions in rows of version 2.0.0 to the current ones.
fn current(code: &str) -> Cow<'_, str> {
    match code {
        "chatbot.erased" => codes::CHATBOT_DELETED.into(),
        "chatbot_document.uploaded" => codes::CHATBOT_DOCUMENT_CREATED.into(),
        other => other.strip_prefix("person.").map_or(other.into(), |rest| format!("user.{rest}").into()),
    }
}
