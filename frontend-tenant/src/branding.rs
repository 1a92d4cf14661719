//! Branding: the chat window's design and texts, and the websites that may show it, with a preview.

use app::{
    api,
    branding::{
        BrandingForm, ColoursCard, LinksCard, NamesCard, OriginsCard, PagesCard, PictureUpload, Preview, hard_to_read,
    },
    form::Form,
    live_preview::{LivePreview, Previewed},
    resource::{Loaded, Resource},
    session::Session,
    ui::{Card, PageHeader, SaveBar, SkeletonCards, ToastKind, toast},
};
use contract::{
    branding::{BrandingFields, GetTenantBranding, TenantBranding, UpdateTenantBranding, UploadTenantPicture},
    chatbots::{ChatbotListQuery, ChatbotStatus, ListChatbots},
    page::PageQuery,
};
use leptos::{html::Div, prelude::*};

use crate::{
    paths,
    read_only::ReadOnlyBanner,
    texts::{self as console, branding as texts},
};

/// The branding of the user's tenant.
#[component]
pub(crate) fn BrandingPage() -> impl IntoView {
    let branding = Resource::new(|| async {
        let branding = api::call::<GetTenantBranding>(&(), &(), &()).await?;
        Ok((branding, newest_chatbot().await))
    });
    view! {
        <PageHeader title=console::BRANDING subtitle=texts::SUBTITLE />
        <ReadOnlyBanner />
        <Loaded resource=branding skeleton=|| view! { <SkeletonCards count=4 /> } let:branding>
            <Editor stored=branding.0 chatbot=branding.1 />
        </Loaded>
    }
}

/// The chatbot whose widget the preview shows; `None` when the tenant has no chatbot.
async fn newest_chatbot() -> Option<Previewed> {
    let page = PageQuery { sort: Some("-created_at".to_owned()), limit: 1, ..PageQuery::default() };
    let query = ChatbotListQuery { status: Some(ChatbotStatus::Active), page };
    let chatbots = api::call::<ListChatbots>(&(), &query, &()).await.ok()?;
    chatbots.items.first().map(Previewed::of)
}

#[component]
fn Editor(stored: TenantBranding, chatbot: Option<Previewed>) -> impl IntoView {
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
    let upload = PictureUpload::new(
        values,
        move |which, file| async move { Ok(api::upload::<UploadTenantPicture>(&which, &(), file).await?.fields) },
        move |which, address| stored.update(|stored| *stored.fields.picture_mut(which) = address),
    );
    let websites = NodeRef::<Div>::new();
    Effect::new(move |_| {
        if let Some(part) = websites.get().filter(|part| location().hash() == Ok(format!("#{}", part.id()))) {
            request_animation_frame(move || {
                part.scroll_into_view();
                let _ = part.focus();
            });
        }
    });
    view! {
        <form class="ui-form" novalidate on:submit=submit>
            <div class="ui-grid ui-grid--main-side">
                <div class="ui-stack">
                    <NamesCard values read_only />
                    <ColoursCard values read_only />
                    <LinksCard values read_only upload />
                    <div id=paths::WEBSITES tabindex="-1" node_ref=websites><OriginsCard origins=values.origins read_only /></div>
                    <PagesCard values read_only />
                </div>
                <div class="ui-stack ui-sticky">
                    <Card title=texts::PREVIEW>
                        {match chatbot {
                            Some(chatbot) => view! { <LivePreview chatbot fields /> }.into_any(),
                            None => view! { <StaticPreview fields /> }.into_any(),
                        }}
                    </Card>
                    {move || hard_to_read(&fields.with(|fields| fields.warnings()))}
                </div>
            </div>
            {(!read_only).then(|| view! { <SaveBar form changes save_label=texts::SAVE on_discard=discard /> })}
        </form>
    }
}

/// Without a chatbot there is no widget to show.
#[component]
fn StaticPreview(fields: Memo<BrandingFields>) -> impl IntoView {
    view! {
        <Preview fields />
        <p class="ui-muted ui-small">{app::live_preview::texts::NO_CHATBOT.t()}</p>
    }
}

fn save(values: BrandingForm, form: Form, stored: RwSignal<TenantBranding>) {
    let origins_are_good = values.origins.check();
    if !form.accept(&values.errors()) || !origins_are_good {
        app::form::focus_invalid();
        return;
    }
    form.save::<GetTenantBranding, UpdateTenantBranding, _>((), stored, values, move |saved| {
        if saved.warnings.is_empty() {
            toast(ToastKind::Success, texts::SAVED);
        } else {
            toast(ToastKind::Info, texts::SAVED_WITH_WARNINGS);
        }
        stored.set(saved);
    });
}
