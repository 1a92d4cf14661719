//! First step: the choice of a template, with a preview of its contents.

use app::{
    i18n::{Localized, languages, texts as shared},
    resource::{Loaded, Resource},
    ui::{Badge, Button, ButtonKind, Card, Choice, DefinitionItem, DefinitionList, Prose, RadioCards, SkeletonCards},
};
use contract::{
    Page,
    templates::{FaqEntry, Template, TemplateListQuery, TemplateStatus},
};
use leptos::prelude::*;

use super::draft::Draft;
use crate::texts::create as texts;

/// Offers the active templates and "no template".
#[component]
pub(super) fn TemplateStep(
    draft: Draft,
    /// The templates to choose from.
    templates: Resource<Page<Template>>,
    /// Called to go to the next step.
    on_next: Callback<()>,
) -> impl IntoView {
    view! {
        <Loaded resource=templates skeleton=|| view! { <SkeletonCards count=3 /> } let:page>
            <div class="ui-stack">
                <div class="ui-grid ui-grid--main-side">
                    <Choices draft templates=page.items />
                    <TemplatePreview template=draft.template />
                </div>
                <div class="ui-form__actions">
                    <Button kind=ButtonKind::Primary on_click=on_next>{shared::NEXT.t()}</Button>
                </div>
            </div>
        </Loaded>
    }
}

/// The query of the templates: active ones only.
pub(crate) fn active_templates() -> TemplateListQuery {
    let mut query = TemplateListQuery { status: Some(TemplateStatus::Active), ..TemplateListQuery::default() };
    query.page.limit = contract::page::MAX_LIMIT;
    query.page.sort = Some("name".to_owned());
    query
}

#[component]
fn Choices(draft: Draft, templates: Vec<Template>) -> impl IntoView {
    draft.prefer(&templates);
    let mut choices: Vec<Choice> = templates
        .iter()
        .map(|template| Choice {
            value: template.id.to_string(),
            title: title(template),
            text: template.content.description.as_str().into(),
        })
        .collect();
    let none = texts::NO_TEMPLATE_TEXT.into();
    choices.push(Choice { value: String::new(), title: texts::NO_TEMPLATE.into(), text: none });
    let value = Signal::derive(move || {
        draft.template.with(|template| template.as_ref().map(|template| template.id.to_string()).unwrap_or_default())
    });
    let choose = Callback::new(move |id: String| {
        draft.choose(templates.iter().find(|template| template.id.to_string() == id).cloned());
    });
    view! { <RadioCards legend=texts::CHOOSE choices value on_change=choose /> }
}

/// A template's name and language.
fn title(template: &Template) -> Localized {
    let (name, language) = (template.content.name.clone(), languages::name(&template.language));
    Localized::new(move || format!("{name} ({})", language.get()))
}

#[component]
fn TemplatePreview(template: RwSignal<Option<Template>>) -> impl IntoView {
    move || match template.get() {
        None => view! {
            <Card title=texts::PREVIEW>
                <p class="ui-muted">{texts::NO_TEMPLATE_PREVIEW.t()}</p>
            </Card>
        }
        .into_any(),
        Some(template) => view! { <TemplateCard template /> }.into_any(),
    }
}

#[component]
fn TemplateCard(template: Template) -> impl IntoView {
    let content = template.content;
    let chips = content
        .suggested_questions
        .into_iter()
        .map(|question| view! { <span class="ui-chip">{question}</span> })
        .collect_view();
    let prepared = content
        .faq_seed
        .into_iter()
        .map(|FaqEntry { question, answer }| {
            view! {
                <li>
                    <span class="ui-strong ui-break">{question}</span>
                    <Prose text=answer />
                </li>
            }
        })
        .collect_view();
    let has_none = prepared.is_empty();
    view! {
        <Card title=content.name>
            <div class="ui-row">
                <Badge>{languages::name(&template.language)}</Badge>
                <Badge>{texts::TEMPLATE_VERSION.with(&[&template.version.to_string()])}</Badge>
            </div>
            <DefinitionList stacked=true>
                <DefinitionItem term=texts::WELCOME>{content.welcome_message}</DefinitionItem>
                <DefinitionItem term=texts::QUESTIONS><span class="ui-chips">{chips}</span></DefinitionItem>
                <DefinitionItem term=texts::FALLBACK>{content.fallback_message}</DefinitionItem>
                <DefinitionItem term=texts::PREPARED_TERM>
                    {if has_none {
                        view! { <span class="ui-muted">{texts::PREPARED_NONE.t()}</span> }.into_any()
                    } else {
                        view! {
                            <ul class="ui-list">{prepared}</ul>
                            <p class="ui-muted ui-small">{texts::PREPARED_NOTE.t()}</p>
                        }
                        .into_any()
                    }}
                </DefinitionItem>
            </DefinitionList>
        </Card>
    }
}
