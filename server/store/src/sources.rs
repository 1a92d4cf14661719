//! Sources that a tenant creates and fills.

use contract::{ChatbotId, TenantId, documents::SourceKind, id::SourceId};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::{Error, Result},
};

/// A row of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub id: SourceId,
    pub kind: SourceKind,
    pub name: String,
    /// Whether visitors may open its uploaded files.
    pub visitors_open_files: bool,
}

pub(crate) const SOURCES: &str =
    "select id, kind, name, file_key is not null as visitors_open_files from chatbot_sources";

#[derive(FromRow)]
pub(crate) struct SourceRow {
    id: Uuid,
    kind: String,
    name: String,
    visitors_open_files: bool,
}

impl TryFrom<SourceRow> for Source {
    type Error = Error;
    fn try_from(row: SourceRow) -> Result<Self> {
        let SourceRow { id, kind, name, visitors_open_files } = row;
        Ok(Self { id: SourceId(id), kind: kind.parse()?, name, visitors_open_files })
    }
}

/// A source of a chatbot.
pub async fn find(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: SourceId,
) -> Result<Option<Source>> {
    select(connection, tenant, chatbot, id, "").await
}

/// A source of a chatbot, locked with everything in it until the transaction ends.
pub async fn lock(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: SourceId,
) -> Result<Option<Source>> {
    select(connection, tenant, chatbot, id, "for no key update").await
}

async fn select(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: SourceId,
    lock: &str,
) -> Result<Option<Source>> {
    let sql = format!("{SOURCES} where tenant_id = $1 and chatbot_id = $2 and id = $3 {lock}");
    let row: Option<SourceRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(chatbot.0).bind(id.0).fetch_optional(connection).await?;
    row.map(Source::try_from).transpose()
}

/// How many sources a tenant has, of all kinds.
pub async fn count(connection: &mut PgConnection, tenant: TenantId) -> Result<i64> {
    Ok(sqlx::query_scalar("select count(*) from chatbot_sources where tenant_id = $1")
        .bind(tenant.0)
        .fetch_one(connection)
        .await?)
}

/// Inserts a source.
///
/// # Errors
/// The constraint `chatbot_sources_tenant_id_chatbot_id_name_key` when a source of its kind has the name.
pub async fn insert(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    source: &Source,
) -> Result<()> {
    sqlx::query("insert into chatbot_sources (id, tenant_id, chatbot_id, kind, name) values ($1, $2, $3, $4, $5)")
        .bind(source.id.0)
        .bind(tenant.0)
        .bind(chatbot.0)
        .bind(source.kind.as_str())
        .bind(&source.name)
        .execute(connection)
        .await?;
    Ok(())
}

/// Renames a source.
///
/// # Errors
/// As [`insert`].
pub async fn rename(connection: &mut PgConnection, tenant: TenantId, id: SourceId, name: &str) -> Result<()> {
    sqlx::query("update chatbot_sources set name = $3, updated_at = now() where tenant_id = $1 and id = $2")
        .bind(tenant.0)
        .bind(id.0)
        .bind(name)
        .execute(connection)
        .await?;
    Ok(())
}

/// Lets visitors open the files of a source through links signed with `key`. Without a key they cannot, and former
/// links become invalid.
pub async fn set_file_key(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: SourceId,
    key: Option<[u8; 32]>,
) -> Result<()> {
    sqlx::query("update chatbot_sources set file_key = $3, updated_at = now() where tenant_id = $1 and id = $2")
        .bind(tenant.0)
        .bind(id.0)
        .bind(key.as_ref().map(<[u8; 32]>::as_slice))
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes an empty source.
pub async fn delete(connection: &mut PgConnection, tenant: TenantId, id: SourceId) -> Result<()> {
    sqlx::query("delete from chatbot_sources where tenant_id = $1 and id = $2")
        .bind(tenant.0)
        .bind(id.0)
        .execute(connection)
        .await?;
    Ok(())
}
