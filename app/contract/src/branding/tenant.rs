//! The branding of a tenant: the shared fields, custom styles, and the websites that may embed the widget.

use serde::{Deserialize, Serialize};

use super::{BrandingFields, BrandingFieldsPatch, BrandingWarning, styles};
use crate::{
    Patch, Timestamp,
    error::FieldError,
    origin,
    validate::{Checker, Validate},
};

/// Entries of `allowed_origins` at most (specification, Limits).
pub const MAX_ALLOWED_ORIGINS: usize = 20;

/// A tenant's look of the widget, and the sites that may embed it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TenantBranding {
    /// Colours, texts and shapes.
    #[serde(flatten)]
    pub fields: BrandingFields,
    /// Styles for the inside of the widget; written by operators only.
    pub custom_css: Option<String>,
    /// The origins that may embed the widget.
    pub allowed_origins: Vec<String>,
    /// Whether the page on which a visitor asks is kept with the question; `false` before the first edit.
    #[serde(default)]
    pub record_page_urls: bool,
    /// Colours that are hard to read, and websites that are many owners'.
    #[serde(default)]
    pub warnings: Vec<BrandingWarning>,
    /// When it last changed; `null` before the first edit.
    pub updated_at: Option<Timestamp>,
}

impl TenantBranding {
    /// The branding with the warnings that its fields deserve.
    #[must_use]
    pub fn with_warnings(self) -> Self {
        let mut warnings = self.fields.warnings();
        warnings.extend(self.allowed_origins.iter().filter_map(|pattern| BrandingWarning::of_origin(pattern)));
        Self { warnings, ..self }
    }
}

/// Changes to a tenant's branding by the tenant. `custom_css` is not part of it and is ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TenantBrandingPatch {
    /// Colours, texts and shapes.
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub fields: BrandingFieldsPatch,
    /// The whole new list of origins; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    pub allowed_origins: Patch<Vec<String>>,
    /// Whether the page on which a visitor asks is kept with the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_page_urls: Option<bool>,
}

impl TenantBrandingPatch {
    /// Writes the values that the patch sets.
    pub fn apply(self, branding: &mut TenantBranding) {
        self.fields.apply(&mut branding.fields);
        match self.allowed_origins {
            Patch::Absent => {}
            Patch::Null => branding.allowed_origins.clear(),
            Patch::Value(patterns) => branding.allowed_origins = patterns,
        }
        branding.record_page_urls = self.record_page_urls.unwrap_or(branding.record_page_urls);
    }
}

impl Validate for TenantBrandingPatch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        self.fields.values().check(&mut check);
        if let Some(patterns) = self.allowed_origins.value() {
            check_origins(&mut check, patterns);
        }
        check.finish()
    }
}

/// Maximum bytes of `custom_css`.
pub const MAX_CUSTOM_CSS: usize = 20 * 1024;

/// Changes to a tenant's branding by an operator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OperatorBrandingPatch {
    /// What the tenant may change too.
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub tenant: TenantBrandingPatch,
    /// Styles for the inside of the widget, at most 20 kB, that load nothing from other hosts; `null` clears them.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    pub custom_css: Patch<String>,
}

impl OperatorBrandingPatch {
    /// Writes the values that the patch sets.
    pub fn apply(self, branding: &mut TenantBranding) {
        self.tenant.apply(branding);
        self.custom_css.apply(&mut branding.custom_css);
    }
}

impl Validate for OperatorBrandingPatch {
    fn validate(&self) -> Vec<FieldError> {
        let mut errors = self.tenant.validate();
        let mut check = Checker::body();
        let css = self.custom_css.value().map_or("", String::as_str);
        check.require(css.len() <= MAX_CUSTOM_CSS, "custom_css", "too_long", "must have at most 20 kB");
        check.text("custom_css", css, 0, MAX_CUSTOM_CSS);
        if let Some(reason) = styles::refusal(css) {
            check.require(false, "custom_css", "remote_content", reason);
        }
        errors.extend(check.finish());
        errors
    }
}

fn check_origins(check: &mut Checker, patterns: &[String]) {
    let field = "allowed_origins";
    check.require(patterns.len() <= MAX_ALLOWED_ORIGINS, field, "too_long", "must have at most 20 entries");
    let mut patterns_so_far = Vec::new();
    for (index, text) in patterns.iter().enumerate().take(MAX_ALLOWED_ORIGINS + 1) {
        match text.parse::<origin::OriginPattern>() {
            Err(reason) => check.entry(field, index, "origin_pattern", reason.to_string()),
            // The same pattern may be written with and without its scheme's default port.
            Ok(pattern) if patterns_so_far.contains(&pattern) => {
                check.entry(field, index, "duplicate", "is already in the list");
            }
            Ok(pattern) => patterns_so_far.push(pattern),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origins(list: &[&str]) -> Vec<FieldError> {
        let patterns = list.iter().map(|&s| s.to_owned()).collect();
        TenantBrandingPatch { allowed_origins: Patch::Value(patterns), ..Default::default() }.validate()
    }

    #[test]
    fn a_wildcard_over_a_shared_domain_is_only_a_warning() {
        let patterns = ["https://*.github.io", "https://*.example.com", "https://shop.github.io"];
        assert!(origins(&patterns).is_empty());
        let allowed_origins = patterns.map(str::to_owned).to_vec();
        let warnings = TenantBranding { allowed_origins, ..Default::default() }.with_warnings().warnings;
        let json = serde_json::to_value(warnings).unwrap();
        let expected = [("field", "allowed_origins"), ("code", "shared_domain"), ("origin", "https://*.github.io")];
        assert_eq!(json, serde_json::json!([serde_json::Map::from_iter(expected.map(|(k, v)| (k.into(), v.into())))]));
    }

    #[test]
    fn custom_styles_that_load_from_another_host_are_refused() {
        let css = |css: &str| OperatorBrandingPatch { custom_css: Patch::Value(css.to_owned()), ..Default::default() };
        let errors = css(".svc { background: url(https://a.example/x.png) }").validate();
        assert_eq!((errors.len(), errors[0].kind.as_str()), (1, "remote_content"));
        assert!(css(".svc { background: url(data:image/png;base64,AA) }").validate().is_empty());
    }

    #[test]
    fn a_bad_origin_is_named_by_its_index() {
        let errors = origins(&["https://a.example.com", "*"]);
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].loc, ["body", "allowed_origins", "1"]);
    }

    #[test]
    fn duplicates_and_more_than_twenty_origins_are_refused() {
        assert_eq!(origins(&["https://a.example.com", "https://a.example.com"])[0].kind, "duplicate");
        assert_eq!(origins(&["https://a.example.com", "https://a.example.com:443"])[0].kind, "duplicate");
        let many: Vec<String> = (0..21).map(|i| format!("https://a{i}.example.com")).collect();
        let refs: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(origins(&refs)[0].kind, "too_long");
    }
}
