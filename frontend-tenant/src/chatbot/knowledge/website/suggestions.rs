//! Suggested websites: those that already show the chatbot. A suggestion saves typing and proves nothing.

use app::{
    api,
    form::Field,
    resource::Resource,
    ui::{Button, ButtonKind},
};
use contract::{
    ChatbotId,
    documents::ChatbotSource,
    embed::{EmbedOrigin, EmbedOutcome, EmbedReportQuery, GetEmbedReport},
};
use leptos::prelude::*;

use crate::texts::website as texts;

/// Maximum suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// A button for each suggestion, which fills in the address.
#[component]
pub(super) fn Suggestions(id: ChatbotId, websites: Memo<Vec<ChatbotSource>>, url: Field) -> impl IntoView {
    let report =
        Resource::new(move || async move { api::call::<GetEmbedReport>(&id, &EmbedReportQuery::default(), &()).await });
    let suggested = Memo::new(move |_| {
        let origins = report.get().map(|report| accepted(report.origins)).unwrap_or_default();
        let address = |source: &ChatbotSource| source.website.as_ref().map(|website| website.url.clone());
        suggested(origins, &websites.with(|all| all.iter().filter_map(address).collect::<Vec<_>>()))
    });
    move || {
        let suggested = suggested.get();
        (!suggested.is_empty()).then(|| {
            let buttons = suggested.into_iter().map(|origin| {
                let label = texts::USE.with(&[host(&origin)]);
                view! {
                    <Button
                        kind=ButtonKind::Ghost
                        small=true
                        on_click=Callback::new(move |()| url.set(origin.as_str()))
                    >
                        {label}
                    </Button>
                }
            });
            view! {
                <div class="ui-row ui-row--wrap" role="group" aria-label=texts::SUGGESTED.t()>
                    <span class="ui-muted ui-small">{texts::SUGGESTED.t()}</span>
                    {buttons.collect_view()}
                </div>
            }
        })
    }
}

/// Websites that may show the chatbot. Others can send requests, too.
fn accepted(origins: Vec<EmbedOrigin>) -> Vec<String> {
    let accepted = origins.into_iter().filter(|of| of.outcome == EmbedOutcome::Accepted);
    accepted.filter_map(|of| of.origin).collect()
}

/// The first websites that are not read yet.
fn suggested(origins: Vec<String>, addresses: &[String]) -> Vec<String> {
    let is_new = |origin: &String| !addresses.iter().any(|url| host(url) == host(origin));
    origins.into_iter().filter(is_new).take(MAX_SUGGESTIONS).collect()
}

/// Host and port of an address.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn websites_that_are_read_already_are_not_suggested() {
        let of = |urls: &[&str]| urls.iter().map(|url| (*url).to_owned()).collect::<Vec<_>>();
        let origins = ["https://shop.example", "https://help.example", "https://a.example", "https://b.example"];
        let suggested = suggested(of(&origins), &of(&["https://help.example/start?page=1"]));
        assert_eq!(suggested, ["https://shop.example", "https://a.example", "https://b.example"]);
        assert_eq!(host("https://shop.example:8443/help"), "shop.example:8443");
    }
}
