//! The response of an export: a CSV download.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, header, request::Parts};

use super::accept_language;
use crate::{
    error::ApiResult,
    export::{Client, Separator},
    shutdown::AbortSignal,
};

/// Languages of countries where a comma begins the fraction of a number. Spreadsheet programs separate fields by
/// semicolons there (CLDR, decimal symbols).
const DECIMAL_COMMA: &[&str] = &[
    "af", "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fr", "gl", "hr", "hu", "hy",
    "id", "is", "it", "ka", "kk", "lb", "lt", "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl",
    "sq", "sr", "sv", "tr", "uk", "vi",
];

/// A response whose body is a file with this name.
pub(super) async fn attachment<F>(parts: &Parts, name: &str, start: impl FnOnce(Client) -> F) -> ApiResult<Response>
where
    F: Future<Output = ApiResult<Body>>,
{
    let client = Client { separator: separator(&parts.headers), abort: AbortSignal::of(&parts.extensions) };
    let body = start(client).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::VARY, "accept-language".to_owned()),
    ];
    Ok((headers, body).into_response())
}

/// The separator of the client's first language; a comma when it names none.
fn separator(headers: &HeaderMap) -> Separator {
    let first = accept_language::languages(headers).next().unwrap_or_default().to_ascii_lowercase();
    if DECIMAL_COMMA.contains(&first.as_str()) { Separator::Semicolon } else { Separator::Comma }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_language_decides_the_separator() {
        for (languages, expected) in [
            ("de", Separator::Semicolon),
            ("DE-at,de;q=0.9,en;q=0.8", Separator::Semicolon),
            ("fr-FR", Separator::Semicolon),
            ("en-US,de;q=0.5", Separator::Comma),
            ("ja", Separator::Comma),
            ("*", Separator::Comma),
            ("", Separator::Comma),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, languages.parse().unwrap())]);
            assert_eq!(separator(&headers), expected, "{languages}");
        }
        assert_eq!(separator(&HeaderMap::new()), Separator::Comma);
    }
}
