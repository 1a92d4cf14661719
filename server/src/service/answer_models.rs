//! Chooses the language model of a chatbot: its own choice among its tenant's models, else the tenant's default. API and
//! database know models by name only, because endpoints in the database would put their keys into backups.

use std::sync::Arc;

use contract::{
    ErrorCode, TenantId,
    answer_models::{AnswerModel, AnswerModels, DEFAULT_MODEL, QUOTED},
    tenants::Tenant,
};
use store::Scope;

use crate::{
    caller::Caller,
    error::{ApiError, ApiResult},
    state::{App, answer_models},
};

/// A tenant's default model, and the models that its chatbots may choose.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice<'a> {
    default: Option<&'a str>,
    further: &'a [String],
}

impl<'a> Choice<'a> {
    /// The tenant's models as assigned by an operator.
    pub(super) fn of(default: Option<&'a str>, further: &'a [String]) -> Self {
        Self { default, further }
    }

    fn of_tenant(tenant: &'a Tenant) -> Self {
        Self::of(tenant.answer_model.as_deref(), &tenant.answer_models)
    }

    /// The default of chatbots without a choice.
    fn default(self) -> &'a str {
        self.default.unwrap_or(DEFAULT_MODEL)
    }

    fn admits(self, name: &str) -> bool {
        name == QUOTED || name == self.default() || self.further.iter().any(|model| model == name)
    }

    /// The model of a chatbot with this choice; `None` when its answers are quoted. A choice that the tenant may no
    /// longer use, or that is not configured, falls back to the tenant's default.
    pub(super) fn model(self, app: &App, chosen: Option<&str>) -> Option<Arc<answer_models::AnswerModel>> {
        let is_possible = |name: &&str| self.admits(name) && is_choice(app, name);
        let name = chosen.filter(is_possible).unwrap_or_else(|| self.default());
        app.answer_model(name)
    }
}

/// The model that writes summaries of a tenant's documents: its default, while its budget of tokens lasts.
///
/// # Errors
/// `service_unavailable` when the database is down.
pub(super) async fn of_summaries(app: &App, tenant: TenantId) -> ApiResult<Option<Arc<answer_models::AnswerModel>>> {
    let mut tx = app.db.read(&Scope::tenant(tenant)).await?;
    let Some(tenant_settings) = store::tenants::find(&mut tx, tenant).await? else { return Ok(None) };
    let Some(model) = Choice::of_tenant(&tenant_settings).model(app, None) else { return Ok(None) };
    let Some(limit) = tenant_settings.quotas.or(&app.settings.quotas).tokens_per_month else { return Ok(Some(model)) };
    let taken = store::usage::tokens_this_month(&mut tx, tenant).await?;
    Ok(Some(model).filter(|_| taken < limit))
}

/// Refuses a choice that a tenant may not have, at this place of the request.
///
/// # Errors
/// `validation_error`.
pub(super) fn check_choice(app: &App, tenant: &Tenant, name: &str, place: &[&str]) -> ApiResult<()> {
    if is_choice(app, name) && Choice::of_tenant(tenant).admits(name) {
        return Ok(());
    }
    Err(refused(place))
}

/// Refuses names without a configured endpoint.
///
/// # Errors
/// `validation_error`.
pub(super) fn check_tenant(app: &App, before: &Tenant, after: &Tenant) -> ApiResult<()> {
    let is_new_default = after.answer_model != before.answer_model;
    if is_new_default && after.answer_model.as_deref().is_some_and(|name| !is_choice(app, name)) {
        return Err(refused(&["body", "answer_model"]));
    }
    let mut new = after.answer_models.iter().filter(|name| !before.answer_models.contains(name));
    if new.any(|name| app.answer_model(name).is_none()) {
        return Err(refused(&["body", "answer_models"]));
    }
    Ok(())
}

/// Whether the name is that of a model, or means quoting.
fn is_choice(app: &App, name: &str) -> bool {
    name == QUOTED || app.answer_model(name).is_some()
}

fn refused(place: &[&str]) -> ApiError {
    ApiError::field(place, "must be the name of a language model, or quoted", "answer_model")
}

/// The models that the chatbots of the caller's tenant may have.
///
/// # Errors
/// `tenant_not_active`.
pub async fn own(app: &App, caller: &Caller) -> ApiResult<AnswerModels> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let tenant = store::tenants::find(&mut tx, caller.tenant()?).await?.ok_or(ErrorCode::TenantNotActive)?;
    let choice = Choice::of_tenant(&tenant);
    let items = app.answer_models().iter().filter(|model| choice.admits(&model.name)).map(|model| to_wire(model));
    Ok(AnswerModels { items: items.collect(), default: default_of(app, choice) })
}

/// Every model, and a tenant's default.
///
/// # Errors
/// `tenant_not_found`.
pub async fn of_tenant(app: &App, caller: &Caller, id: TenantId) -> ApiResult<AnswerModels> {
    let mut tx = app.db.read(&caller.scope()?).await?;
    let tenant = store::tenants::find(&mut tx, id).await?.ok_or(ErrorCode::TenantNotFound)?;
    let items = app.answer_models().iter().map(|model| to_wire(model)).collect();
    Ok(AnswerModels { items, default: default_of(app, Choice::of_tenant(&tenant)) })
}

/// The names of models that are paused after failures.
pub(super) fn unavailable(app: &App) -> Vec<String> {
    let models = app.answer_models().iter().filter(|model| !to_wire(model).is_available);
    models.map(|model| model.name.clone()).collect()
}

fn default_of(app: &App, choice: Choice<'_>) -> String {
    let name = choice.default();
    app.answer_model(name).map_or_else(|| QUOTED.to_owned(), |model| model.name.clone())
}

fn to_wire(model: &answer_models::AnswerModel) -> AnswerModel {
    AnswerModel {
        name: model.name.clone(),
        model: model.generator.model().to_owned(),
        is_available: !model.generator.is_paused(),
    }
}
