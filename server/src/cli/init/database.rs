//! The database: checks before anything is changed, then creation, migrations and the login role's password.

use store::{
    bootstrap,
    installation::{self, ServerFacts},
};
use url::Url;

use crate::{cli::CliError, config::Secret, embedded::postgres::random_password};

/// The one role that logs in.
const LOGIN_ROLE: &str = "svc_app";

/// What the database lacks.
pub(super) struct DatabasePlan {
    name: String,
    version: i32,
    creates_database: bool,
    pending: usize,
    sets_password: bool,
}

impl DatabasePlan {
    pub(super) fn lines(&self) -> Vec<String> {
        let Self { name, version, .. } = self;
        let mut lines = Vec::new();
        lines.extend(self.creates_database.then(|| format!("create the database {name} on PostgreSQL {version}")));
        lines.extend((self.pending > 0).then(|| format!("apply {} migrations to the database {name}", self.pending)));
        lines.extend(self.sets_password.then(|| format!("set the password of the role {LOGIN_ROLE}")));
        lines
    }
}

/// The address of the login role, and whether it is new.
pub(super) fn login_url(configured: Option<String>, owner_url: &Secret) -> Result<(Secret, bool), CliError> {
    if let Some(configured) = configured {
        return Ok((Secret::new(configured), false));
    }
    let derived = || {
        let mut url = Url::parse(owner_url.expose()).ok()?;
        url.set_username(LOGIN_ROLE).ok()?;
        url.set_password(Some(&random_password())).ok()?;
        Some(Secret::new(url.to_string()))
    };
    let refused = || CliError::Other("database.admin_url names no host: set database.url as well".to_owned());
    Ok((derived().ok_or_else(refused)?, true))
}

/// Checks the server and the owner's rights, and finds out what is missing.
pub(super) async fn plan(
    owner_url: &Secret,
    login_url: &Secret,
    is_new_url: bool,
    replace_password: bool,
) -> Result<DatabasePlan, CliError> {
    let facts = installation::facts(owner_url.expose()).await?;
    check(&facts)?;
    store::refuse_newer(&facts.applied)?;
    let can_login = !is_new_url && facts.has_login_role && installation::accepts(login_url.expose()).await?;
    if facts.has_login_role && !can_login && !replace_password {
        return Err(CliError::Other(format!(
            "the role {LOGIN_ROLE} is on this PostgreSQL server already, with another password than the settings have: set \
             database.url (SVC_DATABASE_URL) with its password, or add --replace-password, which locks out other platforms on \
             this server"
        )));
    }
    Ok(DatabasePlan {
        name: facts.database,
        version: facts.server.version_number / 10_000,
        creates_database: !facts.has_database,
        pending: store::pending_migrations(&facts.applied).len(),
        sets_password: !can_login,
    })
}

/// Refuses a server or a role that cannot have the platform.
fn check(facts: &ServerFacts) -> Result<(), CliError> {
    let (role, database) = (&facts.rights.role, &facts.database);
    let fault = if let Some(fault) = facts.server.fault() {
        fault
    } else if !facts.may_fill_database && facts.has_database {
        format!(
            "the role {role} does not own the database {database}: as a superuser, run `alter database \"{database}\" owner to \"{role}\"`"
        )
    } else if !facts.may_fill_database {
        format!(
            "there is no database {database}, and the role {role} may not create it: as a superuser, run `create database \"{database}\" owner \"{role}\"`"
        )
    } else if let Some(fault) = facts.rights.fault() {
        fault
    } else if !(facts.rights.is_superuser || facts.has_extension) {
        format!(
            "the role {role} may not install pgvector: as a superuser, run `create extension vector` in the database {database}"
        )
    } else {
        return Ok(());
    };
    Err(CliError::Other(fault))
}

/// Makes what is missing.
pub(super) async fn carry_out(plan: &DatabasePlan, owner_url: &Secret, login_url: &Secret) -> Result<(), CliError> {
    if plan.creates_database {
        installation::create_database(owner_url.expose()).await?;
    }
    if plan.pending > 0 {
        store::migrate(owner_url.expose()).await?;
    }
    if plan.sets_password {
        let refused = || CliError::Other("database.url has no password".to_owned());
        let login = Url::parse(login_url.expose()).map_err(|_| refused())?;
        let password = crate::backup::password(&login).ok_or_else(refused)?;
        bootstrap::set_login_password(owner_url.expose(), login.username(), &password).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use store::requirements::{Rights, Server};

    use super::*;

    fn rights() -> Rights {
        Rights {
            role: "platform_owner".to_owned(),
            is_superuser: false,
            may_create_roles: true,
            bypasses_row_security: true,
        }
    }

    fn facts() -> ServerFacts {
        ServerFacts {
            server: Server { version_number: 180_006, vector: Some("0.8.1".to_owned()), missing: Vec::new() },
            rights: rights(),
            database: "platform".to_owned(),
            has_database: true,
            may_fill_database: true,
            has_extension: true,
            has_login_role: false,
            applied: Vec::new(),
        }
    }

    #[test]
    fn unsuitable_servers_and_roles_are_refused_with_advice() {
        check(&facts()).unwrap();
        let superuser = Rights { is_superuser: true, may_create_roles: false, ..rights() };
        check(&ServerFacts { rights: superuser, has_extension: false, ..facts() }).unwrap();
        let old = Server { version_number: 140_020, ..facts().server };
        for (facts, expected) in [
            (ServerFacts { server: old, ..facts() }, "needs 15 or newer"),
            (ServerFacts { may_fill_database: false, ..facts() }, "alter database"),
            (ServerFacts { may_fill_database: false, has_database: false, ..facts() }, "create database"),
            (ServerFacts { rights: Rights { may_create_roles: false, ..rights() }, ..facts() }, "createrole bypassrls"),
            (ServerFacts { has_extension: false, ..facts() }, "create extension vector"),
        ] {
            let text = check(&facts).unwrap_err().to_string();
            assert!(text.contains(expected), "{text}");
        }
    }
}
