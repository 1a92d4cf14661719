//! Texts of the overview.

texts! {
    TITLE = "Welcome, {0}", "Willkommen, {0}";
    SUBTITLE = "{0}: your chatbots at a glance.", "{0}: Ihre Chatbots auf einen Blick.";
    ACTIVE_CHATBOTS = "Active chatbots", "Aktive Chatbots";
    DEACTIVATED_COUNT = "{0} deactivated", "{0} deaktiviert";
    FAILED_COUNT = "Setup failed: {0}", "Einrichtung fehlgeschlagen: {0}";
    CONVERSATIONS = "Conversations", "Gespräche";
    QUESTIONS = "Questions", "Fragen";
    LAST_DAYS = "in the last 30 days", "in den letzten 30 Tagen";
    ORIGINS = "Allowed websites", "Freigegebene Websites";
    ORIGINS_NONE = "no website can show your chatbots yet", "noch darf keine Website Ihre Chatbots zeigen";
    ORIGINS_SOME = "can show your chatbots", "dürfen Ihre Chatbots zeigen";

    CHECKLIST = "Set up your chatbot", "Chatbot einrichten";
    CHECKLIST_COUNT = "{0} of {1} done", "{0} von {1} erledigt";
    DONE = "Done", "Erledigt";
    BRANDING_STEP = "Set up your branding", "Erscheinungsbild festlegen";
    BRANDING_TEXT = "Name, colours and texts of the chat window.", "Name, Farben und Texte des Chatfensters.";
    BRANDING_ACTION = "Edit branding", "Erscheinungsbild bearbeiten";
    ORIGINS_STEP = "Allow your websites", "Websites freigeben";
    ORIGINS_TEXT = "Chatbots only work on the websites you allow.", "Chatbots funktionieren nur auf freigegebenen Websites.";
    ORIGINS_ACTION = "Add website", "Website hinzufügen";
    CHATBOT_STEP = "Create a chatbot", "Chatbot anlegen";
    CHATBOT_TEXT = "From a template or from scratch, in about two minutes.", "Aus einer Vorlage oder von Grund auf, in etwa zwei Minuten.";
    CHATBOT_ACTION = "Create", "Anlegen";
    READY_STEP = "Wait for setup to finish", "Einrichtung abwarten";
    READY_TEXT = "Creates the knowledge base and indexes the template's answers.", "Die Wissensbasis wird angelegt, und die Antworten der Vorlage werden indexiert.";
    READY_ACTION = "View status", "Status ansehen";
    WIDGET_STEP = "Add the snippet to your website", "Snippet in Website einfügen";
    WIDGET_TEXT = "Done when the widget is detected on an allowed website.", "Erledigt, sobald das Widget auf einer freigegebenen Website erkannt wird.";
    WIDGET_ACTION = "Get the snippet", "Zum Snippet";
    QUESTION_STEP = "Ask the first question", "Erste Frage stellen";
    QUESTION_TEXT = "Open the chat on your website and ask a question. Done when the first visitor question arrives.", "Öffnen Sie den Chat auf Ihrer Website und stellen Sie eine Frage. Erledigt, sobald die erste Frage eines Besuchers eingeht.";
    QUESTION_ACTION = "Check your page", "Seite prüfen";
    OPEN = "Needs attention", "Zu erledigen";
    OPEN_NOTHING = "All done", "Alles erledigt";
    OPEN_NOTHING_TEXT = "Open questions, negative ratings, refused websites and unread documents appear here.", "Hier erscheinen offene Fragen, negative Bewertungen, abgelehnte Websites und nicht lesbare Dokumente.";
    OPEN_QUESTION = "1 question without an answer", "1 Frage ohne Antwort";
    OPEN_QUESTIONS = "{0} questions without an answer", "{0} Fragen ohne Antwort";
    OPEN_RATING = "1 negative rating", "1 negative Bewertung";
    OPEN_RATINGS = "{0} negative ratings", "{0} negative Bewertungen";
    OPEN_WEBSITE = "1 website was refused", "1 Website wurde abgelehnt";
    OPEN_WEBSITES = "{0} websites were refused", "{0} Websites wurden abgelehnt";
    OPEN_DOCUMENT = "1 document could not be read", "1 Dokument konnte nicht gelesen werden";
    OPEN_DOCUMENTS = "{0} documents could not be read", "{0} Dokumente konnten nicht gelesen werden";
    OPEN_TEMPLATE = "The template has a newer version", "Die Vorlage hat eine neuere Version";
    LATEST = "Newest chatbots", "Neueste Chatbots";
    ALL_CHATBOTS = "All chatbots", "Alle Chatbots";
}
