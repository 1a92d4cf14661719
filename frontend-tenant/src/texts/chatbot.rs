//! Texts of a chatbot's page.

texts! {
    EMBED = "Embed", "Einbinden";
    EMBED_TEXT = "Paste this line before the closing body tag of each page that should show the chatbot.", "Fügen Sie diese Zeile vor dem schließenden body-Tag jeder Seite ein, die den Chatbot zeigen soll.";
    SNIPPET = "Embed snippet", "Snippet zum Einbinden";
    CSP = "Content security policy", "Content-Security-Policy";
    CSP_TEXT = "Only if your site sends a Content-Security-Policy header: add these sources.", "Nur wenn Ihre Website einen Content-Security-Policy-Header sendet: Ergänzen Sie diese Quellen.";
    NO_ORIGINS_TITLE = "No website may show this chatbot yet", "Noch darf keine Website diesen Chatbot zeigen";
    NO_ORIGINS_TEXT = "Its widget stays silent until you allow your website.", "Sein Widget bleibt stumm, bis Sie Ihre Website erlauben.";
    NO_ORIGINS_ACTION = "Allow a website", "Website erlauben";
    ORIGINS = "It answers on", "Er antwortet auf";
    DETAILS = "Details", "Angaben";
    TEMPLATE = "Template", "Vorlage";
    TEMPLATE_VALUE = "{0}, version {1}", "{0}, Version {1}";
    NO_TEMPLATE = "none", "keine";
    COLLECTION = "Collection", "Sammlung";
    ID = "Id", "Kennung";
    DEACTIVATED_AT = "Deactivated", "Deaktiviert";
    DEACTIVATED_TITLE = "This chatbot is deactivated", "Dieser Chatbot ist deaktiviert";
    DEACTIVATED_TEXT = "Its widget answers nobody. Its conversations and settings are kept.", "Sein Widget antwortet niemandem. Gespräche und Einstellungen bleiben erhalten.";
    FAILED_TITLE = "The collection could not be made", "Die Sammlung konnte nicht angelegt werden";
    FAILED_TEXT = "This chatbot cannot answer from documents yet. The platform tries again by itself; you can also try now.", "Dieser Chatbot kann noch nicht aus Dokumenten antworten. Die Plattform versucht es von selbst erneut; Sie können es auch jetzt versuchen.";
    PENDING_TITLE = "Getting ready", "Wird vorbereitet";
    PENDING_TEXT = "The collection for its documents is being made. This page follows by itself.", "Die Sammlung für seine Dokumente wird angelegt. Diese Seite folgt von selbst.";
    RETRY = "Try now", "Jetzt versuchen";

    DEACTIVATE = "Deactivate", "Deaktivieren";
    DEACTIVATE_TITLE = "Deactivate “{0}”?", "„{0}“ deaktivieren?";
    DEACTIVATE_TEXT = "Its widget stops answering on every website at once, also in conversations that are open now. Settings, documents and conversations are kept. It cannot be activated again here.", "Sein Widget antwortet sofort auf keiner Website mehr, auch nicht in gerade offenen Gesprächen. Einstellungen, Dokumente und Gespräche bleiben erhalten. Hier lässt er sich nicht wieder aktivieren.";
    DEACTIVATE_CARD = "Take it off duty", "Außer Dienst stellen";
    DEACTIVATE_CARD_TEXT = "Deactivating stops its widget everywhere. Nothing is deleted.", "Deaktivieren stoppt sein Widget überall. Nichts wird gelöscht.";
    DEACTIVATED_TOAST = "“{0}” is deactivated.", "„{0}“ ist deaktiviert.";
}
