//! Shows the settings: with their effective values for the person who runs the server, as Markdown for the docs.

use std::fmt::Write as _;

use super::{Origin, SETTINGS, Setting, Values};

/// Every setting with its effective value and origin; secrets are masked.
#[must_use]
pub fn explain(values: &Values) -> String {
    let mut text = String::new();
    for setting in SETTINGS {
        let source = values.get(setting.key);
        let shown = match source.text.as_str() {
            "" => "(not set)",
            text => setting.shown(text),
        };
        let origin = match &source.origin {
            Origin::Default => "default".to_owned(),
            other => format!("from {other}"),
        };
        let _ = writeln!(text, "{} = {shown}  [{origin}]", setting.key);
        let _ = writeln!(text, "    {}", setting.meaning);
        let _ = writeln!(text, "    {}; {}", setting.env(), setting.kind);
    }
    text
}

/// The page `docs/configuration.md`.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::from(INTRODUCTION);
    let mut section = "";
    for setting in SETTINGS {
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
    text
}

fn row(setting: &Setting) -> String {
    let default = match setting.default {
        "" => "-".to_owned(),
        text => format!("`{text}`"),
    };
    let kind = format!("{}{}", setting.kind, if setting.secret { " (secret)" } else { "" });
    format!("| `{}` | `{}` | {default} | {kind} | {} |", setting.key, setting.env(), setting.meaning)
}

const INTRODUCTION: &str = "\
# Configuration

Written by `make docs` from the table in `server/src/config/table.rs`; a test fails when they differ.

A value comes from an environment variable, else from the TOML file named by `--config` or `SVC_CONFIG`, else from the
default. In the file, the part before the dot is the table: `http.port` is `port` in `[http]`; lists may be TOML lists.
Unknown variables that begin with `SVC_` and unknown keys stop the start, and so does a value that is not allowed.
`server config --explain` prints every setting with its effective value and where that came from.
";
