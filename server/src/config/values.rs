//! Collects the values of all settings as texts, each with the place it came from.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::nearest::nearest;
use super::{ConfigError, SETTINGS, Setting};

/// Where a value came from; the later ones win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The table of settings.
    Default,
    /// The configuration file.
    File(PathBuf),
    /// An environment variable.
    Environment,
    /// The subcommand, because it makes no sense otherwise.
    Command(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("the defaults"),
            Self::File(path) => write!(formatter, "the file {}", path.display()),
            Self::Environment => formatter.write_str("the environment"),
            Self::Command(name) => write!(formatter, "the command `{name}`"),
        }
    }
}

/// A value as text and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The text; empty means not set.
    pub text: String,
    /// Where it came from.
    pub origin: Origin,
}

/// The text of every setting.
#[derive(Debug, Clone)]
pub struct Values(BTreeMap<&'static str, Source>);

impl Values {
    /// Reads the real environment and the file that the argument or `SVC_CONFIG` names.
    ///
    /// # Errors
    /// An unreadable file, an unknown key or an unknown `SVC_` variable.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        let named = env::var_os("SVC_CONFIG").filter(|value| !value.is_empty()).map(PathBuf::from);
        let path = file.map(Path::to_path_buf).or(named);
        let text = path
            .as_ref()
            .map(|path| fs::read_to_string(path).map_err(|source| ConfigError::File { path: path.clone(), source }));
        let variables = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
        let variables = variables.map(|(name, value)| (name, value.to_string_lossy().into_owned()));
        let file = path.zip(text.transpose()?);
        Self::collect(file.as_ref().map(|(path, text)| (path.as_path(), text.as_str())), variables)
    }

    /// Puts the layers over each other: `variables` over `file` over the defaults.
    ///
    /// # Errors
    /// As for [`Values::load`].
    pub fn collect(
        file: Option<(&Path, &str)>,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let defaults = SETTINGS
            .iter()
            .map(|setting| (setting.key, Source { text: setting.default.to_owned(), origin: Origin::Default }));
        let mut values = Self(defaults.collect());
        if let Some((path, text)) = file {
            values.add_file(path, text)?;
        }
        for (name, text) in variables.filter(|(name, _)| name.starts_with("SVC_") && name != "SVC_CONFIG") {
            let setting = SETTINGS.iter().find(|setting| setting.env() == name).ok_or_else(|| {
                let nearest = nearest(&name, SETTINGS.iter().map(Setting::env));
                ConfigError::Unknown { origin: "the environment".to_owned(), name, nearest }
            })?;
            values.0.insert(setting.key, Source { text, origin: Origin::Environment });
        }
        Ok(values)
    }

    /// Sets a value that the subcommand implies, unless the person set it.
    #[must_use]
    pub fn implied(mut self, command: &'static str, key: &'static str, text: &str) -> Self {
        if self.0.get(key).is_some_and(|source| source.origin == Origin::Default) {
            self.0.insert(key, Source { text: text.to_owned(), origin: Origin::Command(command) });
        }
        self
    }

    /// One setting's value; the key must be in the table.
    #[must_use]
    pub fn get(&self, key: &str) -> &Source {
        self.0.get(key).expect("every key that the program reads is in the table, a test checks it")
    }

    fn add_file(&mut self, path: &Path, text: &str) -> Result<(), ConfigError> {
        let syntax = |reason: String| ConfigError::Syntax { path: path.to_path_buf(), reason };
        let sections: toml::Table = text.parse().map_err(|error| syntax(located(&error, text)))?;
        for (section, content) in &sections {
            let toml::Value::Table(content) = content else {
                return Err(unknown_key(path, section));
            };
            for (name, value) in content {
                let key = format!("{section}.{name}");
                let setting =
                    SETTINGS.iter().find(|setting| setting.key == key).ok_or_else(|| unknown_key(path, &key))?;
                let text = plain(value).ok_or_else(|| syntax(format!("{key} must be {}", setting.kind)))?;
                self.0.insert(setting.key, Source { text, origin: Origin::File(path.to_path_buf()) });
            }
        }
        Ok(())
    }
}

/// Where a file is not TOML and why, without a word of the line: it may hold a password.
fn located(error: &toml::de::Error, text: &str) -> String {
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else { return error.message().to_owned() };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |begun| begun.chars().count()) + 1;
    format!("line {line}, column {column}: {}", error.message())
}

fn unknown_key(path: &Path, name: &str) -> ConfigError {
    let nearest = nearest(name, SETTINGS.iter().map(|setting| setting.key.to_owned()));
    ConfigError::Unknown { origin: format!("the file {}", path.display()), name: name.to_owned(), nearest }
}

/// The text of a TOML value; lists are joined by commas. None for tables and dates.
fn plain(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(switch) => Some(switch.to_string()),
        toml::Value::Array(items) => items.iter().map(plain).collect::<Option<Vec<_>>>().map(|items| items.join(",")),
        toml::Value::Datetime(_) | toml::Value::Table(_) => None,
    }
}
