//! The sources of an answer, numbered as the answer cites them.

use contract::widget::WidgetSource;
use leptos::prelude::*;

/// The sources with their titles and the beginning of their texts.
#[component]
pub(super) fn NumberedSources(sources: Vec<WidgetSource>) -> impl IntoView {
    let rows: Vec<_> = sources
        .into_iter()
        .zip(1..)
        .map(|(source, number)| {
            view! {
                <li>
                    <span class="ui-strong">{format!("[{number}] {}", source.source_title)}</span>
                    " "
                    <span class="ui-muted">{source.content_snippet}</span>
                </li>
            }
        })
        .collect();
    view! { <ul class="ui-list ui-list--loose">{rows}</ul> }
}
