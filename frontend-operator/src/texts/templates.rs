//! Texts of the templates' pages.

texts! {
    EDIT = "Edit template", "Vorlage bearbeiten";
    EDIT_SUBTITLE = "Saving creates a new version. Existing chatbots keep their version until their tenants apply the changes.", "Beim Speichern entsteht eine neue Version. Bestehende Chatbots behalten ihre Version, bis ihre Mandanten die Änderungen übernehmen.";
    SAVE = "Save as new version", "Als neue Version speichern";
    SAVED = "Template “{0}” saved as version {1}.", "Vorlage „{0}“ als Version {1} gespeichert.";
    DEACTIVATE = "Deactivate", "Deaktivieren";
    DEACTIVATE_TITLE = "Deactivate “{0}”?", "„{0}“ deaktivieren?";
    DEACTIVATE_TEXT = "Tenants can no longer choose {0} for new chatbots. Existing chatbots aren't affected. You can reactivate it at any time.", "Mandanten können {0} nicht mehr für neue Chatbots wählen. Bestehende Chatbots sind nicht betroffen. Sie können die Vorlage jederzeit wieder aktivieren.";
    DEACTIVATED = "Template “{0}” deactivated.", "Vorlage „{0}“ deaktiviert.";
    REACTIVATE = "Reactivate", "Wieder aktivieren";
    REACTIVATED = "Template “{0}” is active again.", "Vorlage „{0}“ ist wieder aktiv.";
    CLONE = "Clone for another language", "Für andere Sprache kopieren";
    CLONE_TEXT = "The copy gets its own ID and the same texts, ready for you to translate.", "Die Kopie erhält eine eigene ID und dieselben Texte. Übersetzen Sie sie anschließend.";
    CLONE_CONFIRM = "Clone template", "Vorlage kopieren";
    CLONED = "Template “{0}” created. Its name and texts aren't translated yet. Translate them here.", "Vorlage „{0}“ angelegt. Name und Texte sind noch nicht übersetzt. Übersetzen Sie sie hier.";
    HISTORY = "Version history", "Versionsverlauf";
    HISTORY_ALL = "All entries", "Alle Einträge";
    HISTORY_EMPTY = "The audit log has no entries for this template.", "Das Audit-Log enthält keine Einträge zu dieser Vorlage.";
    HISTORY_VERSION = "Version {0}", "Version {0}";
    HISTORY_FIELDS = "Changed: {0}", "Geändert: {0}";
    FAQ_IMPORT = "Import CSV", "CSV importieren";
    FAQ_EXPORT = "Download CSV", "CSV herunterladen";
    FAQ_FILE_HINT = "Import a CSV file with the columns question and answer. If a question already exists, its answer is replaced.", "Importieren Sie eine CSV-Datei mit den Spalten question und answer (oder Frage und Antwort). Gibt es eine Frage bereits, wird ihre Antwort ersetzt.";
    FAQ_IMPORTED = "Questions imported: {0}. Save to keep them.", "Importierte Fragen: {0}. Speichern Sie, um sie zu behalten.";
    FAQ_BAD_COLUMNS = "The file must have the columns question and answer, or exactly two columns.", "Die Datei muss die Spalten question und answer (oder Frage und Antwort) oder genau zwei Spalten haben.";
    FAQ_BAD_ROW = "Row {0} has no question or no answer. Nothing was imported.", "In Zeile {0} fehlt die Frage oder die Antwort. Es wurde nichts importiert.";
    FAQ_EMPTY_FILE = "The file contains no questions.", "Die Datei enthält keine Fragen.";
    FAQ_UNREADABLE = "The file couldn't be read.", "Die Datei konnte nicht gelesen werden.";
    BRANDING_HINT = "New chatbots start with this branding. Tenants can change it.", "Neue Chatbots beginnen mit diesem Erscheinungsbild. Mandanten können es ändern.";
}
