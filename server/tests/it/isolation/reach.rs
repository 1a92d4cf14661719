//! Which rows of a table belong to a role in a scope, and which never may.

use crate::support::SeededTenant;

use super::probe::Table;

/// The tenant setting of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Not set, and never set before on this connection.
    Unset,
    /// The first tenant and its user.
    Own,
    /// An empty text, as it reads after a transaction ended.
    Empty,
}

impl Scope {
    /// Every scope; unset comes first, because a connection remembers settings.
    pub const ALL: [Self; 3] = [Self::Unset, Self::Own, Self::Empty];

    /// The statements that set it.
    pub fn settings(self, one: SeededTenant) -> String {
        let (tenant, realm, user) = match self {
            Self::Unset => return String::new(),
            Self::Own => (one.tenant.to_string(), "svc-tenants", "one-user"),
            Self::Empty => (String::new(), "", ""),
        };
        format!(
            "set local app.tenant_id = '{tenant}'; set local app.realm = '{realm}'; set local app.username = '{user}';"
        )
    }
}

/// The rows that a role may reach with a verb, and the rows that it must not.
pub struct AccessProbe {
    pub own: String,
    pub foreign: String,
    /// Whether the own rows are some.
    pub some: bool,
}

/// The reach of a role on a table.
pub fn of(table: &Table, role: &str, verb: &str, scope: Scope, one: SeededTenant) -> AccessProbe {
    let own = rows(table.parent.as_deref().unwrap_or(&table.name), role, verb, one);
    let (predicate, scoped) = match own {
        Rows::All => return AccessProbe { own: "true".to_owned(), foreign: "false".to_owned(), some: true },
        Rows::Always(predicate) => (predicate, false),
        Rows::InScope(predicate) => (predicate, true),
    };
    if scoped && scope != Scope::Own {
        // Without a tenant every row is another's.
        return AccessProbe { own: "false".to_owned(), foreign: "true".to_owned(), some: false };
    }
    AccessProbe { foreign: format!("({predicate}) is not true"), own: predicate, some: true }
}

/// A statement that gives an own row to another tenant, for roles that belong to a tenant.
pub fn give_away(table: &Table, role: &str, scope: Scope, one: SeededTenant) -> Option<String> {
    let tenant_role = matches!(role, "svc_tenant" | "svc_widget");
    if !tenant_role || scope != Scope::Own || !has_tenant(&table.name) {
        return None;
    }
    let (name, tenant) = (&table.name, one.tenant);
    Some(format!("update {name} set tenant_id = gen_random_uuid() where tenant_id = '{tenant}'"))
}

enum Rows {
    All,
    Always(String),
    InScope(String),
}

fn rows(table: &str, role: &str, verb: &str, one: SeededTenant) -> Rows {
    let actor = match role {
        "svc_operator" => "operator",
        "svc_vendor" => "vendor",
        "svc_tenant" => "tenant",
        _ => "anonymous",
    };
    let of_tenant = matches!(role, "svc_tenant" | "svc_widget");
    match table {
        "user_preferences" => Rows::InScope("realm = 'svc-tenants' and username = 'one-user'".to_owned()),
        "platform_audit_log" if of_tenant => {
            let user = if role == "svc_widget" { "widget" } else { "one-user" };
            let actor = format!("actor_role = '{actor}' and actor_user = '{user}'");
            Rows::InScope(format!("tenant_id = '{}' and {actor}", one.tenant))
        }
        "platform_audit_log" if verb == "insert" => {
            Rows::InScope(format!("actor_role = '{actor}' and actor_user = 'one-user'"))
        }
        "kh_bookmarks" | "kh_search_history" | "kh_saved_searches" if of_tenant => {
            let user = "realm = 'svc-tenants' and user_id = 'one-user'";
            Rows::InScope(format!("tenant_id = '{}' and {user}", one.tenant))
        }
        "idempotency_keys" if matches!(role, "svc_operator" | "svc_vendor") => {
            Rows::Always("tenant_id is null".to_owned())
        }
        _ if !of_tenant => Rows::All,
        "tenants" => Rows::InScope(format!("id = '{}'", one.tenant)),
        "modules" => Rows::Always("not internal_only".to_owned()),
        "chatbot_templates" => Rows::Always("status = 'active'".to_owned()),
        table if has_tenant(table) => Rows::InScope(format!("tenant_id = '{}'", one.tenant)),
        _ => Rows::All,
    }
}

/// Tables without a tenant are named; a new table counts as a tenant's.
fn has_tenant(table: &str) -> bool {
    !matches!(
        table,
        "tenants"
            | "modules"
            | "chatbot_templates"
            | "user_preferences"
            | "vendor_access_log"
            | "vendor_accounts"
            | "operator_accounts"
            | "retired_usernames"
            | "server_secrets"
    )
}
