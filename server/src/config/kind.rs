//! The kinds of settings' values: how each is parsed and described.

use std::{fmt::Display, ops::RangeInclusive, path::PathBuf, str::FromStr};

use contract::ChatbotId;
use url::Url;

use super::{Cidr, Secret};

type Parse<T> = Box<dyn Fn(&str) -> Option<T>>;

pub(super) struct Kind<T> {
    /// Completes "allowed is ...".
    pub allowed: String,
    /// Whether values are masked.
    pub is_secret: bool,
    parse: Parse<T>,
}

impl<T> Kind<T> {
    fn new(allowed: impl Into<String>, parse: impl Fn(&str) -> Option<T> + 'static) -> Self {
        Self { allowed: allowed.into(), is_secret: false, parse: Box::new(parse) }
    }

    /// Parses a trimmed text; `None` when it is not allowed.
    pub(super) fn parse(&self, text: &str) -> Option<T> {
        (self.parse)(text)
    }

    /// This kind with another description of the allowed values.
    pub(super) fn described_as(self, allowed: &str) -> Self {
        Self { allowed: allowed.to_owned(), ..self }
    }
}

/// `None` for an empty text.
pub(super) fn optional<T: 'static>(kind: Kind<T>) -> Kind<Option<T>> {
    let Kind { allowed, is_secret, parse } = kind;
    let parse = move |text: &str| if text.is_empty() { Some(None) } else { parse(text).map(Some) };
    Kind { allowed: format!("{allowed}, or empty"), is_secret, parse: Box::new(parse) }
}

/// A text that is masked for display; `None` when it is empty.
pub(super) fn secret(allowed: &str, is_valid: impl Fn(&str) -> bool + 'static) -> Kind<Option<Secret>> {
    let parse = move |text: &str| match text {
        "" => Some(None),
        text => is_valid(text).then(|| Some(Secret::new(text))),
    };
    Kind { is_secret: true, ..Kind::new(allowed, parse) }
}

/// Any text that `T` can be parsed from.
pub(super) fn parsed<T: FromStr>(allowed: &str) -> Kind<T> {
    Kind::new(allowed, |text| text.parse().ok())
}

fn within<T: FromStr + PartialOrd + Display + 'static>(unit: &str, range: RangeInclusive<T>) -> Kind<T> {
    let allowed = format!("{} to {}{unit}", range.start(), range.end());
    Kind::new(allowed, move |text| text.parse().ok().filter(|value| range.contains(value)))
}

pub(super) fn number<T: FromStr + PartialOrd + Display + 'static>(range: RangeInclusive<T>) -> Kind<T> {
    within("", range)
}

pub(super) fn bytes(range: RangeInclusive<usize>) -> Kind<usize> {
    within(" bytes", range)
}

pub(super) fn milliseconds(range: RangeInclusive<u64>) -> Kind<u64> {
    within(" milliseconds", range)
}

pub(super) fn seconds(range: RangeInclusive<u64>) -> Kind<u64> {
    within(" seconds", range)
}

pub(super) fn days(range: RangeInclusive<i32>) -> Kind<i32> {
    within(" days", range)
}

pub(super) fn port() -> Kind<u16> {
    number(1..=u16::MAX).described_as("a port from 1 to 65535")
}

pub(super) fn switch() -> Kind<bool> {
    parsed("true or false")
}

/// Any text, also an empty one.
pub(super) fn text(allowed: &str) -> Kind<String> {
    Kind::new(allowed, |text| Some(text.to_owned()))
}

/// One of several names, each with its value.
pub(super) fn one_of<T: Clone + 'static, const N: usize>(names: [(&'static str, T); N]) -> Kind<T> {
    let all = names.each_ref().map(|(name, _)| *name);
    let allowed = match all.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    };
    Kind::new(allowed, move |text| names.iter().find(|(name, _)| *name == text).map(|(_, value)| value.clone()))
}

/// A currency by its code.
pub(super) fn currency() -> Kind<String> {
    Kind::new("the three letters of a currency such as EUR", |text| {
        (text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase())).then(|| text.to_owned())
    })
}

pub(super) fn folder() -> Kind<PathBuf> {
    path("a folder")
}

pub(super) fn file() -> Kind<PathBuf> {
    path("a file")
}

fn path(allowed: &str) -> Kind<PathBuf> {
    Kind::new(allowed, |text| (!text.is_empty()).then(|| PathBuf::from(text)))
}

/// An address without user, password, query and fragment; slashes at its end are ignored.
pub(super) fn url() -> Kind<Url> {
    Kind::new("an http or https address", |text| {
        let url = Url::parse(text.trim_end_matches('/')).ok()?;
        let is_plain = matches!(url.scheme(), "http" | "https") && url.query().is_none() && url.fragment().is_none();
        let is_anonymous = url.username().is_empty() && url.password().is_none();
        (is_plain && is_anonymous && url.has_host()).then_some(url)
    })
}

/// An address as of [`url`], without a path.
pub(super) fn root_url() -> Kind<Url> {
    let Kind { parse, .. } = url();
    Kind::new("an http or https address without a path, such as https://chat.example.com", move |text| {
        parse(text).filter(|url| url.path() == "/")
    })
}

/// A bucket of an S3-compatible service, and a prefix in it.
pub(super) fn bucket() -> Kind<Url> {
    Kind::new("the address of a bucket such as s3://bucket/prefix", |text| {
        let url = Url::parse(text.trim_end_matches('/')).ok()?;
        let is_plain = url.query().is_none() && url.fragment().is_none() && url.port().is_none();
        let is_anonymous = url.username().is_empty() && url.password().is_none();
        (url.scheme() == "s3" && is_plain && is_anonymous && url.has_host()).then_some(url)
    })
}

fn list<T>(allowed: &str, parse: impl Fn(&str) -> Option<T> + 'static) -> Kind<Vec<T>> {
    Kind::new(format!("a list of {allowed}, separated by commas"), move |text| {
        text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(&parse).collect()
    })
}

pub(super) fn networks() -> Kind<Vec<Cidr>> {
    list("networks such as 10.0.0.0/8 or ::1/128", |text| text.parse().ok())
}

/// Origins exactly as browsers write them: scheme, host, port, nothing else.
pub(super) fn origins() -> Kind<Vec<String>> {
    list("origins such as https://www.example.com", |text| {
        let url = Url::parse(text).ok()?;
        let is_http = matches!(url.scheme(), "http" | "https");
        (is_http && url.origin().ascii_serialization() == text).then(|| text.to_owned())
    })
}

/// Ids are in lower case with hyphens.
pub(super) fn chatbot() -> Kind<ChatbotId> {
    Kind::new("the id of a chatbot", ChatbotId::from_canonical)
}

pub(super) fn log_filter() -> Kind<String> {
    Kind::new("a filter such as warn, info or info,server=debug", |text| {
        let is_valid = !text.is_empty() && tracing_subscriber::EnvFilter::try_new(text).is_ok();
        is_valid.then(|| text.to_owned())
    })
}
