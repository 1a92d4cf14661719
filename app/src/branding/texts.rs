//! Texts of the branding form.

use crate::i18n::Text;

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub const $name: Text = Text::new($en, $de);)+
    };
}

texts! {
    SUBTITLE = "How the chat window looks, and which websites can show it.", "Wie das Chatfenster aussieht und welche Websites es zeigen dürfen.";
    NAMES = "Names and texts", "Namen und Texte";
    COLOURS = "Colours and shape", "Farben und Form";
    LINKS = "Images and links", "Bilder und Links";
    ORIGINS = "Allowed websites", "Freigegebene Websites";
    PAGES = "Where questions are asked", "Herkunft der Fragen";
    RECORD_PAGES = "Record the page where a question is asked", "Seite festhalten, auf der eine Frage gestellt wird";
    RECORD_PAGES_TEXT = "Conversations show its address without parameters. Mention it in your privacy policy.", "In Gesprächen steht dann die Adresse der Seite ohne Parameter. Erwähnen Sie das in Ihrer Datenschutzerklärung.";
    DISPLAY_NAME = "Display name", "Anzeigename";
    DISPLAY_NAME_HINT = "The organisation's name as visitors know it.", "Der Name der Organisation, wie Besucher ihn kennen.";
    HEADER_TITLE = "Chat window title", "Titel des Chatfensters";
    HEADER_TITLE_HINT = "Defaults to the display name.", "Ohne Angabe gilt der Anzeigename.";
    INPUT_PLACEHOLDER = "Input placeholder", "Platzhalter im Eingabefeld";
    NOTICE = "Words after the notice", "Worte nach dem Hinweis";
    NOTICE_HINT = "The widget always says that answers are automatic and can be wrong. This sentence follows it.", "Das Widget sagt immer, dass Antworten automatisch entstehen und falsch sein können. Dieser Satz folgt darauf.";
    PRIMARY = "Primary colour", "Primärfarbe";
    PRIMARY_HINT = "Header and chat button.", "Kopfzeile und Chat-Button.";
    ACCENT = "Accent colour", "Akzentfarbe";
    ACCENT_HINT = "Links and highlights.", "Links und Hervorhebungen.";
    BACKGROUND = "Background", "Hintergrund";
    TEXT = "Text", "Text";
    FONT = "Font family", "Schriftart";
    FONT_HINT = "Fonts your pages already load, for example Inter, sans-serif.", "Schriften, die Ihre Seiten bereits laden, zum Beispiel Inter, sans-serif.";
    RADIUS = "Corner radius (px)", "Eckenradius (px)";
    RADIUS_HINT = "0 to 32.", "0 bis 32.";
    POSITION = "Button position", "Position des Chat-Buttons";
    POSITION_UNSET = "Default (bottom right)", "Standard (unten rechts)";
    POSITION_RIGHT = "Bottom right", "Unten rechts";
    POSITION_LEFT = "Bottom left", "Unten links";
    THEME = "Chat window theme", "Farbschema des Chatfensters";
    THEME_UNSET = "Default (match visitor's system)", "Standard (System des Besuchers)";
    LOGO = "Logo", "Logo";
    AVATAR = "Chatbot avatar", "Avatar des Chatbots";
    PRIVACY = "Privacy policy", "Datenschutzerklärung";
    CONTACT = "Contact", "Kontakt";
    CONTACT_HINT = "Shown when the chatbot has no answer or a visitor asks for a person. For example https://example.com/contact, mailto:help@example.com or tel:+49301234567.", "Erscheint, wenn der Chatbot keine Antwort hat oder jemand mit einem Menschen sprechen möchte. Zum Beispiel https://example.com/kontakt, mailto:hilfe@example.com oder tel:+49301234567.";
    PICTURE_HINT = "Upload an image, or enter its https:// address.", "Laden Sie ein Bild hoch oder geben Sie seine Adresse mit https:// ein.";
    UPLOAD = "Upload image", "Bild hochladen";
    UPLOADED = "Uploaded image", "Hochgeladenes Bild";
    REMOVE_PICTURE = "Remove image", "Bild entfernen";
    PICTURE_SAVED = "Image saved. Visitors see it now.", "Bild gespeichert. Besucher sehen es ab jetzt.";
    PICTURE_FORMAT = "Choose a PNG, JPEG or WebP image.", "Wählen Sie ein Bild im Format PNG, JPEG oder WebP.";
    PICTURE_SIZE = "The image must be 16 to 4096 pixels wide and high.", "Das Bild muss 16 bis 4096 Pixel breit und hoch sein.";
    PICTURE_BROKEN = "The image can't be read. The file may be damaged.", "Das Bild lässt sich nicht öffnen. Vielleicht ist die Datei beschädigt.";
    PICTURE_LARGE = "The image is larger than 2 MB.", "Das Bild ist größer als 2 MB.";
    URL_HINT = "An https:// address.", "Eine Adresse mit https://.";

    ORIGINS_TEXT = "Chatbots only work on these websites. Enter scheme and host, for example https://www.example.com. https://*.example.com allows all subdomains, but not example.com itself.", "Chatbots funktionieren nur auf diesen Websites. Geben Sie Schema und Host an, zum Beispiel https://www.example.com. https://*.example.com gibt alle Subdomains frei, aber nicht example.com selbst.";
    ORIGIN_LABEL = "Website {0}", "Website {0}";
    ORIGIN_ADD = "Add website", "Website hinzufügen";
    ORIGIN_REMOVE = "Remove website {0}", "Website {0} entfernen";
    ORIGIN_COUNT = "{0} of {1}", "{0} von {1}";
    ORIGIN_EMPTY_TITLE = "No allowed websites", "Keine freigegebenen Websites";
    ORIGIN_EMPTY_TEXT = "Chatbots won't load anywhere until you add a website.", "Chatbots werden erst geladen, wenn Sie eine Website hinzufügen.";
    ORIGIN_DUPLICATE = "This website is already in the list.", "Diese Website ist bereits in der Liste.";
    ORIGIN_USE = "Use {0}", "{0} verwenden";
    ORIGIN_LENGTH = "Enter an address with 1 to 300 characters, or remove this line.", "Geben Sie eine Adresse mit 1 bis 300 Zeichen ein oder entfernen Sie diese Zeile.";
    ORIGIN_WILDCARD = "Use * only as the first part of the host: https://*.example.com. A * on its own would allow every website.", "Verwenden Sie * nur als ersten Teil des Hostnamens: https://*.example.com. Ein * allein würde jede Website freigeben.";
    ORIGIN_TOO_WIDE = "At least two parts must follow the *: https://*.example.com, not https://*.com.", "Nach dem * müssen mindestens zwei Namensteile folgen: https://*.example.com, nicht https://*.com.";
    ORIGIN_SCHEME = "Start with https:// (or http:// for localhost).", "Beginnen Sie mit https:// (oder http:// für localhost).";
    ORIGIN_INSECURE = "http:// is only allowed for localhost. Use https:// for all other websites.", "http:// ist nur für localhost erlaubt. Verwenden Sie für alle anderen Websites https://.";
    ORIGIN_MORE = "Enter only scheme, host and port. Remove everything after that, including a trailing slash.", "Geben Sie nur Schema, Host und Port an. Entfernen Sie alles danach, auch einen Schrägstrich am Ende.";
    ORIGIN_UPPER = "Use lower case only.", "Verwenden Sie nur Kleinbuchstaben.";
    ORIGIN_HOST = "Enter a valid host name. Write names with umlauts in Punycode (xn--…), without a dot at the end.", "Geben Sie einen gültigen Hostnamen ein. Schreiben Sie Namen mit Umlauten in Punycode (xn--…), ohne Punkt am Ende.";
    ORIGIN_PORT = "The port must be a number from 1 to 65535 without leading zeros.", "Der Port muss eine Zahl von 1 bis 65535 ohne führende Nullen sein.";

    ORIGIN_SHARED = "Websites of many different owners share this domain, and all of them could show your chatbots. You can still save.", "Unter dieser Domain liegen Websites vieler Inhaber. Sie alle könnten Ihre Chatbots zeigen. Sie können trotzdem speichern.";
    WARNING_TITLE = "Hard to read", "Schlecht lesbar";
    WARNING = "{0}: contrast with the background is {1}:1. At least {2}:1 is recommended. You can still save.", "{0}: Der Kontrast zum Hintergrund beträgt {1}:1. Empfohlen sind mindestens {2}:1. Sie können trotzdem speichern.";
    NOT_A_NUMBER = "Enter a whole number from 0 to 32.", "Geben Sie eine ganze Zahl von 0 bis 32 ein.";

    PREVIEW = "Preview", "Vorschau";
    PREVIEW_TITLE = "Chat", "Chat";
    PREVIEW_WELCOME = "Hello! How can I help?", "Hallo! Wie kann ich Ihnen helfen?";
    PREVIEW_QUESTION = "How do I return a parcel?", "Wie schicke ich ein Paket zurück?";
    PREVIEW_ANSWER = "Within 30 days, using the label in the box.", "Innerhalb von 30 Tagen mit dem Rücksendeetikett aus dem Paket.";
    PREVIEW_SOURCE = "Source: Returns", "Quelle: Rückgabe";
    PREVIEW_INPUT = "Ask a question…", "Stellen Sie eine Frage …";

    SAVE = "Save branding", "Erscheinungsbild speichern";
    SAVED = "Branding saved.", "Erscheinungsbild gespeichert.";
    SAVED_WITH_WARNINGS = "Branding saved with warnings.", "Erscheinungsbild mit Warnungen gespeichert.";
}
