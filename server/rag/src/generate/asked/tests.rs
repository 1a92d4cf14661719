//! What a question names, and whether a quotation has it.

use uuid::Uuid;

use super::*;
use crate::citation::Citation;

fn answer(heading: &str, text: &str, left_out: usize) -> Answer {
    let source = Candidate::new(Uuid::nil(), "Guide", heading, text);
    let citations = vec![Citation { marker: "[1]".into(), source_index: 0 }];
    let texts = vec![text.to_owned()];
    Answer { text: format!("{text} [1]"), citations, sources: vec![source], texts, left_out, ..Answer::default() }
}

fn decided(question: &str, language: &str, text: &str) -> bool {
    is_decided(question, language, &answer("", text, 0), &[])
}

#[test]
fn numbers_and_codes_of_the_question_must_be_in_the_answer() {
    let device = "The QX-7604NI-E2 is the cobalt model. It weighs 13 grams.";
    for (question, text, expected) in [
        ("How heavy is the QX-7604NI-E2?", device, true),
        ("How heavy is the qx 7604 NI?", device, true),
        ("How heavy is the QX-7604NI?", device, true),
        ("How heavy is the QX-7606NI?", device, false),
        ("How heavy is the QX 7608 NI?", device, false),
        ("Which fuse has the HT-90?", "The HT-900 has a fuse of 18 amperes.", false),
        ("Which fuse has the HT90?", "The HT-90 has a fuse of 17 amperes.", true),
        ("What is new in v2.3.3?", "v2.3.2 has a new door.", false),
        ("What is new in v2.3.2?", "v2.3.2 has a new door.", true),
        ("Where is E 54/12?", "The E 45/12 is here.", false),
        ("What does 1,5 mm² cost?", "K11: 1.5 mm², 20 euros", true),
        ("What does 1.5mm2 cost?", "K11: 1,5 mm², 20 euros", true),
        ("What does 1.5 mm² cost?", "K13: 2.5 mm², 20 euros", false),
        ("What does course 27 cost?", "Course 63: 20 euros", false),
        ("Is 20 EUR enough?", "It costs 20 euros.", true),
        ("Is it open at 5 pm?", "Open until 17:00.", true),
        ("Can I return it within 3 days?", "Return it within three days.", true),
        ("What is the fee in 2027?", "The fee is 20 euros.", false),
        ("What does part 4711 cost?", "Part 4712 costs 9 euros.", false),
        ("Is PS-2000X waterproof?", "The PS-2000 is waterproof.", false),
        ("Is PS-2000X waterproof?", "The ps 2000x is waterproof.", true),
        ("Can two dogs sleep here?", "Dogs are allowed.", true),
        ("Haben Sie am 24.12. offen?", "Am 25. Dezember geschlossen.", false),
    ] {
        assert_eq!(decided(question, "en", text), expected, "{question}");
    }
    let titled = answer("Fees 2027", "The fee is 20 euros.", 0);
    assert!(is_decided("What is the fee in 2027?", "en", &titled, &[]), "its heading has the year");
    let marked = answer("", "The fee is twenty euros.", 0);
    assert!(!is_decided("Is there a fee for 1?", "en", &marked, &[]), "a marker is no number of the text");
}

#[test]
fn names_places_and_days_of_the_question_must_be_in_the_answer() {
    for (question, language, text, expected) in [
        ("What is the dose of Prednison?", "en", "The dose of Prednisolon is 20 mg.", false),
        ("May I bring my dog?", "en", "Dogs are welcome.", true),
        ("Are you open in May?", "en", "We open in June.", false),
        ("Who is Anna Berg?", "en", "Mr Smith is the director.", false),
        ("Do you repair Bosch bikes?", "en", "We repair bikes by Bosch and others.", true),
        ("Do you ship to Norway?", "en", "We ship to Denmark and Sweden.", false),
        ("Do you ship to the UK?", "en", "We ship to Great Britain.", true),
        ("Liefern Sie nach Norwegen?", "de", "Wir liefern ins Ausland.", false),
        ("Liefern Sie nach Norwegen?", "en", "We ship to Norway.", true),
        ("Welches Brot ist frisch?", "de", "Das Roggenbrot ist frisch.", true),
        ("Wann ist Herr Müller da?", "de", "Frau Schmidt ist montags da.", false),
        ("Brauche ich einen PCR-Test?", "de", "Bringen Sie Ihren Ausweis mit.", false),
        ("Are you open on Sunday?", "en", "We are open Monday to Friday.", false),
        ("Are you open on Wednesday?", "en", "We are open Monday to Friday.", true),
        ("Are you open on Mon?", "en", "Mondays we open at nine.", true),
        ("Habt ihr sonntags offen?", "de", "Mo-Fr 9-18 Uhr", false),
        ("Habt ihr mittwochs offen?", "de", "Mo-Fr 9-18 Uhr", true),
        ("Are you open at the weekend?", "en", "Saturdays 10 to 14", true),
        ("Ouvrez-vous le dimanche ?", "fr", "Ouvert du lundi au samedi.", false),
        ("Abrem no domingo?", "pt", "Aberto todos os dias.", true),
        ("Is it open in July?", "en", "Open from April to October.", true),
        ("Is it open in January?", "en", "Open from April to October.", false),
        ("How To Return A Broken Lamp", "en", "Send it back.", true),
        ("WHERE IS THE SHOP?", "en", "It is at the quay.", true),
        ("Which bus goes there? And does it stop?", "en", "Bus 14 stops.", true),
        ("Can I plug in my Tesla's cable?", "en", "Electric cars at the posts.", false),
        ("Is Dr Harris in?", "en", "The vet is here on Tuesdays.", false),
    ] {
        assert_eq!(decided(question, language, text), expected, "{question}");
    }
}

#[test]
fn a_class_has_the_letter_that_was_asked_for() {
    let classes = "Class B costs 69 euros a lesson. Vitamin D is not needed.";
    for (question, text, expected) in [
        ("What does class C cost?", classes, false),
        ("What does class B cost?", classes, true),
        ("Do I pay for a lesson of class B?", classes, true),
        ("Can I take the lesson?", classes, true),
        ("What does Vitamin D?", classes, true),
        ("Can I come with Mr J. Smith?", "Mr Smith may come.", true),
        ("Is it washed at 60 °C?", "It is washed at 60 degrees.", true),
        ("WHAT DOES CLASS C COST", classes, true),
    ] {
        assert_eq!(decided(question, "en", text), expected, "{question}");
    }
    assert!(!decided("Bildet ihr auch für Klasse C aus?", "de", "Wir bilden für die Klassen B, A1 und AM aus."));
    assert!(decided("Kann ich mit der U-Bahn kommen?", "de", "Die U-Bahn hält hier."));
}

#[test]
fn what_goes_without_must_be_said() {
    let returns = "You can return any item within 30 days with the receipt. The refund arrives within a week.";
    for (question, language, text, expected) in [
        ("Can I return it without the receipt?", "en", returns, false),
        ("Can I return it with the receipt?", "en", returns, true),
        ("Can I return it without the receipt?", "en", "Without a receipt you get a voucher.", true),
        ("Can I come without an appointment?", "en", "Consultations are by appointment only.", true),
        ("Can I come without an appointment?", "en", "Book an appointment online. We do not take calls.", false),
        ("Geht das ohne Termin?", "de", "Einen Termin buchen Sie im Internet. Am Telefon geht es nicht.", false),
        ("Geht das ohne Termin?", "de", "Nur mit Terminvereinbarung.", true),
        ("Kann ich ohne Bon umtauschen?", "de", "Wir nehmen Ware binnen 14 Tagen mit Bon zurück.", false),
        ("¿Puedo venir sin cita?", "es", "La cita se pide por internet.", false),
        ("Puis-je venir sans rendez-vous ?", "fr", "Uniquement sur rendez-vous.", true),
        ("Posso venire senza prenotazione?", "it", "La prenotazione si fa in rete.", false),
        ("Kan ik zonder afspraak komen?", "nl", "Een afspraak is niet nodig.", true),
        ("Posso ir sem marcação?", "pt", "A marcação faz-se pela internet.", false),
    ] {
        assert_eq!(decided(question, language, text), expected, "{question} {text}");
    }
}

#[test]
fn a_holiday_must_be_said() {
    for (question, language, text, expected) in [
        ("Are you open at christmas?", "en", "Open Monday to Friday.", false),
        ("Are you open at christmas?", "en", "Closed on public holidays.", true),
        ("Are you open on bank holidays?", "en", "Closed at Easter.", true),
        ("Are you open on bank holidays?", "en", "Closed in the evening.", false),
        ("Habt ihr an Weihnachten offen?", "de", "Mo-Fr 9-18 Uhr", false),
        ("Habt ihr an Weihnachten offen?", "de", "An den Weihnachtstagen geschlossen.", true),
        ("Habt ihr Ostern auf?", "de", "An Feiertagen ist zu.", true),
        ("¿Abren en navidad?", "es", "De lunes a viernes.", false),
        ("Ouvrez-vous à noël ?", "fr", "Fermé les jours fériés.", true),
        ("Siete aperti a pasqua?", "it", "Dal lunedì al venerdì.", false),
        ("Zijn jullie met pasen open?", "nl", "Van maandag tot vrijdag.", false),
        ("Abrem no natal?", "pt", "De segunda a sexta.", false),
    ] {
        assert_eq!(decided(question, language, text), expected, "{question} {text}");
    }
}

#[test]
fn a_german_town_must_be_said() {
    for (question, text, expected) in [
        ("Gibt es eine Filiale in Hamburg?", "Unsere Filiale ist am Markt.", false),
        ("Gibt es eine Filiale in Hamburg?", "Unsere Filiale in Hamburg ist am Markt.", true),
        ("Liefern Sie auch nach Kassel?", "Wir liefern in die Region.", false),
        ("Darf ich in der Halle essen?", "Essen ist erlaubt.", true),
        ("Kann ich in Raten zahlen?", "Wir bieten Ratenzahlung.", true),
    ] {
        assert_eq!(decided(question, "de", text), expected, "{question} {text}");
    }
    let english =
        "Most of the churches of Warsaw were destroyed in the war, and they were built again when it was over.";
    assert!(decided("Wann wurden die Kirchen in Warschau zerstört?", "en", english), "it has another name there");
}

#[test]
fn a_name_behind_a_german_noun_must_be_said() {
    let levels = "Gläser der Stufe Komfort kosten 459 Euro.";
    for (question, text, expected) in [
        ("Was kosten Gläser der Stufe Platin?", levels, false),
        ("Was kosten Gläser der Stufe Komfort?", levels, true),
        ("Wann macht die Zweigstelle Nord auf?", "Die Zweigstelle Süd macht um zehn auf.", false),
        ("Gibt es 30 Prozent Nachlass?", "Studierende bekommen 30 Prozent Rabatt.", true),
        ("Ist am Samstag Vormittag offen?", "Samstags ist ab neun offen.", true),
        ("Kann man bis Ende Juni buchen?", "Sie können bis zum 30. Juni buchen.", true),
        ("Gibt es Tee, Kaffee und Kuchen?", "Es gibt Getränke.", true),
    ] {
        assert_eq!(decided(question, "de", text), expected, "{question} {text}");
    }
}

#[test]
fn an_ordinal_number_is_not_a_count() {
    for (question, text, expected) in [
        ("What does a unit on the fourth floor cost?", "It costs £12 per four weeks.", false),
        ("What does a unit on the fourth floor cost?", "On the fourth floor it costs £12.", true),
        ("What does a unit on the fourth floor cost?", "Floors 3 and 4 cost £12.", true),
        ("What is the fourth step?", "4. Close the lid.", true),
        ("Is it open for 4 weeks?", "It is open for four weeks.", true),
    ] {
        assert_eq!(decided(question, "en", text), expected, "{question} {text}");
    }
}

#[test]
fn a_condition_must_be_mentioned() {
    for (question, language, text, expected) in [
        ("What happens if it rains?", "en", "The tour starts at nine.", false),
        ("What happens if it rains?", "en", "In rain the tour starts at ten.", true),
        (
            "Was ist, wenn es regnet?",
            "en",
            "When the weather is bad, the tour starts at ten and it is shorter than the others.",
            true,
        ),
        ("If I lose my card, what do I pay?", "en", "The card costs 5 euros a year. You pay by debit.", true),
        ("If I lose my key, what do I pay?", "en", "The card costs 5 euros a year. You pay by debit.", false),
        ("Was ist, wenn ich krank werde?", "de", "Der Kurs kostet 20 Euro.", false),
        ("Was ist, wenn ich krank werde?", "de", "Bei Krankheit melden Sie sich, kranke Kinder bleiben daheim.", true),
        ("¿Qué pasa si llueve?", "es", "La visita empieza a las nueve.", false),
        ("Que se passe-t-il en cas de pluie ?", "fr", "La visite commence à neuf heures.", false),
        ("Cosa succede se piove?", "it", "La visita inizia alle nove.", false),
        ("Wat gebeurt er als het regent?", "nl", "De rondleiding begint om negen uur.", false),
        ("O que acontece em caso de chuva?", "pt", "Com chuva, a visita começa às dez.", true),
    ] {
        assert_eq!(decided(question, language, text), expected, "{question} {text}");
    }
}

#[test]
fn what_is_not_so_must_be_said() {
    for (question, language, text, expected) in [
        ("What is not included?", "en", "Breakfast and towels are included.", false),
        ("What is not included?", "en", "Everything except drinks is included.", true),
        ("Can't I pay by card?", "en", "You can pay by card.", true),
        ("Why does it not start?", "en", "Empty the tank first.", true),
        ("What do I do if it does not start?", "en", "If it does not start, empty the tank.", true),
        ("Was darf nicht in die Tonne?", "de", "In die Tonne dürfen Laub und Gras.", false),
        ("Was darf nicht in die Tonne?", "de", "Asche ist verboten.", true),
        ("Was darf nicht in die Tonne?", "en", "Ashes are not for the bin.", true),
        ("¿Qué no está incluido?", "es", "El desayuno está incluido.", false),
        ("Qu'est-ce qui n'est pas inclus ?", "fr", "Le petit-déjeuner est inclus.", false),
        ("Cosa non è compreso?", "it", "La colazione è compresa.", false),
        ("Wat is niet inbegrepen?", "nl", "Het ontbijt is inbegrepen.", false),
        ("O que não está incluído?", "pt", "O pequeno-almoço está incluído.", false),
    ] {
        assert_eq!(decided(question, language, text), expected, "{question} {text}");
    }
}

#[test]
fn a_name_that_most_passages_have_is_their_topic() {
    let passages = ["Debian has packages.", "Debian is free.", "Install it."];
    let passages: Vec<Candidate> = passages.iter().map(|text| Candidate::new(Uuid::nil(), "", "", *text)).collect();
    assert!(is_decided("How do I get Debian?", "en", &answer("", "Download it.", 0), &passages));
    assert!(!is_decided("How do I get Fedora?", "en", &answer("", "Download it.", 0), &passages));
}

#[test]
fn what_is_counted_compared_or_ordered_must_be_said() {
    for (question, language, text, expected) in [
        ("Which course is the cheapest?", "en", "- **Pottery**: 20 euros\n- **Baking**: 30 euros", false),
        ("Which course is the cheapest?", "en", "The cheapest course is pottery.", true),
        ("Welcher Kurs ist am günstigsten?", "de", "- **Töpfern**: 20 Euro", false),
        ("Welcher Kurs ist am günstigsten?", "de", "Der günstigste Kurs ist Töpfern.", true),
        ("¿Cuál es el curso más barato?", "es", "- **Cerámica**: 20 euros", false),
        ("Quel cours est le moins cher ?", "fr", "- **Poterie** : 20 euros", false),
        ("Qual è il corso più economico?", "it", "- **Ceramica**: 20 euro", false),
        ("Welke cursus is het goedkoopst?", "nl", "- **Keramiek**: 20 euro", false),
        ("Qual é o curso mais barato?", "pt", "- **Cerâmica**: 20 euros", false),
        ("Is the dry box better than the lamp?", "en", "The dry box costs 20 euros.", false),
        ("Ist die Lampe besser als die Box?", "de", "Die Lampe kostet 20 Euro.", false),
        ("Est-ce que la lampe est mieux que la boîte ?", "fr", "La lampe coûte 20 euros.", false),
        ("Is de lamp beter dan de doos?", "nl", "De lamp kost 20 euro.", false),
        ("Which is cheaper, the dry box or the lamp?", "en", "The dry box costs 20 euros.", false),
        ("Was ist der Unterschied zwischen A und B?", "de", "A ist rot.", false),
        ("How many courses are there?", "en", "- **Course 1**: 20 euros\n- **Course 2**: 30 euros", false),
        ("How many courses are there?", "en", "There are twelve courses.", true),
        ("How many days do I have?", "en", "Return it within 14 days.", true),
        ("How many rooms are there?", "en", "The rooms are bright.", false),
        ("Wie viele Kurse gibt es?", "de", "- **Kurs A**: 20 Euro", false),
    ] {
        assert_eq!(decided(question, language, text), expected, "{question}");
    }
    let cut = answer("", "- **Course 1**: 20 euros", 62);
    assert!(!is_decided("List all courses", "en", &cut, &[]));
    assert!(!is_decided("How many courses are there?", "en", &cut, &[]));
    assert!(is_decided("Which courses are there?", "en", &cut, &[]));
    for (question, expected) in [
        ("How many cars fit on the Kittiwake?", true),
        ("How many passengers fit on the Kittiwake?", false),
        ("How many people does the Bradley Room seat?", true),
    ] {
        let text =
            "There is room for 26 cars on the Marwenna and for eight on the Kittiwake. The Bradley Room seats 70.";
        assert_eq!(decided(question, "en", text), expected, "{question}");
    }
}

#[test]
fn a_corrected_name_is_doubtful_and_a_slip_is_not() {
    let pair = |question: &str, searched: &str| doubtful_correction(question, "en", searched);
    for (question, searched, expected) in [
        ("What is the dose of Prednison?", "What is the dose of prednisolon?", Some(("Prednison", "Prednisolon"))),
        ("where does the merlin sail", "where does the marlin sail", Some(("merlin", "marlin"))),
        ("Wo ist die Bibliohtek in der Stadt?", "Wo ist die bibliothek in der Stadt?", None),
        ("Wo ist der Merlin in der Stadt?", "Wo ist der marlin in der Stadt?", Some(("Merlin", "Marlin"))),
        ("how hevy is it", "how heavy is it", None),
        ("the qouta", "the quota", None),
        ("a memeber", "a member", None),
        ("la reservacion", "la reservación", None),
        ("Is it open?", "Is it open?", None),
    ] {
        let expected = expected.map(|(wrong, meant)| (wrong.to_owned(), meant.to_owned()));
        assert_eq!(pair(question, searched), expected, "{question}");
    }
    let meant = ("Prednison".to_owned(), "Prednisolon".to_owned());
    assert_eq!(did_you_mean("What is it?", "en", &meant), "I found no “Prednison” here. Did you mean “Prednisolon”?");
}

#[test]
fn a_message_chooses_one_of_the_sections() {
    for (message, language, expected) in [
        ("The second one", "en", Some(1)),
        ("the first section please", "en", Some(0)),
        ("yes", "en", Some(0)),
        ("2", "en", Some(1)),
        ("Ja, bitte", "de", Some(0)),
        ("Den dritten Abschnitt bitte", "de", Some(2)),
        ("la deuxième", "fr", Some(1)),
        ("Sí", "es", Some(0)),
        ("la seconda", "it", Some(1)),
        ("de tweede graag", "nl", Some(1)),
        ("a segunda", "pt", Some(1)),
        ("When is the second course?", "en", None),
        ("the first or the second", "en", None),
        ("please", "en", Some(0)),
        ("no", "en", None),
    ] {
        assert_eq!(choice(message, language), expected, "{message}");
    }
}
