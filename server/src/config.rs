//! The configuration: environment variables over an optional TOML file over defaults. [`SETTINGS`] is the one table
//! that documents every setting; [`Config::load`] reads it into one struct per section. A wrong value stops the start
//! with a sentence that names the setting, the value and what is allowed.

use std::path::Path;

pub use self::cidr::Cidr;
pub use self::endpoints::{ENDPOINT_KEYS, EndpointConfig, Prices};
pub use self::error::ConfigError;
pub use self::secret::Secret;
pub use self::setting::Setting;
pub use self::settings::*;
pub use self::values::{Value, ValueSource, Values};

mod cidr;
mod endpoints;
mod error;
mod kind;
mod nearest;
mod read;
pub mod report;
mod secret;
mod setting;
mod settings;
mod values;

/// What a visitor gets while the language model cannot be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenUnavailable {
    /// Sentences of the documents.
    Quoted,
    /// 503 `generator_unavailable`.
    Error,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Config {
    /// Reads the real environment and the file that `--config` or `SVC_CONFIG` names.
    ///
    /// # Errors
    /// An unreadable file, an unknown key or variable (with the nearest known one), a value that is not allowed.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        Self::from_values(&Values::load(file)?)
    }

    /// Checks collected values.
    ///
    /// # Errors
    /// The first value that is not allowed.
    pub fn from_values(values: &Values) -> Result<Self, ConfigError> {
        read::config(values)
    }
}

impl Setting {
    /// The setting with this key, which must be in the table.
    #[must_use]
    pub fn of(key: &str) -> &'static Self {
        SETTINGS.iter().find(|setting| setting.key == key).expect("every key that the program names is in the table")
    }
}

#[cfg(test)]
mod tests;
