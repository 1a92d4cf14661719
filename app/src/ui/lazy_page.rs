//! Views whose code is a separate file, loaded when they are first shown: with a skeleton while loading, and an error
//! with a retry.

use std::{future::Future, pin::Pin, sync::Arc};

use contract::ErrorCode;
use futures::FutureExt;
pub use leptos::wasm_split::{SplitLoaderError, wasm_split};
use leptos::{prelude::*, task::spawn_local};
use leptos_router::PossibleRouteMatch;

use super::{ErrorState, Skeleton};
use crate::problem::Problem;

/// Work of the browser, boxed so that the browser's side of a task is compiled once.
pub(crate) type Task = Pin<Box<dyn Future<Output = ()>>>;

/// The path of a route.
pub type PagePath = Arc<dyn PossibleRouteMatch + Send + Sync>;

/// A step towards a page.
pub type PageStep<T> = Pin<Box<dyn Future<Output = Result<T, SplitLoaderError>>>>;

/// A view whose code is loaded on demand; created by [`lazy_view!`](crate::lazy_view).
#[derive(Debug, Clone, Copy)]
pub struct LazyView {
    /// Fetches the code, once.
    pub fetch: fn() -> PageStep<()>,
    /// Builds the view; ready immediately when the code is loaded.
    pub show: fn() -> PageStep<AnyView>,
}

/// The state of a page's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    Coming,
    Here,
    Unreachable,
}

/// Shows a view as soon as its code is here.
#[component]
pub fn LazyPage(
    /// Built when its code has arrived.
    view: LazyView,
) -> impl IntoView {
    // A newer version may have replaced the file. Only a reloaded page knows its new name.
    let reload = Callback::new(move |()| {
        let _ = window().location().reload();
    });
    let unreachable =
        move || view! { <ErrorState problem=Problem::from(ErrorCode::ServiceUnavailable) on_retry=reload /> };
    when_here(view, ViewFn::from(|| view! { <Skeleton lines=6 /> }), ViewFn::from(unreachable))
}

/// A view as soon as its code is here: `coming` until then, `unreachable` when it cannot be fetched.
pub(crate) fn when_here(view: LazyView, coming: ViewFn, unreachable: ViewFn) -> AnyView {
    let LazyView { fetch, show } = view;
    let state = |fetched: Result<(), _>| if fetched.is_ok() { Code::Here } else { Code::Unreachable };
    let mut fetching = fetch();
    let code = RwSignal::new((&mut fetching).now_or_never().map_or(Code::Coming, state));
    if code.get_untracked() == Code::Coming {
        spawn_local(Box::pin(async move {
            let fetched = fetching.await;
            // The user may be on another page by now.
            let _ = code.try_set(state(fetched));
        }) as Task);
    }
    let content = move || match code.get() {
        Code::Coming => coming.run(),
        Code::Here => show().now_or_never().and_then(Result::ok).into_any(),
        Code::Unreachable => unreachable.run(),
    };
    content.into_any()
}

/// A [`LazyView`] of a component without properties: `lazy_view!(chunk, Page)`. What is of one chunk is one file.
#[macro_export]
macro_rules! lazy_view {
    ($chunk:ident, $page:ident) => {{
        #[$crate::ui::wasm_split($chunk, fallible, preload(fetch), wasm_split_path = $crate::ui::wasm_split_runtime)]
        fn build() -> Result<::leptos::prelude::AnyView, $crate::ui::SplitLoaderError> {
            use ::leptos::prelude::IntoAny;
            Ok(::leptos::prelude::view! { <$page /> }.into_any())
        }
        $crate::ui::LazyView { fetch: || Box::pin(fetch()), show: || Box::pin(build()) }
    }};
}

/// The view of a route with a lazily loaded page: `lazy_page!(chunk, Page)`, see [`lazy_view!`](crate::lazy_view).
#[macro_export]
macro_rules! lazy_page {
    ($chunk:ident, $page:ident) => {
        || ::leptos::prelude::view! { <$crate::ui::LazyPage view=$crate::lazy_view!($chunk, $page) /> }
    };
}

/// Gives all route paths one type, `page_path!("/tenants/:id")`, so that the router's generic code is compiled once and
/// not for every path.
#[macro_export]
macro_rules! page_path {
    ($path:tt) => {
        ::std::sync::Arc::new(::leptos_router::path!($path)) as $crate::ui::PagePath
    };
}
