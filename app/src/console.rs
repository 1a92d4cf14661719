//! The root component of a console: configuration, sign-in, session, and the console's pages.

use contract::{ErrorCode, identity::Identity};
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::JsValue;

use crate::{
    auth::{self, Notice, SignIn},
    backend::{Console, ConsoleConfig},
    error_messages,
    i18n::{self, Localized, Text, texts},
    resource::{Loaded, Resource},
    session::Session,
    theme::ThemeChoice,
    ui::{
        self, Banner, Button, ButtonKind, EmptyState, Icon, IconName, LanguageMenu, LazyView, Spinner, ThemeMenu,
        Toasts, Tone, when_here,
    },
};

/// The differences between the consoles.
#[derive(Debug, Clone, Copy)]
pub struct ConsoleSpec {
    /// Decides addresses, storage keys and the client to sign in with.
    pub console: Console,
    /// Shown on the sign-in page and in the window's title.
    pub name: Text,
}

/// Starts a console in the page's body and logs panics to the browser's console. Loads the code of [`SignedIn`] in the
/// background, because it is needed only after sign-in.
///
/// # Errors
/// When the page has no configuration, because the platform did not serve it.
pub fn start(spec: ConsoleSpec, signed_in: LazyView) -> Result<(), JsValue> {
    console_error_panic_hook::set_once();
    let config = document().body().and_then(|body| ConsoleConfig::read(|name| body.get_attribute(name)));
    let config = config.ok_or("the page has no configuration")?;
    leptos::mount::mount_to_body(move || view! { <ConsoleRoot spec config signed_in /> });
    Ok(())
}

/// Sets the browser tab's title to a page and the console.
pub fn name_tab(page: Localized) {
    let spec = use_context::<ConsoleSpec>();
    Effect::new(move || {
        let title = match spec {
            Some(spec) => format!("{} · {}", page.get(), spec.name.get()),
            None => page.get(),
        };
        document().set_title(&title);
    });
}

/// The sign-in, and the console's pages after it.
#[component]
fn ConsoleRoot(spec: ConsoleSpec, config: ConsoleConfig, signed_in: LazyView) -> impl IntoView {
    let fetching = (signed_in.fetch)();
    spawn_local(Box::pin(async move {
        let _ = fetching.await;
    }) as ui::Task);
    i18n::start();
    ThemeChoice::provide(spec.console);
    provide_context(spec);
    provide_context(config.clone());
    let state = RwSignal::new(SignIn::Starting);
    spawn_local(Box::pin(auth::start(spec.console, config, state)) as ui::Task);
    move || match state.get() {
        SignIn::Starting => view! { <Waiting /> }.into_any(),
        SignIn::SignedOut(notice) => view! { <SignInPage spec notice /> }.into_any(),
        SignIn::SignedIn => {
            let incomplete = move || view! { <SignInPage spec notice=Some(Notice::Incomplete) /> };
            when_here(signed_in, ViewFn::from(|| view! { <Waiting /> }), ViewFn::from(incomplete))
        }
    }
}

/// The content behind the sign-in: the pages, once the API has identified the user, and the toasts.
#[component]
pub fn SignedIn<P, V>(
    /// Builds the router with the `AppShell` inside.
    pages: P,
) -> impl IntoView
where
    P: Fn(ConsoleConfig) -> V + Clone + Send + Sync + 'static,
    V: IntoView + 'static,
{
    ui::listen_to_history();
    let theme = ThemeChoice::get();
    let identity: Resource<Result<Identity, ErrorCode>> = Resource::new(move || async move {
        auth::redeem().await?;
        spawn_local(theme.load());
        match Session::load().await {
            Err(problem) => match problem.code() {
                Some(code) if code.status() == 403 => Ok(Err(code)),
                _ => Err(problem),
            },
            Ok(identity) => Ok(Ok(identity)),
        }
    });
    let config: ConsoleConfig = expect_context();
    view! {
        <Loaded resource=identity plain=true skeleton=|| view! { <Waiting /> } let:identity>
            {match identity {
                Ok(identity) => {
                    Session::provide(identity);
                    pages(config.clone()).into_any()
                }
                Err(code) => view! { <NoAccess code /> }.into_any(),
            }}
        </Loaded>
        <Toasts />
    }
}

#[component]
fn Waiting() -> impl IntoView {
    view! {
        <div class="ui-boot">
            <Spinner label=texts::LOADING large=true />
            <p class="ui-boot__text" aria-hidden="true">{texts::LOADING.t()}</p>
        </div>
    }
}

/// The sign-in page: the console's name, why nobody is signed in, and one button.
#[component]
fn SignInPage(spec: ConsoleSpec, notice: Option<Notice>) -> impl IntoView {
    let busy = RwSignal::new(false);
    name_tab(texts::SIGN_IN.into());
    let is_incomplete = notice == Some(Notice::Incomplete);
    let go_on = move |()| {
        // A newer version may have replaced the file. Only a reloaded page knows its new name.
        if is_incomplete {
            let _ = location().reload();
            return;
        }
        busy.set(true);
        spawn_local(Box::pin(async move {
            auth::sign_in().await;
            busy.try_set(false);
        }) as ui::Task);
    };
    let label = if is_incomplete { texts::RETRY } else { texts::SIGN_IN };
    view! {
        <main class="ui-signin">
            <div class="ui-signin__card">
                <span class="ui-signin__logo"><Icon name=IconName::Chatbot /></span>
                <h1 class="ui-signin__title">{spec.name.t()}</h1>
                <p class="ui-signin__text">{texts::SIGN_IN_TEXT.t()}</p>
                {notice.map(|notice| view! { <Banner tone=tone(&notice)>{sentence(&notice)}</Banner> })}
                <Button kind=ButtonKind::Primary block=true busy=busy on_click=go_on>{label.t()}</Button>
                <div class="ui-signin__tools"><LanguageMenu /><ThemeMenu /></div>
            </div>
        </main>
    }
}

/// Signed in at the provider, but without a role for this console.
#[component]
fn NoAccess(code: ErrorCode) -> impl IntoView {
    name_tab(texts::NO_ACCESS_TITLE.into());
    let text = error_messages::sentence(Some(code));
    view! {
        <main class="ui-signin">
            <div class="ui-signin__card">
                <EmptyState icon=IconName::Alert title=texts::NO_ACCESS_TITLE text=text>
                    <Button icon=IconName::SignOut on_click=|()| auth::sign_out()>{texts::SIGN_OUT.t()}</Button>
                </EmptyState>
            </div>
        </main>
    }
}

fn tone(notice: &Notice) -> Tone {
    match notice {
        Notice::SignedOut => Tone::Success,
        Notice::Ended => Tone::Info,
        Notice::Unreachable | Notice::Incomplete | Notice::Refused(_) | Notice::Mismatch => Tone::Danger,
    }
}

fn sentence(notice: &Notice) -> Localized {
    match notice {
        Notice::SignedOut => texts::SIGNED_OUT.into(),
        Notice::Ended => texts::SESSION_ENDED.into(),
        Notice::Unreachable => texts::PROVIDER_UNREACHABLE.into(),
        Notice::Incomplete => texts::CONSOLE_INCOMPLETE.into(),
        Notice::Refused(code) => texts::SIGN_IN_REFUSED.with(&[code]),
        Notice::Mismatch => texts::SIGN_IN_MISMATCH.into(),
    }
}
