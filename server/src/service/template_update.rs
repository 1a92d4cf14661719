//! Compares a chatbot with the current version of its template, and applies the template's changes. Tenants act on
//! their own chatbots, operators and vendors on those of every live tenant.

mod compare;

use compare::Holder;
use contract::{
    ChatbotId, ErrorCode, TenantId,
    audit::actions,
    chatbots::{Chatbot, ChatbotStatus, Provisioning},
    identity::TokenScope,
    template_update::{ApplyTemplateUpdate, TemplateUpdate},
    templates::{Template, TemplateContent, TemplateStatus},
};
use serde_json::{Value, json};
use store::{
    AuditEntry, PgConnection, WriteTx, audit,
    chatbots::template_answers::{self, TemplateAnswers},
    vectors::Collection,
};

use crate::{
    caller::Caller,
    error::ApiResult,
    service::{
        knowledge::{
            faq::template::{self, AnswerComparison, Merged, OnConflict},
            provisioning, vector_sync,
        },
        tenant_write,
    },
    state::App,
};

/// The template's changes that the chatbot does not have. Empty without a template, or with a withdrawn one.
///
/// # Errors
/// `chatbot_not_found`.
pub async fn get(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<TemplateUpdate> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let chatbot = store::chatbots::find_live(&mut tx, own_tenant(caller)?, id).await?;
    let (holder, origin) = origin(&mut tx, caller, chatbot.ok_or(ErrorCode::ChatbotNotFound)?).await?;
    let snapshot_version = holder.chatbot.template_version;
    let template_version = origin.as_ref().map(|origin| origin.template.version);
    Ok(TemplateUpdate {
        update_available: template_version.is_some() && template_version != snapshot_version,
        snapshot_version,
        template_version,
        changes: origin.map(|o| compare::changes(&holder, &o.snapshot, &o.template.content)).unwrap_or_default(),
    })
}

/// Applies changes of the template: the given ones, or all that lose nothing of the chatbot's own. Writes nothing when
/// nothing changes. The chatbot takes prepared answers as its own, at once for its tenant and in the background for operators
/// and vendors, who see none of the tenant's; they are indexed afterwards.
///
/// # Errors
/// `chatbot_not_found`, `chatbot_not_active`, `template_not_found` without a template that is offered,
/// `template_version_changed`.
pub async fn apply(app: &App, caller: &Caller, id: ChatbotId, request: ApplyTemplateUpdate) -> ApiResult<Chatbot> {
    let mut tx = tenant_write::begin(app, caller).await?;
    let chatbot = store::chatbots::find_live_for_update(&mut tx, own_tenant(caller)?, id).await?;
    let chatbot = chatbot.ok_or(ErrorCode::ChatbotNotFound)?;
    if chatbot.status == ChatbotStatus::Deactivated {
        return Err(ErrorCode::ChatbotNotActive.into());
    }
    let (before, origin) = origin(&mut tx, caller, chatbot).await?;
    let origin = origin.ok_or(ErrorCode::TemplateNotFound)?;
    if origin.template.version != request.template_version {
        return Err(ErrorCode::TemplateVersionChanged.into());
    }
    let after = take(&before, &origin, request.fields.as_deref());
    let Some(mut details) = details(&before, &after) else {
        tx.discard().await?;
        return Ok(before.chatbot);
    };
    store::chatbots::take_template(&mut tx, &after.chatbot).await?;
    let tenant = after.chatbot.tenant_id;
    let mut merged = take_answers(&mut tx, caller, &before.chatbot, &after.chatbot, request.fields.is_some()).await?;
    let removed_passages = std::mem::take(&mut merged.removed_passages);
    if let Some([was, is]) = merged.details() {
        details["before"]["own_answers"] = was;
        details["after"]["own_answers"] = is;
    }
    if after.branding != before.branding {
        store::branding::upsert_chatbot(&mut tx, tenant, id, &after.branding).await?;
    }
    let chatbot = store::chatbots::find(&mut tx, tenant, id).await?.ok_or(ErrorCode::InternalError)?;
    tx.commit_audited(&entry(caller, &chatbot, details)).await?;
    vector_sync::remove(app, Collection { tenant, chatbot: id }, &removed_passages).await;
    if chatbot.provisioning == Provisioning::Pending {
        provisioning::in_background(app, tenant, id);
    }
    Ok(chatbot)
}

/// The chatbot after all changes that lose nothing of its own; `None` without an update.
///
/// # Errors
/// `chatbot_not_found`.
pub(crate) async fn preview(app: &App, caller: &Caller, id: ChatbotId) -> ApiResult<Option<Chatbot>> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let chatbot = store::chatbots::find_live(&mut tx, own_tenant(caller)?, id).await?;
    let (holder, origin) = origin(&mut tx, caller, chatbot.ok_or(ErrorCode::ChatbotNotFound)?).await?;
    let newer = origin.filter(|origin| Some(origin.template.version) != holder.chatbot.template_version);
    Ok(newer.map(|origin| take(&holder, &origin, None).chatbot))
}

/// A chatbot's origin: the template's content at the last update, and the current template.
struct Origin {
    snapshot: TemplateContent,
    template: Template,
}

async fn origin(
    connection: &mut PgConnection,
    caller: &Caller,
    chatbot: Chatbot,
) -> store::Result<(Holder, Option<Origin>)> {
    let branding = store::branding::find_chatbot(connection, chatbot.tenant_id, chatbot.id).await?.fields;
    let template = match &chatbot.template_id {
        Some(id) => store::templates::find(connection, id).await?,
        None => None,
    };
    // A withdrawn template does not exist for tenants; operators and vendors get the same answer.
    let template = template.filter(|template| template.status == TemplateStatus::Active);
    let origin = template.zip(chatbot.template_snapshot.clone());
    let origin = origin.map(|(template, snapshot)| Origin { snapshot, template });
    let answers = match &origin {
        Some(Origin { snapshot, template }) if caller.identity.scope == TokenScope::Tenant => {
            answers_of_chatbot(connection, &chatbot, snapshot, &template.content).await?
        }
        _ => None,
    };
    Ok((Holder { chatbot, branding, answers }, origin))
}

/// What the chatbot has of the template's answers; `None` while some wait to be taken.
async fn answers_of_chatbot(
    connection: &mut PgConnection,
    chatbot: &Chatbot,
    snapshot: &TemplateContent,
    template: &TemplateContent,
) -> store::Result<Option<AnswerComparison>> {
    let (tenant, id) = (chatbot.tenant_id, chatbot.id);
    if template_answers::find(connection, tenant, id).await?.is_some() {
        return Ok(None);
    }
    let answers = TemplateAnswers { before: snapshot.faq_seed.clone(), now: template.faq_seed.clone() };
    template::compare(connection, tenant, id, &answers).await.map(Some)
}

/// Takes prepared answers, if the update has any: the tenant's transaction changes its own answers, and that of operators and
/// vendors notes what the server then does. What the tenant changed is replaced only if the tenant chose so.
async fn take_answers(
    tx: &mut WriteTx,
    caller: &Caller,
    before: &Chatbot,
    after: &Chatbot,
    is_chosen: bool,
) -> store::Result<Merged> {
    let (tenant, id) = (after.tenant_id, after.id);
    let mut answers =
        TemplateAnswers { before: before.prepared_answers().to_vec(), now: after.prepared_answers().to_vec() };
    if answers.before == answers.now {
        return Ok(Merged::default());
    }
    if let Some(noted) = template_answers::find(tx, tenant, id).await? {
        answers.before = noted.before;
    }
    if caller.identity.scope != TokenScope::Tenant {
        template_answers::set(tx, tenant, id, Some(&answers)).await?;
        return Ok(Merged::default());
    }
    let on_conflict = if is_chosen { OnConflict::Replace } else { OnConflict::Keep };
    let merged = template::merge(tx, (tenant, id), &answers, on_conflict).await?;
    template_answers::set(tx, tenant, id, None).await?;
    Ok(merged)
}

fn take(holder: &Holder, origin: &Origin, requested_fields: Option<&[String]>) -> Holder {
    let changes = compare::changes(holder, &origin.snapshot, &origin.template.content);
    let taken = changes.iter().filter(|change| match requested_fields {
        Some(fields) => fields.contains(&change.field),
        None => !change.customised,
    });
    let fields: Vec<&str> = taken.map(|change| change.field.as_str()).collect();
    compare::take(holder, &origin.snapshot, &origin.template, &fields)
}

/// The changes of snapshot and branding for the audit log; `None` without any.
fn details(before: &Holder, after: &Holder) -> Option<Value> {
    let whole = |holder: &Holder| {
        let mut value = json!(holder.chatbot);
        value["branding"] = json!(holder.branding);
        value
    };
    let mut details = audit::changed(&whole(before), &whole(after))?;
    for field in ["template_snapshot", "branding"] {
        if let Some(mut parts) = audit::changed(&details["before"][field], &details["after"][field]) {
            details["before"][field] = parts["before"].take();
            details["after"][field] = parts["after"].take();
        }
    }
    Some(details)
}

/// The tenant that a tenant user is restricted to; `None` for operators and vendors.
fn own_tenant(caller: &Caller) -> ApiResult<Option<TenantId>> {
    match caller.identity.scope {
        TokenScope::Tenant => caller.tenant().map(Some),
        TokenScope::Operator | TokenScope::Vendor => Ok(None),
    }
}

fn entry(caller: &Caller, chatbot: &Chatbot, details: Value) -> AuditEntry {
    AuditEntry {
        actor: caller.actor(),
        tenant_id: Some(chatbot.tenant_id),
        chatbot_id: Some(chatbot.id),
        action: actions::CHATBOT_UPDATED,
        entity_type: "chatbot",
        entity_id: chatbot.id.to_string(),
        details,
    }
}
