//! The answers to visitors that a document was a source of.

use app::{
    format,
    ui::{Card, Link},
};
use contract::knowledge_hub::Quotation;
use leptos::prelude::*;

use crate::{routes, texts::knowledge_hub as texts};

/// The card with the questions; none when there are none.
#[component]
pub(super) fn Quotations(quoted_in: Vec<Quotation>) -> impl IntoView {
    if quoted_in.is_empty() {
        return None;
    }
    let rows: Vec<_> = quoted_in
        .into_iter()
        .map(|of| {
            let href = routes::conversation(of.session_id, Some(of.message_id));
            view! {
                <li class="ui-break">
                    <Link href quiet=true>{of.question}</Link>
                    " "
                    <time class="ui-muted ui-small" datetime=format::machine(of.asked_at) title=format::date_time(of.asked_at)>
                        {format::ago(of.asked_at)}
                    </time>
                </li>
            }
        })
        .collect();
    Some(view! { <Card title=texts::QUOTED_IN><ul class="ui-list ui-list--loose">{rows}</ul></Card> })
}
