//! Erases one conversation on behalf of an administrator on the command line, who has no token. The audit log records
//! the erasure but never the content.

use contract::{ChatbotId, SessionId, TenantId, audit::actions};
use serde_json::json;
use store::{
    Actor, AuditEntry, Db, Scope,
    conversations::erase::{self, Erased},
};

use crate::caller::{self, COMMAND_LINE};

/// Why nothing was erased.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// No chatbot has this id or slug.
    #[error("no chatbot has the id or slug \"{0}\"")]
    UnknownChatbot(String),
    /// The tenant does not exist, or has no such chatbot.
    #[error("the tenant \"{0}\" does not exist, or has no chatbot with the id or slug \"{1}\"")]
    UnknownChatbotOf(String, String),
    /// Several tenants have a chatbot with this slug.
    #[error("{0} tenants have a chatbot with the slug \"{1}\"; name one with --tenant")]
    AmbiguousChatbot(usize, String),
    /// The chatbot has no such session.
    #[error("the chatbot has no session {0}; nothing was erased")]
    UnknownSession(SessionId),
}

/// Erases a session of the chatbot with this id, or this slug and where needed its tenant's: removes messages and
/// session, reduces its feedback to rating and category, and removes the texts of its rows in the output-filter audit.
/// Works for deactivated chatbots and deleted tenants, too.
///
/// # Errors
/// [`Error`]; nothing is erased then, and no audit row is written.
pub async fn erase(db: &Db, chatbot: &str, tenant_slug: Option<&str>, session: SessionId) -> Result<Erased, Error> {
    let mut tx = db.write(&Scope::operator().with_user("", COMMAND_LINE)).await?;
    let chatbots = store::chatbots::find_including_deleted(&mut tx, tenant_slug, chatbot).await?;
    let &[(tenant, id)] = chatbots.as_slice() else {
        return Err(match (chatbots.len(), tenant_slug) {
            (0, None) => Error::UnknownChatbot(chatbot.to_owned()),
            (0, Some(tenant)) => Error::UnknownChatbotOf(tenant.to_owned(), chatbot.to_owned()),
            (number, _) => Error::AmbiguousChatbot(number, chatbot.to_owned()),
        });
    };
    let Some(erased) = erase::erase(&mut tx, tenant, id, session).await? else {
        return Err(Error::UnknownSession(session));
    };
    tx.commit_audited(&entry(caller::command_line(), tenant, id, session, erased)).await?;
    Ok(erased)
}

/// The audit row of an erasure: how much there was, and no text.
pub(super) fn entry(
    actor: Actor,
    tenant: TenantId,
    chatbot: ChatbotId,
    session: SessionId,
    erased: Erased,
) -> AuditEntry {
    let Erased { messages, feedback, filter_rows } = erased;
    AuditEntry {
        actor,
        tenant_id: Some(tenant),
        chatbot_id: Some(chatbot),
        action: actions::CHAT_SESSION_ERASED,
        entity_type: "chat_session",
        entity_id: session.to_string(),
        details: json!({
            "before": { "messages": messages, "feedback": feedback, "output_filter_audit": filter_rows },
            "after": null,
        }),
    }
}
