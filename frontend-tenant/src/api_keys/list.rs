//! The table of keys, and the question before one is revoked.

use app::{
    api, format,
    i18n::{Localized, Text, texts as common},
    page_task::spawn_on_page,
    ui::{
        Badge, Button, ButtonKind, Column, ConfirmDialog, EmptyState, Icon, IconName, Menu, MenuItem, Table, ToastKind,
        Tone, toast,
    },
};
use contract::api_keys::{ApiKey, KeyScope, RevokeApiKey};
use leptos::{either::Either, prelude::*};

use super::{Context, Opened};
use crate::texts::api_keys as texts;

/// Every key, those that still work first.
#[component]
pub(super) fn KeyTable(keys: Vec<ApiKey>, context: Context) -> impl IntoView {
    if keys.is_empty() {
        let create = context.may_write.then(|| {
            view! {
                <Button kind=ButtonKind::Primary on_click=move |()| context.show(Opened::Create)>
                    {texts::CREATE.t()}
                </Button>
            }
        });
        let text = if context.may_write { texts::EMPTY_TEXT } else { texts::EMPTY_TEXT_READ };
        return Either::Left(view! {
            <EmptyState icon=IconName::Code title=texts::EMPTY_TITLE text>{create}</EmptyState>
        });
    }
    let columns = vec![
        Column::new(common::NAME),
        Column::new(texts::SCOPES).wide_only(),
        Column::new(texts::CHATBOTS).wide_only(),
        Column::new(texts::LAST_USED).wide_only(),
        Column::new(common::STATUS),
        Column::new(common::ACTIONS).without_head(),
    ];
    let rows: Vec<_> = keys.into_iter().map(|key| row(key, context)).collect();
    Either::Right(view! { <Table caption=crate::texts::API_KEYS columns>{rows}</Table> })
}

fn row(key: ApiKey, context: Context) -> impl IntoView {
    let (state, tone) = state_of(&key);
    let scopes: Vec<_> =
        key.scopes.iter().map(|scope| scope.as_str()).map(|scope| view! { <Badge>{scope}</Badge> " " }).collect();
    let total = context.chatbots.with_value(Vec::len);
    let chatbots: Localized = match &key.chatbot_ids {
        None => texts::ALL.into(),
        Some(ids) => texts::SOME_CHATBOTS.with(&[&ids.len().to_string(), &total.to_string()]),
    };
    let used = match key.last_used_at {
        Some(at) => Either::Left(view! { <time datetime=format::machine(at)>{format::ago(at)}</time> }),
        None => Either::Right(view! { <span class="ui-muted">{texts::NEVER.t()}</span> }),
    };
    let menu = (context.may_write && key.revoked_at.is_none()).then(|| view! { <RowMenu key=key.clone() context /> });
    view! {
        <tr class="ui-table__row">
            <td class="ui-table__cell ui-table__cell--main">
                {key.name.clone()} <br /> <span class="ui-muted ui-small ui-mono">{key.prefix.clone()}"…"</span>
            </td>
            <td class="ui-table__cell ui-table__cell--wide-only">{scopes}</td>
            <td class="ui-table__cell ui-table__cell--wide-only">{chatbots}</td>
            <td class="ui-table__cell ui-table__cell--wide-only">{used}</td>
            <td class="ui-table__cell"><Badge tone dot=true>{state.t()}</Badge></td>
            <td class="ui-table__cell ui-table__cell--actions">{menu}</td>
        </tr>
    }
}

fn state_of(key: &ApiKey) -> (Text, Tone) {
    if key.revoked_at.is_some() {
        return (texts::REVOKED, Tone::Neutral);
    }
    match key.expires_at {
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of this era are exact")]
        Some(end) if end.timestamp_millis() as f64 <= js_sys::Date::now() => (texts::EXPIRED, Tone::Warning),
        _ => (texts::ACTIVE, Tone::Success),
    }
}

#[component]
fn RowMenu(key: ApiKey, context: Context) -> impl IntoView {
    let trigger = || view! { <Icon name=IconName::More /> };
    let (tried, edited, revoked) = (key.clone(), key.clone(), key.clone());
    view! {
        <Menu label=texts::ACTIONS_OF.with(&[&key.name]) end=true trigger=trigger.into()>
            <MenuItem icon=IconName::Code on_select=move |()| context.show(Opened::Try(tried.clone()))>
                {texts::TRY.t()}
            </MenuItem>
            <MenuItem icon=IconName::Edit on_select=move |()| context.show(Opened::Edit(edited.clone()))>
                {common::EDIT.t()}
            </MenuItem>
            <MenuItem icon=IconName::Close danger=true on_select=move |()| context.show(Opened::Revoke(revoked.clone()))>
                {texts::REVOKE.t()}
            </MenuItem>
        </Menu>
    }
}

/// Asks for confirmation and revokes a key.
#[component]
pub(super) fn RevokeDialog(key: ApiKey, context: Context) -> impl IntoView {
    let (busy, failure) = (RwSignal::new(false), RwSignal::new(None));
    let (id, name) = (key.id, key.name.clone());
    let confirm = move |()| {
        let name = name.clone();
        let call = async move { api::call::<RevokeApiKey>(&id, &(), &()).await };
        spawn_on_page(busy, call, move |result| match result {
            Ok(()) => {
                context.open.set(false);
                toast(ToastKind::Success, texts::REVOKED_DONE.with(&[&name]));
                context.on_change.run(());
            }
            Err(problem) => failure.set(Some(problem)),
        });
    };
    view! {
        <ConfirmDialog
            open=context.open
            title=texts::REVOKE_TITLE.with(&[&key.name])
            text=texts::REVOKE_TEXT
            confirm_label=texts::REVOKE
            busy
            failure
            on_confirm=confirm
        />
    }
}

/// What a scope permits.
pub(super) const fn scope_text(scope: KeyScope) -> Text {
    match scope {
        KeyScope::Ask => texts::SCOPE_ASK,
        KeyScope::KnowledgeRead => texts::SCOPE_KNOWLEDGE_READ,
        KeyScope::KnowledgeWrite => texts::SCOPE_KNOWLEDGE_WRITE,
        KeyScope::ConversationsRead => texts::SCOPE_CONVERSATIONS_READ,
        KeyScope::FeedbackRead => texts::SCOPE_FEEDBACK_READ,
        KeyScope::SettingsRead => texts::SCOPE_SETTINGS_READ,
    }
}
