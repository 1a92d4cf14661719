//! Branding of a tenant and its chatbots (specification, Tenant branding; decisions, 3).

mod contrast;

use serde::{Deserialize, Serialize};

pub use contrast::{contrast_ratio, readable_on};

use crate::{
    ChatbotId, Patch, TenantId, Timestamp,
    endpoint::{Audit, endpoints},
    error::FieldError,
    origin,
    validate::{Checker, Validate},
};

/// Entries of `allowed_origins` at most (specification, Limits).
pub const MAX_ALLOWED_ORIGINS: usize = 20;
/// The least WCAG contrast of readable text.
pub const MIN_CONTRAST: f64 = 4.5;

/// Where the launcher stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LauncherPosition {
    /// At the bottom, on the right.
    BottomRight,
    /// At the bottom, on the left.
    BottomLeft,
}

pub use crate::preferences::Theme;

macro_rules! branding_fields {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty),+ $(,)?) => {
        /// The fields that tenant, chatbot and template share; `None` is "not set".
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(default)]
        pub struct BrandingFields {
            $($(#[doc = $doc])+ pub $field: Option<$type>),+
        }

        impl BrandingFields {
            /// Takes each field that is not set here from `fallback`.
            #[must_use]
            pub fn or(self, fallback: Self) -> Self {
                Self { $($field: self.$field.or(fallback.$field)),+ }
            }

            /// Takes away the value of the field with this name; other names change nothing.
            pub fn clear(&mut self, name: &str) {
                match name {
                    $(stringify!($field) => self.$field = None,)+
                    _ => {}
                }
            }
        }

        /// Changes to [`BrandingFields`]: absent stays, `null` clears.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(default)]
        pub struct BrandingFieldsPatch {
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "Patch::is_absent")] pub $field: Patch<$type>),+
        }

        impl BrandingFieldsPatch {
            /// The changes that lead from `before` to `after`.
            pub fn between(before: &BrandingFields, after: BrandingFields) -> Self {
                Self {
                    $($field: if before.$field == after.$field {
                        Patch::Absent
                    } else {
                        after.$field.map_or(Patch::Null, Patch::Value)
                    }),+
                }
            }

            /// Applies the changes.
            pub fn apply(self, fields: &mut BrandingFields) {
                $(self.$field.apply(&mut fields.$field);)+
            }

            /// The values that the patch sets, for checking.
            pub fn values(&self) -> BrandingFields {
                BrandingFields { $($field: self.$field.value().cloned()),+ }
            }
        }
    };
}

branding_fields! {
    /// The name in the widget's header when no header title is set; at most 200 characters.
    display_name: String,
    /// `#rrggbb`: header and launcher.
    primary_color: String,
    /// `#rrggbb`: links and highlights.
    accent_color: String,
    /// `#rrggbb`: the panel's background.
    background_color: String,
    /// `#rrggbb`: the panel's text.
    text_color: String,
    /// A CSS font family list; at most 200 characters.
    font_family: String,
    /// Corners in pixels, 0 to 32.
    border_radius: i32,
    /// An `https` address of a logo; at most 2000 characters.
    logo_url: String,
    /// An `https` address of the chatbot's picture; at most 2000 characters.
    avatar_url: String,
    /// The title in the widget's header; at most 200 characters.
    header_title: String,
    /// The hint in the empty input; at most 200 characters.
    input_placeholder: String,
    /// Where the launcher stands.
    launcher_position: LauncherPosition,
    /// Light, dark or as the visitor's system says.
    theme: Theme,
    /// An `https` address of the privacy notice; at most 2000 characters.
    privacy_url: String,
}

impl BrandingFields {
    /// Checks every field that is set.
    pub fn check(&self, check: &mut Checker) {
        for (field, value) in [
            ("primary_color", &self.primary_color),
            ("accent_color", &self.accent_color),
            ("background_color", &self.background_color),
            ("text_color", &self.text_color),
        ] {
            if let Some(value) = value {
                check.require(is_color(value), field, "color", "is a colour such as #1d4ed8");
            }
        }
        for (field, value) in
            [("logo_url", &self.logo_url), ("avatar_url", &self.avatar_url), ("privacy_url", &self.privacy_url)]
        {
            if let Some(value) = value {
                check.require(is_https_url(value), field, "url", "is an https address of at most 2000 characters");
            }
        }
        for (field, value) in [
            ("display_name", &self.display_name),
            ("header_title", &self.header_title),
            ("input_placeholder", &self.input_placeholder),
        ] {
            if let Some(value) = value {
                check.text(field, value, 1, 200);
            }
        }
        if let Some(font) = &self.font_family {
            let msg = "has letters, digits, spaces, commas, hyphens and quotes only, at most 200";
            check.require(is_font_family(font), "font_family", "font_family", msg);
        }
        if let Some(radius) = self.border_radius {
            check.require((0..=32).contains(&radius), "border_radius", "out_of_range", "is between 0 and 32");
        }
    }

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

/// A colour that is accepted but hard to read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BrandingWarning {
    /// The field.
    pub field: String,
    /// Always `low_contrast`.
    pub code: String,
    /// The WCAG contrast that was found, 1 to 21, rounded to two places.
    pub contrast: f64,
    /// The least contrast of readable text.
    pub required: f64,
}

impl BrandingWarning {
    fn of(field: &str, text: &str, background: &str) -> Option<Self> {
        let contrast = (contrast_ratio(text, background)? * 100.0).round() / 100.0;
        (contrast < MIN_CONTRAST).then(|| Self {
            field: field.to_owned(),
            code: "low_contrast".to_owned(),
            contrast,
            required: MIN_CONTRAST,
        })
    }
}

/// The branding of a tenant.
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
    /// Colours that are hard to read.
    #[serde(default)]
    pub warnings: Vec<BrandingWarning>,
    /// When it last changed; `null` before the first edit.
    pub updated_at: Option<Timestamp>,
}

impl TenantBranding {
    /// The branding with the warnings that its fields deserve.
    #[must_use]
    pub fn with_warnings(self) -> Self {
        Self { warnings: self.fields.warnings(), ..self }
    }
}

/// Changes to a tenant's branding by the tenant. `custom_css` is not part of it and is ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TenantBrandingPatch {
    /// Colours, texts and shapes.
    #[serde(flatten)]
    pub fields: BrandingFieldsPatch,
    /// The whole new list of origins; `null` clears it.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    pub allowed_origins: Patch<Vec<String>>,
}

impl TenantBrandingPatch {
    /// Applies the changes.
    pub fn apply(self, branding: &mut TenantBranding) {
        self.fields.apply(&mut branding.fields);
        match self.allowed_origins {
            Patch::Absent => {}
            Patch::Null => branding.allowed_origins.clear(),
            Patch::Value(patterns) => branding.allowed_origins = patterns,
        }
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

/// Bytes of `custom_css` at most.
pub const MAX_CUSTOM_CSS: usize = 20 * 1024;

/// Changes to a tenant's branding by an operator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OperatorBrandingPatch {
    /// What the tenant may change too.
    #[serde(flatten)]
    pub tenant: TenantBrandingPatch,
    /// Styles for the inside of the widget, at most 20 kB; `null` clears them.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    pub custom_css: Patch<String>,
}

impl OperatorBrandingPatch {
    /// Applies the changes.
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
        check.require(css.len() <= MAX_CUSTOM_CSS, "custom_css", "too_long", "has at most 20 kB");
        check.text("custom_css", css, 0, MAX_CUSTOM_CSS);
        errors.extend(check.finish());
        errors
    }
}

/// The branding of a chatbot: what it sets itself, and what a visitor sees.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotBranding {
    /// The chatbot's own fields; a field that is not set comes from the tenant.
    #[serde(flatten)]
    pub fields: BrandingFields,
    /// The fields as a visitor sees them: chatbot over tenant, field by field.
    pub resolved: BrandingFields,
    /// Colours of the resolved fields that are hard to read.
    #[serde(default)]
    pub warnings: Vec<BrandingWarning>,
    /// When it last changed; `null` before the first edit.
    pub updated_at: Option<Timestamp>,
}

impl ChatbotBranding {
    /// The branding with the warnings that its resolved fields deserve.
    #[must_use]
    pub fn with_warnings(self) -> Self {
        Self { warnings: self.resolved.warnings(), ..self }
    }
}

/// Changes to a chatbot's branding.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatbotBrandingPatch {
    /// Colours, texts and shapes.
    #[serde(flatten)]
    pub fields: BrandingFieldsPatch,
}

impl Validate for ChatbotBrandingPatch {
    fn validate(&self) -> Vec<FieldError> {
        let mut check = Checker::body();
        self.fields.values().check(&mut check);
        check.finish()
    }
}

fn check_origins(check: &mut Checker, patterns: &[String]) {
    let field = "allowed_origins";
    check.require(patterns.len() <= MAX_ALLOWED_ORIGINS, field, "too_long", "has at most 20 entries");
    let mut seen = Vec::new();
    for (index, text) in patterns.iter().enumerate().take(MAX_ALLOWED_ORIGINS + 1) {
        match text.parse::<origin::OriginPattern>() {
            Err(reason) => check.entry(field, index, "origin_pattern", reason.to_string()),
            // The same pattern may be written with and without its scheme's default port.
            Ok(pattern) if seen.contains(&pattern) => {
                check.entry(field, index, "duplicate", "stands in the list already");
            }
            Ok(pattern) => seen.push(pattern),
        }
    }
}

fn is_color(text: &str) -> bool {
    text.len() == 7 && text.starts_with('#') && text[1..].bytes().all(|b| b.is_ascii_hexdigit())
}

fn is_https_url(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("https://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or("");
    text.len() <= 2000
        && !host.is_empty()
        && !host.contains('@')
        && text.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'"' | b'<' | b'>' | b'\\' | b'`'))
}

fn is_font_family(text: &str) -> bool {
    (1..=200).contains(&text.len())
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | ',' | '-' | '\'' | '"'))
}

endpoints! {
    /// Shows the branding of the caller's tenant.
    GetTenantBranding: Get "/api/v1/tenants/me/branding", Tenant, Audit::Reads, 200,
        (()) ? (), () => TenantBranding;
    /// Changes the branding of the caller's tenant.
    UpdateTenantBranding: Patch "/api/v1/tenants/me/branding", TenantAdmin,
        Audit::Writes("tenant_branding.updated"), 200, (()) ? (), TenantBrandingPatch => TenantBranding;
    /// Shows the branding of a tenant.
    GetOperatorBranding: Get "/api/v1/operator/tenants/{tenant_id}/branding", Operator, Audit::Reads, 200,
        (TenantId) ? (), () => TenantBranding;
    /// Changes the branding of a tenant, its custom styles included.
    UpdateOperatorBranding: Patch "/api/v1/operator/tenants/{tenant_id}/branding", Operator,
        Audit::Writes("tenant_branding.updated"), 200, (TenantId) ? (), OperatorBrandingPatch => TenantBranding;
    /// Shows the branding of a chatbot, with the result a visitor sees.
    GetChatbotBranding: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/branding", Tenant, Audit::Reads, 200,
        (ChatbotId) ? (), () => ChatbotBranding;
    /// Changes the branding of a chatbot.
    UpdateChatbotBranding: Patch "/api/v1/tenants/me/chatbots/{chatbot_id}/branding", TenantAdmin,
        Audit::Writes("chatbot_branding.updated"), 200, (ChatbotId) ? (), ChatbotBrandingPatch => ChatbotBranding;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origins(list: &[&str]) -> Vec<FieldError> {
        let patterns = list.iter().map(|&s| s.to_owned()).collect();
        TenantBrandingPatch { allowed_origins: Patch::Value(patterns), ..Default::default() }.validate()
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

    #[test]
    fn a_field_of_the_chatbot_wins_over_the_tenants() {
        let tenant = BrandingFields { header_title: Some("T".into()), theme: Some(Theme::Dark), ..Default::default() };
        let chatbot = BrandingFields { header_title: Some("C".into()), ..Default::default() };
        let resolved = chatbot.or(tenant);
        assert_eq!((resolved.header_title.as_deref(), resolved.theme), (Some("C"), Some(Theme::Dark)));
    }

    #[test]
    fn the_patch_between_two_brandings_holds_the_changes_alone() {
        let before =
            BrandingFields { header_title: Some("A".into()), theme: Some(Theme::Dark), ..BrandingFields::default() };
        let mut after = BrandingFields { border_radius: Some(8), ..before.clone() };
        after.clear("theme");
        let patch = BrandingFieldsPatch::between(&before, after.clone());
        assert_eq!(serde_json::to_string(&patch).unwrap(), r#"{"border_radius":8,"theme":null}"#);
        let mut changed = before;
        patch.apply(&mut changed);
        assert_eq!(changed, after);
    }

    #[test]
    fn addresses_must_be_https_without_user_info() {
        assert!(is_https_url("https://example.com/logo.png?x=1"));
        for bad in ["http://example.com", "javascript:alert(1)", "https://", "https://a@b.c/", "https://a\"b"] {
            assert!(!is_https_url(bad), "{bad}");
        }
    }
}
