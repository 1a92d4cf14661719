//! Texts of a chatbot's own branding.

texts! {
    INTRO = "What stays empty here comes from your tenant's branding. Fill in only what this chatbot should have differently.", "Was hier leer bleibt, kommt aus dem Erscheinungsbild Ihres Mandanten. Füllen Sie nur aus, was bei diesem Chatbot anders sein soll.";
    RESOLVED = "What visitors see, field by field", "Was Besucher sehen, Feld für Feld";
    FIELD = "Field", "Feld";
    RESULT = "Visitors see", "Besucher sehen";
    SOURCE = "Comes from", "Kommt von";
    OWN = "This chatbot", "Dieser Chatbot";
    TENANT = "Tenant", "Mandant";
    FROM_OWN = "this chatbot", "diesem Chatbot";
    FROM_TENANT = "tenant", "Mandant";
    FROM_DEFAULT = "the widget's default", "Vorgabe des Widgets";
}
