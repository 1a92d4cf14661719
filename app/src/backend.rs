//! The interface between the consoles' server functions and the server: the exchanged types, and the trait that the
//! server implements, so that this crate does not depend on it.

mod document_page;
mod operator;

use contract::{
    ChatbotId, SessionId, chatbots::Chatbot, clients, conversations::ConversationDay, id::DocumentId, tenants::Tenant,
};
use serde::{Deserialize, Serialize};

pub use self::{
    document_page::{DocumentPage, DocumentPageQuery, PassageCitations},
    operator::{
        AlertSummary, AlertedTenant, HubUsage, OperatorOverview, PlatformDay, PlatformHealth, PlatformSums,
        PlatformTrends, TemplateAdoption, TenantActivity,
    },
};

/// One of the two consoles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Console {
    /// `/admin/operator/`, realm `svc-platform`.
    Operator,
    /// `/tenant/`, realm `svc-tenants`.
    Tenant,
}

impl Console {
    /// The path the console is served at, without a slash at the end.
    pub const fn base(self) -> &'static str {
        match self {
            Self::Operator => "/admin/operator",
            Self::Tenant => "/tenant",
        }
    }

    /// Its own client at the identity provider, a public one.
    pub const fn client(self) -> &'static str {
        match self {
            Self::Operator => clients::OPERATOR_CONSOLE,
            Self::Tenant => clients::TENANT_CONSOLE,
        }
    }

    /// The local storage key of the theme; the page's script that runs before the first paint reads it.
    pub const fn theme_key(self) -> &'static str {
        match self {
            Self::Operator => "svc_theme:operator",
            Self::Tenant => "svc_theme:tenant",
        }
    }
}

/// The configuration that a console needs before sign-in. It is in attributes of the page's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleConfig {
    /// The identity provider's address, without a slash at the end.
    pub auth_url: String,
    /// The realm to sign in to.
    pub realm: String,
    /// The console's public client there.
    pub client_id: String,
    /// The scopes to ask for, separated by spaces.
    pub scope: String,
    /// The platform's version.
    pub version: String,
    /// The widget's version for snippets.
    pub widget_version: String,
    /// Maximum bytes of an uploaded file.
    pub max_file_bytes: String,
    /// Maximum bytes of an uploaded archive.
    pub max_archive_bytes: String,
    /// `true` when a language model words answers; otherwise they are quoted, and system prompts change nothing.
    pub language_model: String,
}

impl ConsoleConfig {
    /// The placeholder for the attributes in the page's source.
    pub const PLACE: &'static str = "{{config}}";

    const NAMES: [&'static str; 9] = [
        "data-auth-url",
        "data-realm",
        "data-client-id",
        "data-scope",
        "data-widget-version",
        "data-version",
        "data-max-file-bytes",
        "data-max-archive-bytes",
        "data-language-model",
    ];

    /// The attributes as HTML.
    pub fn attributes(&self) -> String {
        let Self { auth_url, realm, client_id, scope, version, widget_version, .. } = self;
        let others = [&self.max_file_bytes, &self.max_archive_bytes, &self.language_model];
        let values = [auth_url, realm, client_id, scope, widget_version, version].into_iter().chain(others);
        let pairs = Self::NAMES.iter().zip(values);
        pairs.map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect::<Vec<_>>().join(" ")
    }

    /// Reads the attributes of a page; `None` when one is missing.
    pub fn read(attribute: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let [
            auth_url,
            realm,
            client_id,
            scope,
            widget_version,
            version,
            max_file_bytes,
            max_archive_bytes,
            language_model,
        ] = Self::NAMES.map(attribute);
        Some(Self {
            auth_url: auth_url?,
            realm: realm?,
            client_id: client_id?,
            scope: scope?,
            version: version?,
            widget_version: widget_version?,
            max_file_bytes: max_file_bytes?,
            max_archive_bytes: max_archive_bytes?,
            language_model: language_model?,
        })
    }
}

/// Escapes a text for HTML, also in a double-quoted attribute.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The tenant console's first page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TenantOverview {
    /// The caller's tenant.
    pub tenant: Tenant,
    /// Chatbots whose widget answers.
    pub active_chatbots: i64,
    /// Chatbots whose widget answers 403.
    pub deactivated_chatbots: i64,
    /// Active chatbots whose vector collection could not be created.
    pub failed_provisioning: i64,
    /// Active chatbots whose vector collection exists.
    pub ready_chatbots: i64,
    /// Active chatbots that can answer from a document or from an own answer of the tenant.
    #[serde(default)]
    pub chatbots_with_knowledge: i64,
    /// The most recently created active chatbot.
    pub newest_active: Option<ChatbotId>,
    /// Origin patterns that may embed the widget.
    pub allowed_origins: i64,
    /// Whether the tenant ever edited its branding.
    pub has_branding: bool,
    /// Whether a widget on an allowed website sent a request in the last 30 days, or a visitor ever asked a question.
    pub has_widget: bool,
    /// Whether a visitor's question is stored.
    pub has_question: bool,
    /// The most recently created chatbots, newest first; at most five.
    pub latest_chatbots: Vec<Chatbot>,
    /// Whether at least 80 % of a quota are used.
    #[serde(default)]
    pub has_short_quota: bool,
    /// Open tasks of the tenant by chatbot, without chatbots that have none; at most 20.
    pub open_work: Vec<OpenWork>,
}

/// A tenant's conversations over some days, compared with the same number of days before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TenantTrends {
    /// The days, oldest first, today included.
    pub days: Vec<ConversationDay>,
    /// The same number of days before, oldest first.
    #[serde(default)]
    pub days_before: Vec<ConversationDay>,
    /// The sums of `days`.
    pub now: TrendSums,
    /// The sums of as many days before.
    pub before: TrendSums,
    /// The most frequent questions, at most five.
    pub questions: Vec<TopQuestion>,
    /// The most cited documents, at most five.
    pub documents: Vec<TopDocument>,
}

/// The sums of some days.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrendSums {
    /// Conversations that began.
    pub conversations: i64,
    /// Questions without small talk.
    pub questions: i64,
    /// Answered questions among them.
    pub answered: i64,
}

/// A question of visitors; equal ones are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopQuestion {
    /// Its latest wording.
    pub question: String,
    /// How often it was asked.
    pub times: i64,
    /// Whether it had an answer the last time.
    pub answered: bool,
    /// The conversation in which it was asked the last time.
    pub session_id: SessionId,
}

/// A document that was a source of answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopDocument {
    /// The chatbot that the document belongs to.
    pub chatbot_id: ChatbotId,
    /// The document, as the list of documents shows it.
    pub document_id: DocumentId,
    /// Its title; the question of a custom answer.
    pub title: String,
    /// Answers that it was a source of.
    pub answers: i64,
}

/// The open tasks of one chatbot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenWork {
    /// The chatbot that the tasks are about.
    pub chatbot_id: ChatbotId,
    /// What the tenant calls it.
    pub chatbot_name: String,
    /// Unanswered questions that nobody resolved; at most 200 are counted.
    pub questions: i64,
    /// Negative ratings that nobody resolved.
    pub ratings: i64,
    /// Websites that requested the chatbot in the last seven days and are still refused.
    pub websites: i64,
    /// Uploaded documents that could not be read.
    pub documents: i64,
    /// Websites to answer from that could not be read at the last attempt or did not prove their owner.
    pub unread_websites: i64,
    /// Whether its template has a newer version.
    pub has_template_update: bool,
}

#[cfg(feature = "ssr")]
mod server {
    use std::{future::Future, pin::Pin, sync::Arc};

    use contract::{ChatbotId, ErrorBody};

    use super::{
        DocumentPage, DocumentPageQuery, OpenWork, OperatorOverview, PlatformHealth, PlatformTrends, TemplateAdoption,
        TenantOverview, TenantTrends,
    };

    /// The future of a [`ConsoleBackend`] call.
    pub type BackendFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, ErrorBody>> + Send + 'a>>;

    /// What the server functions need from the server. `bearer` is the token of the request, without the word `Bearer`;
    /// the implementation verifies it like the REST API.
    pub trait ConsoleBackend: Send + Sync + 'static {
        /// The operator console's first page; operators and vendors only.
        fn operator_overview<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, OperatorOverview>;
        /// The platform's trends over the last `days` (30), compared with the same number of days before; operators and
        /// vendors only.
        fn platform_trends<'a>(
            &'a self,
            bearer: Option<&'a str>,
            days: Option<u16>,
        ) -> BackendFuture<'a, PlatformTrends>;
        /// The health of the platform's components; operators and vendors only.
        fn platform_health<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, PlatformHealth>;
        /// How many chatbots use each template; operators and vendors only.
        fn template_adoption<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, Vec<TemplateAdoption>>;
        /// The tenant console's first page; tenant users only.
        fn tenant_overview<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, TenantOverview>;
        /// The tenant's trends over the last `days` (30), compared with the same number of days before; tenant users
        /// only.
        fn tenant_trends<'a>(&'a self, bearer: Option<&'a str>, days: Option<u16>) -> BackendFuture<'a, TenantTrends>;
        /// Open tasks of one chatbot, or of every chatbot; tenant users only.
        fn open_work<'a>(
            &'a self,
            bearer: Option<&'a str>,
            chatbot: Option<ChatbotId>,
        ) -> BackendFuture<'a, Vec<OpenWork>>;
        /// Whether text in scans and pictures of text is recognised; tenant users only.
        fn text_recognition<'a>(&'a self, bearer: Option<&'a str>) -> BackendFuture<'a, bool>;
        /// A document of a chatbot with its passages and where they were cited; tenant users only.
        fn document_page<'a>(
            &'a self,
            bearer: Option<&'a str>,
            query: DocumentPageQuery,
        ) -> BackendFuture<'a, Option<DocumentPage>>;
    }

    /// The request as a server function sees it; the server provides one as Leptos context.
    #[derive(Clone)]
    pub struct FnRequest {
        /// The server.
        pub backend: Arc<dyn ConsoleBackend>,
        /// The token of the `Authorization: Bearer` header.
        pub bearer: Option<String>,
        /// Sets the HTTP status of the answer.
        pub set_status: Arc<dyn Fn(u16) + Send + Sync>,
    }

    impl core::fmt::Debug for FnRequest {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.write_str("FnRequest")
        }
    }
}

#[cfg(feature = "ssr")]
pub use server::{BackendFuture, ConsoleBackend, FnRequest};

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> ConsoleConfig {
        ConsoleConfig {
            auth_url: "https://id.example.com/?a&b".to_owned(),
            realm: "svc-platform".to_owned(),
            client_id: "operator-ui".to_owned(),
            scope: "openid svc-scope".to_owned(),
            version: "0.1.0\"><script>".to_owned(),
            widget_version: "0.1.0-3f2a9c1b".to_owned(),
            max_file_bytes: "1000".to_owned(),
            max_archive_bytes: "2000".to_owned(),
            language_model: "true".to_owned(),
        }
    }

    #[test]
    fn no_value_leaves_its_attribute() {
        let text = config().attributes();
        assert!(
            text.starts_with(r#"data-auth-url="https://id.example.com/?a&amp;b" data-realm="svc-platform""#),
            "{text}"
        );
        assert!(text.contains(r#" data-version="0.1.0&quot;&gt;&lt;script&gt;" "#), "{text}");
    }

    #[test]
    fn a_page_without_one_of_the_attributes_has_no_configuration() {
        let read = |missing: &str| ConsoleConfig::read(|name| (name != missing).then(|| name.to_owned()));
        let whole = read("").unwrap();
        assert_eq!((whole.auth_url.as_str(), whole.version.as_str()), ("data-auth-url", "data-version"));
        assert!(ConsoleConfig::NAMES.iter().all(|name| read(name).is_none()));
    }
}
