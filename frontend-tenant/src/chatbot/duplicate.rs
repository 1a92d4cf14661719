//! Copies a chatbot, with a new name and slug.

use app::{
    api,
    form::{Field, Form},
    ui::{Button, Dialog, DialogForm, TextField, ToastKind, toast, use_guarded_navigate},
};
use contract::{
    chatbots::{Chatbot, ChatbotCopy, DuplicateChatbot},
    validate::suggest_slug,
};
use leptos::prelude::*;

use super::danger_row::DangerRow;
use crate::{
    paths,
    texts::{chatbot as texts, create as fields},
};

/// The button, and the dialog for name and slug; opens the copy afterwards.
#[component]
pub(super) fn DuplicateRow(chatbot: RwSignal<Chatbot>) -> impl IntoView {
    let open = RwSignal::new(false);
    view! {
        <DangerRow title=texts::DUPLICATE_CARD text=texts::DUPLICATE_CARD_TEXT>
            <div class="ui-row">
                <Button on_click=Callback::new(move |()| open.set(true))>{texts::DUPLICATE.t()}</Button>
            </div>
            <Dialog open title=texts::DUPLICATE_TITLE>
                {move || view! { <CopyForm chatbot=chatbot.get_untracked() open /> }}
            </Dialog>
        </DangerRow>
    }
}

#[component]
fn CopyForm(chatbot: Chatbot, open: RwSignal<bool>) -> impl IntoView {
    let id = chatbot.id;
    let suggested = untrack(|| texts::COPY_NAME.with(&[&chatbot.name]).get());
    let slug = Field::new("slug", suggest_slug(&suggested));
    let name = Field::new("name", suggested);
    let form = Form::new([name, slug]);
    let own_slug = StoredValue::new(false);
    let name_typed = Callback::new(move |_: String| {
        if !own_slug.get_value() {
            slug.set(suggest_slug(&name.trimmed()));
        }
    });
    // An emptied slug is suggested again.
    let slug_typed = Callback::new(move |_: String| own_slug.set_value(!slug.trimmed().is_empty()));
    let leave = use_guarded_navigate();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let leave = leave.clone();
        let body = ChatbotCopy { name: name.trimmed(), slug: slug.trimmed() };
        let call = move |body| async move { api::call::<DuplicateChatbot>(&id, &(), &body).await };
        form.send(body, call, move |copy: Chatbot| {
            open.set(false);
            toast(ToastKind::Success, texts::DUPLICATED_TOAST.with(&[&copy.name]));
            leave(&paths::chatbot(copy.id));
        });
    };
    view! {
        <DialogForm open form submit_label=texts::DUPLICATE on_submit=submit>
            <p class="ui-muted">{texts::DUPLICATE_TEXT.t()}</p>
            <TextField label=fields::NAME hint=fields::NAME_HINT field=name on_input=name_typed />
            <TextField label=fields::SLUG hint=fields::SLUG_HINT field=slug mono=true on_input=slug_typed />
        </DialogForm>
    }
}
