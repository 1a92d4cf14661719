//! Texts of a chatbot's own branding.

texts! {
    INTRO = "Empty fields inherit your organisation's branding.", "Leere Felder übernehmen das Erscheinungsbild Ihrer Organisation.";
    RESOLVED = "Branding visitors see", "Erscheinungsbild für Besucher";
    FIELD = "Field", "Feld";
    RESULT = "Value", "Wert";
    SOURCE = "Source", "Herkunft";
    OWN = "This chatbot", "Dieser Chatbot";
    TENANT = "Organisation", "Organisation";
    FROM_OWN = "this chatbot", "dieser Chatbot";
    FROM_TENANT = "organisation", "Organisation";
    FROM_DEFAULT = "default", "Standard";
}
