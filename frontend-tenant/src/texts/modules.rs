//! Texts of the modules.

texts! {
    SUBTITLE = "Booked modules (for information only). Turning one on or off doesn't change any features yet.", "Gebuchte Module (nur zur Information). Ein- und Ausschalten ändert noch keine Funktionen.";
    STATE_ON = "On", "An";
    STATE_OFF = "Off", "Aus";
    ALWAYS = "Always enabled", "Immer aktiv";
    ALWAYS_TEXT = "Included for every organisation. Can't be turned off.", "Für jede Organisation enthalten. Lässt sich nicht ausschalten.";
    ACTIVATED = "“{0}” is on.", "„{0}“ ist eingeschaltet.";
    DEACTIVATED = "“{0}” is off.", "„{0}“ ist ausgeschaltet.";
    EMPTY_TITLE = "No modules", "Keine Module";
    EMPTY_TEXT = "The platform doesn't offer any modules yet.", "Die Plattform bietet noch keine Module an.";
    CORE = "Core", "Grundfunktionen";
    INSIGHT = "Insights", "Auswertung";
    KNOWLEDGE = "Knowledge", "Wissen";
    OPERATIONS = "Operations", "Betrieb";
}
