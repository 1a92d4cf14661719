//! The dialog that creates or changes a key.

use app::{
    api,
    form::{Field, Form},
    i18n::texts as common,
    ui::{Checkbox, Dialog, DialogForm, TextArea, TextField, ToastKind, toast},
};
use contract::{
    ChatbotId, Patch, Timestamp,
    api_keys::{ApiKey, ApiKeyPatch, CreateApiKey, CreatedApiKey, KeyScope, NewApiKey, UpdateApiKey},
};
use leptos::prelude::*;

use super::{Context, list::scope_text};
use crate::texts::api_keys as texts;

/// Creates a key, or changes one.
#[component]
pub(super) fn KeyDialog(
    /// The key to change; `None` creates one.
    key: Option<ApiKey>,
    context: Context,
) -> impl IntoView {
    let title = match &key {
        Some(key) => texts::EDIT_TITLE.with(&[&key.name]),
        None => texts::CREATE_TITLE.into(),
    };
    view! { <Dialog open=context.open title><KeyForm key=key.clone() context /></Dialog> }
}

/// The values of the form.
#[derive(Clone, Copy)]
struct Fields {
    name: Field,
    scopes: RwSignal<Vec<KeyScope>>,
    is_for_all: RwSignal<bool>,
    chatbots: RwSignal<Vec<ChatbotId>>,
    end: Field,
    addresses: Field,
}

impl Fields {
    fn of(key: Option<&ApiKey>) -> Self {
        let chatbots = key.and_then(|key| key.chatbot_ids.clone());
        let end = key.and_then(|key| key.expires_at).map(|end| end.date_naive().to_string());
        let addresses = key.map(|key| key.allowed_addresses.join("\n"));
        Self {
            name: Field::new("name", key.map(|key| key.name.clone()).unwrap_or_default()),
            scopes: RwSignal::new(key.map_or_else(|| vec![KeyScope::Ask], |key| key.scopes.clone())),
            is_for_all: RwSignal::new(chatbots.is_none()),
            chatbots: RwSignal::new(chatbots.unwrap_or_default()),
            end: Field::new("expires_at", end.unwrap_or_default()),
            addresses: Field::new("allowed_addresses", addresses.unwrap_or_default()),
        }
    }

    fn read(self) -> NewApiKey {
        let lines = self.addresses.trimmed();
        NewApiKey {
            name: self.name.trimmed(),
            scopes: self.scopes.get_untracked(),
            chatbot_ids: (!self.is_for_all.get_untracked()).then(|| self.chatbots.get_untracked()),
            allowed_addresses: lines.split_whitespace().map(str::to_owned).collect(),
            expires_at: end_of_day(&self.end.trimmed()),
        }
    }
}

/// The last second of a day in UTC.
fn end_of_day(day: &str) -> Option<Timestamp> {
    format!("{day}T23:59:59Z").parse().ok()
}

#[component]
fn KeyForm(key: Option<ApiKey>, context: Context) -> impl IntoView {
    let fields = Fields::of(key.as_ref());
    let form = Form::new([fields.name, fields.end, fields.addresses]);
    let label = if key.is_some() { common::SAVE } else { texts::CREATE };
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let new = fields.read();
        match &key {
            None => form.send(
                new,
                async |new| api::call::<CreateApiKey>(&(), &(), &new).await,
                move |created: CreatedApiKey| {
                    context.open.set(false);
                    toast(ToastKind::Success, texts::CREATED_DONE.with(&[&created.key.name]));
                    context.created.set(Some(created));
                    context.on_change.run(());
                },
            ),
            Some(key) => {
                let id = key.id;
                form.send(
                    patch(key, new),
                    async move |patch| api::call::<UpdateApiKey>(&id, &(), &patch).await,
                    move |key: ApiKey| {
                        context.open.set(false);
                        toast(ToastKind::Success, texts::SAVED.with(&[&key.name]));
                        context.on_change.run(());
                    },
                );
            }
        }
    };
    view! {
        <DialogForm open=context.open form submit_label=label on_submit=submit>
            <TextField label=common::NAME field=fields.name hint=texts::NAME_HINT />
            <Scopes chosen=fields.scopes />
            <Chatbots fields context />
            <TextField label=texts::EXPIRES field=fields.end hint=texts::EXPIRES_HINT input_type="date" optional=true />
            <TextArea label=texts::ADDRESSES field=fields.addresses hint=texts::ADDRESSES_HINT rows=2 mono=true optional=true />
        </DialogForm>
    }
}

/// What differs from the stored key. An end that is still on the same day stays as it is.
fn patch(key: &ApiKey, new: NewApiKey) -> ApiKeyPatch {
    let nullable = |value: Option<_>| value.map_or(Patch::Null, Patch::Value);
    let same_day = key.expires_at.map(|end| end.date_naive()) == new.expires_at.map(|end| end.date_naive());
    ApiKeyPatch {
        name: Some(new.name),
        scopes: Some(new.scopes),
        chatbot_ids: new.chatbot_ids.map_or(Patch::Null, Patch::Value),
        allowed_addresses: Some(new.allowed_addresses),
        expires_at: if same_day { Patch::Absent } else { nullable(new.expires_at) },
    }
}

/// Adds a value to a list, or removes it.
fn switch<T: PartialEq + Send + Sync + 'static>(list: RwSignal<Vec<T>>, value: T, is_on: bool) {
    list.update(|values| {
        values.retain(|other| *other != value);
        if is_on {
            values.push(value);
        }
    });
}

#[component]
fn Scopes(chosen: RwSignal<Vec<KeyScope>>) -> impl IntoView {
    let boxes: Vec<_> = KeyScope::ALL
        .iter()
        .map(|scope| {
            let scope = *scope;
            let checked = Signal::derive(move || chosen.with(|scopes| scopes.contains(&scope)));
            view! {
                <li>
                    <Checkbox
                        label=scope_text(scope)
                        checked
                        on_change=move |is_on: bool| switch(chosen, scope, is_on)
                    />
                </li>
            }
        })
        .collect();
    view! {
        <fieldset class="ui-choices">
            <legend>{texts::SCOPES.t()}</legend>
            <ul>{boxes}</ul>
        </fieldset>
    }
}

#[component]
fn Chatbots(fields: Fields, context: Context) -> impl IntoView {
    let chosen = fields.chatbots;
    let boxes = move || {
        let chatbots = context.chatbots.get_value();
        let row = |chatbot: contract::chatbots::Chatbot| {
            let id = chatbot.id;
            let checked = Signal::derive(move || chosen.with(|ids| ids.contains(&id)));
            view! {
                <li>
                    <Checkbox label=chatbot.name checked on_change=move |is_on: bool| switch(chosen, id, is_on) />
                </li>
            }
        };
        (!fields.is_for_all.get()).then(|| view! { <ul>{chatbots.into_iter().map(row).collect_view()}</ul> })
    };
    view! {
        <fieldset class="ui-choices">
            <legend>{texts::CHATBOTS.t()}</legend>
            <Checkbox
                label=texts::ALL_CHATBOTS
                checked=fields.is_for_all
                on_change=move |is_on: bool| fields.is_for_all.set(is_on)
            />
            {boxes}
        </fieldset>
    }
}
