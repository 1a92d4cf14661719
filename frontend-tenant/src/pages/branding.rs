//! Branding: the chat window's look and texts, and the websites that may show it, with a preview.

mod cards;
mod form;
mod origins;
mod preview;
mod reasons;

use app::{
    api,
    form::{Form, FormError},
    resource::{Loaded, Resource},
    session::Session,
    ui::{Banner, Button, ButtonKind, Card, PageHeader, SkeletonCards, ToastKind, Tone, toast},
};
use contract::branding::{BrandingWarning, GetTenantBranding, TenantBranding, UpdateTenantBranding};
use leptos::prelude::*;

use self::{
    cards::{ColoursCard, LinksCard, NamesCard},
    form::BrandingForm,
    origins::OriginsCard,
    preview::Preview,
};
use crate::{
    read_only::ReadOnlyBanner,
    texts::{self as console, branding as texts},
};

/// The branding of the user's tenant.
#[component]
pub(crate) fn BrandingPage() -> impl IntoView {
    let branding = Resource::new(|| async { api::call::<GetTenantBranding>(&(), &(), &()).await });
    view! {
        <PageHeader title=console::BRANDING subtitle=texts::SUBTITLE />
        <ReadOnlyBanner />
        <Loaded resource=branding skeleton=|| view! { <SkeletonCards count=4 /> } let:stored>
            <Editor stored />
        </Loaded>
    }
}

#[component]
fn Editor(stored: TenantBranding) -> impl IntoView {
    let values = BrandingForm::new(&stored);
    let stored = RwSignal::new(stored);
    let form = Form::new(values.text_fields());
    let read_only = !Session::get().is_tenant_admin();
    let fields = Memo::new(move |_| values.good_values());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        save(values, form, stored);
    };
    view! {
        <form class="ui-form" novalidate on:submit=submit>
            <div class="ui-grid ui-grid--main-side">
                <div class="ui-stack">
                    <NamesCard values read_only />
                    <ColoursCard values read_only />
                    <LinksCard values read_only />
                    <OriginsCard origins=values.origins read_only />
                </div>
                <div class="ui-stack ui-sticky">
                    <Card title=texts::PREVIEW>
                        <Preview fields />
                        <p class="ui-muted ui-small">{texts::PREVIEW_NOTE.t()}</p>
                    </Card>
                    {move || warnings(&fields.with(|fields| fields.warnings()))}
                </div>
            </div>
            {(!read_only).then(|| view! { <SaveBar values form stored /> })}
        </form>
    }
}

/// Says what is not saved yet, and saves it or takes it back.
#[component]
fn SaveBar(values: BrandingForm, form: Form, stored: RwSignal<TenantBranding>) -> impl IntoView {
    let changes = Memo::new(move |_| stored.with(|stored| values.changes(stored)));
    let text = move || match changes.get() {
        0 => texts::NO_CHANGES.t().to_owned(),
        1 => texts::CHANGES_ONE.t().to_owned(),
        count => texts::CHANGES.with(&[&count.to_string()]),
    };
    let nothing = Signal::derive(move || changes.get() == 0);
    let discard = Callback::new(move |()| {
        stored.with_untracked(|stored| values.reset(stored));
        form.accept(&[]);
    });
    view! {
        <div class="ui-form__bar">
            <FormError form />
            <p class="ui-muted" role="status">{text}</p>
            <div class="ui-row">
                <Button disabled=nothing on_click=discard>{texts::DISCARD.t()}</Button>
                <Button kind=ButtonKind::Primary submit=true busy=form.busy() disabled=nothing>{texts::SAVE.t()}</Button>
            </div>
        </div>
    }
}

fn save(values: BrandingForm, form: Form, stored: RwSignal<TenantBranding>) {
    let origins_are_good = values.origins.check();
    if !form.accept(&values.errors()) || !origins_are_good {
        app::form::focus_invalid();
        return;
    }
    let patch = untrack(|| stored.with(|stored| values.patch(stored)));
    let call = |body| async move { api::call::<UpdateTenantBranding>(&(), &(), &body).await };
    form.send(patch, call, move |saved: TenantBranding| {
        if saved.warnings.is_empty() {
            toast(ToastKind::Success, texts::SAVED);
        } else {
            toast(ToastKind::Info, texts::SAVED_WITH_WARNINGS);
        }
        stored.set(saved);
    });
}

/// The colours that are hard to read; by the contract's rule, which the API's answer follows too.
fn warnings(warnings: &[BrandingWarning]) -> Option<impl IntoView + use<>> {
    if warnings.is_empty() {
        return None;
    }
    let lines = warnings
        .iter()
        .map(|warning| {
            let name = if warning.field == "accent_color" { texts::ACCENT } else { texts::TEXT };
            let (found, required) = (format!("{:.1}", warning.contrast), warning.required.to_string());
            view! { <li>{texts::WARNING.with(&[name.t(), &found, &required])}</li> }
        })
        .collect_view();
    Some(view! { <Banner tone=Tone::Warning title=texts::WARNING_TITLE><ul class="ui-list">{lines}</ul></Banner> })
}
