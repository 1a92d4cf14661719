//! The answers to visitors that cite a document.

use app::ui::Card;
use contract::knowledge_hub::Quotation;
use leptos::prelude::*;

use crate::{quotation::quotation, texts::knowledge_hub as texts};

/// The card with the questions; `None` when there are none.
#[component]
pub(super) fn Quotations(quoted_in: Vec<Quotation>) -> impl IntoView {
    if quoted_in.is_empty() {
        return None;
    }
    let rows: Vec<_> = quoted_in.into_iter().map(quotation).collect();
    Some(view! { <Card title=texts::QUOTED_IN><ul class="ui-list ui-list--loose">{rows}</ul></Card> })
}
