//! The form for a template's content, new or next version.

use app::{
    branding::{BrandingForm, ColoursCard, LinksCard, NamesCard, Preview, hard_to_read, texts as shared},
    form::{Field, Form},
    i18n::texts as common,
    ui::{Card, TextArea, TextField},
};
use contract::{
    FieldError,
    branding::TenantBranding,
    templates::{Template, TemplateContent},
};
use leptos::prelude::*;

use super::faq_editor::{Faq, FaqEditor};
use crate::texts::{self, templates};

/// The fields of the content.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    pub(super) name: Field,
    description: Field,
    system_prompt: Field,
    welcome: Field,
    fallback: Field,
    suggested: Field,
    faq: Faq,
    branding: BrandingForm,
}

impl Fields {
    pub(super) fn new(content: &TemplateContent) -> Self {
        let fields = Self {
            name: Field::new("name", ""),
            description: Field::new("description", ""),
            system_prompt: Field::new("suggested_system_prompt", ""),
            welcome: Field::new("welcome_message", ""),
            fallback: Field::new("fallback_message", ""),
            suggested: Field::new("suggested_questions", ""),
            faq: Faq::new(),
            branding: BrandingForm::new(&TenantBranding::default()),
        };
        fields.reset(content);
        fields
    }

    /// Restores a content.
    pub(super) fn reset(self, content: &TemplateContent) {
        self.name.set(content.name.as_str());
        self.description.set(content.description.as_str());
        self.system_prompt.set(content.suggested_system_prompt.as_str());
        self.welcome.set(content.welcome_message.as_str());
        self.fallback.set(content.fallback_message.as_str());
        self.suggested.set(content.suggested_questions.join("\n"));
        self.faq.reset(&content.faq_seed);
        self.branding.reset(&TenantBranding { fields: content.branding_defaults.clone(), ..TenantBranding::default() });
    }

    /// The form of these fields and `more`.
    pub(super) fn form(self, more: &[Field]) -> Form {
        let own = [self.name, self.description, self.system_prompt, self.welcome, self.fallback, self.suggested];
        let branding = self.branding.text_fields();
        let all = [more, &own, &branding, &[self.faq.field]].concat();
        Form::new(all)
    }

    /// The content in the form, tracked.
    pub(super) fn content(self) -> TemplateContent {
        let text = |field: Field| field.get().trim().to_owned();
        let lines = text(self.suggested);
        TemplateContent {
            name: text(self.name),
            description: text(self.description),
            suggested_system_prompt: text(self.system_prompt),
            welcome_message: text(self.welcome),
            suggested_questions: lines.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect(),
            fallback_message: text(self.fallback),
            faq_seed: self.faq.entries(),
            branding_defaults: self.branding.values(),
        }
    }

    /// Errors of the branding that only the form can detect.
    pub(super) fn branding_errors(self) -> Vec<FieldError> {
        self.branding.errors()
    }
}

/// All cards, with the preview next to them.
#[component]
pub(super) fn Cards(
    fields: Fields,
    /// The card of name and description.
    children: Children,
) -> impl IntoView {
    let branding = fields.branding;
    let shown_fields = Memo::new(move |_| branding.good_values());
    let name = Signal::derive(move || fields.name.get());
    let welcome = Signal::derive(move || fields.welcome.get());
    view! {
        <div class="ui-grid ui-grid--main-side">
            <div class="ui-stack">
                {children()}
                <ConversationCard fields />
                <FaqEditor faq=fields.faq />
                <h2>{texts::BRANDING.t()}</h2>
                <p class="ui-muted">{templates::BRANDING_HINT.t()}</p>
                <NamesCard values=branding read_only=false />
                <ColoursCard values=branding read_only=false />
                <LinksCard values=branding read_only=false />
            </div>
            <div class="ui-stack ui-sticky">
                <Card title=shared::PREVIEW><Preview fields=shown_fields name welcome /></Card>
                {move || hard_to_read(&shown_fields.with(|fields| fields.warnings()))}
            </div>
        </div>
    }
}

/// The card with name, description and further fields between them.
#[component]
pub(super) fn GeneralCard(
    fields: Fields,
    /// Called with the typed name.
    #[prop(optional, into)]
    on_name: Option<Callback<String>>,
    /// Fields between name and description.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let name_changed = move |text: String| {
        if let Some(on_name) = on_name {
            on_name.run(text);
        }
    };
    view! {
        <Card title=texts::GENERAL>
            <TextField label=common::NAME field=fields.name on_input=name_changed />
            {children.map(|children| children())}
            <TextArea label=texts::DESCRIPTION field=fields.description rows=2 optional=true />
        </Card>
    }
}

#[component]
fn ConversationCard(fields: Fields) -> impl IntoView {
    view! {
        <Card title=texts::CONVERSATION>
            <TextArea
                label=texts::SYSTEM_PROMPT
                field=fields.system_prompt
                hint=texts::SYSTEM_PROMPT_HINT
                rows=5
                optional=true
            />
            <TextArea label=texts::WELCOME field=fields.welcome rows=2 optional=true />
            <TextArea label=texts::FALLBACK field=fields.fallback hint=texts::FALLBACK_HINT rows=2 optional=true />
            <TextArea label=texts::SUGGESTED field=fields.suggested hint=texts::SUGGESTED_HINT rows=4 optional=true />
        </Card>
    }
}

/// The fields that differ from a template's, by name, with their new values.
pub(super) fn changes(template: &Template, content: &TemplateContent) -> serde_json::Map<String, serde_json::Value> {
    let as_map = |content: &TemplateContent| match serde_json::to_value(content) {
        Ok(serde_json::Value::Object(map)) => map,
        _ => serde_json::Map::new(),
    };
    let before = as_map(&template.content);
    as_map(content).into_iter().filter(|(name, value)| before.get(name) != Some(value)).collect()
}
