//! The identity of the caller.

use serde::{Deserialize, Serialize};

use crate::{
    TenantId, Timestamp,
    endpoint::{Audit, endpoints},
    text_enum::text_enum,
};

text_enum! {
    /// What a token may do.
    pub enum TokenScope {
        /// Platform operator: writes tenants, templates and modules, sees every tenant.
        Operator = "operator",
        /// Support: reads every tenant.
        Vendor = "vendor",
        /// Tenant user: sees the own tenant only.
        Tenant = "tenant",
    }
}

/// The caller as its token says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Identity {
    /// The realm that issued the token.
    pub realm: String,
    /// The user name; with the realm it is the identity.
    pub username: String,
    /// What the token may do.
    pub scope: TokenScope,
    /// The realm roles of the token.
    pub roles: Vec<String>,
    /// The tenant of a tenant user.
    pub tenant_id: Option<TenantId>,
    /// The client that obtained the token.
    pub client_id: String,
    /// The session at the identity provider.
    pub session_id: Option<String>,
    /// When the token expires.
    pub expires_at: Timestamp,
}

impl Identity {
    /// Whether the caller may change things of its tenant.
    pub fn is_tenant_admin(&self) -> bool {
        self.scope == TokenScope::Tenant && self.roles.iter().any(|role| role == "tenant-admin")
    }
}

endpoints! {
    /// Tells who the caller is.
    GetMe: Get "/api/v1/me", AnyScope, Audit::Reads, 200, (()) ? (), () => Identity;
    /// Tells who the caller is; the same as `/api/v1/me`.
    WhoAmI: Get "/api/v1/whoami", AnyScope, Audit::Reads, 200, (()) ? (), () => Identity;
}
