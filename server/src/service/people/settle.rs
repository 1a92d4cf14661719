//! Settles pending changes: asks the provider whether a change was made, and writes the result with its audit row in
//! one transaction.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use contract::{ErrorCode, PersonId, TenantId, audit::actions, people::PersonRole};
use serde_json::{Value, json};
use store::{
    AuditEntry, Exemption, Scope,
    people::{self, Change},
};
use tokio_util::sync::CancellationToken;

use super::{lock, snapshot};
use crate::{
    auth::TENANT_REALM,
    error::ApiResult,
    identity_admin::{Account, IdentityAdmin, IdentityError},
    shutdown::ticks,
    state::App,
};

const INTERVAL: Duration = Duration::from_secs(60);
/// Tenants of one round.
const TENANTS_PER_ROUND: i64 = 200;
/// How long settled changes are kept; their audit rows are kept longer.
const MAX_AGE: TimeDelta = TimeDelta::days(30);
/// How much later than the provider's clock this one may be.
const MAX_CLOCK_SKEW: TimeDelta = TimeDelta::seconds(30);
/// A removed person's name can be reused when the audit log no longer contains it.
const RETIRED_DAYS: i32 = 730;

/// The result of a change.
#[derive(Debug, Clone)]
pub(super) struct ChangeOutcome {
    is_done: bool,
    after: Value,
    error: Option<ErrorCode>,
}

impl ChangeOutcome {
    pub(super) fn done(after: Value) -> Self {
        Self { is_done: true, after, error: None }
    }

    /// An account was made. The audit row needs no hash of its address.
    pub(super) fn invited(change: &Change) -> Self {
        let mut after = change.wanted.clone();
        if let Some(after) = after.as_object_mut() {
            after.remove("email");
        }
        Self::done(after)
    }

    fn failed(after: Value) -> Self {
        Self { is_done: false, after, error: None }
    }

    /// This outcome, with the reason when the change was not made.
    fn because(self, error: Option<ErrorCode>) -> Self {
        Self { error: error.filter(|_| !self.is_done), ..self }
    }
}

/// Settles a change by the provider's state; returns whether it was made. `error` is the reason when it was not.
pub(super) async fn by_provider(
    app: &App,
    provider: &IdentityAdmin,
    change: &Change,
    error: Option<ErrorCode>,
) -> ApiResult<bool> {
    let outcome = ask(provider, change).await?.because(error);
    write(app, change, &outcome).await?;
    Ok(outcome.is_done)
}

/// Asks the provider whether a change was made. Repeats necessary follow-ups, and undoes a half-made change.
async fn ask(provider: &IdentityAdmin, change: &Change) -> ApiResult<ChangeOutcome> {
    if change.action == actions::USER_INVITED {
        return undo_invitation(provider, change).await;
    }
    let id = change.person.ok_or(ErrorCode::InternalError)?;
    let account = match provider.person(change.tenant, id).await {
        Ok(account) => account,
        Err(IdentityError::NotFound) if change.action == actions::USER_REMOVED => {
            return Ok(ChangeOutcome::done(Value::Null));
        }
        Err(IdentityError::NotFound) => return Ok(ChangeOutcome::failed(Value::Null)),
        Err(error) => return Err(error.into()),
    };
    let role = provider.role(id).await?;
    let (after, ends_sessions) = match change.action.as_str() {
        actions::USER_UPDATED | actions::USER_ROLE_CHANGED | actions::USER_ACTIVATED | actions::USER_DEACTIVATED => {
            let is_demoted = change.before["role"] == json!(PersonRole::Admin);
            let after = snapshot::only(&snapshot::of(&account, role), &change.wanted);
            (after, is_demoted || !account.is_enabled)
        }
        actions::USER_PASSWORD_RESET => {
            let after = json!({ "password_set_at": provider.password_set_at(id).await? });
            let is_new = after != change.before;
            return finish(
                provider,
                change,
                if is_new { ChangeOutcome::done(after) } else { ChangeOutcome::failed(after) },
                is_new,
            )
            .await;
        }
        actions::USER_SIGNED_OUT => (json!({ "sessions": provider.sessions(id).await? }), false),
        _ => (change.before.clone(), false),
    };
    let outcome = if after == change.wanted { ChangeOutcome::done(after) } else { ChangeOutcome::failed(after) };
    let ends_sessions = ends_sessions && outcome.is_done;
    finish(provider, change, outcome, ends_sessions).await
}

/// Ends the sessions that a change ends, unless that has been done.
async fn finish(
    provider: &IdentityAdmin,
    change: &Change,
    outcome: ChangeOutcome,
    ends_sessions: bool,
) -> ApiResult<ChangeOutcome> {
    let id = change.person.ok_or(ErrorCode::InternalError)?;
    if ends_sessions && provider.sessions(id).await? > 0 {
        provider.sign_out(id).await?;
    }
    Ok(outcome)
}

/// Deletes the account of an unfinished invitation. The name was free when it began, and nobody knows the password.
async fn undo_invitation(provider: &IdentityAdmin, change: &Change) -> ApiResult<ChangeOutcome> {
    if let Some(account) =
        provider.find_by_username(&change.username).await?.filter(|account| is_made_by(change, account))
    {
        match provider.delete(account.id).await {
            Ok(()) | Err(IdentityError::NotFound) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(ChangeOutcome::failed(Value::Null))
}

/// Whether this invitation made the account, and not somebody at the provider who took the same name in the meantime.
fn is_made_by(invitation: &Change, account: &Account) -> bool {
    let begun_at = invitation.id.get_timestamp().and_then(|at| {
        let (seconds, nanos) = at.to_unix();
        DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanos)
    });
    let has_time =
        account.created_at.zip(begun_at).is_some_and(|(created_at, begun)| created_at >= begun - MAX_CLOCK_SKEW);
    let email = snapshot::fingerprint("email", &account.email);
    account.is_of(invitation.tenant)
        && invitation.person.is_none_or(|id| id == account.id)
        && account.must_change_password
        && has_time
        && invitation.wanted.get("email").is_none_or(|hash| *hash == json!(email))
}

/// Settles a change and writes its audit row in the name of its author, in one transaction. A change that was settled
/// already gets no second row.
pub(super) async fn write(app: &App, change: &Change, outcome: &ChangeOutcome) -> ApiResult<()> {
    if change.action == actions::USER_REMOVED && outcome.is_done {
        forget(app, change).await?;
    }
    let scope = scope(change);
    let mut tx = app.db.write(&scope).await?;
    if !people::settle(&mut tx, change, outcome.is_done).await? {
        return Ok(tx.discard().await?);
    }
    Ok(tx.commit_audited(&entry(change, outcome)?).await?)
}

/// Removes what the platform stores about a person, and blocks the name from reuse when the account was used.
async fn forget(app: &App, change: &Change) -> ApiResult<()> {
    app.activity().forget(change.tenant, &change.username, Utc::now());
    let scope = Scope::tenant(change.tenant).exempt_from_shares().with_user(TENANT_REALM, &change.username);
    let mut tx = app.db.write(&scope).await?;
    people::activity::forget(&mut tx, change.tenant, TENANT_REALM, &change.username).await?;
    tx.commit_exempt(Exemption::BegunChange).await?;
    // Version 2.0.0 did not record whether the account was used.
    if change.wanted["retires_username"] == json!(false) {
        return Ok(());
    }
    let mut tx = app.db.write(&Scope::system()).await?;
    people::retired::add(&mut tx, &snapshot::retired_hash(change.tenant, &change.username)).await?;
    Ok(tx.commit_exempt(Exemption::BegunChange).await?)
}

/// The scope of a change's author.
fn scope(change: &Change) -> Scope {
    let scope = match change.actor.role {
        "operator" => Scope::operator(),
        _ => Scope::tenant(change.tenant),
    };
    scope.exempt_from_shares().with_user(&change.realm, &change.actor.user)
}

fn entry(change: &Change, outcome: &ChangeOutcome) -> ApiResult<AuditEntry> {
    let (before, after) = differing(&change.before, &outcome.after);
    let mut details = json!({
        "before": before, "after": after, "username": change.username,
        "outcome": if outcome.is_done { "done" } else { "failed" },
    });
    if let Some(error) = outcome.error {
        details["error"] = json!(error.as_str());
    }
    Ok(AuditEntry {
        actor: change.actor.clone(),
        tenant_id: Some(change.tenant),
        chatbot_id: None,
        action: action(&change.action)?,
        entity_type: "user",
        entity_id: change.person.map_or_else(|| change.username.clone(), |id| id.to_string()),
        details,
    })
}

/// Both sides with only the fields that differ; a creation or a removal stays complete.
fn differing(before: &Value, after: &Value) -> (Value, Value) {
    let (Some(was), Some(is)) = (before.as_object(), after.as_object()) else { return (before.clone(), after.clone()) };
    let keep = |one: &serde_json::Map<String, Value>, other: &serde_json::Map<String, Value>| -> Value {
        let differing = one.iter().filter(|(name, value)| other.get(*name) != Some(value));
        differing.map(|(name, value)| (name.clone(), value.clone())).collect::<serde_json::Map<_, _>>().into()
    };
    (keep(was, is), keep(is, was))
}

/// Settles the open changes of a tenant. Returns the people whose changes stay open because the provider rejects a call.
/// The caller holds the lock, so that nobody else works on these changes.
pub(super) async fn leftovers(app: &App, provider: &IdentityAdmin, tenant: TenantId) -> ApiResult<Vec<PersonId>> {
    let mut tx = app.db.read(&Scope::tenant(tenant).exempt_from_shares()).await?;
    let open = people::open(&mut tx, tenant).await?;
    drop(tx);
    let mut rejected = Vec::new();
    for change in open {
        match by_provider(app, provider, &change, None).await {
            Ok(done) => tracing::info!(change_id = %change.id, done, "people.settled"),
            // A rule of the provider concerns one person; the changes of the others go on.
            Err(error) if error.is(ErrorCode::PersonRejected) => {
                tracing::warn!(change_id = %change.id, %error, "people.settling_failed");
                rejected.extend(change.person);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(rejected)
}

/// Settles open changes at once and then every minute until `stop` is cancelled.
pub async fn run_until(app: App, stop: CancellationToken) {
    let mut ticks = ticks(INTERVAL);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
        }
        if let Err(error) = round(&app).await {
            tracing::warn!(%error, "people.settling_failed");
        }
    }
}

/// Settles the open changes of all tenants whose lock is free, once.
///
/// # Errors
/// When the database fails, or the identity provider.
pub async fn round(app: &App) -> ApiResult<()> {
    let Some(provider) = app.people.clone() else { return Ok(()) };
    let mut tx = app.db.write(&Scope::system()).await?;
    let tenants = people::tenants_with_open(&mut tx, TENANTS_PER_ROUND).await?;
    people::delete_settled(&mut tx, Utc::now() - MAX_AGE).await?;
    people::retired::expire(&mut tx, RETIRED_DAYS).await?;
    tx.commit_exempt(Exemption::Retention).await?;
    let mut failed = None;
    for tenant in tenants {
        let scope = Scope::tenant(tenant).exempt_from_shares();
        // The provider may fail for the people of one tenant; the others go on.
        if let Err(error) = lock::hold(app, &scope, tenant, leftovers(app, &provider, tenant)).await {
            failed = Some(error);
        }
    }
    failed.map_or(Ok(()), Err)
}

/// An unknown action in the record is a fault of this program.
fn action(text: &str) -> ApiResult<&'static str> {
    const ALL: [&str; 8] = [
        actions::USER_INVITED,
        actions::USER_UPDATED,
        actions::USER_ROLE_CHANGED,
        actions::USER_ACTIVATED,
        actions::USER_DEACTIVATED,
        actions::USER_REMOVED,
        actions::USER_PASSWORD_RESET,
        actions::USER_SIGNED_OUT,
    ];
    ALL.into_iter().find(|action| *action == text).ok_or_else(|| ErrorCode::InternalError.into())
}
