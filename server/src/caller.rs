//! The caller of a request, a user or a visitor's widget, with its database scope and audit actor.

use std::net::IpAddr;

use contract::{
    ChatbotId, ErrorCode, TenantId,
    id::ApiKeyId,
    identity::{Identity, TokenScope},
};
use store::{Actor, Scope, widget::lookup::WidgetChatbot};

use crate::error::{ApiError, ApiResult};

/// The audit log's name for an administrator at the machine.
pub const COMMAND_LINE: &str = "command line";

/// An administrator at the machine in the audit log.
#[must_use]
pub fn command_line() -> Actor {
    Actor { role: "operator", user: COMMAND_LINE.to_owned(), ip_address: None, session_id: None }
}

/// The API key of a caller, as far as it limits what the caller reaches.
#[derive(Debug, Clone)]
pub struct KeyLimits {
    /// The key.
    pub id: ApiKeyId,
    /// The chatbots that it reaches; `None` is every chatbot of the tenant.
    pub chatbots: Option<Vec<ChatbotId>>,
}

/// A caller with a verified token or an API key.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The identity from the token; that of a key has the user name `key:<name>`.
    pub identity: Identity,
    /// When the token was issued, in seconds since 1970.
    pub issued_at: i64,
    /// The client's address.
    pub ip_address: Option<IpAddr>,
    /// The API key, unless the caller has a token.
    pub key: Option<KeyLimits>,
}

/// A widget whose origin is allowed.
#[derive(Debug)]
pub struct WidgetCaller {
    /// The chatbot with its tenant and configuration.
    pub chatbot: WidgetChatbot,
    /// The client's address.
    pub ip_address: Option<IpAddr>,
}

impl Caller {
    /// The scope of the caller's transactions.
    ///
    /// # Errors
    /// `tenant_not_active` when a tenant token has no tenant.
    pub fn scope(&self) -> ApiResult<Scope> {
        let scope = match self.identity.scope {
            TokenScope::Operator => Scope::operator(),
            TokenScope::Vendor => Scope::vendor(),
            TokenScope::Tenant => Scope::tenant(self.tenant()?),
        };
        let chatbots = self.key.as_ref().and_then(|key| key.chatbots.as_deref());
        Ok(scope.with_user(&self.identity.realm, &self.identity.username).limited_to(chatbots))
    }

    /// The tenant of a tenant user.
    ///
    /// # Errors
    /// `tenant_not_active` when the token has none.
    pub fn tenant(&self) -> ApiResult<TenantId> {
        self.identity.tenant_id.ok_or_else(|| ApiError::from(ErrorCode::TenantNotActive))
    }

    /// The tenant of a path: any for operators and vendors, the own one for tenant users.
    ///
    /// # Errors
    /// `tenant_not_found` when a tenant user requests another tenant, as if it did not exist.
    pub fn tenant_of_path(&self, tenant: TenantId) -> ApiResult<TenantId> {
        match self.identity.scope {
            TokenScope::Tenant if self.tenant()? != tenant => Err(ErrorCode::TenantNotFound.into()),
            _ => Ok(tenant),
        }
    }

    /// The caller in the audit log.
    pub fn actor(&self) -> Actor {
        Actor {
            role: self.identity.scope.as_str(),
            user: self.identity.username.clone(),
            ip_address: self.ip_address,
            session_id: self.identity.session_id.clone(),
        }
    }
}
