//! Texts that both consoles use. A console's own texts are in its crate.

use super::Text;

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub const $name: Text = Text::new($en, $de);)+
    };
}

texts! {
    SKIP_TO_CONTENT = "Skip to content", "Zum Inhalt springen";
    OPEN_NAVIGATION = "Open navigation", "Navigation öffnen";
    MAIN_NAVIGATION = "Main navigation", "Hauptnavigation";
    LANGUAGE = "Language", "Sprache";
    THEME = "Theme", "Farbschema";
    THEME_LIGHT = "Light", "Hell";
    THEME_DARK = "Dark", "Dunkel";
    THEME_AUTO = "Match system", "Systemeinstellung";
    ACCOUNT = "Account", "Konto";
    SIGNED_IN_AS = "Signed in as {0}", "Angemeldet als {0}";
    SIGN_IN = "Sign in", "Anmelden";
    SIGN_OUT = "Sign out", "Abmelden";
    HELP = "Help for this page", "Hilfe zu dieser Seite (Englisch)";
    SIGN_IN_TEXT = "You'll be redirected to sign in, then brought back here.", "Sie werden zur Anmeldung weitergeleitet und kommen danach hierher zurück.";
    SIGNED_OUT = "You are signed out.", "Sie sind abgemeldet.";
    SESSION_ENDED = "Your session has ended. Sign in again to pick up where you left off.", "Ihre Sitzung ist beendet. Melden Sie sich erneut an und machen Sie dort weiter, wo Sie aufgehört haben.";
    PROVIDER_UNREACHABLE = "The sign-in service can't be reached. Try again in a moment.", "Der Anmeldedienst ist nicht erreichbar. Versuchen Sie es gleich noch einmal.";
    CONSOLE_INCOMPLETE = "The console didn't load completely. Try again in a moment.", "Die Konsole wurde nicht vollständig geladen. Versuchen Sie es gleich noch einmal.";
    SIGN_IN_REFUSED = "Sign-in failed ({0}).", "Die Anmeldung ist fehlgeschlagen ({0}).";
    SIGN_IN_MISMATCH = "The response from the sign-in service doesn't match this sign-in. Start again.", "Die Antwort des Anmeldedienstes passt nicht zu dieser Anmeldung. Beginnen Sie bitte von vorn.";
    NO_ACCESS_TITLE = "No access", "Kein Zugriff";
    VERSION = "Version {0}", "Version {0}";

    LOADING = "Loading…", "Wird geladen …";
    RETRY = "Try again", "Erneut versuchen";
    ERROR_TITLE = "Something went wrong", "Etwas ist schiefgelaufen";
    MISSING_TITLE = "Not found", "Nicht gefunden";
    TO_LIST = "Go to the list", "Zur Liste";
    REQUEST_ID = "Request ID", "Anfrage-ID";
    CLOSE = "Close", "Schließen";
    CANCEL = "Cancel", "Abbrechen";
    SAVE = "Save", "Speichern";
    CREATE = "Create", "Anlegen";
    DELETE = "Delete", "Löschen";
    EDIT = "Edit", "Bearbeiten";
    BACK = "Back", "Zurück";
    NEXT = "Next", "Weiter";
    COPY = "Copy", "Kopieren";
    COPIED = "Copied", "Kopiert";
    QUOTED = "“{0}”", "„{0}“";
    OPTIONAL = "optional", "optional";
    REQUIRED_FIELD = "Must not be empty.", "Darf nicht leer sein.";
    SEARCH = "Search", "Suchen";
    CLEAR_FILTERS = "Clear search and filters", "Suche und Filter zurücksetzen";
    ALL = "All", "Alle";
    ACTIONS = "Actions", "Aktionen";
    NONE = "none", "keine";
    SAVED = "Saved.", "Gespeichert.";
    NO_CHANGES = "No changes", "Keine Änderungen";
    CHANGES = "{0} unsaved changes", "{0} ungespeicherte Änderungen";
    CHANGES_ONE = "1 unsaved change", "1 ungespeicherte Änderung";
    SET_BY_OTHERS = "Someone else has changed this to “{0}”. Save again to overwrite it.", "Jemand anderes hat den Wert inzwischen in „{0}“ geändert. Speichern Sie erneut, um ihn zu überschreiben.";
    EMPTIED_BY_OTHERS = "Someone else has cleared this field. Save again to keep your entry.", "Jemand anderes hat dieses Feld inzwischen geleert. Speichern Sie erneut, um Ihre Eingabe zu behalten.";
    CHANGED_BY_OTHERS = "Someone else has changed this. Save again to overwrite their change.", "Jemand anderes hat das inzwischen geändert. Speichern Sie erneut, um diese Änderung zu überschreiben.";
    ALSO_CHANGED = "Someone else saved other changes in the meantime. Both are kept.", "Jemand anderes hat inzwischen andere Änderungen gespeichert. Beide bleiben erhalten.";
    EMERGENCY = "Emergency access ({0})", "Notfallzugriff ({0})";
    EMERGENCY_LEFT = "This session ends in {0} min. Your sign-in has been logged.", "Diese Sitzung endet in {0} Min. Ihre Anmeldung wurde protokolliert.";
    EMERGENCY_OVER = "This session has ended. Sign in again if you still need access.", "Diese Sitzung ist beendet. Melden Sie sich erneut an, falls Sie weiterhin Zugriff brauchen.";
    UNDO = "Undo", "Rückgängig";
    DISCARD = "Discard", "Verwerfen";
    TYPE_TO_CONFIRM = "Type “{0}” to confirm", "Zur Bestätigung „{0}“ eingeben";
    UNSAVED_TITLE = "Leave without saving?", "Ohne Speichern verlassen?";
    UNSAVED_TEXT = "Your unsaved changes will be lost.", "Ihre ungespeicherten Änderungen gehen verloren.";
    UNSAVED_STAY = "Stay", "Hier bleiben";
    UNSAVED_LEAVE = "Discard changes", "Änderungen verwerfen";
    PLOT_DAY = "1 day", "1 Tag";
    PLOT_DAYS = "{0} days", "{0} Tage";
    PLOT_TABLE = "Show as table", "Als Tabelle anzeigen";
    PLOT_BEFORE = "Period before", "Zeitraum davor";
    PLOT_BEFORE_SUM = "Period before (total)", "Zeitraum davor (gesamt)";
    PERIOD = "Period", "Zeitraum";
    LAST_7_DAYS = "Last 7 days", "Letzte 7 Tage";
    LAST_30_DAYS = "Last 30 days", "Letzte 30 Tage";
    LAST_90_DAYS = "Last 90 days", "Letzte 90 Tage";
    PLOT_EMPTY = "No data for these days.", "Keine Daten für diese Tage.";
    DAY = "Day", "Tag";
    COLUMNS = "Columns", "Spalten";
    COUNT = "Count", "Anzahl";
    OPEN_COUNT = "{0} open", "{0} offen";
    PALETTE = "Search or jump to", "Suchen und öffnen";
    PALETTE_HINT = "Page, name, ID or action", "Seite, Name, ID oder Aktion";
    ACTION = "Action", "Aktion";
    USE_LIGHT = "Switch to the light theme", "Helles Farbschema verwenden";
    USE_DARK = "Switch to the dark theme", "Dunkles Farbschema verwenden";
    USE_SYSTEM = "Use the system's theme", "Farbschema des Systems verwenden";
    USE_LANGUAGE = "Switch language: {0}", "Sprache wechseln: {0}";
    PALETTE_NOTHING = "No results.", "Keine Treffer.";
    SHORTCUTS = "Keyboard shortcuts", "Tastenkürzel";
    KEY_SEARCH = "Search the list on this page", "Liste auf dieser Seite durchsuchen";
    KEY_PALETTE = "Go to a page or item by name, or run an action", "Seite oder Eintrag über den Namen öffnen oder eine Aktion ausführen";
    KEY_SHORTCUTS = "Show this list", "Diese Liste anzeigen";
    KEY_TAB = "Next field, link or button (previous with Shift)", "Nächstes Feld, nächster Link oder Button (mit Umschalt: zurück)";
    KEY_ARROWS = "Move through menus, tabs, options and table rows", "In Menüs, Tabs, Auswahllisten und Tabellenzeilen bewegen";
    KEY_ESCAPE = "Close the open menu or dialog", "Offenes Menü oder offenen Dialog schließen";
    UNSAVED_ENDED_TITLE = "Your session has ended", "Ihre Sitzung ist beendet";
    UNSAVED_ENDED_TEXT = "Your changes are still on this page but can't be saved, and signing in will leave the page. Cancel if you want to copy them first.", "Ihre Änderungen stehen noch auf dieser Seite, lassen sich aber nicht mehr speichern. Bei der Anmeldung verlassen Sie die Seite. Brechen Sie ab, wenn Sie die Änderungen vorher kopieren möchten.";
    NOTIFICATIONS = "Notifications", "Benachrichtigungen";
    STEP_DONE = "done", "erledigt";
    STEP_FAILED = "failed", "fehlgeschlagen";

    PAGINATION = "Pages", "Seiten";
    PAGE_STATUS = "{0}–{1} of {2}", "{0}–{1} von {2}";
    PAGE_NUMBER = "Page {0}", "Seite {0}";
    PAGE_PREVIOUS = "Previous page", "Vorherige Seite";
    PAGE_NEXT = "Next page", "Nächste Seite";
    PAGE_SIZE = "Rows per page", "Zeilen pro Seite";

    NOT_FOUND_TITLE = "Page not found", "Seite nicht gefunden";
    NOT_FOUND_TEXT = "The address may be wrong, or the page no longer exists.", "Vielleicht ist die Adresse falsch, oder die Seite gibt es nicht mehr.";
    TO_OVERVIEW = "Go to overview", "Zur Übersicht";

    NAME = "Name", "Name";
    SLUG = "Slug", "Kurzname";
    CREATED = "Created", "Angelegt";
    UPDATED = "Updated", "Geändert";
    STATUS = "Status", "Status";
    ACTIVE = "Active", "Aktiv";
    DEACTIVATED = "Deactivated", "Deaktiviert";
    READY = "Ready", "Bereit";
    PENDING = "Setting up", "Wird eingerichtet";
    FAILED = "Failed", "Fehlgeschlagen";
    LANGUAGE_EN = "English", "Englisch";
    LANGUAGE_DE = "German", "Deutsch";
    JUST_NOW = "just now", "gerade eben";
    COLOUR_OF = "Choose a colour: {0}", "Farbe wählen: {0}";
}
