//! Entity types of the audit log and their groups.

use super::{ACTIONS, Action, BilingualText};

/// An area of the platform, the group of its actions in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// Tenants and what operators set for them.
    Tenants,
    /// Chatbots and their branding.
    Chatbots,
    /// The sources of chatbots.
    Knowledge,
    /// Conversations and feedback.
    Visitors,
    /// The search of a tenant's users.
    KnowledgeHub,
    /// Data shared by all tenants.
    Platform,
}

impl Area {
    /// Every area.
    pub const ALL: [Self; 6] =
        [Self::Tenants, Self::Chatbots, Self::Knowledge, Self::Visitors, Self::KnowledgeHub, Self::Platform];

    /// Its name.
    pub const fn label(self) -> BilingualText {
        match self {
            Self::Tenants => BilingualText::new("Tenants", "Mandanten"),
            Self::Chatbots => BilingualText::new("Chatbots", "Chatbots"),
            Self::Knowledge => BilingualText::new("Knowledge", "Wissen"),
            Self::Visitors => BilingualText::new("Conversations and feedback", "Gespräche und Feedback"),
            Self::KnowledgeHub => BilingualText::new("Knowledge hub", "Wissenssuche"),
            Self::Platform => BilingualText::new("Platform", "Plattform"),
        }
    }

    /// The kinds of things of the area.
    pub fn kinds(self) -> impl Iterator<Item = &'static Kind> {
        KINDS.iter().filter(move |kind| kind.area == self)
    }

    /// The actions on things of the area's kinds.
    pub fn actions(self) -> impl Iterator<Item = &'static Action> {
        ACTIONS.iter().filter(move |action| kind_of(action).is_some_and(|kind| kind.area == self))
    }
}

/// A kind of things.
#[derive(Debug)]
pub struct Kind {
    /// Its value in the log.
    pub code: &'static str,
    /// What one of them is called.
    pub label: BilingualText,
    area: Area,
}

const fn new(area: Area, code: &'static str, en: &'static str, de: &'static str) -> Kind {
    Kind { code, label: BilingualText::new(en, de), area }
}

/// Every kind.
pub const KINDS: &[Kind] = &[
    new(Area::Tenants, "tenant", "Tenant", "Mandant"),
    new(Area::Tenants, "tenant_branding", "Branding of a tenant", "Erscheinungsbild eines Mandanten"),
    new(Area::Tenants, "tenant_module", "Module of a tenant", "Modul eines Mandanten"),
    new(Area::Tenants, "user", "Person", "Person"),
    new(Area::Tenants, "api_key", "API key", "API-Schlüssel"),
    new(Area::Tenants, "allowed_host", "Website allowed without verification", "Ohne Bestätigung freigegebene Website"),
    new(Area::Chatbots, "chatbot", "Chatbot", "Chatbot"),
    new(Area::Chatbots, "chatbot_branding", "Branding of a chatbot", "Erscheinungsbild eines Chatbots"),
    new(Area::Knowledge, "chatbot_document", "Document", "Dokument"),
    new(Area::Knowledge, "chatbot_faq", "Custom answer", "Eigene Antwort"),
    new(Area::Knowledge, "chatbot_source", "Source", "Quelle"),
    new(Area::Visitors, "chat_session", "Conversation", "Gespräch"),
    new(Area::Visitors, "conversations", "Export of conversations", "Export von Gesprächen"),
    new(Area::Visitors, "chatbot_feedback", "Feedback", "Feedback"),
    new(Area::Visitors, "feedback", "Export of feedback", "Export von Feedback"),
    new(Area::Visitors, "unanswered_question", "Unanswered question", "Unbeantwortete Frage"),
    new(Area::KnowledgeHub, "knowledge_bookmark", "Bookmark", "Lesezeichen"),
    new(Area::KnowledgeHub, "knowledge_saved_search", "Saved search", "Gespeicherte Suche"),
    new(Area::Platform, "template", "Template", "Vorlage"),
    new(Area::Platform, "module", "Module", "Modul"),
    new(
        Area::Platform,
        "output_filter_audit",
        "Export of output filter events",
        "Export von Ereignissen des Ausgabefilters",
    ),
];

/// The kind with this value in the log.
pub fn kind(code: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.code == code)
}

/// The kind that an action is named after.
fn kind_of(action: &Action) -> Option<&'static Kind> {
    kind(action.code.split_once('.')?.0)
}

#[cfg(test)]
mod tests {
    use contract::audit::actions;

    use super::*;

    #[test]
    fn every_action_is_in_one_area() {
        let mut grouped: Vec<_> = Area::ALL.into_iter().flat_map(Area::actions).map(|action| action.code).collect();
        grouped.sort_unstable();
        let mut all = actions::ALL.to_vec();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn every_kind_has_an_action() {
        for kind in KINDS {
            assert!(
                ACTIONS.iter().any(|action| kind_of(action).is_some_and(|of| of.code == kind.code)),
                "{}",
                kind.code
            );
        }
    }
}
