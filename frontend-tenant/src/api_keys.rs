//! The API keys of the tenant: the list, and the dialogs that create, change, try and revoke a key.

mod examples;
mod form;
mod list;
mod secret;

use app::{
    api,
    resource::{Loaded, Resource},
    ui::{Banner, Button, ButtonKind, IconName, PageHeader, SkeletonTable, Tone},
};
use contract::{
    api_keys::{ApiKey, CreatedApiKey, ListApiKeys},
    chatbots::{Chatbot, ChatbotListQuery, ListChatbots},
    page::{LimitOffset, MAX_LIMIT, PageQuery},
    tenants::{GetOwnTenant, TenantSelfQuery},
};
use leptos::prelude::*;

use crate::{
    read_only::{ReadOnlyBanner, is_read_only},
    texts::api_keys as texts,
};

use self::{
    examples::ExampleDialog,
    form::KeyDialog,
    list::{KeyTable, RevokeDialog},
    secret::SecretDialog,
};

/// What a dialog is open for.
#[derive(Clone)]
enum Opened {
    Create,
    Edit(ApiKey),
    Try(ApiKey),
    Revoke(ApiKey),
}

/// Context of the page's parts.
#[derive(Clone, Copy)]
struct Context {
    may_write: bool,
    opened: RwSignal<Option<Opened>>,
    /// Whether the dialog is open.
    open: RwSignal<bool>,
    chatbots: StoredValue<Vec<Chatbot>>,
    /// A key that was just created.
    created: RwSignal<Option<CreatedApiKey>>,
    on_change: Callback<()>,
}

impl Context {
    fn show(self, dialog: Opened) {
        self.opened.set(Some(dialog));
        self.open.set(true);
    }
}

/// The API keys of the user's tenant.
#[component]
pub(crate) fn ApiKeysPage() -> impl IntoView {
    let query = LimitOffset { limit: MAX_LIMIT, offset: 0 };
    let data = Resource::new(move || {
        let query = query.clone();
        async move {
            let keys = api::call::<ListApiKeys>(&(), &query, &()).await?;
            let page = PageQuery { limit: MAX_LIMIT, ..PageQuery::default() };
            let chatbots =
                api::call::<ListChatbots>(&(), &ChatbotListQuery { page, ..Default::default() }, &()).await?;
            let tenant = api::call::<GetOwnTenant>(&(), &TenantSelfQuery::default(), &()).await?;
            Ok((keys.items, chatbots.items, tenant.api_keys_allowed))
        }
    });
    let context = Context {
        may_write: !is_read_only(),
        opened: RwSignal::new(None),
        open: RwSignal::new(false),
        chatbots: StoredValue::new(Vec::new()),
        created: RwSignal::new(None),
        on_change: Callback::new(move |()| data.reload()),
    };
    let button = context.may_write.then(|| {
        let is_forbidden = Signal::derive(move || data.get().is_none_or(|(_, _, is_allowed)| !is_allowed));
        view! {
            <Button
                kind=ButtonKind::Primary
                icon=IconName::Plus
                disabled=is_forbidden
                on_click=move |()| context.show(Opened::Create)
            >
                {texts::CREATE.t()}
            </Button>
        }
    });
    view! {
        <PageHeader title=crate::texts::API_KEYS subtitle=texts::SUBTITLE>{button}</PageHeader>
        <ReadOnlyBanner />
        <Loaded resource=data skeleton=|| view! { <SkeletonTable columns=5 /> } let:content>
            {
                let (keys, chatbots, is_allowed) = content;
                context.chatbots.set_value(chatbots);
                let notice = (!is_allowed)
                    .then(|| view! { <Banner tone=Tone::Warning>{texts::NOT_ALLOWED.t()}</Banner> });
                view! { {notice} <KeyTable keys context /> }
            }
        </Loaded>
        {move || context.opened.get().map(|dialog| dialog_of(dialog, context))}
        <SecretDialog context />
    }
}

fn dialog_of(dialog: Opened, context: Context) -> AnyView {
    match dialog {
        Opened::Create => view! { <KeyDialog key=None context /> }.into_any(),
        Opened::Edit(key) => view! { <KeyDialog key=Some(key) context /> }.into_any(),
        Opened::Try(key) => view! { <ExampleDialog key context /> }.into_any(),
        Opened::Revoke(key) => view! { <RevokeDialog key context /> }.into_any(),
    }
}
