//! Texts of the preferences.

texts! {
    SUBTITLE = "How the console looks for you, and who you are here.", "Wie die Konsole für Sie aussieht und wer Sie hier sind.";
    LOOK = "Look", "Aussehen";
    LIGHT_TEXT = "Dark text on a bright ground.", "Dunkler Text auf hellem Grund.";
    DARK_TEXT = "Bright text on a dark ground.", "Heller Text auf dunklem Grund.";
    AUTO_TEXT = "Follows your device, also at dusk.", "Folgt Ihrem Gerät, auch in der Dämmerung.";
    THEME_NOTE = "Kept with your account.", "Wird mit Ihrem Konto gespeichert.";
    LANGUAGE_NOTE = "Kept in this browser.", "Wird in diesem Browser gespeichert.";
    WHO = "Who you are", "Wer Sie sind";
    USERNAME = "User name", "Benutzername";
    ROLE = "Role", "Rolle";
    TENANT = "Tenant", "Mandant";
    ROLE_ADMIN = "Tenant administrator: may change everything of this tenant.", "Administrator des Mandanten: darf alles an diesem Mandanten ändern.";
    ROLE_VIEWER = "Tenant viewer: may see everything and change nothing.", "Betrachter des Mandanten: darf alles sehen und nichts ändern.";
}
