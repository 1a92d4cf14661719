//! A message about the whole page or a part of it.

use leptos::prelude::*;

use super::{Icon, IconName, Tone};
use crate::i18n::Localized;

/// A message about the whole page or a part of it.
#[component]
pub fn Banner(
    #[prop(default = Tone::Info)] tone: Tone,
    /// Shown in bold before the message.
    #[prop(optional, into)]
    title: Localized,
    children: Children,
) -> impl IntoView {
    let icon = match tone {
        Tone::Success => IconName::Check,
        Tone::Warning | Tone::Danger => IconName::Alert,
        Tone::Neutral | Tone::Info => IconName::Info,
    };
    let role = if tone == Tone::Danger { "alert" } else { "status" };
    view! {
        <div class=format!("ui-banner ui-banner--{}", tone.as_str()) role=role>
            <Icon name=icon />
            <div class="ui-banner__body">
                {(!title.is_empty()).then(|| view! { <strong class="ui-banner__title">{title}</strong> })}
                {children()}
            </div>
        </div>
    }
}
