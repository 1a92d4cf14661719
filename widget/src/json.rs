//! Converts the browser's parsed JSON to the contract's types, field by field. A JSON library would be larger than the
//! rest of the widget. A field of the wrong type counts as missing. [`name!`] takes every name from the contract's
//! field, so a renamed field does not compile here.

use contract::ChatbotId;
use contract::branding::{BrandingFields, LauncherPosition, Theme};
use contract::documents::SourceSection;
use contract::generated_by::{GeneratedBy, GeneratedByKind};
use contract::widget::{
    Citation, MessageRole, WidgetBranding, WidgetConfig, WidgetHistory, WidgetMessage, WidgetReply, WidgetSource,
};
use js_sys::{Array, Object, Reflect};
use uuid::Uuid;
use wasm_bindgen::{JsCast, JsValue};

use crate::plain::is_uuid;

/// The name of a contract's field on the wire. A field that the type does not have does not compile; that the wire has it
/// under this very name is tested below.
macro_rules! name {
    ($type:ty, $field:ident) => {{
        const _: fn(&$type) = |value| {
            let _ = &value.$field;
        };
        stringify!($field)
    }};
}
pub(crate) use name;

/// The fields of the contract's `WidgetSource` that the view uses.
#[derive(Debug)]
pub(crate) struct Source {
    /// The document and heading.
    pub(crate) source_title: String,
    /// An extract of the passage.
    pub(crate) content_snippet: String,
    /// The page that it is from.
    pub(crate) url: Option<String>,
    /// The passage whose section can be read.
    pub(crate) passage_id: Option<String>,
    /// When its document changed last.
    pub(crate) as_of: Option<String>,
}

/// An answer: the fields of the contract's `WidgetReply` that the view uses, and of a `WidgetMessage` of a restored
/// conversation.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The session; that of the conversation in a restored message.
    pub(crate) session_id: String,
    /// The id of the message, for feedback.
    pub(crate) message_id: Option<String>,
    pub(crate) text: String,
    /// The passages that it is based on.
    pub(crate) sources: Vec<Source>,
    /// The markers in the answer.
    pub(crate) citations: Vec<Citation>,
    /// The contact page, when the answer offers one.
    pub(crate) contact_url: Option<String>,
    /// The visitor's rating of a restored answer: `up` or `down`.
    pub(crate) rating: Option<String>,
    /// Whether a language model wrote it.
    pub(crate) is_generated: bool,
}

/// One message of a restored conversation.
#[derive(Debug)]
pub(crate) struct HistoryMessage {
    pub(crate) role: MessageRole,
    /// The reply; of a question, the text alone.
    pub(crate) reply: Reply,
}

/// A text field; `None` when it is missing, null, empty or not a text.
pub(crate) fn text(object: &JsValue, key: &str) -> Option<String> {
    get(object, key).as_string().filter(|text| !text.is_empty())
}

/// A field; undefined when it is missing.
pub(crate) fn get(object: &JsValue, key: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(key)).unwrap_or(JsValue::UNDEFINED)
}

/// A UUID; `None` when it is missing or invalid.
fn id(object: &JsValue, key: &str) -> Option<String> {
    text(object, key).filter(|text| is_uuid(text))
}

/// A number field; `None` when it is missing or not a number.
pub(crate) fn number(object: &JsValue, key: &str) -> Option<f64> {
    get(object, key).as_f64().filter(|number| number.is_finite())
}

fn list<T>(object: &JsValue, key: &str, read: impl Fn(&JsValue) -> Option<T>) -> Vec<T> {
    let value = get(object, key);
    value.dyn_ref::<Array>().map(|array| array.iter().filter_map(|item| read(&item)).collect()).unwrap_or_default()
}

/// Converts the configuration; `None` when the body is not one.
pub(crate) fn config(body: &JsValue) -> Option<WidgetConfig> {
    id(body, name!(WidgetConfig, chatbot_id))?;
    Some(WidgetConfig {
        // The page has named it.
        chatbot_id: ChatbotId(Uuid::nil()),
        name: text(body, name!(WidgetConfig, name)).unwrap_or_default(),
        language: text(body, name!(WidgetConfig, language)).unwrap_or_default(),
        welcome_message: text(body, name!(WidgetConfig, welcome_message)).unwrap_or_default(),
        suggested_questions: list(body, name!(WidgetConfig, suggested_questions), JsValue::as_string),
        branding: branding(&get(body, name!(WidgetConfig, branding))),
    })
}

fn branding(object: &JsValue) -> WidgetBranding {
    WidgetBranding { fields: branding_fields(object), custom_css: text(object, name!(WidgetBranding, custom_css)) }
}

/// A value of a branding field; `None` when the field is missing or of another type.
trait BrandingValue: Sized {
    fn read(object: &JsValue, key: &str) -> Option<Self>;
}

impl BrandingValue for String {
    fn read(object: &JsValue, key: &str) -> Option<Self> {
        text(object, key)
    }
}

impl BrandingValue for i32 {
    fn read(object: &JsValue, key: &str) -> Option<Self> {
        number(object, key).map(|number| number as Self)
    }
}

impl BrandingValue for LauncherPosition {
    fn read(object: &JsValue, key: &str) -> Option<Self> {
        text(object, key).as_deref().and_then(position)
    }
}

impl BrandingValue for Theme {
    fn read(object: &JsValue, key: &str) -> Option<Self> {
        text(object, key).as_deref().and_then(theme)
    }
}

macro_rules! branding_fields {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty),+ $(,)?) => {
        #[inline(always)]
        fn branding_fields(object: &JsValue) -> BrandingFields {
            BrandingFields { $($field: <$type>::read(object, stringify!($field))),+ }
        }

        #[cfg(test)]
        const BRANDING_FIELDS: &[&str] = &[$(stringify!($field)),+];
    };
}

contract::with_branding_fields!(branding_fields);

/// Reads a launcher position; a dash is as good as the underscore.
pub(crate) fn position(text: &str) -> Option<LauncherPosition> {
    match text {
        "bottom_right" | "bottom-right" => Some(LauncherPosition::BottomRight),
        "bottom_left" | "bottom-left" => Some(LauncherPosition::BottomLeft),
        _ => None,
    }
}

pub(crate) fn theme(text: &str) -> Option<Theme> {
    match text {
        "light" => Some(Theme::Light),
        "dark" => Some(Theme::Dark),
        "auto" => Some(Theme::Auto),
        _ => None,
    }
}

/// Converts an answer; `None` when the body is not one.
pub(crate) fn reply(body: &JsValue) -> Option<Reply> {
    read_reply(body, name!(WidgetReply, answer), id(body, name!(WidgetReply, session_id))?)
}

/// Reads what a reply and a message have in common, under the same names.
fn read_reply(body: &JsValue, text_key: &str, session_id: String) -> Option<Reply> {
    let generated_by = get(body, name!(WidgetReply, generated_by));
    Some(Reply {
        session_id,
        message_id: id(body, name!(WidgetReply, message_id)),
        text: get(body, text_key).as_string()?,
        sources: list(body, name!(WidgetReply, sources), source),
        citations: list(body, name!(WidgetReply, citations), citation),
        contact_url: text(body, name!(WidgetReply, contact_url)),
        rating: text(body, name!(WidgetMessage, rating)),
        is_generated: text(&generated_by, name!(GeneratedBy, kind)).as_deref() == Some(GeneratedByKind::Model.as_str()),
    })
}

fn source(object: &JsValue) -> Option<Source> {
    Some(Source {
        source_title: text(object, name!(WidgetSource, source_title))?,
        content_snippet: text(object, name!(WidgetSource, content_snippet)).unwrap_or_default(),
        url: text(object, name!(WidgetSource, url)),
        passage_id: text(object, name!(WidgetSource, passage_id)),
        as_of: text(object, name!(WidgetSource, as_of)),
    })
}

/// Converts the text of a section; `None` when the body is not one.
pub(crate) fn section(body: &JsValue) -> Option<String> {
    text(body, name!(SourceSection, content))
}

fn citation(object: &JsValue) -> Option<Citation> {
    let source_index = number(object, name!(Citation, source_index)).filter(|index| (0.0..1_000.0).contains(index))?;
    Some(Citation { marker: text(object, name!(Citation, marker))?, source_index: source_index as usize })
}

/// Reads a session's messages, oldest first.
pub(crate) fn history(body: &JsValue, session_id: &str) -> Vec<HistoryMessage> {
    list(body, name!(WidgetHistory, messages), |message| {
        let role = role(&get(message, name!(WidgetMessage, role)).as_string()?)?;
        Some(HistoryMessage { role, reply: read_reply(message, name!(WidgetMessage, content), session_id.to_owned())? })
    })
}

fn role(text: &str) -> Option<MessageRole> {
    match text {
        "user" => Some(MessageRole::User),
        "assistant" => Some(MessageRole::Assistant),
        _ => None,
    }
}

/// The number of elements of a list; `None` when it is missing.
pub(crate) fn length(object: &JsValue, key: &str) -> Option<u32> {
    get(object, key).dyn_ref::<Array>().map(Array::length)
}

/// The body of a request; undefined fields are left out.
pub(crate) fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in fields {
        let _ = Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object.into()
}

#[cfg(test)]
mod tests {
    use contract::feedback::{LegacyFeedback, NewFeedback, Rating};
    use contract::widget::{SessionToken, StreamError, StreamSession, StreamSources, StreamToken, WidgetQuery};
    use contract::{ErrorBody, ErrorCode, MessageId, SessionId};
    use serde_json::{json, to_value};

    use super::*;
    use contract::widget::Confidence;

    /// Fails where a field has another name on the wire than in the type.
    macro_rules! assert_names {
        ($value:expr, $type:ident { $($field:ident),+ $(,)? }) => {{
            let wire = to_value(&$value).unwrap();
            for name in [$(name!($type, $field)),+] {
                assert!(wire.get(name).is_some(), "{} has no {name} on the wire: {wire}", stringify!($type));
            }
        }};
    }

    fn some_reply() -> WidgetReply {
        WidgetReply {
            session_id: SessionId(Uuid::nil()),
            session_token: Some(SessionToken(String::new())),
            message_id: MessageId(Uuid::nil()),
            answer: String::new(),
            sources: Vec::new(),
            citations: Vec::new(),
            closest: Vec::new(),
            filtered: false,
            confidence: Confidence::High,
            generated_by: None,
            kind: contract::widget::ReplyKind::Fallback,
            contact_url: Some("tel:112".to_owned()),
            truncated: false,
        }
    }

    #[test]
    fn what_the_widget_reads_has_its_fields_names_on_the_wire() {
        let branding = WidgetBranding::default();
        assert_names!(branding, WidgetBranding { custom_css });
        let wire = to_value(&branding).unwrap();
        for name in BRANDING_FIELDS {
            assert!(wire.get(name).is_some(), "branding has no {name} on the wire: {wire}");
        }
        let config = json!({
            "chatbot_id": Uuid::nil(), "name": "", "language": "", "welcome_message": "", "suggested_questions": [],
            "branding": branding,
        });
        let config: WidgetConfig = serde_json::from_value(config).unwrap();
        assert_names!(
            config,
            WidgetConfig { chatbot_id, name, language, welcome_message, suggested_questions, branding }
        );
        let source = WidgetSource {
            source_title: String::new(),
            heading: String::new(),
            content_snippet: String::new(),
            score: 0.0,
            url: Some(String::new()),
            passage_id: None,
            as_of: Some(contract::Timestamp::default()),
        };
        assert_names!(source, WidgetSource { source_title, content_snippet, url, passage_id, as_of });
        let (title, heading, content) = (String::new(), String::new(), String::new());
        let section = SourceSection { title, heading, content, is_cut: false, file: None };
        assert_names!(section, SourceSection { content });
        assert_names!(Citation { marker: String::new(), source_index: 0 }, Citation { marker, source_index });
        assert_names!(
            some_reply(),
            WidgetReply {
                session_id,
                session_token,
                message_id,
                answer,
                sources,
                citations,
                contact_url,
                generated_by
            }
        );
        let message = json!({
            "message_id": Uuid::nil(), "role": "user", "content": "", "sources": [], "citations": [], "filtered": false,
            "created_at": "2026-11-21T10:00:00Z", "rating": "up", "contact_url": "tel:112",
        });
        let message: WidgetMessage = serde_json::from_value(message).unwrap();
        assert_names!(
            message,
            WidgetMessage { message_id, role, content, sources, citations, contact_url, rating, generated_by }
        );
        let history = WidgetHistory { session_id: SessionId(Uuid::nil()), messages: vec![message] };
        assert_names!(history, WidgetHistory { messages });
    }

    #[test]
    fn json_sent_and_received_has_the_contracts_field_names() {
        let (session, message) = (SessionId(Uuid::nil()), MessageId(Uuid::nil()));
        assert_names!(
            WidgetQuery {
                session_id: None,
                session_token: Some(SessionToken(String::new())),
                question: String::new(),
                page_url: Some(String::new())
            },
            WidgetQuery { session_id, session_token, question, page_url }
        );
        let feedback = NewFeedback {
            chatbot_id: ChatbotId(Uuid::nil()),
            session_id: Some(session),
            message_id: Some(message),
            rating: Rating::Down,
            category: Some(contract::feedback::FeedbackCategory::Other),
            comment: Some(String::new()),
        };
        assert_names!(feedback, NewFeedback { chatbot_id, session_id, message_id, rating, category, comment });
        let old = LegacyFeedback { session_id: session, message_id: message, rating: 1, comment: Some(String::new()) };
        assert_names!(old, LegacyFeedback { session_id, message_id, rating, comment });
        let begun = StreamSession { session_id: session, session_token: Some(SessionToken(String::new())) };
        assert_names!(begun, StreamSession { session_id, session_token });
        assert_names!(StreamSources { sources: Vec::new() }, StreamSources { sources });
        assert_names!(StreamToken { text: String::new() }, StreamToken { text });
        let error = ErrorBody { retry_after_seconds: Some(1), ..ErrorCode::RateLimited.into() };
        assert_names!(StreamError { error: error.clone(), request_id: String::new() }, ErrorBody { detail });
        assert_names!(error, ErrorBody { detail, retry_after_seconds });
    }

    #[test]
    fn every_value_that_the_wire_has_is_read() {
        for value in [MessageRole::User, MessageRole::Assistant] {
            assert_eq!(role(to_value(value).unwrap().as_str().unwrap()), Some(value));
        }
        for value in [Theme::Light, Theme::Dark, Theme::Auto] {
            assert_eq!(theme(to_value(value).unwrap().as_str().unwrap()), Some(value));
        }
        for value in [LauncherPosition::BottomLeft, LauncherPosition::BottomRight] {
            assert_eq!(position(to_value(value).unwrap().as_str().unwrap()), Some(value));
        }
    }

    /// The scripts next to this module have no types, so their names are searched in their text.
    #[test]
    fn the_scripts_name_the_events_and_fields_of_the_contract() {
        let transport = include_str!("../loader/transport.js");
        let endings = format!("({}|{})", WidgetReply::EVENT, StreamError::EVENT);
        assert!(transport.contains(&endings), "transport.js does not end at {endings}");
        for name in [name!(WidgetReply, session_id), name!(WidgetReply, session_token), SessionToken::PARAMETER] {
            assert!(transport.contains(name), "transport.js does not name {name}");
        }
        let loader = include_str!("../loader/loader.js");
        for name in [
            name!(WidgetConfig, chatbot_id),
            name!(WidgetConfig, branding),
            name!(BrandingFields, primary_color),
            name!(BrandingFields, launcher_position),
        ] {
            assert!(loader.contains(name), "loader.js does not name {name}");
        }
    }
}
