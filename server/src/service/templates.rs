//! Chatbot templates: list, read, create, change, withdraw and offer again, clone into another language.

use contract::{
    ErrorCode, Page, TemplateId,
    audit::actions,
    templates::{NewTemplate, Template, TemplateListQuery, TemplatePatch, TemplateStatus, clone_id},
};
use serde_json::Value;
use store::{AuditEntry, WriteTx, audit};

use crate::{
    caller::Caller,
    error::{ApiError, ApiResult, on_constraint},
    precondition::IfMatch,
    state::App,
};

/// A page of the templates that the caller may see.
pub async fn list(app: &App, caller: &Caller, query: &TemplateListQuery) -> ApiResult<Page<Template>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let templates = store::templates::list(&mut tx, query).await?;
    Ok(templates)
}

/// A page of the templates that a chatbot may be made from, which is the same for every caller. A deactivated one is never
/// among them, so a search for those finds nothing.
pub async fn list_offered(app: &App, caller: &Caller, mut query: TemplateListQuery) -> ApiResult<Page<Template>> {
    if query.status == Some(TemplateStatus::Deactivated) {
        return Ok(Page { items: Vec::new(), total: 0, limit: query.page.limit, offset: query.page.offset });
    }
    query.status = Some(TemplateStatus::Active);
    list(app, caller, &query).await
}

/// A template.
///
/// # Errors
/// `template_not_found`.
pub async fn get(app: &App, caller: &Caller, id: &TemplateId) -> ApiResult<Template> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let template = store::templates::find(&mut tx, id).await?;
    template.ok_or_else(|| ErrorCode::TemplateNotFound.into())
}

/// Creates a template.
///
/// # Errors
/// `template_exists`.
pub async fn create(app: &App, caller: &Caller, new: &NewTemplate) -> ApiResult<Template> {
    let mut tx = app.db.write(&caller.scope()?).await?;
    let template = insert(&mut tx, new).await?;
    tx.commit_audited(&entry(caller, actions::TEMPLATE_CREATED, &new.id, audit::created(&template))).await?;
    Ok(template)
}

/// Changes a template's content: its version grows by one. A change that changes nothing writes nothing.
///
/// # Errors
/// `template_not_found`, `precondition_failed`.
pub async fn update(
    app: &App,
    caller: &Caller,
    id: &TemplateId,
    if_match: &IfMatch,
    patch: TemplatePatch,
) -> ApiResult<Template> {
    let mut tx = app.db.write(&caller.scope()?).await?;
    let before = find_for_update(&mut tx, id).await?;
    if_match.check(&before)?;
    let mut content = patch.apply(before.content.clone());
    content.name = content.name.trim().to_owned();
    if content == before.content {
        tx.discard().await?;
        return Ok(before);
    }
    store::templates::update_content(&mut tx, id, &content).await?;
    let after = find(&mut tx, id).await?;
    let details = audit::changed(&before, &after).unwrap_or_default();
    tx.commit_audited(&entry(caller, actions::TEMPLATE_UPDATED, id, details)).await?;
    Ok(after)
}

/// Withdraws a template from tenants; doing it again changes nothing.
///
/// # Errors
/// `template_not_found`.
pub async fn deactivate(app: &App, caller: &Caller, id: &TemplateId) -> ApiResult<Template> {
    set_status(app, caller, id, TemplateStatus::Deactivated, actions::TEMPLATE_DEACTIVATED).await
}

/// Offers a deactivated template again; doing it again changes nothing.
///
/// # Errors
/// `template_not_found`.
pub async fn reactivate(app: &App, caller: &Caller, id: &TemplateId) -> ApiResult<Template> {
    set_status(app, caller, id, TemplateStatus::Active, actions::TEMPLATE_REACTIVATED).await
}

/// Clones a template, active or not, into another language; the clone starts deactivated, until it is translated, with
/// version 1.
///
/// # Errors
/// `template_not_found`, `template_exists`; a validation error when the clone's id would be too long.
pub async fn clone_into(app: &App, caller: &Caller, id: &TemplateId, language: &str) -> ApiResult<Template> {
    let mut tx = app.db.write(&caller.scope()?).await?;
    let source = find(&mut tx, id).await?;
    let clone = clone_id(id, &source.language, language).map_err(|_| {
        let msg = "makes an id of more than 64 characters from this template's id";
        ApiError::field(&["body", "target_language"], msg, "too_long")
    })?;
    let new = NewTemplate { id: clone, language: language.to_owned(), content: source.content };
    insert(&mut tx, &new).await?;
    store::templates::set_status(&mut tx, &new.id, TemplateStatus::Deactivated).await?;
    let template = find(&mut tx, &new.id).await?;
    let mut details = audit::created(&template);
    details["after"]["cloned_from"] = Value::from(source.id.as_str());
    details["after"]["cloned_from_version"] = Value::from(source.version);
    tx.commit_audited(&entry(caller, actions::TEMPLATE_CLONED, &new.id, details)).await?;
    Ok(template)
}

async fn set_status(
    app: &App,
    caller: &Caller,
    id: &TemplateId,
    status: TemplateStatus,
    action: &'static str,
) -> ApiResult<Template> {
    let mut tx = app.db.write(&caller.scope()?).await?;
    let before = find_for_update(&mut tx, id).await?;
    if before.status == status {
        tx.discard().await?;
        return Ok(before);
    }
    store::templates::set_status(&mut tx, id, status).await?;
    let after = find(&mut tx, id).await?;
    let details = audit::changed(&before, &after).unwrap_or_default();
    tx.commit_audited(&entry(caller, action, id, details)).await?;
    Ok(after)
}

async fn insert(tx: &mut WriteTx, new: &NewTemplate) -> ApiResult<Template> {
    store::templates::insert(tx, new)
        .await
        .map_err(|error| on_constraint(error, "chatbot_templates_pkey", ErrorCode::TemplateExists))?;
    find(tx, &new.id).await
}

async fn find(tx: &mut WriteTx, id: &TemplateId) -> ApiResult<Template> {
    store::templates::find(tx, id).await?.ok_or_else(|| ErrorCode::TemplateNotFound.into())
}

async fn find_for_update(tx: &mut WriteTx, id: &TemplateId) -> ApiResult<Template> {
    store::templates::find_for_update(tx, id).await?.ok_or_else(|| ErrorCode::TemplateNotFound.into())
}

fn entry(caller: &Caller, action: &'static str, id: &TemplateId, details: Value) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: None,
        chatbot_id: None,
        action,
        entity_type: "template",
        entity_id: id.to_string(),
        details,
    }
}
