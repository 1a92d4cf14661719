//! Texts of the websites that a chatbot reads.

texts! {
    TITLE = "Read a website", "Website lesen";
    INTRO = "Enter the address of your website. You will see the pages found there before the chatbot reads them.", "Geben Sie die Adresse Ihrer Website ein. Sie sehen die gefundenen Seiten, bevor der Chatbot sie liest.";
    URL = "Address", "Adresse";
    URL_HINT = "For example www.example.com, or the page where your help begins.", "Zum Beispiel www.example.com oder die Seite, auf der Ihr Hilfebereich beginnt.";
    ADD = "Find pages", "Seiten suchen";
    LIST = "Websites", "Websites";

    CHECKING = "Checking the website", "Website wird geprüft";
    UNPROVEN = "Confirmation needed", "Bestätigung nötig";
    PREVIEWING = "Finding pages", "Seiten werden gesucht";
    PREVIEWED = "Ready for your review", "Zur Durchsicht bereit";
    READING = "Being read", "Wird gelesen";
    READY = "Read", "Gelesen";
    FAILED = "Not readable", "Nicht lesbar";
    PAUSED = "Paused", "Pausiert";

    PROGRESS_ONE = "{0} of 1 page", "{0} von 1 Seite";
    PROGRESS = "{0} of {1} pages", "{0} von {1} Seiten";
    PROGRESS_LABEL = "Pages of {0}", "Seiten von {0}";
    FOUND = "Pages found: {0} can be read, {1} are left out, {2} can't be read.", "Gefundene Seiten: {0} lesbar, {1} ausgelassen, {2} nicht lesbar.";
    FOUND_MORE_ONE = "1 more page is known and will be looked at while reading.", "1 weitere Seite ist bekannt und wird beim Lesen geprüft.";
    FOUND_MORE = "{0} more pages are known and will be looked at while reading.", "{0} weitere Seiten sind bekannt und werden beim Lesen geprüft.";
    FOUND_NONE = "No readable page was found. The list of pages says why.", "Es wurde keine lesbare Seite gefunden. Die Seitenliste nennt die Gründe.";
    READ_PAGES = "Pages in use: {0}. Left out: {1}. Not readable: {2}.", "Genutzte Seiten: {0}. Ausgelassen: {1}. Nicht lesbar: {2}.";
    GONE_ONE = "1 page is gone. It'll be removed if the next check doesn't find it.", "1 Seite fehlt. Sie wird entfernt, wenn sie bei der nächsten Prüfung weiterhin fehlt.";
    GONE = "{0} pages are gone. They'll be removed if the next check doesn't find them.", "{0} Seiten fehlen. Sie werden entfernt, wenn sie bei der nächsten Prüfung weiterhin fehlen.";
    SYNCED = "Last read {0}", "Zuletzt gelesen {0}";
    NEXT = "Next time {0}", "Nächstes Mal {0}";

    PROVE = "Verify that you own {0}", "Bestätigen Sie, dass {0} Ihnen gehört";
    PROVE_TEXT = "The platform only reads websites of your organisation. One of these three steps is enough:", "Die Plattform liest nur Websites Ihrer Organisation. Einer dieser drei Schritte genügt:";
    PROVE_SNIPPET = "Embed a chatbot: the page at this address contains the snippet of one of your chatbots.", "Chatbot einbinden: Die Seite unter dieser Adresse enthält das Snippet eines Ihrer Chatbots.";
    PROVE_META = "Meta tag: paste this line into the head of the page.", "Meta-Tag: Fügen Sie diese Zeile in den Kopf der Seite ein.";
    PROVE_FILE = "File: put this text at {0}", "Datei: Legen Sie diesen Text ab unter {0}";
    PROVE_META_LABEL = "Meta tag", "Meta-Tag";
    PROVE_FILE_LABEL = "Content of the file", "Inhalt der Datei";
    PROVE_KEEP = "Leave it in place: it is checked each time the website is read. Your platform operator can also allow the website.", "Entfernen Sie den Nachweis nicht: Er wird bei jedem Lesen geprüft. Auch Ihr Plattformbetreiber kann die Website freigeben.";
    PROVEN_SNIPPET = "Confirmed by your chatbot's snippet", "Bestätigt durch das Snippet Ihres Chatbots";
    PROVEN_META = "Confirmed by the meta tag", "Bestätigt durch das Meta-Tag";
    PROVEN_FILE = "Confirmed by the file", "Bestätigt durch die Datei";
    PROVEN_OPERATOR = "Allowed by the platform operator", "Vom Plattformbetreiber freigegeben";

    CHECK_AGAIN = "Check again", "Erneut prüfen";
    TRY_AGAIN = "Try again", "Erneut versuchen";
    START = "Start reading", "Lesen starten";
    LOOK_AGAIN = "Find pages again", "Seiten erneut suchen";
    READ_NOW = "Read now", "Jetzt lesen";
    PAUSE = "Pause", "Pausieren";
    RESUME = "Resume", "Fortsetzen";
    SHOW_PAGES = "Pages", "Seiten";
    SETTINGS = "Settings", "Einstellungen";
    STARTED = "Reading has started.", "Das Lesen hat begonnen.";
    CHECK_STARTED = "The website is being checked.", "Die Website wird geprüft.";
    DELETE_TITLE = "Remove this website?", "Diese Website entfernen?";
    DELETE_TEXT = "The chatbot will no longer answer from the pages of {0}. The website itself stays as it is.", "Der Chatbot antwortet nicht mehr aus den Seiten von {0}. Die Website selbst bleibt unverändert.";
    DELETED = "Website removed.", "Website entfernt.";

    SETTINGS_OF = "Settings: {0}", "Einstellungen: {0}";
    INCLUDE = "Only these paths", "Nur diese Pfade";
    INCLUDE_HINT = "One per line, such as /help/*. Leave empty for all pages.", "Einer pro Zeile, zum Beispiel /hilfe/*. Leer lassen für alle Seiten.";
    EXCLUDE = "Leave out these paths", "Diese Pfade auslassen";
    EXCLUDE_HINT = "One per line, such as /blog/* or *?page=", "Einer pro Zeile, zum Beispiel /blog/* oder *?page=";
    MAX_PAGES = "Number of pages at most", "Höchstzahl der Seiten";
    MAX_DEPTH = "Links from the first page at most", "Höchstzahl der Links ab der ersten Seite";
    SCHEDULE = "Read again", "Erneut lesen";
    MANUAL = "On request only", "Nur auf Wunsch";
    HOURLY = "Every hour", "Stündlich";
    DAILY = "Every day", "Täglich";
    WEEKLY = "Every week", "Wöchentlich";
    SAVED = "Settings saved. They apply the next time the website is read.", "Einstellungen gespeichert. Sie gelten ab dem nächsten Lesen.";

    PAGES_OF = "Pages of {0}", "Seiten von {0}";
    PAGE = "Page", "Seite";
    PAGES_NONE = "No pages yet.", "Noch keine Seiten.";
    PAGES_NO_MATCH = "No pages in this state.", "Keine Seiten mit diesem Stand.";
    STATE = "State", "Stand";
    STATE_ALL = "All statuses", "Alle Status";
    STATE_WAITING = "Waiting", "Wartet";
    STATE_FOUND = "Found", "Gefunden";
    STATE_READY = "In use", "Genutzt";
    STATE_LEFT_OUT = "Left out", "Ausgelassen";
    STATE_FAILED = "Not readable", "Nicht lesbar";
    STATE_MISSING = "Gone", "Verschwunden";
    CHECKED = "Checked", "Geprüft";
    CHANGED = "Changed", "Geändert";
    FORMER = "The chatbot keeps answering from the version that was read before.", "Der Chatbot antwortet weiterhin aus der zuvor gelesenen Fassung.";

    UNREACHABLE = "Nobody answers at this address. Check that it opens in a browser outside of your network.", "Unter dieser Adresse antwortet niemand. Prüfen Sie, ob sie sich in einem Browser außerhalb Ihres Netzwerks öffnen lässt.";
    ADDRESS_REFUSED = "This is not a public address. Use the website's public address without a port.", "Dies ist keine öffentliche Adresse. Verwenden Sie die öffentliche Adresse der Website ohne Port.";
    CERTIFICATE = "The website's certificate is not valid. Renew it, including all intermediate certificates.", "Das Zertifikat der Website ist ungültig. Erneuern Sie es mit allen Zwischenzertifikaten.";
    REFUSED_BY_ROBOTS = "The website's robots.txt refuses this. Allow the crawler “ChatbotCrawler” there.", "Die robots.txt der Website verbietet das. Erlauben Sie dort den Crawler „ChatbotCrawler“.";
    REDIRECT_LOOP = "The redirects of this address lead in a circle. Correct them.", "Die Weiterleitungen dieser Adresse führen im Kreis. Korrigieren Sie sie.";
    OTHER_HOST = "This leads to another website. Add it separately if the chatbot should read it.", "Dies führt zu einer anderen Website. Fügen Sie sie eigens hinzu, wenn der Chatbot sie lesen soll.";
    SERVER_ERROR = "The website answered with an error. It is tried again next time.", "Die Website hat mit einem Fehler geantwortet. Beim nächsten Mal wird es erneut versucht.";
    FORBIDDEN = "The website refuses access. Let the crawler pass your firewall or bot protection.", "Die Website verweigert den Zugriff. Lassen Sie den Crawler durch Ihre Firewall oder Ihren Bot-Schutz.";
    LOGIN_PAGE = "This page asks for a login. Make it public, or upload its content as a file.", "Diese Seite verlangt eine Anmeldung. Machen Sie sie öffentlich oder laden Sie den Inhalt als Datei hoch.";
    NOT_FOUND = "This page doesn't exist. Correct the links that lead to it.", "Diese Seite gibt es nicht. Korrigieren Sie die Links, die zu ihr führen.";
    SOFT_404 = "The page says that it doesn't exist. Let the website answer with status 404 for it.", "Die Seite sagt, dass es sie nicht gibt. Lassen Sie die Website dafür mit Status 404 antworten.";
    NEEDS_SCRIPTS = "Without scripts this page is empty. Deliver its text without scripts, or upload it as a file.", "Ohne Skripte ist diese Seite leer. Liefern Sie den Text ohne Skripte aus oder laden Sie ihn als Datei hoch.";
    NO_TEXT = "There is no text on this page.", "Auf dieser Seite steht kein Text.";
    TOO_LARGE = "This page is too large. Split it, or upload its content as a file.", "Diese Seite ist zu groß. Teilen Sie sie auf oder laden Sie den Inhalt als Datei hoch.";
    UNSUPPORTED_TYPE = "This kind of file isn't read. Upload it in another format.", "Diese Dateiart wird nicht gelesen. Laden Sie den Inhalt in einem anderen Format hoch.";
    MALFORMED = "This page is damaged. Save it again on the website.", "Diese Seite ist beschädigt. Speichern Sie sie auf der Website neu.";
    NOINDEX = "The page has “noindex”. Remove it if the chatbot should answer from this page.", "Die Seite trägt „noindex“. Entfernen Sie es, wenn der Chatbot aus dieser Seite antworten soll.";
    CANONICAL = "The page names another one as the original, which is read instead.", "Die Seite nennt eine andere als Original; diese wird stattdessen gelesen.";
    REDIRECT = "The page leads on to another one, which is read instead.", "Die Seite leitet auf eine andere weiter; diese wird stattdessen gelesen.";
    DUPLICATE = "Another page has the same text, so nothing is missing.", "Eine andere Seite hat denselben Text, es fehlt also nichts.";
    OTHER_LANGUAGE = "The page exists in the chatbot's language, and that version is read.", "Die Seite gibt es in der Sprache des Chatbots; diese Fassung wird gelesen.";
    EXCLUDED = "Your paths leave this page out.", "Ihre Pfade lassen diese Seite aus.";
    PAGE_LIMIT = "The website has more pages than allowed. Raise the number of pages, or leave out paths.", "Die Website hat mehr Seiten als erlaubt. Erhöhen Sie die Höchstzahl oder lassen Sie Pfade aus.";
    RUN_LIMIT = "The website was too large to be read at once. Leave out paths.", "Die Website war zu groß, um auf einmal gelesen zu werden. Lassen Sie Pfade aus.";
    CHATBOT_NOT_ACTIVE = "The chatbot is deactivated.", "Der Chatbot ist deaktiviert.";
    GIVEN_UP = "Reading failed several times. Try again later.", "Das Lesen ist mehrmals fehlgeschlagen. Versuchen Sie es später erneut.";
    QUOTA_PAGES = "Your organisation has reached its limit of web pages. Leave out pages that you don't need and read again.", "Ihre Organisation hat die Höchstzahl an Webseiten erreicht. Lassen Sie Seiten weg, die Sie nicht brauchen, und lesen Sie erneut.";
    QUOTA_PASSAGES = "Your organisation has reached its passage limit. Leave out pages that you don't need and read again.", "Ihre Organisation hat die Höchstzahl an Abschnitten erreicht. Lassen Sie Seiten weg, die Sie nicht brauchen, und lesen Sie erneut.";
}
