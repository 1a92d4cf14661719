//! Bookmarks of the caller.

use contract::{
    ErrorCode, Page,
    audit::actions,
    id::BookmarkId,
    knowledge_hub::{Bookmark, BookmarkPatch, NewBookmark, RecordListQuery},
};
use serde_json::{Value, json};
use store::{
    AuditEntry, audit,
    knowledge_hub::{bookmarks, lock_records},
};

use super::{begin_read, begin_write, sha256};
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult, on_constraint},
    precondition::IfMatch,
    state::App,
};

/// Maximum bookmarks of one user.
const MAX_BOOKMARKS: i64 = 1000;

/// A page of the caller's bookmarks, newest first.
///
/// # Errors
/// `module_not_enabled`.
pub async fn list(app: &App, caller: &Caller, query: &RecordListQuery) -> ApiResult<Page<Bookmark>> {
    let (mut tx, tenant) = begin_read(app, caller).await?;
    Ok(bookmarks::list(&mut tx, tenant, query).await?)
}

/// A bookmark of the caller.
///
/// # Errors
/// `module_not_enabled`, `bookmark_not_found`.
pub async fn get(app: &App, caller: &Caller, id: BookmarkId) -> ApiResult<Bookmark> {
    let (mut tx, tenant) = begin_read(app, caller).await?;
    bookmarks::find(&mut tx, tenant, id).await?.ok_or_else(|| ErrorCode::BookmarkNotFound.into())
}

/// Bookmarks a version of a document for the caller.
///
/// # Errors
/// `module_not_enabled`, `document_not_found`, `bookmark_exists`, `quota_bookmarks`.
pub async fn create(app: &App, caller: &Caller, new: NewBookmark) -> ApiResult<Bookmark> {
    let (mut tx, tenant) = begin_write(app, caller).await?;
    lock_records(&mut tx, tenant).await?;
    let id = bookmarks::insert(&mut tx, tenant, new.document_id, trimmed(new.note.as_deref()))
        .await
        .map_err(|error| on_constraint(error, "kh_bookmarks_user_document_key", ErrorCode::BookmarkExists))?
        .ok_or(ErrorCode::DocumentNotFound)?;
    let others = bookmarks::count(&mut tx, tenant).await? - 1;
    if others >= MAX_BOOKMARKS {
        return Err(ApiError::quota(ErrorCode::QuotaBookmarks, MAX_BOOKMARKS, others));
    }
    let bookmark = bookmarks::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::DocumentNotFound)?;
    let details = json!({ "before": null, "after": measures(&bookmark) });
    tx.commit_audited(&entry(caller, actions::KNOWLEDGE_BOOKMARK_CREATED, id, details)?).await?;
    Ok(bookmark)
}

/// Changes the note of a bookmark of the caller; a change that changes nothing writes nothing.
///
/// # Errors
/// `module_not_enabled`, `bookmark_not_found`, `precondition_failed`.
pub async fn update(
    app: &App,
    caller: &Caller,
    id: BookmarkId,
    if_match: &IfMatch,
    patch: BookmarkPatch,
) -> ApiResult<Bookmark> {
    let (mut tx, tenant) = begin_write(app, caller).await?;
    bookmarks::lock(&mut tx, tenant, id).await?;
    let before = bookmarks::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::BookmarkNotFound)?;
    if_match.check(&before)?;
    let mut after = before.clone();
    patch.note.apply(&mut after.note);
    after.note = trimmed(after.note.as_deref()).map(str::to_owned);
    let Some(details) = audit::changed(&measures(&before), &measures(&after)) else {
        tx.discard().await?;
        return Ok(before);
    };
    bookmarks::set_note(&mut tx, tenant, id, after.note.as_deref()).await?;
    tx.commit_audited(&entry(caller, actions::KNOWLEDGE_BOOKMARK_UPDATED, id, details)?).await?;
    Ok(after)
}

/// Removes a bookmark of the caller.
///
/// # Errors
/// `module_not_enabled`, `bookmark_not_found`.
pub async fn delete(app: &App, caller: &Caller, id: BookmarkId) -> ApiResult<()> {
    let (mut tx, tenant) = begin_write(app, caller).await?;
    bookmarks::lock(&mut tx, tenant, id).await?;
    let bookmark = bookmarks::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::BookmarkNotFound)?;
    bookmarks::delete(&mut tx, tenant, id).await?;
    let details = json!({ "before": measures(&bookmark), "after": null });
    tx.commit_audited(&entry(caller, actions::KNOWLEDGE_BOOKMARK_DELETED, id, details)?).await?;
    Ok(())
}

fn trimmed(note: Option<&str>) -> Option<&str> {
    note.map(str::trim).filter(|note| !note.is_empty())
}

/// The audit log's description of a bookmark, without its note.
fn measures(bookmark: &Bookmark) -> Value {
    let note = bookmark.note.as_deref();
    json!({
        "document_id": bookmark.document_id,
        "note_characters": note.map_or(0, |note| note.chars().count()),
        "note_sha256": note.map(sha256),
    })
}

fn entry(caller: &Caller, action: &'static str, id: BookmarkId, details: Value) -> ApiResult<AuditEntry> {
    super::entry(caller, action, ("knowledge_bookmark", id.to_string()), details)
}
