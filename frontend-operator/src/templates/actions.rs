//! Actions on a template besides editing: withdraw it, offer it again, clone it into another language.

use app::{
    api,
    form::{Field, Form},
    i18n::{languages, texts as common},
    page_task::spawn_on_page,
    resource::Resource,
    session::Session,
    ui::{
        Button, ButtonKind, ButtonLink, ConfirmDialog, Dialog, DialogForm, DialogSize, IconName, Select, ToastKind,
        toast, toast_problem, toast_with_undo,
    },
};
use contract::{
    TemplateId,
    templates::{CloneTemplate, CloneTemplateInto, DeactivateTemplate, ReactivateTemplate, Template, TemplateStatus},
};
use leptos::{prelude::*, task::spawn_local};
use leptos_router::{NavigateOptions, hooks::use_navigate};

use crate::{
    paths,
    texts::{self as console, templates as texts},
};

/// The buttons of a template's page, with their dialogs.
#[component]
pub(super) fn TemplateActions(template: Template, resource: Resource<Template>) -> impl IntoView {
    let edit = view! {
        <ButtonLink href=paths::edit_template(&template.id) kind=ButtonKind::Primary icon=IconName::Edit>
            {common::EDIT.t()}
        </ButtonLink>
    };
    let more = Session::get().is_operator().then(|| view! { <OperatorActions template resource /> });
    view! {
        {more}
        {edit}
    }
}

#[component]
fn OperatorActions(template: Template, resource: Resource<Template>) -> impl IntoView {
    let (clone, deactivate) = (RwSignal::new(false), RwSignal::new(false));
    let is_active = template.status == TemplateStatus::Active;
    let (busy, failure) = (RwSignal::new(false), RwSignal::new(None));
    let (id, name) = (template.id.clone(), template.content.name.clone());
    let (title, text) = (texts::DEACTIVATE_TITLE.with(&[&name]), texts::DEACTIVATE_TEXT.with(&[&name]));
    let switch = move |()| {
        let id = id.clone();
        let switched = id.clone();
        let call = async move {
            match is_active {
                true => api::call::<DeactivateTemplate>(&switched, &(), &()).await,
                false => api::call::<ReactivateTemplate>(&switched, &(), &()).await,
            }
        };
        spawn_on_page(busy, call, move |result| match result {
            Ok(template) => {
                let message = if is_active { texts::DEACTIVATED } else { texts::REACTIVATED };
                let message = message.with(&[&template.content.name]);
                match is_active {
                    true => toast_with_undo(message, move || offer_again(id.clone(), resource)),
                    false => toast(ToastKind::Success, message),
                }
                deactivate.set(false);
                resource.set(template);
            }
            // A deactivation is confirmed in a dialog, so its error must appear there.
            Err(problem) if is_active => failure.set(Some(problem)),
            Err(problem) => toast_problem(&problem),
        });
    };
    let reactivate = switch.clone();
    let status = if is_active {
        view! { <Button on_click=move |()| deactivate.set(true)>{texts::DEACTIVATE.t()}</Button> }
    } else {
        view! { <Button busy=busy on_click=reactivate>{texts::REACTIVATE.t()}</Button> }
    };
    view! {
        <Button icon=IconName::Copy on_click=move |()| clone.set(true)>{texts::CLONE.t()}</Button>
        {status}
        <CloneDialog open=clone template />
        <ConfirmDialog
            open=deactivate
            title
            text
            confirm_label=texts::DEACTIVATE
            busy=busy
            failure
            on_confirm=switch
        />
    }
}

/// Undoes a deactivation and updates the template's page if it is still open. It may show another template by now.
fn offer_again(id: TemplateId, resource: Resource<Template>) {
    spawn_local(async move {
        match api::call::<ReactivateTemplate>(&id, &(), &()).await {
            Ok(template) => {
                toast(ToastKind::Success, texts::REACTIVATED.with(&[&template.content.name]));
                resource.reload();
            }
            Err(problem) => toast_problem(&problem),
        }
    });
}

#[component]
fn CloneDialog(open: RwSignal<bool>, template: Template) -> impl IntoView {
    view! {
        <Dialog open title=texts::CLONE size=DialogSize::Small>
            <CloneForm open template=template.clone() />
        </Dialog>
    }
}

#[component]
fn CloneForm(open: RwSignal<bool>, template: Template) -> impl IntoView {
    let others: Vec<_> = languages::options("").into_iter().filter(|(tag, _)| *tag != template.language).collect();
    let first = others.first().map(|(tag, _)| tag.clone()).unwrap_or_default();
    let language = Field::new("target_language", first);
    let form = Form::new([language]);
    let navigate = use_navigate();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let (id, navigate) = (template.id.clone(), navigate.clone());
        let body = CloneTemplate { target_language: language.trimmed() };
        let call = move |body| async move { api::call::<CloneTemplateInto>(&id, &(), &body).await };
        form.send(body, call, move |copy: Template| {
            open.set(false);
            toast(ToastKind::Success, texts::CLONED.with(&[copy.id.as_str()]));
            navigate(&paths::edit_template(&copy.id), NavigateOptions { resolve: false, ..NavigateOptions::default() });
        });
    };
    view! {
        <DialogForm open form submit_label=texts::CLONE_CONFIRM on_submit=submit>
            <p>{texts::CLONE_TEXT.t()}</p>
            <Select
                label=console::TEMPLATE_LANGUAGE
                value=Signal::derive(move || language.get())
                options=others
                on_change=move |tag: String| language.set(tag)
            />
        </DialogForm>
    }
}
