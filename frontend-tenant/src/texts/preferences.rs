//! Texts of the preferences.

texts! {
    SUBTITLE = "Your display settings and account.", "Ihre Anzeigeeinstellungen und Ihr Konto.";
    LOOK = "Appearance", "Darstellung";
    THEME_NOTE = "Saved to your account.", "Wird in Ihrem Konto gespeichert.";
    LANGUAGE_NOTE = "Saved in this browser.", "Wird in diesem Browser gespeichert.";
    WHO = "Account", "Konto";
    USERNAME = "Username", "Benutzername";
    ROLE = "Role", "Rolle";
    TENANT = "Organisation", "Organisation";
    ROLE_ADMIN = "Administrator: can change everything in your organisation.", "Administrator: kann alles in Ihrer Organisation ändern.";
    ROLE_VIEWER = "Viewer: can view everything but change nothing.", "Nur Lesezugriff: kann alles ansehen, aber nichts ändern.";
}
