//! API calls about people: of the user's own tenant, or by an operator of any tenant.

use contract::{
    Page, PersonId, TenantId,
    people::{
        FirstPassword, InvitePerson, InviteTenantPerson, InvitedPerson, ListPeople, ListTenantPeople, NewPerson,
        Person, PersonListQuery, PersonPatch, RemovePerson, RemoveTenantPerson, ResetPersonPassword,
        ResetTenantPersonPassword, SignPersonOut, SignTenantPersonOut, UpdatePerson, UpdateTenantPerson,
    },
};

use crate::{api, problem::Problem};

/// The tenant whose people are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeopleOf {
    /// The people of the user's own tenant.
    Own,
    /// A tenant's, as an operator sees them.
    Tenant(TenantId),
}

impl PeopleOf {
    pub(super) async fn list(self, query: PersonListQuery) -> Result<Page<Person>, Problem> {
        match self {
            Self::Own => api::call::<ListPeople>(&(), &query, &()).await,
            Self::Tenant(tenant) => api::call::<ListTenantPeople>(&tenant, &query, &()).await,
        }
    }

    pub(super) async fn invite(self, new: NewPerson) -> Result<InvitedPerson, Problem> {
        match self {
            Self::Own => api::call::<InvitePerson>(&(), &(), &new).await,
            Self::Tenant(tenant) => api::call::<InviteTenantPerson>(&tenant, &(), &new).await,
        }
    }

    pub(super) async fn update(self, id: PersonId, patch: PersonPatch) -> Result<Person, Problem> {
        match self {
            Self::Own => api::call::<UpdatePerson>(&id, &(), &patch).await,
            Self::Tenant(tenant) => api::call::<UpdateTenantPerson>(&(tenant, id), &(), &patch).await,
        }
    }

    pub(super) async fn remove(self, id: PersonId) -> Result<(), Problem> {
        match self {
            Self::Own => api::call::<RemovePerson>(&id, &(), &()).await,
            Self::Tenant(tenant) => api::call::<RemoveTenantPerson>(&(tenant, id), &(), &()).await,
        }
    }

    pub(super) async fn reset_password(self, id: PersonId) -> Result<FirstPassword, Problem> {
        match self {
            Self::Own => api::call::<ResetPersonPassword>(&id, &(), &()).await,
            Self::Tenant(tenant) => api::call::<ResetTenantPersonPassword>(&(tenant, id), &(), &()).await,
        }
    }

    pub(super) async fn sign_out(self, id: PersonId) -> Result<(), Problem> {
        match self {
            Self::Own => api::call::<SignPersonOut>(&id, &(), &()).await,
            Self::Tenant(tenant) => api::call::<SignTenantPersonOut>(&(tenant, id), &(), &()).await,
        }
    }
}
