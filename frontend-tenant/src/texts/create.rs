//! Texts of the wizard that creates a chatbot.

texts! {
    TITLE = "New chatbot", "Neuer Chatbot";
    SUBTITLE = "Choose a template, adjust it, create, add knowledge.", "Vorlage wählen, anpassen, anlegen, Wissen hinzufügen.";
    STEP_TEMPLATE = "Template", "Vorlage";
    STEP_SETTINGS = "Settings", "Einstellungen";
    STEP_PROVISIONING = "Setup", "Einrichtung";
    STEP_KNOWLEDGE = "Knowledge", "Wissen";

    CHOOSE = "Start from a template", "Mit einer Vorlage beginnen";
    NO_TEMPLATE = "No template", "Keine Vorlage";
    NO_TEMPLATE_TEXT = "Start with an empty chatbot and write all texts yourself.", "Beginnen Sie mit einem leeren Chatbot und schreiben Sie alle Texte selbst.";
    NO_TEMPLATE_PREVIEW = "Starts with a short welcome message, but no system prompt, suggested questions or prepared answers. You can edit all texts in the next step.", "Beginnt mit einer kurzen Begrüßung, aber ohne System-Prompt, vorgeschlagene Fragen oder vorbereitete Antworten. Alle Texte können Sie im nächsten Schritt bearbeiten.";
    PREVIEW = "What's included", "Das ist enthalten";
    PREPARED_TERM = "Prepared answers", "Vorbereitete Antworten";
    PREPARED_NONE = "None", "Keine";
    PREPARED_NOTE = "The chatbot will say this. They become your custom answers, which you can edit and delete.", "Das wird der Chatbot sagen. Es werden Ihre eigenen Antworten, die Sie bearbeiten und löschen können.";
    TEMPLATE_VERSION = "Version {0}", "Version {0}";

    DEFAULT_WELCOME = "Hello! How can I help?", "Hallo! Wie kann ich Ihnen helfen?";
    DEFAULT_FALLBACK = "I couldn't find an answer to that. Try rephrasing your question.", "Dazu habe ich leider nichts gefunden. Bitte formulieren Sie Ihre Frage anders.";
    NAME = "Name", "Name";
    NAME_HINT = "Shown in the chat window unless the branding sets a title or display name.", "Erscheint im Chatfenster, sofern das Erscheinungsbild keinen Titel oder Anzeigenamen vorgibt.";
    SLUG = "Slug", "Kurzname";
    SLUG_HINT = "Used in URLs and the command line. Can't be changed later.", "Für URLs und die Kommandozeile. Später nicht mehr änderbar.";
    LANGUAGE = "Answer language", "Sprache der Antworten";
    DESCRIPTION = "Description", "Beschreibung";
    DESCRIPTION_HINT = "For you and your colleagues. Not visible to visitors.", "Für Sie und Ihr Team. Für Besucher nicht sichtbar.";
    SYSTEM_PROMPT = "System prompt", "System-Prompt";
    LANGUAGE_COMPLETE = "Chat window, ready-made replies and search all support this language.", "Chatfenster, fertige Antworten und Suche unterstützen diese Sprache vollständig.";
    LANGUAGE_PARTIAL = "Search works in this language ({0}). The chat window's buttons and ready-made replies are in English.", "Die Suche funktioniert in dieser Sprache ({0}). Buttons im Chatfenster und fertige Antworten sind auf Englisch.";
    SYSTEM_PROMPT_UNUSED = "Has no effect at the moment: this platform has no language model, so answers are quoted from your documents. It applies as soon as the operator connects one.", "Derzeit ohne Wirkung: Diese Plattform hat kein Sprachmodell, Antworten werden aus Ihren Dokumenten zitiert. Der System-Prompt gilt, sobald der Betreiber eines anbindet.";
    SYSTEM_PROMPT_HINT = "How the chatbot should behave: role, tone, limits.", "Wie sich der Chatbot verhalten soll: Rolle, Ton, Grenzen.";
    WELCOME = "Welcome message", "Begrüßung";
    WELCOME_HINT = "The first message in the chat window.", "Die erste Nachricht im Chatfenster.";
    QUESTIONS = "Suggested questions", "Vorgeschlagene Fragen";
    QUESTIONS_HINT = "One per line, up to 8. Visitors can ask them with one click.", "Eine pro Zeile, höchstens 8. Besucher können sie mit einem Klick stellen.";
    FALLBACK = "Fallback message", "Fallback-Nachricht";
    FALLBACK_HINT = "Sent when the chatbot has no answer.", "Wird gesendet, wenn der Chatbot keine Antwort hat.";
    IDENTITY = "Basics", "Allgemein";
    WORDS = "Messages", "Nachrichten";
    FROM_TEMPLATE = "These texts come from “{0}”. Your changes only affect this chatbot.", "Diese Texte stammen aus „{0}“. Ihre Änderungen betreffen nur diesen Chatbot.";
    CREATE = "Create chatbot", "Chatbot anlegen";

    PROGRESS_TITLE = "Setting up “{0}”", "„{0}“ wird eingerichtet";
    PROGRESS_READY = "“{0}” is ready", "„{0}“ ist bereit";
    PROGRESS_FAILED = "“{0}” isn't ready yet", "„{0}“ ist noch nicht bereit";
    STAGE_CREATED = "Chatbot created", "Chatbot angelegt";
    STAGE_CREATED_TEXT = "Added to your chatbots.", "Zu Ihren Chatbots hinzugefügt.";
    STAGE_COLLECTION = "Knowledge base created", "Wissensbasis angelegt";
    STAGE_COLLECTION_TEXT = "Private to this chatbot.", "Nur für diesen Chatbot.";
    STAGE_INDEXED_ONE = "1 prepared answer indexed", "1 vorbereitete Antwort indexiert";
    STAGE_INDEXED = "{0} prepared answers indexed", "{0} vorbereitete Antworten indexiert";
    STAGE_INDEXED_TEXT = "Edit or delete them under Knowledge › Custom answers.", "Sie können sie unter „Wissen › Eigene Antworten“ bearbeiten oder löschen.";
    STAGE_NONE = "No prepared answers", "Keine vorbereiteten Antworten";
    STAGE_NONE_TEXT = "The chatbot can answer once documents are added.", "Der Chatbot kann antworten, sobald Sie Dokumente hinzufügen.";
    LOST_TITLE = "Can't check the status right now", "Der Status lässt sich gerade nicht abrufen";
    OPEN = "Open chatbot", "Chatbot öffnen";
    EMBED = "Add to your website", "In Website einbinden";
    ADD_DOCUMENTS = "Add documents", "Dokumente hinzufügen";
    KNOWLEDGE_TITLE = "What should “{0}” answer from?", "Woraus soll „{0}“ antworten?";
    KNOWLEDGE_TEXT = "Choose one way to begin with. You can combine them and add more at any time.", "Wählen Sie, womit Sie anfangen. Alles lässt sich kombinieren und jederzeit ergänzen.";
    FILES_WAY = "Upload files", "Dateien hochladen";
    FILES_WAY_TEXT = "For manuals, price lists, terms and other documents on your computer.", "Für Anleitungen, Preislisten, Bedingungen und andere Dokumente auf Ihrem Computer.";
    WEBSITE_WAY = "Read a website", "Website lesen";
    WEBSITE_WAY_TEXT = "For answers that are already on your website. The chatbot reads its pages and can read them again on a schedule.", "Für Antworten, die bereits auf Ihrer Website stehen. Der Chatbot liest die Seiten und auf Wunsch regelmäßig erneut.";
    API_WAY = "API", "API";
    API_WAY_TEXT = "For content from your own systems, such as a shop or a help desk. Your program sends its documents to a source at this address:", "Für Inhalte aus Ihren eigenen Systemen, zum Beispiel Shop oder Helpdesk. Ihr Programm sendet die Dokumente an eine Quelle unter dieser Adresse:";
    API_ADDRESS = "Address of the sources", "Adresse der Quellen";
    LATER = "Later", "Später";
    LEAVE_NOTE = "You can leave this page. Setup continues in the background.", "Sie können diese Seite verlassen. Die Einrichtung läuft im Hintergrund weiter.";
}
