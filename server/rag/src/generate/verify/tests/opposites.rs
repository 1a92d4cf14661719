//! Sentences that deny what a passage says, or the other way round.

use super::*;

#[test]
fn opposites_and_other_days_in_german_compounds_do_not_count() {
    let content = "Der Eintritt ist für Nichtmitglieder frei. Am Ostermontag ist das Bad geschlossen.";
    let passages = candidates(&[("Bad", "", content)]);
    let checked = |text: &str| text_of(&verify_as(input("?", "de", &passages), &[text], Ending::Whole)).to_owned();
    for sentence in ["Der Eintritt ist für Nichtmitglieder frei", "Am Ostermontag ist das Bad geschlossen"] {
        assert_eq!(checked(&format!("{sentence}.")), format!("{sentence} [1]."));
    }
    for sentence in ["Der Eintritt ist für Mitglieder frei.", "Am Montag ist das Bad geschlossen."] {
        assert_eq!(checked(sentence), "unusable", "{sentence}");
    }
}

/// The language, a passage, sentences that are kept and sentences that are left out.
pub(super) type Row = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

const OPPOSITES: [Row; 12] = [
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

/// Words that negate without "not".
const FORBIDDEN: [Row; 33] = [
    (
        "de",
        "Sie können jeden Artikel innerhalb von 30 Tagen zurückgeben. Reduzierte Artikel sind von der Rückgabe ausgeschlossen.",
        &[
            "Sie können jeden Artikel innerhalb von 30 Tagen zurückgeben",
            "Reduzierte Artikel können nicht zurückgegeben werden",
            "Sie können jeden Artikel innerhalb von 30 Tagen zurückgeben, reduzierte Artikel sind ausgeschlossen",
            "Wenn Sie reduzierte Artikel kaufen, ist die Rückgabe ausgeschlossen",
        ],
        &[
            "Reduzierte Artikel können zurückgegeben werden",
            "Reduzierte Artikel sind nicht von der Rückgabe ausgeschlossen",
            "Die Rückgabe reduzierter Artikel ist möglich",
            "Sie können keinen Artikel innerhalb von 30 Tagen zurückgeben",
        ],
    ),
    (
        "de",
        "Reduzierte Artikel sind vom Umtausch ausgeschlossen.",
        &["Für reduzierte Artikel gibt es keinen Umtausch", "Reduzierte Artikel können nicht umgetauscht werden"],
        &["Reduzierte Artikel können umgetauscht werden", "Der Umtausch reduzierter Artikel ist möglich"],
    ),
    (
        "de",
        "Grillen ist auf der Liegewiese verboten. Hunde dürfen nicht mit, ausgenommen Blindenführhunde.",
        &["Auf der Liegewiese dürfen Sie nicht grillen"],
        &["Auf der Liegewiese dürfen Sie grillen", "Auf der Liegewiese ist Grillen erlaubt"],
    ),
    (
        "de",
        "Das Rauchen ist im Gebäude verboten und im Hof erlaubt.",
        &["Im Hof ist das Rauchen erlaubt", "Im Hof ist Rauchen erlaubt und im Gebäude verboten"],
        &["Im Gebäude ist das Rauchen erlaubt"],
    ),
    (
        "de",
        "Bücher können zweimal verlängert werden und DVDs sind von der Verlängerung ausgeschlossen.",
        &["Zweimal können Bücher verlängert werden", "DVDs können nicht verlängert werden"],
        &["DVDs können verlängert werden"],
    ),
    (
        "de",
        "Eine Verlängerung ist unzulässig. Zahlung mit Karte ist zulässig.",
        &["Eine Verlängerung ist nicht zulässig"],
        &["Eine Verlängerung ist zulässig"],
    ),
    (
        "de",
        "Ausgeschlossen sind Hunde an der Leine, Katzen im Korb und Vögel.",
        &["Katzen im Korb sind ausgeschlossen", "Hunde an der Leine sind ausgeschlossen"],
        &["Hunde an der Leine sind erlaubt"],
    ),
    ("de", "Verboten sind:\n\n- Hunde an der Leine\n- Glasflaschen", &["Hunde an der Leine sind verboten"], &[]),
    (
        "de",
        "Nicht abgeholte Karten sind vom Umtausch ausgeschlossen.",
        &["Nicht abgeholte Karten können nicht umgetauscht werden"],
        &[],
    ),
    (
        "de",
        "Die Haftung ist ausgeschlossen. Der Verein zahlt Schäden an Rädern bis 500 Euro.",
        &["Der Verein zahlt Schäden an Rädern bis 500 Euro"],
        &["Der Verein zahlt keine Schäden an Rädern"],
    ),
    (
        "de",
        "Das Fotografieren mit Blitz ist im Museum verboten. Hunde an der Leine sind erlaubt.",
        &["Hunde sind im Museum erlaubt"],
        &["Im Museum ist das Fotografieren mit Blitz erlaubt"],
    ),
    (
        "en",
        "You can return any item within 30 days of delivery. Sale items are excluded from return. Refunds take 5 days.",
        &[
            "You can return any item within 30 days",
            "Sale items cannot be returned",
            "You can return any item within 30 days, but sale items are excluded",
        ],
        &[
            "Sale items can be returned",
            "Sale items are not excluded from return",
            "You can return sale items",
            "You cannot return any item within 30 days",
        ],
    ),
    (
        "en",
        "Smoking is forbidden in the buildings. A shelter stands behind the chapel.",
        &["You may not smoke in the buildings", "Behind the chapel stands a shelter"],
        &["You may smoke in the buildings", "Smoking is not forbidden in the buildings"],
    ),
    (
        "en",
        "Dogs are allowed and cats are forbidden in the garden.",
        &["In the garden cats are forbidden", "Cats are not allowed in the garden"],
        &["Cats are allowed in the garden"],
    ),
    (
        "en",
        "Parking in the yard is possible. Parking on the lawn is prohibited.",
        &["Parking on the lawn is not possible"],
        &["Parking on the lawn is possible", "Parking in the yard is prohibited", "You can park on the lawn"],
    ),
    (
        "en",
        "It is impossible to change the name on a ticket. Members are unable to reserve rooms online.",
        &["You cannot change the name on a ticket", "Members cannot reserve rooms online"],
        &["You can change the name on a ticket", "Members are able to reserve rooms online"],
    ),
    (
        "en",
        "Items not in their box are excluded from return.",
        &["Items not in their box cannot be returned"],
        &["Items in their box can be returned"],
    ),
    (
        "en",
        "Photography isn't prohibited in the garden.",
        &["Photography in the garden is not prohibited"],
        &["Photography in the garden is prohibited"],
    ),
    (
        "de",
        "Während der Prüfung sind Handys verboten. Taschenrechner sind erlaubt.",
        &["Während der Prüfung sind Taschenrechner erlaubt"],
        &["Während der Prüfung sind Handys erlaubt", "Während der Prüfung sind Handys und Taschenrechner erlaubt"],
    ),
    (
        "de",
        "Artikel können zurückgegeben werden. Reduzierte Artikel sind von der Rückgabe ausgeschlossen.",
        &["Reduzierte Artikel können nicht zurückgegeben werden"],
        &["Reduzierte Artikel können zurückgegeben werden"],
    ),
    (
        "de",
        "Der Vorstand kann Mitglieder bei Zahlungsverzug ausschließen.",
        &["Bei Zahlungsverzug können Mitglieder vom Vorstand ausgeschlossen werden"],
        &["Der Vorstand kann Mitglieder bei Zahlungsverzug nicht ausschließen"],
    ),
    (
        "de",
        "Reduzierte Artikel können nicht zurückgegeben werden. Ein Bon ist nicht nötig.",
        &["Reduzierte Artikel können nicht zurückgegeben werden, ein Bon ist nicht nötig"],
        &["Reduzierte Artikel können zurückgegeben werden, ein Bon ist nicht nötig"],
    ),
    (
        "de",
        "Der Eintritt ist frei, eine Anmeldung ist nicht nötig.",
        &["Der Eintritt ist ohne Anmeldung frei"],
        &["Der Eintritt ist nicht frei"],
    ),
    (
        "de",
        "Sie erhalten die Karte am Empfang. Zeigen Sie Ihren Ausweis vor. Kinder zahlen nichts.",
        &["Die Karte erhalten Sie am Empfang"],
        &["Die Karte erhalten Sie am Empfang ohne Ausweis"],
    ),
    ("en", "VAT is excluded from all prices.", &["All prices exclude VAT"], &["All prices include VAT"]),
    (
        "en",
        "Books can be renewed. Films are excluded from renewal.",
        &["Books can be renewed, films are excluded from renewal"],
        &["Films can be renewed, books are excluded from renewal"],
    ),
    (
        "es",
        "Está prohibido fumar en el jardín.",
        &["En el jardín está prohibido fumar"],
        &["Se puede fumar en el jardín"],
    ),
    (
        "es",
        "Los artículos rebajados están excluidos de la devolución.",
        &["Los artículos rebajados no tienen devolución"],
        &["Los artículos rebajados tienen devolución"],
    ),
    (
        "fr",
        "Il est interdit de fumer dans le jardin.",
        &["Dans le jardin il est interdit de fumer"],
        &["Vous pouvez fumer dans le jardin", "Il n'est pas interdit de fumer dans le jardin"],
    ),
    (
        "it",
        "Gli articoli scontati sono esclusi dalla restituzione.",
        &["La restituzione degli articoli scontati non è possibile"],
        &["La restituzione degli articoli scontati è possibile"],
    ),
    (
        "it",
        "È vietato fumare nel giardino.",
        &["Nel giardino è vietato fumare"],
        &["Si può fumare nel giardino", "Non è vietato fumare nel giardino"],
    ),
    (
        "nl",
        "Roken is in de tuin verboden.",
        &["In de tuin is roken verboden"],
        &["In de tuin kunt u roken", "Roken is in de tuin niet verboden"],
    ),
    (
        "pt",
        "Os artigos em saldo estão excluídos da devolução.",
        &["A devolução dos artigos em saldo não é possível"],
        &["A devolução dos artigos em saldo é possível"],
    ),
];

/// Verifies the sentences of rows.
pub(super) fn check(rows: impl IntoIterator<Item = Row>) {
    for (language, content, stand, left_out) in rows {
        let passages = candidates(&[("Guide", "", content)]);
        let checked =
            |text: &str| text_of(&verify_as(input("?", language, &passages), &[text], Ending::Whole)).to_owned();
        for sentence in stand {
            assert_eq!(checked(&format!("{sentence}.")), format!("{sentence} [1]."));
        }
        for sentence in left_out {
            assert_eq!(checked(&format!("{sentence}.")), "unusable", "{sentence}");
        }
    }
}

#[test]
fn a_sentence_that_says_the_opposite_falls() {
    check(OPPOSITES.into_iter().chain(FORBIDDEN));
}

#[test]
fn a_number_of_a_sentence_with_a_negation_stands_with_it() {
    for (language, content, value) in [
        ("en", "Non-members pay 10 euros", "10 euros"),
        ("de", "Nicht abgeholte Karten verfallen nach 3 Tagen", "3 Tage"),
    ] {
        let passages = candidates(&[("Guide", "", &format!("{content}."))]);
        let verdict = verify_as(input("?", language, &passages), &[&format!("{value}.")], Ending::Whole);
        assert_eq!(text_of(&verdict), format!("{value} [1].\n\n{content} [1]."));
    }
}

#[test]
fn a_sentence_with_swapped_numbers_falls() {
    let passages =
        [("Pool", "", "Adults pay 5 euros and children 3 euros. Locals: adults pay 4 euros and children 2 euros.")];
    let checked = |text: &str| strict_for("What is known?", &passages, text);
    assert_eq!(checked("Children pay 3 euros and adults 5 euros."), "Children pay 3 euros and adults 5 euros [1].");
    assert_eq!(checked("Adults pay 3 euros and children 5 euros."), "unusable");
}
