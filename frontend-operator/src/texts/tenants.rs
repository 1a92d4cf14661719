//! Texts of a tenant's pages.

texts! {
    BRANDING = "Branding", "Erscheinungsbild";
    BRANDING_SUBTITLE = "How the chat window of {0} looks, and which websites can show it.", "Wie das Chatfenster von {0} aussieht und welche Websites es zeigen dürfen.";
    BRANDING_EDIT = "Edit branding", "Erscheinungsbild bearbeiten";
    NO_ORIGINS = "No allowed websites yet. The widget won't load anywhere.", "Noch keine freigegebenen Websites. Das Widget wird nirgends geladen.";
    ORIGINS = "Allowed websites", "Freigegebene Websites";
    COLOURS = "Colours", "Farben";
    COLOURS_DEFAULT = "Platform default", "Standard der Plattform";
    CUSTOM_CSS = "Custom CSS", "Eigenes CSS";
    CUSTOM_CSS_HINT = "Applied to the widget after its own styles, up to 20 kB. Visible to operators only.", "Wird im Widget nach dessen eigenen Stilen angewendet, höchstens 20 kB. Nur für Betreiber sichtbar.";
    CUSTOM_CSS_SIZE = "{0} of {1} bytes", "{0} von {1} Bytes";
    CUSTOM_CSS_SET = "{0} bytes", "{0} Bytes";
    HOSTS = "Websites allowed without verification", "Ohne Bestätigung freigegebene Websites";
    HOSTS_TEXT = "Chatbots of this tenant can read these hosts without proof that the websites belong to the tenant.", "Chatbots dieses Mandanten dürfen diese Hosts lesen, ohne dass der Mandant nachweist, dass ihm die Websites gehören.";
    HOSTS_NONE = "No hosts yet. All websites must be verified.", "Noch keine Hosts. Alle Websites müssen bestätigt werden.";
    HOSTS_NEW = "Host", "Host";
    HOSTS_NEW_HINT = "For example www.example.com, without https:// and path.", "Zum Beispiel www.example.com, ohne https:// und Pfad.";
    HOSTS_ALLOW = "Allow host", "Host freigeben";
    HOSTS_ALLOWED = "{0} is allowed.", "{0} ist freigegeben.";
    HOSTS_SINCE = "allowed by {0}, {1}", "freigegeben von {0}, {1}";
    HOSTS_REMOVE_NAMED = "Delete: {0}", "Löschen: {0}";
    HOSTS_REMOVED = "{0} is no longer allowed.", "{0} ist nicht mehr freigegeben.";
    ANSWER_MODELS = "Language models", "Sprachmodelle";
    ANSWER_MODELS_NONE = "The platform has no language model. Answers are quoted from the documents.", "Die Plattform hat kein Sprachmodell. Antworten werden aus den Dokumenten zitiert.";
    ANSWER_MODEL_DEFAULT = "For chatbots that choose none", "Für Chatbots ohne eigene Wahl";
    ANSWER_MODELS_FURTHER = "Chatbots can also choose", "Chatbots können außerdem wählen";
    ANSWER_MODEL_MISSING = "default (not configured, answers are quoted)", "default (nicht eingerichtet, Antworten werden zitiert)";
    ANSWER_MODEL_AWAY = "Not available", "Nicht verfügbar";
    API_KEYS = "API keys", "API-Schlüssel";
    API_KEYS_ALLOWED = "Programs of the tenant may use API keys", "Programme des Mandanten dürfen API-Schlüssel verwenden";
    API_KEYS_ACTIVE = "Active keys", "Aktive Schlüssel";
    API_KEYS_USED = "Last used", "Zuletzt verwendet";
    API_KEYS_NEVER = "never", "nie";
    API_KEYS_SAVED = "API keys saved.", "API-Schlüssel gespeichert.";
    ANSWER_MODELS_SAVED = "Language models saved.", "Sprachmodelle gespeichert.";
    LATEST_CHANGES = "Latest changes", "Letzte Änderungen";
    ALL_CHANGES = "All changes", "Alle Änderungen";
    NO_CHANGES = "No changes in the audit log yet.", "Noch keine Änderungen im Audit-Log.";
}
