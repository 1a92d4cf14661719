//! Names of the pages of a chatbot, and of their parts.

texts! {
    PAGES = "Pages of this chatbot", "Seiten dieses Chatbots";
    OVERVIEW = "Overview", "Übersicht";
    KNOWLEDGE = "Knowledge", "Wissen";
    INBOX = "Inbox", "Posteingang";
    TEST = "Test", "Testen";
    DESIGN = "Design", "Design";
    INSTALL = "Install", "Einbinden";
    SETTINGS = "Settings", "Einstellungen";

    PARTS_OF = "Parts of “{0}”", "Bereiche von „{0}“";
    DOCUMENTS = "Documents", "Dokumente";
    ANSWERS = "Custom answers", "Eigene Antworten";
    WEBSITES = "Websites", "Websites";
    QUESTIONS = "Unanswered", "Unbeantwortet";
    FEEDBACK = "Feedback", "Feedback";
    CONVERSATIONS = "Conversations", "Gespräche";
    GENERAL = "General", "Allgemein";
    TEMPLATE = "Template", "Vorlage";
}
