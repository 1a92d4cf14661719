//! The process itself: rate limits, log and folders.

use std::path::PathBuf;

use http::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use crate::config::{
    ConfigError, LogFormat, Secret, Setting, Values,
    kind::{Kind, file, folder, log_filter, number, one_of, optional, secret, url},
    setting::sections,
};

sections! {
    /// Rate limits: requests in one second on average, and in a burst.
    rate_limit: RateLimitConfig {
        /// Calls of the widget's endpoints per second from one client address (IPv6: one /64). 0: no limit.
        public_per_second: u32 = "30", number(0..=100_000);
        /// Burst size of rate_limit.public_per_second, for many visitors who share an address.
        public_burst: u32 = "600", number(1..=1_000_000),
            constant "one or two dozen seconds of the rate";
        /// Questions per second to one chatbot from one client address (IPv6: one /64). 0: no limit.
        visitor_per_second: u32 = "3", number(0..=100_000);
        /// Burst size of rate_limit.visitor_per_second, for example for a class that asks from one address.
        visitor_burst: u32 = "60", number(1..=1_000_000),
            constant "one or two dozen seconds of the rate";
        /// Questions per second to one chatbot, from all clients. 0: no limit.
        chatbot_per_second: u32 = "20", number(0..=100_000);
        /// Burst size of rate_limit.chatbot_per_second.
        chatbot_burst: u32 = "200", number(1..=1_000_000),
            constant "one or two dozen seconds of the rate";
        /// Ratings per second of one chatbot's answers, from all clients. 0 means no limit.
        feedback_per_second: u32 = "5", number(0..=100_000),
            constant "people are slower";
        /// Burst size of rate_limit.feedback_per_second.
        feedback_burst: u32 = "100", number(1..=1_000_000),
            constant "one or two dozen seconds of the rate";
        /// Calls per second with tokens of one user. 0: no limit.
        principal_per_second: u32 = "50", number(0..=100_000);
        /// Burst size of rate_limit.principal_per_second.
        principal_burst: u32 = "500", number(1..=1_000_000),
            constant "one or two dozen seconds of the rate";
        /// Tokens per second with a wrong signature from one client address. Beyond it, calls from there with a token that was
        /// not accepted recently are refused. 0 means no limit.
        failed_per_second: u32 = "5", number(0..=100_000),
            constant "people are slower";
        /// Burst size of rate_limit.failed_per_second.
        failed_burst: u32 = "100", number(1..=1_000_000),
            constant "one or two dozen seconds of the rate";
    }

    /// Rate limits that several processes share.
    redis: RedisConfig {
        /// Redis or Valkey in which processes share their counts of requests. Without it, each counts separately.
        url: Option<Secret> = "",
            secret("an address such as redis://user:password@host:6379/0, or rediss:// with TLS", is_redis);
    }

    /// Outgoing connections with TLS.
    tls: TlsConfig {
        /// Certificate authorities (PEM) that all outgoing connections trust, beside those of the system. Read at the
        /// start.
        ca_file: Option<PathBuf> = "", optional(file());
    }

    /// The log.
    logging: LoggingConfig {
        /// Format of the log lines.
        format: LogFormat = "text", one_of([("text", LogFormat::Text), ("json", LogFormat::Json)]);
        /// Which log lines are written, by level and module.
        level: String = "info", log_filter();
    }

    /// Traces and metrics for a collector.
    otlp: OtlpConfig {
        /// Base address of an OpenTelemetry collector (OTLP over HTTP), without /v1/traces, such as http://127.0.0.1:4318. Off when
        /// empty.
        endpoint: Option<Url> = "", optional(url());
        /// Headers of the calls to otlp.endpoint, such as `authorization=Bearer%20...`: names and percent-encoded values, separated by
        /// commas.
        headers: Option<Secret> = "",
            secret("a list such as name=value,name=value with percent-encoded values", |text| header_list(text).is_some());
    }

    /// Folders.
    paths: PathsConfig {
        /// Folder for data that changes while the platform runs. An installed program uses `chatbot-platform` in
        /// XDG_STATE_HOME, in ~/.local/state or in /var/lib, and finds the other folders next to itself.
        var_dir: PathBuf = "var", folder();
        /// Folder of the fetched parts, which `make setup` writes. Several instances can share it.
        parts_dir: PathBuf = "var/parts", folder();
        /// Folder of the files for browsers, which `make build` writes.
        dist_dir: PathBuf = "dist", folder();
    }

    /// Load tests.
    loadtest: LoadtestConfig {
        /// Value of the header that bypasses rate limits in load tests. Off when empty.
        secret: Option<Secret> = "", secret("a text of at least 32 characters", |text| text.chars().count() >= 32);
    }
}

impl OtlpConfig {
    /// The headers of each call.
    pub(crate) fn headers(&self) -> HeaderMap {
        self.headers.as_ref().and_then(|secret| header_list(secret.expose())).unwrap_or_default()
    }
}

/// Reads a list of headers as OpenTelemetry writes it.
fn header_list(text: &str) -> Option<HeaderMap> {
    let header = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let mut value = HeaderValue::from_bytes(&percent_decoded(value.trim())?).ok()?;
        value.set_sensitive(true);
        Some((name.trim().parse::<HeaderName>().ok()?, value))
    };
    text.split(',').map(header).collect()
}

fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let mut parts = text.split('%');
    let mut decoded = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        decoded.push(u8::from_str_radix(digits, 16).ok()?);
        decoded.extend_from_slice(rest.as_bytes());
    }
    Some(decoded)
}

fn is_redis(text: &str) -> bool {
    redis::Client::open(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_a_list_with_percent_encoded_values() {
        let headers = header_list("authorization=Basic%20YTpi==, x-scope=one").unwrap();
        assert_eq!([&headers["authorization"], &headers["x-scope"]], ["Basic YTpi==", "one"]);
        for wrong in ["name", "na me=value", "name=%0", "name=%zz", "name=a%0Ab", "=value"] {
            assert!(header_list(wrong).is_none(), "{wrong}");
        }
    }
}
