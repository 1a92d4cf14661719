//! The values of the branding form: conversion from the API and to validated values, and the merge patch with the
//! changes.

use crate::form::{Edits, Field};
use contract::{
    FieldError, Patch,
    branding::{BrandingFields, BrandingFieldsPatch, BrandingPicture, TenantBranding, TenantBrandingPatch},
    validate::Checker,
};
use leptos::prelude::*;
use serde_json::{Map, Value};

use super::{
    fields::{BrandingField, Control, FIELDS},
    origins::Origins,
};

/// The error kind of an invalid number.
pub(crate) const NOT_A_NUMBER: &str = "number";

/// The edited branding.
#[derive(Debug, Clone, Copy)]
pub struct BrandingForm {
    /// In the order of [`FIELDS`].
    fields: StoredValue<[Field; FIELDS.len()]>,
    /// The list of allowed websites.
    pub origins: Origins,
    /// Whether the pages of questions are stored.
    pub(super) record_page_urls: RwSignal<bool>,
}

impl BrandingForm {
    /// Starts with the stored branding.
    pub fn new(stored: &TenantBranding) -> Self {
        let fields = FIELDS.map(|field| Field::new(field.name, ""));
        let form =
            Self { fields: StoredValue::new(fields), origins: Origins::new(), record_page_urls: RwSignal::new(false) };
        form.reset(stored);
        form
    }

    /// Shows the stored branding.
    pub fn reset(&self, stored: &TenantBranding) {
        let values = serde_json::to_value(&stored.fields).unwrap_or_default();
        for (_, field) in self.fields() {
            field.set(match &values[field.name()] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            });
        }
        self.origins.reset(&stored.allowed_origins);
        self.record_page_urls.set(stored.record_page_urls);
    }

    /// Every field with what is typed into it.
    pub(super) fn fields(&self) -> impl Iterator<Item = (BrandingField, Field)> + use<> {
        FIELDS.into_iter().zip(self.fields.get_value())
    }

    /// The fields that show what is wrong with them.
    pub fn text_fields(&self) -> Vec<Field> {
        let shows_errors = |of: &BrandingField| !matches!(of.control, Control::Choice(_));
        self.fields().filter(|(of, _)| shows_errors(of)).map(|(_, field)| field).collect()
    }

    /// Shows a picture that was stored meanwhile.
    pub fn show_picture(&self, which: BrandingPicture, address: Option<&str>) {
        if let Some((_, field)) = self.fields().find(|(of, _)| of.name == which.field()) {
            field.set(address.unwrap_or_default());
        }
    }

    /// The values as typed, tracked; an empty field is "not set".
    pub fn values(&self) -> BrandingFields {
        let values: Map<_, _> = self
            .fields()
            .filter_map(|(of, field)| Some((of.name.to_owned(), typed(of.control, field.get().trim())?)))
            .collect();
        // Serialises and parses it, because the code for both is in the bundle already.
        serde_json::from_str(&Value::Object(values).to_string()).unwrap_or_default()
    }

    /// The values that keep the contract's rules, tracked: what a preview may show.
    pub fn good_values(&self) -> BrandingFields {
        let mut fields = self.values();
        for error in broken_rules(&fields) {
            fields.clear(error.field());
        }
        fields
    }

    /// The validation errors of the form: invalid numbers, and the rules of the contract.
    pub fn errors(&self) -> Vec<FieldError> {
        let mut errors = broken_rules(&untrack(|| self.values()));
        let is_no_number = |(of, field): &(BrandingField, Field)| {
            matches!(of.control, Control::Number) && field.non_empty().is_some_and(|text| text.parse::<i32>().is_err())
        };
        let wrong = self.fields().filter(is_no_number);
        errors.extend(wrong.map(|(of, _)| FieldError::new(["body", of.name], "is not a whole number", NOT_A_NUMBER)));
        errors
    }

    /// The changes over `stored`, tracked.
    pub fn patch(&self, stored: &TenantBranding) -> TenantBrandingPatch {
        let origins = self.origins.patterns();
        let changed = origins != stored.allowed_origins;
        TenantBrandingPatch {
            fields: BrandingFieldsPatch::between(&stored.fields, self.values()),
            allowed_origins: if changed { Patch::Value(origins) } else { Patch::Absent },
            record_page_urls: Some(self.record_page_urls.get())
                .filter(|records_urls| *records_urls != stored.record_page_urls),
        }
    }

    /// How many fields differ from `stored`, tracked; the list of websites counts as one.
    pub fn changes(&self, stored: &TenantBranding) -> usize {
        let patch = serde_json::to_value(self.patch(stored)).unwrap_or_default();
        patch.as_object().map_or(0, serde_json::Map::len)
    }
}

impl Edits<TenantBranding> for BrandingForm {
    type Patch = TenantBrandingPatch;

    fn patch(&self, stored: &TenantBranding) -> TenantBrandingPatch {
        Self::patch(self, stored)
    }

    fn reset(&self, stored: &TenantBranding) {
        Self::reset(self, stored);
    }
}

fn broken_rules(fields: &BrandingFields) -> Vec<FieldError> {
    let mut check = Checker::body();
    fields.check(&mut check);
    check.finish()
}

/// A value as sent to the API; `None` when it is not set, or not a number yet.
fn typed(control: Control, text: &str) -> Option<Value> {
    match control {
        _ if text.is_empty() => None,
        Control::Colour => Some(text.to_ascii_lowercase().into()),
        Control::Number => text.parse::<i32>().ok().map(Value::from),
        Control::Line(_) | Control::Address | Control::Picture(_) | Control::Contact | Control::Choice(_) => {
            Some(text.into())
        }
    }
}
