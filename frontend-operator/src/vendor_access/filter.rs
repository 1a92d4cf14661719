//! The filters of the vendor access log. Their state is the URL, which the form shows and updates.

use app::{
    form::{Field, Form, FormError},
    i18n::texts as common,
    list_url::ListUrl,
    problem::Problem,
    ui::{Button, ButtonKind, Card, Select, TextField},
};
use contract::{
    Validate,
    vendor_access::{LoginScope, VendorAccessQuery},
};
use leptos::prelude::*;

use crate::texts::{self as console, vendor_access as texts};

/// The filters' names in the URL, which are those of the API.
pub(super) const KEYS: [&str; 4] = ["username", "scope", "date_from", "date_to"];

/// The query in the URL, tracked. An unknown scope is ignored.
pub(super) fn from_address(list: ListUrl) -> VendorAccessQuery {
    let page = list.page_query();
    VendorAccessQuery { limit: page.limit, offset: page.offset, ..read(|key| list.value(key)) }
}

fn read(value: impl Fn(&'static str) -> String) -> VendorAccessQuery {
    let text = |key| Some(value(key)).filter(|text| !text.is_empty());
    let scopes = [LoginScope::Vendor, LoginScope::Unknown, LoginScope::Operator];
    VendorAccessQuery {
        username: text("username"),
        scope: text("scope").and_then(|name| scopes.into_iter().find(|scope| scope.as_str() == name)),
        date_from: text("date_from"),
        date_to: text("date_to"),
        ..VendorAccessQuery::default()
    }
}

/// The form's fields, in the order of [`KEYS`].
type Fields = [Field; KEYS.len()];

/// Marks what is wrong; true when nothing is.
fn accept(fields: Fields, form: Form) -> bool {
    let value = |key| fields.iter().find(|field| field.name() == key).map(|field| field.trimmed()).unwrap_or_default();
    let query = read(value);
    if !form.accept(&query.validate()) {
        return false;
    }
    let [.., to] = fields;
    if let Err(code) = query.check_codes() {
        to.set_error(Problem::from(code).sentence());
        return false;
    }
    true
}

#[component]
pub(super) fn Filters(list: ListUrl) -> impl IntoView {
    let fields: Fields = KEYS.map(|key| Field::new(key, ""));
    let form = Form::new(fields.to_vec());
    // The fields follow the address: back, forward and links. When something else in it changes, such as the page, values
    // that are not applied stay.
    Effect::new(move |previous: Option<String>| {
        let address = list.query_of(&KEYS, &[]);
        if previous.as_ref() != Some(&address) {
            for field in fields {
                field.set(untrack(|| list.value(field.name())));
            }
            untrack(|| accept(fields, form));
        }
        address
    });
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        if accept(fields, form) {
            let values = fields.map(|field| (field.name(), field.trimmed()));
            let mut values: Vec<_> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
            values.push(("offset", ""));
            list.set(&values);
        }
    };
    let forget = Callback::new(move |()| {
        fields.iter().for_each(|field| field.set(""));
        list.clear(&KEYS);
    });
    view! {
        <Card subtle=true>
            <form class="ui-form" novalidate on:submit=submit>
                <div class="ui-form__row ui-form__row--dense"><Inputs fields /></div>
                <FormError form />
                <div class="ui-form__actions">
                    <Button on_click=forget>{common::CLEAR_FILTERS.t()}</Button>
                    <Button kind=ButtonKind::Primary submit=true>{console::APPLY_FILTERS.t()}</Button>
                </div>
            </form>
        </Card>
    }
}

#[component]
fn Inputs(fields: Fields) -> impl IntoView {
    let [username, scope, from, to] = fields;
    let scopes = [
        ("", texts::SCOPE_DEFAULT),
        (LoginScope::Vendor.as_str(), texts::VENDOR),
        (LoginScope::Unknown.as_str(), texts::UNKNOWN),
        (LoginScope::Operator.as_str(), texts::OPERATOR),
    ];
    view! {
        <TextField label=console::AUDIT_USER field=username optional=true />
        <Select
            label=texts::SCOPE
            value=Signal::derive(move || scope.get())
            options=scopes.map(|(value, text)| (value.to_owned(), text.into())).to_vec()
            on_change=move |value: String| scope.set(value)
        />
        <div class="ui-form__row">
            <TextField label=console::AUDIT_FROM field=from input_type="date" optional=true />
            <TextField label=console::AUDIT_TO field=to input_type="date" optional=true />
        </div>
    }
}
