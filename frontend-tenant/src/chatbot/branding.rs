//! The branding of one chatbot on top of its tenant's: its own fields, and the effective value of each field.

mod resolved;

use app::{
    api,
    branding::{BrandingForm, ColoursCard, LinksCard, NamesCard, PictureUpload, hard_to_read},
    form::{Edits, Form},
    live_preview::{LivePreview, Previewed},
    resource::{Loaded, Resource},
    ui::{Card, SaveBar, SkeletonCards, ToastKind, toast},
};
use contract::{
    ChatbotId,
    branding::{
        BrandingFields, ChatbotBranding, ChatbotBrandingPatch, GetChatbotBranding, GetTenantBranding, TenantBranding,
        UpdateChatbotBranding, UploadChatbotPicture,
    },
};
use leptos::prelude::*;

use self::resolved::ResolvedCard;
use super::{frame::Frame, parts::Part};
use crate::{
    provisioning::ProvisioningPoller,
    read_only::{ReadOnlyBanner, is_read_only},
    texts::{branding as shared, chatbot_branding as texts},
};

/// The branding of the chatbot in the URL.
#[component]
pub(crate) fn ChatbotBrandingPage() -> impl IntoView {
    view! { <Frame part=Part::Design content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let id = poller.chatbot().with_untracked(|chatbot| chatbot.id);
    let branding = Resource::new(move || async move {
        let own = api::call::<GetChatbotBranding>(&id, &(), &()).await?;
        let tenant = api::call::<GetTenantBranding>(&(), &(), &()).await?;
        Ok((own, tenant.fields))
    });
    view! {
        <ReadOnlyBanner />
        <p class="ui-muted">{texts::INTRO.t()}</p>
        <Loaded resource=branding skeleton=|| view! { <SkeletonCards count=4 /> } let:branding>
            <Editor chatbot=Previewed::of(&poller.chatbot().get_untracked()) own=branding.0 tenant=branding.1 />
        </Loaded>
    }
    .into_any()
}

/// The shared form with a chatbot's own fields.
#[derive(Clone, Copy)]
struct OwnFields(BrandingForm);

impl Edits<ChatbotBranding> for OwnFields {
    type Patch = ChatbotBrandingPatch;

    fn patch(&self, stored: &ChatbotBranding) -> ChatbotBrandingPatch {
        ChatbotBrandingPatch { fields: self.0.patch(&as_stored(stored)).fields }
    }

    fn reset(&self, stored: &ChatbotBranding) {
        self.0.reset(&as_stored(stored));
    }
}

/// A chatbot's own fields in the type of the shared form; a chatbot has no separate list of websites.
fn as_stored(own: &ChatbotBranding) -> TenantBranding {
    TenantBranding { fields: own.fields.clone(), ..TenantBranding::default() }
}

#[component]
fn Editor(chatbot: Previewed, own: ChatbotBranding, tenant: BrandingFields) -> impl IntoView {
    let id = chatbot.id;
    let values = BrandingForm::new(&as_stored(&own));
    let stored = RwSignal::new(own);
    let form = Form::new(values.text_fields());
    let read_only = is_read_only();
    let own = Memo::new(move |_| values.good_values());
    let tenant = StoredValue::new(tenant);
    let fields = Memo::new(move |_| tenant.with_value(|tenant| own.get().or(tenant.clone())));
    let changes = Memo::new(move |_| stored.with(|stored| values.changes(&as_stored(stored))));
    let discard = move |()| stored.with_untracked(|stored| OwnFields(values).reset(stored));
    let upload = PictureUpload::new(
        values,
        move |which, file| async move { Ok(api::upload::<UploadChatbotPicture>(&(id, which), &(), file).await?.fields) },
        move |which, address| stored.update(|stored| *stored.fields.picture_mut(which) = address),
    );
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        save(id, values, form, stored);
    };
    view! {
        <form class="ui-form" novalidate on:submit=submit>
            <div class="ui-grid ui-grid--main-side">
                <div class="ui-stack">
                    <NamesCard values read_only />
                    <ColoursCard values read_only />
                    <LinksCard values read_only upload />
                </div>
                <div class="ui-stack ui-sticky">
                    <Card title=shared::PREVIEW>
                        <LivePreview chatbot fields />
                    </Card>
                    {move || hard_to_read(&fields.with(BrandingFields::warnings))}
                </div>
            </div>
            <ResolvedCard own tenant />
            {(!read_only).then(|| view! { <SaveBar form changes save_label=shared::SAVE on_discard=discard /> })}
        </form>
    }
}

fn save(id: ChatbotId, values: BrandingForm, form: Form, stored: RwSignal<ChatbotBranding>) {
    if !form.accept(&values.errors()) {
        return;
    }
    form.save::<GetChatbotBranding, UpdateChatbotBranding, _>(id, stored, OwnFields(values), move |saved| {
        let (kind, text) = if saved.warnings.is_empty() {
            (ToastKind::Success, shared::SAVED)
        } else {
            (ToastKind::Info, shared::SAVED_WITH_WARNINGS)
        };
        toast(kind, text);
        stored.set(saved);
    });
}
