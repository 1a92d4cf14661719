//! The widget's own texts, passed by the loader in the visitor's language (`widget/texts`). The chatbot's texts come
//! from the API.

/// Lists the texts in the alphabetical order in which the build writes them.
macro_rules! texts {
    ($($name:ident),+ $(,)?) => {
        #[expect(non_camel_case_types, reason = "the variants are the names in the files")]
        #[derive(Clone, Copy)]
        enum Name {
            $($name),+
        }

        /// Number of texts.
        const COUNT: usize = [$(Name::$name),+].len();

        impl Texts {
            $(pub(crate) fn $name(&self) -> &'static str {
                self.lines[Name::$name as usize]
            })+
        }

        #[cfg(test)]
        const NAMES: [&str; COUNT] = [$(stringify!($name)),+];
    };
}

/// The texts of one language.
#[derive(Debug)]
pub(crate) struct Texts {
    pub(crate) tag: &'static str,
    lines: [&'static str; COUNT],
}

texts! {
    again, again_in, as_of, assistant, cancel, caution, chat, close, comment, contact, conversation, copied, copy, cut,
    feedback_failed, forbidden, generated, helpful, invalid, limited, new_conversation, no_section, offline, open, place, placeholder, privacy,
    question, reason, reason_incomplete, reason_incorrect, reason_irrelevant, reason_other, reason_outdated, reason_tone,
    recovered, send, send_feedback, slow, source, sources, stop, stopped, suggestions, thanks, unavailable, unhelpful,
    unreachable, unread, writing, you,
}

impl Texts {
    /// Reads the loader's lines: the language's tag, then each text. They stay as long as the page.
    pub(crate) fn read(lines: String) -> &'static Self {
        let mut parts = Box::leak(lines.into_boxed_str()).split('\n');
        let tag = parts.next().unwrap_or_default();
        Box::leak(Box::new(Self { tag, lines: std::array::from_fn(|_| parts.next().unwrap_or_default()) }))
    }

    /// The reasons for a bad rating, in the order of the contract's categories.
    pub(crate) fn reasons(&self) -> [&'static str; 6] {
        [
            self.reason_incorrect(),
            self.reason_incomplete(),
            self.reason_irrelevant(),
            self.reason_outdated(),
            self.reason_tone(),
            self.reason_other(),
        ]
    }
}

pub(crate) fn with_number(text: &str, number: u32) -> String {
    // Searching for a single character weighs a kilobyte less than for a text.
    let (before, after) = text.split_once('{').unwrap_or((text, ""));
    [before, &crate::plain::decimal(number), after.trim_start_matches('}')].concat()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const LANGUAGES: [&str; 7] = ["de", "en", "es", "fr", "it", "nl", "pt"];

    fn file(tag: &str) -> BTreeMap<String, String> {
        let path = format!("{}/texts/{tag}.json", env!("CARGO_MANIFEST_DIR"));
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    #[test]
    fn every_language_has_all_texts_in_the_order_of_the_build() {
        for tag in LANGUAGES {
            let texts = file(tag);
            assert_eq!(texts.keys().collect::<Vec<_>>(), NAMES, "{tag}");
            for (name, text) in &texts {
                assert!(!text.trim().is_empty() && !text.contains('\n'), "{tag}: {name}");
                let has_place = matches!(name.as_str(), "again_in" | "as_of" | "place");
                assert_eq!(text.matches("{}").count(), usize::from(has_place), "{tag}: {name}");
            }
        }
    }

    #[test]
    fn no_language_is_a_copy_of_another() {
        let english = file("en");
        for tag in LANGUAGES.into_iter().filter(|tag| *tag != "en") {
            let same = file(tag).into_iter().filter(|(name, text)| english[name] == *text).count();
            assert!(same <= 6, "{tag}: {same} texts are English");
        }
    }

    #[test]
    fn lines_are_read_by_name() {
        let lines = file("de").values().fold("de".to_owned(), |lines, text| lines + "\n" + text);
        let read = Texts::read(lines);
        assert_eq!((read.tag, read.open(), read.you()), ("de", "Chat öffnen", "Sie:"));
        assert_eq!(read.reasons()[2], "Am Thema vorbei");
        assert_eq!(with_number(read.again_in(), 7), "Erneut in 7 s");
        assert_eq!(with_number("Ohne", 7), "Ohne7");
    }

    #[test]
    fn too_few_lines_leave_texts_empty() {
        assert_eq!(Texts::read("en\nAgain".to_owned()).you(), "");
    }
}
