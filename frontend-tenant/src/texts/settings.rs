//! Texts of a chatbot's settings.

texts! {
    SLUG_FIXED = "Slug: {0}. Can't be changed.", "Kurzname: {0}. Nicht änderbar.";
    ANSWERS = "Wording of answers", "Formulierung der Antworten";
    ANSWER_MODEL = "Language model", "Sprachmodell";
    ANSWER_MODEL_DEFAULT = "Default: {0}", "Standard: {0}";
    ANSWER_MODEL_HINT = "A language model writes answers from your documents. Without one, the chatbot quotes sentences from them.", "Ein Sprachmodell formuliert Antworten aus Ihren Dokumenten. Ohne Sprachmodell zitiert der Chatbot deren Sätze.";
    ANSWER_MODEL_AWAY = "This language model isn't available right now. Answers are quoted from the documents until it is back.", "Dieses Sprachmodell ist gerade nicht verfügbar. Bis es wieder da ist, werden Antworten aus den Dokumenten zitiert.";
    ANSWERS_SAVED = "Language model saved.", "Sprachmodell gespeichert.";
    SEARCH = "Search", "Suche";
    MODEL = "Embedding model", "Embedding-Modell";
    MODEL_IN_USE = "Embedding model: {0}", "Embedding-Modell: {0}";
    MODEL_ENGLISH = "{0} (English, fast)", "{0} (Englisch, schnell)";
    MODEL_ALL = "{0} (all languages)", "{0} (alle Sprachen)";
    MODEL_HINT = "The model finds the passages that fit a question. Choose the one for all languages if your documents are not in English.", "Das Modell findet die Abschnitte, die zu einer Frage passen. Wählen Sie das Modell für alle Sprachen, wenn Ihre Dokumente nicht auf Englisch sind.";
    MODEL_CHANGE_TITLE = "Switch the embedding model?", "Embedding-Modell wechseln?";
    MODEL_CHANGE_TEXT = "All passages are processed again with {0}. This runs in the background and can take a while. Until it's done, your chatbot answers with the current model.", "Alle Abschnitte werden mit {0} neu verarbeitet. Das läuft im Hintergrund und kann eine Weile dauern. Bis dahin antwortet Ihr Chatbot mit dem bisherigen Modell.";
    MODEL_CHANGE = "Switch model", "Modell wechseln";
    MODEL_CHANGES = "The switch has started.", "Der Wechsel hat begonnen.";
    MODEL_MOVING = "Switching to {0}: {1} of {2} passages done. Until then, your chatbot answers with the current model.", "Wechsel zu {0}: {1} von {2} Abschnitten fertig. Bis dahin antwortet Ihr Chatbot mit dem bisherigen Modell.";
    MODEL_PROGRESS = "Progress of the switch", "Fortschritt des Wechsels";
    MODEL_STAY = "Keep the current model", "Beim bisherigen Modell bleiben";
    MODEL_STAYS = "Your chatbot keeps its model.", "Ihr Chatbot behält sein Modell.";
    LANGUAGES = "Answer questions in other languages", "Fragen in anderen Sprachen beantworten";
    LANGUAGES_HINT = "Visitors can ask in German, French or Spanish, for example, and get answers from your English documents. Needs about 2 KB of storage per passage.", "Besucher können zum Beispiel auf Deutsch, Französisch oder Spanisch fragen und erhalten Antworten aus Ihren englischen Dokumenten. Benötigt etwa 2 KB Speicher pro Abschnitt.";
    LANGUAGES_PREPARING = "Your documents are being prepared for questions in other languages.", "Ihre Dokumente werden für Fragen in anderen Sprachen vorbereitet.";
    LANGUAGES_ON = "Questions in other languages will be answered.", "Fragen in anderen Sprachen werden beantwortet.";
    LANGUAGES_OFF = "Questions in other languages are no longer answered.", "Fragen in anderen Sprachen werden nicht mehr beantwortet.";
    SAVE = "Save settings", "Einstellungen speichern";
    SAVED = "Settings saved and live.", "Einstellungen gespeichert und aktiv.";
    SMALL_TALK = "Small talk", "Small Talk";
    SMALL_TALK_TEXT = "What the chatbot says to messages that ask nothing. Leave a field empty to use the standard reply in the visitor's language.", "Was der Chatbot auf Nachrichten ohne Frage antwortet. Bleibt ein Feld leer, gilt die Standardantwort in der Sprache des Besuchers.";
    GREETING = "Reply to a greeting", "Antwort auf eine Begrüßung";
    THANKS = "Reply to thanks", "Antwort auf einen Dank";
    GOODBYE = "Reply to a goodbye", "Antwort auf eine Verabschiedung";
    ROBOT = "Reply to “Are you a robot?”", "Antwort auf „Bist du ein Roboter?“";
    HUMAN = "Reply to “Can I talk to a human?”", "Antwort auf „Kann ich mit einem Menschen sprechen?“";
}
