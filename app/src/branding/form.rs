//! The branding form's values: from the API into fields, out of the fields into checked values, and
//! the merge-patch that holds the changes alone.

use crate::form::{Edits, Field};
use contract::{
    FieldError, Patch,
    branding::{BrandingFields, BrandingFieldsPatch, LauncherPosition, TenantBranding, TenantBrandingPatch},
    preferences::Theme,
    validate::Checker,
};
use leptos::prelude::*;

use super::origins::Origins;
use super::texts;

/// The kind of the error of a radius that is no number.
pub(crate) const NOT_A_NUMBER: &str = "number";

/// The edited branding.
#[derive(Debug, Clone, Copy)]
pub struct BrandingForm {
    pub(crate) display_name: Field,
    pub(crate) header_title: Field,
    pub(crate) input_placeholder: Field,
    pub(crate) primary_color: Field,
    pub(crate) accent_color: Field,
    pub(crate) background_color: Field,
    pub(crate) text_color: Field,
    pub(crate) font_family: Field,
    pub(crate) border_radius: Field,
    pub(crate) logo_url: Field,
    pub(crate) avatar_url: Field,
    pub(crate) privacy_url: Field,
    pub(crate) launcher_position: RwSignal<String>,
    pub(crate) theme: RwSignal<String>,
    /// The list of allowed websites.
    pub origins: Origins,
}

impl BrandingForm {
    /// Starts with the stored branding.
    pub fn new(stored: &TenantBranding) -> Self {
        let text = |name: &'static str| Field::new(name, "");
        let form = Self {
            display_name: text("display_name"),
            header_title: text("header_title"),
            input_placeholder: text("input_placeholder"),
            primary_color: text("primary_color"),
            accent_color: text("accent_color"),
            background_color: text("background_color"),
            text_color: text("text_color"),
            font_family: text("font_family"),
            border_radius: text("border_radius"),
            logo_url: text("logo_url"),
            avatar_url: text("avatar_url"),
            privacy_url: text("privacy_url"),
            launcher_position: RwSignal::new(String::new()),
            theme: RwSignal::new(String::new()),
            origins: Origins::new(),
        };
        form.reset(stored);
        form
    }

    /// Shows the stored branding.
    pub fn reset(&self, stored: &TenantBranding) {
        let fields = &stored.fields;
        let radius = fields.border_radius.map(|pixels| pixels.to_string());
        for (field, value) in [
            (self.display_name, &fields.display_name),
            (self.header_title, &fields.header_title),
            (self.input_placeholder, &fields.input_placeholder),
            (self.primary_color, &fields.primary_color),
            (self.accent_color, &fields.accent_color),
            (self.background_color, &fields.background_color),
            (self.text_color, &fields.text_color),
            (self.font_family, &fields.font_family),
            (self.border_radius, &radius),
            (self.logo_url, &fields.logo_url),
            (self.avatar_url, &fields.avatar_url),
            (self.privacy_url, &fields.privacy_url),
        ] {
            field.set(value.as_deref().unwrap_or_default());
        }
        self.launcher_position.set(fields.launcher_position.map_or("", position_text).to_owned());
        self.theme.set(fields.theme.map_or("", Theme::as_str).to_owned());
        self.origins.reset(&stored.allowed_origins);
    }

    /// Every text field, for marking errors.
    pub fn text_fields(&self) -> [Field; 12] {
        [
            self.display_name,
            self.header_title,
            self.input_placeholder,
            self.primary_color,
            self.accent_color,
            self.background_color,
            self.text_color,
            self.font_family,
            self.border_radius,
            self.logo_url,
            self.avatar_url,
            self.privacy_url,
        ]
    }

    /// The values as typed, tracked; an empty field is "not set".
    pub fn values(&self) -> BrandingFields {
        let text = |field: Field| Some(field.get().trim().to_owned()).filter(|text| !text.is_empty());
        BrandingFields {
            display_name: text(self.display_name),
            primary_color: text(self.primary_color).map(|color| color.to_ascii_lowercase()),
            accent_color: text(self.accent_color).map(|color| color.to_ascii_lowercase()),
            background_color: text(self.background_color).map(|color| color.to_ascii_lowercase()),
            text_color: text(self.text_color).map(|color| color.to_ascii_lowercase()),
            font_family: text(self.font_family),
            border_radius: text(self.border_radius).and_then(|pixels| pixels.parse().ok()),
            logo_url: text(self.logo_url),
            avatar_url: text(self.avatar_url),
            header_title: text(self.header_title),
            input_placeholder: text(self.input_placeholder),
            launcher_position: position(&self.launcher_position.get()),
            theme: theme(&self.theme.get()),
            privacy_url: text(self.privacy_url),
        }
    }

    /// The values that keep the contract's rules, tracked: what a preview may show.
    pub fn good_values(&self) -> BrandingFields {
        let mut fields = self.values();
        for error in broken_rules(&fields) {
            fields.clear(error.field());
        }
        fields
    }

    /// The rules that the form breaks now; the radius must be a number, the rest is the contract's.
    pub fn errors(&self) -> Vec<FieldError> {
        let mut errors = broken_rules(&untrack(|| self.values()));
        let radius = self.border_radius.non_empty();
        if radius.is_some_and(|radius| radius.parse::<i32>().is_err()) {
            errors.push(FieldError::new(["body", "border_radius"], "is not a whole number", NOT_A_NUMBER));
        }
        errors
    }

    /// The changes over `stored`, tracked.
    pub fn patch(&self, stored: &TenantBranding) -> TenantBrandingPatch {
        let origins = self.origins.patterns();
        let changed = origins != stored.allowed_origins;
        TenantBrandingPatch {
            fields: BrandingFieldsPatch::between(&stored.fields, self.values()),
            allowed_origins: if changed { Patch::Value(origins) } else { Patch::Absent },
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

fn position(text: &str) -> Option<LauncherPosition> {
    [LauncherPosition::BottomRight, LauncherPosition::BottomLeft]
        .into_iter()
        .find(|place| position_text(*place) == text)
}

/// The place as it stands on the wire.
pub const fn position_text(place: LauncherPosition) -> &'static str {
    match place {
        LauncherPosition::BottomRight => "bottom_right",
        LauncherPosition::BottomLeft => "bottom_left",
    }
}

fn theme(text: &str) -> Option<Theme> {
    [Theme::Light, Theme::Dark, Theme::Auto].into_iter().find(|theme| theme.as_str() == text)
}
