//! Branding: the chat window's look and texts, and the websites that may show it, with a preview.

use app::{
    api,
    branding::{BrandingForm, ColoursCard, LinksCard, NamesCard, OriginsCard, Preview, hard_to_read},
    form::Form,
    resource::{Loaded, Resource},
    session::Session,
    ui::{Card, PageHeader, SaveBar, SkeletonCards, ToastKind, toast},
};
use contract::branding::{GetTenantBranding, TenantBranding, UpdateTenantBranding};
use leptos::prelude::*;

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
    let changes = Memo::new(move |_| stored.with(|stored| values.changes(stored)));
    let discard = move |()| stored.with_untracked(|stored| values.reset(stored));
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
                    {move || hard_to_read(&fields.with(|fields| fields.warnings()))}
                </div>
            </div>
            {(!read_only).then(|| view! { <SaveBar form changes save_label=texts::SAVE on_discard=discard /> })}
        </form>
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
