//! Texts of uploads, of the sources that they go to, and of the other ways to add documents.

texts! {
    CHOOSE_FOLDER = "Choose folder", "Ordner auswählen";
    DROP_ANYWHERE = "Drop files, folders or archives here", "Dateien, Ordner oder Archive hier ablegen";
    FORMATS_WITHOUT_SCANS = "Markdown, HTML, text, PDF, Word (DOCX), Excel (XLSX), PowerPoint (PPTX), ODT, EPUB, CSV, JSONL, and zip or tar archives. Up to {0} per file, {1} per archive.", "Markdown, HTML, Text, PDF, Word (DOCX), Excel (XLSX), PowerPoint (PPTX), ODT, EPUB, CSV, JSONL sowie Zip- und Tar-Archive. Höchstens {0} pro Datei, {1} pro Archiv.";
    NO_SCANS = "Scans and images with text can't be read here: text recognition (OCR) isn't set up.", "Scans und Bilder mit Text können hier nicht gelesen werden: Die Texterkennung (OCR) ist nicht eingerichtet.";
    TARGET = "Add to", "Hinzufügen zu";
    TOO_MANY = "Only the first {0} files were added. Add the others in a second step, or put them into an archive.", "Nur die ersten {0} Dateien wurden hinzugefügt. Fügen Sie die übrigen in einem zweiten Schritt hinzu oder packen Sie sie in ein Archiv.";
    NOT_OPENED = "Your browser can't open this. Check that you have permission to read it, and add it again.", "Ihr Browser kann das nicht öffnen. Prüfen Sie, ob Sie Leserechte haben, und fügen Sie es erneut hinzu.";
    CANCEL = "Cancel uploads", "Uploads abbrechen";
    CANCELLED = "Cancelled", "Abgebrochen";
    NOT_TAKEN = "{0} not uploaded", "{0} nicht hochgeladen";
    BYTES_SENT = "{0} of {1} sent", "{0} von {1} gesendet";
    FILES_PER_MINUTE = "{0} files per minute", "{0} Dateien pro Minute";
    SECONDS_LEFT = "about {0} s left", "noch etwa {0} s";
    MINUTES_LEFT = "about {0} min left", "noch etwa {0} min";
    HOURS_LEFT = "about {0} h left", "noch etwa {0} h";
    MORE_FILES = "{0} more files are waiting or done.", "{0} weitere Dateien warten oder sind fertig.";

    WAY_WEBSITE = "Read a website", "Website lesen";
    WAY_WEBSITE_TEXT = "The chatbot reads the pages of your website and keeps up with changes.", "Der Chatbot liest die Seiten Ihrer Website und übernimmt Änderungen.";
    WAY_WEBSITE_LINK = "Add website", "Website hinzufügen";
    WAY_API = "Connect a system", "System anbinden";
    WAY_API_TEXT = "A program uploads documents from your wiki, shop or help desk through the API.", "Ein Programm lädt Dokumente aus Ihrem Wiki, Shop oder Helpdesk über die API hoch.";
    WAY_API_SHOW = "Show example", "Beispiel anzeigen";
    API_BUTTON = "Upload by API", "Upload per API";
    API_TITLE = "Upload documents by API", "Dokumente per API hochladen";
    API_INTRO = "The ID of this chatbot:", "Die ID dieses Chatbots:";
    API_CHATBOT = "Chatbot ID", "Chatbot-ID";
    API_MAKE = "Create a source once. The reply contains its ID:", "Legen Sie einmalig eine Quelle an. Die Antwort enthält ihre ID:";
    API_MAKE_LABEL = "Create a source", "Quelle anlegen";
    API_PUT = "Upload a document to it. Uploading the same name again replaces the document:", "Laden Sie ein Dokument in diese Quelle hoch. Ein erneuter Upload mit demselben Namen ersetzt es:";
    API_PUT_LABEL = "Upload a document", "Dokument hochladen";
    API_MORE = "KEY is an API key with the scope knowledge.write. The API documentation (docs/api.md, “Uploading documents”) describes the status of a document and how to delete it.", "KEY ist ein API-Schlüssel mit der Berechtigung knowledge.write. Die API-Dokumentation (docs/api.md, „Uploading documents“) beschreibt den Status eines Dokuments und wie Sie es löschen.";
    API_KEYS = "Create an API key", "API-Schlüssel erstellen";

    NEW_SOURCE = "New source", "Neue Quelle";
    NEW_SOURCE_TITLE = "New source for uploads", "Neue Quelle für Uploads";
    NEW_SOURCE_TEXT = "Use sources to keep documents separate, for example manuals and price lists. Above, choose which source to add files to.", "Mit Quellen ordnen Sie Dokumente, zum Beispiel nach Anleitungen und Preislisten. Oben wählen Sie die Quelle, der Sie Dateien hinzufügen.";
    SOURCE_NAME = "Name", "Name";
    SOURCE_CREATE = "Create source", "Quelle anlegen";
    SOURCE_CREATED = "Source created.", "Quelle angelegt.";
    RENAME = "Rename", "Umbenennen";
    RENAME_NAMED = "Rename: {0}", "Umbenennen: {0}";
    RENAME_TITLE = "Rename source", "Quelle umbenennen";
    RENAMED = "Source renamed.", "Quelle umbenannt.";
    READ_AGAIN = "Read again", "Erneut lesen";
    READ_AGAIN_NAMED = "Read again what failed or is outdated: {0}", "Fehlgeschlagene und veraltete Dokumente erneut lesen: {0}";
    READ_AGAIN_STARTED = "Documents that failed or are outdated are being read again.", "Fehlgeschlagene und veraltete Dokumente werden erneut gelesen.";
    DELETE_SOURCE_NAMED = "Delete source: {0}", "Quelle löschen: {0}";
    DELETE_SOURCE_TITLE = "Delete this source?", "Diese Quelle löschen?";
    DELETE_SOURCE_TEXT = "“{0}” is deleted with all of its documents ({1}) and their uploaded files. The chatbot will no longer answer from them.", "„{0}“ wird mit allen Dokumenten ({1}) und den hochgeladenen Dateien gelöscht. Der Chatbot antwortet nicht mehr daraus.";
    SOURCE_DELETED = "Source deleted.", "Quelle gelöscht.";

    SELECT_PAGE = "Select all on this page", "Alle auf dieser Seite auswählen";
    SELECT_COLUMN = "Selection", "Auswahl";
    SELECT_NAMED = "Select {0}", "{0} auswählen";
    SELECTED = "{0} selected", "{0} ausgewählt";
    SELECT_NONE = "Clear selection", "Auswahl aufheben";
    DELETE_SELECTED = "Delete selected", "Ausgewählte löschen";
    DELETE_MANY_TITLE_ONE = "Delete 1 document?", "1 Dokument löschen?";
    DELETE_MANY_TITLE = "Delete {0} documents?", "{0} Dokumente löschen?";
    DELETE_MANY_TEXT = "The chatbot will no longer answer from the selected documents. The uploaded files are deleted, too.", "Der Chatbot antwortet nicht mehr aus den ausgewählten Dokumenten. Die hochgeladenen Dateien werden ebenfalls gelöscht.";
    DELETED_ONE = "1 document deleted.", "1 Dokument gelöscht.";
    DELETED_SOME = "{0} documents deleted.", "{0} Dokumente gelöscht.";
}
