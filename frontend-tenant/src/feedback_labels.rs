//! Names of ratings and categories.

use app::i18n::Text;
use contract::feedback::{FeedbackCategory, Rating};

use crate::texts::feedback as texts;

pub(super) const fn rating(of: Rating) -> Text {
    match of {
        Rating::Up => texts::UP,
        Rating::Down => texts::DOWN,
    }
}

/// What was wrong with an answer.
pub(super) const fn category(of: FeedbackCategory) -> Text {
    match of {
        FeedbackCategory::Incorrect => texts::INCORRECT,
        FeedbackCategory::Incomplete => texts::INCOMPLETE,
        FeedbackCategory::Irrelevant => texts::IRRELEVANT,
        FeedbackCategory::Outdated => texts::OUTDATED,
        FeedbackCategory::Tone => texts::TONE,
        FeedbackCategory::Other => texts::OTHER,
    }
}
