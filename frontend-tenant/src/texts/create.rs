//! Texts of the wizard that creates a chatbot.

texts! {
    TITLE = "New chatbot", "Neuer Chatbot";
    SUBTITLE = "Three steps: choose a template, adjust it, let it get ready.", "Drei Schritte: Vorlage wählen, anpassen, vorbereiten lassen.";
    STEP_TEMPLATE = "Template", "Vorlage";
    STEP_SETTINGS = "Settings", "Einstellungen";
    STEP_PROVISIONING = "Getting ready", "Vorbereitung";

    CHOOSE = "What should it start from?", "Womit soll er beginnen?";
    NO_TEMPLATE = "No template", "Keine Vorlage";
    NO_TEMPLATE_TEXT = "An empty chatbot: you write its texts yourself.", "Ein leerer Chatbot: Sie schreiben seine Texte selbst.";
    NO_TEMPLATE_PREVIEW = "It starts with a short greeting, and without prompt, suggested questions and prepared answers. You set every text in the next step.", "Er beginnt mit einer kurzen Begrüßung, ohne Systemanweisung, vorgeschlagene Fragen und vorbereitete Antworten. Alle Texte setzen Sie im nächsten Schritt.";
    PREVIEW = "What it brings", "Was sie mitbringt";
    PREPARED_TERM = "Prepared answers", "Vorbereitete Antworten";
    TEMPLATE_VERSION = "Version {0}", "Version {0}";

    DEFAULT_WELCOME = "Hello! How can I help?", "Hallo! Wie kann ich helfen?";
    DEFAULT_FALLBACK = "I found nothing about that in my documents. Try other words.", "Dazu habe ich in meinen Dokumenten nichts gefunden. Versuchen Sie es mit anderen Worten.";
    NAME = "Name", "Name";
    NAME_HINT = "Visitors see it in the chat window.", "Besucher sehen ihn im Chatfenster.";
    SLUG = "Slug", "Kurzname";
    SLUG_HINT = "For addresses and commands. It can never be changed.", "Für Adressen und Befehle. Er lässt sich nie mehr ändern.";
    LANGUAGE = "Language of its answers", "Sprache seiner Antworten";
    DESCRIPTION = "Description", "Beschreibung";
    DESCRIPTION_HINT = "For you and your colleagues; visitors never see it.", "Für Sie und Ihre Kollegen; Besucher sehen sie nie.";
    SYSTEM_PROMPT = "System prompt", "Systemanweisung";
    SYSTEM_PROMPT_HINT = "How it should behave: role, tone, limits.", "Wie er sich verhalten soll: Rolle, Ton, Grenzen.";
    WELCOME = "Welcome message", "Begrüßung";
    WELCOME_HINT = "Its first words in the chat window.", "Seine ersten Worte im Chatfenster.";
    QUESTIONS = "Suggested questions", "Vorgeschlagene Fragen";
    QUESTIONS_HINT = "One a line, at most 8. Visitors ask them with one click.", "Eine je Zeile, höchstens 8. Besucher stellen sie mit einem Klick.";
    FALLBACK = "Fallback message", "Ersatzantwort";
    FALLBACK_HINT = "What it says when its documents hold no answer.", "Was er sagt, wenn seine Dokumente keine Antwort enthalten.";
    IDENTITY = "Who it is", "Wer er ist";
    WORDS = "What it says", "Was er sagt";
    FROM_TEMPLATE = "The texts come from “{0}”. What you change here belongs to this chatbot alone.", "Die Texte stammen aus „{0}“. Was Sie hier ändern, gehört nur diesem Chatbot.";
    CREATE = "Create chatbot", "Chatbot anlegen";

    PROGRESS_TITLE = "“{0}” is getting ready", "„{0}“ wird vorbereitet";
    PROGRESS_READY = "“{0}” is ready", "„{0}“ ist bereit";
    PROGRESS_FAILED = "“{0}” is not ready", "„{0}“ ist nicht bereit";
    STAGE_CREATED = "Chatbot and snapshot stored", "Chatbot und Abbild der Vorlage gespeichert";
    STAGE_CREATED_TEXT = "It stands in your list and in the audit log.", "Er steht in Ihrer Liste und im Protokoll.";
    STAGE_COLLECTION = "Collection for its documents made", "Sammlung für seine Dokumente angelegt";
    STAGE_COLLECTION_TEXT = "A place of its own: no other chatbot searches there.", "Ein eigener Ort: Kein anderer Chatbot sucht dort.";
    STAGE_INDEXED_ONE = "1 prepared answer indexed", "1 vorbereitete Antwort indexiert";
    STAGE_INDEXED = "{0} prepared answers indexed", "{0} vorbereitete Antworten indexiert";
    STAGE_INDEXED_TEXT = "It can answer these questions at once.", "Diese Fragen kann er sofort beantworten.";
    STAGE_NONE = "No prepared answers to index", "Keine vorbereiteten Antworten zu indexieren";
    STAGE_NONE_TEXT = "It answers as soon as documents are loaded.", "Er antwortet, sobald Dokumente geladen sind.";
    LOST_TITLE = "The state cannot be read at the moment", "Der Stand lässt sich gerade nicht abrufen";
    OPEN = "Open chatbot", "Chatbot öffnen";
    EMBED = "Put it on your site", "Auf Ihre Website bringen";
    LEAVE_NOTE = "You may leave this page; it goes on without you.", "Sie können diese Seite verlassen; es geht ohne Sie weiter.";
}
