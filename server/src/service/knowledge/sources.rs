//! Creates, renames and removes sources of tenants.

use contract::{
    ChatbotId, ErrorCode, JobId, TenantId, UploadId,
    audit::actions,
    documents::{ChatbotSource, SourceKind},
    id::SourceId,
    sources::{NewSource, SourcePatch},
    websites::WebsiteReading,
};
use serde_json::{Value, json};
use store::{
    WriteTx, audit,
    documents::list,
    jobs,
    sources::{self, Source},
    uploads,
    vectors::Collection,
};
use uuid::Uuid;

use super::{
    source_change::{self, entry, owned},
    uploads::rereading,
    vector_sync, visitor_files, websites,
};
use crate::{
    caller::Caller,
    error::{ApiError, ApiResult, on_constraint},
    precondition::IfMatch,
    service::chatbot_tx::{self, Lock},
    state::App,
};

/// Maximum sources that a tenant creates for all of its chatbots.
const MAX_SOURCES: i64 = 2000;
/// Maximum websites among them.
const MAX_WEBSITES: i64 = 200;

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
/// `chatbot_not_found`, `chatbot_not_active`, `source_name_taken`, `quota_sources`, `quota_websites`.
pub async fn create(app: &App, caller: &Caller, chatbot: ChatbotId, new: NewSource) -> ApiResult<ChatbotSource> {
    let (mut tx, tenant) = chatbot_tx::begin_active(app, caller, chatbot, Lock::Nothing).await?;
    let source = Source {
        id: SourceId(Uuid::now_v7()),
        kind: new.kind,
        name: new.name.trim().to_owned(),
        visitors_open_files: false,
    };
    let inserted = sources::insert(&mut tx, tenant, chatbot, &source).await;
    inserted.map_err(|error| on_constraint(error, NAME_KEY, ErrorCode::SourceNameTaken))?;
    let mut after = described(&source);
    if let Some(website) = &new.website {
        websites::insert(&mut tx, caller, tenant, (chatbot, source.id), website).await?;
        after["website"] = websites::described(&website.settings(), false);
    }
    let stored = source_change::find(&mut tx, tenant, chatbot, source.id).await?;
    check_number(&mut tx, tenant, (1, i64::from(new.website.is_some()))).await?;
    let details = json!({ "before": null, "after": after });
    let entry = entry(caller, tenant, chatbot, actions::CHATBOT_SOURCE_CREATED, source.id, details);
    tx.commit_audited(&entry).await?;
    app.job_queued().notify_waiters();
    Ok(stored)
}

/// Refuses sources and websites that the transaction has added beyond what a tenant may have. Others that add some wait
/// until the transaction ends, so call this last.
///
/// # Errors
/// `quota_sources`, `quota_websites`.
pub(super) async fn check_number(tx: &mut WriteTx, tenant: TenantId, added: (i64, i64)) -> ApiResult<()> {
    store::usage::lock(tx, tenant).await?;
    refuse_number(sources::count(tx, tenant).await?, added)
}

/// Refuses sources and websites that would be too many, before they are added. [`check_number`] repeats the check.
///
/// # Errors
/// `quota_sources`, `quota_websites`.
pub(super) async fn check_room(tx: &mut WriteTx, tenant: TenantId, added: (i64, i64)) -> ApiResult<()> {
    let (sources, websites) = sources::count(tx, tenant).await?;
    refuse_number((sources + added.0, websites + added.1), added)
}

/// Refuses numbers beyond those that a tenant may have, of which some were added.
fn refuse_number((sources, websites): (i64, i64), (new_sources, new_websites): (i64, i64)) -> ApiResult<()> {
    for (code, limit, used, added) in [
        (ErrorCode::QuotaSources, MAX_SOURCES, sources, new_sources),
        (ErrorCode::QuotaWebsites, MAX_WEBSITES, websites, new_websites),
    ] {
        if added > 0 && used > limit {
            return Err(ApiError::quota(code, limit, used - added));
        }
    }
    Ok(())
}

/// Renames a source, lets visitors open its files, or changes how its website is read. An update without changes writes
/// nothing.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`, `source_read_only`, `precondition_failed`, `source_name_taken`, and `validation_error` for
/// settings of a website that the source does not have.
pub async fn update(
    app: &App,
    caller: &Caller,
    (chatbot, id): (ChatbotId, SourceId),
    if_match: &IfMatch,
    patch: SourcePatch,
) -> ApiResult<ChatbotSource> {
    let (mut tx, tenant) = chatbot_tx::begin_write(app, caller, chatbot).await?;
    let before = owned(sources::lock(&mut tx, tenant, chatbot, id).await?)?;
    let current = source_change::find(&mut tx, tenant, chatbot, id).await?;
    if_match.check(&current)?;
    let name = patch.name.clone().map_or_else(|| before.name.clone(), |name| name.trim().to_owned());
    let visitors_open_files = patch.visitors_open_files.unwrap_or(before.visitors_open_files);
    if visitors_open_files && before.kind == SourceKind::Website {
        return Err(ApiError::field(
            &["body", "visitors_open_files"],
            "is for sources of the kinds upload and api",
            "visitors_open_files",
        ));
    }
    let after = Source { name, visitors_open_files, ..before.clone() };
    let (mut was, mut is) = (described(&before), described(&after));
    (was["renamed"], is["renamed"]) = (json!(false), json!(after.name != before.name));
    let website = websites::change(&current, patch.website.as_ref())?;
    if let Some((former, new)) = &website {
        (was["website"], is["website"]) = (former.described(), new.described());
    }
    let Some(details) = audit::changed(&was, &is) else {
        tx.discard().await?;
        return Ok(current);
    };
    let renamed = sources::rename(&mut tx, tenant, id, &after.name).await;
    renamed.map_err(|error| on_constraint(error, NAME_KEY, ErrorCode::SourceNameTaken))?;
    if after.visitors_open_files != before.visitors_open_files {
        let key = after.visitors_open_files.then(visitor_files::new_key);
        sources::set_file_key(&mut tx, tenant, id, key).await?;
    }
    if let Some((former, new)) = website.filter(|(former, new)| former != new) {
        websites::update(&mut tx, tenant, id, (&former, &new)).await?;
    }
    let changed = source_change::find(&mut tx, tenant, chatbot, id).await?;
    tx.commit_audited(&entry(caller, tenant, chatbot, actions::CHATBOT_SOURCE_UPDATED, id, details)).await?;
    Ok(changed)
}

/// Visits a website, or reads unreadable files of another source again.
///
/// # Errors
/// Like [`websites::read`] and [`rereading::read_again`].
pub async fn read(
    app: &App,
    caller: &Caller,
    place: (ChatbotId, SourceId),
    reading: WebsiteReading,
) -> ApiResult<ChatbotSource> {
    match get(app, caller, place).await?.kind {
        SourceKind::Upload | SourceKind::Api => rereading::read_again(app, caller, place).await,
        SourceKind::FaqSeed | SourceKind::Files | SourceKind::Faq | SourceKind::Website => {
            websites::read(app, caller, place, reading).await
        }
    }
}

/// Removes a source with its documents, their passages and, soon after, the uploaded files.
///
/// # Errors
/// `chatbot_not_found`, `source_not_found`, `source_read_only`.
pub async fn delete(app: &App, caller: &Caller, (chatbot, id): (ChatbotId, SourceId)) -> ApiResult<()> {
    let (mut tx, tenant) = chatbot_tx::begin_write(app, caller, chatbot).await?;
    let source = owned(sources::lock(&mut tx, tenant, chatbot, id).await?)?;
    let crawling = store::websites::open_job(&mut tx, tenant, id).await?;
    let files = uploads::of_source(&mut tx, tenant, id, None).await?;
    let (ids, running): (Vec<UploadId>, Vec<Option<JobId>>) = files.iter().map(|file| (file.id, file.job)).unzip();
    // Jobs first: what they are about to commit is waited for, and then removed.
    jobs::cancel(&mut tx, tenant, &running.into_iter().flatten().chain(crawling).collect::<Vec<_>>()).await?;
    let documents = source_change::find(&mut tx, tenant, chatbot, id).await?.documents;
    let mut passages = uploads::delete(&mut tx, tenant, chatbot, &ids).await?;
    // Only a website has pages.
    passages.extend(store::websites::delete(&mut tx, tenant, chatbot, id).await?);
    sources::delete(&mut tx, tenant, id).await?;
    rereading::queue_former_duplicates(app, &mut tx, tenant, chatbot).await?;
    let mut before = described(&source);
    let is_website = source.kind == SourceKind::Website;
    before["documents"] = if is_website { json!(documents) } else { json!(files.len()) };
    let details = json!({ "before": before, "after": null });
    tx.commit_audited(&entry(caller, tenant, chatbot, actions::CHATBOT_SOURCE_DELETED, id, details)).await?;
    vector_sync::remove(app, Collection { tenant, chatbot }, &passages).await;
    Ok(())
}

/// A source as the audit log has it. Its name stays out: operators read the log.
fn described(source: &Source) -> Value {
    let mut described = json!({ "kind": source.kind });
    if source.kind != SourceKind::Website {
        described["visitors_open_files"] = json!(source.visitors_open_files);
    }
    described
}
