//! The effective value of each branding field, and its origin.

use app::{
    branding,
    i18n::Localized,
    ui::{Badge, Card, Column, Table, Tone},
};
use contract::branding::BrandingFields;
use leptos::prelude::*;
use serde_json::Value;

use crate::texts::chatbot_branding as texts;

/// Every field with the chatbot's value, the tenant's, and the one that wins.
#[component]
pub(super) fn ResolvedCard(
    /// The chatbot's own fields, as the form has them.
    own: Memo<BrandingFields>,
    /// The tenant's fields.
    tenant: StoredValue<BrandingFields>,
) -> impl IntoView {
    let rows = move || {
        let own = own.with(as_json);
        let tenant = tenant.with_value(as_json);
        branding::FIELDS.map(|field| row(field.name, &own[field.name], &tenant[field.name])).collect_view()
    };
    view! {
        <Card title=texts::RESOLVED flush=true>
            <Table
                caption=texts::RESOLVED
                columns=vec![
                    Column::new(texts::FIELD),
                    Column::new(texts::RESULT),
                    Column::new(texts::SOURCE),
                    Column::new(texts::OWN).wide_only(),
                    Column::new(texts::TENANT).wide_only(),
                ]
            >
                {rows}
            </Table>
        </Card>
    }
}

fn as_json(fields: &BrandingFields) -> Value {
    serde_json::to_value(fields).unwrap_or_default()
}

fn row(name: &str, own: &Value, tenant: &Value) -> impl IntoView + use<> {
    let (own, tenant) = (branding::value(name, own), branding::value(name, tenant));
    let (tone, source) = match (&own, &tenant) {
        (Some(_), _) => (Tone::Info, texts::FROM_OWN),
        (None, Some(_)) => (Tone::Neutral, texts::FROM_TENANT),
        (None, None) => (Tone::Neutral, texts::FROM_DEFAULT),
    };
    let result = own.clone().or(tenant.clone());
    view! {
        <tr class="ui-table__row">
            <th class="ui-table__cell ui-table__cell--main" scope="row">{branding::label(name)}</th>
            <td class="ui-table__cell">{text(result)}</td>
            <td class="ui-table__cell"><Badge tone>{source.t()}</Badge></td>
            <td class="ui-table__cell ui-table__cell--wide-only">{text(own)}</td>
            <td class="ui-table__cell ui-table__cell--wide-only">{text(tenant)}</td>
        </tr>
    }
}

fn text(value: Option<Localized>) -> AnyView {
    match value {
        Some(value) => view! { <span class="ui-break">{value}</span> }.into_any(),
        None => view! { <span class="ui-muted">"–"</span> }.into_any(),
    }
}
