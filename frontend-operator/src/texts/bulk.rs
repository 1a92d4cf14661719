//! Texts of actions on several tenants.

texts! {
    SELECT_ALL = "Select all {0} that match", "Alle {0} passenden auswählen";
    ASSIGN = "Assign modules", "Module zuweisen";
    ASSIGN_TEXT = "For {0} tenants: {1}.", "Für {0} Mandanten: {1}.";
    MODE = "What to do", "Was geschehen soll";
    MODE_ON = "Switch on", "Einschalten";
    MODE_ON_TEXT = "The chosen modules go on; all others stay as they are.", "Die gewählten Module gehen an; alle anderen bleiben, wie sie sind.";
    MODE_OFF = "Switch off", "Ausschalten";
    MODE_OFF_TEXT = "The chosen modules go off; all others stay as they are.", "Die gewählten Module gehen aus; alle anderen bleiben, wie sie sind.";
    MODE_EXACTLY = "Exactly these", "Genau diese";
    MODE_EXACTLY_TEXT = "The chosen modules go on and every other optional one goes off.", "Die gewählten Module gehen an, und jedes andere freiwillige geht aus.";
    MODULES_LEGEND = "Modules", "Module";
    CHOOSE_ONE = "Choose at least one module.", "Wählen Sie mindestens ein Modul.";
    APPLY = "Assign", "Zuweisen";
    PROGRESS = "{0} of {1} tenants done", "{0} von {1} Mandanten fertig";
    ASSIGNED = "Modules of {0} tenants assigned.", "Module von {0} Mandanten zugewiesen.";
    SOME_FAILED = "{0} of {1} tenants could not be changed and stay selected. The first answer was: {2}", "{0} von {1} Mandanten ließen sich nicht ändern und bleiben ausgewählt. Die erste Antwort war: {2}";
}
