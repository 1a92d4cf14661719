//! Texts of a chatbot's settings.

texts! {
    SLUG_FIXED = "Slug: {0}. Can't be changed.", "Kurzname: {0}. Nicht änderbar.";
    SAVE = "Save settings", "Einstellungen speichern";
    SAVED = "Settings saved and live.", "Einstellungen gespeichert und aktiv.";
}
