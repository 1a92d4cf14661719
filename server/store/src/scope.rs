//! On whose behalf a transaction runs: the database role, the tenant and the user.

use contract::TenantId;

use crate::places::Party;

/// The database role of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Operator,
    Vendor,
    Tenant,
    Widget,
    System,
}

impl Role {
    const fn name(self) -> &'static str {
        match self {
            Self::Operator => "svc_operator",
            Self::Vendor => "svc_vendor",
            Self::Tenant => "svc_tenant",
            Self::Widget => "svc_widget",
            Self::System => "svc_system",
        }
    }
}

/// On whose behalf a transaction runs. The server derives it from a verified token or from the
/// chatbot of a public call; a client never says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    role: Role,
    tenant: Option<TenantId>,
    user: Option<(String, String)>,
    is_owed: bool,
}

impl Scope {
    /// A platform operator: every tenant, read and write.
    pub fn operator() -> Self {
        Self { role: Role::Operator, tenant: None, user: None, is_owed: false }
    }

    /// A vendor: every tenant, read.
    pub fn vendor() -> Self {
        Self { role: Role::Vendor, tenant: None, user: None, is_owed: false }
    }

    /// A user or task of one tenant: that tenant only.
    pub fn tenant(tenant: TenantId) -> Self {
        Self { role: Role::Tenant, tenant: Some(tenant), user: None, is_owed: false }
    }

    /// A public widget call, its tenant derived from the chatbot.
    pub fn widget(tenant: TenantId) -> Self {
        Self { role: Role::Widget, tenant: Some(tenant), user: None, is_owed: false }
    }

    /// The server itself: looks up chatbots and tenants, runs background tasks.
    pub fn system() -> Self {
        Self { role: Role::System, tenant: None, user: None, is_owed: false }
    }

    /// Takes no share of the connections: for what must be written however many calls of the tenant wait.
    #[must_use]
    pub fn owed(mut self) -> Self {
        self.is_owed = true;
        self
    }

    /// Adds the user, who reaches the own preferences.
    #[must_use]
    pub fn with_user(mut self, realm: &str, username: &str) -> Self {
        self.user = Some((realm.to_owned(), username.to_owned()));
        self
    }

    pub(crate) fn user(&self) -> Option<&(String, String)> {
        self.user.as_ref()
    }

    /// Whose share of the connections the transaction takes.
    pub(crate) fn party(&self) -> Party {
        match (self.role, self.tenant) {
            _ if self.is_owed => Party::Server,
            (Role::Operator, _) => Party::Operators,
            (Role::Vendor, _) => Party::Vendors,
            (Role::Tenant, Some(tenant)) => Party::Tenant(tenant),
            (Role::Widget, Some(tenant)) => Party::Visitors(tenant),
            (Role::System | Role::Tenant | Role::Widget, _) => Party::Server,
        }
    }

    /// The statement that begins the transaction with this scope. Holds no text from outside: role
    /// names are constants and a tenant is a UUID.
    pub(crate) fn begin(&self, read_only: bool) -> String {
        // Not `read write`: that would override an administrator who made the database read-only.
        let mode = if read_only { "read only" } else { "" };
        let tenant = self.tenant.map(|tenant| tenant.to_string()).unwrap_or_default();
        let role = self.role.name();
        format!("begin {mode}; set local role {role}; set local app.tenant_id = '{tenant}'")
    }
}
