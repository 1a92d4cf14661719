//! Texts of the comparison of a chatbot with its template.

texts! {
    INTRO = "“{0}” has moved on from version {1} to version {2} since this chatbot took it. Choose for each field whether the chatbot takes the change over.", "„{0}“ ist von Version {1} bei Version {2} angekommen, seit dieser Chatbot sie übernahm. Wählen Sie für jedes Feld, ob der Chatbot die Änderung übernimmt.";
    LEFT_OVER = "These fields of “{0}” were not taken over when the chatbot was last updated.", "Diese Felder von „{0}“ wurden bei der letzten Aktualisierung nicht übernommen.";
    NONE_TITLE = "No template", "Keine Vorlage";
    NONE_TEXT = "This chatbot was made from nothing; there is nothing to update it from.", "Dieser Chatbot entstand ohne Vorlage; es gibt nichts, woraus er aktualisiert werden könnte.";
    WITHDRAWN_TITLE = "The template was withdrawn", "Die Vorlage wurde zurückgezogen";
    WITHDRAWN_TEXT = "The operator no longer offers “{0}”. This chatbot goes on with what it took over.", "Der Betreiber bietet „{0}“ nicht mehr an. Dieser Chatbot läuft mit dem weiter, was er übernommen hat.";
    CURRENT_TITLE = "Up to date", "Auf dem neuesten Stand";
    CURRENT_TEXT = "This chatbot has version {0} of “{1}”, the newest one.", "Dieser Chatbot hat Version {0} von „{1}“, die neueste.";
    SNAPSHOT = "When the chatbot took it", "Bei der Übernahme";
    TEMPLATE = "Template now", "Vorlage jetzt";
    MINE = "This chatbot", "Dieser Chatbot";
    SAME = "The same as when it was taken.", "Wie bei der Übernahme.";
    EMPTY = "empty", "leer";
    CONFLICT = "Changed on both sides", "Auf beiden Seiten geändert";
    NO_CONFLICT = "No conflict", "Kein Konflikt";
    CHOOSE = "{0}: what should the chatbot have?", "{0}: Was soll der Chatbot haben?";
    TAKE = "The template's", "Das der Vorlage";
    TAKE_TEXT = "Takes the change over.", "Übernimmt die Änderung.";
    TAKE_CONFLICT_TEXT = "Replaces what you changed yourselves.", "Ersetzt, was Sie selbst geändert haben.";
    KEEP = "Ours", "Unseres";
    KEEP_TEXT = "Stays as it is; this change is not offered again.", "Bleibt, wie es ist; diese Änderung wird nicht noch einmal angeboten.";
    KEEP_FAQ_TEXT = "The prepared answers stay; the change is still offered later.", "Die vorbereiteten Antworten bleiben; die Änderung wird später weiter angeboten.";
    COUNT = "{0} of {1} changes will be taken over.", "{0} von {1} Änderungen werden übernommen.";
    APPLY = "Update chatbot", "Chatbot aktualisieren";
    CONFIRM_TITLE = "Replace your own changes?", "Eigene Änderungen ersetzen?";
    CONFIRM_TEXT = "You changed these fields yourselves, and the update replaces them: {0}. The audit log keeps what they were.", "Diese Felder haben Sie selbst geändert, die Aktualisierung ersetzt sie: {0}. Das Protokoll behält, was dort stand.";
    CONFIRM = "Replace and update", "Ersetzen und aktualisieren";
    DONE = "The chatbot has version {0} of its template.", "Der Chatbot hat Version {0} seiner Vorlage.";
    MOVED_ON = "The template changed once more while you were looking. Here is the comparison as it is now.", "Die Vorlage hat sich noch einmal geändert, während Sie hinsahen. Hier ist der Vergleich von jetzt.";
    BRANDING_DEFAULTS = "Branding", "Erscheinungsbild";
    NOT_SET = "not set", "nicht gesetzt";
}
