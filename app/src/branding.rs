//! The form of a tenant's branding, shared by both consoles: its fields, the list of websites, the preview.

#![allow(unreachable_pub, reason = "the component macro emits a second, hidden item that is not re-exported")]

mod cards;
mod fields;
mod form;
mod origins;
mod pictures;
mod preview;
mod reasons;
pub mod texts;

pub use cards::{ColoursCard, LinksCard, NamesCard, PagesCard};
pub use fields::{FIELDS, label, value};
pub use form::BrandingForm;
pub(crate) use form::NOT_A_NUMBER;
pub use origins::{Origins, OriginsCard};
pub use pictures::PictureUpload;
pub use preview::Preview;
pub use reasons::{origin_of, refusal, with_scheme};

use contract::branding::BrandingWarning;
use leptos::prelude::*;

use crate::{
    format,
    ui::{Banner, Tone},
};

/// The colours that are hard to read; by the contract's rule, which the API's answer follows too.
pub fn hard_to_read(warnings: &[BrandingWarning]) -> Option<impl IntoView + use<>> {
    if warnings.is_empty() {
        return None;
    }
    let lines = warnings
        .iter()
        .map(|warning| {
            let name = if warning.field == "accent_color" { texts::ACCENT } else { texts::TEXT };
            let [contrast, required] =
                [warning.contrast, warning.required].map(|value| format::decimal(value.unwrap_or_default(), 1));
            view! { <li>{texts::WARNING.with_localized([name.into(), contrast, required])}</li> }
        })
        .collect_view();
    Some(view! { <Banner tone=Tone::Warning title=texts::WARNING_TITLE><ul class="ui-list">{lines}</ul></Banner> })
}
