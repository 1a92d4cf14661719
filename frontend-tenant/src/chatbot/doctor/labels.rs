//! Names of the outcomes of a website's last request.

use app::{
    i18n::{Localized, Text},
    ui::Tone,
};
use contract::embed::{EmbedOrigin, EmbedOutcome};

use crate::texts::doctor as texts;

/// A state: its tone, its name, and its explanation.
pub(super) type State = (Tone, Text, Text);

/// The current state of a website, from its last request and the current settings.
pub(super) fn state(of: &EmbedOrigin) -> State {
    let settings = &of.settings;
    match of.outcome {
        EmbedOutcome::Accepted if !settings.is_allowed => (Tone::Warning, texts::WITHDRAWN, texts::WITHDRAWN_TEXT),
        EmbedOutcome::Accepted if !settings.is_covered => (Tone::Danger, texts::BLOCKED, texts::BLOCKED_TEXT),
        EmbedOutcome::Accepted => (Tone::Success, texts::ACCEPTED, texts::ACCEPTED_TEXT),
        EmbedOutcome::OriginNotListed | EmbedOutcome::NoOriginsListed if settings.is_allowed => {
            (Tone::Info, texts::ALLOWED_NOW, texts::ALLOWED_NOW_TEXT)
        }
        refused => (Tone::Danger, texts::REFUSED, reason(refused)),
    }
}

/// The outcome of a day's requests.
pub(super) fn outcome(of: EmbedOutcome) -> Text {
    if of == EmbedOutcome::Accepted { texts::ACCEPTED } else { reason(of) }
}

fn reason(outcome: EmbedOutcome) -> Text {
    match outcome {
        EmbedOutcome::Accepted => texts::ACCEPTED_TEXT,
        EmbedOutcome::OriginNotListed => texts::NOT_LISTED_TEXT,
        EmbedOutcome::NoOriginsListed => texts::NONE_LISTED_TEXT,
        EmbedOutcome::ChatbotDeactivated => texts::DEACTIVATED_TEXT,
        EmbedOutcome::OriginMissing => texts::MISSING_TEXT,
        EmbedOutcome::OriginOpaque => texts::OPAQUE_TEXT,
        EmbedOutcome::OriginMalformed => texts::MALFORMED_TEXT,
    }
}

/// The version in the page's snippet, compared with the current one.
pub(super) fn version(version: Option<&str>, current: &str) -> Localized {
    match version {
        None => texts::VERSION_NONE.into(),
        Some(version) if version == current => texts::VERSION_CURRENT.with(&[version]),
        Some(version) => texts::VERSION_OTHER.with(&[version, current]),
    }
}
