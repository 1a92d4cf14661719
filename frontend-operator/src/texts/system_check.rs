//! Texts of the installation check.

texts! {
    TITLE = "System check", "Systemprüfung";
    SUBTITLE = "Checks this installation and says what to do. Results are reused for one minute.", "Prüft diese Installation und nennt, was zu tun ist. Ergebnisse gelten eine Minute lang.";
    ALL_WELL = "Everything is working", "Alles funktioniert";
    SOME_WARNINGS = "Some points need attention", "Einige Punkte sollten Sie prüfen";
    SOME_FAILED = "Some checks failed", "Einige Prüfungen sind fehlgeschlagen";
    VERSION = "Version", "Version";
    STATUS = "Status", "Status";
    CHECK = "Check", "Prüfung";
    FINDING = "Finding", "Befund";
    OK = "OK", "OK";
    NOT_CHECKED = "Not checked", "Nicht geprüft";
    WARNING = "Warning", "Warnung";
    FAILED = "Failed", "Fehlgeschlagen";
    DATABASE = "Database", "Datenbank";
    IDENTITY = "Identity provider", "Identity-Provider";
    KEYCLOAK = "Keycloak administration", "Keycloak-Verwaltung";
    MODELS = "Models", "Modelle";
    SERVICES = "Other services", "Weitere Dienste";
    NETWORK = "Network", "Netzwerk";
    MACHINE = "Machine", "Rechner";
    COMMAND_TITLE = "On the command line", "Auf der Kommandozeile";
    COMMAND_TEXT = "You can run the same checks on the server, even while the platform is down. With --admin, they also check Keycloak's setup.", "Dieselben Prüfungen laufen auf dem Server, auch wenn die Plattform nicht läuft. Mit --admin prüfen sie auch die Einrichtung von Keycloak.";
}
