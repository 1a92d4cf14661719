//! Fields that the wizard and the settings of a chatbot share.

use app::{
    backend::ConsoleConfig,
    form::Field,
    i18n::languages,
    ui::{Select, TextArea},
};
use leptos::prelude::*;

use crate::texts::create as texts;

/// Languages with full support: the chat window's texts, predefined replies and full-text search.
const COMPLETE: [&str; 7] = ["de", "en", "es", "fr", "it", "nl", "pt"];

/// One entry for each line that is not empty.
pub(crate) fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The language of the answers, and what exists in it.
#[component]
pub(crate) fn LanguageField(
    /// The language tag.
    value: RwSignal<String>,
    #[prop(optional)] disabled: bool,
) -> impl IntoView {
    let support = move || {
        let tag = value.get();
        let language = tag.split('-').next().unwrap_or_default().to_lowercase();
        match COMPLETE.contains(&language.as_str()) {
            true => texts::LANGUAGE_COMPLETE.get().to_owned(),
            false => texts::LANGUAGE_PARTIAL.with_localized([languages::name(&tag)]).get(),
        }
    };
    view! {
        <div class="ui-stack ui-stack--small">
            <Select
                label=texts::LANGUAGE
                value
                options=languages::options(&value.get_untracked())
                on_change=Callback::new(move |language| value.set(language))
                disabled
            />
            <p class="ui-muted ui-small" role="status">{support}</p>
        </div>
    }
}

/// The prompt for the language model. Without a model it says that it has no effect.
#[component]
pub(crate) fn SystemPromptField(
    field: Field,
    /// Lines that it shows.
    rows: u32,
    #[prop(optional)] disabled: bool,
) -> impl IntoView {
    let has_model = expect_context::<ConsoleConfig>().language_model == "true";
    let hint = if has_model { texts::SYSTEM_PROMPT_HINT } else { texts::SYSTEM_PROMPT_UNUSED };
    view! { <TextArea label=texts::SYSTEM_PROMPT hint field optional=true rows disabled /> }
}
