//! The section of a document behind a source of an answer, for documents without an address to open.

use std::sync::Arc;

use contract::{ChatbotId, ErrorCode, documents::SourceSection, id::PassageId};
use rag::{filter::Context, generate, snippet};
use store::{
    Scope,
    passages::{self, Section},
    widget::lookup::WidgetChatbot,
};

use super::visitor_files;
use crate::{caller::Caller, error::ApiResult, service::chatbot_tx, state::App};

/// Maximum characters of a section that are shown.
const MAX_SECTION_CHARS: usize = 12_000;
/// The prefix of a passage that continues a section.
const CONTINUES: &str = "…";

/// A section as the chatbot's tenant reads it.
///
/// # Errors
/// `chatbot_not_found`, `passage_not_found`.
pub async fn of_tenant(
    app: &App,
    caller: &Caller,
    (chatbot, passage): (ChatbotId, PassageId),
) -> ApiResult<SourceSection> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let section = passages::section(&mut tx, tenant, chatbot, passage).await?;
    Ok(joined(&section).ok_or(ErrorCode::PassageNotFound)?)
}

/// A section as a visitor reads it: with everything masked that the output filter blocks or masks in sources.
///
/// # Errors
/// `passage_not_found`.
pub async fn of_visitor(app: &App, chatbot: &WidgetChatbot, passage: PassageId) -> ApiResult<SourceSection> {
    let mut tx = app.db.read(&Scope::widget(chatbot.tenant_id)).await?;
    let section = passages::section(&mut tx, chatbot.tenant_id, chatbot.config.chatbot_id, passage).await?;
    let file = match section.passages.iter().find(|passage| passage.is_own) {
        Some(own) => visitor_files::link(app, &mut tx, chatbot, own).await?,
        None => None,
    };
    drop(tx);
    let SourceSection { title, heading, content, is_cut, .. } = joined(&section).ok_or(ErrorCode::PassageNotFound)?;
    let (language, prompt) = (&chatbot.config.language, &chatbot.system_prompt);
    let context = Arc::new(Context::new(language, prompt, vec![content.clone()]));
    let redacted = |text: &str| app.settings.output_filter.redact(text, &context);
    // Again without its markup, which may have split a match.
    let redacted_content = redacted(&content);
    let plain = snippet::plain(&redacted_content);
    let redacted_plain = redacted(&plain);
    let content = if redacted_plain == plain { redacted_content } else { redacted_plain };
    // The widget shows no tables.
    let content = generate::with_lists(&content);
    let content = match &file {
        Some(file) => format!("{content}\n\n{}", visitor_files::markdown(file)),
        None => content,
    };
    Ok(SourceSection { title: redacted(&title), heading: redacted(&heading), content, is_cut, file })
}

/// The passages as one text.
fn joined(section: &Section) -> Option<SourceSection> {
    let first = section.passages.first()?;
    let parts: Vec<&str> = section
        .passages
        .iter()
        .enumerate()
        .map(|(index, passage)| match passage.content.strip_prefix(CONTINUES) {
            Some(rest) if index > 0 => rest.trim_start(),
            _ => passage.content.as_str(),
        })
        .collect();
    let whole = parts.join("\n\n");
    let mut content: String = whole.chars().take(MAX_SECTION_CHARS).collect();
    let is_cut = section.is_cut || content.len() < whole.len();
    if is_cut {
        content.push_str(" …");
    }
    Some(SourceSection { title: first.title.clone(), heading: first.heading.clone(), content, is_cut, file: None })
}

#[cfg(test)]
mod tests {
    use store::passages::SectionPassage;
    use uuid::Uuid;

    use super::*;

    fn section(passages: Vec<SectionPassage>) -> Option<SourceSection> {
        joined(&Section { passages, is_cut: false })
    }

    fn passage(ordinal: i32, content: &str) -> SectionPassage {
        let (title, heading) = ("Guide".to_owned(), "Returns".to_owned());
        let (content, is_own) = (content.to_owned(), ordinal == 1);
        SectionPassage { ordinal, document_id: Uuid::nil(), title, heading, content, anchor: None, is_own }
    }

    #[test]
    fn passages_of_a_section_become_one_text() {
        let whole = section(vec![passage(0, "One.\n"), passage(1, "… Two."), passage(2, "Three.")]).unwrap();
        assert_eq!((whole.content.as_str(), whole.is_cut), ("One.\n\n\nTwo.\n\nThree.", false));
        assert!(section(Vec::new()).is_none());
        let long = section(vec![passage(1, &"ü".repeat(MAX_SECTION_CHARS + 1))]).unwrap();
        assert_eq!((long.content.chars().count(), long.is_cut), (MAX_SECTION_CHARS + " …".chars().count(), true));
        let rest = section(vec![passage(1, "… The end.")]).unwrap();
        assert!(rest.content.starts_with('…'), "what is before it is unknown");
        let cut = joined(&Section { passages: vec![passage(1, "One.")], is_cut: true }).unwrap();
        assert_eq!((cut.content.as_str(), cut.is_cut), ("One. …", true));
    }
}
