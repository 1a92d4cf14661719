//! The form of a new template.

use app::{
    api,
    form::{Field, Form, FormError},
    i18n::{languages, texts as common},
    problem::Problem,
    ui::{
        Button, ButtonKind, ButtonLink, Card, ColorField, Crumb, PageHeader, Select, TextArea, TextField, ToastKind,
        toast,
    },
};
use contract::{
    TemplateId,
    branding::BrandingFields,
    templates::{CreateTemplate, NewTemplate, Template, TemplateContent},
    validate::suggest_slug,
};
use leptos::prelude::*;
use leptos_router::{NavigateOptions, hooks::use_navigate};

use super::faq_editor::{Faq, FaqEditor};
use crate::{paths, texts};

/// The fields of the form.
#[derive(Debug, Clone, Copy)]
struct Fields {
    id: Field,
    language: Field,
    name: Field,
    description: Field,
    system_prompt: Field,
    welcome: Field,
    fallback: Field,
    suggested: Field,
    header_title: Field,
    primary_color: Field,
    accent_color: Field,
    faq: Faq,
}

impl Fields {
    fn new() -> Self {
        let empty = |name| Field::new(name, "");
        Self {
            id: empty("id"),
            language: Field::new("language", app::i18n::current().code()),
            name: empty("name"),
            description: empty("description"),
            system_prompt: empty("suggested_system_prompt"),
            welcome: empty("welcome_message"),
            fallback: empty("fallback_message"),
            suggested: empty("suggested_questions"),
            header_title: empty("header_title"),
            primary_color: empty("primary_color"),
            accent_color: empty("accent_color"),
            faq: Faq::new(),
        }
    }

    fn form(self) -> Form {
        Form::new([
            self.id,
            self.language,
            self.name,
            self.description,
            self.system_prompt,
            self.welcome,
            self.fallback,
            self.suggested,
            self.header_title,
            self.primary_color,
            self.accent_color,
            self.faq.field,
        ])
    }

    fn content(self) -> TemplateContent {
        let lines = self.suggested.trimmed();
        TemplateContent {
            name: self.name.trimmed(),
            description: self.description.trimmed(),
            suggested_system_prompt: self.system_prompt.trimmed(),
            welcome_message: self.welcome.trimmed(),
            suggested_questions: lines.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect(),
            fallback_message: self.fallback.trimmed(),
            faq_seed: self.faq.entries(),
            branding_defaults: BrandingFields {
                header_title: self.header_title.non_empty(),
                primary_color: self.primary_color.non_empty(),
                accent_color: self.accent_color.non_empty(),
                ..BrandingFields::default()
            },
        }
    }
}

/// The form of a new template.
#[component]
pub(crate) fn NewTemplatePage() -> impl IntoView {
    let fields = Fields::new();
    let form = fields.form();
    let navigate = use_navigate();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let id = match fields.id.trimmed().parse::<TemplateId>() {
            Ok(id) => id,
            Err(error) => return fields.id.set_error(error.to_string()),
        };
        let navigate = navigate.clone();
        let body = NewTemplate { id, language: fields.language.trimmed(), content: fields.content() };
        form.send(body, create, move |template: Template| {
            toast(ToastKind::Success, texts::TEMPLATE_CREATED.with(&[&template.content.name]));
            let options = NavigateOptions { resolve: false, ..NavigateOptions::default() };
            navigate(&paths::template(&template.id), options);
        });
    };
    let crumbs = vec![Crumb::link(texts::TEMPLATES, paths::TEMPLATES), Crumb::here(texts::NEW_TEMPLATE)];
    view! {
        <PageHeader title=texts::NEW_TEMPLATE subtitle=texts::NEW_TEMPLATE_SUBTITLE crumbs />
        <form class="ui-form" novalidate on:submit=submit>
            <GeneralCard fields />
            <ConversationCard fields />
            <FaqEditor faq=fields.faq />
            <Card title=texts::BRANDING>
                <div class="ui-form__row">
                    <TextField label=texts::HEADER_TITLE field=fields.header_title optional=true />
                    <ColorField label=texts::PRIMARY_COLOR field=fields.primary_color />
                    <ColorField label=texts::ACCENT_COLOR field=fields.accent_color />
                </div>
            </Card>
            <FormError form />
            <div class="ui-form__actions">
                <ButtonLink href=paths::TEMPLATES>{common::CANCEL.t()}</ButtonLink>
                <Button kind=ButtonKind::Primary submit=true busy=form.busy()>{texts::CREATE_TEMPLATE.t()}</Button>
            </div>
        </form>
    }
}

async fn create(body: NewTemplate) -> Result<Template, Problem> {
    api::call::<CreateTemplate>(&(), &(), &body).await
}

#[component]
fn GeneralCard(fields: Fields) -> impl IntoView {
    // The id follows name and language until the user writes one.
    let follows = StoredValue::new(true);
    let suggest = move || {
        if follows.get_value() {
            let name = suggest_slug(&fields.name.trimmed());
            let id = if name.is_empty() { name } else { format!("{name}-{}", fields.language.trimmed()) };
            fields.id.set(id);
        }
    };
    let choose = move |tag: String| {
        fields.language.set(tag);
        suggest();
    };
    view! {
        <Card title=texts::GENERAL>
            <div class="ui-stack">
                <div class="ui-form__row">
                    <TextField label=common::NAME field=fields.name on_input=move |_| suggest() />
                    <Select
                        label=texts::TEMPLATE_LANGUAGE
                        value=Signal::derive(move || fields.language.get())
                        options=languages::options("")
                        on_change=choose
                    />
                </div>
                <TextField
                    label=texts::TEMPLATE_ID
                    field=fields.id
                    hint=texts::TEMPLATE_ID_HINT
                    mono=true
                    on_input=move |text: String| follows.set_value(text.is_empty())
                />
                <TextArea label=texts::DESCRIPTION field=fields.description rows=2 optional=true />
            </div>
        </Card>
    }
}

#[component]
fn ConversationCard(fields: Fields) -> impl IntoView {
    view! {
        <Card title=texts::CONVERSATION>
            <div class="ui-stack">
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
            </div>
        </Card>
    }
}
