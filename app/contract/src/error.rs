//! The error body and every machine-readable code (specification, Errors).

use core::fmt;

use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $status:literal $text:literal),+ $(,)?) => {
        /// A machine-readable error code with its HTTP status.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorCode { $($(#[$doc])* $name),+ }

        impl ErrorCode {
            /// Every code, for the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The code as in the field `detail` of an [`ErrorBody`].
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }

            /// The HTTP status that goes with the code.
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status),+ }
            }
        }
    };
}

codes! {
    /// No token, or an invalid one.
    NotAuthenticated = 401 "not_authenticated",
    /// A break-glass or tunnel session is older than two hours.
    SessionCapExceeded = 401 "session_cap_exceeded",
    /// An API key was sent to an endpoint that takes none.
    KeyNotAccepted = 401 "key_not_accepted",
    /// The text begins like an API key, but was cut off or changed.
    KeyMalformed = 401 "key_malformed",
    /// There is no such API key.
    KeyUnknown = 401 "key_unknown",
    /// The API key was revoked.
    KeyRevoked = 401 "key_revoked",
    /// The API key has expired.
    KeyExpired = 401 "key_expired",
    /// The API key may not be used from this address.
    KeyAddressNotAllowed = 403 "key_address_not_allowed",
    /// The API key does not have the scope of the endpoint.
    KeyScopeMissing = 403 "key_scope_missing",
    /// An operator does not allow the tenant to use API keys.
    KeysNotAllowed = 403 "keys_not_allowed",
    /// The endpoint is for operators.
    OperatorRequired = 403 "operator_required",
    /// The endpoint is for operators and vendors.
    OperatorOrVendorRequired = 403 "operator_or_vendor_required",
    /// The endpoint is for tenant users.
    TenantRequired = 403 "tenant_required",
    /// The endpoint changes something and the caller may only read.
    TenantAdminRequired = 403 "tenant_admin_required",
    /// The caller's tenant is soft-deleted or unknown.
    TenantNotActive = 403 "tenant_not_active",
    /// The widget's origin is not allowed, or the chatbot is unknown.
    OriginNotAllowed = 403 "origin_not_allowed",
    /// The module is always on and cannot be switched.
    ModuleAlwaysOn = 403 "module_always_on",
    /// The tenant does not have the module that the endpoint belongs to.
    ModuleNotEnabled = 403 "module_not_enabled",
    /// An operator switches the module.
    ModuleNotSelfService = 403 "module_not_self_service",
    /// The address is not on the allowlist of `/metrics`.
    Forbidden = 403 "forbidden",
    /// The key was used with another request in the last 24 hours.
    IdempotencyKeyReused = 409 "idempotency_key_reused",
    /// The first call with the key is still running.
    IdempotencyKeyInProgress = 409 "idempotency_key_in_progress",
    /// The first call with the key has ended, and its answer was too large to be kept.
    IdempotencyAnswerNotKept = 409 "idempotency_answer_not_kept",
    /// The endpoint, or the streamed form of its answer, takes no key.
    IdempotencyKeyNotSupported = 422 "idempotency_key_not_supported",
    /// The tenant sent too many calls with a key in the last 24 hours.
    QuotaIdempotencyKeys = 422 "quota_idempotency_keys",
    /// No such path.
    NotFound = 404 "Not Found",
    /// No such tenant, or one the caller may not see.
    TenantNotFound = 404 "tenant_not_found",
    /// No such chatbot, or one the caller may not see.
    ChatbotNotFound = 404 "chatbot_not_found",
    /// No such template, or one the caller may not see.
    TemplateNotFound = 404 "template_not_found",
    /// No such module, or one the caller may not see.
    ModuleNotFound = 404 "module_not_found",
    /// No such row in the live audit log.
    AuditEntryNotFound = 404 "audit_entry_not_found",
    /// No such feedback on this chatbot.
    FeedbackNotFound = 404 "feedback_not_found",
    /// No such question and answer of this chatbot.
    FaqEntryNotFound = 404 "faq_entry_not_found",
    /// No such source of this chatbot.
    SourceNotFound = 404 "source_not_found",
    /// No such person in the tenant.
    PersonNotFound = 404 "person_not_found",
    /// No such API key of the tenant.
    ApiKeyNotFound = 404 "api_key_not_found",
    /// The tenant has no permission for this host.
    AllowedHostNotFound = 404 "allowed_host_not_found",
    /// No such document of this source.
    DocumentNotFound = 404 "document_not_found",
    /// The link to a file has ended, or is not the platform's.
    LinkNotValid = 404 "link_not_valid",
    /// The document was not uploaded, or the store does not have its file.
    OriginalNotFound = 404 "original_not_found",
    /// The passage is unknown, or a newer version of its document has replaced it.
    PassageNotFound = 404 "passage_not_found",
    /// The caller has no such bookmark.
    BookmarkNotFound = 404 "bookmark_not_found",
    /// The caller has no such saved search.
    SavedSearchNotFound = 404 "saved_search_not_found",
    /// The caller's history has no such search.
    SearchNotFound = 404 "search_not_found",
    /// The message is unknown or another session's.
    MessageNotFound = 404 "message_not_found",
    /// The widget session is unknown, silent for 30 days, or another chatbot's.
    SessionNotFound = 404 "session_not_found",
    /// The path exists, the method does not.
    MethodNotAllowed = 405 "method_not_allowed",
    /// A live tenant has this slug.
    TenantSlugTaken = 409 "tenant_slug_taken",
    /// A chatbot of the tenant has this slug.
    ChatbotSlugTaken = 409 "chatbot_slug_taken",
    /// The chatbot has an entry with this question.
    FaqQuestionTaken = 409 "faq_question_taken",
    /// A source of this kind of the chatbot has this name.
    SourceNameTaken = 409 "source_name_taken",
    /// The source is not filled by uploads: an administrator, the template or the own answers fill it.
    SourceReadOnly = 409 "source_read_only",
    /// A job looks at the website already.
    WebsiteBusy = 409 "website_busy",
    /// A website that the tenant paused is not read on request.
    WebsitePaused = 409 "website_paused",
    /// A key of the tenant that is not revoked has this name.
    ApiKeyNameTaken = 409 "api_key_name_taken",
    /// A revoked API key cannot be changed.
    ApiKeyRevoked = 409 "api_key_revoked",
    /// The caller has bookmarked this version of the document.
    BookmarkExists = 409 "bookmark_exists",
    /// A template has this id.
    TemplateExists = 409 "template_exists",
    /// The registry has a module with this id.
    ModuleExists = 409 "module_exists",
    /// The template has changed since the caller read it.
    TemplateVersionChanged = 409 "template_version_changed",
    /// A person of some tenant has, or had, this user name.
    UsernameTaken = 409 "username_taken",
    /// A person of some tenant has this e-mail address.
    EmailTaken = 409 "email_taken",
    /// People cannot remove, demote or deactivate themselves.
    OwnPerson = 409 "own_person",
    /// The tenant has no other active administrator.
    LastTenantAdmin = 409 "last_tenant_admin",
    /// This server may not manage people: it has no `auth.people_client_secret`.
    PeopleNotConfigured = 409 "people_not_configured",
    /// The chatbot is deactivated.
    ChatbotNotActive = 409 "chatbot_not_active",
    /// The chatbot is active: only a deactivated one can be deleted for good.
    ChatbotActive = 409 "chatbot_active",
    /// `If-Match` names a version that is not the current one any more.
    PreconditionFailed = 412 "precondition_failed",
    /// The body is over the limit.
    PayloadTooLarge = 413 "payload_too_large",
    /// Path, query or body break a rule; `errors` says which.
    ValidationError = 422 "validation_error",
    /// Neither the name nor the content type is of a file that can be read.
    UnsupportedDocumentType = 422 "unsupported_document_type",
    /// A chatbot's slug cannot change.
    SlugImmutable = 422 "slug_immutable",
    /// A chatbot's template cannot change.
    TemplateIdImmutable = 422 "template_id_immutable",
    /// The range of time ends before it begins.
    DateFromAfterDateTo = 422 "date_from_after_date_to",
    /// A date of the output-filter export has no timezone.
    DateMustBeTimezoneAware = 422 "date_must_be_timezone_aware",
    /// The export has no such format.
    UnsupportedExportFormat = 422 "unsupported_export_format",
    /// The identity provider does not accept these values of a person.
    PersonRejected = 422 "person_rejected",
    /// The tenant has as many chatbots as it may have; `errors[0]` says how many.
    QuotaChatbots = 422 "quota_chatbots",
    /// The tenant has as many documents as it may have; `errors[0]` says how many.
    QuotaDocuments = 422 "quota_documents",
    /// The tenant's uploaded files have as many bytes as they may have; `errors[0]` says how many.
    QuotaBytes = 422 "quota_bytes",
    /// The tenant has as many passages as it may have; `errors[0]` says how many.
    QuotaPassages = 422 "quota_passages",
    /// The tenant has as many pages of websites as it may have; `errors[0]` says how many.
    QuotaPages = 422 "quota_pages",
    /// The tenant has as many sources as it may have; `errors[0]` says how many.
    QuotaSources = 422 "quota_sources",
    /// The tenant has as many websites as it may have; `errors[0]` says how many.
    QuotaWebsites = 422 "quota_websites",
    /// The tenant has as many API keys as it may have; `errors[0]` says how many.
    QuotaApiKeys = 422 "quota_api_keys",
    /// The caller has as many bookmarks as one may have; `errors[0]` says how many.
    QuotaBookmarks = 422 "quota_bookmarks",
    /// The caller has as many saved searches as one may have; `errors[0]` says how many.
    QuotaSavedSearches = 422 "quota_saved_searches",
    /// Too many requests; `Retry-After` and `retry_after_seconds` say when to come back.
    RateLimited = 429 "rate_limited",
    /// A fault of ours; the log has the request id.
    InternalError = 500 "internal_error",
    /// A dependency is down.
    ServiceUnavailable = 503 "service_unavailable",
    /// The disk of the uploaded files has less free space than it must keep.
    StorageFull = 503 "storage_full",
    /// The identity provider cannot be reached, or its answer is not understood.
    IdentityProviderUnavailable = 503 "identity_provider_unavailable",
    /// The identity provider does not let the platform manage people.
    IdentityProviderRefused = 503 "identity_provider_refused",
    /// The model endpoint failed or timed out; the question is kept.
    GeneratorUnavailable = 503 "generator_unavailable",
}

impl ErrorCode {
    /// Finds the code with this text.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text)
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The body of every error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorBody {
    /// The machine-readable code, an [`ErrorCode`] of this version.
    pub detail: String,
    /// The broken rules of a validation error; the numbers of a quota that is used up; the bytes that a file may have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// After `rate_limited`: the whole seconds of the header `Retry-After`, which a page of another origin cannot read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u64>,
}

impl ErrorBody {
    /// The code, when this version knows it.
    pub fn code(&self) -> Option<ErrorCode> {
        ErrorCode::parse(&self.detail)
    }
}

impl From<ErrorCode> for ErrorBody {
    fn from(code: ErrorCode) -> Self {
        Self { detail: code.as_str().to_owned(), errors: Vec::new(), retry_after_seconds: None }
    }
}

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldError {
    /// Where: `["body", "slug"]`, `["query", "limit"]`, `["path", "tenant_id"]`.
    pub loc: Vec<String>,
    /// The rule, as a sentence that follows the field's name.
    pub msg: String,
    /// The kind of rule, machine-readable.
    #[serde(rename = "type")]
    pub kind: String,
    /// After a code that begins with `quota_`: how many there may be. After `payload_too_large`: how many bytes a file may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// After a code that begins with `quota_`: how many there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<i64>,
}

impl FieldError {
    /// A broken rule at `loc`.
    pub fn new<'a>(loc: impl IntoIterator<Item = &'a str>, msg: impl Into<String>, kind: impl Into<String>) -> Self {
        let loc = loc.into_iter().map(str::to_owned).collect();
        Self { loc, msg: msg.into(), kind: kind.into(), limit: None, used: None }
    }

    /// The field's name: the last part of `loc` that is not a list index.
    pub fn field(&self) -> &str {
        self.loc.iter().rev().find(|part| part.parse::<usize>().is_err()).map_or("", String::as_str)
    }
}
