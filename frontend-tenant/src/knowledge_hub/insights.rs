//! Searches of several users of the tenant without useful results, for administrators.

use app::{
    api, format,
    i18n::Localized,
    resource::{Loaded, Resource},
    ui::{Card, Skeleton},
};
use contract::knowledge_hub::{GetKnowledgeInsights, UnmetSearch};
use leptos::prelude::*;

use super::links::{list, search_for};
use crate::texts::knowledge_hub as texts;

/// Maximum searches that are shown.
const MAX_SEARCHES: usize = 6;

/// The card with the searches.
#[component]
pub(super) fn InsightsCard() -> impl IntoView {
    let insights = Resource::new(|| async { api::call::<GetKnowledgeInsights>(&(), &(), &()).await });
    view! {
        <Card title=texts::INSIGHTS>
            <Loaded resource=insights skeleton=|| view! { <Skeleton lines=3 /> } let:insights>
                {
                    let links = insights.items.into_iter().take(MAX_SEARCHES).map(|of| (search_for(&of.query), label(of))).collect();
                    list(links, texts::INSIGHTS_NONE.into(), None)
                }
            </Loaded>
        </Card>
    }
}

fn label(of: UnmetSearch) -> Localized {
    let text = if of.without_result > 0 { texts::INSIGHT_NO_RESULT } else { texts::INSIGHT_NOT_OPENED };
    let searches = text.with_localized([format::number(of.searches)]);
    Localized::new(move || format!("{} · {}", of.query, searches.get()))
}
