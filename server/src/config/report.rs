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
        let value_text = match value.text.as_str() {
            "" => "(not set)".to_owned(),
            text => setting.masked(text),
        };
        let source = match (&value.source, &value.former_name) {
            (ValueSource::Default, _) => "default".to_owned(),
            (source, None) => format!("from {source}"),
            (source, Some(former)) => format!("from {source}, under the former name {former}"),
        };
        let _ = writeln!(text, "{} = {value_text}  [{source}]", setting.key);
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
            let _ = write!(text, "\n## {section}\n\n");
        }
        let _ = writeln!(text, "{}", item(setting));
    }
    let _ = writeln!(text, "{ENDPOINTS}{}.", ENDPOINT_KEYS.map(|key| format!("`{key}`")).join(", "));
    text
}

fn item(setting: &Setting) -> String {
    let default = match setting.default {
        "" => String::new(),
        text => format!("`{text}`; "),
    };
    let allowed = setting.allowed.strip_suffix(", or empty").unwrap_or(&setting.allowed);
    let allowed = format!("{}{}", allowed.replace(ADDRESS, "URL"), if setting.is_secret { " (secret)" } else { "" });
    let former: String = setting.former_keys.iter().map(|key| format!(" Formerly `{key}`.")).collect();
    format!("- `{}` ({default}{allowed}): {}{former}", setting.key, setting.meaning)
}

/// What the page calls a URL.
const ADDRESS: &str = "an http or https address";

const ENDPOINTS: &str = "
## Further language models

The language model of `generator.url` has the name `default`. Each table `[[generator.endpoint]]` of the settings file adds another one.
`name`, `url` and `model` are required, the others are those of `generator`: ";

const INTRODUCTION: &str = "\
# Configuration

Written by `make docs` from the sections in `server/src/config/settings`; a test fails when they differ.

Every setting of the server, with its default, if it has one, and what is allowed (a URL is http or https). `http.port` is
`port` in the table `[http]` of the TOML file that `--config` or `SVC_CONFIG` names, and the environment variable
`SVC_HTTP_PORT`, which takes precedence. Lists may be TOML lists. Relative paths start at the working directory.

The server refuses to start with an unknown variable that begins with `SVC_`, an unknown key, or a value that is not
allowed. `server config --explain` prints every setting with its effective value and its source. A former name is read for
one release, with a warning in the log, unless the present one is set too. What was a setting once and is a constant now is
not read, with a warning that names its value.
";
