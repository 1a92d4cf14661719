//! The texts of the tenant console in English and German, one file per page. Texts that both consoles use are in
//! `app::i18n::texts`.

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(pub(crate) const $name: app::i18n::Text = app::i18n::Text::new($en, $de);)+
    };
}

pub(crate) mod api_keys;
pub(crate) mod chatbot;
pub(crate) mod chatbot_branding;
pub(crate) mod chatbot_health;
pub(crate) mod chatbots;
pub(crate) mod conversations;
pub(crate) mod create;
pub(crate) mod doctor;
pub(crate) mod document_page;
pub(crate) mod embed;
pub(crate) mod faq;
pub(crate) mod faq_files;
pub(crate) mod feedback;
pub(crate) mod knowledge;
pub(crate) mod knowledge_hub;
pub(crate) mod modules;
pub(crate) mod overview;
pub(crate) mod palette;
pub(crate) mod playground;
pub(crate) mod preferences;
pub(crate) mod sections;
pub(crate) mod settings;
pub(crate) mod sources;
pub(crate) mod template_update;
pub(crate) mod uploads;
pub(crate) mod website;

pub(crate) use app::branding::texts as branding;

texts! {
    CONSOLE = "Tenant console", "Mandantenkonsole";
    OVERVIEW = "Overview", "Übersicht";
    CHATBOTS = "Chatbots", "Chatbots";
    KNOWLEDGE = "Knowledge", "Wissen";
    BRANDING = "Branding", "Erscheinungsbild";
    CONVERSATIONS = "Conversations", "Gespräche";
    MODULES = "Modules", "Module";
    API_KEYS = "API keys", "API-Schlüssel";
    PREFERENCES = "Preferences", "Ihre Einstellungen";
    READ_ONLY = "Only administrators of your organisation can make changes.", "Nur Administratoren Ihrer Organisation können Änderungen vornehmen.";
    READ_ONLY_TITLE = "View-only access", "Nur Lesezugriff";
}
