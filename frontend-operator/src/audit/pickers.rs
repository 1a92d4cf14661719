//! The options of the audit log's filters: actions, entity types, tenants by name, their chatbots, and users.

use app::{
    api,
    form::Field,
    i18n::{Localized, Text, texts as common},
    resource::Resource,
    ui::{OptionGroup, Select},
};
use contract::{
    TenantId,
    audit::{AuditFilter, AuditListQuery, ListAudit},
    chatbots::{ChatbotListQuery, ListTenantChatbots},
    page::{MAX_LIMIT, PageQuery},
};
use leptos::prelude::*;

use crate::{
    cells::short,
    texts::{self, output_filter},
};

/// The id of the list of users, for the field that offers it.
pub(super) const USERS: &str = "audit-users";

/// A tenant that is searched by its name and stored as an id.
#[derive(Debug, Clone, Copy)]
pub(super) struct TenantPick {
    pub(super) text: Field,
    /// The tenant that was picked.
    pub(super) chosen: RwSignal<Option<TenantId>>,
}

impl TenantPick {
    /// Follows the field of the id, and writes the picked tenant there.
    pub(super) fn of(id: Field) -> Self {
        let pick = Self { text: Field::new("tenant", ""), chosen: RwSignal::new(None) };
        Effect::new(move |_| {
            let tenant_of_field = id.get().parse().ok();
            if pick.chosen.get_untracked() != tenant_of_field {
                pick.text.set("");
                pick.chosen.set(tenant_of_field);
            }
        });
        Effect::new(move |_| {
            let picked = pick.chosen.get().map(|id| id.to_string()).unwrap_or_default();
            if untrack(|| id.get()) != picked {
                id.set(picked);
            }
        });
        pick
    }

    /// Whether the field is empty or names a tenant; marks it otherwise.
    pub(super) fn accept(self) -> bool {
        let is_open = self.chosen.get_untracked().is_none() && !self.text.trimmed().is_empty();
        if is_open {
            self.text.set_error(output_filter::TENANT_OPEN);
        }
        !is_open
    }
}

/// Options in groups, including an unknown value from the URL.
#[component]
pub(super) fn GroupPicker(
    label: Text,
    /// The field of the value.
    field: Field,
    groups: fn() -> Vec<OptionGroup>,
) -> impl IntoView {
    let value = Signal::derive(move || field.get());
    let unknown = Memo::new(move |_| {
        let option_groups = groups();
        let is_known = |code: &String| {
            option_groups.iter().flat_map(|(_, options)| options).any(|(option_groups, _)| option_groups == code)
        };
        Some(field.get()).filter(|code| !code.is_empty() && !is_known(code))
    });
    move || {
        let mut options: Vec<(String, Localized)> = vec![(String::new(), common::ALL.into())];
        options.extend(unknown.get().map(|code| (code.clone(), code.into())));
        let pick = move |code: String| field.set(code);
        view! { <Select label value options groups=groups() on_change=pick /> }
    }
}

/// The chatbots of the picked tenant to choose from.
#[component]
pub(super) fn ChatbotPicker(
    tenant: RwSignal<Option<TenantId>>,
    /// The field of the chatbot's id.
    chosen: Field,
) -> impl IntoView {
    let chatbots = Resource::new(move || {
        let tenant = tenant.get();
        async move {
            let Some(tenant) = tenant else { return Ok(Vec::new()) };
            let page = PageQuery { sort: Some("name".to_owned()), limit: MAX_LIMIT, ..PageQuery::default() };
            let query = ChatbotListQuery { page, status: None };
            let page = api::call::<ListTenantChatbots>(&tenant, &query, &()).await?;
            Ok(page.items.into_iter().map(|chatbot| (chatbot.id.to_string(), chatbot.name)).collect::<Vec<_>>())
        }
    });
    let value = Signal::derive(move || chosen.get());
    move || {
        let names = chatbots.get().unwrap_or_default();
        let current = untrack(|| chosen.get());
        let mut options: Vec<(String, Localized)> = vec![(String::new(), common::ALL.into())];
        // A chatbot from the URL, or one that was erased, has no name here.
        if !current.is_empty() && names.iter().all(|(id, _)| *id != current) {
            options.push((current.clone(), short(&current).into()));
        }
        let disabled = names.is_empty() && current.is_empty();
        options.extend(names.into_iter().map(|(id, name)| (id, name.into())));
        view! {
            <Select
                label=texts::AUDIT_ONE_CHATBOT
                value
                options
                on_change=move |id: String| chosen.set(id)
                disabled
            />
        }
    }
}

/// The users of the latest rows, offered while one is typed.
#[component]
pub(super) fn UserOffers() -> impl IntoView {
    let users = Resource::new(|| async {
        let query = AuditListQuery { filter: AuditFilter::default(), limit: MAX_LIMIT, cursor: None };
        let rows = api::call::<ListAudit>(&(), &query, &()).await?.items;
        let mut users: Vec<_> = rows.into_iter().map(|row| row.actor_user).collect();
        users.sort_unstable();
        users.dedup();
        Ok(users)
    });
    let options = move || {
        users.get().unwrap_or_default().into_iter().map(|user| view! { <option value=user></option> }).collect_view()
    };
    view! { <datalist id=USERS>{options}</datalist> }
}
