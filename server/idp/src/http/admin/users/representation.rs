//! A user in Keycloak's format.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::refused::Refusal;
use crate::realm::User;

/// A person as a caller writes it; what is absent stays as it is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Account {
    pub(super) username: Option<String>,
    email: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    enabled: Option<bool>,
    attributes: Option<BTreeMap<String, Vec<String>>>,
    required_actions: Option<Vec<String>>,
    pub(super) credentials: Option<Vec<NewPassword>>,
}

#[derive(Deserialize)]
pub(super) struct NewPassword {
    pub(super) value: String,
    #[serde(default)]
    pub(super) temporary: bool,
}

/// A user in responses.
pub(in crate::http::admin) fn person(user: &User) -> Value {
    json!({
        "id": user.id,
        "username": user.username,
        "email": user.email,
        "firstName": user.first_name,
        "lastName": user.last_name,
        "emailVerified": true,
        "enabled": user.enabled,
        "createdTimestamp": user.created,
        "notBefore": user.not_before,
        "requiredActions": user.required_actions,
        "attributes": user.attributes,
    })
}

impl Account {
    /// Writes the given fields to a person.
    pub(super) fn apply(&self, user: &mut User) -> Result<(), Refusal> {
        for (field, text) in [("email", &self.email), ("firstName", &self.first_name), ("lastName", &self.last_name)] {
            if text.as_ref().is_some_and(|text| text.chars().count() > 255) {
                return Err(Refusal::Value(field, "error-invalid-length-too-long"));
            }
        }
        if self.email.as_ref().is_some_and(|email| !email.contains('@')) {
            return Err(Refusal::Value("email", "error-invalid-email"));
        }
        let set = |target: &mut Option<String>, value: &Option<String>| {
            if value.is_some() {
                target.clone_from(value);
            }
        };
        set(&mut user.email, &self.email);
        set(&mut user.first_name, &self.first_name);
        set(&mut user.last_name, &self.last_name);
        user.enabled = self.enabled.unwrap_or(user.enabled);
        if let Some(attributes) = &self.attributes {
            user.attributes.clone_from(attributes);
        }
        if let Some(actions) = &self.required_actions {
            user.required_actions.clone_from(actions);
        }
        Ok(())
    }
}
