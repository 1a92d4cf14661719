//! Changes of people at the identity provider, recorded from before the call until their outcome is known, and what the
//! platform itself stores about people.

pub mod activity;
pub mod ending;
pub mod invitations;
pub mod lock;
pub mod retired;

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use contract::{PersonId, TenantId};
use serde_json::Value;
use sqlx::FromRow;
use uuid::Uuid;

use crate::{
    audit::Actor,
    connection::PgConnection,
    error::{Error, Result},
};

/// A change of a person that has started and has no outcome yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub id: Uuid,
    pub tenant: TenantId,
    /// The action of the audit row.
    pub action: String,
    /// `None` while the provider has not assigned an id to the invited person.
    pub person: Option<PersonId>,
    pub username: String,
    /// The requested values. Contains no personal text except the user name.
    pub wanted: Value,
    pub before: Value,
    pub actor: Actor,
    /// The realm of the actor.
    pub realm: String,
}

#[derive(FromRow)]
struct ChangeRow {
    id: Uuid,
    tenant_id: Uuid,
    action: String,
    person_id: Option<Uuid>,
    username: String,
    wanted: Value,
    before: Value,
    actor_role: String,
    actor_realm: String,
    actor_user: String,
    ip_address: Option<String>,
    session_id: Option<String>,
}

impl TryFrom<ChangeRow> for Change {
    type Error = Error;

    fn try_from(row: ChangeRow) -> Result<Self> {
        let role = match row.actor_role.as_str() {
            "operator" => "operator",
            "tenant" => "tenant",
            other => return Err(Error::Stored(format!("{other:?} is not a role that changes people"))),
        };
        let ip_address = row.ip_address.and_then(|text| text.parse::<IpAddr>().ok());
        Ok(Self {
            id: row.id,
            tenant: TenantId(row.tenant_id),
            // Version 2.0.0 used the prefix `person.` and may have recorded this change.
            action: row.action.replacen("person.", "user.", 1),
            person: row.person_id.map(PersonId),
            username: row.username,
            wanted: row.wanted,
            before: row.before,
            actor: Actor { role, user: row.actor_user, ip_address, session_id: row.session_id },
            realm: row.actor_realm,
        })
    }
}

/// Records a change before it is made.
pub async fn begin(connection: &mut PgConnection, change: &Change) -> Result<()> {
    sqlx::query(
        "insert into people_changes (id, tenant_id, action, person_id, username, wanted, before, actor_role, actor_realm,
                                     actor_user, ip_address, session_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(change.id)
    .bind(change.tenant.0)
    .bind(&change.action)
    .bind(change.person.map(|id| id.0))
    .bind(&change.username)
    .bind(&change.wanted)
    .bind(&change.before)
    .bind(change.actor.role)
    .bind(&change.realm)
    .bind(&change.actor.user)
    .bind(change.actor.ip_address.map(|ip| ip.to_string()))
    .bind(&change.actor.session_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// Settles a change; `false` when it was settled before.
pub async fn settle(connection: &mut PgConnection, change: &Change, is_done: bool) -> Result<bool> {
    let done = sqlx::query(
        "update people_changes set outcome = $3, settled_at = now(), person_id = $4
         where tenant_id = $1 and id = $2 and outcome is null",
    )
    .bind(change.tenant.0)
    .bind(change.id)
    .bind(if is_done { "done" } else { "failed" })
    .bind(change.person.map(|id| id.0))
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// The changes of a tenant that are not settled, oldest first.
pub async fn open(connection: &mut PgConnection, tenant: TenantId) -> Result<Vec<Change>> {
    let rows: Vec<ChangeRow> = sqlx::query_as(
        "select id, tenant_id, action, person_id, username, wanted, before, actor_role, actor_realm, actor_user, ip_address,
                session_id
         from people_changes
         where tenant_id = $1 and outcome is null
         order by begun_at, id",
    )
    .bind(tenant.0)
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Change::try_from).collect()
}

/// Tenants with changes that are not settled (system scope).
pub async fn tenants_with_open(connection: &mut PgConnection, limit: i64) -> Result<Vec<TenantId>> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "select tenant_id from people_changes where outcome is null group by tenant_id order by min(begun_at) limit $1",
    )
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(ids.into_iter().map(TenantId).collect())
}

/// Removes changes that were settled before this time (system scope). Their audit rows stay.
pub async fn delete_settled(connection: &mut PgConnection, before: DateTime<Utc>) -> Result<u64> {
    let done = sqlx::query("delete from people_changes where settled_at < $1").bind(before).execute(connection).await?;
    Ok(done.rows_affected())
}
