//! Names of sources' states and reasons.

use app::{
    i18n::{Localized, Text},
    ui::Tone,
};
use contract::{
    documents::{DocumentProblem, SourceKind},
    tenant_sources::SourceState,
    websites::WebsiteProblem,
};

use crate::texts::sources as texts;

/// The badge of a state: its tone and text.
pub(super) const fn badge(state: SourceState) -> (Tone, Text) {
    match state {
        SourceState::Empty => (Tone::Neutral, texts::STATE_EMPTY),
        SourceState::Waiting => (Tone::Neutral, texts::STATE_WAITING),
        SourceState::Reading => (Tone::Info, texts::STATE_READING),
        SourceState::Ready => (Tone::Success, texts::STATE_READY),
        SourceState::Failed => (Tone::Danger, texts::STATE_FAILED),
        SourceState::Checking => (Tone::Info, texts::STATE_CHECKING),
        SourceState::Unproven => (Tone::Warning, texts::STATE_UNPROVEN),
        SourceState::Previewing => (Tone::Info, texts::STATE_PREVIEWING),
        SourceState::Previewed => (Tone::Warning, texts::STATE_PREVIEWED),
    }
}

/// Why something is not read; a code of a newer server as it is.
pub(super) fn reason(of: SourceKind, code: &str) -> Localized {
    let text = match of {
        SourceKind::Website => code.parse::<WebsiteProblem>().map(website_problem),
        _ => code.parse::<DocumentProblem>().map(document_problem),
    };
    text.map_or_else(|_| code.into(), Localized::from)
}

const fn document_problem(code: DocumentProblem) -> Text {
    match code {
        DocumentProblem::UnsupportedType => texts::UNSUPPORTED_TYPE,
        DocumentProblem::OtherType => texts::OTHER_TYPE,
        DocumentProblem::Malformed => texts::MALFORMED,
        DocumentProblem::Encrypted => texts::ENCRYPTED,
        DocumentProblem::Scanned => texts::SCANNED,
        DocumentProblem::UndecodableText => texts::UNDECODABLE_TEXT,
        DocumentProblem::BadEntry => texts::BAD_ENTRY,
        DocumentProblem::TooLarge => texts::TOO_LARGE,
        DocumentProblem::BadEncoding => texts::BAD_ENCODING,
        DocumentProblem::NoText => texts::NO_TEXT,
        DocumentProblem::ReadError => texts::READ_ERROR,
        DocumentProblem::Duplicate => texts::DUPLICATE,
        DocumentProblem::NothingReadable => texts::NOTHING_READABLE,
        DocumentProblem::OriginalDamaged => texts::ORIGINAL_DAMAGED,
        DocumentProblem::ChatbotNotActive => texts::CHATBOT_NOT_ACTIVE,
        DocumentProblem::GivenUp => texts::GIVEN_UP,
        DocumentProblem::LowConfidence => texts::LOW_CONFIDENCE,
        DocumentProblem::PageLimit => texts::OCR_PAGE_LIMIT,
        DocumentProblem::TimedOut => texts::TIMED_OUT,
        DocumentProblem::OutOfMemory => texts::OUT_OF_MEMORY,
        DocumentProblem::Crashed => texts::CRASHED,
        DocumentProblem::QuotaDocuments => texts::QUOTA_DOCUMENTS,
        DocumentProblem::QuotaPassages => texts::QUOTA_PASSAGES,
    }
}

const fn website_problem(code: WebsiteProblem) -> Text {
    match code {
        WebsiteProblem::Unreachable => texts::UNREACHABLE,
        WebsiteProblem::AddressRefused => texts::ADDRESS_REFUSED,
        WebsiteProblem::Certificate => texts::CERTIFICATE,
        WebsiteProblem::WithoutHttps => texts::WITHOUT_HTTPS,
        WebsiteProblem::RefusedByRobots => texts::REFUSED_BY_ROBOTS,
        WebsiteProblem::RedirectLoop => texts::REDIRECT_LOOP,
        WebsiteProblem::OtherHost => texts::OTHER_HOST,
        WebsiteProblem::OutsideProof => texts::OUTSIDE_PROOF,
        WebsiteProblem::ServerError => texts::SERVER_ERROR,
        WebsiteProblem::Forbidden => texts::FORBIDDEN,
        WebsiteProblem::LoginPage => texts::LOGIN_PAGE,
        WebsiteProblem::BotCheck => texts::BOT_CHECK,
        WebsiteProblem::NotFound | WebsiteProblem::SoftNotFound => texts::NOT_FOUND,
        WebsiteProblem::NeedsScripts => texts::NEEDS_SCRIPTS,
        WebsiteProblem::NoText => texts::NO_TEXT,
        WebsiteProblem::TooLarge => texts::TOO_LARGE,
        WebsiteProblem::UnsupportedType => texts::UNSUPPORTED_TYPE,
        WebsiteProblem::Malformed => texts::MALFORMED,
        WebsiteProblem::Noindex => texts::NOINDEX,
        WebsiteProblem::Canonical => texts::CANONICAL,
        WebsiteProblem::Redirect => texts::REDIRECT,
        WebsiteProblem::Duplicate => texts::DUPLICATE,
        WebsiteProblem::OtherLanguage => texts::OTHER_LANGUAGE,
        WebsiteProblem::Excluded => texts::EXCLUDED,
        WebsiteProblem::PageLimit => texts::PAGE_LIMIT,
        WebsiteProblem::PagesAlike => texts::PAGES_ALIKE,
        WebsiteProblem::RunLimit => texts::RUN_LIMIT,
        WebsiteProblem::ChatbotNotActive => texts::CHATBOT_NOT_ACTIVE,
        WebsiteProblem::GivenUp => texts::GIVEN_UP,
        WebsiteProblem::QuotaPages => texts::QUOTA_PAGES,
        WebsiteProblem::QuotaPassages => texts::QUOTA_PASSAGES,
    }
}
