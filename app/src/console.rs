//! The root of a console: configuration, sign-in, session, and below them the console's own pages.

use contract::{ErrorCode, identity::Identity};
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::JsValue;

use crate::{
    auth::{self, Notice, SignIn},
    backend::{Console, ConsoleConfig},
    i18n::{self, Localized, Text, texts},
    resource::{Loaded, Resource},
    session::Session,
    theme::ThemeChoice,
    ui::{
        self, Banner, Button, ButtonKind, EmptyState, Icon, IconName, LanguageMenu, LazyView, Spinner, ThemeMenu,
        Toasts, Tone, when_here,
    },
};

/// What differs between the consoles.
#[derive(Debug, Clone, Copy)]
pub struct ConsoleSpec {
    /// Which console it is.
    pub console: Console,
    /// Its name.
    pub name: Text,
}

/// Starts a console in the page's body; a panic stands readably in the browser's log. What stands below the sign-in, a
/// [`SignedIn`], is fetched meanwhile: it is needed for nothing before.
///
/// # Errors
/// The page does not say how the console is configured: it was not served by the platform.
pub fn start(spec: ConsoleSpec, signed_in: LazyView) -> Result<(), JsValue> {
    console_error_panic_hook::set_once();
    let config = document().body().and_then(|body| ConsoleConfig::read(|name| body.get_attribute(name)));
    let config = config.ok_or("the page has no configuration")?;
    leptos::mount::mount_to_body(move || view! { <ConsoleRoot spec config signed_in /> });
    Ok(())
}

/// Names the browser's tab after a page and the console.
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

/// The sign-in, and what stands below it once somebody is signed in.
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

/// What stands below the sign-in: the pages, once the API has said who is there, and the short messages.
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

/// The page before sign-in: what the console is, why nobody is signed in, one button.
#[component]
fn SignInPage(spec: ConsoleSpec, notice: Option<Notice>) -> impl IntoView {
    let busy = RwSignal::new(false);
    name_tab(texts::SIGN_IN.into());
    let is_incomplete = notice == Some(Notice::Incomplete);
    let go_on = move |()| {
        // The file may be gone because a newer version was installed: only a new page knows the new name.
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
    let text = i18n::errors::sentence(Some(code));
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
