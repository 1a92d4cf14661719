//! Typed ids, so that the id of one aggregate cannot be passed for another's.

use core::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! uuid_id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0.hyphenated())
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }
    )+};
}

uuid_id! {
    /// A tenant, which owns chatbots and all of their data.
    TenantId,
    /// A chatbot; always a version 4 UUID, because its first characters name the widget's cookie.
    ChatbotId,
    /// A widget session.
    SessionId,
    /// One message of a session.
    MessageId,
    /// A visitor's feedback.
    FeedbackId,
    /// A question and answer of a tenant's own.
    FaqId,
    /// A row of the platform audit log.
    AuditId,
    /// A row of the output-filter audit.
    OutputFilterEventId,
    /// A document that was ingested for a chatbot.
    DocumentId,
    /// A knowledge source of a chatbot.
    SourceId,
    /// A part of a document that was found for a question; new with each version of the document.
    PassageId,
    /// A file that a tenant uploaded.
    UploadId,
    /// The bytes of a file that a tenant uploaded.
    OriginalId,
    /// A piece of background work.
    JobId,
    /// A page of a website that a chatbot reads.
    WebsitePageId,
    /// A version of a document, by which the knowledge hub names the document.
    DocumentVersionId,
    /// A bookmark of a user.
    BookmarkId,
    /// A search that a user saved.
    SavedSearchId,
    /// A search of a user.
    SearchId,
    /// A person at the identity provider.
    PersonId,
    /// An API key of a tenant.
    ApiKeyId,
}

impl ChatbotId {
    /// The id in the one form that a request may have: lower case with hyphens. Braces, URNs and upper case are malformed.
    pub fn from_canonical(text: &str) -> Option<Self> {
        text.parse().ok().filter(|id: &Self| id.to_string() == text)
    }

    /// The first eight characters of the id, which name the widget's cookie.
    pub fn short(&self) -> String {
        let mut text = self.to_string();
        text.truncate(8);
        text
    }
}

macro_rules! text_id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        /// Matches `^[a-z0-9][a-z0-9._-]{0,63}$`; checked when it is read.
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidTextId;
            fn try_from(text: String) -> Result<Self, InvalidTextId> {
                if is_text_id(&text) { Ok(Self(text)) } else { Err(InvalidTextId) }
            }
        }

        impl FromStr for $name {
            type Err = InvalidTextId;
            fn from_str(text: &str) -> Result<Self, InvalidTextId> {
                Self::try_from(text.to_owned())
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9._-]{0,63}$" })
            }
        }
    )+};
}

text_id! {
    /// A chatbot template.
    TemplateId,
    /// A module of the platform's registry.
    ModuleId,
}

/// The text is not a template or module id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidTextId;

impl fmt::Display for InvalidTextId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must have 1 to 64 of a-z, 0-9, '.', '_', '-' and begin with a letter or digit")
    }
}

impl core::error::Error for InvalidTextId {}

fn is_text_id(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    text.len() <= 64
        && text.bytes().next().is_some_and(plain)
        && text.bytes().all(|b| plain(b) || matches!(b, b'.' | b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_ids_follow_their_pattern() {
        for good in ["support-en", "a", "0.x_y-z"] {
            assert!(good.parse::<TemplateId>().is_ok(), "{good}");
        }
        for bad in ["", "-a", "Support", "a b", "ä", &"a".repeat(65)] {
            assert!(bad.parse::<TemplateId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_short_id_is_the_first_eight_characters() {
        let id: ChatbotId = "b7d4f1a2-6c3e-4f58-8a90-2e1d7c5b4f33".parse().unwrap();
        assert_eq!(id.short(), "b7d4f1a2");
    }
}
