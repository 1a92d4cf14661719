//! Sentences that deny what a passage says, or the other way round.

use super::*;

#[test]
fn opposites_and_other_days_in_german_compounds_do_not_count() {
    let content = "Der Eintritt ist für Nichtmitglieder frei. Am Ostermontag ist das Bad geschlossen.";
    let passages = candidates(&[("Bad", "", content)]);
    let said = |text: &str| shown(&verify_as(asked("?", "de", &passages), &[text], Ending::Whole)).to_owned();
    for sentence in ["Der Eintritt ist für Nichtmitglieder frei", "Am Ostermontag ist das Bad geschlossen"] {
        assert_eq!(said(&format!("{sentence}.")), format!("{sentence} [1]."));
    }
    for sentence in ["Der Eintritt ist für Mitglieder frei.", "Am Montag ist das Bad geschlossen."] {
        assert_eq!(said(sentence), "unusable", "{sentence}");
    }
}

/// The language, a passage, sentences that stand and sentences that fall.
const OPPOSITES: [(&str, &str, &[&str], &[&str]); 12] = [
    ("de", "Nichtmitglieder zahlen 10 Euro.", &["Nichtmitglieder zahlen 10 Euro"], &["Mitglieder zahlen 10 Euro"]),
    ("de", "Mitglieder zahlen 10 Euro.", &["Mitglieder zahlen 10 Euro"], &["Nichtmitglieder zahlen 10 Euro"]),
    (
        "de",
        "Mitglieder zahlen 5 Euro. Nichtmitglieder zahlen 10 Euro.",
        &["Mitglieder zahlen 5 Euro", "Nichtmitglieder zahlen 10 Euro"],
        &["Mitglieder zahlen 10 Euro", "Nichtmitglieder zahlen 5 Euro"],
    ),
    (
        "de",
        "Das Ticket der Zone 2 ist nach 22 Uhr ungültig.",
        &["Das Ticket der Zone 2 ist nach 22 Uhr nicht gültig"],
        &["Das Ticket der Zone 2 ist nach 22 Uhr gültig"],
    ),
    (
        "de",
        "Sie können innerhalb von 14 Tagen ohne Angabe von Gründen widerrufen.",
        &["Sie können innerhalb von 14 Tagen widerrufen", "Sie können ohne Angabe von Gründen widerrufen"],
        &["Sie können nicht innerhalb von 14 Tagen widerrufen", "Sie können nur mit Angabe von Gründen widerrufen"],
    ),
    ("en", "Non-members pay 10 euros.", &["Non-members pay 10 euros"], &["Members pay 10 euros"]),
    (
        "en",
        "With a card, entry costs 5 euros. Without a card, entry costs 10 euros.",
        &["Entry costs 10 euros without a card", "With a card entry costs 5 euros", "Entry costs 10 euros"],
        &["With a card entry costs 10 euros"],
    ),
    (
        "en",
        "Bring no more than three bags. The pass is valid not only in the pool but also in the sauna.",
        &["You may bring three bags", "The pass is valid in the pool"],
        &["You may bring more than three bags", "The pass is valid only in the pool"],
    ),
    ("en", "Delivery costs 4.90 euros.", &["No, delivery costs 4.90 euros"], &["Delivery does not cost 4.90 euros"]),
    ("fr", "Les non-membres paient 10 euros.", &["Les non-membres paient 10 euros"], &["Les membres paient 10 euros"]),
    (
        "nl",
        "Het kaartje is na 22 uur ongeldig in zone 2.",
        &["Na 22 uur is het kaartje ongeldig in zone 2"],
        &["Het kaartje is na 22 uur geldig in zone 2"],
    ),
    ("pt", "A entrega de livros custa 5 euros.", &["A entrega dos livros custa 5 euros"], &["A entrega custa 2 euros"]),
];

#[test]
fn a_sentence_that_says_the_opposite_falls() {
    for (language, content, stand, fall) in OPPOSITES {
        let passages = candidates(&[("Guide", "", content)]);
        let said = |text: &str| shown(&verify_as(asked("?", language, &passages), &[text], Ending::Whole)).to_owned();
        for sentence in stand {
            assert_eq!(said(&format!("{sentence}.")), format!("{sentence} [1]."));
        }
        for sentence in fall {
            assert_eq!(said(&format!("{sentence}.")), "unusable", "{sentence}");
        }
    }
}

#[test]
fn a_number_of_a_sentence_with_a_negation_stands_with_it() {
    for (language, content, value) in [
        ("en", "Non-members pay 10 euros", "10 euros"),
        ("de", "Nicht abgeholte Karten verfallen nach 3 Tagen", "3 Tage"),
    ] {
        let passages = candidates(&[("Guide", "", &format!("{content}."))]);
        let verdict = verify_as(asked("?", language, &passages), &[&format!("{value}.")], Ending::Whole);
        assert_eq!(shown(&verdict), format!("{value} [1].\n\n{content} [1]."));
    }
}

#[test]
fn a_sentence_with_swapped_numbers_falls() {
    let passages =
        [("Pool", "", "Adults pay 5 euros and children 3 euros. Locals: adults pay 4 euros and children 2 euros.")];
    let said = |text: &str| strict_for("What is known?", &passages, text);
    assert_eq!(said("Children pay 3 euros and adults 5 euros."), "Children pay 3 euros and adults 5 euros [1].");
    assert_eq!(said("Adults pay 3 euros and children 5 euros."), "unusable");
}
