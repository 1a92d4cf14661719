//! Texts of the output-filter export.

texts! {
    TITLE = "Output filter", "Ausgabefilter";
    SUBTITLE = "What the output filter masked or blocked in answers, as a file for review.", "Was der Ausgabefilter in Antworten verdeckt oder gesperrt hat, als Datei zur Prüfung.";
    EXPORT = "Export", "Export";
    RANGE_HINT = "UTC. Empty: no bound.", "UTC. Leer: ohne Grenze.";
    FROM = "From", "Von";
    TO = "To, the whole minute included", "Bis, die ganze Minute eingeschlossen";
    TENANT = "Tenant", "Mandant";
    TENANT_HINT = "Search by name or slug and pick one. Empty: every tenant.", "Nach Name oder Kurzname suchen und einen wählen. Leer: alle Mandanten.";
    TENANT_NONE = "No tenant matches.", "Kein Mandant passt.";
    TENANT_OPEN = "Pick a tenant from the list, or empty the field.", "Wählen Sie einen Mandanten aus der Liste, oder leeren Sie das Feld.";
    TENANT_CHOSEN = "Chosen: {0}", "Gewählt: {0}";
    MAX_ROWS = "Rows at most", "Höchstens Zeilen";
    MAX_ROWS_HINT = "1 to 500,000.", "1 bis 500.000.";
    FULL_OUTPUT = "With the full answer as the last column", "Mit der vollen Antwort als letzter Spalte";
    FULL_OUTPUT_HINT = "Full answers may hold personal data. Leave them out unless you need them.", "Volle Antworten können personenbezogene Daten enthalten. Lassen Sie sie weg, wenn Sie sie nicht brauchen.";
    TRUNCATION_TITLE = "When there is more than the limit", "Wenn es mehr als die Grenze gibt";
    TRUNCATION = "The file holds the oldest rows first. Once it has as many rows as you allow, one more row ends it that begins with #TRUNCATED – also when there were exactly so many. Then export a narrower range, or allow more rows.", "Die Datei enthält die ältesten Zeilen zuerst. Sobald sie so viele Zeilen hat, wie Sie erlauben, folgt eine letzte, die mit #TRUNCATED beginnt – auch wenn es genau so viele waren. Exportieren Sie dann einen engeren Zeitraum, oder erlauben Sie mehr Zeilen.";
    AUDITED = "Every export leaves a row in the audit log.", "Jeder Export hinterlässt eine Zeile im Protokoll.";
    START = "Start export", "Export starten";
    RUNNING = "{0} received so far …", "Bisher {0} empfangen …";
    STOP = "Stop", "Abbrechen";
    STOPPED = "The export was stopped; nothing was saved. The audit log says so, too.", "Der Export wurde abgebrochen; nichts wurde gespeichert. Auch das steht im Protokoll.";
    DONE = "The export is complete: {0}.", "Der Export ist vollständig: {0}.";
    TRUNCATED = "The export was cut at the limit of rows: {0}. Export a narrower range, or allow more rows.", "Der Export wurde an der Zeilengrenze abgeschnitten: {0}. Exportieren Sie einen engeren Zeitraum, oder erlauben Sie mehr Zeilen.";
    EARLIER = "Earlier exports", "Frühere Exporte";
}
