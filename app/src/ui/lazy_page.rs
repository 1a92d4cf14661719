//! A page whose code is a file of its own, fetched when the page is first shown: a skeleton meanwhile, an error with a
//! retry when it cannot be fetched.

use std::{future::Future, pin::Pin};

use contract::ErrorCode;
use futures::FutureExt;
pub use leptos::wasm_split::{SplitLoaderError, wasm_split};
use leptos::{prelude::*, task::spawn_local};

use super::{ErrorState, Skeleton};
use crate::problem::Problem;

/// A step towards a page.
pub type PageStep<T> = Pin<Box<dyn Future<Output = Result<T, SplitLoaderError>>>>;

/// Where the code of a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    Coming,
    Here,
    Unreachable,
}

/// A page whose code comes when it is needed; [`lazy_page!`](crate::lazy_page) makes its two steps.
#[component]
pub fn LazyPage(
    /// Fetches the code, once.
    fetch: fn() -> PageStep<()>,
    /// Builds the page; ready at once when the code is here.
    show: fn() -> PageStep<AnyView>,
) -> impl IntoView {
    let state = |fetched: Result<(), _>| if fetched.is_ok() { Code::Here } else { Code::Unreachable };
    let mut fetching = fetch();
    let code = RwSignal::new((&mut fetching).now_or_never().map_or(Code::Coming, state));
    if code.get_untracked() == Code::Coming {
        let task: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move {
            let fetched = fetching.await;
            // The user may be on another page by now.
            let _ = code.try_set(state(fetched));
        });
        spawn_local(task);
    }
    // The file may be gone because a newer version was installed: only a new page knows the new name.
    let reload = Callback::new(move |()| {
        let _ = window().location().reload();
    });
    move || match code.get() {
        Code::Coming => view! { <Skeleton lines=6 /> }.into_any(),
        Code::Here => show().now_or_never().and_then(Result::ok).into_any(),
        Code::Unreachable => {
            view! { <ErrorState problem=Problem::from(ErrorCode::ServiceUnavailable) on_retry=reload /> }.into_any()
        }
    }
}

/// The view of a route whose page is split off: `lazy_page!(chunk, Page)`. Pages of one chunk are one file.
#[macro_export]
macro_rules! lazy_page {
    ($chunk:ident, $page:ident) => {{
        #[$crate::ui::wasm_split($chunk, fallible, preload(fetch), wasm_split_path = $crate::ui::wasm_split_runtime)]
        fn build() -> Result<::leptos::prelude::AnyView, $crate::ui::SplitLoaderError> {
            use ::leptos::prelude::IntoAny;
            Ok(::leptos::prelude::view! { <$page /> }.into_any())
        }
        || {
            ::leptos::prelude::view! {
                <$crate::ui::LazyPage fetch=|| Box::pin(fetch()) show=|| Box::pin(build()) />
            }
        }
    }};
}
