//! Texts of custom answers as CSV files.

texts! {
    EXPORT = "Download CSV", "CSV herunterladen";
    IMPORT = "Import CSV", "CSV importieren";
    TITLE = "Import custom answers", "Eigene Antworten importieren";
    COUNTS = "{0} new, {1} changed, {2} unchanged. Answers that aren't in the file stay as they are.", "{0} neu, {1} geändert, {2} unverändert. Antworten, die nicht in der Datei stehen, bleiben, wie sie sind.";
    REFUSED_ONE = "1 row has errors. Correct it in the file and choose it again: nothing is imported until all rows are valid.", "1 Zeile ist fehlerhaft. Korrigieren Sie die Datei und wählen Sie sie erneut aus: Importiert wird erst, wenn alle Zeilen gültig sind.";
    REFUSED = "{0} rows have errors. Correct them in the file and choose it again: nothing is imported until all rows are valid.", "{0} Zeilen sind fehlerhaft. Korrigieren Sie die Datei und wählen Sie sie erneut aus: Importiert wird erst, wenn alle Zeilen gültig sind.";
    ERRORS = "Errors", "Fehler";
    ERROR = "Line {0}: {1}", "Zeile {0}: {1}";
    ERROR_IN = "Line {0}, {1}: {2}", "Zeile {0}, {1}: {2}";
    ROWS = "New and changed answers", "Neue und geänderte Antworten";
    LINE = "Line", "Zeile";
    OUTCOME = "Change", "Änderung";
    ADDED = "New", "Neu";
    CHANGED = "Changed", "Geändert";
    CONFIRM = "Import", "Importieren";
    DONE = "Answers imported: {0}.", "Importierte Antworten: {0}.";
    UNKNOWN_ENCODING = "The file isn't text in UTF-8, UTF-16 or Windows-1252. In Excel, save it as “CSV UTF-8”.", "Die Datei ist kein Text in UTF-8, UTF-16 oder Windows-1252. Wählen Sie beim Speichern in Excel „CSV UTF-8“.";
    NO_COLUMNS = "The first line must name the columns “question” and “answer”, with commas, semicolons, tabs or pipes between them.", "Die erste Zeile muss die Spalten „Frage“ und „Antwort“ nennen, getrennt durch Komma, Semikolon, Tabulator oder senkrechten Strich.";
    NO_CSV = "The file can't be read as CSV.", "Die Datei lässt sich nicht als CSV lesen.";
    NO_ROWS = "The file has no rows below the first line.", "Die Datei enthält außer der ersten Zeile nichts.";
    TOO_MANY_ROWS = "The file has more than 500 rows, the limit for a chatbot.", "Die Datei hat mehr als 500 Zeilen. Mehr eigene Antworten kann ein Chatbot nicht haben.";
    TOO_LARGE = "The file is larger than 4 MB.", "Die Datei ist größer als 4 MB.";
}
