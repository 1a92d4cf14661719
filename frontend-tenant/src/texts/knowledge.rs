//! Texts of the page with what a chatbot answers from.

texts! {
    UPLOAD = "Upload files", "Dateien hochladen";
    UPLOAD_FIRST = "Your chatbot doesn't know anything yet. Upload the documents that it should answer from (manuals, price lists, terms, frequently asked questions), or let it read your website.", "Ihr Chatbot weiß noch nichts. Laden Sie die Dokumente hoch, aus denen er antworten soll (Anleitungen, Preislisten, Bedingungen, häufige Fragen), oder lassen Sie ihn Ihre Website lesen.";
    UPLOAD_TEXT = "Drop files here, or choose them from your computer.", "Ziehen Sie Dateien hierher oder wählen Sie sie auf Ihrem Computer aus.";
    UPLOAD_CHOOSE = "Choose files", "Dateien auswählen";
    UPLOAD_FORMATS = "Markdown, HTML, text, PDF, Word (DOCX), CSV, JSONL, and zip or tar archives of them. Up to {0} per file.", "Markdown, HTML, Text, PDF, Word (DOCX), CSV, JSONL sowie Zip- und Tar-Archive davon. Höchstens {0} pro Datei.";
    UPLOAD_SOURCE = "Uploaded files", "Hochgeladene Dateien";
    UPLOADING = "Uploads: {0} of {1} done", "Uploads: {0} von {1} fertig";
    UPLOADS = "Uploads", "Uploads";
    UPLOAD_WAITS = "Waiting", "Wartet";
    UPLOAD_RUNS = "Uploading", "Wird hochgeladen";
    UPLOAD_DONE = "Uploaded", "Hochgeladen";
    UPLOAD_SAME = "Already there, unchanged", "Bereits vorhanden, unverändert";
    UPLOAD_FAILED = "Not uploaded", "Nicht hochgeladen";
    UPLOAD_TOO_LARGE = "This file has {0}, more than the {1} allowed. Split it into smaller files.", "Diese Datei hat {0}, mehr als die erlaubten {1}. Teilen Sie sie in kleinere Dateien auf.";
    UPLOAD_BAD_NAME = "This file name can't be used. Rename the file and upload it again.", "Dieser Dateiname lässt sich nicht verwenden. Benennen Sie die Datei um und laden Sie sie erneut hoch.";
    UPLOAD_CLEAR = "Clear list", "Liste leeren";
    READING_ONE = "1 document is being read.", "1 Dokument wird gelesen.";
    READING_SOME = "{0} documents are being read.", "{0} Dokumente werden gelesen.";
    READING_DONE = "All documents have been read.", "Alle Dokumente wurden gelesen.";

    SEARCH = "Search answers and documents", "Antworten und Dokumente durchsuchen";
    STATE = "State", "Stand";
    STATE_ALL = "All states", "Jeder Stand";
    STATE_WAITING = "Waiting", "Wartet";
    STATE_READING = "Being read", "Wird gelesen";
    STATE_PROGRESS = "{0} of {1} files", "{0} von {1} Dateien";
    STATE_READY = "Ready", "Bereit";
    STATE_FAILED = "Not readable", "Nicht lesbar";
    SKIPPED_ONE = "1 file in the archive couldn't be read:", "1 Datei im Archiv konnte nicht gelesen werden:";
    SKIPPED_SOME = "{0} files in the archive couldn't be read:", "{0} Dateien im Archiv konnten nicht gelesen werden:";
    FORMER_VERSION = "The chatbot keeps answering from the previous version.", "Der Chatbot antwortet weiterhin aus der vorherigen Fassung.";
    NO_DOCUMENT = "No documents yet.", "Noch keine Dokumente.";
    NO_MATCH = "No matching documents.", "Keine passenden Dokumente.";
    DOCUMENTS = "Documents", "Dokumente";
    DOCUMENT = "Document", "Dokument";
    PASSAGES = "Passages", "Abschnitte";
    SIZE = "Characters", "Zeichen";
    CHANGED = "Last changed", "Zuletzt geändert";
    VIEW = "View", "Ansehen";
    VIEW_NAMED = "View: {0}", "Ansehen: {0}";
    DELETE_NAMED = "Delete: {0}", "Löschen: {0}";
    DELETE_TITLE = "Delete this document?", "Dieses Dokument löschen?";
    DELETE_TEXT = "The chatbot will no longer answer from “{0}”. The uploaded file is deleted, too.", "Der Chatbot antwortet nicht mehr aus „{0}“. Die hochgeladene Datei wird ebenfalls gelöscht.";
    DELETED = "Document deleted.", "Dokument gelöscht.";

    PASSAGES_TEXT = "This is how the chatbot sees the document: it searches these passages and quotes from them.", "So sieht der Chatbot das Dokument: Er durchsucht diese Abschnitte und zitiert daraus.";
    PASSAGES_NONE = "There are no passages yet.", "Es gibt noch keine Abschnitte.";
    PAGE = "Page {0}", "Seite {0}";
    DOWNLOAD = "Download file", "Datei herunterladen";

    OUTDATED = "The platform reads documents better now", "Die Plattform liest Dokumente jetzt besser";
    OUTDATED_OWN_ONE = "1 document was read by an earlier version. Upload it again to get better answers from it.", "1 Dokument wurde von einer früheren Version gelesen. Laden Sie es erneut hoch, um bessere Antworten daraus zu erhalten.";
    OUTDATED_OWN_SOME = "{0} documents were read by an earlier version. Upload them again to get better answers from them.", "{0} Dokumente wurden von einer früheren Version gelesen. Laden Sie sie erneut hoch, um bessere Antworten daraus zu erhalten.";
    OUTDATED_FILES_ONE = "1 file of the platform operator was read by an earlier version. The operator can read it again.", "1 Datei des Plattformbetreibers wurde von einer früheren Version gelesen. Der Betreiber kann sie erneut einlesen.";
    OUTDATED_FILES_SOME = "{0} files of the platform operator were read by an earlier version. The operator can read them again.", "{0} Dateien des Plattformbetreibers wurden von einer früheren Version gelesen. Der Betreiber kann sie erneut einlesen.";
    SOURCES = "Sources", "Quellen";
    SOURCE = "Source", "Quelle";
    KIND_FAQ_SEED = "Template questions and answers", "Fragen und Antworten der Vorlage";
    KIND_FILES = "Files from the platform operator", "Dateien des Plattformbetreibers";
    KIND_FAQ = "Custom answers", "Eigene Antworten";
    KIND_UPLOAD = "Uploads", "Uploads";
    KIND_API = "API", "API";
    KIND_WEBSITE = "Website", "Website";

    UNSUPPORTED_TYPE = "This kind of file can't be read. Upload Markdown, HTML, text, PDF, DOCX, CSV or JSONL.", "Diese Dateiart kann nicht gelesen werden. Laden Sie Markdown, HTML, Text, PDF, DOCX, CSV oder JSONL hoch.";
    OTHER_TYPE = "The content doesn't fit the file's ending. Correct the ending and upload the file again.", "Der Inhalt passt nicht zur Dateiendung. Korrigieren Sie die Endung und laden Sie die Datei erneut hoch.";
    MALFORMED = "The file is damaged. Open it in its program, save it again and upload the new file.", "Die Datei ist beschädigt. Öffnen Sie sie in ihrem Programm, speichern Sie sie neu und laden Sie die neue Datei hoch.";
    ENCRYPTED = "The file is protected by a password. Remove the password and upload it again.", "Die Datei ist mit einem Passwort geschützt. Entfernen Sie das Passwort und laden Sie sie erneut hoch.";
    SCANNED = "The PDF contains scanned pages without text. Run text recognition (OCR) and upload the result.", "Das PDF besteht aus gescannten Seiten ohne Text. Führen Sie eine Texterkennung (OCR) durch und laden Sie das Ergebnis hoch.";
    BAD_ENTRY = "The table needs the columns “question” and “answer”, both filled in every row. Complete it and upload it again.", "Die Tabelle braucht die Spalten „Frage“ und „Antwort“, in jeder Zeile ausgefüllt. Ergänzen Sie sie und laden Sie sie erneut hoch.";
    TOO_LARGE = "The file is too large. Split it into smaller files.", "Die Datei ist zu groß. Teilen Sie sie in kleinere Dateien auf.";
    BAD_ENCODING = "The characters can't be read. Save the file as UTF-8 and upload it again.", "Die Zeichen sind nicht lesbar. Speichern Sie die Datei als UTF-8 und laden Sie sie erneut hoch.";
    NO_TEXT = "The file contains no text. Upload a file with text.", "Die Datei enthält keinen Text. Laden Sie eine Datei mit Text hoch.";
    READ_ERROR = "The file couldn't be read. Upload it again.", "Die Datei konnte nicht gelesen werden. Laden Sie sie erneut hoch.";
    DUPLICATE = "Another document has the same content, so nothing is missing. You can delete one of the two.", "Ein anderes Dokument hat denselben Inhalt, es fehlt also nichts. Sie können eines der beiden löschen.";
    NOTHING_READABLE = "No file in the archive could be read. Check the files and upload the archive again.", "Keine Datei im Archiv konnte gelesen werden. Prüfen Sie die Dateien und laden Sie das Archiv erneut hoch.";
    ORIGINAL_DAMAGED = "The stored file has changed. Upload it again and tell your administrator.", "Die gespeicherte Datei hat sich verändert. Laden Sie sie erneut hoch und informieren Sie Ihren Administrator.";
    CHATBOT_NOT_ACTIVE = "The chatbot was deactivated before the file was read. Upload the file to an active chatbot.", "Der Chatbot wurde deaktiviert, bevor die Datei gelesen war. Laden Sie die Datei bei einem aktiven Chatbot hoch.";
    TIMED_OUT = "Reading took too long. Split the file into smaller files or save it in a simpler format.", "Das Lesen hat zu lange gedauert. Teilen Sie die Datei in kleinere auf oder speichern Sie sie in einem einfacheren Format.";
    OUT_OF_MEMORY = "Reading took too much memory. Split the file into smaller files or save it in a simpler format.", "Das Lesen hat zu viel Speicher gebraucht. Teilen Sie die Datei in kleinere auf oder speichern Sie sie in einem einfacheren Format.";
    CRASHED = "The file is built in a way that can't be read. Open it in its program and save it in another format.", "Die Datei ist so aufgebaut, dass sie nicht gelesen werden kann. Öffnen Sie sie in ihrem Programm und speichern Sie sie in einem anderen Format.";
    GIVEN_UP = "Reading failed several times. Upload the file again later.", "Das Lesen ist mehrmals fehlgeschlagen. Laden Sie die Datei später erneut hoch.";
}
