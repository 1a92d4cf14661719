//! User preferences (specification, User preferences).

use serde::{Deserialize, Serialize};

use crate::{
    endpoint::{Audit, endpoints},
    validate::Validate,
};

/// The theme a user prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Always light.
    Light,
    /// Always dark.
    Dark,
    /// As the system says.
    #[default]
    Auto,
}

impl Theme {
    /// The theme as it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Auto => "auto",
        }
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
    /// A new theme.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferred_theme: Option<Theme>,
}

impl Validate for PreferencesPatch {}

endpoints! {
    /// Shows the caller's preferences, made with their defaults on the first call.
    GetPreferences: Get "/api/v1/users/me/preferences", AnyScope, Audit::Reads, 200, (()) ? (), () => Preferences;
    /// Changes the caller's preferences.
    UpdatePreferences: Patch "/api/v1/users/me/preferences", AnyScope,
        Audit::Exempt("the specification exempts user preferences"), 200, (()) ? (), PreferencesPatch => Preferences;
}
