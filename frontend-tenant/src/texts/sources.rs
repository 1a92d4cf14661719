//! Texts of the sources of an answer.

texts! {
    SECTION = "Read section", "Abschnitt lesen";
    SECTION_CUT = "This section continues in the document.", "Der Abschnitt geht noch weiter.";
}
