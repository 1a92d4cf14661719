//! The attributes of the script tag, as read by the loader.

use wasm_bindgen::JsValue;

use crate::json;

/// The attributes that the site owner set in the snippet.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) chatbot_id: String,
    /// The API's address, ending in `/api/v1`, without a slash at the end.
    pub(crate) api_base: String,
    /// `data-theme`: light, dark or auto; wins over the branding.
    pub(crate) theme: Option<String>,
    /// `data-position`: bottom_right or bottom_left; wins over the branding.
    pub(crate) position: Option<String>,
}

impl Options {
    /// Reads the loader's object.
    pub(crate) fn read(object: &JsValue) -> Self {
        Self {
            chatbot_id: json::text(object, "chatbotId").unwrap_or_default(),
            api_base: json::text(object, "apiBase").unwrap_or_default(),
            theme: json::text(object, "theme"),
            position: json::text(object, "position"),
        }
    }

    /// The address of a widget endpoint: `["config/", id]` and the like.
    pub(crate) fn endpoint(&self, path: &[&str]) -> String {
        let mut url = [self.api_base.as_str(), "/widget/"].concat();
        path.iter().for_each(|part| url.push_str(part));
        url
    }

    /// Whether the page names no chatbot, as pages of the older demo deployment do.
    pub(crate) fn is_legacy(&self) -> bool {
        self.chatbot_id.is_empty()
    }

    /// The address that questions go to.
    pub(crate) fn query(&self) -> String {
        if self.is_legacy() {
            return self.outside_api("/api/query");
        }
        self.endpoint(&["chatbots/", &self.chatbot_id, "/query"])
    }

    /// The URL for feedback. It contains the chatbot, from which the platform derives the allowed origins before it has
    /// read the body.
    pub(crate) fn feedback(&self) -> String {
        if self.is_legacy() {
            return self.outside_api("/api/feedback");
        }
        [&self.api_base, "/feedback?chatbot=", &self.chatbot_id].concat()
    }

    /// The address of the liveness check, with the chatbot, from which the platform derives the origins that may read it.
    pub(crate) fn health(&self) -> String {
        [&self.outside_api("/health/live?chatbot="), self.chatbot_id.as_str()].concat()
    }

    /// The URL of something next to `/api/v1`, not under it.
    fn outside_api(&self, path: &str) -> String {
        [self.api_base.strip_suffix("/api/v1").unwrap_or(&self.api_base), path].concat()
    }
}

#[cfg(test)]
mod tests {
    use contract::feedback::{CreateFeedback, CreateLegacyFeedback};
    use contract::health::GetLiveness;
    use contract::widget::{GetWidgetConfig, GetWidgetHistory, QueryLegacyWidget, QueryWidget};
    use contract::{ChatbotId, Endpoint, SessionId};
    use uuid::Uuid;

    use super::*;

    fn options(chatbot_id: &str) -> Options {
        let api_base = "https://chat.example.com/api/v1".to_owned();
        Options { chatbot_id: chatbot_id.to_owned(), api_base, theme: None, position: None }
    }

    #[test]
    fn every_address_is_the_contracts() {
        let (id, session) = (ChatbotId(Uuid::max()), SessionId(Uuid::nil()));
        let options = options(&id.to_string());
        let on_platform = |path: String| format!("https://chat.example.com{path}");
        assert_eq!(options.endpoint(&["config/", &options.chatbot_id]), on_platform(GetWidgetConfig::path(&id)));
        assert_eq!(options.query(), on_platform(QueryWidget::path(&id)));
        let history = ["chatbots/", &options.chatbot_id, "/sessions/", &session.to_string(), "/messages"];
        assert_eq!(options.endpoint(&history), on_platform(GetWidgetHistory::path(&(id, session))));
        assert_eq!(options.feedback(), on_platform(format!("{}?chatbot={id}", CreateFeedback::PATH)));
        assert_eq!(options.health(), on_platform(format!("{}?chatbot={id}", GetLiveness::PATH)));
    }

    #[test]
    fn a_page_without_a_chatbot_uses_the_legacy_endpoints() {
        let options = options("");
        assert_eq!(options.query(), format!("https://chat.example.com{}", QueryLegacyWidget::PATH));
        assert_eq!(options.feedback(), format!("https://chat.example.com{}", CreateLegacyFeedback::PATH));
    }
}
