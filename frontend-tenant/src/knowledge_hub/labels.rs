//! Names of kinds and months, and texts with counts.

use app::{
    format,
    i18n::{Localized, Text},
};
use contract::documents::SourceKind;

use crate::texts::knowledge_hub as texts;

/// The name of a kind of source.
pub(super) fn kind(of: SourceKind) -> Text {
    match of {
        SourceKind::FaqSeed => texts::KIND_FAQ_SEED,
        SourceKind::Files => texts::KIND_FILES,
        SourceKind::Faq => texts::KIND_FAQ,
        SourceKind::Upload => texts::KIND_UPLOAD,
        SourceKind::Api => texts::KIND_API,
        SourceKind::Website => texts::KIND_WEBSITE,
    }
}

/// The number of documents as text.
pub(super) fn documents(count: i64) -> Localized {
    match count {
        1 => texts::DOCUMENTS_ONE.into(),
        _ => texts::DOCUMENTS.with_localized([format::number(count)]),
    }
}

/// How often something was opened, as text.
pub(super) fn times_opened(count: i64) -> Localized {
    match count {
        1 => texts::OPENED_ONCE.into(),
        _ => texts::OPENED_TIMES.with_localized([format::number(count)]),
    }
}

/// The days that a month such as `2026-02` begins and ends with.
pub(super) fn days_of_month(month: &str) -> Option<(String, String)> {
    let (year, number) = month.split_once('-')?;
    let (year, number): (u32, u32) = (year.parse().ok()?, number.parse().ok()?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match number {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return None,
    };
    Some((format!("{month}-01"), format!("{month}-{last}")))
}

#[cfg(test)]
mod tests {
    use super::days_of_month;

    #[test]
    fn months_have_their_last_day() {
        let last = |month| days_of_month(month).map(|(_, last)| last);
        assert_eq!(last("2024-02").as_deref(), Some("2024-02-29"));
        assert_eq!(last("2026-02").as_deref(), Some("2026-02-28"));
        assert_eq!(last("2026-12").as_deref(), Some("2026-12-31"));
        assert_eq!((last("2026-13"), last("soon")), (None, None));
    }
}
