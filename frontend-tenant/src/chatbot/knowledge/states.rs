//! Names of documents' states.

use app::{
    format,
    i18n::{Localized, Text, plural},
    ui::Tone,
    upload_kinds::is_archive,
};
use contract::{
    documents::{DocumentProblem, DocumentState, IndexedDocument, OmissionKind},
    uploads::LARGE_BYTES,
};

use crate::texts::knowledge as texts;

/// The badge of a state: its tone and text.
pub(super) const fn badge(state: DocumentState) -> (Tone, Text) {
    match state {
        DocumentState::Waiting => (Tone::Neutral, texts::STATE_WAITING),
        DocumentState::Reading => (Tone::Info, texts::STATE_READING),
        DocumentState::Ready => (Tone::Success, texts::STATE_READY),
        DocumentState::Failed => (Tone::Danger, texts::STATE_FAILED),
    }
}

/// How many files of an archive were read so far.
pub(super) fn progress(document: &IndexedDocument) -> Option<Localized> {
    let progress = document.progress?;
    let numbers: [i64; 2] = [progress.done, progress.total?].map(Into::into);
    let text = plural(numbers[1], texts::STATE_PROGRESS_ONE, texts::STATE_PROGRESS);
    Some(text.with_localized(numbers.map(format::number)))
}

/// Why a document waits although later ones are read: the server reads small files first.
pub(super) fn waits_for(document: &IndexedDocument) -> Option<Text> {
    let is_large = || {
        let bytes = document.bytes.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or_default();
        bytes > LARGE_BYTES || is_archive(&document.path, "")
    };
    (document.state == DocumentState::Waiting && is_large()).then_some(texts::SMALL_FIRST)
}

/// What one and several places of a kind that was left out are called.
pub(super) const fn omission_words(kind: OmissionKind) -> (Text, Text) {
    match kind {
        OmissionKind::StruckText => (texts::STRUCK_ONE, texts::STRUCK_SOME),
        OmissionKind::HiddenText => (texts::HIDDEN_ONE, texts::HIDDEN_SOME),
        OmissionKind::HiddenRows => (texts::HIDDEN_ROW, texts::HIDDEN_ROWS),
        OmissionKind::HiddenColumns => (texts::HIDDEN_COLUMN, texts::HIDDEN_COLUMNS),
        OmissionKind::HiddenSheets => (texts::HIDDEN_SHEET, texts::HIDDEN_SHEETS),
        OmissionKind::HiddenSlides => (texts::HIDDEN_SLIDE, texts::HIDDEN_SLIDES),
        OmissionKind::MissingValues => (texts::MISSING_VALUE, texts::MISSING_VALUES),
        OmissionKind::UnknownCharacters => (texts::UNKNOWN_CHARACTER, texts::UNKNOWN_CHARACTERS),
        OmissionKind::EmbeddedObjects => (texts::EMBEDDED_OBJECT, texts::EMBEDDED_OBJECTS),
        OmissionKind::BeyondMaximum => (texts::BEYOND_MAXIMUM, texts::BEYOND_MAXIMUM_SOME),
    }
}

/// Why a document could not be read, and what to do.
pub(super) const fn problem(code: DocumentProblem) -> Text {
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
        DocumentProblem::PageLimit => texts::PAGE_LIMIT,
        DocumentProblem::TimedOut => texts::TIMED_OUT,
        DocumentProblem::OutOfMemory => texts::OUT_OF_MEMORY,
        DocumentProblem::Crashed => texts::CRASHED,
        DocumentProblem::QuotaDocuments => texts::QUOTA_DOCUMENTS,
        DocumentProblem::QuotaPassages => texts::QUOTA_PASSAGES,
    }
}
