//! Texts of the page that tells which websites asked for a chatbot.

texts! {
    CHECK = "Check my page", "Meine Seite prüfen";
    CHECK_TEXT = "Type the address of a page that should show the chatbot. Nothing is fetched from here: you open the page in your own browser, and this page waits for what its widget asks.", "Geben Sie die Adresse einer Seite ein, die den Chatbot zeigen soll. Von hier aus wird nichts abgerufen: Sie öffnen die Seite in Ihrem Browser, und diese Seite wartet darauf, was das Widget dort anfragt.";
    ADDRESS = "Address of the page", "Adresse der Seite";
    NO_ADDRESS = "This is no address of a web page; it looks like https://www.example.com/help.", "Das ist keine Adresse einer Webseite; sie sieht aus wie https://www.example.com/hilfe.";
    CHECK_ACTION = "Check", "Prüfen";
    RESULT = "What was found for {0}", "Befund für {0}";
    ALLOWED = "Allowed websites", "Erlaubte Websites";
    ALLOWED_YES = "In your list", "In Ihrer Liste";
    ALLOWED_NO = "Not in your list", "Nicht in Ihrer Liste";
    COVERED = "Platform's cross-origin list", "Cross-Origin-Liste der Plattform";
    COVERED_YES = "Covers this website", "Deckt diese Website ab";
    COVERED_NO = "Lacks this website", "Enthält diese Website nicht";
    COVERED_NO_TEXT = "Ask the platform's operator to add it to cors.allowed_origins; until then browsers hide the answers.", "Bitten Sie den Betreiber der Plattform, sie in cors.allowed_origins aufzunehmen; bis dahin verbergen Browser die Antworten.";
    SEEN = "Widget on the page", "Widget auf der Seite";
    SEEN_NEVER = "Has not asked yet", "Hat noch nicht angefragt";
    OPEN = "Open the page", "Seite öffnen";
    WAITING = "Waiting for the widget on {0} to ask. Open the page now, or load it anew.", "Warte auf eine Anfrage des Widgets auf {0}. Öffnen Sie die Seite jetzt, oder laden Sie sie neu.";
    HEARD_TITLE = "The widget on this website has asked", "Das Widget auf dieser Website hat angefragt";
    SILENT_TITLE = "Nothing has asked within two minutes", "Zwei Minuten lang keine Anfrage";
    SILENT_TEXT = "Is the snippet on the page, and published? Does the browser's console (F12) say something beginning with [svc-chat]? A content security policy or a blocker can keep the widget from asking. A page that asked within the last minute does not ask again.", "Steht das Snippet auf der Seite, und ist sie veröffentlicht? Sagt die Konsole des Browsers (F12) etwas, das mit [svc-chat] beginnt? Eine Content-Security-Policy oder ein Blocker kann die Anfrage verhindern. Eine Seite, die in der letzten Minute angefragt hat, fragt nicht erneut.";
    WAIT_AGAIN = "Wait again", "Erneut warten";

    LIST = "Websites that asked in the last 30 days", "Websites, die in den letzten 30 Tagen angefragt haben";
    LIST_TEXT = "By website and day, nothing of a visitor. Allow only websites that are yours: whoever knows the snippet can paste it anywhere.", "Nach Website und Tag, nichts über Besucher. Erlauben Sie nur Websites, die Ihnen gehören: Wer das Snippet kennt, kann es überall einfügen.";
    REFRESH = "Refresh", "Aktualisieren";
    EMPTY_TITLE = "No website has asked yet", "Noch hat keine Website angefragt";
    EMPTY_TEXT = "Paste the snippet into your website and load a page; it stands here a few seconds later.", "Fügen Sie das Snippet in Ihre Website ein und laden Sie eine Seite; wenige Sekunden später steht sie hier.";
    EMPTY_ACTION = "Get the snippet", "Zum Snippet";
    NAMELESS = "No website named", "Ohne Angabe der Website";
    REQUESTS = "{0} requests, last {1}", "{0} Anfragen, zuletzt {1}";
    REQUEST = "1 request, last {0}", "1 Anfrage, zuletzt {0}";
    DAYS = "By day", "Nach Tagen";
    DAY = "Day", "Tag";
    OUTCOME = "Outcome", "Ergebnis";
    NUMBER = "Requests", "Anfragen";
    VERSION_CURRENT = "Widget {0}, current", "Widget {0}, aktuell";
    VERSION_OTHER = "Snippet of version {0}: it loads the current widget, {1}", "Snippet der Version {0}: Es lädt das aktuelle Widget, {1}";
    VERSION_NONE = "No version in the snippet: it loads the current widget", "Keine Version im Snippet: Es lädt das aktuelle Widget";
    ALLOW = "Allow {0}", "{0} erlauben";
    ALLOWED_TOAST = "{0} may show your chatbots now.", "{0} darf jetzt Ihre Chatbots zeigen.";

    ACCEPTED = "Accepted", "Angenommen";
    BLOCKED = "Blocked by browsers", "Von Browsern blockiert";
    REFUSED = "Refused", "Abgelehnt";
    ALLOWED_NOW = "Allowed now", "Jetzt erlaubt";
    WITHDRAWN = "No longer allowed", "Nicht mehr erlaubt";
    ACCEPTED_TEXT = "The widget works on this website.", "Das Widget funktioniert auf dieser Website.";
    BLOCKED_TEXT = "The platform answered, but its cross-origin list lacks this website, so browsers hide the answer from the page. Ask the platform's operator to add it to cors.allowed_origins.", "Die Plattform hat geantwortet, aber ihre Cross-Origin-Liste enthält diese Website nicht; Browser verbergen die Antwort deshalb vor der Seite. Bitten Sie den Betreiber der Plattform, sie in cors.allowed_origins aufzunehmen.";
    ALLOWED_NOW_TEXT = "Its last request was refused; the next one will be answered.", "Die letzte Anfrage wurde abgelehnt; die nächste wird beantwortet.";
    WITHDRAWN_TEXT = "Its last request was answered; since then the website was taken from your list.", "Die letzte Anfrage wurde beantwortet; seitdem wurde die Website aus Ihrer Liste genommen.";
    NOT_LISTED_TEXT = "The website is not in your list of allowed websites.", "Die Website steht nicht in Ihrer Liste erlaubter Websites.";
    NONE_LISTED_TEXT = "Your list of allowed websites is empty, so the chatbot is silent everywhere.", "Ihre Liste erlaubter Websites ist leer, der Chatbot bleibt deshalb überall stumm.";
    DEACTIVATED_TEXT = "The chatbot is deactivated.", "Der Chatbot ist deaktiviert.";
    MISSING_TEXT = "The request did not say which website it came from: no page of another website sends such a request.", "Die Anfrage sagte nicht, von welcher Website sie kam: Keine Seite einer anderen Website sendet so eine Anfrage.";
    OPAQUE_TEXT = "The browser hides where the page is from: a file on the visitor's disk, or a frame that is sandboxed. Publish the page, or add allow-same-origin to the frame's sandbox.", "Der Browser verbirgt, woher die Seite kommt: eine Datei auf der Festplatte oder ein Frame mit sandbox. Veröffentlichen Sie die Seite, oder ergänzen Sie allow-same-origin in der sandbox des Frames.";
    MALFORMED_TEXT = "The request named a website in a form that no browser sends: probably a program.", "Die Anfrage nannte eine Website in einer Form, die kein Browser sendet: vermutlich ein Programm.";
}
