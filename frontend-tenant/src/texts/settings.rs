//! Texts of a chatbot's settings.

texts! {
    SLUG_FIXED = "Slug: {0}. It was set when the chatbot was made and never changes.", "Kurzname: {0}. Er entstand mit dem Chatbot und ändert sich nie.";
    SAVE = "Save settings", "Einstellungen speichern";
    SAVED = "Settings saved. Visitors see them at once.", "Einstellungen gespeichert. Besucher sehen sie sofort.";
}
