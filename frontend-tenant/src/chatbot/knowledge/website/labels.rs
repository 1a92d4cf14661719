//! Names of websites' states, reasons and proofs.

use app::{i18n::Text, ui::Tone};
use contract::websites::{Website, WebsitePageState, WebsiteProblem, WebsiteProof, WebsiteSchedule, WebsiteState};

use crate::texts::website as texts;

pub(super) const fn badge(website: &Website) -> (Tone, Text) {
    if website.paused {
        return (Tone::Neutral, texts::PAUSED);
    }
    match website.state {
        WebsiteState::Checking => (Tone::Info, texts::CHECKING),
        WebsiteState::Unproven => (Tone::Warning, texts::UNPROVEN),
        WebsiteState::Previewing => (Tone::Info, texts::PREVIEWING),
        WebsiteState::Previewed => (Tone::Warning, texts::PREVIEWED),
        WebsiteState::Reading => (Tone::Info, texts::READING),
        WebsiteState::Ready => (Tone::Success, texts::READY),
        WebsiteState::Failed => (Tone::Danger, texts::FAILED),
    }
}

pub(super) const fn page_badge(state: WebsitePageState) -> (Tone, Text) {
    match state {
        WebsitePageState::Waiting => (Tone::Neutral, texts::STATE_WAITING),
        WebsitePageState::Found => (Tone::Info, texts::STATE_FOUND),
        WebsitePageState::Ready => (Tone::Success, texts::STATE_READY),
        WebsitePageState::LeftOut => (Tone::Neutral, texts::STATE_LEFT_OUT),
        WebsitePageState::Failed => (Tone::Danger, texts::STATE_FAILED),
        WebsitePageState::Missing => (Tone::Warning, texts::STATE_MISSING),
    }
}

/// The proof of a website's ownership.
pub(super) const fn proof(proof: WebsiteProof) -> Text {
    match proof {
        WebsiteProof::Snippet => texts::PROVEN_SNIPPET,
        WebsiteProof::MetaTag => texts::PROVEN_META,
        WebsiteProof::File => texts::PROVEN_FILE,
        WebsiteProof::DnsTxt => texts::PROVEN_RECORD,
        WebsiteProof::Operator => texts::PROVEN_OPERATOR,
    }
}

/// How often a website is read.
pub(super) const fn schedule(schedule: WebsiteSchedule) -> Text {
    match schedule {
        WebsiteSchedule::Manual => texts::MANUAL,
        WebsiteSchedule::Hourly => texts::HOURLY,
        WebsiteSchedule::Daily => texts::DAILY,
        WebsiteSchedule::Weekly => texts::WEEKLY,
    }
}

/// Why a website or a page is not read, and what to do.
pub(super) const fn problem(code: WebsiteProblem) -> Text {
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
        WebsiteProblem::NotFound => texts::NOT_FOUND,
        WebsiteProblem::SoftNotFound => texts::SOFT_404,
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
