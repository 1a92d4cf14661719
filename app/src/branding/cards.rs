//! The cards of the branding form.

use leptos::prelude::*;

use super::{
    fields::{BrandingField, Control, Slot},
    form::BrandingForm,
    pictures::{PictureField, PictureUpload},
    texts,
};
use crate::{
    form::Field,
    i18n::Localized,
    ui::{Card, ColorField, Select, Switch, TextField},
};

/// Names and texts of the chat window.
#[component]
pub fn NamesCard(values: BrandingForm, read_only: bool) -> impl IntoView {
    view! {
        <Card title=texts::NAMES>
            <div class="ui-form__row">{controls(values, Slot::Names, None, read_only)}</div>
            {controls(values, Slot::NamesWide, None, read_only)}
        </Card>
    }
}

/// Colours and shape of the chat window.
#[component]
pub fn ColoursCard(values: BrandingForm, read_only: bool) -> impl IntoView {
    view! {
        <Card title=texts::COLOURS>
            <div class="ui-form__row">{controls(values, Slot::Colours, None, read_only)}</div>
        </Card>
    }
}

/// Pictures and links of the chat window.
#[component]
pub fn LinksCard(
    values: BrandingForm,
    read_only: bool,
    /// Uploads pictures, on a page that can.
    #[prop(optional)]
    upload: Option<PictureUpload>,
) -> impl IntoView {
    view! { <Card title=texts::LINKS>{controls(values, Slot::Links, upload, read_only)}</Card> }
}

/// Whether the page on which a visitor asks is kept.
#[component]
pub fn PagesCard(values: BrandingForm, read_only: bool) -> impl IntoView {
    let records_urls = values.record_page_urls;
    view! {
        <Card title=texts::PAGES>
            <Switch
                label=texts::RECORD_PAGES
                checked=records_urls
                on_change=Callback::new(move |on| records_urls.set(on))
                disabled=read_only
            />
            <p class="ui-muted ui-small">{texts::RECORD_PAGES_TEXT.t()}</p>
        </Card>
    }
}

fn controls(values: BrandingForm, slot: Slot, upload: Option<PictureUpload>, read_only: bool) -> impl IntoView {
    let fields = values.fields().filter(|(of, _)| of.slot == slot);
    fields.map(|(of, field)| control(of, field, upload, read_only)).collect_view()
}

fn control(of: BrandingField, field: Field, upload: Option<PictureUpload>, read_only: bool) -> AnyView {
    let BrandingField { label, hint, control, .. } = of;
    let hint = hint.map_or_else(Localized::default, Localized::from);
    match control {
        Control::Line(example) => {
            let placeholder = example.map_or_else(Localized::default, Localized::from);
            view! { <TextField label hint field placeholder optional=true disabled=read_only /> }.into_any()
        }
        Control::Number => view! { <TextField label hint field optional=true disabled=read_only /> }.into_any(),
        Control::Colour => view! { <ColorField label hint field disabled=read_only /> }.into_any(),
        Control::Address => view! {
            <TextField
                label
                hint
                field
                optional=true
                mono=true
                input_type="url"
                placeholder="https://"
                disabled=read_only
            />
        }
        .into_any(),
        Control::Picture(which) => {
            view! { <PictureField label=label.into() hint field which upload read_only /> }.into_any()
        }
        Control::Contact => view! {
            <TextField label hint field optional=true mono=true placeholder="mailto:" disabled=read_only />
        }
        .into_any(),
        Control::Choice(choices) => {
            let options = choices.iter().map(|(value, text)| ((*value).to_owned(), (*text).into())).collect();
            let value = Signal::derive(move || field.get());
            let choose = move |value: String| field.set(value);
            view! { <Select label value options on_change=choose disabled=read_only /> }.into_any()
        }
    }
}
