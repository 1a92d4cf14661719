//! People of tenants: of the caller's own tenant, and for operators of any.

use axum::Router;
use contract::{
    Page,
    people::{
        FirstPassword, GetPerson, GetTenantPerson, InvitePerson, InviteTenantPerson, InvitedPerson, ListPeople,
        ListTenantPeople, Person, RemovePerson, RemoveTenantPerson, ResetPersonPassword, ResetTenantPersonPassword,
        SignPersonOut, SignTenantPersonOut, UpdatePerson, UpdateTenantPerson,
    },
};

use crate::{
    error::ApiResult,
    http::endpoint::{Call, Register, Reply},
    service::people,
    state::App,
};

pub(super) fn register(router: Router<App>) -> Router<App> {
    router
        .endpoint(list)
        .endpoint(invite)
        .endpoint(get)
        .endpoint(update)
        .endpoint(remove)
        .endpoint(reset_password)
        .endpoint(sign_out)
        .endpoint(list_of_tenant)
        .endpoint(invite_to_tenant)
        .endpoint(get_of_tenant)
        .endpoint(update_of_tenant)
        .endpoint(remove_of_tenant)
        .endpoint(reset_password_of_tenant)
        .endpoint(sign_out_of_tenant)
}

async fn list(app: App, call: Call<ListPeople>) -> ApiResult<Page<Person>> {
    people::list(&app, &call.caller, call.caller.tenant()?, &call.query).await
}

async fn invite(app: App, call: Call<InvitePerson>) -> ApiResult<Reply<InvitedPerson>> {
    let invited = people::invite(&app, &call.caller, call.caller.tenant()?, call.body).await?;
    let location = format!("/api/v1/tenants/me/people/{}", invited.id);
    Ok(Reply::created(invited, location))
}

async fn get(app: App, call: Call<GetPerson>) -> ApiResult<Person> {
    people::get(&app, &call.caller, call.caller.tenant()?, call.path).await
}

async fn update(app: App, call: Call<UpdatePerson>) -> ApiResult<Person> {
    let of = (call.caller.tenant()?, call.path);
    people::update(&app, &call.caller, of, call.if_match(), call.body).await
}

async fn remove(app: App, call: Call<RemovePerson>) -> ApiResult<()> {
    people::remove(&app, &call.caller, (call.caller.tenant()?, call.path)).await
}

async fn reset_password(app: App, call: Call<ResetPersonPassword>) -> ApiResult<FirstPassword> {
    people::reset_password(&app, &call.caller, (call.caller.tenant()?, call.path)).await
}

async fn sign_out(app: App, call: Call<SignPersonOut>) -> ApiResult<()> {
    people::sign_out(&app, &call.caller, (call.caller.tenant()?, call.path)).await
}

async fn list_of_tenant(app: App, call: Call<ListTenantPeople>) -> ApiResult<Page<Person>> {
    let tenant = people::tenant_of_path(&app, &call.caller, call.path).await?;
    people::list(&app, &call.caller, tenant, &call.query).await
}

async fn invite_to_tenant(app: App, call: Call<InviteTenantPerson>) -> ApiResult<Reply<InvitedPerson>> {
    let tenant = people::tenant_of_path(&app, &call.caller, call.path).await?;
    let invited = people::invite(&app, &call.caller, tenant, call.body).await?;
    let location = format!("/api/v1/platform/tenants/{tenant}/people/{}", invited.id);
    Ok(Reply::created(invited, location))
}

async fn get_of_tenant(app: App, call: Call<GetTenantPerson>) -> ApiResult<Person> {
    let tenant = people::tenant_of_path(&app, &call.caller, call.path.0).await?;
    people::get(&app, &call.caller, tenant, call.path.1).await
}

async fn update_of_tenant(app: App, call: Call<UpdateTenantPerson>) -> ApiResult<Person> {
    let tenant = people::tenant_of_path(&app, &call.caller, call.path.0).await?;
    let if_match = call.if_match();
    people::update(&app, &call.caller, (tenant, call.path.1), if_match, call.body).await
}

async fn remove_of_tenant(app: App, call: Call<RemoveTenantPerson>) -> ApiResult<()> {
    let tenant = people::tenant_of_path(&app, &call.caller, call.path.0).await?;
    people::remove(&app, &call.caller, (tenant, call.path.1)).await
}

async fn reset_password_of_tenant(app: App, call: Call<ResetTenantPersonPassword>) -> ApiResult<FirstPassword> {
    let tenant = people::tenant_of_path(&app, &call.caller, call.path.0).await?;
    people::reset_password(&app, &call.caller, (tenant, call.path.1)).await
}

async fn sign_out_of_tenant(app: App, call: Call<SignTenantPersonOut>) -> ApiResult<()> {
    let tenant = people::tenant_of_path(&app, &call.caller, call.path.0).await?;
    people::sign_out(&app, &call.caller, (tenant, call.path.1)).await
}
