//! Additional language models: the tables `[[generator.endpoint]]` of the settings file.

use contract::answer_models::{DEFAULT_MODEL, QUOTED, is_name};
use url::Url;

use super::{
    Secret,
    kind::{Kind, number, optional, url},
};

/// A chat endpoint in addition to the one of `generator.url`.
#[derive(Debug, Clone)]
pub struct EndpointConfig {
    /// The name for operators and tenants.
    pub name: String,
    /// Up to and without `/chat/completions`.
    pub url: Url,
    /// Bearer token, if the endpoint requires one.
    pub api_key: Option<Secret>,
    /// The model's name at the endpoint.
    pub model: String,
    /// Tokens of prompt and answer together; the setting's value when `None`.
    pub window_tokens: Option<usize>,
    /// Answers that it makes at the same time.
    pub max_concurrent: usize,
    /// The price of a million tokens.
    pub prices: Prices,
}

/// Prices per million tokens, in `generator.currency`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Prices {
    /// Tokens of the prompt.
    pub prompt: f64,
    /// Tokens of the prompt that the endpoint had cached.
    pub cached: f64,
    /// Tokens of the answer.
    pub answer: f64,
}

impl Prices {
    /// Whether nothing costs anything.
    pub fn are_none(&self) -> bool {
        self.prompt <= 0.0 && self.cached <= 0.0 && self.answer <= 0.0
    }
}

/// The keys of a table, in the order in which they are documented.
pub const ENDPOINT_KEYS: [&str; 9] = [
    "name",
    "url",
    "api_key",
    "model",
    "window_tokens",
    "max_concurrent",
    "prompt_price",
    "cached_price",
    "answer_price",
];

/// The values of a price.
pub(super) fn price() -> Kind<f64> {
    number(0.0..=1_000_000.0).described_as("an amount of generator.currency for a million tokens, 0 to 1000000")
}

/// The values of a window.
pub(super) fn window() -> Kind<Option<usize>> {
    optional(number(1000..=10_000_000))
}

/// The values of a number of answers.
pub(super) fn concurrency() -> Kind<usize> {
    number(1..=1000)
}

/// Reads the tables.
///
/// # Errors
/// The error, without a value, which may be a secret.
pub(super) fn read(
    tables: &[toml::Value],
    plain: fn(&toml::Value) -> Option<String>,
) -> Result<Vec<EndpointConfig>, String> {
    let mut endpoints: Vec<EndpointConfig> = Vec::new();
    for (index, table) in tables.iter().enumerate() {
        let place = format!("generator.endpoint {}", index + 1);
        let table = table.as_table().ok_or_else(|| format!("{place} must be a table"))?;
        if let Some(unknown) = table.keys().find(|key| !ENDPOINT_KEYS.contains(&key.as_str())) {
            return Err(format!("{place} has the unknown key {unknown}; known are {}", ENDPOINT_KEYS.join(", ")));
        }
        let endpoint = read_one(&place, &|key| table.get(key).and_then(plain).unwrap_or_default())?;
        if endpoints.iter().any(|other| other.name == endpoint.name) {
            return Err(format!("{place}: name is that of another endpoint"));
        }
        endpoints.push(endpoint);
    }
    Ok(endpoints)
}

fn read_one(place: &str, value: &dyn Fn(&str) -> String) -> Result<EndpointConfig, String> {
    fn checked<T>(place: &str, key: &str, text: &str, kind: &Kind<T>) -> Result<T, String> {
        kind.parse(text.trim()).ok_or_else(|| format!("{place}: {key} must be {}", kind.allowed))
    }
    let or = |key: &str, default: &str| {
        Some(value(key)).filter(|text| !text.is_empty()).unwrap_or_else(|| default.to_owned())
    };
    let name = value("name");
    if !is_name(&name) || name == DEFAULT_MODEL || name == QUOTED {
        return Err(format!(
            "{place}: name must be 1 to 64 of a-z, 0-9, ., _ and -, begin with a letter or digit, and be neither default nor quoted"
        ));
    }
    let model = value("model").trim().to_owned();
    if model.is_empty() {
        return Err(format!("{place}: model must be a text, not empty"));
    }
    Ok(EndpointConfig {
        name,
        url: checked(place, "url", &value("url"), &url())?,
        api_key: Some(value("api_key")).filter(|key| !key.is_empty()).map(Secret::new),
        model,
        window_tokens: checked(place, "window_tokens", &value("window_tokens"), &window())?,
        max_concurrent: checked(place, "max_concurrent", &or("max_concurrent", "16"), &concurrency())?,
        prices: Prices {
            prompt: checked(place, "prompt_price", &or("prompt_price", "0"), &price())?,
            cached: checked(place, "cached_price", &or("cached_price", "0"), &price())?,
            answer: checked(place, "answer_price", &or("answer_price", "0"), &price())?,
        },
    })
}
