//! The scope of a transaction: the database role, the tenant and the user.

use std::fmt::Write;

use contract::{ChatbotId, TenantId};
use uuid::Uuid;

use crate::{connection_limiter::ShareOwner, local_settings::LocalSettings};

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

/// The scope of a transaction. The server derives it from a verified token or from the chatbot of a public call, never
/// from input of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    role: Role,
    tenant: Option<TenantId>,
    user: Option<(String, String)>,
    /// The only chatbots whose rows it sees; `None` is all of the tenant.
    chatbots: Option<Vec<ChatbotId>>,
    is_exempt: bool,
    /// The share that the connection counts for, if it is not that of the role and the tenant.
    share: Option<ShareOwner>,
}

impl Scope {
    const fn of(role: Role, tenant: Option<TenantId>) -> Self {
        Self { role, tenant, user: None, chatbots: None, is_exempt: false, share: None }
    }

    /// A platform operator: every tenant, read and write.
    pub fn operator() -> Self {
        Self::of(Role::Operator, None)
    }

    /// A vendor: every tenant, read.
    pub fn vendor() -> Self {
        Self::of(Role::Vendor, None)
    }

    /// A user or task of one tenant: that tenant only.
    pub fn tenant(tenant: TenantId) -> Self {
        Self::of(Role::Tenant, Some(tenant))
    }

    /// A public widget call, its tenant derived from the chatbot.
    pub fn widget(tenant: TenantId) -> Self {
        Self::of(Role::Widget, Some(tenant))
    }

    /// The server itself: looks up chatbots and tenants, runs background tasks.
    pub fn system() -> Self {
        Self::of(Role::System, None)
    }

    /// Takes no share of the connections, for writes that must succeed however many calls of the tenant wait.
    #[must_use]
    pub fn exempt_from_shares(mut self) -> Self {
        self.is_exempt = true;
        self
    }

    /// Counts for the tenant's share of knowledge hub searches, which is separate from that of its consoles and
    /// visitors.
    #[must_use]
    pub fn searching_for(mut self, tenant: TenantId) -> Self {
        self.share = Some(ShareOwner::Searches(tenant));
        self
    }

    /// The server itself, which looks up the chatbot or the session that a public call names. Counts for the share of
    /// these lookups, and for that of this id.
    pub fn looking_up(id: Uuid) -> Self {
        Self { share: Some(ShareOwner::Lookups(id)), ..Self::system() }
    }

    /// The same with a picture of a branding.
    pub fn looking_up_pictures() -> Self {
        Self::looking_up(Uuid::nil())
    }

    /// Adds the user, which gives access to that user's own rows.
    #[must_use]
    pub fn with_user(mut self, realm: &str, username: &str) -> Self {
        self.user = Some((realm.to_owned(), username.to_owned()));
        self
    }

    /// Limits a tenant's scope to these chatbots, as an API key may be.
    #[must_use]
    pub fn limited_to(mut self, chatbots: Option<&[ChatbotId]>) -> Self {
        self.chatbots = chatbots.map(<[ChatbotId]>::to_vec);
        self
    }

    /// Whether every name can be stored: the database does not support NUL.
    pub(crate) fn is_storable(&self) -> bool {
        !self.user.iter().any(|(realm, username)| realm.contains('\0') || username.contains('\0'))
    }

    /// The owner of the share of connections that the transaction counts for.
    pub(crate) fn share_owner(&self) -> ShareOwner {
        if let Some(share) = self.share {
            return share;
        }
        match (self.role, self.tenant) {
            _ if self.is_exempt => ShareOwner::Server,
            (Role::Operator, _) => ShareOwner::Operators,
            (Role::Vendor, _) => ShareOwner::Vendors,
            (Role::Tenant, Some(tenant)) => ShareOwner::Tenant(tenant),
            (Role::Widget, Some(tenant)) => ShareOwner::Widget(tenant),
            (Role::System | Role::Tenant | Role::Widget, _) => ShareOwner::Server,
        }
    }

    /// The statements that begin the transaction with this scope and its settings, for one round trip. Role names are
    /// constants, a tenant is a UUID, and every character of the user's names is escaped.
    pub(crate) fn begin(&self, read_only: bool, settings: &LocalSettings) -> String {
        // Not `read write`, which would override an administrator who made the database read-only.
        let mode = if read_only { "read only" } else { "" };
        format!("begin {mode}; {settings}{}", self.statements())
    }

    /// The statements that give a transaction this scope.
    pub(crate) fn statements(&self) -> String {
        let tenant = self.tenant.map(|tenant| tenant.to_string()).unwrap_or_default();
        let role = self.role.name();
        let mut statements = format!("set local role {role}; set local app.tenant_id = '{tenant}'");
        if let Some((realm, username)) = &self.user {
            let (realm, username) = (literal(realm), literal(username));
            let _ = write!(statements, "; set local app.realm = {realm}; set local app.username = {username}");
        }
        if let Some(chatbots) = &self.chatbots {
            // No chatbot has the nil id: an empty list would read as no limit.
            let ids = chatbots.iter().map(|id| id.0).chain([Uuid::nil()]);
            let ids = ids.map(|id| id.to_string()).collect::<Vec<_>>().join(",");
            let _ = write!(statements, "; set local app.chatbot_ids = '{ids}'");
        }
        statements
    }
}

/// A text as an SQL literal of ASCII letters and digits only; every other character is escaped.
pub(crate) fn literal(text: &str) -> String {
    let mut literal = String::from("E'");
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            literal.push(character);
        } else {
            let _ = write!(literal, "\\U{:08X}", u32::from(character));
        }
    }
    literal.push('\'');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_users_name_cannot_leave_its_literal() {
        assert_eq!(literal("olivia7"), "E'olivia7'");
        assert_eq!(literal("o'; drop"), "E'o\\U00000027\\U0000003B\\U00000020drop'");
        assert_eq!(literal("\\é😀"), "E'\\U0000005C\\U000000E9\\U0001F600'");
        let scope = Scope::operator().with_user("svc-platform", "'; set role postgres; --");
        let begin = scope.begin(true, &LocalSettings::default());
        assert_eq!(begin.matches('\'').count(), 6, "{begin}");
        assert!(!Scope::operator().with_user("svc-platform", "a\0b").is_storable());
    }

    #[test]
    fn a_limit_to_no_chatbot_is_not_a_limit_to_all() {
        let of = |chatbots| Scope::tenant(TenantId(Uuid::nil())).limited_to(chatbots).statements();
        assert!(!of(None).contains("app.chatbot_ids"));
        assert!(of(Some(&[])).ends_with("app.chatbot_ids = '00000000-0000-0000-0000-000000000000'"));
    }
}
