//! From the browser's parsed JSON to the contract's types, field by field: a JSON library would weigh more than
//! the rest of the widget. A field of the wrong kind reads as missing.

use contract::branding::{BrandingFields, LauncherPosition, Theme};
use contract::widget::{Citation, MessageRole, WidgetBranding, WidgetConfig, WidgetReply, WidgetSource};
use contract::{ChatbotId, MessageId, SessionId};
use js_sys::{Array, Object, Reflect};
use uuid::Uuid;
use wasm_bindgen::{JsCast, JsValue};

use crate::plain::parse_uuid;

/// One message of a restored conversation: what the view needs of the contract's `WidgetMessage`.
#[derive(Debug)]
pub(crate) struct Turn {
    /// The message's id, which feedback names.
    pub(crate) message_id: Option<MessageId>,
    /// Who said it.
    pub(crate) role: MessageRole,
    /// What was said.
    pub(crate) content: String,
    /// The passages an answer rests on.
    pub(crate) sources: Vec<WidgetSource>,
    /// The markers of an answer.
    pub(crate) citations: Vec<Citation>,
    /// What the visitor thought of it: `up` or `down`.
    pub(crate) rating: Option<String>,
}

/// A text field; `None` when it is missing, null, empty or no text.
pub(crate) fn text(object: &JsValue, key: &str) -> Option<String> {
    get(object, key).as_string().filter(|text| !text.is_empty())
}

/// A field; undefined when it is missing.
pub(crate) fn get(object: &JsValue, key: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(key)).unwrap_or(JsValue::UNDEFINED)
}

fn id(object: &JsValue, key: &str) -> Option<Uuid> {
    parse_uuid(&text(object, key)?)
}

/// A number field; `None` when it is missing or no number.
pub(crate) fn number(object: &JsValue, key: &str) -> Option<f64> {
    get(object, key).as_f64().filter(|number| number.is_finite())
}

fn list<T>(object: &JsValue, key: &str, read: impl Fn(&JsValue) -> Option<T>) -> Vec<T> {
    let value = get(object, key);
    value.dyn_ref::<Array>().map(|array| array.iter().filter_map(|item| read(&item)).collect()).unwrap_or_default()
}

/// Reads the configuration; `None` when the body is not one.
pub(crate) fn config(body: &JsValue) -> Option<WidgetConfig> {
    Some(WidgetConfig {
        chatbot_id: ChatbotId(id(body, "chatbot_id")?),
        name: text(body, "name").unwrap_or_default(),
        language: text(body, "language").unwrap_or_default(),
        welcome_message: text(body, "welcome_message").unwrap_or_default(),
        suggested_questions: list(body, "suggested_questions", JsValue::as_string),
        branding: branding(&get(body, "branding")),
    })
}

fn branding(object: &JsValue) -> WidgetBranding {
    let field = |key| text(object, key);
    WidgetBranding {
        fields: BrandingFields {
            display_name: field("display_name"),
            primary_color: field("primary_color"),
            accent_color: field("accent_color"),
            background_color: field("background_color"),
            text_color: field("text_color"),
            font_family: field("font_family"),
            border_radius: number(object, "border_radius").map(|pixels| pixels as i32),
            logo_url: field("logo_url"),
            avatar_url: field("avatar_url"),
            header_title: field("header_title"),
            input_placeholder: field("input_placeholder"),
            launcher_position: field("launcher_position").as_deref().and_then(position),
            theme: field("theme").as_deref().and_then(theme),
            privacy_url: field("privacy_url"),
        },
        custom_css: field("custom_css"),
    }
}

/// Reads a launcher position; a dash is as good as the underscore.
pub(crate) fn position(text: &str) -> Option<LauncherPosition> {
    match text {
        "bottom_right" | "bottom-right" => Some(LauncherPosition::BottomRight),
        "bottom_left" | "bottom-left" => Some(LauncherPosition::BottomLeft),
        _ => None,
    }
}

/// Reads a theme.
pub(crate) fn theme(text: &str) -> Option<Theme> {
    match text {
        "light" => Some(Theme::Light),
        "dark" => Some(Theme::Dark),
        "auto" => Some(Theme::Auto),
        _ => None,
    }
}

/// Reads an answer; `None` when the body is not one.
pub(crate) fn reply(body: &JsValue) -> Option<WidgetReply> {
    Some(WidgetReply {
        session_id: SessionId(id(body, "session_id")?),
        message_id: MessageId(id(body, "message_id")?),
        answer: get(body, "answer").as_string()?,
        sources: list(body, "sources", source),
        citations: list(body, "citations", citation),
        filtered: get(body, "filtered").is_truthy(),
    })
}

fn source(object: &JsValue) -> Option<WidgetSource> {
    Some(WidgetSource {
        source_title: text(object, "source_title")?,
        content_snippet: text(object, "content_snippet").unwrap_or_default(),
        score: number(object, "score").unwrap_or_default(),
    })
}

fn citation(object: &JsValue) -> Option<Citation> {
    let source_index = number(object, "source_index").filter(|index| (0.0..1_000.0).contains(index))?;
    Some(Citation { marker: text(object, "marker")?, source_index: source_index as usize })
}

/// Reads a session's messages, oldest first.
pub(crate) fn history(body: &JsValue) -> Vec<Turn> {
    list(body, "messages", |message| {
        let role = match get(message, "role").as_string()?.as_str() {
            "user" => MessageRole::User,
            "assistant" => MessageRole::Assistant,
            _ => return None,
        };
        Some(Turn {
            message_id: id(message, "message_id").map(MessageId),
            role,
            content: text(message, "content")?,
            sources: list(message, "sources", source),
            citations: list(message, "citations", citation),
            rating: text(message, "rating"),
        })
    })
}

/// The number of elements of a list; `None` when it is missing.
pub(crate) fn length(object: &JsValue, key: &str) -> Option<u32> {
    get(object, key).dyn_ref::<Array>().map(Array::length)
}

/// The body of a request; a field that is undefined is left out.
pub(crate) fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in fields {
        let _ = Reflect::set(&object, &JsValue::from_str(key), value);
    }
    js_sys::JSON::stringify(&object).map_or(JsValue::NULL, JsValue::from)
}
