//! Texts of a chatbot's page.

texts! {
    EMBED = "Embed", "Einbinden";
    EMBED_TEXT = "Paste this snippet before the closing </body> tag of every page that should show the chatbot.", "Fügen Sie dieses Snippet vor dem schließenden </body>-Tag jeder Seite ein, die den Chatbot zeigen soll.";
    SNIPPET = "Embed snippet", "Snippet zum Einbinden";
    CSP = "Content security policy", "Content-Security-Policy";
    CSP_TEXT = "If your site sends a Content-Security-Policy header, add these sources.", "Falls Ihre Website einen Content-Security-Policy-Header sendet, ergänzen Sie diese Quellen.";
    NO_ORIGINS_TITLE = "No allowed websites yet", "Noch keine freigegebenen Websites";
    NO_ORIGINS_TEXT = "The widget won't load until you allow a website.", "Das Widget wird erst geladen, wenn Sie eine Website freigeben.";
    NO_ORIGINS_ACTION = "Allow a website", "Website freigeben";
    ORIGINS = "Allowed websites", "Freigegebene Websites";
    DETAILS = "Details", "Details";
    TEMPLATE = "Template", "Vorlage";
    TEMPLATE_VALUE = "{0}, version {1}", "{0}, Version {1}";
    NO_TEMPLATE = "none", "keine";
    COLLECTION = "Knowledge base", "Wissensbasis";
    EMBEDDING_MODEL = "Embedding model", "Embedding-Modell";
    REINDEXING = "Switching to {0}: {1} of {2} passages done. Until then, searches use the current model.", "Wechsel zu {0}: {1} von {2} Abschnitten fertig. Bis dahin wird mit dem bisherigen Modell gesucht.";
    ID = "ID", "ID";
    DEACTIVATED_AT = "Deactivated", "Deaktiviert";
    DEACTIVATED_TITLE = "This chatbot is deactivated", "Dieser Chatbot ist deaktiviert";
    DEACTIVATED_TEXT = "Its widget no longer answers visitors. Conversations and settings are kept.", "Das Widget antwortet Besuchern nicht mehr. Gespräche und Einstellungen bleiben erhalten.";
    FAILED_TITLE = "The knowledge base couldn't be created", "Die Wissensbasis konnte nicht angelegt werden";
    FAILED_TEXT = "This chatbot can't answer from documents yet. The platform retries automatically, or you can retry now.", "Dieser Chatbot kann noch nicht aus Dokumenten antworten. Die Plattform versucht es automatisch erneut. Sie können es auch selbst versuchen.";
    PENDING_TITLE = "Setting up", "Wird eingerichtet";
    PENDING_TEXT = "The knowledge base is being created. This page updates automatically.", "Die Wissensbasis wird angelegt. Diese Seite aktualisiert sich automatisch.";
    RETRY = "Retry now", "Jetzt erneut versuchen";

    MANAGE = "Manage chatbot", "Chatbot verwalten";
    DEACTIVATE = "Deactivate", "Deaktivieren";
    DEACTIVATE_TITLE = "Deactivate “{0}”?", "„{0}“ deaktivieren?";
    DEACTIVATE_TEXT = "The widget stops working on all websites immediately, including in open conversations. Settings, documents and conversations are kept. You can reactivate the chatbot at any time.", "Das Widget wird sofort auf allen Websites abgeschaltet, auch in laufenden Gesprächen. Einstellungen, Dokumente und Gespräche bleiben erhalten. Sie können den Chatbot jederzeit wieder aktivieren.";
    DEACTIVATE_CARD = "Deactivate chatbot", "Chatbot deaktivieren";
    DEACTIVATE_CARD_TEXT = "Turns the widget off on all websites. Nothing is deleted.", "Schaltet das Widget auf allen Websites ab. Es wird nichts gelöscht.";
    REACTIVATE = "Reactivate", "Wieder aktivieren";
    REACTIVATE_CARD = "Reactivate chatbot", "Chatbot wieder aktivieren";
    REACTIVATE_CARD_TEXT = "Turns the widget on again on all websites that have the snippet, with its settings, documents and conversations.", "Schaltet das Widget auf allen Websites mit dem Snippet wieder ein. Einstellungen, Dokumente und Gespräche sind noch da.";
    REACTIVATED_TOAST = "“{0}” is active again.", "„{0}“ ist wieder aktiv.";
    DEACTIVATED_TOAST = "“{0}” deactivated.", "„{0}“ deaktiviert.";

    DUPLICATE = "Duplicate", "Duplizieren";
    DUPLICATE_TITLE = "Duplicate chatbot", "Chatbot duplizieren";
    DUPLICATE_TEXT = "The copy has the same settings, template, branding, custom answers and sources. Its files and websites are read again in the background. Conversations and feedback are not copied.", "Die Kopie übernimmt Einstellungen, Vorlage, Erscheinungsbild, eigene Antworten und Quellen. Dateien und Websites werden im Hintergrund neu gelesen. Gespräche und Feedback werden nicht kopiert.";
    DUPLICATE_CARD = "Duplicate chatbot", "Chatbot duplizieren";
    DUPLICATE_CARD_TEXT = "Makes a new chatbot with the same settings and sources.", "Legt einen neuen Chatbot mit denselben Einstellungen und Quellen an.";
    DUPLICATED_TOAST = "“{0}” created.", "„{0}“ angelegt.";
    COPY_NAME = "{0} copy", "{0} Kopie";

    ERASE = "Delete for good", "Endgültig löschen";
    ERASE_TITLE = "Delete “{0}” for good?", "„{0}“ endgültig löschen?";
    ERASE_TEXT = "This deletes its documents, your custom answers, all conversations and feedback, its settings and its branding. Nobody can restore them. The platform's audit log records the deletion, but no texts.", "Damit löschen Sie Dokumente, eigene Antworten, alle Gespräche und Feedback, Einstellungen und Erscheinungsbild dieses Chatbots. Niemand kann sie wiederherstellen. Das Audit-Log der Plattform hält die Löschung fest, aber keine Texte.";
    ERASE_CARD = "Delete chatbot for good", "Chatbot endgültig löschen";
    ERASE_CARD_TEXT = "Removes the chatbot with everything it knows and everything visitors asked.", "Entfernt den Chatbot mit allem, was er weiß und was Besucher gefragt haben.";
    ERASED_TOAST = "“{0}” deleted for good.", "„{0}“ endgültig gelöscht.";
}
