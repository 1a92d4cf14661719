//! The tenant's open tasks by chatbot, each count with a link to its page.

use app::{
    backend::OpenWork,
    format,
    i18n::{Localized, Text},
    ui::{Card, EmptyState, Icon, IconName, Link, Tone},
};
use leptos::prelude::*;

use crate::{paths, texts::overview as texts};

/// The card with open tasks.
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

/// The open tasks of one chatbot, each count with a link to its page.
#[component]
pub(crate) fn OpenWorkRows(work: OpenWork) -> impl IntoView {
    let id = work.chatbot_id;
    let updates = i64::from(work.has_template_update);
    let rows = [
        row(Tone::Warning, work.questions, [texts::OPEN_QUESTION, texts::OPEN_QUESTIONS], paths::unanswered(id)),
        row(Tone::Warning, work.ratings, [texts::OPEN_RATING, texts::OPEN_RATINGS], paths::open_ratings(id)),
        row(Tone::Danger, work.websites, [texts::OPEN_WEBSITE, texts::OPEN_WEBSITES], paths::install(id)),
        row(Tone::Danger, work.documents, [texts::OPEN_DOCUMENT, texts::OPEN_DOCUMENTS], paths::unread_documents(id)),
        row(Tone::Danger, work.unread_websites, [texts::OPEN_SITE, texts::OPEN_SITES], paths::websites(id)),
        row(Tone::Info, updates, [texts::OPEN_TEMPLATE, texts::OPEN_TEMPLATE], paths::template(id)),
    ];
    view! { <ul>{rows.into_iter().flatten().collect_view()}</ul> }
}

/// One line, a link with an icon for its urgency; `None` when the count is 0.
fn row(tone: Tone, count: i64, [one, some]: [Text; 2], href: String) -> Option<impl IntoView + use<>> {
    let text: Localized = if count == 1 { one.into() } else { some.with_localized([format::number(count)]) };
    let icon = if tone == Tone::Info { IconName::Info } else { IconName::Alert };
    let class = format!("ui-open-line__icon ui-open-line__icon--{}", tone.as_str());
    (count > 0).then(|| {
        view! {
            <li class="ui-open-line">
                <Icon name=icon class=class />
                <Link href>{text}</Link>
            </li>
        }
    })
}
