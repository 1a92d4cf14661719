//! Other settings, whose answer is compared with the one that visitors get.

use app::{
    api,
    form::Field,
    ui::{Checkbox, Select, Switch, TextArea},
};
use contract::{
    ChatbotId,
    conversations::AnsweredBy,
    playground::{PlaygroundVariant, Strictness},
    template_update::GetTemplateUpdate,
};
use leptos::{prelude::*, task::spawn_local};

use crate::texts::playground as texts;

/// What is chosen.
#[derive(Debug, Clone, Copy)]
pub(super) struct VariantFields {
    compares: RwSignal<bool>,
    answered_by: RwSignal<String>,
    strictness: RwSignal<String>,
    prompt: Field,
    template_update: RwSignal<bool>,
}

impl VariantFields {
    pub(super) fn new() -> Self {
        Self {
            compares: RwSignal::new(false),
            answered_by: RwSignal::new(String::new()),
            strictness: RwSignal::new(Strictness::Usual.as_str().to_owned()),
            prompt: Field::new("system_prompt", ""),
            template_update: RwSignal::new(false),
        }
    }

    /// The field that can be filled wrongly.
    pub(super) fn prompt(self) -> Field {
        self.prompt
    }

    /// The variant to ask, not tracked; none when nothing is compared.
    pub(super) fn chosen(self) -> Option<PlaygroundVariant> {
        self.compares.get_untracked().then(|| PlaygroundVariant {
            answered_by: self.answered_by.with_untracked(|value| value.parse::<AnsweredBy>().ok()),
            strictness: self.strictness.with_untracked(|value| value.parse::<Strictness>().ok()),
            system_prompt: self.prompt.non_empty(),
            template_update: self.template_update.get_untracked(),
        })
    }
}

/// The switch that compares, and the settings when it is on.
#[component]
pub(super) fn VariantForm(id: ChatbotId, fields: VariantFields) -> impl IntoView {
    let compares = fields.compares;
    view! {
        <Switch
            label=texts::COMPARE
            checked=compares
            on_change=Callback::new(move |on| compares.set(on))
        />
        <Show when=move || compares.get()>
            <Settings id fields />
        </Show>
    }
}

#[component]
fn Settings(id: ChatbotId, fields: VariantFields) -> impl IntoView {
    let VariantFields { answered_by, strictness, prompt, template_update, .. } = fields;
    let has_update = RwSignal::new(false);
    spawn_local(async move {
        // Without knowing, there is no update to choose.
        if let Ok(update) = api::call::<GetTemplateUpdate>(&id, &(), &()).await {
            has_update.try_set(update.update_available);
        }
    });
    let made = [
        ("", texts::AS_USUAL),
        (AnsweredBy::Quoted.as_str(), texts::QUOTED),
        (AnsweredBy::Generated.as_str(), texts::GENERATED),
    ];
    let degrees = [
        (Strictness::Lenient.as_str(), texts::LENIENT),
        (Strictness::Usual.as_str(), texts::USUAL),
        (Strictness::Strict.as_str(), texts::STRICT),
    ];
    let options =
        |options: [(&str, app::i18n::Text); 3]| options.map(|(key, text)| (key.to_owned(), text.into())).to_vec();
    view! {
        <fieldset class="ui-choices">
            <legend class="ui-visually-hidden">{texts::OTHER.t()}</legend>
            <Select
                label=texts::ANSWERED_BY
                value=answered_by
                options=options(made)
                on_change=Callback::new(move |value| answered_by.set(value))
            />
            <Select
                label=texts::STRICTNESS
                value=strictness
                options=options(degrees)
                on_change=Callback::new(move |value| strictness.set(value))
            />
            <TextArea label=texts::PROMPT field=prompt hint=texts::PROMPT_HINT rows=3 optional=true />
            <Show when=move || has_update.get()>
                <Checkbox
                    label=texts::TEMPLATE_UPDATE
                    checked=template_update
                    on_change=Callback::new(move |on| template_update.set(on))
                />
            </Show>
        </fieldset>
    }
}
