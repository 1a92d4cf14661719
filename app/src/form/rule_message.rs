//! The sentence for a broken rule of a field.

use contract::FieldError;

use super::save::{COLLISION, describe_value};
use crate::{
    branding,
    i18n::{Language, Localized, current},
    validation_messages,
};

/// The sentence for an error of a field.
pub fn rule_message(error: &FieldError) -> Localized {
    match error.kind.as_str() {
        COLLISION => describe_value(&error.msg),
        branding::NOT_A_NUMBER => branding::texts::NOT_A_NUMBER.into(),
        _ => {
            let error = error.clone();
            Localized::new(move || validation_messages::message(&error, current() == Language::German))
        }
    }
}
