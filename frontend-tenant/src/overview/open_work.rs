//! What waits for the tenant, by chatbot, each count with the page where it is worked off.

use app::{
    backend::OpenWork,
    format,
    i18n::{Localized, Text},
    ui::{Card, EmptyState, IconName, Link},
};
use contract::ChatbotId;
use leptos::prelude::*;

use crate::{routes, texts::overview as texts};

/// The card of what is open.
#[component]
pub(super) fn OpenWorkCard(work: Vec<OpenWork>) -> impl IntoView {
    if work.is_empty() {
        return view! {
            <Card title=texts::OPEN>
                <EmptyState icon=IconName::Check title=texts::OPEN_NOTHING text=texts::OPEN_NOTHING_TEXT compact=true />
            </Card>
        }
        .into_any();
    }
    view! { <Card title=texts::OPEN>{work.into_iter().map(chatbot).collect_view()}</Card> }.into_any()
}

fn chatbot(work: OpenWork) -> impl IntoView {
    view! {
        <section class="ui-stack ui-stack--small">
            <h3>{work.chatbot_name.clone()}</h3>
            <OpenWorkRows work />
        </section>
    }
}

/// What is open for one chatbot, each count with the page where it is worked off.
#[component]
pub(crate) fn OpenWorkRows(work: OpenWork) -> impl IntoView {
    let id = work.chatbot_id;
    let updates = i64::from(work.has_template_update);
    let rows = [
        row(work.questions, texts::OPEN_QUESTION, texts::OPEN_QUESTIONS, routes::unanswered, id),
        row(work.ratings, texts::OPEN_RATING, texts::OPEN_RATINGS, routes::open_ratings, id),
        row(work.websites, texts::OPEN_WEBSITE, texts::OPEN_WEBSITES, routes::install, id),
        row(work.documents, texts::OPEN_DOCUMENT, texts::OPEN_DOCUMENTS, routes::unread_documents, id),
        row(updates, texts::OPEN_TEMPLATE, texts::OPEN_TEMPLATE, routes::template, id),
    ];
    view! { <ul>{rows.into_iter().flatten().collect_view()}</ul> }
}

/// One line; none when there is nothing.
fn row(
    count: i64,
    one: Text,
    some: Text,
    page: fn(ChatbotId) -> String,
    id: ChatbotId,
) -> Option<impl IntoView + use<>> {
    let said: Localized = if count == 1 { one.into() } else { some.with_localized([format::number(count)]) };
    (count > 0).then(|| view! { <li class="ui-link-row"><Link href=page(id) quiet=true>{said}</Link></li> })
}
