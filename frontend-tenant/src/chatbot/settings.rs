//! The settings of a chatbot: every editable field, copying, deactivation and deletion.

mod answers;
mod form;
mod search;

use app::{
    form::{Edits, Form},
    ui::{Card, SaveBar, TextArea, TextField, ToastKind, toast},
};
use contract::chatbots::{Chatbot, ChatbotStatus, GetChatbot, UpdateChatbot};
use leptos::prelude::*;

pub(in crate::chatbot) use self::answers::with_models;
use self::{answers::AnswersCard, form::SettingsForm, search::SearchCard};
use super::{danger_zone::DangerZone, frame::Frame, parts::Part};
use crate::{
    chatbot_fields::{LanguageField, SystemPromptField},
    provisioning::ProvisioningPoller,
    read_only::{ReadOnlyBanner, is_read_only},
    texts::{create as fields, settings as texts},
};

/// The settings of the chatbot in the URL.
#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    view! { <Frame part=Part::Settings content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let chatbot = poller.chatbot();
    let is_active = Memo::new(move |_| chatbot.with(|chatbot| chatbot.status == ChatbotStatus::Active));
    view! {
        <ReadOnlyBanner />
        <Editor poller />
        {move || is_active.get().then(|| view! { <AnswersCard poller read_only=is_read_only() /> })}
        {move || is_active.get().then(|| view! { <SearchCard poller read_only=is_read_only() /> })}
        <DangerZone poller />
    }
    .into_any()
}

#[component]
fn Editor(poller: ProvisioningPoller) -> impl IntoView {
    let chatbot = poller.chatbot();
    let values = chatbot.with_untracked(SettingsForm::new);
    let stored = RwSignal::new(chatbot.get_untracked());
    let form = Form::new(values.fields());
    let read_only = is_read_only();
    let changes = Memo::new(move |_| stored.with(|stored| values.changes(stored)));
    let discard = move |()| stored.with_untracked(|stored| values.reset(stored));
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        save(poller, values, form, stored);
    };
    view! {
        <form class="ui-form" novalidate on:submit=submit>
            <div class="ui-grid ui-grid--two">
                <IdentityCard values slug=chatbot.with_untracked(|chatbot| chatbot.slug.clone()) read_only />
                <MessagesCard values read_only />
            </div>
            <SmallTalkCard values read_only />
            {(!read_only).then(|| view! { <SaveBar form changes save_label=texts::SAVE on_discard=discard /> })}
        </form>
    }
}

#[component]
fn IdentityCard(values: SettingsForm, slug: String, read_only: bool) -> impl IntoView {
    view! {
        <Card title=fields::IDENTITY>
            <TextField label=fields::NAME hint=fields::NAME_HINT field=values.name disabled=read_only />
            <p class="ui-muted ui-small">{texts::SLUG_FIXED.with(&[&slug])}</p>
            <LanguageField value=values.language disabled=read_only />
            <TextArea
                label=fields::DESCRIPTION
                hint=fields::DESCRIPTION_HINT
                field=values.description
                optional=true
                rows=3
                disabled=read_only
            />
            <SystemPromptField field=values.system_prompt rows=8 disabled=read_only />
        </Card>
    }
}

#[component]
fn MessagesCard(values: SettingsForm, read_only: bool) -> impl IntoView {
    view! {
        <Card title=fields::WORDS>
            <TextArea
                label=fields::WELCOME
                hint=fields::WELCOME_HINT
                field=values.welcome_message
                optional=true
                rows=4
                disabled=read_only
            />
            <TextArea
                label=fields::QUESTIONS
                hint=fields::QUESTIONS_HINT
                field=values.suggested_questions
                optional=true
                rows=8
                disabled=read_only
            />
            <TextArea
                label=fields::FALLBACK
                hint=fields::FALLBACK_HINT
                field=values.fallback_message
                optional=true
                rows=4
                disabled=read_only
            />
        </Card>
    }
}

#[component]
fn SmallTalkCard(values: SettingsForm, read_only: bool) -> impl IntoView {
    let replies = [
        (texts::GREETING, values.greeting),
        (texts::THANKS, values.thanks),
        (texts::GOODBYE, values.goodbye),
        (texts::ROBOT, values.robot),
        (texts::HUMAN, values.human),
    ];
    let fields = replies.map(|(label, field)| {
        view! { <TextArea label field optional=true rows=2 disabled=read_only /> }
    });
    view! {
        <Card title=texts::SMALL_TALK>
            <p class="ui-muted ui-small">{texts::SMALL_TALK_TEXT.t()}</p>
            <div class="ui-grid ui-grid--two">{fields.into_iter().collect_view()}</div>
        </Card>
    }
}

fn save(poller: ProvisioningPoller, values: SettingsForm, form: Form, stored: RwSignal<Chatbot>) {
    let id = stored.with_untracked(|stored| stored.id);
    form.save::<GetChatbot, UpdateChatbot, _>(id, stored, values, move |saved| {
        toast(ToastKind::Success, texts::SAVED);
        stored.set(saved.clone());
        poller.accept(saved);
    });
}
