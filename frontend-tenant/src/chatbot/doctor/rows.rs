//! The list of websites: the outcome of the last request, the reason, and what to do.

use app::{format, i18n::Localized, resource::Resource, ui::Badge};
use contract::embed::{EmbedOrigin, EmbedReport};
use leptos::prelude::*;

use super::{allow::Allow, days::Days, labels};
use crate::texts::doctor as texts;

/// The websites of the report, the latest request first.
#[component]
pub(super) fn Rows(
    latest: EmbedReport,
    /// The source of the report, reloaded after a change.
    report: Resource<EmbedReport>,
) -> impl IntoView {
    let current = latest.current_version;
    let rows = latest.origins.into_iter().map(move |of| row(of, &current, report)).collect_view();
    view! {
        <p class="ui-muted ui-small ui-entries__intro">{texts::LIST_TEXT.t()}</p>
        <ul class="ui-entries" aria-label=texts::LIST.t()>{rows}</ul>
    }
}

fn row(of: EmbedOrigin, current: &str, report: Resource<EmbedReport>) -> impl IntoView + use<> {
    let (tone, state, meaning) = labels::state(&of);
    let name = of.origin.clone().map_or_else(|| texts::NAMELESS.into(), Localized::from);
    let version = of.settings.is_allowed.then(|| {
        view! { <p class="ui-muted ui-small">{labels::version(of.widget_version.as_deref(), current)}</p> }
    });
    let allow = of.origin.clone().filter(|_| !of.settings.is_allowed).map(|origin| {
        view! { <Allow origin on_allowed=Callback::new(move |()| report.reload()) /> }
    });
    view! {
        <li class="ui-entries__item">
            <div class="ui-row ui-row--between ui-row--wrap">
                <div class="ui-row ui-row--wrap">
                    <span class="ui-strong ui-mono ui-break">{name.clone()}</span>
                    <Badge tone dot=true>{state.t()}</Badge>
                </div>
                <span class="ui-muted ui-small">{requests(&of)}</span>
            </div>
            <p>{meaning.t()}</p>
            {version}
            {allow}
            <Days name days=of.days />
        </li>
    }
}

fn requests(of: &EmbedOrigin) -> Localized {
    let last = format::ago(of.last_seen_at);
    match of.days.iter().map(|day| day.requests).sum() {
        1 => texts::REQUEST.with_localized([last]),
        number => texts::REQUESTS.with_localized([format::number(number), last]),
    }
}
