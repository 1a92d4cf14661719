//! The active filters, each with a button that removes it, and saved filters.

use app::{
    api,
    form::{Field, Form},
    format,
    i18n::{Localized, Text, texts as common},
    list_url::ListUrl,
    saved_filters::{SavedFilter, SavedFilters},
    ui::{Button, Dialog, DialogForm, DialogSize, IconButton, IconName, TextField},
};
use contract::{
    ChatbotId, TenantId,
    chatbots::{ChatbotListQuery, ListTenantChatbots},
    page::{MAX_LIMIT, PageQuery},
    tenants::GetTenant,
};
use leptos::{prelude::*, task::spawn_local};

use super::{
    actions::{kind, meaning, role},
    filter::{self, KEYS},
};
use crate::{cells::short, paths, texts};

/// The bar of chips: what is set, what was saved, and the button that saves.
#[component]
pub(super) fn Chips(list: ListUrl) -> impl IntoView {
    let saved = SavedFilters::of("audit");
    let naming = RwSignal::new(false);
    let set = Memo::new(move |_| {
        let values = KEYS.iter().map(|key| (*key, list.value(key)));
        values.filter(|(_, value)| !value.is_empty()).collect::<Vec<_>>()
    });
    let tenant = Memo::new(move |_| list.value("tenant_id"));
    let chips = move || {
        let tenant = tenant.get();
        set.get()
            .into_iter()
            .map(|(key, value)| view! { <SetFilter list key value tenant=tenant.clone() /> })
            .collect_view()
    };
    let saved_filters = move || saved.all().into_iter().map(|of| view! { <Named of saved /> }).collect_view();
    let can_save = move || !set.with(Vec::is_empty) && !saved.knows(&filter::query(list));
    let save = move || {
        can_save().then(|| {
            view! { <Button small=true on_click=move |()| naming.set(true)>{texts::SAVE_FILTERS.t()}</Button> }
        })
    };
    let is_empty = move || set.with(Vec::is_empty) && saved.all().is_empty();
    view! {
        <div class="ui-row ui-row--wrap" hidden=is_empty>
            <ul class="ui-chips" aria-label=texts::FILTERS.t()>{chips}</ul>
            {save}
            <ul class="ui-chips" aria-label=texts::SAVED_FILTERS.t()>{saved_filters}</ul>
        </div>
        <Dialog open=naming title=texts::SAVE_FILTERS size=DialogSize::Small>
            <NameForm list saved open=naming />
        </Dialog>
    }
}

/// A chip, which links to the list without its filter.
#[component]
fn SetFilter(
    list: ListUrl,
    /// Its name in the address.
    key: &'static str,
    value: String,
    /// The selected tenant, whose chatbots have names.
    tenant: String,
) -> impl IntoView {
    let label = label(key);
    let value_text = readable_value(key, value, &tenant);
    let remove = Callback::new(move |()| list.set(&[(key, ""), ("cursor", "")]));
    view! {
        <li class="ui-chip ui-chip--removable">
            <span><span class="ui-muted">{label.t()} ": "</span> {move || value_text.get().get()}</span>
            <IconButton
                icon=IconName::Close
                label=texts::REMOVE_FILTER.with_localized([label.into()])
                on_click=remove
            />
        </li>
    }
}

/// Saved filters: a link to them.
#[component]
fn Named(of: SavedFilter, saved: SavedFilters) -> impl IntoView {
    let SavedFilter { name, query } = of;
    let label = texts::REMOVE_SAVED.with(&[&name]);
    let href = format!("{}{query}", paths::AUDIT);
    let own = name.clone();
    view! {
        <li class="ui-chip ui-chip--removable">
            <a class="ui-link ui-link--quiet" href=href>{name}</a>
            <IconButton icon=IconName::Close label on_click=move |()| saved.remove(&own) />
        </li>
    }
}

#[component]
fn NameForm(list: ListUrl, saved: SavedFilters, open: RwSignal<bool>) -> impl IntoView {
    let name = Field::new("name", "");
    let form = Form::new([name]);
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let typed = name.trimmed();
        if typed.is_empty() {
            name.set_error(texts::NAME_FILTERS);
            return;
        }
        saved.save(&typed, untrack(|| filter::query(list)));
        open.set(false);
    };
    view! {
        <DialogForm open form on_submit=submit>
            <TextField label=common::NAME hint=texts::SAVE_FILTERS_HINT field=name />
        </DialogForm>
    }
}

fn label(key: &str) -> Text {
    match key {
        "action" => texts::AUDIT_ACTION,
        "entity_type" => texts::AUDIT_ENTITY_TYPE,
        "entity_id" => texts::AUDIT_ENTITY_ID,
        "actor_role" => texts::AUDIT_ROLE,
        "actor_user" => texts::AUDIT_USER,
        "tenant_id" => texts::TENANT,
        "chatbot_id" => texts::AUDIT_ONE_CHATBOT,
        "date_from" => texts::AUDIT_FROM,
        "date_to" => texts::AUDIT_TO,
        _ => texts::AUDIT_SEARCH,
    }
}

/// The readable value: immediately where possible, and names when they are loaded.
fn readable_value(key: &str, value: String, tenant: &str) -> RwSignal<Localized> {
    let first: Localized = match key {
        "action" => meaning(&value),
        "entity_type" => kind(&value),
        "actor_role" => role(&value),
        "date_from" | "date_to" if value.len() == 10 => format::day(&value),
        "tenant_id" | "chatbot_id" | "entity_id" => short(&value).into(),
        _ => value.as_str().into(),
    };
    let text = RwSignal::new(first);
    match (key, tenant.parse::<TenantId>().ok()) {
        ("tenant_id", Some(id)) => spawn_local(async move {
            if let Ok(tenant) = api::call::<GetTenant>(&id, &(), &()).await {
                let _ = text.try_set(tenant.display_name.into());
            }
        }),
        ("chatbot_id", Some(tenant)) => spawn_local(async move {
            let page = PageQuery { limit: MAX_LIMIT, ..PageQuery::default() };
            let query = ChatbotListQuery { page, status: None };
            let Ok(chatbots) = api::call::<ListTenantChatbots>(&tenant, &query, &()).await else { return };
            let id = value.parse::<ChatbotId>().ok();
            if let Some(chatbot) = chatbots.items.into_iter().find(|chatbot| Some(chatbot.id) == id) {
                let _ = text.try_set(chatbot.name.into());
            }
        }),
        _ => {}
    }
    text
}
