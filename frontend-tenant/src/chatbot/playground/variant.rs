//! Other settings, whose answer is compared with the normal one.

use app::{
    api,
    form::Field,
    resource::{Loaded, Resource},
    ui::{Checkbox, Select, Skeleton, Switch, TextArea},
};
use contract::{
    ChatbotId,
    answer_models::ListAnswerModels,
    playground::{PlaygroundVariant, Strictness},
    template_update::GetTemplateUpdate,
};
use leptos::{prelude::*, task::spawn_local};

use crate::{chatbot::settings::with_models, texts::playground as texts};

/// The chosen settings.
#[derive(Debug, Clone, Copy)]
pub(super) struct VariantFields {
    compares: RwSignal<bool>,
    answer_model: RwSignal<String>,
    strictness: RwSignal<String>,
    prompt: Field,
    template_update: RwSignal<bool>,
}

impl VariantFields {
    pub(super) fn new() -> Self {
        Self {
            compares: RwSignal::new(false),
            answer_model: RwSignal::new(String::new()),
            strictness: RwSignal::new(Strictness::Usual.as_str().to_owned()),
            prompt: Field::new("system_prompt", ""),
            template_update: RwSignal::new(false),
        }
    }

    /// The field that can be filled wrongly.
    pub(super) fn prompt(self) -> Field {
        self.prompt
    }

    /// The variant to request, untracked; `None` when nothing is compared.
    pub(super) fn chosen(self) -> Option<PlaygroundVariant> {
        self.compares.get_untracked().then(|| PlaygroundVariant {
            answer_model: Some(self.answer_model.get_untracked()).filter(|name| !name.is_empty()),
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
    let VariantFields { answer_model, strictness, prompt, template_update, .. } = fields;
    let has_update = RwSignal::new(false);
    spawn_local(async move {
        // Without knowing, there is no update to choose.
        if let Ok(update) = api::call::<GetTemplateUpdate>(&id, &(), &()).await {
            has_update.try_set(update.update_available);
        }
    });
    let models = Resource::new(|| async { api::call::<ListAnswerModels>(&(), &(), &()).await });
    let degrees = [
        (Strictness::Lenient.as_str(), texts::LENIENT),
        (Strictness::Usual.as_str(), texts::USUAL),
        (Strictness::Strict.as_str(), texts::STRICT),
    ];
    let degrees = degrees.map(|(key, text)| (key.to_owned(), text.into())).to_vec();
    view! {
        <fieldset class="ui-choices">
            <legend class="ui-visually-hidden">{texts::OTHER.t()}</legend>
            <Loaded resource=models skeleton=|| view! { <Skeleton lines=2 /> } let:models>
                <Select
                    label=texts::ANSWERED_BY
                    value=answer_model
                    options=with_models(&models, texts::AS_USUAL.into())
                    on_change=Callback::new(move |value| answer_model.set(value))
                />
            </Loaded>
            <Select
                label=texts::STRICTNESS
                value=strictness
                options=degrees
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
