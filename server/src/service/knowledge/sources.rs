//! Sources that a tenant makes, renames and removes.

use contract::{
    ChatbotId, ErrorCode, JobId, TenantId, UploadId,
    audit::actions,
    chatbots::ChatbotStatus,
    documents::{ChatbotSource, SourceKind},
    id::SourceId,
    sources::{NewSource, SourcePatch},
};
use serde_json::{Value, json};
use store::{
    AuditEntry, PgConnection, WriteTx, audit,
    documents::list,
    jobs,
    sources::{self, Source},
    uploads,
    vectors::Collection,
};
use uuid::Uuid;

use super::vector_sync;
use crate::{
    caller::Caller,
    error::{ApiResult, on_constraint},
    precondition::IfMatch,
    service::{chatbot_tx, tenant_write},
    state::App,
};

const NAME_KEY: &str = "chatbot_sources_tenant_id_chatbot_id_name_key";

/// A source.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`.
pub async fn get(app: &App, caller: &Caller, (chatbot, id): (ChatbotId, SourceId)) -> ApiResult<ChatbotSource> {
    let (mut tx, tenant) = chatbot_tx::begin_read(app, caller, chatbot).await?;
    let source = list::source(&mut tx, tenant, chatbot, id).await?;
    source.ok_or_else(|| ErrorCode::SourceNotFound.into())
}

/// Makes a source.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`, `source_name_taken`.
pub async fn create(app: &App, caller: &Caller, chatbot: ChatbotId, new: NewSource) -> ApiResult<ChatbotSource> {
    let (mut tx, tenant) = begin_active(app, caller, chatbot).await?;
    let source = Source { id: SourceId(Uuid::now_v7()), kind: new.kind, name: new.name.trim().to_owned() };
    let inserted = sources::insert(&mut tx, tenant, chatbot, &source).await;
    inserted.map_err(|error| on_constraint(error, NAME_KEY, ErrorCode::SourceNameTaken))?;
    let made = shown(&mut tx, tenant, chatbot, source.id).await?;
    let details = json!({ "before": null, "after": described(&source) });
    let entry = entry(caller, tenant, chatbot, actions::CHATBOT_SOURCE_CREATED, source.id, details);
    let audited = tx.audit(&entry).await?;
    tx.commit(audited).await?;
    Ok(made)
}

/// Renames a source. A change that changes nothing writes nothing.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`, `source_read_only`, `precondition_failed`, `source_name_taken`.
pub async fn update(
    app: &App,
    caller: &Caller,
    (chatbot, id): (ChatbotId, SourceId),
    if_match: &IfMatch,
    patch: SourcePatch,
) -> ApiResult<ChatbotSource> {
    let (mut tx, tenant) = chatbot_tx::begin_write(app, caller, chatbot).await?;
    let before = lock(&mut tx, tenant, chatbot, id).await?;
    let current = shown(&mut tx, tenant, chatbot, id).await?;
    if_match.check(&current)?;
    let name = patch.name.map_or_else(|| before.name.clone(), |name| name.trim().to_owned());
    let after = Source { name, ..before.clone() };
    let Some(details) = audit::changed(&described(&before), &described(&after)) else {
        tx.discard().await?;
        return Ok(current);
    };
    let renamed = sources::rename(&mut tx, tenant, id, &after.name).await;
    renamed.map_err(|error| on_constraint(error, NAME_KEY, ErrorCode::SourceNameTaken))?;
    let changed = shown(&mut tx, tenant, chatbot, id).await?;
    let audited = tx.audit(&entry(caller, tenant, chatbot, actions::CHATBOT_SOURCE_UPDATED, id, details)).await?;
    tx.commit(audited).await?;
    Ok(changed)
}

/// Removes a source with its documents, their passages and, soon after, the uploaded files.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`, `source_read_only`.
pub async fn delete(app: &App, caller: &Caller, (chatbot, id): (ChatbotId, SourceId)) -> ApiResult<()> {
    let (mut tx, tenant) = chatbot_tx::begin_write(app, caller, chatbot).await?;
    let source = lock(&mut tx, tenant, chatbot, id).await?;
    let files = uploads::of_source(&mut tx, tenant, id, None).await?;
    let (ids, running): (Vec<UploadId>, Vec<Option<JobId>>) = files.iter().map(|file| (file.id, file.job)).unzip();
    // Jobs first: what they are about to commit is waited for, and then removed.
    jobs::cancel(&mut tx, tenant, &running.into_iter().flatten().collect::<Vec<_>>()).await?;
    let passages = uploads::delete(&mut tx, tenant, chatbot, &ids).await?;
    sources::delete(&mut tx, tenant, id).await?;
    let mut before = described(&source);
    before["documents"] = json!(files.len());
    let details = json!({ "before": before, "after": null });
    let audited = tx.audit(&entry(caller, tenant, chatbot, actions::CHATBOT_SOURCE_DELETED, id, details)).await?;
    tx.commit(audited).await?;
    vector_sync::remove(app, Collection { tenant, chatbot }, &passages).await;
    Ok(())
}

/// Begins a change of what an active chatbot knows.
pub(super) async fn begin_active(app: &App, caller: &Caller, chatbot: ChatbotId) -> ApiResult<(WriteTx, TenantId)> {
    let tenant = caller.tenant()?;
    let mut tx = tenant_write::begin(app, caller).await?;
    let found = store::chatbots::find(&mut tx, tenant, chatbot).await?.ok_or(ErrorCode::ChatbotNotFound)?;
    if found.status == ChatbotStatus::Deactivated {
        return Err(ErrorCode::ChatbotNotActive.into());
    }
    Ok((tx, tenant))
}

/// A source that the tenant fills, locked against other changes of it and of what it holds.
pub(super) async fn lock(tx: &mut WriteTx, tenant: TenantId, chatbot: ChatbotId, id: SourceId) -> ApiResult<Source> {
    let source = sources::find(tx, tenant, chatbot, id, true).await?;
    filled_by_tenant(source)
}

/// The source if the tenant fills it.
pub(super) fn filled_by_tenant(source: Option<Source>) -> ApiResult<Source> {
    let source = source.ok_or(ErrorCode::SourceNotFound)?;
    match source.kind {
        SourceKind::Upload | SourceKind::Api => Ok(source),
        SourceKind::FaqSeed | SourceKind::Files | SourceKind::Faq => Err(ErrorCode::SourceReadOnly.into()),
    }
}

async fn shown(
    connection: &mut PgConnection,
    tenant: TenantId,
    chatbot: ChatbotId,
    id: SourceId,
) -> ApiResult<ChatbotSource> {
    let source = list::source(connection, tenant, chatbot, id).await?;
    source.ok_or_else(|| ErrorCode::SourceNotFound.into())
}

fn described(source: &Source) -> Value {
    json!({ "kind": source.kind, "name": source.name })
}

fn entry(
    caller: &Caller,
    tenant: TenantId,
    chatbot: ChatbotId,
    action: &'static str,
    id: SourceId,
    details: Value,
) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(tenant),
        chatbot_id: Some(chatbot),
        action,
        entity_type: "chatbot_source",
        entity_id: id.to_string(),
        details,
    }
}
