//! API keys of tenants.

mod lookup;

use contract::{
    ChatbotId, Page, TenantId, Timestamp,
    api_keys::{ApiKey, ApiKeyFigures, KEY_MARK, KeyScope},
    id::ApiKeyId,
    page::LimitOffset,
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{
    connection::PgConnection,
    error::{Error, Result},
};

pub use lookup::{StoredKey, find_by_prefix, hash_secret, record_use};

const COLUMNS: &str =
    "id, name, prefix, scopes, chatbot_ids, allowed_addresses, expires_at, created_by, created_at, updated_at,
    last_used_at, revoked_at";

#[derive(FromRow)]
struct ApiKeyRow {
    id: Uuid,
    name: String,
    prefix: String,
    scopes: Vec<String>,
    chatbot_ids: Option<Vec<Uuid>>,
    allowed_addresses: Vec<String>,
    expires_at: Option<Timestamp>,
    created_by: String,
    created_at: Timestamp,
    updated_at: Timestamp,
    last_used_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
}

impl TryFrom<ApiKeyRow> for ApiKey {
    type Error = Error;

    fn try_from(row: ApiKeyRow) -> Result<Self> {
        Ok(Self {
            id: ApiKeyId(row.id),
            name: row.name,
            prefix: format!("{KEY_MARK}{}", row.prefix),
            scopes: scopes(&row.scopes)?,
            chatbot_ids: row.chatbot_ids.map(chatbots),
            allowed_addresses: row.allowed_addresses,
            expires_at: row.expires_at,
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
            last_used_at: row.last_used_at,
            revoked_at: row.revoked_at,
        })
    }
}

fn scopes(texts: &[String]) -> Result<Vec<KeyScope>> {
    texts.iter().map(|text| Ok(text.parse()?)).collect()
}

fn chatbots(ids: Vec<Uuid>) -> Vec<ChatbotId> {
    ids.into_iter().map(ChatbotId).collect()
}

fn texts(scopes: &[KeyScope]) -> Vec<&'static str> {
    scopes.iter().map(|scope| scope.as_str()).collect()
}

fn ids(chatbots: Option<&Vec<ChatbotId>>) -> Option<Vec<Uuid>> {
    chatbots.map(|chatbots| chatbots.iter().map(|id| id.0).collect())
}

/// A page of the tenant's keys, newest first; revoked ones last.
pub async fn list(connection: &mut PgConnection, tenant: TenantId, query: &LimitOffset) -> Result<Page<ApiKey>> {
    let total = sqlx::query_scalar("select count(*) from api_keys where tenant_id = $1")
        .bind(tenant.0)
        .fetch_one(&mut *connection)
        .await?;
    let sql = format!(
        "select {COLUMNS} from api_keys where tenant_id = $1
         order by revoked_at is not null, created_at desc, id limit $2 offset $3"
    );
    let rows: Vec<ApiKeyRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(query.limit)
        .bind(query.offset)
        .fetch_all(connection)
        .await?;
    let items = rows.into_iter().map(ApiKey::try_from).collect::<Result<_>>()?;
    Ok(Page { items, total, limit: query.limit, offset: query.offset })
}

/// A key of the tenant.
pub async fn find(connection: &mut PgConnection, tenant: TenantId, id: ApiKeyId) -> Result<Option<ApiKey>> {
    select(connection, tenant, id, "").await
}

/// A key of the tenant, locked until the transaction ends.
pub async fn find_for_update(connection: &mut PgConnection, tenant: TenantId, id: ApiKeyId) -> Result<Option<ApiKey>> {
    select(connection, tenant, id, "for update").await
}

async fn select(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: ApiKeyId,
    lock: &'static str,
) -> Result<Option<ApiKey>> {
    let sql = format!("select {COLUMNS} from api_keys where tenant_id = $1 and id = $2 {lock}");
    let row: Option<ApiKeyRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(id.0).fetch_optional(connection).await?;
    row.map(ApiKey::try_from).transpose()
}

/// How many keys of the tenant are not revoked, after others that add some have ended.
pub async fn lock_and_count(connection: &mut PgConnection, tenant: TenantId) -> Result<i64> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('api_keys:' || $1::text, 0))")
        .bind(tenant.0)
        .execute(&mut *connection)
        .await?;
    Ok(sqlx::query_scalar("select count(*) from api_keys where tenant_id = $1 and revoked_at is null")
        .bind(tenant.0)
        .fetch_one(connection)
        .await?)
}

/// Inserts a key with the HMAC of its secret.
///
/// # Errors
/// Constraint `api_keys_live_name_key` when another key has the name.
pub async fn insert(connection: &mut PgConnection, tenant: TenantId, key: &ApiKey, hash: &[u8; 32]) -> Result<()> {
    sqlx::query(
        "insert into api_keys (id, tenant_id, name, prefix, hash, scopes, chatbot_ids, allowed_addresses, expires_at,
                               created_by, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(key.id.0)
    .bind(tenant.0)
    .bind(&key.name)
    .bind(key.prefix.strip_prefix(KEY_MARK))
    .bind(hash.as_slice())
    .bind(texts(&key.scopes))
    .bind(ids(key.chatbot_ids.as_ref()))
    .bind(&key.allowed_addresses)
    .bind(key.expires_at)
    .bind(&key.created_by)
    .bind(key.created_at)
    .bind(key.updated_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// Writes what can change of a key.
///
/// # Errors
/// Constraint `api_keys_live_name_key` when another key has the name.
pub async fn update(connection: &mut PgConnection, tenant: TenantId, key: &ApiKey) -> Result<()> {
    sqlx::query(
        "update api_keys set name = $3, scopes = $4, chatbot_ids = $5, allowed_addresses = $6, expires_at = $7,
                             updated_at = now()
         where tenant_id = $1 and id = $2",
    )
    .bind(tenant.0)
    .bind(key.id.0)
    .bind(&key.name)
    .bind(texts(&key.scopes))
    .bind(ids(key.chatbot_ids.as_ref()))
    .bind(&key.allowed_addresses)
    .bind(key.expires_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// Revokes a key.
pub async fn revoke(connection: &mut PgConnection, tenant: TenantId, id: ApiKeyId) -> Result<()> {
    sqlx::query("update api_keys set revoked_at = now(), updated_at = now() where tenant_id = $1 and id = $2")
        .bind(tenant.0)
        .bind(id.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// How many keys of a tenant can be used, and when one last was.
pub async fn figures(connection: &mut PgConnection, tenant: TenantId) -> Result<ApiKeyFigures> {
    let (active, last_used_at) = sqlx::query_as(
        "select count(*) filter (where revoked_at is null and (expires_at is null or expires_at > now())),
                max(last_used_at)
         from api_keys where tenant_id = $1",
    )
    .bind(tenant.0)
    .fetch_one(connection)
    .await?;
    Ok(ApiKeyFigures { active, last_used_at })
}
