//! Responses with files, which are streamed from the storage and never loaded as a whole.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use contract::percent;
use http::{Method, StatusCode, header, request::Parts};

use crate::{
    admission::download_limiter::DownloadPermit, error::ApiResult, http::etag, service::knowledge::originals::Original,
    state::App,
};

/// Nothing in a file runs, wherever it is opened.
pub(super) const SANDBOX: &str = "sandbox; default-src 'none'";

/// What a browser does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disposition {
    /// The browser shows the file.
    Inline,
    /// The browser saves the file.
    Attachment,
}

/// How a file is served.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub media_type: &'static str,
    pub disposition: Disposition,
    /// The content security policy.
    pub policy: &'static str,
}

/// An uploaded file under its name, or 304 when the client has it already. The file is read only for its content.
pub(super) async fn response(
    app: &App,
    request: &Parts,
    original: &Original,
    (name, kind): (&str, Kind),
    permit: impl FnOnce() -> ApiResult<DownloadPermit>,
) -> ApiResult<Response> {
    let tag = format!("\"{}\"", original.content_hash);
    let is_known = etag::is_known(&request.headers, &tag);
    let common = [(header::ETAG, tag), (header::CONTENT_SECURITY_POLICY, kind.policy.to_owned())];
    if is_known {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let headers = [
        (header::CONTENT_TYPE, kind.media_type.to_owned()),
        (header::CONTENT_LENGTH, original.bytes.to_string()),
        (header::CONTENT_DISPOSITION, disposition(kind.disposition, name)),
    ];
    let body = match request.method {
        Method::HEAD => Body::empty(),
        _ => Body::from_stream(original.open(app, permit()?).await?),
    };
    Ok((common, headers, body).into_response())
}

/// A name to save the file under: in ASCII for old programs, and as it is (RFC 6266, RFC 8187).
fn disposition(disposition: Disposition, name: &str) -> String {
    let kind = match disposition {
        Disposition::Inline => "inline",
        Disposition::Attachment => "attachment",
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    let ascii: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    format!("{kind}; filename=\"{ascii}\"; filename*=UTF-8''{}", percent::encoded(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_never_leaves_its_header() {
        let plain = disposition(Disposition::Inline, "a.pdf");
        assert_eq!(plain, "inline; filename=\"a.pdf\"; filename*=UTF-8''a.pdf");
        let odd = disposition(Disposition::Attachment, "Ü\"; x=\r\n1.pdf");
        assert_eq!(odd, "attachment; filename=\"___ x___1.pdf\"; filename*=UTF-8''%C3%9C%22%3B%20x%3D%0D%0A1.pdf");
    }
}
