//! The dialog that registers or changes a module.

use app::{
    api,
    form::{Edits, Field, Form},
    i18n::{Text, texts as common},
    problem::Problem,
    ui::{Checkbox, Dialog, DialogForm, TextArea, TextField, ToastKind, toast},
};
use contract::{
    ModuleId,
    modules::{CreateModule, GetModule, Module, ModulePatch, NewModule, UpdateModule},
};
use leptos::prelude::*;

use crate::texts;

/// Registers a module, or changes `module`.
#[component]
pub(super) fn ModuleDialog(
    open: RwSignal<bool>,
    /// The module to change; `None` registers one.
    #[prop(optional_no_strip)]
    module: Option<Module>,
    /// Called when the registry changed.
    #[prop(into)]
    on_done: Callback<()>,
) -> impl IntoView {
    let title = if module.is_some() { texts::EDIT_MODULE } else { texts::NEW_MODULE };
    view! {
        <Dialog open title=title>
            <ModuleForm open module=module.clone() on_done />
        </Dialog>
    }
}

#[derive(Clone, Copy)]
struct Fields {
    id: Field,
    name: Field,
    description: Field,
    category: Field,
    position: Field,
    is_always_on: RwSignal<bool>,
    internal_only: RwSignal<bool>,
    self_service: RwSignal<bool>,
}

impl Fields {
    fn new(module: Option<&Module>) -> Self {
        let fields = Self {
            id: Field::new("id", module.map(|module| module.id.to_string()).unwrap_or_default()),
            name: Field::new("name", ""),
            description: Field::new("description", ""),
            category: Field::new("category", ""),
            position: Field::new("position", "100"),
            is_always_on: RwSignal::new(false),
            internal_only: RwSignal::new(false),
            self_service: RwSignal::new(true),
        };
        module.inspect(|module| fields.reset(module));
        fields
    }

    /// The module in the form; marks errors that only the form can detect.
    fn read(self) -> Option<NewModule> {
        let id = self.id.trimmed().parse::<ModuleId>().map_err(|_| self.id.set_error(texts::ID_RULE));
        let position = self.position.trimmed().parse::<i32>().map_err(|_| self.position.set_error(texts::NOT_A_NUMBER));
        Some(NewModule {
            id: id.ok()?,
            position: position.ok()?,
            name: self.name.trimmed(),
            description: self.description.trimmed(),
            category: self.category.trimmed(),
            is_always_on: self.is_always_on.get_untracked(),
            internal_only: self.internal_only.get_untracked(),
            self_service: self.self_service.get_untracked(),
        })
    }
}

impl Edits<Module> for Fields {
    type Patch = ModulePatch;

    fn patch(&self, stored: &Module) -> ModulePatch {
        let text = |field: Field, old: &str| Some(field.trimmed()).filter(|text| text != old);
        let flag = |value: RwSignal<bool>, old: bool| Some(value.get_untracked()).filter(|value| *value != old);
        ModulePatch {
            name: text(self.name, &stored.name),
            description: text(self.description, &stored.description),
            category: text(self.category, &stored.category),
            is_always_on: flag(self.is_always_on, stored.is_always_on),
            internal_only: flag(self.internal_only, stored.internal_only),
            self_service: flag(self.self_service, stored.self_service),
            position: self.position.trimmed().parse().ok().filter(|position| *position != stored.position),
        }
    }

    fn reset(&self, stored: &Module) {
        self.name.set(stored.name.clone());
        self.description.set(stored.description.clone());
        self.category.set(stored.category.clone());
        self.position.set(stored.position.to_string());
        self.is_always_on.set(stored.is_always_on);
        self.internal_only.set(stored.internal_only);
        self.self_service.set(stored.self_service);
    }
}

#[component]
fn ModuleForm(open: RwSignal<bool>, module: Option<Module>, on_done: Callback<()>) -> impl IntoView {
    let is_new = module.is_none();
    let is_known = !is_new;
    let fields = Fields::new(module.as_ref());
    let stored = module.map(RwSignal::new);
    let Fields { id, name, description, category, position, .. } = fields;
    let form = Form::new([id, name, description, category, position]);
    let submit_label = if is_new { texts::CREATE_MODULE } else { common::SAVE };
    let done = move |module: Module, message: Text| {
        toast(ToastKind::Success, message.with(&[&module.name]));
        open.set(false);
        on_done.run(());
    };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(body) = fields.read() else { return app::form::focus_invalid() };
        match stored {
            None => form.send(body, create, move |module| done(module, texts::MODULE_CREATED)),
            Some(stored) => {
                let saved = move |module| done(module, texts::MODULE_SAVED);
                form.save::<GetModule, UpdateModule, _>(body.id, stored, fields, saved);
            }
        }
    };
    view! {
        <DialogForm open form submit_label on_submit=submit>
            <TextField label=texts::TEMPLATE_ID field=id hint=texts::MODULE_ID_HINT mono=true disabled=is_known />
            <TextField label=common::NAME field=name />
            <TextArea label=texts::DESCRIPTION field=description rows=2 optional=true />
            <div class="ui-form__row">
                <TextField label=texts::CATEGORY field=category />
                <TextField label=texts::POSITION field=position hint=texts::POSITION_HINT />
            </div>
            <Flag label=texts::ALWAYS_ON_LABEL value=fields.is_always_on />
            <Flag label=texts::INTERNAL_LABEL value=fields.internal_only />
            <Flag label=texts::SELF_SERVICE_LABEL value=fields.self_service />
        </DialogForm>
    }
}

#[component]
fn Flag(label: Text, value: RwSignal<bool>) -> impl IntoView {
    view! { <Checkbox label=label checked=value on_change=move |checked| value.set(checked) /> }
}

async fn create(body: NewModule) -> Result<Module, Problem> {
    api::call::<CreateModule>(&(), &(), &body).await
}
