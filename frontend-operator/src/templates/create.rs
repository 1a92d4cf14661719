//! The form of a new template.

use app::{
    api,
    form::{Field, FormError, focus_invalid},
    i18n::{languages, texts as common},
    problem::Problem,
    ui::{Button, ButtonKind, ButtonLink, Crumb, PageHeader, Select, TextField, ToastKind, UnsavedGuard, toast},
};
use contract::{
    TemplateId,
    templates::{CreateTemplate, NewTemplate, Template, TemplateContent},
    validate::{Checker, suggest_slug},
};
use leptos::prelude::*;
use leptos_router::{NavigateOptions, hooks::use_navigate};

use super::form::{Cards, Fields, GeneralCard};
use crate::{paths, texts};

/// The form of a new template.
#[component]
pub(crate) fn NewTemplatePage() -> impl IntoView {
    let empty = TemplateContent::default();
    let language = untrack(app::i18n::current).code();
    let (fields, id, language) = (Fields::new(&empty), Field::new("id", ""), Field::new("language", language));
    let form = fields.form(&[id, language]);
    let is_done = RwSignal::new(false);
    let dirty = Memo::new(move |_| !is_done.get() && fields.content() != empty);
    let navigate = use_navigate();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let mut broken = fields.branding_errors();
        let Ok(parsed) = id.trimmed().parse::<TemplateId>() else {
            let mut check = Checker::body();
            untrack(|| fields.content()).check(&mut check);
            broken.extend(check.finish());
            form.accept(&broken);
            id.set_error(texts::ID_RULE);
            return focus_invalid();
        };
        if !form.accept(&broken) {
            return;
        }
        let navigate = navigate.clone();
        let body = NewTemplate { id: parsed, language: language.trimmed(), content: untrack(|| fields.content()) };
        form.send(body, create, move |template: Template| {
            is_done.set(true);
            toast(ToastKind::Success, texts::TEMPLATE_CREATED.with(&[&template.content.name]));
            let options = NavigateOptions { resolve: false, ..NavigateOptions::default() };
            navigate(&paths::template(&template.id), options);
        });
    };
    let crumbs = vec![Crumb::link(texts::TEMPLATES, paths::TEMPLATES), Crumb::here(texts::NEW_TEMPLATE)];
    view! {
        <PageHeader title=texts::NEW_TEMPLATE subtitle=texts::NEW_TEMPLATE_SUBTITLE crumbs />
        <form class="ui-form" novalidate on:submit=submit>
            <Cards fields><General fields id language /></Cards>
            <FormError form />
            <div class="ui-form__actions">
                <ButtonLink href=paths::TEMPLATES>{common::CANCEL.t()}</ButtonLink>
                <Button kind=ButtonKind::Primary submit=true busy=form.busy()>{texts::CREATE_TEMPLATE.t()}</Button>
            </div>
        </form>
        <UnsavedGuard dirty />
    }
}

async fn create(body: NewTemplate) -> Result<Template, Problem> {
    api::call::<CreateTemplate>(&(), &(), &body).await
}

#[component]
fn General(fields: Fields, id: Field, language: Field) -> impl IntoView {
    // The id follows name and language until the user writes one.
    let follows = StoredValue::new(true);
    let suggest = move || {
        if follows.get_value() {
            let name = suggest_slug(&fields.name.trimmed());
            id.set(if name.is_empty() { name } else { format!("{name}-{}", language.trimmed()) });
        }
    };
    let choose = move |tag: String| {
        language.set(tag);
        suggest();
    };
    view! {
        <GeneralCard fields on_name=move |_| suggest()>
            <div class="ui-form__row">
                <Select
                    label=texts::TEMPLATE_LANGUAGE
                    value=Signal::derive(move || language.get())
                    options=languages::options("")
                    on_change=choose
                />
                <TextField
                    label=texts::TEMPLATE_ID
                    field=id
                    hint=texts::TEMPLATE_ID_HINT
                    mono=true
                    on_input=move |text: String| follows.set_value(text.is_empty())
                />
            </div>
        </GeneralCard>
    }
}
