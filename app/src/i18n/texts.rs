//! The texts that both consoles use. A console's own texts live in its own crate.

use super::Text;

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub const $name: Text = Text::new($en, $de);)+
    };
}

texts! {
    SKIP_TO_CONTENT = "Skip to content", "Zum Inhalt springen";
    OPEN_NAVIGATION = "Open navigation", "Navigation öffnen";
    CLOSE_NAVIGATION = "Close navigation", "Navigation schließen";
    MAIN_NAVIGATION = "Main navigation", "Hauptnavigation";
    LANGUAGE = "Language", "Sprache";
    THEME = "Theme", "Farbschema";
    THEME_LIGHT = "Light", "Hell";
    THEME_DARK = "Dark", "Dunkel";
    THEME_AUTO = "As the system", "Wie das System";
    ACCOUNT = "Account", "Konto";
    SIGNED_IN_AS = "Signed in as {0}", "Angemeldet als {0}";
    SIGN_IN = "Sign in", "Anmelden";
    SIGN_OUT = "Sign out", "Abmelden";
    SIGN_IN_TITLE = "Sign in to continue", "Zum Fortfahren anmelden";
    SIGN_IN_TEXT = "You sign in at the identity provider and come back to the page you asked for.", "Sie melden sich beim Identitätsdienst an und kommen zur gewünschten Seite zurück.";
    SIGNING_IN = "Signing you in …", "Sie werden angemeldet …";
    SIGNED_OUT = "You are signed out.", "Sie sind abgemeldet.";
    SESSION_ENDED = "Your session has ended. Sign in again to go on where you were.", "Ihre Sitzung ist beendet. Melden Sie sich an, um dort weiterzumachen.";
    PROVIDER_UNREACHABLE = "The identity provider cannot be reached. Try again shortly.", "Der Identitätsdienst ist nicht erreichbar. Versuchen Sie es gleich noch einmal.";
    CONSOLE_INCOMPLETE = "The console could not be loaded completely. Try again shortly.", "Die Konsole konnte nicht vollständig geladen werden. Versuchen Sie es gleich noch einmal.";
    SIGN_IN_REFUSED = "The sign-in did not succeed ({0}).", "Die Anmeldung ist fehlgeschlagen ({0}).";
    SIGN_IN_MISMATCH = "The answer of the identity provider does not belong to this sign-in. Start again.", "Die Antwort des Identitätsdienstes gehört nicht zu dieser Anmeldung. Beginnen Sie neu.";
    NO_ACCESS_TITLE = "No access", "Kein Zugang";
    VERSION = "Version {0}", "Version {0}";

    LOADING = "Loading …", "Wird geladen …";
    RETRY = "Try again", "Erneut versuchen";
    ERROR_TITLE = "That did not work", "Das hat nicht geklappt";
    REQUEST_ID = "Request id", "Vorgangsnummer";
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
    CLEAR_FILTERS = "Clear search and filters", "Suche und Filter löschen";
    ALL = "All", "Alle";
    ACTIONS = "Actions", "Aktionen";
    NONE = "none", "keine";
    SAVED = "Saved.", "Gespeichert.";
    NO_CHANGES = "Nothing has changed.", "Keine Änderungen.";
    CHANGES = "{0} changes not saved yet", "{0} Änderungen noch nicht gespeichert";
    CHANGES_ONE = "1 change not saved yet", "1 Änderung noch nicht gespeichert";
    SET_BY_OTHERS = "Somebody else has set “{0}” here meanwhile, and that is stored. Save again to put yours in its place.", "Jemand anderes hat hier inzwischen „{0}“ eingetragen, und das ist gespeichert. Speichern Sie noch einmal, um Ihres an die Stelle zu setzen.";
    EMPTIED_BY_OTHERS = "Somebody else has emptied this meanwhile. Save again to put yours in its place.", "Jemand anderes hat das inzwischen geleert. Speichern Sie noch einmal, um Ihres an die Stelle zu setzen.";
    CHANGED_BY_OTHERS = "Somebody else has changed this meanwhile, and that is stored. Save again to put yours in its place.", "Jemand anderes hat das inzwischen geändert, und das ist gespeichert. Speichern Sie noch einmal, um Ihres an die Stelle zu setzen.";
    ALSO_CHANGED = "Somebody else has saved other changes meanwhile; theirs and yours stand together.", "Jemand anderes hat inzwischen anderes gespeichert; beide Änderungen gelten zusammen.";
    EMERGENCY = "Emergency access ({0})", "Notfallzugang ({0})";
    EMERGENCY_LEFT = "Minutes until this session ends: {0}. The sign-in has been recorded.", "Minuten bis zum Ende dieser Sitzung: {0}. Die Anmeldung ist vermerkt.";
    EMERGENCY_OVER = "This session is over. Sign in again if you still need it.", "Diese Sitzung ist abgelaufen. Melden Sie sich erneut an, wenn Sie sie noch brauchen.";
    UNDO = "Undo", "Rückgängig";
    DISCARD = "Discard", "Verwerfen";
    TYPE_TO_CONFIRM = "Type “{0}” to confirm", "Zum Bestätigen „{0}“ eingeben";
    UNSAVED_TITLE = "Leave without saving?", "Ohne Speichern verlassen?";
    UNSAVED_TEXT = "What you changed on this page and did not save is lost.", "Was Sie auf dieser Seite geändert und nicht gespeichert haben, geht verloren.";
    UNSAVED_LEAVE = "Leave", "Verlassen";
    PLOT_LABEL = "{0} days, {1} in all, at most {2} a day", "{0} Tage, {1} insgesamt, höchstens {2} am Tag";
    PLOT_TABLE = "As a table", "Als Tabelle";
    PLOT_EMPTY = "Nothing in these days.", "Nichts in diesen Tagen.";
    DAY = "Day", "Tag";
    COLUMNS = "Columns", "Spalten";
    COUNT = "Number", "Anzahl";
    PALETTE = "Go to", "Gehe zu";
    PALETTE_HINT = "A page, a name or an id", "Eine Seite, ein Name oder eine Kennung";
    PALETTE_NOTHING = "Nothing found.", "Nichts gefunden.";
    SHORTCUTS = "Keyboard shortcuts", "Tastenkürzel";
    KEY_SEARCH = "Search the list of this page", "Die Liste dieser Seite durchsuchen";
    KEY_PALETTE = "Go to a page or a thing by its name", "Über den Namen zu einer Seite oder einem Eintrag gehen";
    KEY_SHORTCUTS = "Show this list", "Diese Liste zeigen";
    KEY_TAB = "To the next field, link or button; with Shift back", "Zum nächsten Feld, Link oder Knopf; mit Umschalt zurück";
    KEY_ARROWS = "Through menus, tabs and choices, and from row to row of a table", "Durch Menüs, Reiter und Auswahlen und in Tabellen von Zeile zu Zeile";
    KEY_ESCAPE = "Close what is open", "Schließen, was offen ist";
    UNSAVED_ENDED_TITLE = "Your session has ended", "Ihre Sitzung ist beendet";
    UNSAVED_ENDED_TEXT = "What you have typed still stands on this page, but it cannot be saved any more, and signing in leaves the page. Cancel to copy it first.", "Was Sie geschrieben haben, steht noch auf dieser Seite, lässt sich aber nicht mehr speichern, und die Anmeldung verlässt die Seite. Brechen Sie ab, um es erst zu kopieren.";
    NOTIFICATIONS = "Notifications", "Meldungen";
    STEP_DONE = "done", "erledigt";
    STEP_FAILED = "failed", "fehlgeschlagen";

    PAGINATION = "Pages", "Seiten";
    PAGE_STATUS = "{0}–{1} of {2}", "{0}–{1} von {2}";
    PAGE_NUMBER = "Page {0}", "Seite {0}";
    PAGE_PREVIOUS = "Previous page", "Vorige Seite";
    PAGE_NEXT = "Next page", "Nächste Seite";
    PAGE_SIZE = "Rows per page", "Zeilen je Seite";

    NOT_FOUND_TITLE = "This page does not exist", "Diese Seite gibt es nicht";
    NOT_FOUND_TEXT = "The address may be mistyped, or what it showed is gone.", "Vielleicht ist die Adresse vertippt, oder der Inhalt ist nicht mehr da.";
    TO_OVERVIEW = "To the overview", "Zur Übersicht";

    NAME = "Name", "Name";
    SLUG = "Slug", "Kurzname";
    CREATED = "Created", "Angelegt";
    UPDATED = "Updated", "Geändert";
    STATUS = "Status", "Status";
    ACTIVE = "Active", "Aktiv";
    DEACTIVATED = "Deactivated", "Deaktiviert";
    READY = "Ready", "Bereit";
    PENDING = "In preparation", "In Vorbereitung";
    FAILED = "Failed", "Fehlgeschlagen";
    LANGUAGE_EN = "English", "Englisch";
    LANGUAGE_DE = "German", "Deutsch";
    JUST_NOW = "just now", "gerade eben";
    COLOUR_OF = "Pick: {0}", "Auswählen: {0}";
}
