//! Texts of the overview.

texts! {
    TITLE = "Welcome, {0}", "Willkommen, {0}";
    SUBTITLE = "{0}: your chatbots at a glance.", "{0}: Ihre Chatbots auf einen Blick.";
    ACTIVE_CHATBOTS = "Active chatbots", "Aktive Chatbots";
    DEACTIVATED_COUNT = "{0} deactivated", "{0} deaktiviert";
    FAILED_COUNT = "{0} failed to get ready", "Vorbereitung gescheitert: {0}";
    CONVERSATIONS = "Conversations", "Gespräche";
    QUESTIONS = "Questions", "Fragen";
    LAST_DAYS = "in the last 30 days", "in den letzten 30 Tagen";
    ORIGINS = "Allowed websites", "Erlaubte Websites";
    ORIGINS_NONE = "no site may show a chatbot yet", "noch darf keine Website einen Chatbot zeigen";
    ORIGINS_SOME = "may show your chatbots", "dürfen Ihre Chatbots zeigen";

    CHECKLIST = "From nothing to a chatbot on your site", "Von null zum Chatbot auf Ihrer Website";
    CHECKLIST_COUNT = "{0} of {1} done", "{0} von {1} erledigt";
    CHECKLIST_DONE = "Your chatbot answers visitors on your website.", "Ihr Chatbot antwortet Besuchern auf Ihrer Website.";
    CHECKLIST_STEPS = "Show the steps", "Schritte zeigen";
    DONE = "Done", "Erledigt";
    BRANDING_STEP = "Give it your look", "Geben Sie ihm Ihr Erscheinungsbild";
    BRANDING_TEXT = "Name, colours and texts of the chat window.", "Name, Farben und Texte des Chatfensters.";
    BRANDING_ACTION = "Edit branding", "Erscheinungsbild bearbeiten";
    ORIGINS_STEP = "Allow your websites", "Erlauben Sie Ihre Websites";
    ORIGINS_TEXT = "A chatbot answers only on the sites in this list.", "Ein Chatbot antwortet nur auf den Websites dieser Liste.";
    ORIGINS_ACTION = "Add a website", "Website eintragen";
    CHATBOT_STEP = "Create a chatbot", "Legen Sie einen Chatbot an";
    CHATBOT_TEXT = "From a template or from nothing; about two minutes.", "Aus einer Vorlage oder von Grund auf; etwa zwei Minuten.";
    CHATBOT_ACTION = "Create", "Anlegen";
    READY_STEP = "Let it get ready", "Lassen Sie ihn vorbereiten";
    READY_TEXT = "Its collection for documents is made and its template's answers are indexed.", "Seine Sammlung für Dokumente ist angelegt, die Antworten der Vorlage sind indexiert.";
    READY_ACTION = "See the state", "Stand ansehen";
    WIDGET_STEP = "Paste the snippet into your site", "Fügen Sie das Snippet in Ihre Website ein";
    WIDGET_TEXT = "Done when the widget on an allowed website has asked.", "Erledigt, sobald das Widget auf einer erlaubten Website angefragt hat.";
    WIDGET_ACTION = "Get the snippet", "Zum Snippet";
    QUESTION_STEP = "Ask the first question", "Stellen Sie die erste Frage";
    QUESTION_TEXT = "Open the chat on your site and ask. Done when a visitor's question has arrived.", "Öffnen Sie den Chat auf Ihrer Website und fragen Sie. Erledigt, sobald die Frage eines Besuchers angekommen ist.";
    QUESTION_ACTION = "Check my page", "Meine Seite prüfen";
    LATEST = "Newest chatbots", "Neueste Chatbots";
    ALL_CHATBOTS = "All chatbots", "Alle Chatbots";
}
