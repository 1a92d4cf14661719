//! The filters of the audit log. Their state is the URL, which the form shows and updates.

use app::{
    audit_log::ROLES,
    form::{Field, Form, FormError},
    i18n::texts as common,
    list_url::ListUrl,
    problem::Problem,
    ui::{Button, ButtonKind, Card, Select, TextField},
};
use contract::{ChatbotId, ErrorCode, TenantId, Validate, audit::AuditFilter};
use leptos::prelude::*;

use super::{
    actions::{action_groups, kind_groups},
    pickers::{self, ChatbotPicker, GroupPicker, TenantPick, UserOffers},
};
use crate::{tenant_field::TenantField, texts};

/// The filters' names in the URL, which are those of the API.
pub(super) const KEYS: [&str; 10] = [
    "action",
    "entity_type",
    "entity_id",
    "actor_role",
    "actor_user",
    "tenant_id",
    "chatbot_id",
    "date_from",
    "date_to",
    "json_search",
];

/// The filters of the form; the search has its own field.
fn form_keys() -> &'static [&'static str] {
    KEYS.split_last().map_or(&[], |(_search, keys)| keys)
}

/// The filters in the URL, tracked.
///
/// # Errors
/// `validation_error` when an id in the URL is invalid.
pub(super) fn from_address(list: ListUrl) -> Result<AuditFilter, Problem> {
    read(|key| list.value(key)).map_err(|_| ErrorCode::ValidationError.into())
}

/// The filters in the URL as a query string, tracked.
pub(super) fn query(list: ListUrl) -> String {
    list.query_of(&KEYS, &[])
}

/// The filters out of their texts; the name of the one that is no id otherwise.
fn read(value: impl Fn(&'static str) -> String) -> Result<AuditFilter, &'static str> {
    let text = |key| Some(value(key)).filter(|text| !text.is_empty());
    Ok(AuditFilter {
        entity_id: text("entity_id"),
        entity_type: text("entity_type"),
        action: text("action"),
        actor_role: text("actor_role"),
        actor_user: text("actor_user"),
        tenant_id: text("tenant_id").map(|id| id.parse::<TenantId>()).transpose().map_err(|_| "tenant_id")?,
        chatbot_id: text("chatbot_id").map(|id| id.parse::<ChatbotId>()).transpose().map_err(|_| "chatbot_id")?,
        json_search: text("json_search"),
        date_from: text("date_from"),
        date_to: text("date_to"),
    })
}

/// How many filters of the form are set in the URL, tracked.
fn count(list: ListUrl) -> usize {
    form_keys().iter().filter(|key| !list.value(key).is_empty()).count()
}

/// The form's fields, in the order of [`form_keys`], and the tenant picker.
#[derive(Clone, Copy)]
struct Fields {
    all: StoredValue<Vec<Field>>,
    tenant: TenantPick,
}

impl Fields {
    fn new() -> Self {
        let all: Vec<_> = form_keys().iter().map(|key| Field::new(key, "")).collect();
        let id = all.iter().find(|field| field.name() == "tenant_id").copied();
        let tenant = TenantPick::of(id.unwrap_or_else(|| Field::new("tenant_id", "")));
        Self { all: StoredValue::new(all), tenant }
    }

    fn get(self, name: &str) -> Field {
        self.all
            .with_value(|fields| fields.iter().find(|field| field.name() == name).copied())
            .unwrap_or_else(|| Field::new("", ""))
    }

    fn all(self) -> Vec<Field> {
        self.all.get_value()
    }

    /// Marks what is wrong; true when nothing is.
    fn accept(self, form: Form) -> bool {
        if !self.tenant.accept() {
            return false;
        }
        let filter = match read(|key| self.get(key).trimmed()) {
            Ok(filter) => filter,
            Err(name) => {
                self.get(name).set_error(texts::AUDIT_BAD_ID);
                return false;
            }
        };
        if !form.accept(&filter.validate()) {
            return false;
        }
        if let Err(code) = filter.check_codes() {
            self.get("date_to").set_error(Problem::from(code).sentence());
            return false;
        }
        true
    }
}

/// The form, closed unless a filter is set.
#[component]
pub(super) fn Filters(list: ListUrl) -> impl IntoView {
    let fields = Fields::new();
    let form = Form::new(fields.all());
    let open = untrack(|| count(list)) > 0;
    let has_entity = untrack(|| !list.value("entity_id").is_empty());
    // The fields follow the URL: back, forward and links from other rows. When something else in the URL changes, such
    // as the search, filled in but unapplied values stay.
    Effect::new(move |previous: Option<String>| {
        let address = list.query_of(form_keys(), &[]);
        if previous.as_ref() != Some(&address) {
            for field in fields.all() {
                field.set(untrack(|| list.value(field.name())));
            }
            untrack(|| fields.accept(form));
        }
        address
    });
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if fields.accept(form) {
            let values: Vec<_> = fields.all().iter().map(|field| (field.name(), field.trimmed())).collect();
            let mut values: Vec<_> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
            values.push(("cursor", ""));
            list.set(&values);
        }
    };
    let forget = Callback::new(move |()| {
        fields.all().iter().for_each(|field| field.set(""));
        clear(list);
    });
    let summary = move || match count(list) {
        0 => texts::FILTERS.get().to_owned(),
        set => texts::FILTERS_SET.with(&[&set.to_string()]).get(),
    };
    view! {
        <Card subtle=true>
            <details class="ui-details ui-details--bare" open=open>
                <summary class="ui-details__summary">{summary}</summary>
                <form class="ui-form" novalidate on:submit=submit>
                    <div class="ui-form__row ui-form__row--dense"><Inputs fields /></div>
                    <details class="ui-details ui-details--bare" open=has_entity>
                        <summary class="ui-details__summary">{texts::AUDIT_ADVANCED.t()}</summary>
                        <TextField
                            label=texts::AUDIT_ENTITY_ID
                            field=fields.get("entity_id")
                            optional=true
                            mono=true
                        />
                    </details>
                    <FormError form />
                    <div class="ui-form__actions">
                        <Button on_click=forget>{common::CLEAR_FILTERS.t()}</Button>
                        <Button kind=ButtonKind::Primary submit=true>{texts::APPLY_FILTERS.t()}</Button>
                    </div>
                </form>
            </details>
        </Card>
    }
}

/// Removes every filter from the address.
pub(super) fn clear(list: ListUrl) {
    let mut values: Vec<_> = KEYS.iter().map(|key| (*key, "")).collect();
    values.push(("cursor", ""));
    list.set(&values);
}

#[component]
fn Inputs(fields: Fields) -> impl IntoView {
    let day = move |label: app::i18n::Text, name: &'static str| {
        view! { <TextField label field=fields.get(name) input_type="date" optional=true /> }
    };
    let TenantPick { text: tenant, chosen } = fields.tenant;
    let role = fields.get("actor_role");
    let mut roles = vec![(String::new(), common::ALL.into())];
    roles.extend(ROLES.map(|(role, words)| (role.to_owned(), words.into())));
    view! {
        <GroupPicker label=texts::AUDIT_ACTION field=fields.get("action") groups=action_groups />
        <GroupPicker label=texts::AUDIT_ENTITY_TYPE field=fields.get("entity_type") groups=kind_groups />
        <TextField label=texts::AUDIT_USER field=fields.get("actor_user") optional=true offers=pickers::USERS />
        <UserOffers />
        <Select
            label=texts::AUDIT_ROLE
            value=Signal::derive(move || role.get())
            options=roles
            on_change=move |value: String| role.set(value)
        />
        <TenantField text=tenant chosen />
        <ChatbotPicker tenant=chosen chosen=fields.get("chatbot_id") />
        <div class="ui-form__row">
            {day(texts::AUDIT_FROM, "date_from")}
            {day(texts::AUDIT_TO, "date_to")}
        </div>
    }
}
