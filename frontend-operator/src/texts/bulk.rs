//! Texts of actions on several tenants.

texts! {
    SELECT_ALL = "Select all {0} matching tenants", "Alle {0} passenden Mandanten auswählen";
    ASSIGN = "Assign modules", "Module zuweisen";
    ASSIGN_TEXT = "Tenants ({0}): {1}.", "Mandanten ({0}): {1}.";
    MODE = "Change", "Änderung";
    MODE_ON = "Turn on", "Einschalten";
    MODE_ON_TEXT = "Turns on the selected modules. All others stay as they are.", "Schaltet die ausgewählten Module ein. Alle anderen bleiben unverändert.";
    MODE_OFF = "Turn off", "Ausschalten";
    MODE_OFF_TEXT = "Turns off the selected modules. All others stay as they are.", "Schaltet die ausgewählten Module aus. Alle anderen bleiben unverändert.";
    MODE_EXACTLY = "Only these", "Nur diese";
    MODE_EXACTLY_TEXT = "Turns on the selected modules and turns off all other optional ones.", "Schaltet die ausgewählten Module ein und alle anderen optionalen aus.";
    MODULES_LEGEND = "Modules", "Module";
    CHOOSE_ONE = "Select at least one module.", "Wählen Sie mindestens ein Modul aus.";
    APPLY = "Assign", "Zuweisen";
    PROGRESS = "Tenants done: {0} of {1}", "Mandanten erledigt: {0} von {1}";
    ASSIGNED = "Modules assigned. Tenants changed: {0}.", "Module zugewiesen. Geänderte Mandanten: {0}.";
    SOME_FAILED = "Tenants that couldn't be changed: {0} of {1}. They are still selected. First error: {2}", "Nicht geänderte Mandanten: {0} von {1}. Sie bleiben ausgewählt. Erster Fehler: {2}";
}
