//! Looks up a key before its tenant is known.

use contract::{ChatbotId, TenantId, Timestamp, api_keys::KeyScope, id::ApiKeyId};
use sqlx::{FromRow, Row};
use uuid::Uuid;

use super::{chatbots, scopes};
use crate::{
    connection::PgConnection,
    db::Db,
    error::{Error, Result},
    scope::{Scope, literal},
};

/// A key as it is stored, with everything that decides whether it is accepted.
#[derive(Debug, Clone)]
pub struct StoredKey {
    pub id: ApiKeyId,
    pub tenant: TenantId,
    pub name: String,
    pub scopes: Vec<KeyScope>,
    /// `None` is every chatbot of the tenant.
    pub chatbots: Option<Vec<ChatbotId>>,
    /// Empty is every address.
    pub allowed_addresses: Vec<String>,
    pub expires_at: Option<Timestamp>,
    pub is_revoked: bool,
    /// By the database's clock, so that the server's does not matter.
    pub is_expired: bool,
    pub tenant_is_active: bool,
    pub tenant_allows_keys: bool,
    /// The HMAC of the whole key.
    pub hash: Vec<u8>,
    /// The secret that the HMAC was made with.
    pub hash_secret: Vec<u8>,
}

#[derive(FromRow)]
struct StoredKeyRow {
    id: Uuid,
    tenant_id: Uuid,
    name: String,
    scopes: Vec<String>,
    chatbot_ids: Option<Vec<Uuid>>,
    allowed_addresses: Vec<String>,
    expires_at: Option<Timestamp>,
    is_revoked: bool,
    is_expired: bool,
    tenant_is_active: bool,
    api_keys_allowed: bool,
    hash: Vec<u8>,
    secret: Vec<u8>,
}

impl TryFrom<StoredKeyRow> for StoredKey {
    type Error = Error;

    fn try_from(row: StoredKeyRow) -> Result<Self> {
        Ok(Self {
            id: ApiKeyId(row.id),
            tenant: TenantId(row.tenant_id),
            name: row.name,
            scopes: scopes(&row.scopes)?,
            chatbots: row.chatbot_ids.map(chatbots),
            allowed_addresses: row.allowed_addresses,
            expires_at: row.expires_at,
            is_revoked: row.is_revoked,
            is_expired: row.is_expired,
            tenant_is_active: row.tenant_is_active,
            tenant_allows_keys: row.api_keys_allowed,
            hash: row.hash,
            hash_secret: row.secret,
        })
    }
}

/// Finds a key by the characters after its mark, in one round trip (system scope). The caller compares its hash.
pub async fn find_by_prefix(db: &Db, prefix: &str) -> Result<Option<StoredKey>> {
    // A share of its own for each key: a flood with one prefix waits for itself.
    let share = Uuid::from_slice(&[prefix.as_bytes(), prefix.as_bytes()].concat()).unwrap_or_default();
    let rows = db
        .read_at_once(
            &Scope::looking_up(share),
            &format!(
                "select k.id, k.tenant_id, k.name, k.scopes, k.chatbot_ids, k.allowed_addresses, k.expires_at,
                        k.revoked_at is not null as is_revoked, coalesce(k.expires_at <= now(), false) as is_expired,
                        t.deleted_at is null as tenant_is_active, t.api_keys_allowed, k.hash, s.secret
                 from api_keys k
                 join tenants t on t.id = k.tenant_id
                 join server_secrets s on s.name = 'api_keys'
                 where k.prefix = {}",
                literal(prefix)
            ),
        )
        .await?;
    rows.first().map(StoredKeyRow::from_row).transpose()?.map(StoredKey::try_from).transpose()
}

/// The secret that the HMACs of keys are made with (system scope).
pub async fn hash_secret(db: &Db) -> Result<Vec<u8>> {
    let rows = db.read_at_once(&Scope::system(), "select secret from server_secrets where name = 'api_keys'").await?;
    let row = rows.first().ok_or_else(|| Error::Stored("the secret of API keys is missing".to_owned()))?;
    Ok(row.try_get("secret")?)
}

/// Records that a key was used, at most once a minute (system scope).
pub async fn record_use(connection: &mut PgConnection, id: ApiKeyId) -> Result<()> {
    sqlx::query(
        "update api_keys set last_used_at = now()
         where id = $1 and (last_used_at is null or last_used_at <= now() - interval '1 minute')",
    )
    .bind(id.0)
    .execute(connection)
    .await?;
    Ok(())
}
