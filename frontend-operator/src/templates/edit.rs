//! The form for a template's next version.

use app::{
    api,
    form::{Edits, Form},
    problem::Problem,
    resource::{Loaded, Resource},
    ui::{Crumb, PageHeader, SaveBar, SkeletonCards, ToastKind, toast},
};
use contract::{
    ErrorCode, TemplateId,
    templates::{GetTemplate, Template, TemplatePatch, UpdateTemplate},
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use super::form::{Cards, Fields, GeneralCard, changes};
use crate::{
    paths,
    texts::{self as console, templates as texts},
};

/// The form of the template in the URL.
#[component]
pub(crate) fn EditTemplatePage() -> impl IntoView {
    let params = use_params_map();
    let id = move || params.with(|params| params.get_str("id").and_then(|id| id.parse::<TemplateId>().ok()));
    let template = Resource::new(move || {
        let id = id();
        async move {
            let id = id.ok_or_else(|| Problem::from(ErrorCode::TemplateNotFound))?;
            api::call::<GetTemplate>(&id, &(), &()).await
        }
    });
    view! {
        <Loaded resource=template skeleton=|| view! { <SkeletonCards count=4 /> } let:template>
            <Content template />
        </Loaded>
    }
}

#[component]
fn Content(template: Template) -> impl IntoView {
    let name = template.content.name.clone();
    let crumbs = vec![
        Crumb::link(console::TEMPLATES, paths::TEMPLATES),
        Crumb::link(name.clone(), paths::template(&template.id)),
        Crumb::here(texts::EDIT),
    ];
    let fields = Fields::new(&template.content);
    let form = fields.form(&[]);
    let stored = RwSignal::new(template);
    let changed = Memo::new(move |_| stored.with(|stored| changes(stored, &fields.content()).len()));
    let discard = move |()| stored.with_untracked(|stored| fields.reset(&stored.content));
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        save(fields, form, stored);
    };
    view! {
        <PageHeader title=console::EDIT_NAMED.with(&[&name]) subtitle=texts::EDIT_SUBTITLE crumbs />
        <form class="ui-form" novalidate on:submit=submit>
            <Cards fields><GeneralCard fields /></Cards>
            <SaveBar form changes=changed save_label=texts::SAVE on_discard=discard />
        </form>
    }
}

impl Edits<Template> for Fields {
    type Patch = TemplatePatch;

    fn patch(&self, stored: &Template) -> TemplatePatch {
        // The field names are those of the patch.
        serde_json::from_value(changes(stored, &self.content()).into()).unwrap_or_default()
    }

    fn reset(&self, stored: &Template) {
        Self::reset(*self, &stored.content);
    }
}

fn save(fields: Fields, form: Form, stored: RwSignal<Template>) {
    if !form.accept(&fields.branding_errors()) {
        return;
    }
    let id = stored.with_untracked(|stored| stored.id.clone());
    form.save::<GetTemplate, UpdateTemplate, _>(id, stored, fields, move |saved| {
        toast(ToastKind::Success, texts::SAVED.with(&[&saved.content.name, &saved.version.to_string()]));
        stored.set(saved);
    });
}
