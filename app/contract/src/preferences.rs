//! User preferences (specification, User preferences).

use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    endpoint::{Audit, endpoints},
    text_enum::text_enum,
    validate::Validate,
};

text_enum! {
    /// The theme a user prefers.
    #[derive(Default)]
    pub enum Theme {
        /// Always light.
        Light = "light",
        /// Always dark.
        Dark = "dark",
        /// As the system says.
        #[default]
        Auto = "auto",
    }
}

/// The preferences of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Preferences {
    /// The theme of the consoles.
    pub preferred_theme: Theme,
}

/// Changes to the preferences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PreferencesPatch {
    /// A new theme; absent, not `null`, to keep the present one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Theme"))]
    pub preferred_theme: Option<Theme>,
}

/// A field that is there has a value: null is not a theme.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Theme>, D::Error> {
    Theme::deserialize(deserializer).map(Some)
}

impl Validate for PreferencesPatch {}

endpoints! {
    /// Shows the caller's preferences, made with their defaults on the first call.
    GetPreferences: Get "/api/v1/users/me/preferences", AnyScope, Audit::Reads, 200, (()) ? (), () => Preferences;
    /// Changes the caller's preferences.
    UpdatePreferences: Patch "/api/v1/users/me/preferences", AnyScope,
        Audit::Exempt("the specification exempts user preferences"), 200, (()) ? (), PreferencesPatch => Preferences;
}
