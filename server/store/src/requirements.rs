//! What a PostgreSQL server and the role that migrates must be. It is checked before anything changes.

use sqlx::PgConnection;

use crate::error::{Error, Result};

/// The oldest PostgreSQL and the oldest pgvector.
const OLDEST_VERSION: i32 = 15;
const OLDEST_VECTOR: (u32, u32) = (0, 8);

/// The versions of a server.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Server {
    /// As a number, such as 180006.
    pub version_number: i32,
    /// The version of pgvector in the database, or the one that it would get.
    pub vector: Option<String>,
    /// Extensions that the server does not have.
    pub missing: Vec<String>,
}

impl Server {
    pub(crate) async fn read(connection: &mut PgConnection) -> Result<Self> {
        let server = "select current_setting('server_version_num')::integer as version_number,
                             coalesce((select extversion from pg_extension where extname = 'vector'),
                                      (select default_version from pg_available_extensions where name = 'vector')) as vector,
                             array(select wanted from unnest(array['vector', 'pg_trgm', 'btree_gin']) wanted
                                   where wanted not in (select name::text from pg_available_extensions)) as missing";
        Ok(sqlx::query_as(server).fetch_one(connection).await?)
    }

    /// Why it cannot have the platform's tables, and what to do.
    pub fn fault(&self) -> Option<String> {
        let version = self.version_number / 10_000;
        if version < OLDEST_VERSION {
            return Some(format!(
                "this is PostgreSQL {version}, and the platform needs {OLDEST_VERSION} or newer: upgrade it, or name another server"
            ));
        }
        if self.missing.iter().any(|name| name == "vector") {
            return Some("this PostgreSQL lacks the extension pgvector; install it first".to_owned());
        }
        if !self.missing.is_empty() {
            let missing = self.missing.join(" and ");
            return Some(format!("this PostgreSQL lacks {missing}; install its contrib modules first"));
        }
        let vector = self.vector.as_deref().unwrap_or_default();
        let (major, minor) = OLDEST_VECTOR;
        (numbers(vector) < OLDEST_VECTOR).then(|| {
            format!(
                "this PostgreSQL has pgvector {vector}, and the platform needs {major}.{minor} or newer: install it, and run `alter \
                 extension vector update` in a database that has the extension"
            )
        })
    }

    /// Refuses a server that has a fault.
    ///
    /// # Errors
    /// [`Error::Unfit`].
    pub fn refuse(&self) -> Result<()> {
        self.fault().map_or(Ok(()), |fault| Err(Error::Unfit(fault)))
    }
}

/// The first two numbers of a version.
fn numbers(version: &str) -> (u32, u32) {
    let mut numbers = version.split('.').map(|part| part.parse().unwrap_or_default());
    (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default())
}

/// The rights of the role that makes the tables.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Rights {
    pub role: String,
    pub is_superuser: bool,
    pub may_create_roles: bool,
    pub bypasses_row_security: bool,
}

impl Rights {
    pub(crate) async fn read(connection: &mut PgConnection) -> Result<Self> {
        let rights = "select rolname::text as role, rolsuper as is_superuser, rolcreaterole as may_create_roles,
                             rolbypassrls as bypasses_row_security
                      from pg_roles where rolname = current_user";
        Ok(sqlx::query_as(rights).fetch_one(connection).await?)
    }

    /// Why it cannot make the tables, and what to do.
    pub fn fault(&self) -> Option<String> {
        let suffices = self.is_superuser || (self.may_create_roles && self.bypasses_row_security);
        let role = &self.role;
        (!suffices).then(|| {
            format!("the role {role} lacks rights: as a superuser, run `alter role \"{role}\" createrole bypassrls`")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        Server { version_number: 180_006, vector: Some("0.8.1".to_owned()), missing: Vec::new() }
    }

    #[test]
    fn servers_that_are_too_old_or_lack_an_extension_are_refused_with_the_remedy() {
        server().refuse().unwrap();
        Server { version_number: 150_000, vector: Some("0.10".to_owned()), ..server() }.refuse().unwrap();
        for (server, expected) in [
            (Server { version_number: 140_020, ..server() }, "needs 15 or newer"),
            (Server { missing: vec!["vector".to_owned()], vector: None, ..server() }, "lacks the extension pgvector"),
            (Server { missing: vec!["pg_trgm".to_owned()], ..server() }, "lacks pg_trgm; install its contrib modules"),
            (Server { vector: Some("0.7.4".to_owned()), ..server() }, "has pgvector 0.7.4, and the platform needs 0.8"),
        ] {
            let text = server.refuse().unwrap_err().to_string();
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn a_role_without_the_rights_is_named() {
        let owner = Rights {
            role: "owner".to_owned(),
            is_superuser: false,
            may_create_roles: true,
            bypasses_row_security: true,
        };
        assert_eq!(owner.fault(), None);
        assert_eq!(Rights { is_superuser: true, may_create_roles: false, ..owner.clone() }.fault(), None);
        for lacking in
            [Rights { may_create_roles: false, ..owner.clone() }, Rights { bypasses_row_security: false, ..owner }]
        {
            assert!(lacking.fault().unwrap().contains("alter role \"owner\" createrole bypassrls"));
        }
    }
}
