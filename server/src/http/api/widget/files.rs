//! Uploaded files that visitors open from the sources of an answer.

use axum::response::{IntoResponse, Response};
use contract::{ErrorCode, widget::OpenSourceFile};
use http::{HeaderMap, HeaderValue, header};

use crate::{
    error::{ApiError, ApiResult},
    http::{
        accept_language,
        endpoint::{Anyone, Call},
        file_response::{self, Disposition, Kind, SANDBOX},
    },
    service::knowledge::{media_types, visitor_files},
    state::App,
};

/// Browsers show a PDF in a separate viewer without access to the page's origin; Chromium shows none in a sandbox.
const POLICY_OF_PDF: &str = "default-src 'none'; frame-ancestors 'none'";

pub(super) async fn open(app: App, call: Call<OpenSourceFile, Anyone>) -> ApiResult<Response> {
    let client = app.limiter.client(&call.parts);
    app.limiter.public(&client).await?;
    app.limiter.download(&client).await?;
    let opened = async {
        let file = visitor_files::find(&app, call.path, &call.query).await?;
        let permit = || app.download_limiter().visitor(file.original.tenant, &client);
        let name_and_kind = (file.name.as_str(), kind(&file.file_type));
        file_response::response(&app, &call.parts, &file.original, name_and_kind, permit).await
    };
    let mut response = opened.await.unwrap_or_else(|error| refusal(&call.parts.headers, error));
    // The address contains the token.
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(response)
}

/// Files that are safe in a browser are shown there. Pages are downloaded, because a foreign one would look like the
/// platform's.
fn kind(file_type: &str) -> Kind {
    let media_type = media_types::of_extension(file_type).unwrap_or("application/octet-stream");
    let inline = Kind { media_type, disposition: Disposition::Inline, policy: SANDBOX };
    match file_type {
        "pdf" => Kind { policy: POLICY_OF_PDF, ..inline },
        "md" | "markdown" | "txt" | "text" | "jsonl" | "ndjson" => {
            Kind { media_type: "text/plain; charset=utf-8", ..inline }
        }
        "png" | "jpg" | "jpeg" => inline,
        _ => Kind { disposition: Disposition::Attachment, ..inline },
    }
}

/// The error; to a browser that opens the link as a page, as a sentence in the visitor's language.
fn refusal(headers: &HeaderMap, error: ApiError) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_gone = error.is(ErrorCode::LinkNotValid) || error.is(ErrorCode::OriginalNotFound);
    if !is_gone || !accepted.contains("text/html") {
        return error.into_response();
    }
    let mut response = error.into_response();
    *response.body_mut() = accept_language::languages(headers).find_map(sentence).unwrap_or(ENGLISH).into();
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

const ENGLISH: &str = "This link is no longer valid. Open the source in the chat again.";

fn sentence(language: &str) -> Option<&'static str> {
    Some(match language {
        "de" => "Dieser Link gilt nicht mehr. Öffnen Sie die Quelle im Chat erneut.",
        "en" => ENGLISH,
        "es" => "Este enlace ya no es válido. Vuelva a abrir la fuente en el chat.",
        "fr" => "Ce lien n’est plus valide. Ouvrez de nouveau la source dans le chat.",
        "it" => "Questo link non è più valido. Apra di nuovo la fonte nella chat.",
        "nl" => "Deze link is niet meer geldig. Open de bron opnieuw in de chat.",
        "pt" => "Esta ligação já não é válida. Abra novamente a fonte no chat.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_act_is_shown_in_the_browser() {
        for file_type in ["html", "htm", "xhtml", "svg", "docx", "epub", "csv", ""] {
            assert_eq!(kind(file_type).disposition, Disposition::Attachment, "{file_type}");
        }
        for file_type in ["pdf", "png", "jpg", "md", "txt"] {
            assert_eq!(kind(file_type).disposition, Disposition::Inline, "{file_type}");
        }
    }

    #[tokio::test]
    async fn a_browser_gets_a_sentence_in_the_visitors_language() {
        let refused = async |accept: &str, language: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            headers.insert(header::ACCEPT_LANGUAGE, language.parse().unwrap());
            let response = refusal(&headers, ErrorCode::LinkNotValid.into());
            assert_eq!(response.status(), 404);
            let body = axum::body::to_bytes(response.into_body(), 1_000).await.unwrap();
            String::from_utf8(body.to_vec()).unwrap()
        };
        let page = "text/html,application/xhtml+xml,*/*;q=0.8";
        assert!(refused(page, "pl, de-AT;q=0.8, en;q=0.5").await.starts_with("Dieser Link gilt nicht mehr."));
        assert_eq!(refused(page, "pl").await, ENGLISH);
        assert!(refused("application/json", "de").await.contains("link_not_valid"));
    }
}
