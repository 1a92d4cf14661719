//! The session of a question. Its id continues the conversation, but opens nothing: audit rows and filter events name it. What was
//! said is opened by the session's token.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{
    ErrorCode, SessionId,
    widget::{SessionToken, WidgetMessage},
};
use sha2::{Digest as _, Sha256};
use store::{
    Exemption, Scope, WriteTx,
    conversations::{self, TokenHash},
    widget::lookup::WidgetChatbot,
};
use uuid::Uuid;

use crate::{error::ApiResult, state::App};

/// The session that a question belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Session {
    pub(super) id: SessionId,
    /// Whether the exchange begins it.
    pub(super) is_new: bool,
    /// The token with which the exchange takes place; `None` when the session's id alone continues it.
    pub(super) token: Option<SessionToken>,
    /// The name of the visitor for whom a tenant's program begins it.
    pub(super) visitor_ref: Option<String>,
    /// Whether it is from before sessions had tokens.
    lacks_token: bool,
}

impl Session {
    pub(super) fn new() -> Self {
        Self {
            id: SessionId(Uuid::new_v4()),
            is_new: true,
            token: Some(new_token()),
            visitor_ref: None,
            lacks_token: false,
        }
    }

    /// Finds the session of a question, with its messages if the token opens them.
    ///
    /// # Errors
    /// `session_not_found`.
    pub(super) async fn find(
        app: &App,
        chatbot: &WidgetChatbot,
        id: SessionId,
        token: Option<SessionToken>,
    ) -> ApiResult<(Self, Vec<WidgetMessage>)> {
        let (tenant, chatbot_id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
        let hash = token.as_ref().map(hash);
        let mut tx = app.db.read(&Scope::widget(tenant)).await?;
        let access = conversations::session_access(&mut tx, tenant, chatbot_id, id, hash.as_ref()).await?;
        let access = access.ok_or(ErrorCode::SessionNotFound)?;
        let mut messages = Vec::new();
        if access.is_open {
            let contact = chatbot.config.branding.fields.contact_url.as_deref();
            messages = conversations::messages(&mut tx, tenant, chatbot_id, id, contact).await?;
        }
        let token = token.filter(|_| access.is_open);
        Ok((Self { id, is_new: false, token, visitor_ref: None, lacks_token: !access.has_token }, messages))
    }

    /// Gives a session from before sessions had tokens its token, once. The token opens only later messages, because
    /// the first caller may have read the id somewhere.
    ///
    /// # Errors
    /// `service_unavailable` when the database is down.
    pub(super) async fn add_missing_token(&mut self, app: &App, chatbot: &WidgetChatbot) -> ApiResult<()> {
        if !self.lacks_token {
            return Ok(());
        }
        let (tenant, chatbot_id, token) = (chatbot.tenant_id, chatbot.config.chatbot_id, new_token());
        let mut tx = app.db.write(&Scope::widget(tenant)).await?;
        let is_first = conversations::set_first_token(&mut tx, tenant, chatbot_id, self.id, &hash(&token)).await?;
        tx.commit_exempt(Exemption::Conversation).await?;
        self.token = is_first.then_some(token);
        Ok(())
    }

    /// Begins or continues the session in the transaction that stores its messages.
    ///
    /// # Errors
    /// `session_not_found` when it was erased meanwhile.
    pub(super) async fn store(&self, tx: &mut WriteTx, chatbot: &WidgetChatbot) -> ApiResult<()> {
        let (tenant, chatbot_id) = (chatbot.tenant_id, chatbot.config.chatbot_id);
        if self.is_new {
            let hash = self.token.as_ref().map(hash);
            let opened = (hash.as_ref(), self.visitor_ref.as_deref());
            return Ok(conversations::start_session(tx, tenant, chatbot_id, self.id, opened).await?);
        }
        let exists = conversations::continue_session(tx, tenant, chatbot_id, self.id).await?;
        if exists { Ok(()) } else { Err(ErrorCode::SessionNotFound.into()) }
    }
}

fn new_token() -> SessionToken {
    SessionToken(URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()))
}

/// The stored form of a token. Its 256 random bits need no salt.
fn hash(token: &SessionToken) -> TokenHash {
    Sha256::digest(token.0.as_bytes()).into()
}
