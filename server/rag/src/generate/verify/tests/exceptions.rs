//! Exceptions, and what is possible or not without something.

use super::opposites::{Row, check};

const EXCEPTED: [Row; 15] = [
    (
        "de",
        "Grillen ist im Stadtpark verboten, außer auf der Grillwiese.",
        &[
            "Grillen ist im Stadtpark nur auf der Grillwiese erlaubt",
            "Im Stadtpark ist Grillen verboten, außer auf der Grillwiese",
        ],
        &["Im Stadtpark darf gegrillt werden", "Grillen ist im Stadtpark erlaubt, außer auf der Grillwiese"],
    ),
    (
        "de",
        "Parken ist auf dem Hof verboten, ausgenommen Lieferanten und Gäste mit Ausweis.",
        &["Lieferanten dürfen auf dem Hof parken", "Gäste mit Ausweis dürfen auf dem Hof parken"],
        &["Gäste dürfen auf dem Hof parken"],
    ),
    (
        "de",
        "Im Stadtpark ist das Grillen mit Ausnahme der Wiese am See verboten.",
        &["Auf der Wiese am See ist das Grillen im Stadtpark erlaubt"],
        &[],
    ),
    ("de", "Rauchen ist im ganzen Haus ohne Ausnahme verboten.", &[], &["Rauchen ist im ganzen Haus erlaubt"]),
    (
        "de",
        "Fahrräder dürfen nicht im Treppenhaus abgestellt werden, sondern nur im Fahrradkeller.",
        &["Fahrräder dürfen im Fahrradkeller abgestellt werden"],
        &["Fahrräder dürfen im Treppenhaus abgestellt werden"],
    ),
    (
        "de",
        "Hunde sind erlaubt, außer am Strand.",
        &["Hunde sind am Strand nicht erlaubt"],
        &["Hunde sind nicht erlaubt"],
    ),
    (
        "de",
        "Die Rückgabe ist auch außerhalb der Öffnungszeiten möglich.",
        &[],
        &["Die Rückgabe ist während der Öffnungszeiten nicht möglich"],
    ),
    (
        "en",
        "Swimming is forbidden outside the marked area.",
        &["Swimming is allowed in the marked area", "Swimming is only allowed in the marked area"],
        &["Swimming is allowed outside the marked area"],
    ),
    (
        "en",
        "All pets except guide dogs are prohibited in the hotel.",
        &["Guide dogs are allowed in the hotel"],
        &["All pets are allowed in the hotel"],
    ),
    (
        "es",
        "Los perros están prohibidos en la playa, salvo los perros guía.",
        &["Los perros guía están permitidos en la playa"],
        &["Los perros están permitidos en la playa"],
    ),
    (
        "es",
        "Los perros están prohibidos en la playa, salvo los perros guía en invierno.",
        &["En invierno los perros guía están permitidos en la playa"],
        &["En invierno los perros están permitidos en la playa"],
    ),
    (
        "fr",
        "Il est interdit de faire du feu dans le parc, à l'exception de la prairie.",
        &["Vous pouvez faire du feu dans la prairie du parc"],
        &["Vous pouvez faire du feu dans le parc"],
    ),
    (
        "it",
        "È vietato accendere fuochi nel parco, tranne nel prato.",
        &["Si può accendere fuochi nel prato del parco"],
        &["Si può accendere fuochi nel parco"],
    ),
    (
        "nl",
        "Vuur maken is in het park verboden, behalve op de weide.",
        &["In het park kunt u op de weide vuur maken"],
        &["In het park kunt u vuur maken"],
    ),
    (
        "pt",
        "É proibido fazer fogo no parque, exceto no prado.",
        &["Pode fazer fogo no prado do parque"],
        &["Pode fazer fogo no parque"],
    ),
];

/// Two negations in one clause.
const LACKED: [Row; 4] = [
    (
        "en",
        "Entry is not possible without registration.",
        &["Without registration, entry is not possible"],
        &["Entry is possible without registration", "Without registration, entry is possible"],
    ),
    (
        "en",
        "Non-members can borrow films.",
        &["Films can be borrowed by non-members"],
        &["Non-members cannot borrow films"],
    ),
    (
        "de",
        "Das Betreten des Geländes ist ohne Ausweis verboten.",
        &["Ohne Ausweis ist das Betreten des Geländes nicht erlaubt"],
        &["Ohne Ausweis ist das Betreten des Geländes erlaubt"],
    ),
    (
        "de",
        "Sie können ohne Angabe von Gründen widerrufen. Ohne Karte kostet der Eintritt 10 Euro, Kinder zahlen nichts.",
        &["Ohne Karte kostet der Eintritt 10 Euro und Kinder zahlen nichts"],
        &["Sie können nicht ohne Angabe von Gründen widerrufen"],
    ),
];

#[test]
fn what_a_passage_excepts_is_compared_by_itself() {
    check(EXCEPTED);
}

#[test]
fn a_negation_next_to_without_is_compared() {
    check(LACKED);
}
