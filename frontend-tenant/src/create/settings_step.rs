//! Second step: the editable fields of the new chatbot.

use app::{
    form::{Form, FormError},
    i18n::texts as shared,
    ui::{Button, ButtonKind, Card, TextArea, TextField},
};
use leptos::prelude::*;

use super::draft::Draft;
use crate::{
    chatbot_fields::{LanguageField, SystemPromptField},
    texts::create as texts,
};

/// The fields of the new chatbot.
#[component]
pub(super) fn SettingsStep(
    draft: Draft,
    form: Form,
    /// Called to go back to the template.
    on_back: Callback<()>,
    on_create: Callback<()>,
) -> impl IntoView {
    let busy = form.busy();
    let source = draft.template.get_untracked();
    let note = source.map(|template| {
        view! { <p class="ui-muted">{texts::FROM_TEMPLATE.with(&[&template.content.name])}</p> }
    });
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        on_create.run(());
    };
    view! {
        <form class="ui-form" novalidate on:submit=submit>
            {note}
            <div class="ui-grid ui-grid--two">
                <IdentityCard draft />
                <MessagesCard draft />
            </div>
            <FormError form />
            <div class="ui-form__actions">
                <Button disabled=busy on_click=on_back>{shared::BACK.t()}</Button>
                <Button kind=ButtonKind::Primary submit=true busy>{texts::CREATE.t()}</Button>
            </div>
        </form>
    }
}

#[component]
fn IdentityCard(draft: Draft) -> impl IntoView {
    let name_typed = Callback::new(move |_: String| draft.name_typed());
    let slug_typed = Callback::new(move |_: String| draft.slug_typed());
    view! {
        <Card title=texts::IDENTITY>
            <TextField label=texts::NAME hint=texts::NAME_HINT field=draft.name on_input=name_typed />
            <TextField label=texts::SLUG hint=texts::SLUG_HINT field=draft.slug mono=true on_input=slug_typed />
            <LanguageField value=draft.language />
            <TextArea
                label=texts::DESCRIPTION
                hint=texts::DESCRIPTION_HINT
                field=draft.description
                optional=true
                rows=3
            />
            <SystemPromptField field=draft.system_prompt rows=6 />
        </Card>
    }
}

#[component]
fn MessagesCard(draft: Draft) -> impl IntoView {
    view! {
        <Card title=texts::WORDS>
            <TextArea
                label=texts::WELCOME
                hint=texts::WELCOME_HINT
                field=draft.welcome_message
                optional=true
                rows=3
            />
            <TextArea
                label=texts::QUESTIONS
                hint=texts::QUESTIONS_HINT
                field=draft.suggested_questions
                optional=true
                rows=5
            />
            <TextArea
                label=texts::FALLBACK
                hint=texts::FALLBACK_HINT
                field=draft.fallback_message
                optional=true
                rows=3
            />
        </Card>
    }
}
