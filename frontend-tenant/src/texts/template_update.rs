//! Texts of the comparison of a chatbot with its template.

texts! {
    INTRO = "“{0}” was updated (v{1} → v{2}). Review the changes.", "„{0}“ wurde aktualisiert (v{1} → v{2}). Prüfen Sie die Änderungen.";
    LEFT_OVER = "These changes to “{0}” weren't applied when the chatbot was last updated.", "Diese Änderungen an „{0}“ wurden bei der letzten Aktualisierung des Chatbots nicht übernommen.";
    NONE_TITLE = "No template", "Keine Vorlage";
    NONE_TEXT = "This chatbot was created without a template, so there's nothing to update.", "Dieser Chatbot wurde ohne Vorlage angelegt. Es gibt nichts zu aktualisieren.";
    WITHDRAWN_TITLE = "Template no longer available", "Vorlage nicht mehr verfügbar";
    WITHDRAWN_TEXT = "“{0}” is no longer offered. This chatbot isn't affected.", "„{0}“ wird nicht mehr angeboten. Dieser Chatbot ist nicht betroffen.";
    CURRENT_TITLE = "Up to date", "Auf dem neuesten Stand";
    CURRENT_TEXT = "This chatbot uses the latest version ({0}) of “{1}”.", "Dieser Chatbot verwendet die neueste Version ({0}) von „{1}“.";
    SNAPSHOT = "Previous template", "Bisherige Vorlage";
    TEMPLATE = "Updated template", "Aktualisierte Vorlage";
    MINE = "This chatbot", "Dieser Chatbot";
    SAME = "Same as the previous template.", "Wie in der bisherigen Vorlage.";
    EMPTY = "empty", "leer";
    CONFLICT = "Changed by you and in the template", "Von Ihnen und in der Vorlage geändert";
    NO_CONFLICT = "No conflict", "Kein Konflikt";
    CHOOSE = "{0}: which version should the chatbot use?", "{0}: Welche Version soll der Chatbot verwenden?";
    TAKE = "Use template", "Vorlage übernehmen";
    TAKE_TEXT = "Applies the template's change.", "Übernimmt die Änderung aus der Vorlage.";
    TAKE_CONFLICT_TEXT = "Replaces your own changes.", "Ersetzt Ihre eigenen Änderungen.";
    KEEP = "Keep ours", "Eigene behalten";
    KEEP_TEXT = "Nothing changes, and this update isn't offered again.", "Nichts ändert sich. Diese Aktualisierung wird nicht erneut angeboten.";
    KEEP_FAQ_TEXT = "The prepared answers stay as they are. This update is still offered later.", "Die vorbereiteten Antworten bleiben unverändert. Diese Aktualisierung wird weiterhin angeboten.";
    COUNT_ONE = "{0} of 1 change will be applied.", "Zu übernehmen: {0} von 1 Änderung.";
    COUNT = "{0} of {1} changes will be applied.", "Zu übernehmen: {0} von {1} Änderungen.";
    APPLY = "Update chatbot", "Chatbot aktualisieren";
    CONFIRM_TITLE = "Replace your changes?", "Eigene Änderungen ersetzen?";
    CONFIRM_TEXT = "The update replaces your changes to these fields: {0}. The previous values stay in the audit log.", "Die Aktualisierung ersetzt Ihre Änderungen in diesen Feldern: {0}. Die bisherigen Werte bleiben im Audit-Log.";
    CONFIRM = "Replace and update", "Ersetzen und aktualisieren";
    DONE = "Chatbot updated to template version {0}.", "Chatbot auf Version {0} der Vorlage aktualisiert.";
    MOVED_ON = "The template was updated again in the meantime. Review the latest changes.", "Die Vorlage wurde inzwischen erneut aktualisiert. Prüfen Sie die neuesten Änderungen.";
    BRANDING_DEFAULTS = "Branding", "Erscheinungsbild";
    NOT_SET = "not set", "nicht gesetzt";
}
