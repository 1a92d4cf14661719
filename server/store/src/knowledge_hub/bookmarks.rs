//! Bookmarks of the transaction's user.

use contract::{
    Page, TenantId, Timestamp,
    id::{BookmarkId, DocumentVersionId},
    knowledge_hub::{Bookmark, BookmarkState, RecordListQuery},
};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::{connection::PgConnection, error::Result};

/// The bookmarked version and the newest one of its document. Both are deleted with the document. While the chatbot is
/// not active, nobody can open the document, so it has no newest version.
const SELECT: &str =
    "select b.id, b.document_id, coalesce(v.title, b.title) as title, b.note, n.id as newest, b.created_at
    from kh_bookmarks b
    left join document_versions v on v.tenant_id = b.tenant_id and v.id = b.document_id
    left join documents d on d.tenant_id = v.tenant_id and d.id = v.document_id
    left join chatbots c on c.tenant_id = d.tenant_id and c.id = d.chatbot_id and c.status = 'active'
    left join document_versions n on n.tenant_id = c.tenant_id and n.document_id = d.id and n.version = d.version";

#[derive(FromRow)]
struct BookmarkRow {
    id: Uuid,
    document_id: Uuid,
    title: String,
    note: Option<String>,
    newest: Option<Uuid>,
    created_at: Timestamp,
}

impl From<BookmarkRow> for Bookmark {
    fn from(row: BookmarkRow) -> Self {
        let state = match row.newest {
            None => BookmarkState::Gone,
            Some(newest) if newest == row.document_id => BookmarkState::Current,
            Some(_) => BookmarkState::Changed,
        };
        Self {
            id: BookmarkId(row.id),
            document_id: DocumentVersionId(row.document_id),
            title: row.title,
            note: row.note,
            state,
            newest_document_id: row.newest.map(DocumentVersionId),
            created_at: row.created_at,
        }
    }
}

/// How many bookmarks the user has.
pub async fn count(connection: &mut PgConnection, tenant: TenantId) -> Result<i64> {
    let sql = "select count(*) from kh_bookmarks where tenant_id = $1";
    Ok(sqlx::query_scalar(sql).bind(tenant.0).fetch_one(connection).await?)
}

/// A page of the user's bookmarks, newest first.
pub async fn list(connection: &mut PgConnection, tenant: TenantId, query: &RecordListQuery) -> Result<Page<Bookmark>> {
    let total = count(connection, tenant).await?;
    let sql = format!("{SELECT} where b.tenant_id = $1 order by b.created_at desc, b.id limit $2 offset $3");
    let rows: Vec<BookmarkRow> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(tenant.0)
        .bind(query.limit)
        .bind(query.offset)
        .fetch_all(connection)
        .await?;
    let items = rows.into_iter().map(Bookmark::from).collect();
    Ok(Page { items, total, limit: query.limit, offset: query.offset })
}

/// A bookmark of the user.
pub async fn find(connection: &mut PgConnection, tenant: TenantId, id: BookmarkId) -> Result<Option<Bookmark>> {
    let sql = format!("{SELECT} where b.tenant_id = $1 and b.id = $2");
    let row: Option<BookmarkRow> =
        sqlx::query_as(AssertSqlSafe(sql)).bind(tenant.0).bind(id.0).fetch_optional(connection).await?;
    Ok(row.map(Bookmark::from))
}

/// Locks a bookmark of the user until the transaction ends.
pub async fn lock(connection: &mut PgConnection, tenant: TenantId, id: BookmarkId) -> Result<()> {
    sqlx::query("select from kh_bookmarks where tenant_id = $1 and id = $2 for update")
        .bind(tenant.0)
        .bind(id.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// The bookmark of the user on a version, if there is one.
pub async fn on_version(
    connection: &mut PgConnection,
    tenant: TenantId,
    version: DocumentVersionId,
) -> Result<Option<BookmarkId>> {
    let id: Option<Uuid> = sqlx::query_scalar("select id from kh_bookmarks where tenant_id = $1 and document_id = $2")
        .bind(tenant.0)
        .bind(version.0)
        .fetch_optional(connection)
        .await?;
    Ok(id.map(BookmarkId))
}

/// Bookmarks a version for the user. Returns `None` when no active chatbot has the version.
///
/// # Errors
/// Constraint `kh_bookmarks_user_document_key` when the user has bookmarked it.
pub async fn insert(
    connection: &mut PgConnection,
    tenant: TenantId,
    version: DocumentVersionId,
    note: Option<&str>,
) -> Result<Option<BookmarkId>> {
    let id: Option<Uuid> = sqlx::query_scalar(
        "insert into kh_bookmarks (id, tenant_id, realm, user_id, document_id, title, note)
         select $1, v.tenant_id, current_setting('app.realm'), current_setting('app.username'), v.id, v.title, $4
         from document_versions v
         join chatbots c on c.tenant_id = v.tenant_id and c.id = v.chatbot_id and c.status = 'active'
         where v.tenant_id = $2 and v.id = $3
         returning id",
    )
    .bind(Uuid::now_v7())
    .bind(tenant.0)
    .bind(version.0)
    .bind(note)
    .fetch_optional(connection)
    .await?;
    Ok(id.map(BookmarkId))
}

/// Sets the note of a bookmark of the user.
pub async fn set_note(
    connection: &mut PgConnection,
    tenant: TenantId,
    id: BookmarkId,
    note: Option<&str>,
) -> Result<()> {
    sqlx::query("update kh_bookmarks set note = $3 where tenant_id = $1 and id = $2")
        .bind(tenant.0)
        .bind(id.0)
        .bind(note)
        .execute(connection)
        .await?;
    Ok(())
}

/// Removes a bookmark of the user.
pub async fn delete(connection: &mut PgConnection, tenant: TenantId, id: BookmarkId) -> Result<()> {
    sqlx::query("delete from kh_bookmarks where tenant_id = $1 and id = $2")
        .bind(tenant.0)
        .bind(id.0)
        .execute(connection)
        .await?;
    Ok(())
}
