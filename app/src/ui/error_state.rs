//! What stands where something could not be loaded: what happened, the request id, a retry.

use leptos::prelude::*;

use super::{Button, CopyButton, Icon, IconName};
use crate::{i18n::texts, problem::Problem};

/// What stands where something could not be loaded.
#[component]
pub fn ErrorState(
    /// What went wrong.
    problem: Problem,
    /// Tries again.
    #[prop(optional, into)]
    on_retry: Option<Callback<()>>,
) -> impl IntoView {
    let sentence = problem.sentence();
    let id = problem.request_id.map(|id| {
        view! {
            <p class="ui-error__id">
                {texts::REQUEST_ID.t()} ": " <code class="ui-mono">{id.clone()}</code> <CopyButton value=id />
            </p>
        }
    });
    let retry = on_retry.map(|on_retry| {
        view! {
            <div class="ui-error__actions">
                <Button icon=IconName::Refresh on_click=move |()| on_retry.run(())>{texts::RETRY.t()}</Button>
            </div>
        }
    });
    view! {
        <div class="ui-error" role="alert">
            <div class="ui-error__icon"><Icon name=IconName::Alert /></div>
            <h3 class="ui-error__title">{texts::ERROR_TITLE.t()}</h3>
            <p class="ui-error__text">{sentence}</p>
            {id}
            {retry}
        </div>
    }
}
