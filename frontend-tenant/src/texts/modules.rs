//! Texts of the modules.

texts! {
    SUBTITLE = "Features of this console for your organisation.", "Funktionen dieser Konsole für Ihre Organisation.";
    STATE_ON = "On", "An";
    STATE_OFF = "Off", "Aus";
    ALWAYS = "Always enabled", "Immer aktiv";
    ALWAYS_TEXT = "Included for every organisation. Can't be turned off.", "Für alle Organisationen enthalten. Lässt sich nicht ausschalten.";
    OPERATOR_TEXT = "The platform operator turns this on or off.", "Wird vom Plattformbetreiber ein- oder ausgeschaltet.";
    ACTIVATED = "“{0}” is on.", "„{0}“ ist eingeschaltet.";
    DEACTIVATED = "“{0}” is off.", "„{0}“ ist ausgeschaltet.";
    EMPTY_TITLE = "No modules", "Keine Module";
    EMPTY_TEXT = "The platform doesn't offer any modules yet.", "Die Plattform bietet noch keine Module an.";
    CORE = "Core", "Grundfunktionen";
    INSIGHT = "Insights", "Auswertung";
    KNOWLEDGE = "Knowledge", "Wissen";
    OPERATIONS = "Operations", "Betrieb";
}
