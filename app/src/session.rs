//! The signed-in user, according to the API and not to the token, because the API decides what a token may do.

use contract::{
    TenantId,
    identity::{GetMe, Identity, TokenScope},
};
use leptos::prelude::*;

use crate::{api, problem::Problem};

/// The signed-in user, provided as context below the sign-in.
#[derive(Debug, Clone, Copy)]
pub struct Session(StoredValue<Identity>);

impl Session {
    /// Asks the API who is signed in.
    ///
    /// # Errors
    /// When the token's roles give no access, or the API is unreachable.
    pub async fn load() -> Result<Identity, Problem> {
        api::call::<GetMe>(&(), &(), &()).await
    }

    /// Provides `identity` as context.
    pub fn provide(identity: Identity) -> Self {
        let session = Self(StoredValue::new(identity));
        provide_context(session);
        session
    }

    /// The session of the pages below the sign-in.
    pub fn get() -> Self {
        expect_context()
    }

    /// The user's name.
    pub fn username(self) -> String {
        self.0.with_value(|identity| identity.username.clone())
    }

    /// The client at the identity provider that the user signed in with.
    pub fn client_id(self) -> String {
        self.0.with_value(|identity| identity.client_id.clone())
    }

    /// The user's role as named in the specification: operator, vendor, tenant-admin, tenant-viewer.
    pub fn role(self) -> &'static str {
        self.0.with_value(|identity| match identity.scope {
            TokenScope::Operator => "operator",
            TokenScope::Vendor => "vendor",
            TokenScope::Tenant if identity.is_tenant_admin() => "tenant-admin",
            TokenScope::Tenant => "tenant-viewer",
        })
    }

    /// The user's tenant.
    pub fn tenant_id(self) -> Option<TenantId> {
        self.0.with_value(|identity| identity.tenant_id)
    }

    /// Whether the user writes as an operator.
    pub fn is_operator(self) -> bool {
        self.0.with_value(|identity| identity.scope == TokenScope::Operator)
    }

    /// Whether the user may change things of the own tenant.
    pub fn is_tenant_admin(self) -> bool {
        self.0.with_value(Identity::is_tenant_admin)
    }
}
