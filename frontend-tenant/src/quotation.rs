//! A visitor's question whose answer cited a document, for lists.

use app::{format, ui::Link};
use contract::knowledge_hub::Quotation;
use leptos::prelude::*;

use crate::paths;

/// The question as a link to its conversation, and when it was asked.
pub(crate) fn quotation(of: Quotation) -> impl IntoView {
    let href = paths::conversation(of.session_id, Some(of.message_id));
    view! {
        <li class="ui-break">
            <Link href quiet=true>{of.question}</Link>
            " "
            <time class="ui-muted ui-small" datetime=format::machine(of.asked_at) title=format::date_time(of.asked_at)>
                {format::ago(of.asked_at)}
            </time>
        </li>
    }
}
