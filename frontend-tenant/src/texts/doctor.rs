//! Texts of the page with the websites that requested a chatbot.

texts! {
    CHECK = "Check your page", "Seite prüfen";
    CHECK_TEXT = "Enter the address of a page that should show the chatbot. Open the page in your browser, and the widget is detected here.", "Geben Sie die Adresse einer Seite ein, die den Chatbot zeigen soll. Öffnen Sie die Seite in Ihrem Browser. Das Widget wird dann hier erkannt.";
    ADDRESS = "Page address", "Adresse der Seite";
    NO_ADDRESS = "Enter a full web address, for example https://www.example.com/help.", "Geben Sie eine vollständige Webadresse ein, zum Beispiel https://www.example.com/hilfe.";
    CHECK_ACTION = "Check", "Prüfen";
    RESULT = "Result for {0}", "Ergebnis für {0}";
    ALLOWED = "Allowed websites", "Freigegebene Websites";
    ALLOWED_YES = "In the list", "In der Liste";
    ALLOWED_NO = "Not in the list", "Nicht in der Liste";
    COVERED = "Platform CORS settings", "CORS-Einstellungen der Plattform";
    COVERED_YES = "OK", "OK";
    COVERED_NO = "Not allowed yet", "Noch nicht freigegeben";
    COVERED_NO_TEXT = "Ask your platform operator to add this website to cors.allowed_origins. Until then, browsers block the chatbot's answers.", "Bitten Sie Ihren Plattformbetreiber, diese Website in cors.allowed_origins aufzunehmen. Bis dahin blockieren Browser die Antworten des Chatbots.";
    SEEN = "Widget on this website", "Widget auf dieser Website";
    SEEN_NEVER = "Not detected yet", "Noch nicht erkannt";
    OPEN = "Open page", "Seite öffnen";
    WAITING = "Waiting for the widget on {0}. Open or reload the page now.", "Warten auf das Widget auf {0}. Öffnen Sie die Seite jetzt oder laden Sie sie neu.";
    DETECTED_TITLE = "Widget detected", "Widget erkannt";
    TIMED_OUT_TITLE = "No widget detected after two minutes", "Nach zwei Minuten kein Widget erkannt";
    TIMED_OUT_TEXT = "Check that the snippet is on the page and the page is published. Look for lines starting with [svc-chat] in the browser console (F12). A content security policy or an ad blocker can stop the widget. A page that loaded the widget within the last minute doesn't send a new request.", "Prüfen Sie, ob das Snippet auf der Seite steht und die Seite veröffentlicht ist. Suchen Sie in der Browserkonsole (F12) nach Zeilen, die mit [svc-chat] beginnen. Eine Content-Security-Policy oder ein Werbeblocker kann das Widget verhindern. Eine Seite, die das Widget in der letzten Minute geladen hat, sendet keine neue Anfrage.";
    WAIT_AGAIN = "Check again", "Erneut prüfen";

    LIST = "Websites using this chatbot (last 30 days)", "Websites mit diesem Chatbot (letzte 30 Tage)";
    LIST_TEXT = "Only requests per website and day are counted, without visitor data. Allow only websites you own: anyone can copy the snippet.", "Gezählt werden nur Anfragen pro Website und Tag, ohne Besucherdaten. Geben Sie nur eigene Websites frei: Das Snippet kann jeder kopieren.";
    REFRESH = "Refresh", "Aktualisieren";
    EMPTY_TITLE = "No websites yet", "Noch keine Websites";
    EMPTY_TEXT = "Add the snippet to your website and load a page. The website appears here after a few seconds.", "Fügen Sie das Snippet in Ihre Website ein und laden Sie eine Seite. Die Website erscheint hier nach wenigen Sekunden.";
    NAMELESS = "Unknown website", "Unbekannte Website";
    REQUESTS = "{0} requests, last {1}", "{0} Anfragen, zuletzt {1}";
    REQUEST = "1 request, last {0}", "1 Anfrage, zuletzt {0}";
    DAYS = "Per day", "Pro Tag";
    DAY = "Day", "Tag";
    OUTCOME = "Outcome", "Ergebnis";
    NUMBER = "Requests", "Anfragen";
    VERSION_CURRENT = "Widget {0} (current)", "Widget {0} (aktuell)";
    VERSION_OTHER = "Snippet from version {0}, loads the current widget ({1})", "Snippet aus Version {0}, lädt das aktuelle Widget ({1})";
    VERSION_NONE = "Snippet without a version, loads the current widget", "Snippet ohne Version, lädt das aktuelle Widget";
    ALLOW = "Allow {0}", "{0} freigeben";
    ALLOWED_TOAST = "{0} can now show your chatbots.", "{0} darf jetzt Ihre Chatbots zeigen.";

    ACCEPTED = "Accepted", "Angenommen";
    BLOCKED = "Blocked by browsers", "Von Browsern blockiert";
    REFUSED = "Rejected", "Abgelehnt";
    ALLOWED_NOW = "Now allowed", "Jetzt freigegeben";
    WITHDRAWN = "No longer allowed", "Nicht mehr freigegeben";
    ACCEPTED_TEXT = "The widget works on this website.", "Das Widget funktioniert auf dieser Website.";
    BLOCKED_TEXT = "This website is missing from the platform's CORS settings, so browsers block the chatbot's answers. Ask your platform operator to add it to cors.allowed_origins.", "Diese Website fehlt in den CORS-Einstellungen der Plattform. Deshalb blockieren Browser die Antworten des Chatbots. Bitten Sie Ihren Plattformbetreiber, sie in cors.allowed_origins aufzunehmen.";
    ALLOWED_NOW_TEXT = "The last request was rejected. The next one will be answered.", "Die letzte Anfrage wurde abgelehnt. Die nächste wird beantwortet.";
    WITHDRAWN_TEXT = "The last request was answered. The website has since been removed from your allowed websites.", "Die letzte Anfrage wurde beantwortet. Seitdem wurde die Website aus Ihren freigegebenen Websites entfernt.";
    NOT_LISTED_TEXT = "This website isn't one of your allowed websites.", "Diese Website ist nicht freigegeben.";
    NONE_LISTED_TEXT = "You have no allowed websites, so the chatbot doesn't load anywhere.", "Sie haben keine freigegebenen Websites. Deshalb wird der Chatbot nirgends geladen.";
    DEACTIVATED_TEXT = "The chatbot is deactivated.", "Der Chatbot ist deaktiviert.";
    MISSING_TEXT = "The request didn't include the website it came from.", "In der Anfrage fehlt die Angabe, von welcher Website sie kam.";
    OPAQUE_TEXT = "The browser hides the page's origin, for example for a local file or a sandboxed frame. Publish the page, or add allow-same-origin to the frame's sandbox attribute.", "Der Browser verbirgt die Herkunft der Seite, zum Beispiel bei einer lokalen Datei oder einem Frame mit Sandbox. Veröffentlichen Sie die Seite oder ergänzen Sie allow-same-origin im sandbox-Attribut des Frames.";
    MALFORMED_TEXT = "The request gave a website in a format no browser sends. It probably came from a script or bot.", "Die Anfrage nannte eine Website in einem Format, das kein Browser sendet. Vermutlich kam sie von einem Skript oder Bot.";
}
