//! The configuration: environment variables override an optional TOML file, which overrides defaults. [`SETTINGS`] is
//! the table that documents every setting; [`Config::load`] reads it into one struct per section. An invalid value
//! stops the start with a message that names the setting, the value and what is allowed, because a mistyped security
//! setting that fell back to its default would stay unnoticed. Secrets of a demo world begin with `demo-`, and `serve`
//! refuses them.

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
pub(crate) mod installation;
mod kind;
mod nearest;
mod read;
pub mod report;
mod secret;
mod setting;
mod settings;
mod values;

/// The behaviour while the language model is unavailable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenUnavailable {
    /// Sentences of the documents.
    Quoted,
    /// 503 `generator_unavailable`.
    Error,
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Config {
    /// Reads the environment and the file given by `--config` or `SVC_CONFIG`.
    ///
    /// # Errors
    /// An unreadable file, an unknown key or variable (with the most similar known one), or an invalid value.
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
        settings::all().find(|setting| setting.key == key).expect("every key that the program names is in the table")
    }
}

#[cfg(test)]
mod tests;
