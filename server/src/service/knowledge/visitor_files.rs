//! Uploaded files that visitors open, by a signed link that is created when they expand a source and soon expires.

use std::time::Duration;

use chrono::Utc;
use contract::{
    ChatbotId, Endpoint, ErrorCode, OriginalId,
    documents::SourceFile,
    id::DocumentId,
    widget::{OpenSourceFile, SourceFileQuery},
};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use rag::document::archive;
use serde::{Deserialize, Serialize};
use store::{
    PgConnection, Scope,
    passages::SectionPassage,
    uploads::{self, OpenFile},
    widget::lookup::{self, WidgetChatbot},
};

use super::originals::Original;
use crate::{error::ApiResult, state::App};

/// How long a link is valid.
const LINK_LIFETIME: Duration = Duration::from_secs(5 * 60);

/// The claims of a link: the file, and its expiry.
#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    /// A file that replaces this one has another id, so that the link does not open it.
    sub: OriginalId,
    exp: i64,
}

/// An uploaded file that a visitor may open.
#[derive(Debug)]
pub struct VisitorFile {
    /// Its content.
    pub original: Original,
    /// Its name, without the folder.
    pub name: String,
    /// The extension that decides how it is read.
    pub file_type: String,
}

/// A key to sign the links of a source with.
pub(super) fn new_key() -> [u8; 32] {
    rand::random()
}

/// The link to the file of a passage, if visitors may open it. `None` for an archive, because it contains other
/// documents, too.
pub(super) async fn link(
    app: &App,
    connection: &mut PgConnection,
    chatbot: &WidgetChatbot,
    passage: &SectionPassage,
) -> ApiResult<Option<SourceFile>> {
    let (id, document) = (chatbot.config.chatbot_id, DocumentId(passage.document_id));
    let open_file = uploads::open_file_of(connection, chatbot.tenant_id, id, document).await?;
    let Some(file) = open_file.filter(|file| !archive::is_archive(&file.file_type)) else { return Ok(None) };
    let claims = Claims { sub: file.original, exp: (Utc::now() + LINK_LIFETIME).timestamp() };
    let token = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &EncodingKey::from_secret(&file.key));
    let token = token.map_err(|error| {
        tracing::error!(%error, "visitor_files.not_signed");
        ErrorCode::InternalError
    })?;
    let path = OpenSourceFile::path(&(id, file.original));
    let page = passage.anchor.as_deref().filter(|_| file.file_type == "pdf");
    let page = page.map(|anchor| format!("#{anchor}")).unwrap_or_default();
    let url = format!("{}{path}?token={token}{page}", app.settings.base_url);
    Ok(Some(SourceFile { name: name(&file).to_owned(), url }))
}

/// The link as Markdown below a section. Escapes markup in the name, and replaces square brackets, which would end the
/// link's text, by round ones.
pub(super) fn markdown(file: &SourceFile) -> String {
    let mut name = String::with_capacity(file.name.len());
    for c in file.name.chars() {
        match c {
            '[' => name.push('('),
            ']' => name.push(')'),
            '*' | '_' | '`' | '\\' | '<' | '>' => name.extend(['\\', c]),
            _ => name.push(c),
        }
    }
    format!("[{name}]({})", file.url)
}

/// The file of a link.
///
/// # Errors
/// `link_not_valid` when the link has ended, the tenant does not let visitors open the file any more, or it was replaced.
pub async fn find(
    app: &App,
    (chatbot, file): (ChatbotId, OriginalId),
    query: &SourceFileQuery,
) -> ApiResult<VisitorFile> {
    let widget_chatbot = lookup::find(&app.db, chatbot).await?.ok_or(ErrorCode::LinkNotValid)?;
    let mut tx = app.db.read(&Scope::widget(widget_chatbot.tenant_id)).await?;
    let file = uploads::open_file(&mut tx, widget_chatbot.tenant_id, chatbot, file).await?;
    drop(tx);
    let file = file.filter(|file| is_signed(file, &query.token)).ok_or(ErrorCode::LinkNotValid)?;
    let name = name(&file).to_owned();
    let bytes = file.bytes.unsigned_abs();
    let original =
        Original { tenant: widget_chatbot.tenant_id, id: file.original, bytes, content_hash: file.content_hash };
    Ok(VisitorFile { original, name, file_type: file.file_type })
}

/// Whether the token was created for this file and is still valid.
fn is_signed(file: &OpenFile, token: &str) -> bool {
    let mut rules = Validation::new(Algorithm::HS256);
    rules.leeway = 0;
    let decoded = jsonwebtoken::decode::<Claims>(token, &DecodingKey::from_secret(&file.key), &rules);
    decoded.is_ok_and(|token| token.claims.sub == file.original)
}

fn name(file: &OpenFile) -> &str {
    file.external_id.rsplit('/').next().unwrap_or(&file.external_id)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn file(key: u8, original: u128) -> OpenFile {
        OpenFile {
            external_id: "guides/returns.pdf".into(),
            file_type: "pdf".into(),
            content_hash: String::new(),
            bytes: 0,
            original: OriginalId(Uuid::from_u128(original)),
            key: vec![key; 32],
        }
    }

    fn token(file: &OpenFile, seconds: i64) -> String {
        let claims = Claims { sub: file.original, exp: Utc::now().timestamp() + seconds };
        let key = EncodingKey::from_secret(&file.key);
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &key).unwrap()
    }

    #[test]
    fn a_link_opens_one_file_until_it_ends() {
        let own = file(1, 1);
        assert!(is_signed(&own, &token(&own, 5)));
        assert!(!is_signed(&own, &token(&own, -1)), "it has ended");
        assert!(!is_signed(&own, &token(&file(1, 2), 5)), "it is for another file");
        assert!(!is_signed(&own, &token(&file(2, 1), 5)), "it is signed by another key");
        let unsigned =
            "eyJhbGciOiJub25lIn0.eyJzdWIiOiIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDEiLCJleHAiOjk5OTk5OTk5OTl9.";
        assert!(!is_signed(&own, unsigned) && !is_signed(&own, ""));
    }

    #[test]
    fn a_file_is_named_without_its_folder() {
        assert_eq!(name(&file(1, 1)), "returns.pdf");
    }

    #[test]
    fn a_name_is_no_markup() {
        use contract::markdown::{Block, Inline, parse};
        let url = "https://a.example/file?token=a.b-c_d#page=2".to_owned();
        for (name, label) in [
            ("returns.pdf", "returns.pdf"),
            ("[1] *a*_b_`c`](mailto:b) <d>.pdf", "(1) *a*_b_`c`)(mailto:b) <d>.pdf"),
            ("ü \\.pdf", "ü \\.pdf"),
            ("a\\]b", "a\\)b"),
        ] {
            let link = markdown(&SourceFile { name: name.to_owned(), url: url.clone() });
            let expected = Inline::Link { href: url.clone(), children: vec![Inline::Text(label.to_owned())] };
            assert_eq!(parse(&link), [Block::Paragraph(vec![expected])], "{link}");
        }
    }
}
