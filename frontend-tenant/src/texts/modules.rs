//! Texts of the modules.

texts! {
    SUBTITLE = "What your tenant has booked. In this version modules switch no feature on or off.", "Was Ihr Mandant gebucht hat. In dieser Version schalten Module keine Funktion ein oder aus.";
    STATE_ON = "On", "An";
    STATE_OFF = "Off", "Aus";
    ALWAYS = "Always on", "Immer an";
    ALWAYS_TEXT = "Belongs to every tenant of the platform and cannot be switched.", "Gehört zu jedem Mandanten der Plattform und lässt sich nicht schalten.";
    ACTIVATED = "“{0}” is on.", "„{0}“ ist an.";
    DEACTIVATED = "“{0}” is off.", "„{0}“ ist aus.";
    EMPTY_TITLE = "No modules", "Keine Module";
    EMPTY_TEXT = "The platform offers no modules yet.", "Die Plattform bietet noch keine Module an.";
    CORE = "Core", "Kern";
    INSIGHT = "Insight", "Einblick";
    KNOWLEDGE = "Knowledge", "Wissen";
    OPERATIONS = "Operations", "Betrieb";
}
