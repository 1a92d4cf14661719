//! The names of the months in the languages of answers.

use std::sync::LazyLock;

/// The code of each language, with its months in lower case from January on.
pub(crate) const NAMES: [(&str, &str); 7] = [
    ("en", "january february march april may june july august september october november december"),
    ("de", "januar februar märz april mai juni juli august september oktober november dezember"),
    ("es", "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
    ("fr", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
    ("it", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
    ("nl", "januari februari maart april mei juni juli augustus september oktober november december"),
    ("pt", "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
];

static MONTHS: LazyLock<Vec<(&str, Vec<&str>)>> =
    LazyLock::new(|| NAMES.iter().map(|(code, names)| (*code, names.split(' ').collect())).collect());

/// The number of the month that a word in lower case names in a language: 3 for `märz` in `de`.
pub(crate) fn number(language: &str, word: &str) -> Option<usize> {
    // Austrians have another name for January.
    let word = if word == "jänner" { "januar" } else { word };
    let (_, names) = MONTHS.iter().find(|(code, _)| *code == language)?;
    names.iter().position(|name| *name == word).map(|at| at + 1)
}

/// Whether a word in lower case names a month in any language.
pub(crate) fn is_month(word: &str) -> bool {
    MONTHS.iter().any(|(code, _)| number(code, word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_twelve_months() {
        for (code, names) in MONTHS.iter() {
            assert_eq!(names.len(), 12, "{code}");
        }
    }

    #[test]
    fn a_month_has_its_number_in_its_language_only() {
        for (language, word, expected) in [
            ("de", "januar", Some(1)),
            ("de", "jänner", Some(1)),
            ("de", "dezember", Some(12)),
            ("it", "maggio", Some(5)),
            ("it", "mai", None),
            ("xx", "mai", None),
        ] {
            assert_eq!(number(language, word), expected, "{language} {word}");
        }
        assert!(is_month("août") && is_month("jänner") && !is_month("maier"));
    }
}
