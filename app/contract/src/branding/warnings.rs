//! Warnings about a valid branding: colours with low contrast, websites of many owners.

use serde::{Deserialize, Serialize};

use super::{BrandingFields, contrast_ratio};
use crate::origin::OriginPattern;

/// The least WCAG contrast of readable text.
pub const MIN_CONTRAST: f64 = 4.5;

impl BrandingFields {
    /// Colour pairs of these fields that leave text hard to read.
    pub fn warnings(&self) -> Vec<BrandingWarning> {
        let background = self.background_color.as_deref().unwrap_or("#ffffff");
        let text = self.text_color.as_deref().unwrap_or("#1f2937");
        let mut warnings = Vec::new();
        if self.background_color.is_some() || self.text_color.is_some() {
            warnings.extend(BrandingWarning::of("text_color", text, background));
        }
        if let Some(accent) = &self.accent_color {
            warnings.extend(BrandingWarning::of("accent_color", accent, background));
        }
        warnings
    }
}

/// Something that is accepted but may be a mistake.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BrandingWarning {
    pub field: String,
    /// `low_contrast`: a colour is hard to read. `shared_domain`: the wildcard allows websites of many owners.
    pub code: String,
    /// The WCAG contrast that was found, 1 to 21, rounded to two places.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contrast: Option<f64>,
    /// The least contrast of readable text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<f64>,
    /// The entry of `allowed_origins`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

impl BrandingWarning {
    fn of(field: &str, text: &str, background: &str) -> Option<Self> {
        let contrast = (contrast_ratio(text, background)? * 100.0).round() / 100.0;
        (contrast < MIN_CONTRAST).then(|| Self {
            field: field.to_owned(),
            code: "low_contrast".to_owned(),
            contrast: Some(contrast),
            required: Some(MIN_CONTRAST),
            origin: None,
        })
    }

    /// The warning that an entry of `allowed_origins` deserves.
    pub(super) fn of_origin(pattern: &str) -> Option<Self> {
        pattern.parse::<OriginPattern>().ok().filter(OriginPattern::is_shared).map(|_| Self {
            field: "allowed_origins".to_owned(),
            code: "shared_domain".to_owned(),
            contrast: None,
            required: None,
            origin: Some(pattern.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::Checker;

    #[test]
    fn unreadable_colours_are_a_warning_and_not_an_error() {
        let fields = BrandingFields {
            text_color: Some("#777777".into()),
            background_color: Some("#888888".into()),
            ..Default::default()
        };
        let mut check = Checker::body();
        fields.check(&mut check);
        assert!(check.finish().is_empty());
        assert_eq!(fields.warnings()[0].field, "text_color");
    }
}
