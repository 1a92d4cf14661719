//! The new chatbot in the wizard: the chosen template, the fields of the settings step, and the request with the
//! differences from the template.

use app::form::Field;
use contract::{
    chatbots::NewChatbot,
    templates::{Template, TemplateContent},
    validate::suggest_slug,
};
use leptos::prelude::*;

use crate::{chatbot_fields::lines, texts::create as texts};

/// The wizard's values; they survive going back and forth between the steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draft {
    /// The chosen template; `None` is "no template".
    pub(super) template: RwSignal<Option<Template>>,
    /// Whether a template, or none, has been chosen.
    is_chosen: StoredValue<bool>,
    /// The template that last filled the fields.
    filled_from: StoredValue<Option<Option<Template>>>,
    /// The request as it was when the fields were filled.
    filled: StoredValue<Option<NewChatbot>>,
    /// The language before the user chose one.
    filled_language: StoredValue<String>,
    /// Whether the user edited the slug.
    own_slug: StoredValue<bool>,
    pub(super) name: Field,
    pub(super) slug: Field,
    pub(super) language: RwSignal<String>,
    pub(super) description: Field,
    pub(super) system_prompt: Field,
    pub(super) welcome_message: Field,
    pub(super) suggested_questions: Field,
    pub(super) fallback_message: Field,
}

impl Draft {
    /// An empty draft with answers in `language` until a template has another one.
    pub(super) fn new(language: String) -> Self {
        Self {
            template: RwSignal::new(None),
            is_chosen: StoredValue::new(false),
            filled_from: StoredValue::new(None),
            filled: StoredValue::new(None),
            filled_language: StoredValue::new(language.clone()),
            own_slug: StoredValue::new(false),
            name: Field::new("name", ""),
            slug: Field::new("slug", ""),
            language: RwSignal::new(language),
            description: Field::new("description", ""),
            system_prompt: Field::new("system_prompt", ""),
            welcome_message: Field::new("welcome_message", ""),
            suggested_questions: Field::new("suggested_questions", ""),
            fallback_message: Field::new("fallback_message", ""),
        }
    }

    /// Chooses the first template in the console's language, unless the user has chosen already.
    pub(super) fn prefer(self, templates: &[Template]) {
        if !self.is_chosen.get_value() {
            let language = untrack(app::i18n::current).code();
            let preferred = templates.iter().find(|template| template.language == language).or(templates.first());
            self.choose(preferred.cloned());
        }
    }

    /// Chooses a template, or none.
    pub(super) fn choose(self, template: Option<Template>) {
        self.is_chosen.set_value(true);
        self.template.set(template);
    }

    /// Copies the chosen template's texts into the fields, once per choice. Keeps what the user has edited since, even
    /// when another template is chosen.
    pub(super) fn fill(self) {
        let template = self.template.get_untracked();
        let before = self.filled_from.get_value();
        if before.as_ref() == Some(&template) {
            return;
        }
        let old = before.map(|before| content_of(before.as_ref()));
        let new = content_of(template.as_ref());
        let is_own_language = self.language.get_untracked() != self.filled_language.get_value();
        // A name and a slug of the user's own stay without being compared with a template.
        let mut is_changed = is_own_language
            || self.filled.with_value(|filled| {
                let is_own = |field: Field, filled: &str| field.non_empty().is_some_and(|own| own != filled);
                filled.as_ref().is_some_and(|filled| is_own(self.name, &filled.name) || is_own(self.slug, &filled.slug))
            });
        let mut take = |field: Field, text: fn(&TemplateContent) -> String| match old
            .as_ref()
            .is_none_or(|old| untrack(|| field.get()) == text(old))
        {
            true => field.set(text(&new)),
            false => is_changed = true,
        };
        take(self.description, |of| of.description.clone());
        take(self.system_prompt, |of| of.suggested_system_prompt.clone());
        take(self.welcome_message, |of| of.welcome_message.clone());
        take(self.suggested_questions, |of| of.suggested_questions.join("\n"));
        take(self.fallback_message, |of| of.fallback_message.clone());
        if let Some(template) = &template {
            let is_old = old.is_some_and(|old| old.name == self.name.trimmed());
            if self.name.trimmed().is_empty() || is_old {
                self.name.set(template.content.name.clone());
                self.name_typed();
            }
            if !is_own_language {
                self.language.set(template.language.clone());
                self.filled_language.set_value(template.language.clone());
            }
        }
        self.filled_from.set_value(Some(template));
        // The fields count as unsaved as before.
        if !is_changed {
            self.filled.set_value(Some(self.request()));
        }
    }

    /// Whether the user edited something, untracked.
    pub(super) fn is_changed(self) -> bool {
        self.filled.with_value(|filled| filled.as_ref().is_some_and(|filled| *filled != self.request()))
    }

    /// The name has changed: the slug follows it until the user writes one.
    pub(super) fn name_typed(self) {
        if !self.own_slug.get_value() {
            self.slug.set(suggest_slug(&self.name.trimmed()));
        }
    }

    /// The user wrote the slug; an emptied one is suggested again.
    pub(super) fn slug_typed(self) {
        self.own_slug.set_value(!self.slug.trimmed().is_empty());
    }

    /// The fields with texts, for marking errors.
    pub(super) fn fields(self) -> [Field; 7] {
        [
            self.name,
            self.slug,
            self.description,
            self.system_prompt,
            self.welcome_message,
            self.suggested_questions,
            self.fallback_message,
        ]
    }

    /// The request, without values that equal the template's.
    pub(super) fn request(self) -> NewChatbot {
        let template = self.template.get_untracked();
        let content = template.as_ref().map(|template| template.content.clone()).unwrap_or_default();
        let TemplateContent { description, suggested_system_prompt, welcome_message, fallback_message, .. } = content;
        let own = |field: Field, stored: &str| Some(untrack(|| field.get())).filter(|text| text != stored);
        let questions = lines(&self.suggested_questions.trimmed());
        NewChatbot {
            slug: self.slug.trimmed(),
            name: self.name.trimmed(),
            template_id: template.map(|template| template.id),
            description: own(self.description, &description),
            language: Some(self.language.get_untracked()),
            system_prompt: own(self.system_prompt, &suggested_system_prompt),
            welcome_message: own(self.welcome_message, &welcome_message),
            suggested_questions: Some(questions).filter(|questions| *questions != content.suggested_questions),
            fallback_message: own(self.fallback_message, &fallback_message),
            cross_language: None,
        }
    }
}

/// The texts of a template, or empty ones without a template.
fn content_of(template: Option<&Template>) -> TemplateContent {
    template.map_or_else(without_template, |template| template.content.clone())
}

/// The texts that a chatbot without a template begins with: it should not stay silent.
fn without_template() -> TemplateContent {
    TemplateContent {
        welcome_message: texts::DEFAULT_WELCOME.get().to_owned(),
        fallback_message: texts::DEFAULT_FALLBACK.get().to_owned(),
        ..TemplateContent::default()
    }
}
