//! Texts of the sources of an answer.

texts! {
    SECTION = "Read section", "Abschnitt lesen";
    SECTION_CUT = "The section is longer than this.", "Der Abschnitt geht noch weiter.";
}
