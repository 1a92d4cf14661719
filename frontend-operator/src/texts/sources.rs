//! Texts of the card with a tenant's sources.

texts! {
    TITLE = "Sources", "Quellen";
    INTRO = "What the tenant's chatbots answer from, in numbers. Titles, file names and contents stay with the tenant.", "Woraus die Chatbots des Mandanten antworten, in Zahlen. Titel, Dateinamen und Inhalte sieht nur der Mandant.";
    EMPTY_TITLE = "No sources yet", "Noch keine Quellen";
    EMPTY_TEXT = "Sources appear here when the tenant uploads files or adds a website.", "Quellen erscheinen hier, sobald der Mandant Dateien hochlädt oder eine Website hinzufügt.";

    STATE_EMPTY = "Empty", "Leer";
    STATE_WAITING = "Waiting", "Wartet";
    STATE_READING = "Reading", "Wird gelesen";
    STATE_READY = "Ready", "Bereit";
    STATE_FAILED = "Failed", "Fehlgeschlagen";
    STATE_CHECKING = "Checking the website", "Website wird geprüft";
    STATE_UNPROVEN = "Not verified", "Nicht bestätigt";
    STATE_PREVIEWING = "Finding pages", "Seiten werden gesucht";
    STATE_PREVIEWED = "Waiting for the tenant's review", "Wartet auf Prüfung durch den Mandanten";
    STATE_PAUSED = "Paused", "Pausiert";

    DOCUMENTS = "Documents: {0}", "Dokumente: {0}";
    READY = "{0} ready", "{0} bereit";
    WAITING = "{0} waiting", "{0} ausstehend";
    READING = "{0} in progress", "{0} in Bearbeitung";
    FAILED = "{0} failed", "{0} fehlgeschlagen";
    PAGES = "Pages: {0}", "Seiten: {0}";
    IN_USE = "{0} in use", "{0} verwendet";
    LEFT_OUT = "{0} left out", "{0} ausgelassen";
    GONE = "{0} missing", "{0} nicht mehr vorhanden";
    PASSAGES = "Passages: {0}", "Abschnitte: {0}";
    LAST_READ = "Last read {0}", "Zuletzt gelesen {0}";
    NEXT_READ = "Next read {0}", "Nächster Abruf {0}";
    REASONS = "Reasons", "Gründe";
    REASON = "{0} ({1})", "{0} ({1})";

    UNSUPPORTED_TYPE = "This kind of file can't be read", "Diese Dateiart kann nicht gelesen werden";
    OTHER_TYPE = "The content doesn't match the file extension", "Der Inhalt passt nicht zur Dateiendung";
    MALFORMED = "Damaged", "Beschädigt";
    ENCRYPTED = "Protected by a password", "Mit einem Passwort geschützt";
    SCANNED = "Images with text, but text recognition isn't set up", "Bilder mit Text, aber keine Texterkennung eingerichtet";
    BAD_ENTRY = "A table of questions and answers is incomplete", "Eine Tabelle mit Fragen und Antworten ist unvollständig";
    TOO_LARGE = "Too large", "Zu groß";
    UNDECODABLE_TEXT = "The text of the PDF can't be decoded", "Der Text des PDF lässt sich nicht entschlüsseln";
    BAD_ENCODING = "The characters can't be read", "Die Zeichen sind nicht lesbar";
    NO_TEXT = "No text", "Kein Text";
    READ_ERROR = "Couldn't be read", "Konnte nicht gelesen werden";
    DUPLICATE = "Same content as another one", "Gleicher Inhalt wie an anderer Stelle";
    NOTHING_READABLE = "No file in the archive could be read", "Keine Datei im Archiv konnte gelesen werden";
    ORIGINAL_DAMAGED = "The stored file has changed: check the storage", "Die gespeicherte Datei hat sich verändert: Prüfen Sie den Speicher";
    CHATBOT_NOT_ACTIVE = "The chatbot is deactivated", "Der Chatbot ist deaktiviert";
    GIVEN_UP = "Reading failed several times", "Das Lesen ist mehrmals fehlgeschlagen";
    LOW_CONFIDENCE = "Text recognition isn't reliable", "Die Texterkennung ist unzuverlässig";
    OCR_PAGE_LIMIT = "Beyond the page limit of text recognition", "Über dem Seitenlimit der Texterkennung";
    TIMED_OUT = "Reading took too long", "Das Lesen hat zu lange gedauert";
    OUT_OF_MEMORY = "Reading took too much memory", "Zum Lesen war zu viel Speicher nötig";
    CRASHED = "The file's structure can't be read", "Der Aufbau der Datei ist nicht lesbar";
    QUOTA_DOCUMENTS = "The document quota is used up", "Das Dokumentenkontingent ist aufgebraucht";
    QUOTA_PASSAGES = "The passage quota is used up", "Das Abschnittskontingent ist aufgebraucht";

    UNREACHABLE = "The website can't be reached", "Die Website ist nicht erreichbar";
    ADDRESS_REFUSED = "Not a public address", "Keine öffentliche Adresse";
    CERTIFICATE = "The certificate isn't valid", "Das Zertifikat ist ungültig";
    WITHOUT_HTTPS = "Read with http, because the site doesn't answer over https", "Über http gelesen, weil die Website nicht über https antwortet";
    REFUSED_BY_ROBOTS = "Blocked by robots.txt", "Durch robots.txt gesperrt";
    REDIRECT_LOOP = "The redirects form a loop", "Die Weiterleitungen bilden eine Schleife";
    OTHER_HOST = "Leads to another website", "Führt zu einer anderen Website";
    SERVER_ERROR = "The website answered with an error", "Die Website hat mit einem Fehler geantwortet";
    FORBIDDEN = "The website refuses access", "Die Website verweigert den Zugriff";
    OUTSIDE_PROOF = "Outside of the proven folder", "Außerhalb des nachgewiesenen Ordners";
    BOT_CHECK = "Shows a bot check", "Zeigt eine Bot-Prüfung";
    LOGIN_PAGE = "Asks for a login", "Verlangt eine Anmeldung";
    NOT_FOUND = "Page not found", "Seite nicht gefunden";
    NEEDS_SCRIPTS = "Empty without scripts", "Ohne Skripte leer";
    NOINDEX = "Marked “noindex”", "Mit „noindex“ gekennzeichnet";
    CANONICAL = "Another page is the original", "Eine andere Seite ist das Original";
    REDIRECT = "Redirects to another page", "Leitet auf eine andere Seite weiter";
    OTHER_LANGUAGE = "Read in the chatbot's language instead", "Wird stattdessen in der Sprache des Chatbots gelesen";
    EXCLUDED = "Left out by the tenant's paths", "Durch Pfade des Mandanten ausgeschlossen";
    PAGE_LIMIT = "More pages than allowed", "Mehr Seiten als erlaubt";
    PAGES_ALIKE = "Most pages show the same text or none", "Die meisten Seiten zeigen denselben Text oder keinen";
    RUN_LIMIT = "Too large to be read at once", "Zu groß, um auf einmal gelesen zu werden";
    QUOTA_PAGES = "The page quota is used up", "Das Seitenkontingent ist aufgebraucht";
}
