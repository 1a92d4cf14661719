//! Texts of a tenant's pages.

texts! {
    BRANDING = "Branding", "Erscheinungsbild";
    BRANDING_SUBTITLE = "How the chat window of {0} looks, and which websites may show it.", "Wie das Chatfenster von {0} aussieht und welche Websites es zeigen dürfen.";
    BRANDING_EDIT = "Edit branding", "Erscheinungsbild bearbeiten";
    NO_ORIGINS = "No website may show the widget yet: it answers nobody.", "Noch darf keine Website das Widget zeigen: Es antwortet niemandem.";
    ORIGINS = "Allowed websites", "Erlaubte Websites";
    COLOURS = "Colours", "Farben";
    COLOURS_DEFAULT = "The platform's own", "Die der Plattform";
    CUSTOM_CSS = "Custom CSS", "Eigenes CSS";
    CUSTOM_CSS_HINT = "Applied inside the widget after its own styles; at most 20 kB. Only operators see and write it.", "Gilt im Widget nach dessen eigenem Aussehen; höchstens 20 kB. Nur Betreiber sehen und schreiben es.";
    CUSTOM_CSS_SIZE = "{0} of {1} bytes", "{0} von {1} Bytes";
    CUSTOM_CSS_SET = "{0} bytes", "{0} Bytes";
    LATEST_CHANGES = "Latest changes", "Letzte Änderungen";
    ALL_CHANGES = "All changes", "Alle Änderungen";
    NO_CHANGES = "No change is in the audit log.", "Im Protokoll steht keine Änderung.";
}
