//! Texts of the branding form.

use crate::i18n::Text;

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub const $name: Text = Text::new($en, $de);)+
    };
}

texts! {
    SUBTITLE = "How the chat window looks on your websites, and which websites may show it.", "Wie das Chatfenster auf Ihren Websites aussieht und welche Websites es zeigen dürfen.";
    NAMES = "Names and texts", "Namen und Texte";
    COLOURS = "Colours and shape", "Farben und Form";
    LINKS = "Pictures and links", "Bilder und Verweise";
    ORIGINS = "Allowed websites", "Erlaubte Websites";
    DISPLAY_NAME = "Display name", "Anzeigename";
    DISPLAY_NAME_HINT = "Your organisation, as visitors know it.", "Ihre Organisation, wie Besucher sie kennen.";
    HEADER_TITLE = "Title of the chat window", "Titel des Chatfensters";
    HEADER_TITLE_HINT = "The display name when empty.", "Der Anzeigename, wenn leer.";
    INPUT_PLACEHOLDER = "Hint in the empty input", "Hinweis im leeren Eingabefeld";
    PRIMARY = "Primary colour", "Hauptfarbe";
    PRIMARY_HINT = "Header and launcher.", "Kopfzeile und Startknopf.";
    ACCENT = "Accent colour", "Akzentfarbe";
    ACCENT_HINT = "Links and highlights.", "Verweise und Hervorhebungen.";
    BACKGROUND = "Background", "Hintergrund";
    TEXT = "Text", "Text";
    FONT = "Font family", "Schriftfamilie";
    FONT_HINT = "Fonts that your pages load, for example Inter, sans-serif.", "Schriften, die Ihre Seiten laden, zum Beispiel Inter, sans-serif.";
    RADIUS = "Corner radius in pixels", "Eckenradius in Pixeln";
    RADIUS_HINT = "0 to 32.", "0 bis 32.";
    POSITION = "Place of the launcher", "Ort des Startknopfs";
    POSITION_UNSET = "Not set (bottom right)", "Nicht gesetzt (unten rechts)";
    POSITION_RIGHT = "Bottom right", "Unten rechts";
    POSITION_LEFT = "Bottom left", "Unten links";
    THEME = "Theme of the chat window", "Farbschema des Chatfensters";
    THEME_UNSET = "Not set (as the visitor's system)", "Nicht gesetzt (wie das System des Besuchers)";
    LOGO = "Logo", "Logo";
    AVATAR = "Picture of the chatbot", "Bild des Chatbots";
    PRIVACY = "Privacy notice", "Datenschutzhinweis";
    URL_HINT = "An https address.", "Eine https-Adresse.";

    ORIGINS_TEXT = "A chatbot answers only on these websites. Write scheme and host as in https://www.example.com; https://*.example.com allows every subdomain, but not example.com itself.", "Ein Chatbot antwortet nur auf diesen Websites. Schreiben Sie Schema und Host wie in https://www.example.com; https://*.example.com erlaubt jede Subdomain, aber nicht example.com selbst.";
    ORIGIN_LABEL = "Website {0}", "Website {0}";
    ORIGIN_ADD = "Add a website", "Website hinzufügen";
    ORIGIN_REMOVE = "Remove website {0}", "Website {0} entfernen";
    ORIGIN_COUNT = "{0} of {1}", "{0} von {1}";
    ORIGIN_EMPTY_TITLE = "No website allowed", "Keine Website erlaubt";
    ORIGIN_EMPTY_TEXT = "Your chatbots stay silent everywhere until one is in this list.", "Ihre Chatbots bleiben überall stumm, bis eine in dieser Liste steht.";
    ORIGIN_DUPLICATE = "This website stands in the list already.", "Diese Website steht schon in der Liste.";
    ORIGIN_USE = "Use {0}", "{0} verwenden";
    ORIGIN_LENGTH = "Enter an address of 1 to 300 characters, or remove the line.", "Geben Sie eine Adresse mit 1 bis 300 Zeichen ein oder entfernen Sie die Zeile.";
    ORIGIN_WILDCARD = "A * may only stand for the first label: https://*.example.com. A bare * would allow every website in the world.", "Ein * darf nur für den ersten Namensteil stehen: https://*.example.com. Ein bloßes * würde jede Website der Welt erlauben.";
    ORIGIN_TOO_WIDE = "At least two labels must follow the *: https://*.example.com, not https://*.com.", "Nach dem * müssen mindestens zwei Namensteile folgen: https://*.example.com, nicht https://*.com.";
    ORIGIN_SCHEME = "Begin with https:// (or with http:// for localhost).", "Beginnen Sie mit https:// (oder mit http:// für localhost).";
    ORIGIN_INSECURE = "http:// is allowed for localhost only; visitors' questions need https://.", "http:// ist nur für localhost erlaubt; Fragen von Besuchern brauchen https://.";
    ORIGIN_MORE = "Only scheme, host and port: leave out everything after the host, also the last slash.", "Nur Schema, Host und Port: Lassen Sie alles nach dem Host weg, auch den letzten Schrägstrich.";
    ORIGIN_UPPER = "Write it in lower case, as browsers send it.", "Schreiben Sie klein, wie Browser es senden.";
    ORIGIN_HOST = "This is no host name. Names with umlauts are written in punycode (xn--…), without a dot at the end.", "Das ist kein Hostname. Namen mit Umlauten stehen in Punycode (xn--…), ohne Punkt am Ende.";
    ORIGIN_PORT = "The port is a number from 1 to 65535 without leading zeros.", "Der Port ist eine Zahl von 1 bis 65535 ohne führende Nullen.";

    ORIGIN_SHARED = "Under this domain many owners have their websites: all of them may show your chatbots. You can save it nevertheless.", "Unter dieser Domain haben viele Inhaber ihre Websites: Sie alle dürfen Ihre Chatbots zeigen. Speichern können Sie trotzdem.";
    WARNING_TITLE = "Hard to read", "Schlecht lesbar";
    WARNING = "{0}: contrast {1} to 1 with the background; good reading needs {2} to 1. You can save it nevertheless.", "{0}: Kontrast {1} zu 1 mit dem Hintergrund; gut lesbar ist erst {2} zu 1. Speichern können Sie trotzdem.";
    NOT_A_NUMBER = "A whole number from 0 to 32.", "Eine ganze Zahl von 0 bis 32.";

    PREVIEW = "Preview", "Vorschau";
    PREVIEW_NOTE = "Drawn from the form; visitors see it after saving.", "Aus dem Formular gezeichnet; Besucher sehen es nach dem Speichern.";
    PREVIEW_TITLE = "Chat", "Chat";
    PREVIEW_WELCOME = "Hello! How can I help?", "Hallo! Wie kann ich helfen?";
    PREVIEW_QUESTION = "How do I send a parcel back?", "Wie schicke ich ein Paket zurück?";
    PREVIEW_ANSWER = "Within 30 days, with the label from the box.", "Innerhalb von 30 Tagen, mit dem Aufkleber aus dem Paket.";
    PREVIEW_SOURCE = "Source: Returns", "Quelle: Rückgabe";
    PREVIEW_INPUT = "Ask a question …", "Stellen Sie eine Frage …";

    SAVE = "Save branding", "Erscheinungsbild speichern";
    SAVED = "Branding saved.", "Erscheinungsbild gespeichert.";
    SAVED_WITH_WARNINGS = "Branding saved, with warnings.", "Erscheinungsbild gespeichert, mit Hinweisen.";
}
