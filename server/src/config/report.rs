//! Prints the settings: with their effective values for operators of a server, and as Markdown for the docs.

use std::fmt::Write as _;

use super::{ENDPOINT_KEYS, EndpointConfig, SETTINGS, Setting, ValueSource, Values, read::with_derived};

/// Every setting with its effective value and its origin; secrets are masked.
#[must_use]
pub fn explain(values: &Values) -> String {
    let values = with_derived(values);
    let mut text = String::new();
    for setting in SETTINGS.iter() {
        let value = values.get(setting.key);
        let shown = match value.text.as_str() {
            "" => "(not set)".to_owned(),
            text => setting.masked(text),
        };
        let source = match (&value.source, &value.former_name) {
            (ValueSource::Default, _) => "default".to_owned(),
            (source, None) => format!("from {source}"),
            (source, Some(former)) => format!("from {source}, under the former name {former}"),
        };
        let _ = writeln!(text, "{} = {shown}  [{source}]", setting.key);
        let _ = writeln!(text, "    {}", setting.meaning);
        let _ = writeln!(text, "    {}; {}", setting.env(), setting.allowed);
    }
    for endpoint in values.endpoints() {
        let EndpointConfig { name, url, model, .. } = endpoint;
        let key = if endpoint.api_key.is_some() { ", with an api_key" } else { "" };
        let _ = writeln!(text, "generator.endpoint {name} = {model} at {url}{key}");
    }
    text
}

/// The page `docs/configuration.md`.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::from(INTRODUCTION);
    let mut section = "";
    for setting in SETTINGS.iter() {
        let (name, _) = setting.key.split_once('.').unwrap_or((setting.key, ""));
        if name != section {
            section = name;
            let _ = write!(
                text,
                "\n## {section}\n\n| Setting | Variable | Default | Allowed | Meaning |\n|---|---|---|---|---|\n"
            );
        }
        let _ = writeln!(text, "{}", row(setting));
    }
    let _ = writeln!(text, "{ENDPOINTS}{}.", ENDPOINT_KEYS.map(|key| format!("`{key}`")).join(", "));
    text
}

fn row(setting: &Setting) -> String {
    let default = match setting.default {
        "" => "-".to_owned(),
        text => format!("`{text}`"),
    };
    let allowed = format!("{}{}", setting.allowed, if setting.is_secret { " (secret)" } else { "" });
    let former: String = setting.former_keys.iter().map(|key| format!(" Formerly `{key}`.")).collect();
    format!("| `{}` | `{}` | {default} | {allowed} | {}{former} |", setting.key, setting.env(), setting.meaning)
}

const ENDPOINTS: &str = "
## Further language models

The language model of `generator.url` has the name `default`. Each table `[[generator.endpoint]]` of the settings file adds another one.
`name`, `url` and `model` are required. The other keys have the same meaning as in the section `generator`. The keys are ";

const INTRODUCTION: &str = "\
# Configuration

Written by `make docs` from the sections in `server/src/config/settings`; a test fails when they differ.

This page lists every setting of the server. An environment variable takes precedence over the TOML file that `--config`
or `SVC_CONFIG` names, and the file over the default. In the file, the part before the dot is the table: `http.port` is
`port` in `[http]`. Lists may be TOML lists. The server refuses to start with an unknown variable that begins with `SVC_`,
with an unknown key, or with a value that is not allowed. `server config --explain` prints every setting with its
effective value and its source. The former name of a setting is still read for one release, with a warning in the log. If one
source sets both names, the present name takes precedence, and the log says that the other is not used. What was a setting
once and is a constant now is not read either, with a warning that names its value.
";
