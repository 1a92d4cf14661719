//! Texts about people.

use crate::i18n::Text;

macro_rules! texts {
    ($($name:ident = $en:literal, $de:literal;)+) => {
        $(#[doc = $en] pub const $name: Text = Text::new($en, $de);)+
    };
}

texts! {
    TITLE = "People", "Personen";
    SUBTITLE = "Who can sign in to this console, and what they can do.", "Wer sich an dieser Konsole anmelden kann und mit welchen Rechten.";
    SEARCH = "Search by name or email", "Nach Name oder E-Mail-Adresse suchen";
    INVITE = "Invite person", "Person einladen";
    INVITE_TITLE = "Invite a person", "Person einladen";
    INVITE_SUBMIT = "Invite", "Einladen";
    FIRST_ADMIN_TITLE = "Invite the first administrator", "Ersten Administrator einladen";
    FIRST_ADMIN_TEXT = "Nobody can sign in to {0} yet. Invite someone who sets up the chatbots and lets colleagues in.", "Bei {0} kann sich noch niemand anmelden. Laden Sie jemanden ein, der die Chatbots einrichtet und weitere Personen hinzufügt.";
    LATER = "Not now", "Später";
    FIRST_NAME = "First name", "Vorname";
    LAST_NAME = "Last name", "Nachname";
    EMAIL = "Email address", "E-Mail-Adresse";
    USERNAME = "Username", "Benutzername";
    USERNAME_HINT = "Used to sign in. It can't be changed later.", "Wird für die Anmeldung verwendet und lässt sich später nicht ändern.";
    ROLE = "Role", "Rolle";
    ROLE_ALL = "All roles", "Alle Rollen";
    ADMIN = "Administrator", "Administrator";
    VIEWER = "Viewer", "Nur Lesezugriff";
    NO_ROLE = "No role", "Keine Rolle";
    STATE_ALL = "All statuses", "Alle Status";
    ACTIVE = "Active", "Aktiv";
    INVITED = "Invited", "Eingeladen";
    DEACTIVATED = "Deactivated", "Deaktiviert";
    LAST_ACTIVE = "Last active", "Zuletzt aktiv";
    NEVER = "never", "nie";
    YOU = "You", "Sie";
    ACTIONS_OF = "Actions for {0}", "Aktionen für {0}";
    EDIT = "Edit", "Bearbeiten";
    EDIT_TITLE = "Edit {0}", "{0} bearbeiten";
    MAKE_ADMIN = "Make administrator", "Zum Administrator machen";
    MAKE_VIEWER = "Change to viewer", "Auf Lesezugriff beschränken";
    NEW_PASSWORD = "Reset password", "Passwort zurücksetzen";
    SIGN_OUT = "Sign out everywhere", "Überall abmelden";
    DEACTIVATE = "Deactivate", "Deaktivieren";
    ACTIVATE = "Activate", "Aktivieren";
    REMOVE = "Remove", "Entfernen";
    MAKE_ADMIN_TITLE = "Make {0} an administrator?", "{0} zum Administrator machen?";
    MAKE_ADMIN_TEXT = "Administrators can change all settings and manage people.", "Administratoren können alle Einstellungen ändern und Personen verwalten.";
    MAKE_VIEWER_TITLE = "Change {0} to viewer?", "{0} auf Lesezugriff beschränken?";
    MAKE_VIEWER_TEXT = "{0} can then view everything but change nothing, and is signed out everywhere.", "{0} kann dann alles ansehen, aber nichts ändern, und wird überall abgemeldet.";
    NEW_PASSWORD_TITLE = "Reset the password of {0}?", "Passwort von {0} zurücksetzen?";
    NEW_PASSWORD_TEXT = "You get a new password to pass on. {0} is signed out everywhere and chooses a password of their own at the next sign-in.", "Sie erhalten ein neues Passwort zum Weitergeben. {0} wird überall abgemeldet und wählt bei der nächsten Anmeldung ein eigenes Passwort.";
    SIGN_OUT_TITLE = "Sign {0} out everywhere?", "{0} überall abmelden?";
    SIGN_OUT_TEXT = "All sessions of {0} end. Pages that are open stop working within five minutes.", "Alle Sitzungen von {0} enden. Geöffnete Seiten funktionieren spätestens nach fünf Minuten nicht mehr.";
    DEACTIVATE_TITLE = "Deactivate {0}?", "{0} deaktivieren?";
    DEACTIVATE_TEXT = "{0} is signed out everywhere and can't sign in until you activate the account again.", "{0} wird überall abgemeldet und kann sich erst wieder anmelden, wenn Sie das Konto aktivieren.";
    ACTIVATE_TITLE = "Activate {0}?", "{0} aktivieren?";
    ACTIVATE_TEXT = "{0} can sign in again with the same password.", "{0} kann sich wieder mit demselben Passwort anmelden.";
    REMOVE_TITLE = "Remove {0}?", "{0} entfernen?";
    REMOVE_TEXT = "The account and its preferences are deleted. The username can't be used again for two years.", "Das Konto und seine Einstellungen werden gelöscht. Der Benutzername kann zwei Jahre lang nicht erneut vergeben werden.";
    INVITED_DONE = "{0} was invited.", "{0} wurde eingeladen.";
    INVITED_BY_MAIL = "{0} was invited. The invitation was sent to {1}.", "{0} wurde eingeladen. Die Einladung wurde an {1} gesendet.";
    SAVED = "{0} was saved.", "{0} wurde gespeichert.";
    SIGNED_OUT = "{0} was signed out everywhere.", "{0} wurde überall abgemeldet.";
    REMOVED = "{0} was removed.", "{0} wurde entfernt.";
    PASSWORD_TITLE = "Password for {0}", "Passwort für {0}";
    PASSWORD_TEXT = "Pass on the username and this password over a safe channel. The password is shown only now and must be changed at the first sign-in.", "Geben Sie Benutzername und Passwort auf einem sicheren Weg weiter. Das Passwort wird nur jetzt angezeigt und muss bei der ersten Anmeldung geändert werden.";
    PASSWORD = "Temporary password", "Vorläufiges Passwort";
    PASSWORD_DONE = "Done", "Fertig";
    EMPTY_TITLE = "Nobody yet", "Noch keine Personen";
    EMPTY_TEXT = "Invite the first person who can sign in.", "Laden Sie die erste Person ein, die sich anmelden kann.";
    EMPTY_TEXT_READ = "Nobody can sign in yet.", "Bisher kann sich niemand anmelden.";
    NO_MATCH_TITLE = "No results", "Keine Treffer";
    NO_MATCH_TEXT = "Try another search or filter.", "Versuchen Sie es mit einer anderen Suche oder einem anderen Filter.";
}
