//! Names of the pages of a chatbot.

texts! {
    PAGES = "Pages of this chatbot", "Seiten dieses Chatbots";
    EMBED = "Embed", "Einbinden";
    DOCTOR = "Websites", "Websites";
    SETTINGS = "Settings", "Einstellungen";
    BRANDING = "Branding", "Erscheinungsbild";
    TEMPLATE = "Template", "Vorlage";
    PLAYGROUND = "Playground", "Testen";
    UNANSWERED = "Unanswered", "Unbeantwortet";
    KNOWLEDGE = "Knowledge", "Wissen";
    FEEDBACK = "Feedback", "Feedback";
}
