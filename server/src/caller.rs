//! The caller of a request, a user or a visitor's widget, with its database scope and audit actor.

use std::net::IpAddr;

use contract::{
    ErrorCode, TenantId,
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

/// A caller with a verified token.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The identity from the token.
    pub identity: Identity,
    /// When the token was issued, in seconds since 1970.
    pub issued_at: i64,
    /// The client's address.
    pub ip_address: Option<IpAddr>,
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
        Ok(scope.with_user(&self.identity.realm, &self.identity.username))
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
