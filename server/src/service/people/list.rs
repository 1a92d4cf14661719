//! Lists people: the provider's accounts with their roles, joined with when they were last active. Filtering and
//! sorting are done here, because a tenant has few people and the provider's own search covers all tenants.

use std::{cmp::Ordering, collections::HashMap, sync::Arc};

use contract::{
    ErrorCode, Page, PersonId, TenantId, Timestamp,
    people::{Person, PersonListQuery, PersonRole, PersonState},
};

use super::locked_people::LockedPeople;
use crate::{
    admission::tenant_queue::ShareUsed,
    auth::TENANT_REALM,
    caller::Caller,
    error::ApiResult,
    identity_admin::{Account, IdentityError, configured},
    state::{App, people_reads::People},
};

/// A page of the people of a tenant.
///
/// # Errors
/// `people_not_configured`, and when the provider is unavailable.
pub async fn list(app: &App, caller: &Caller, tenant: TenantId, query: &PersonListQuery) -> ApiResult<Page<Person>> {
    let read = shared(app, tenant, None).await?;
    let active = last_active(app, &caller.scope()?, tenant).await?;
    let people = read.accounts.iter().map(|account| person(account, read.roles.get(&account.id).copied(), &active));
    let mut people: Vec<Person> = people.filter(|person| matches(person, query)).collect();
    let (field, is_descending) = query.page.sort_or("name");
    people.sort_by(|a, b| {
        let order = compare(a, b, field).then_with(|| a.username.cmp(&b.username));
        if is_descending { order.reverse() } else { order }
    });
    let total = i64::try_from(people.len()).unwrap_or(i64::MAX);
    let (limit, offset) = (query.page.limit, query.page.offset);
    let (skip, take) = (usize::try_from(offset).unwrap_or(usize::MAX), usize::try_from(limit).unwrap_or_default());
    Ok(Page { items: people.into_iter().skip(skip).take(take).collect(), total, limit, offset })
}

/// A person of a tenant.
///
/// # Errors
/// `person_not_found`, `people_not_configured`, and when the provider is unavailable.
pub async fn get(app: &App, caller: &Caller, tenant: TenantId, id: PersonId) -> ApiResult<Person> {
    let read = shared(app, tenant, Some(id)).await?;
    let account = read.accounts.first().ok_or(ErrorCode::PersonNotFound)?;
    let active = last_active(app, &caller.scope()?, tenant).await?;
    Ok(person(account, read.roles.get(&id).copied(), &active))
}

/// What the provider says about a tenant's people, or one of them, at most a second ago.
async fn shared(app: &App, tenant: TenantId, id: Option<PersonId>) -> ApiResult<Arc<People>> {
    let provider = configured(app.people.as_ref())?;
    let shared = app.clone();
    let ask = async move {
        let read = async {
            let busy = |used: ShareUsed| IdentityError::Unavailable(used.to_string());
            let _permit = shared.shares().people_reads.acquire(tenant).await.map_err(busy)?;
            let accounts = match id {
                Some(id) => vec![provider.person(tenant, id).await?],
                None => provider.people(tenant).await?,
            };
            let roles = provider.roles(&accounts).await?;
            Ok::<_, IdentityError>(Arc::new(People { accounts, roles }))
        };
        read.await.map_err(|error| error.logged_code())
    };
    Ok(app.people_reads().get(&app.tasks, (tenant, id), ask).await?)
}

/// Reads a person during a change.
pub(super) async fn read(locked: &LockedPeople, id: PersonId) -> ApiResult<Person> {
    let account = locked.provider.person(locked.tenant, id).await?;
    let role = locked.provider.role(id).await?;
    let scope = store::Scope::tenant(locked.tenant).exempt_from_shares();
    let active = last_active(&locked.app, &scope, locked.tenant).await?;
    Ok(person(&account, role, &active))
}

async fn last_active(app: &App, scope: &store::Scope, tenant: TenantId) -> ApiResult<HashMap<String, Timestamp>> {
    let mut tx = app.db.read(scope).await?;
    Ok(store::people::activity::of_tenant(&mut tx, tenant, TENANT_REALM).await?)
}

fn person(account: &Account, role: Option<PersonRole>, active: &HashMap<String, Timestamp>) -> Person {
    let state = match account {
        Account { is_enabled: false, .. } => PersonState::Deactivated,
        Account { must_change_password: true, .. } => PersonState::Invited,
        _ => PersonState::Active,
    };
    Person {
        id: account.id,
        username: account.username.clone(),
        first_name: account.first_name.clone(),
        last_name: account.last_name.clone(),
        email: account.email.clone(),
        role,
        state,
        last_active_at: active.get(&account.username).copied(),
        created_at: account.created_at,
    }
}

fn matches(person: &Person, query: &PersonListQuery) -> bool {
    let search = query.page.q.as_deref().unwrap_or_default().trim().to_lowercase();
    let name = format!("{} {}", person.first_name, person.last_name);
    let matches_text =
        [&name, &person.username, &person.email].iter().any(|text| text.to_lowercase().contains(&search));
    matches_text
        && query.role.is_none_or(|role| person.role == Some(role))
        && query.state.is_none_or(|state| person.state == state)
}

fn compare(a: &Person, b: &Person, field: &str) -> Ordering {
    let name = |person: &Person| (person.last_name.to_lowercase(), person.first_name.to_lowercase());
    match field {
        "username" => a.username.cmp(&b.username),
        "role" => a.role.cmp(&b.role),
        "state" => a.state.cmp(&b.state),
        "last_active_at" => a.last_active_at.cmp(&b.last_active_at),
        _ => name(a).cmp(&name(b)),
    }
}
