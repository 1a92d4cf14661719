//! The hosts that a tenant may read without proof of ownership.

use app::{
    api,
    form::{Field, Form, FormError},
    format,
    i18n::{Localized, texts as common},
    page_task::spawn_on_page,
    resource::{Loaded, Resource},
    session::Session,
    ui::{Button, ButtonKind, Card, IconName, Skeleton, TextField, ToastKind, toast, toast_problem},
};
use contract::{
    Page, TenantId,
    page::{MAX_LIMIT, PageQuery},
    websites::{
        AllowHost, AllowedHost, AllowedHostListQuery, DisallowHost, HostName, ListAllowedHosts, NewAllowedHost,
    },
};
use leptos::prelude::*;

use crate::texts::tenants as texts;

/// The hosts of one tenant; operators change them.
#[component]
pub(super) fn HostsCard(tenant_id: TenantId) -> impl IntoView {
    let query = AllowedHostListQuery { page: PageQuery { limit: MAX_LIMIT, ..PageQuery::default() } };
    let hosts = Resource::new(move || {
        let query = query.clone();
        async move { api::call::<ListAllowedHosts>(&tenant_id, &query, &()).await }
    });
    // The card's, because each change builds the rows again.
    let busy = RwSignal::new(false);
    view! {
        <Card title=texts::HOSTS>
            <p class="ui-muted">{texts::HOSTS_TEXT.t()}</p>
            <Loaded resource=hosts skeleton=|| view! { <Skeleton lines=2 /> } let:allowed>
                <Hosts tenant_id allowed resource=hosts busy />
            </Loaded>
            {Session::get().is_operator().then(|| view! { <NewHost tenant_id resource=hosts /> })}
        </Card>
    }
}

#[component]
fn Hosts(
    tenant_id: TenantId,
    allowed: Page<AllowedHost>,
    resource: Resource<Page<AllowedHost>>,
    busy: RwSignal<bool>,
) -> impl IntoView {
    if allowed.items.is_empty() {
        return view! { <p>{texts::HOSTS_NONE.t()}</p> }.into_any();
    }
    let host = move |host: AllowedHost| view! { <Host tenant_id host resource busy /> };
    view! { <ul class="ui-entries" aria-label=texts::HOSTS.t()>{allowed.items.into_iter().map(host).collect_view()}</ul> }
        .into_any()
}

#[component]
fn Host(
    tenant_id: TenantId,
    host: AllowedHost,
    resource: Resource<Page<AllowedHost>>,
    busy: RwSignal<bool>,
) -> impl IntoView {
    let since = texts::HOSTS_SINCE
        .with_localized([Localized::from(host.allowed_by.clone()), format::date_time(host.created_at)]);
    let (name, remove_label) = (host.host.clone(), texts::HOSTS_REMOVE_NAMED.with(&[&host.host]));
    let remove = move |()| {
        let Ok(place) = name.parse::<HostName>() else { return };
        let name = name.clone();
        let call = async move { api::call::<DisallowHost>(&(tenant_id, place), &(), &()).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(()) => {
                toast(ToastKind::Success, texts::HOSTS_REMOVED.with(&[&name]));
                let Some(mut page) = untrack(|| resource.get()) else { return };
                page.items.retain(|other| other.host != name);
                resource.set(page);
            }
            Err(problem) => toast_problem(&problem),
        });
    };
    let button = Session::get().is_operator().then(|| {
        view! {
            <Button kind=ButtonKind::Ghost small=true icon=IconName::Trash busy on_click=remove>
                <span class="ui-visually-hidden">{remove_label}</span>
                <span aria-hidden="true">{common::DELETE.t()}</span>
            </Button>
        }
    });
    view! {
        <li class="ui-entries__item ui-row ui-row--between ui-row--wrap">
            <span>
                <span class="ui-mono ui-break">{host.host}</span>
                <span class="ui-muted ui-small">" " {since}</span>
            </span>
            {button}
        </li>
    }
}

#[component]
fn NewHost(tenant_id: TenantId, resource: Resource<Page<AllowedHost>>) -> impl IntoView {
    let host = Field::new("host", "");
    let form = Form::new([host]);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let allow = move |body: NewAllowedHost| async move { api::call::<AllowHost>(&tenant_id, &(), &body).await };
        form.send(NewAllowedHost { host: host.trimmed() }, allow, move |allowed| {
            toast(ToastKind::Success, texts::HOSTS_ALLOWED.with(&[&host.trimmed()]));
            host.set("");
            let Some(mut page) = untrack(|| resource.get()) else { return };
            page.items.retain(|other| other.host != allowed.host);
            page.items.push(allowed);
            page.items.sort_by(|a, b| a.host.cmp(&b.host));
            resource.set(page);
        });
    };
    view! {
        <form class="ui-stack ui-narrow" novalidate on:submit=submit>
            <TextField label=texts::HOSTS_NEW field=host hint=texts::HOSTS_NEW_HINT mono=true />
            <FormError form />
            <div class="ui-row"><Button submit=true busy=form.busy()>{texts::HOSTS_ALLOW.t()}</Button></div>
        </form>
    }
}
