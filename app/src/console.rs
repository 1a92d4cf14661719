//! The root of a console: configuration, sign-in, session, and below them the console's own pages.

use std::{future::Future, pin::Pin};

use contract::{ErrorCode, identity::Identity};
use futures::FutureExt;
use leptos::{prelude::*, task::spawn_local};

use crate::{
    api,
    auth::{self, Notice, SignIn},
    backend::{Console, ConsoleConfig},
    i18n::{LanguageChoice, Text, in_language, texts},
    resource::{Loaded, Resource},
    server_fns::ConsoleError,
    session::Session,
    theme::ThemeChoice,
    ui::{
        self, Banner, Button, ButtonKind, EmptyState, Icon, IconName, LanguageMenu, LazyPage, LazyView, Spinner,
        ThemeMenu, Toasts, Tone,
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

/// Starts a console in the page's body; a panic stands readably in the browser's log.
pub fn start<V: IntoView + 'static>(root: impl FnOnce() -> V + 'static) {
    console_error_panic_hook::set_once();
    ui::listen_to_history();
    leptos::mount::mount_to_body(root);
}

/// Names the browser's tab after a page and the console.
pub(crate) fn set_title(page: &str) {
    let title = match use_context::<ConsoleSpec>() {
        Some(spec) => format!("{page} · {}", spec.name.t()),
        None => page.to_owned(),
    };
    document().set_title(&title);
}

/// The root of a console. What stands below the sign-in is fetched meanwhile: it is needed for nothing before.
#[component]
pub fn ConsoleRoot<C, Fut>(
    /// What differs between the consoles.
    spec: ConsoleSpec,
    /// Fetches the configuration.
    config: C,
    /// What stands below the sign-in, a [`SignedIn`]; it finds the configuration in its context.
    signed_in: LazyView,
) -> impl IntoView
where
    C: Fn() -> Fut + Clone + 'static,
    Fut: Future<Output = Result<ConsoleConfig, ConsoleError>> + 'static,
{
    let fetching: Pin<Box<dyn Future<Output = ()>>> = Box::pin((signed_in.fetch)().map(drop));
    spawn_local(fetching);
    LanguageChoice::provide();
    ThemeChoice::provide(spec.console);
    let state = RwSignal::new(SignIn::Starting);
    let config = Resource::new(move || api::function(config.clone()));
    Effect::new(move |_| {
        if let Some(config) = config.get() {
            spawn_local(auth::start(spec.console, config, state));
        }
    });
    provide_context(spec);
    let page = move || match state.get() {
        SignIn::Starting => view! { <Waiting /> }.into_any(),
        SignIn::SignedOut(notice) => {
            in_language(move || view! { <SignInPage spec notice=notice.clone() /> }).into_any()
        }
        SignIn::SignedIn => view! { <LazyPage view=signed_in skeleton=|| view! { <Waiting /> } /> }.into_any(),
    };
    view! {
        <Loaded resource=config plain=true skeleton=|| view! { <Waiting /> } let:config>
            {
                provide_context(config);
                page
            }
        </Loaded>
    }
}

/// What stands below the sign-in: the pages, once the API has said who is there, and the short messages.
#[component]
pub fn SignedIn<P, V>(
    /// Builds the router with the `AppShell` inside, whose children are built again when the language changes.
    pages: P,
) -> impl IntoView
where
    P: Fn(ConsoleConfig) -> V + Clone + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let identity: Resource<Result<Identity, ErrorCode>> = Resource::new(|| async {
        match Session::load().await {
            Err(problem) => match problem.code() {
                Some(code) if code.status() == 403 => Ok(Err(code)),
                _ => Err(problem),
            },
            Ok(identity) => Ok(Ok(identity)),
        }
    });
    spawn_local(ThemeChoice::get().load());
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
        {in_language(|| view! { <Toasts /> })}
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
    set_title(texts::SIGN_IN.t());
    let sign_in = move |()| {
        busy.set(true);
        spawn_local(async move {
            auth::sign_in().await;
            busy.try_set(false);
        });
    };
    view! {
        <main class="ui-signin">
            <div class="ui-signin__card">
                <span class="ui-signin__logo"><Icon name=IconName::Chatbot /></span>
                <h1 class="ui-signin__title">{spec.name.t()}</h1>
                <p class="ui-signin__text">{texts::SIGN_IN_TEXT.t()}</p>
                {notice.map(|notice| view! { <Banner tone=tone(&notice)>{sentence(&notice)}</Banner> })}
                <Button kind=ButtonKind::Primary block=true busy=busy on_click=sign_in>{texts::SIGN_IN.t()}</Button>
                <div class="ui-signin__tools"><LanguageMenu /><ThemeMenu /></div>
            </div>
        </main>
    }
}

/// Signed in at the provider, but without a role for this console.
#[component]
fn NoAccess(code: ErrorCode) -> impl IntoView {
    set_title(texts::NO_ACCESS_TITLE.t());
    let text: String = crate::i18n::errors::sentence(Some(code)).into();
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
        Notice::Unreachable | Notice::Refused(_) | Notice::Mismatch => Tone::Danger,
    }
}

fn sentence(notice: &Notice) -> String {
    match notice {
        Notice::SignedOut => texts::SIGNED_OUT.into(),
        Notice::Ended => texts::SESSION_ENDED.into(),
        Notice::Unreachable => texts::PROVIDER_UNREACHABLE.into(),
        Notice::Refused(code) => texts::SIGN_IN_REFUSED.with(&[code]),
        Notice::Mismatch => texts::SIGN_IN_MISMATCH.into(),
    }
}
