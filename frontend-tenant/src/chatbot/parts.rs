//! The pages of a chatbot in groups, with their names and addresses.

use app::i18n::Text;
use contract::ChatbotId;

use crate::{paths, texts::sections};

/// A group of pages of a chatbot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Overview,
    Knowledge,
    Inbox,
    Test,
    Design,
    Install,
    Settings,
}

impl Section {
    /// All groups, in the order of the links.
    pub(super) const ALL: [Self; 7] =
        [Self::Overview, Self::Knowledge, Self::Inbox, Self::Test, Self::Design, Self::Install, Self::Settings];

    pub(super) const fn label(self) -> Text {
        match self {
            Self::Overview => sections::OVERVIEW,
            Self::Knowledge => sections::KNOWLEDGE,
            Self::Inbox => sections::INBOX,
            Self::Test => sections::TEST,
            Self::Design => sections::DESIGN,
            Self::Install => sections::INSTALL,
            Self::Settings => sections::SETTINGS,
        }
    }

    /// Its pages; its link opens the first one.
    pub(super) const fn parts(self) -> &'static [Part] {
        match self {
            Self::Overview => &[Part::Overview],
            Self::Knowledge => &[Part::Documents, Part::Answers, Part::Websites],
            Self::Inbox => &[Part::Questions, Part::Feedback, Part::Conversations],
            Self::Test => &[Part::Test],
            Self::Design => &[Part::Design],
            Self::Install => &[Part::Install],
            Self::Settings => &[Part::Settings, Part::Template],
        }
    }
}

/// Every page of a chatbot with its name and address.
pub(crate) fn pages(id: ChatbotId) -> Vec<(Text, String)> {
    let parts = Section::ALL.into_iter().flat_map(|section| section.parts());
    parts.map(|part| (part.label(), part.href(id))).collect()
}

/// A page of a chatbot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Overview,
    Documents,
    Answers,
    Websites,
    Questions,
    Feedback,
    Conversations,
    Test,
    Design,
    Install,
    Settings,
    Template,
}

impl Part {
    pub(super) const fn label(self) -> Text {
        match self {
            Self::Overview => sections::OVERVIEW,
            Self::Documents => sections::DOCUMENTS,
            Self::Answers => sections::ANSWERS,
            Self::Websites => sections::WEBSITES,
            Self::Questions => sections::QUESTIONS,
            Self::Feedback => sections::FEEDBACK,
            Self::Conversations => sections::CONVERSATIONS,
            Self::Test => sections::TEST,
            Self::Design => sections::DESIGN,
            Self::Install => sections::INSTALL,
            Self::Settings => sections::GENERAL,
            Self::Template => sections::TEMPLATE,
        }
    }

    pub(super) fn href(self, id: ChatbotId) -> String {
        match self {
            Self::Overview => paths::chatbot(id),
            Self::Documents => paths::documents(id),
            Self::Answers => paths::answers(id),
            Self::Websites => paths::websites(id),
            Self::Questions => paths::unanswered(id),
            Self::Feedback => paths::feedback(id),
            Self::Conversations => paths::chatbot_conversations(id),
            Self::Test => paths::test(id),
            Self::Design => paths::design(id),
            Self::Install => paths::install(id),
            Self::Settings => paths::settings(id),
            Self::Template => paths::template(id),
        }
    }
}
