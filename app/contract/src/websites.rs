//! Websites as sources: address, pages to read, proof of ownership, and the state of each page.

mod hosts;
mod problem;

use serde::{Deserialize, Serialize};

pub use hosts::{AllowedHost, AllowedHostListQuery, HostName, InvalidHostName, NewAllowedHost};
pub use problem::{WebsiteFailure, WebsiteProblem};

use crate::{
    ChatbotId, Page, TenantId, Timestamp,
    audit::actions,
    endpoint::{Audit, endpoints},
    error::FieldError,
    id::{SourceId, WebsitePageId},
    page::PageQuery,
    text_enum::text_enum,
    validate::{Checker, Validate},
};

/// What an address must be.
pub const URL_RULE: &str = "must be an http or https address such as https://www.example.com";
/// Characters of an address at most.
pub const MAX_URL: usize = 2000;
/// Maximum patterns of each kind.
pub const MAX_PATTERNS: usize = 50;
/// Maximum characters of a pattern.
pub const MAX_PATTERN: usize = 500;
/// Maximum pages of a website.
pub const MAX_PAGES: i32 = 10_000;
/// Pages of a website unless its tenant says otherwise.
pub const DEFAULT_PAGES: i32 = 500;
/// Maximum links between the first page and another one.
pub const MAX_DEPTH: i32 = 20;
/// Links between the first page and another one unless its tenant says otherwise.
pub const DEFAULT_DEPTH: i32 = 5;
/// The file that has the token.
pub const TOKEN_PATH: &str = "/.well-known/chatbot-verification.txt";
/// The name of the meta element that has the token.
pub const TOKEN_META: &str = "chatbot-verification";
/// The label before the host in the name of the TXT record that has the token.
pub const TOKEN_RECORD: &str = "_chatbot-verification";

text_enum! {
    /// How often a website is read again.
    pub enum WebsiteSchedule {
        /// Only when somebody asks for it.
        Manual = "manual",
        Hourly = "hourly",
        Daily = "daily",
        Weekly = "weekly",
    }
}

text_enum! {
    /// The state of a website.
    pub enum WebsiteState {
        /// The platform asks the site for its proof, its robots.txt and its sitemap, or is about to.
        Checking = "checking",
        /// The site does not show that it is the tenant's.
        Unproven = "unproven",
        /// A preview fetches its pages.
        Previewing = "previewing",
        /// Pages were found; the tenant decides whether they are read.
        Previewed = "previewed",
        /// Its pages are read.
        Reading = "reading",
        /// Its pages were read.
        Ready = "ready",
        /// The site cannot be read; `problem` says why. What was read before stays.
        Failed = "failed",
    }
}

impl WebsiteState {
    /// Whether a job works on the website or is about to.
    pub const fn is_busy(self) -> bool {
        matches!(self, Self::Checking | Self::Previewing | Self::Reading)
    }
}

text_enum! {
    /// What showed that a website is the tenant's.
    pub enum WebsiteProof {
        /// Its page has the snippet of one of the tenant's chatbots.
        Snippet = "snippet",
        /// Its page has the token in a meta element.
        MetaTag = "meta_tag",
        /// The token is in a file.
        File = "file",
        /// A TXT record of its host has the token.
        DnsTxt = "dns_txt",
        /// An operator allowed the host.
        Operator = "operator",
    }
}

text_enum! {
    /// The state of a page of a website.
    pub enum WebsitePageState {
        /// It will be fetched.
        Waiting = "waiting",
        /// A preview fetched it, and it can be read.
        Found = "found",
        /// The chatbot answers from it.
        Ready = "ready",
        /// It is left out on purpose; `problem` says by whose decision.
        LeftOut = "left_out",
        /// It cannot be read; `problem` says why.
        Failed = "failed",
        /// It is gone. The chatbot answers from it until a second look finds nothing either.
        Missing = "missing",
    }
}

/// A website to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewWebsite {
    /// Where to begin, an `http` or `https` address. A name alone gets `https://`.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 2000)))]
    pub url: String,
    /// Paths of pages to read, such as `/help/*`; all when it is empty. `*` is any text, `$` at the end is the end.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(length(max = 50)))]
    pub include: Vec<String>,
    /// Paths of pages to leave out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(length(max = 50)))]
    pub exclude: Vec<String>,
    /// Pages at most, 1 to 10000.
    #[serde(default = "default_pages")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10_000)))]
    pub max_pages: i32,
    /// Links between the first page and another one at most, 0 to 20.
    #[serde(default = "default_depth")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 20)))]
    pub max_depth: i32,
    /// How often it is read again.
    #[serde(default = "default_schedule")]
    pub schedule: WebsiteSchedule,
}

impl NewWebsite {
    /// A website with the default settings.
    pub fn at(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            include: Vec::new(),
            exclude: Vec::new(),
            max_pages: DEFAULT_PAGES,
            max_depth: DEFAULT_DEPTH,
            schedule: default_schedule(),
        }
    }

    /// Which pages are read, and how often.
    pub fn settings(&self) -> WebsiteSettings {
        WebsiteSettings {
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            max_pages: self.max_pages,
            max_depth: self.max_depth,
            schedule: self.schedule,
        }
    }
}

/// Which pages of a website are read, and how often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebsiteSettings {
    /// Paths of pages to read; all when it is empty.
    pub include: Vec<String>,
    /// Paths of pages to leave out.
    pub exclude: Vec<String>,
    /// Pages at most.
    pub max_pages: i32,
    /// Links between the first page and another one at most.
    pub max_depth: i32,
    /// How often it is read again.
    pub schedule: WebsiteSchedule,
}

const fn default_pages() -> i32 {
    DEFAULT_PAGES
}

const fn default_depth() -> i32 {
    DEFAULT_DEPTH
}

const fn default_schedule() -> WebsiteSchedule {
    WebsiteSchedule::Daily
}

/// What changes of a website; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebsitePatch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclude: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_pages: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_depth: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<WebsiteSchedule>,
    /// Whether nothing of it is fetched. What was read stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<bool>,
}

impl WebsitePatch {
    /// The settings with what changes.
    #[must_use]
    pub fn apply(&self, before: &WebsiteSettings) -> WebsiteSettings {
        WebsiteSettings {
            include: self.include.clone().unwrap_or_else(|| before.include.clone()),
            exclude: self.exclude.clone().unwrap_or_else(|| before.exclude.clone()),
            max_pages: self.max_pages.unwrap_or(before.max_pages),
            max_depth: self.max_depth.unwrap_or(before.max_depth),
            schedule: self.schedule.unwrap_or(before.schedule),
        }
    }

    pub(crate) fn broken_rules(&self) -> Vec<FieldError> {
        let mut check = Checker::within(&["body", "website"]);
        check_patterns(&mut check, "include", self.include.as_deref().unwrap_or_default());
        check_patterns(&mut check, "exclude", self.exclude.as_deref().unwrap_or_default());
        check_limits(&mut check, self.max_pages.unwrap_or(1), self.max_depth.unwrap_or(0));
        check.finish()
    }
}

impl NewWebsite {
    pub(crate) fn broken_rules(&self) -> Vec<FieldError> {
        let mut check = Checker::within(&["body", "website"]);
        let is_short = (1..=MAX_URL).contains(&self.url.trim().chars().count());
        let is_plain = !self.url.trim().chars().any(|c| c.is_control() || c.is_whitespace());
        check.require(is_short && is_plain, "url", "website_url", URL_RULE);
        check_patterns(&mut check, "include", &self.include);
        check_patterns(&mut check, "exclude", &self.exclude);
        check_limits(&mut check, self.max_pages, self.max_depth);
        check.finish()
    }
}

fn check_limits(check: &mut Checker, max_pages: i32, max_depth: i32) {
    check.require((1..=MAX_PAGES).contains(&max_pages), "max_pages", "out_of_range", "must be 1 to 10000");
    check.require((0..=MAX_DEPTH).contains(&max_depth), "max_depth", "out_of_range", "must be 0 to 20");
}

fn check_patterns(check: &mut Checker, field: &str, patterns: &[String]) {
    check.require(patterns.len() <= MAX_PATTERNS, field, "too_long", "must have at most 50 entries");
    for (index, pattern) in patterns.iter().enumerate() {
        let is_short = (1..=MAX_PATTERN).contains(&pattern.chars().count());
        let is_plain = !pattern.chars().any(|c| c.is_control() || c.is_whitespace());
        if !(is_short && is_plain && pattern.starts_with(['/', '*'])) {
            check.entry(field, index, "path_pattern", "must be a path such as /help/* with at most 500 characters");
        }
    }
}

/// A website that is a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Website {
    /// The address of the first page to read.
    pub url: String,
    #[serde(flatten)]
    pub settings: WebsiteSettings,
    pub state: WebsiteState,
    /// Why the site cannot be read, or was not read to its end.
    pub problem: Option<WebsiteFailure>,
    /// Whether nothing of it is fetched.
    pub paused: bool,
    /// Whether the tenant has asked for its pages to be read.
    pub approved: bool,
    /// The proof that the last check found.
    pub proven_by: Option<WebsiteProof>,
    pub proven_at: Option<Timestamp>,
    /// The token that proves it, as the content of the file `/.well-known/chatbot-verification.txt`, of the meta element
    /// `chatbot-verification` of the first page, or of the TXT record `_chatbot-verification` below the host's name.
    pub token: String,
    /// Pages in each state.
    pub pages: WebsitePages,
    /// When all of it was read last.
    pub synced_at: Option<Timestamp>,
    /// When it will be read again.
    pub next_sync_at: Option<Timestamp>,
}

/// Pages of a website in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebsitePages {
    pub waiting: i64,
    pub found: i64,
    pub ready: i64,
    pub left_out: i64,
    pub failed: i64,
    pub missing: i64,
    /// Pages that the current or the last job has visited.
    pub looked_at: i64,
}

impl WebsitePages {
    /// Pages in any state.
    pub const fn total(self) -> i64 {
        self.waiting + self.found + self.ready + self.left_out + self.failed + self.missing
    }
}

/// A page that was found on a website, and its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebsitePage {
    pub id: WebsitePageId,
    pub url: String,
    /// Its title; empty until it was fetched.
    pub title: String,
    pub state: WebsitePageState,
    /// Why it is not read, or the last check failed. When `state` is `ready`, the chatbot answers from the previous version.
    pub problem: Option<WebsiteFailure>,
    /// Links between the first page and this one.
    pub depth: i32,
    /// The time of the last check.
    pub checked_at: Option<Timestamp>,
    /// When its text changed last.
    pub changed_at: Option<Timestamp>,
}

/// The fields that pages are sorted by.
pub const WEBSITE_PAGE_SORT_FIELDS: &[&str] = &["url", "title", "state", "checked_at", "changed_at"];

/// State, page, order and search of a website's pages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::page::sorted_by(WEBSITE_PAGE_SORT_FIELDS)))]
pub struct WebsitePageListQuery {
    /// Only pages in this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<WebsitePageState>,
    /// Search in address and title, order, page.
    #[serde(flatten, deserialize_with = "crate::input::part")]
    pub page: PageQuery,
}

impl Validate for WebsitePageListQuery {
    fn validate(&self) -> Vec<FieldError> {
        self.page.check(WEBSITE_PAGE_SORT_FIELDS)
    }
}

/// Options of a crawl.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebsiteReading {
    /// Only list the pages that there are. Otherwise they are read, now and by the schedule.
    #[serde(default)]
    pub preview: bool,
}

impl Validate for WebsiteReading {}

endpoints! {
    /// Lists the pages of a website, each with its state.
    ListWebsitePages: Get "/api/v1/tenants/me/chatbots/{chatbot_id}/sources/{source_id}/pages", Tenant or KnowledgeRead, Audit::Reads, 200,
        ((ChatbotId, SourceId)) ? WebsitePageListQuery, () => Page<WebsitePage>;
    /// Lists the hosts that a tenant may read without a proof.
    ListAllowedHosts: Get "/api/v1/platform/tenants/{tenant_id}/allowed-hosts", OperatorOrVendor, Audit::Reads, 200,
        (TenantId) ? AllowedHostListQuery, () => Page<AllowedHost>;
    /// Allows a tenant to read a host without a proof.
    AllowHost: Post "/api/v1/platform/tenants/{tenant_id}/allowed-hosts", Operator,
        Audit::Writes(actions::ALLOWED_HOST_CREATED), 201, (TenantId) ? (), NewAllowedHost => AllowedHost,
        errors [TenantNotFound];
    /// Takes this permission back.
    DisallowHost: Delete "/api/v1/platform/tenants/{tenant_id}/allowed-hosts/{host}", Operator,
        Audit::Writes(actions::ALLOWED_HOST_DELETED), 204, ((TenantId, HostName)) ? (), () => ();
}
