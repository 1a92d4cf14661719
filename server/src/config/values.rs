//! Collects the values of all settings as texts, each with its source.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::endpoints::{self, EndpointConfig};
use super::installation;
use super::nearest::nearest;
use super::setting::env_name;
use super::{ConfigError, SETTINGS, Setting, settings};

/// The source of a value; later ones override earlier ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueSource {
    /// The table of settings.
    Default,
    /// The folders of the installed program.
    Installation,
    /// The configuration file.
    File(PathBuf),
    /// An environment variable.
    Environment,
    /// The subcommand, because it makes no sense otherwise.
    Command(&'static str),
    /// Other settings, because it was empty.
    Derived,
}

impl fmt::Display for ValueSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("the defaults"),
            Self::File(path) => write!(formatter, "the file {}", path.display()),
            Self::Environment => formatter.write_str("the environment"),
            Self::Installation => formatter.write_str("the installation"),
            Self::Command(name) => write!(formatter, "the command `{name}`"),
            Self::Derived => formatter.write_str("other settings"),
        }
    }
}

/// A value as text with its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The text; empty means not set.
    pub text: String,
    /// Its source.
    pub source: ValueSource,
    /// The name of an earlier release that it was set with: a key, or a variable.
    pub former_name: Option<String>,
}

impl Value {
    fn new(text: &str, source: ValueSource) -> Self {
        Self { text: text.to_owned(), source, former_name: None }
    }
}

/// The text of every setting.
#[derive(Debug, Clone)]
pub struct Values {
    settings: BTreeMap<&'static str, Value>,
    endpoints: Vec<EndpointConfig>,
    /// Former names whose values are not used, each with its setting.
    unused_former_names: Vec<(String, &'static str)>,
    /// Names of constants for which somebody gave a value.
    unused_constants: Vec<(String, &'static Setting)>,
}

/// A setting, and its former name if that was used.
type Named = (&'static Setting, Option<String>);

impl Values {
    /// Reads the environment and the file given by the argument or `SVC_CONFIG`.
    ///
    /// # Errors
    /// An unreadable file, an unknown key or an unknown `SVC_` variable.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        Self::of(Self::file(file))
    }

    /// The file given by the argument or `SVC_CONFIG`.
    #[must_use]
    pub fn file(argument: Option<&Path>) -> Option<PathBuf> {
        let from_environment = || env::var_os("SVC_CONFIG").filter(|value| !value.is_empty()).map(PathBuf::from);
        argument.map(Path::to_path_buf).or_else(from_environment)
    }

    /// Reads the environment only.
    ///
    /// # Errors
    /// An unknown `SVC_` variable.
    pub fn from_environment() -> Result<Self, ConfigError> {
        Self::of(None)
    }

    fn of(path: Option<PathBuf>) -> Result<Self, ConfigError> {
        let text = path
            .as_ref()
            .map(|path| fs::read_to_string(path).map_err(|source| ConfigError::File { path: path.clone(), source }));
        let variables = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
        let variables = variables.map(|(name, value)| (name, value.to_string_lossy().into_owned()));
        let file = path.zip(text.transpose()?);
        let file = file.as_ref().map(|(path, text)| (path.as_path(), text.as_str()));
        Self::collect(file, variables).map(installation::apply)
    }

    /// Puts the layers over each other: `variables` over `file` over the defaults.
    ///
    /// # Errors
    /// As for [`Values::load`].
    pub fn collect(
        file: Option<(&Path, &str)>,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let defaults = settings::all().map(|setting| (setting.key, Value::new(setting.default, ValueSource::Default)));
        let mut values = Self {
            settings: defaults.collect(),
            endpoints: Vec::new(),
            unused_former_names: Vec::new(),
            unused_constants: Vec::new(),
        };
        if let Some((path, text)) = file {
            let (layer, endpoints) = read_file(path, text)?;
            values.add_layer(layer, &ValueSource::File(path.to_path_buf()));
            values.endpoints = endpoints;
        }
        let variables = variables.filter(|(name, _)| name.starts_with("SVC_") && name != "SVC_CONFIG");
        let variables = variables.map(|(name, text)| match find_setting(&name, env_name) {
            Some(setting) => Ok((setting, text)),
            None => {
                let nearest = nearest(&name, SETTINGS.iter().map(Setting::env));
                Err(ConfigError::Unknown { found_in: "the environment".to_owned(), name, nearest })
            }
        });
        values.add_layer(variables.collect::<Result<_, _>>()?, &ValueSource::Environment);
        Ok(values)
    }

    /// If a layer has a setting under both names, the current name wins.
    fn add_layer(&mut self, mut layer: Vec<(Named, String)>, source: &ValueSource) {
        layer.sort_by_key(|((_, former_name), _)| former_name.is_none());
        for ((setting, former_name), text) in layer {
            if setting.is_constant {
                self.unused_constants.push((former_name.unwrap_or_else(|| setting.key.to_owned()), setting));
                continue;
            }
            let replaced = self.settings.insert(setting.key, Value { text, source: source.clone(), former_name });
            if let Some(former) = replaced.and_then(|value| value.former_name) {
                self.unused_former_names.push((former, setting.key));
            }
        }
    }

    /// Sets a value that the subcommand implies, unless the person set it.
    #[must_use]
    pub fn implied(self, command: &'static str, key: &'static str, text: &str) -> Self {
        self.instead_of_default(key, text, ValueSource::Command(command))
    }

    /// Sets a value of the installation, unless the person set it.
    pub(super) fn installed(self, key: &'static str, text: &str) -> Self {
        self.instead_of_default(key, text, ValueSource::Installation)
    }

    fn instead_of_default(mut self, key: &'static str, text: &str, source: ValueSource) -> Self {
        if self.settings.get(key).is_some_and(|value| value.source == ValueSource::Default) {
            self.settings.insert(key, Value::new(text, source));
        }
        self
    }

    /// One setting's value; the key must be in the table.
    #[must_use]
    pub fn get(&self, key: &str) -> &Value {
        self.settings.get(key).expect("every key that the program reads is in the table, a test checks it")
    }

    /// The further language models.
    #[must_use]
    pub fn endpoints(&self) -> &[EndpointConfig] {
        &self.endpoints
    }

    /// Sets an empty setting to what follows from others.
    pub(super) fn fill(&mut self, key: &str, text: String) {
        if let Some(value) = self.settings.get_mut(key).filter(|value| value.text.trim().is_empty()) {
            *value = Value { text, source: ValueSource::Derived, former_name: None };
        }
    }

    /// Warns about every name of an earlier release, once the log is there.
    pub fn warn_about_former_names(&self) {
        for (key, value) in &self.settings {
            if let Some(former) = &value.former_name {
                tracing::warn!(former, key, "config.former_name: the setting has another name now");
            }
        }
        for (former, key) in &self.unused_former_names {
            tracing::warn!(former, key, "config.former_name_unused: another value of the setting takes precedence");
        }
        for (name, Setting { key, default, .. }) in &self.unused_constants {
            tracing::warn!(
                name,
                key,
                value = default,
                "config.constant: this is no setting any more, and has this value"
            );
        }
    }
}

fn find_setting(name: &str, form: impl Fn(&str) -> String) -> Option<Named> {
    settings::all().find_map(|setting| {
        if form(setting.key) == name {
            return Some((setting, None));
        }
        let is_former = setting.former_keys.iter().any(|former| form(former) == name);
        is_former.then(|| (setting, Some(name.to_owned())))
    })
}

/// The settings of a file, and its language models.
type FileLayer = (Vec<(Named, String)>, Vec<EndpointConfig>);

fn read_file(path: &Path, text: &str) -> Result<FileLayer, ConfigError> {
    let syntax =
        |error: toml::de::Error| ConfigError::Syntax { path: path.to_path_buf(), reason: located(&error, text) };
    let content = |reason| ConfigError::Content { path: path.to_path_buf(), reason };
    let sections: toml::Table = text.parse().map_err(syntax)?;
    let (mut layer, mut further) = (Vec::new(), Vec::new());
    for (section, table) in &sections {
        let toml::Value::Table(table) = table else {
            return Err(unknown_key(path, section));
        };
        for (name, value) in table {
            let key = format!("{section}.{name}");
            if let ("generator.endpoint", toml::Value::Array(tables)) = (key.as_str(), value) {
                further = endpoints::read(tables, plain).map_err(content)?;
                continue;
            }
            let setting = find_setting(&key, str::to_owned).ok_or_else(|| unknown_key(path, &key))?;
            let text = plain(value).ok_or_else(|| content(format!("{key} must be {}", setting.0.allowed)))?;
            layer.push((setting, text));
        }
    }
    Ok((layer, further))
}

/// The position and the reason why a file is not TOML, without the line itself, which may contain a password.
fn located(error: &toml::de::Error, text: &str) -> String {
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else { return error.message().to_owned() };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
    format!("line {line}, column {column}: {}", error.message())
}

fn unknown_key(path: &Path, name: &str) -> ConfigError {
    let nearest = nearest(name, SETTINGS.iter().map(|setting| setting.key.to_owned()));
    ConfigError::Unknown { found_in: format!("the file {}", path.display()), name: name.to_owned(), nearest }
}

/// The text of a TOML value; lists are joined by commas. `None` for tables and dates.
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
