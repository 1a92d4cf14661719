//! Previews the real widget with a branding form's values in its own frame. The platform's own script runs there, with
//! responses from the console instead of the API. Nothing is requested, stored or sent.

mod stage;
pub mod texts;

use std::time::Duration;

use contract::{ChatbotId, branding::BrandingFields, chatbots::Chatbot};
use leptos::{html::Iframe, leptos_dom::helpers::debounce, prelude::*};

use self::stage::{Scene, Stage};
use crate::{
    branding::texts as shared,
    i18n::{self, Localized, texts as common},
    ui::Select,
};

/// Debounce after the last change of a value.
const UPDATE_DELAY: Duration = Duration::from_millis(400);

/// The chatbot of the previewed widget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Previewed {
    /// `chatbot_id` of the widget's configuration.
    pub id: ChatbotId,
    /// `name` of the widget's configuration.
    pub name: String,
    /// `language` of the widget's configuration.
    pub language: String,
    /// The message that opens a conversation.
    pub welcome_message: Localized,
}

impl Previewed {
    /// A preview of this chatbot.
    pub fn of(chatbot: &Chatbot) -> Self {
        Self {
            id: chatbot.id,
            name: chatbot.name.clone(),
            language: chatbot.language.clone(),
            welcome_message: chatbot.welcome_message.as_str().into(),
        }
    }
}

/// The widget with `fields`, which contain validated values only.
#[component]
pub fn LivePreview(
    /// Whose widget is shown.
    chatbot: Previewed,
    /// The branding to show.
    #[prop(into)]
    fields: Signal<BrandingFields>,
    /// Style rules of the tenant's own, which operators write.
    #[prop(optional, into)]
    custom_css: Signal<String>,
) -> impl IntoView {
    let frame = NodeRef::<Iframe>::new();
    let (theme, size) = (RwSignal::new(String::new()), RwSignal::new("wide".to_owned()));
    let stage = StoredValue::new_local(None::<Stage>);
    let scene = StoredValue::new(chatbot);
    let show = move || {
        let (fields, css, theme) = untrack(|| (fields.try_get(), custom_css.try_get(), theme.try_get()));
        if let (Some(fields), Some(css), Some(theme)) = (fields, css, theme) {
            let new_scene = scene.with_value(|chatbot| Scene::new(chatbot, fields, &css, &theme));
            stage.with_value(|stage| stage.iter().for_each(|stage| stage.show(&new_scene)));
        }
    };
    let set_up = move |_| {
        if let Some(frame) = frame.get_untracked() {
            stage.set_value(Stage::in_frame(&frame));
            show();
        }
    };
    let mut show_later = debounce(UPDATE_DELAY, move |()| show());
    Effect::new(move |earlier: Option<()>| {
        fields.track();
        custom_css.track();
        theme.track();
        // The answer in the preview is in the language of the console.
        i18n::current();
        if earlier.is_some() {
            show_later(());
        }
    });
    view! {
        <Choices theme size />
        <div class="ui-live-preview" role="img" aria-label=shared::PREVIEW.t()>
            <iframe
                class="ui-live-preview__frame"
                class=("ui-live-preview__frame--phone", move || size.get() == "phone")
                title=shared::PREVIEW.t()
                tabindex="-1"
                inert=true
                node_ref=frame
                on:load=set_up
            ></iframe>
        </div>
        <p class="ui-muted ui-small">{texts::NOTE.t()}</p>
    }
}

/// The theme and the size to preview.
#[component]
fn Choices(theme: RwSignal<String>, size: RwSignal<String>) -> impl IntoView {
    view! {
        <div class="ui-row ui-row--wrap">
            <Choice value=theme label=common::THEME options=[
                ("", texts::THEME_FORM), ("light", common::THEME_LIGHT), ("dark", common::THEME_DARK),
            ] />
            <Choice value=size label=texts::SIZE options=[
                ("wide", texts::SIZE_WIDE), ("phone", texts::SIZE_PHONE),
            ] />
        </div>
    }
}

#[component]
fn Choice<const N: usize>(
    value: RwSignal<String>,
    label: crate::i18n::Text,
    options: [(&'static str, crate::i18n::Text); N],
) -> impl IntoView {
    let options = options.map(|(key, text)| (key.to_owned(), text.into())).to_vec();
    let choose = Callback::new(move |key: String| value.set(key));
    view! { <Select label value options on_change=choose small=true hide_label=true /> }
}
