//! A placeholder for content that could not be loaded: the error, the request id, and a retry or a link back.

use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::{Button, ButtonLink, CopyButton, Icon, IconName};
use crate::{backend::Console, i18n::texts, problem::Problem};

/// A placeholder for content that could not be loaded. For something that does not exist it links back to the list,
/// because a retry cannot help.
#[component]
pub fn ErrorState(
    problem: Problem,
    /// Tries again.
    #[prop(optional, into)]
    on_retry: Option<Callback<()>>,
) -> impl IntoView {
    let sentence = problem.sentence();
    let missing = problem.is_missing();
    let list = missing.then(|| use_location().pathname.with_untracked(|path| list_of(path))).flatten();
    let title = if missing { texts::MISSING_TITLE } else { texts::ERROR_TITLE };
    let id = problem.request_id.map(|id| {
        view! {
            <p class="ui-error__id">
                {texts::REQUEST_ID.t()} ": " <code class="ui-mono">{id.clone()}</code> <CopyButton value=id />
            </p>
        }
    });
    let retry = on_retry.filter(|_| !missing).map(|on_retry| {
        view! {
            <div class="ui-error__actions">
                <Button icon=IconName::Refresh on_click=move |()| on_retry.run(())>{texts::RETRY.t()}</Button>
            </div>
        }
    });
    let back = list.map(|list| {
        view! {
            <div class="ui-error__actions"><ButtonLink href=list>{texts::TO_LIST.t()}</ButtonLink></div>
        }
    });
    view! {
        <div class="ui-error" role="alert">
            <div class="ui-error__icon"><Icon name=IconName::Alert /></div>
            <p class="ui-error__title">{title.t()}</p>
            <p class="ui-error__text">{sentence}</p>
            {id}
            {retry}
            {back}
        </div>
    }
}

/// The list that a page below it belongs to: `/tenant/chatbots` of `/tenant/chatbots/unknown/settings`.
fn list_of(path: &str) -> Option<String> {
    let base = [Console::Operator.base(), Console::Tenant.base()].into_iter().find(|base| path.starts_with(base))?;
    let (list, below) = path[base.len()..].strip_prefix('/')?.split_once('/')?;
    (!list.is_empty() && !below.is_empty()).then(|| format!("{base}/{list}"))
}

#[cfg(test)]
mod tests {
    use super::list_of;

    #[test]
    fn a_page_below_a_list_leads_to_it() {
        assert_eq!(list_of("/admin/operator/tenants/x").as_deref(), Some("/admin/operator/tenants"));
        assert_eq!(list_of("/tenant/chatbots/x/settings").as_deref(), Some("/tenant/chatbots"));
        for path in ["/tenant/", "/tenant/chatbots", "/tenant/chatbots/", "/elsewhere/x/y"] {
            assert_eq!(list_of(path), None, "{path}");
        }
    }
}
