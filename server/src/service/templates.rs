//! Chatbot templates: list, show, create.

use contract::{
    ErrorCode, Page, TemplateId,
    templates::{NewTemplate, Template, TemplateListQuery},
};
use store::{AuditEntry, audit};

use crate::{
    app_state::App,
    http::{
        caller::Caller,
        error::{ApiResult, conflict},
    },
};

/// A page of the templates that the caller may see.
///
/// # Errors
/// When the database fails.
pub async fn list(app: &App, caller: &Caller, query: &TemplateListQuery) -> ApiResult<Page<Template>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let templates = store::templates::list(&mut tx, query).await?;
    tx.end().await?;
    Ok(templates)
}

/// A template.
///
/// # Errors
/// `template_not_found`.
pub async fn get(app: &App, caller: &Caller, id: &TemplateId) -> ApiResult<Template> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let template = store::templates::find(&mut tx, id).await?;
    tx.end().await?;
    template.ok_or_else(|| ErrorCode::TemplateNotFound.into())
}

/// Creates a template.
///
/// # Errors
/// `template_exists`.
pub async fn create(app: &App, caller: &Caller, new: &NewTemplate) -> ApiResult<Template> {
    let mut tx = app.db.write(&caller.scope()?).await?;
    store::templates::insert(&mut tx, new)
        .await
        .map_err(|error| conflict(error, "chatbot_templates_pkey", ErrorCode::TemplateExists))?;
    let template = store::templates::find(&mut tx, &new.id).await?.ok_or(ErrorCode::InternalError)?;
    let entry = AuditEntry {
        actor: caller.actor(),
        tenant_id: None,
        chatbot_id: None,
        action: "template.created",
        entity_type: "template",
        entity_id: new.id.to_string(),
        details: audit::created(&template),
    };
    let audited = tx.audit(&entry).await?;
    tx.commit(audited).await?;
    Ok(template)
}
