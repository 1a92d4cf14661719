//! The sources of a tenant for operators and vendors: states, reasons and counts. Titles, file names, addresses of
//! pages and texts must not be added here.

use serde::{Deserialize, Serialize};

use crate::{
    ChatbotId, Page, TenantId, Timestamp,
    documents::{SourceKind, SourceListQuery},
    endpoint::{Audit, endpoints},
    id::SourceId,
    text_enum::text_enum,
    websites::{WebsitePages, WebsiteState},
};

text_enum! {
    /// The state of a source.
    pub enum SourceState {
        /// Nothing is in it.
        Empty = "empty",
        /// Documents of it wait to be read.
        Waiting = "waiting",
        /// It is being read.
        Reading = "reading",
        /// The chatbot answers from it.
        Ready = "ready",
        /// The website, or every document of it, cannot be read.
        Failed = "failed",
        /// The platform looks for a proof on the website.
        Checking = "checking",
        /// The website has no proof that it is the tenant's.
        Unproven = "unproven",
        /// The pages of the website are being found.
        Previewing = "previewing",
        /// Pages of the website were found, and wait for the tenant's approval.
        Previewed = "previewed",
    }
}

impl From<WebsiteState> for SourceState {
    fn from(state: WebsiteState) -> Self {
        match state {
            WebsiteState::Checking => Self::Checking,
            WebsiteState::Unproven => Self::Unproven,
            WebsiteState::Previewing => Self::Previewing,
            WebsiteState::Previewed => Self::Previewed,
            WebsiteState::Reading => Self::Reading,
            WebsiteState::Ready => Self::Ready,
            WebsiteState::Failed => Self::Failed,
        }
    }
}

/// Documents of a source in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceDocuments {
    pub waiting: i64,
    pub reading: i64,
    /// The chatbot answers from them; of a website these are its pages.
    pub ready: i64,
    pub failed: i64,
}

impl SourceDocuments {
    /// The state of a source with these documents.
    pub const fn state(self) -> SourceState {
        match self {
            Self { reading: 1.., .. } => SourceState::Reading,
            Self { waiting: 1.., .. } => SourceState::Waiting,
            Self { ready: 1.., .. } => SourceState::Ready,
            Self { failed: 1.., .. } => SourceState::Failed,
            _ => SourceState::Empty,
        }
    }
}

/// Why documents or pages of a source are not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceReason {
    /// A code of documents, or of a website and its pages.
    pub code: String,
    /// Documents, files of archives and pages with this code. Of an archive its first 100 files count.
    pub count: i64,
}

/// A source of a tenant, without titles, file names and texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TenantSource {
    pub id: SourceId,
    pub chatbot_id: ChatbotId,
    pub chatbot_name: String,
    /// What it is made of.
    pub kind: SourceKind,
    pub state: SourceState,
    /// Whether the tenant has paused the website.
    pub paused: bool,
    /// The host of a website; `null` for other sources.
    pub host: Option<String>,
    /// Documents in each state.
    pub documents: SourceDocuments,
    /// Pages of a website in each state; `null` for other sources.
    pub pages: Option<WebsitePages>,
    /// Why something is not read, the most frequent reason first.
    pub reasons: Vec<SourceReason>,
    /// Bytes of the uploaded files.
    pub bytes: i64,
    pub passages: i64,
    /// When a website was read last, or a document of another source.
    pub last_read_at: Option<Timestamp>,
    /// When a website will be read again.
    pub next_read_at: Option<Timestamp>,
}

endpoints! {
    /// Lists the sources of a tenant's chatbots with states, reasons and numbers, and nothing of what is in them.
    ListTenantSources: Get "/api/v1/platform/tenants/{tenant_id}/sources", OperatorOrVendor, Audit::Reads, 200,
        (TenantId) ? SourceListQuery, () => Page<TenantSource>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_as_far_as_its_documents() {
        let documents = |waiting, reading, ready, failed| SourceDocuments { waiting, reading, ready, failed };
        for (documents, state) in [
            (documents(0, 0, 0, 0), SourceState::Empty),
            (documents(2, 1, 3, 4), SourceState::Reading),
            (documents(2, 0, 3, 4), SourceState::Waiting),
            (documents(0, 0, 3, 4), SourceState::Ready),
            (documents(0, 0, 0, 4), SourceState::Failed),
        ] {
            assert_eq!(documents.state(), state, "{documents:?}");
        }
    }

    #[test]
    fn every_state_of_a_website_has_the_same_name_here() {
        for state in WebsiteState::ALL {
            assert_eq!(SourceState::from(*state).as_str(), state.as_str());
        }
    }
}
