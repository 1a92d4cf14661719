//! Recognises small talk: greetings, thanks, goodbyes, whether this is a robot, and the wish to talk to a person. Each
//! language of chatbots has its file in `small_talk/`. A message is small talk only when such phrases cover all of it:
//! "Hello, when do you open?" is a question.

mod fold;

use std::{
    collections::BTreeMap,
    sync::{LazyLock, OnceLock},
};

use regex_automata::meta::Regex;
use serde::Deserialize;

/// Maximum bytes of a message that can be small talk.
pub const MAX_MESSAGE_BYTES: usize = 200;
/// Minimum letters of a single word in another language than the chatbot's, because shorter words exist in many
/// languages.
const FOREIGN_LETTERS: usize = 4;

/// What a message without a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// The wish to talk to a person.
    Human,
    /// A question about who or what answers.
    Robot,
    Goodbye,
    Thanks,
    Greeting,
}

impl Topic {
    /// All topics. When a message has several, the first one counts.
    pub const ALL: [Self; 5] = [Self::Human, Self::Robot, Self::Goodbye, Self::Thanks, Self::Greeting];

    /// Its name in the files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Robot => "robot",
            Self::Goodbye => "goodbye",
            Self::Thanks => "thanks",
            Self::Greeting => "greeting",
        }
    }
}

/// A message that is small talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallTalk {
    pub topic: Topic,
    /// The language of the message, for example `de`.
    pub language: &'static str,
}

/// The order in which a message is tested for a single topic: "Is anyone there?" is a greeting before it is a wish.
const SPECIFIC_LAST: [Topic; 5] = [Topic::Greeting, Topic::Thanks, Topic::Goodbye, Topic::Robot, Topic::Human];

/// The topic of a message when it is small talk: in `usual`, the chatbot's language, or else in another one.
pub fn recognise(message: &str, usual: &str) -> Option<SmallTalk> {
    if message.len() > MAX_MESSAGE_BYTES {
        return None;
    }
    let texts = fold::message(message);
    let usual = primary(usual);
    let (own, others): (Vec<_>, Vec<_>) = RULES.iter().partition(|rules| rules.language == usual);
    let is_clear = texts[0].contains(' ') || texts[0].chars().count() >= FOREIGN_LETTERS;
    let others = others.into_iter().filter(|_| is_clear);
    own.into_iter().chain(others).find_map(|rules| {
        let topic = texts.iter().find_map(|text| rules.topic(text))?;
        Some(SmallTalk { topic, language: rules.language })
    })
}

/// The default reply in a language; `None` for an unsupported language.
pub fn reply(language: &str, topic: Topic) -> Option<&'static str> {
    let rules = RULES.iter().find(|rules| rules.language == primary(language))?;
    rules.file.replies.get(topic.as_str()).map(String::as_str)
}

/// Whether a language's tag, such as `de-AT`, is of this language.
pub fn is_of(language: &str, tag: &str) -> bool {
    primary(tag) == language
}

fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_lowercase()
}

#[derive(Deserialize)]
struct File {
    replies: BTreeMap<String, String>,
    words: BTreeMap<String, String>,
    patterns: BTreeMap<String, Vec<String>>,
}

/// The rules of one language.
struct Rules {
    language: &'static str,
    file: File,
    /// The phrases of each topic, in the order of [`Topic::ALL`], and filler phrases; compiled at first use.
    phrases: OnceLock<Vec<Regex>>,
}

const FILES: [(&str, &str); 7] = [
    ("en", include_str!("../small_talk/en.toml")),
    ("de", include_str!("../small_talk/de.toml")),
    ("es", include_str!("../small_talk/es.toml")),
    ("fr", include_str!("../small_talk/fr.toml")),
    ("it", include_str!("../small_talk/it.toml")),
    ("nl", include_str!("../small_talk/nl.toml")),
    ("pt", include_str!("../small_talk/pt.toml")),
];

static RULES: LazyLock<Vec<Rules>> = LazyLock::new(|| {
    let read = |(language, text): (&'static str, &str)| {
        let file = toml::from_str(text).expect("the files of small talk are part of the program");
        Rules { language, file, phrases: OnceLock::new() }
    };
    FILES.into_iter().map(read).collect()
});

impl Rules {
    /// The topic of a folded text that phrases cover completely.
    fn topic(&self, text: &str) -> Option<Topic> {
        let ends: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).chain([text.len()]).collect();
        let phrases = self.phrases.get_or_init(|| self.compile());
        // For each number of words: the sets of topics whose phrases cover that many.
        let mut covers = vec![Sets::default(); ends.len() + 1];
        covers[0].insert(0);
        for first in 0..ends.len() {
            if covers[first].is_empty() {
                continue;
            }
            let start = if first == 0 { 0 } else { ends[first - 1] + 1 };
            for (last, end) in ends.iter().enumerate().skip(first) {
                let part = &text[start..*end];
                for (place, _) in phrases.iter().enumerate().filter(|(_, phrase)| phrase.is_match(part)) {
                    let topic = if place < Topic::ALL.len() { 1 << place } else { 0 };
                    let more = covers[first].with(topic);
                    covers[last + 1].join(more);
                }
            }
        }
        let all = covers.pop()?;
        let alone = SPECIFIC_LAST.into_iter().find(|topic| all.has(|set| set == 1 << *topic as u32));
        alone.or_else(|| Topic::ALL.into_iter().find(|topic| all.has(|set| set & 1 << *topic as u32 != 0)))
    }

    fn compile(&self) -> Vec<Regex> {
        let names = Topic::ALL.map(Topic::as_str).into_iter().chain(["filler"]);
        let pattern = |name: &str| {
            let patterns = self.file.patterns.get(name).into_iter().flatten().map(|pattern| self.filled(pattern));
            format!("^(?:{})$", patterns.collect::<Vec<_>>().join("|"))
        };
        let compile =
            |pattern: String| Regex::new(&pattern).expect("the patterns of small talk are part of the program");
        names.map(|name| compile(pattern(name))).collect()
    }

    /// A pattern with its lists of words, folded.
    fn filled(&self, pattern: &str) -> String {
        let fill = |text: String, (name, words): (&String, &String)| text.replace(&format!("{{{name}}}"), words);
        fold::pattern(&self.file.words.iter().fold(pattern.to_owned(), fill))
    }
}

/// Sets of topics, of which there are 32: bit n represents the set whose topics are the bits of n.
#[derive(Debug, Clone, Copy, Default)]
struct Sets(u32);

impl Sets {
    fn insert(&mut self, set: u32) {
        self.0 |= 1 << set;
    }

    fn join(&mut self, more: Self) {
        self.0 |= more.0;
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn all(self) -> impl Iterator<Item = u32> {
        (0..u32::BITS).filter(move |set| self.0 & 1 << set != 0)
    }

    /// These sets with one more topic each.
    fn with(self, topic: u32) -> Self {
        Self(self.all().fold(0, |sets, set| sets | 1 << (set | topic)))
    }

    fn has(self, holds: impl Fn(u32) -> bool) -> bool {
        self.all().any(holds)
    }
}

#[cfg(test)]
mod tests;
