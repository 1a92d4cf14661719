//! Texts of the templates' pages.

texts! {
    EDIT = "Edit template", "Vorlage bearbeiten";
    EDIT_SUBTITLE = "Saving makes the next version. Chatbots keep what they have until their tenants take the changes.", "Speichern ergibt die nächste Version. Chatbots behalten ihren Stand, bis ihre Mandanten die Änderungen übernehmen.";
    SAVE = "Save as next version", "Als nächste Version speichern";
    SAVED = "Template “{0}” saved as version {1}.", "Vorlage „{0}“ als Version {1} gespeichert.";
    DEACTIVATE = "Deactivate", "Deaktivieren";
    DEACTIVATE_TITLE = "Deactivate “{0}”?", "„{0}“ deaktivieren?";
    DEACTIVATE_TEXT = "Tenants no longer see the template {0} when they make a chatbot. Chatbots that were made from it go on as they are. It can be reactivated at any time.", "Mandanten sehen die Vorlage {0} beim Anlegen eines Chatbots nicht mehr. Chatbots, die daraus entstanden, laufen unverändert weiter. Sie lässt sich jederzeit reaktivieren.";
    DEACTIVATED = "Template “{0}” deactivated.", "Vorlage „{0}“ deaktiviert.";
    REACTIVATE = "Reactivate", "Reaktivieren";
    REACTIVATED = "Template “{0}” is active again.", "Vorlage „{0}“ ist wieder aktiv.";
    CLONE = "Clone into a language", "In eine Sprache kopieren";
    CLONE_TEXT = "The copy has the same texts under an id of its own, ready to be translated.", "Die Kopie hat dieselben Texte unter eigener Kennung und kann übersetzt werden.";
    CLONE_CONFIRM = "Clone template", "Vorlage kopieren";
    CLONED = "Template “{0}” made. Its name and texts are still the other language's: translate them here.", "Vorlage „{0}“ angelegt. Name und Texte sind noch die der anderen Sprache: Hier lassen sie sich übersetzen.";
    HISTORY = "Version history", "Versionen";
    HISTORY_ALL = "All rows", "Alle Zeilen";
    HISTORY_EMPTY = "The audit log has no row of this template.", "Im Protokoll steht keine Zeile zu dieser Vorlage.";
    HISTORY_VERSION = "Version {0}", "Version {0}";
    HISTORY_FIELDS = "Changed: {0}", "Geändert: {0}";
    FAQ_IMPORT = "Import CSV", "CSV einlesen";
    FAQ_EXPORT = "Download CSV", "CSV herunterladen";
    FAQ_FILE_HINT = "A file with the columns question and answer. A question that stands here already gets the file's answer.", "Eine Datei mit den Spalten question und answer (oder Frage und Antwort). Eine Frage, die schon hier steht, bekommt die Antwort der Datei.";
    FAQ_IMPORTED = "{0} questions read from the file; save to keep them.", "{0} Fragen aus der Datei gelesen; erst Speichern behält sie.";
    FAQ_BAD_COLUMNS = "The file needs the columns question and answer, or exactly two columns.", "Die Datei braucht die Spalten question und answer (oder Frage und Antwort) oder genau zwei Spalten.";
    FAQ_BAD_ROW = "Row {0} of the file lacks its question or its answer. Nothing was read.", "In Zeile {0} der Datei fehlt Frage oder Antwort. Nichts wurde eingelesen.";
    FAQ_EMPTY_FILE = "The file holds no questions.", "Die Datei enthält keine Fragen.";
    FAQ_UNREADABLE = "The file could not be read.", "Die Datei ließ sich nicht lesen.";
    BRANDING_HINT = "A new chatbot starts with these; its tenant may change them.", "Damit beginnt ein neuer Chatbot; sein Mandant darf es ändern.";
}
