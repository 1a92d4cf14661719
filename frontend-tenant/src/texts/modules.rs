//! Texts of the modules.

texts! {
    SUBTITLE = "Optional features for your organisation.", "Was in dieser Konsole für Ihre Organisation hinzukommen kann.";
    STATE_ON = "On", "An";
    STATE_OFF = "Off", "Aus";
    ALWAYS = "Always enabled", "Immer aktiv";
    ALWAYS_TEXT = "Included for every organisation. Can't be turned off.", "Für jede Organisation enthalten. Lässt sich nicht ausschalten.";
    OPERATOR_TEXT = "The operator of the platform turns this on or off.", "Der Betreiber der Plattform schaltet dieses Modul ein oder aus.";
    ACTIVATED = "“{0}” is on.", "„{0}“ ist eingeschaltet.";
    DEACTIVATED = "“{0}” is off.", "„{0}“ ist ausgeschaltet.";
    EMPTY_TITLE = "No modules", "Keine Module";
    EMPTY_TEXT = "The platform doesn't offer any modules yet.", "Die Plattform bietet noch keine Module an.";
    CORE = "Core", "Grundfunktionen";
    INSIGHT = "Insights", "Auswertung";
    KNOWLEDGE = "Knowledge", "Wissen";
    OPERATIONS = "Operations", "Betrieb";
}
