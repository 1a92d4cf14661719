//! Near misses: the question names something that the passages do not have, and the model repeats it.

use super::{candidates, input, text_of, verify_as};
use crate::generate::verify::Ending;

/// The language, the passage, the question, and what a model says that must not stand.
const REPEATED: [(&str, &str, &str, &str); 29] = [
    (
        "en",
        "The surgery is open from 8:30 to 18:30. It is closed on public holidays.",
        "When can my pup play in the park?",
        "The park is open from 8:30 to 18:30, and on public holidays.",
    ),
    (
        "de",
        "Der Theorieunterricht findet dienstags und donnerstags von 18:30 bis 20:00 Uhr statt.",
        "Intensivkurs",
        "Der Intensivkurs findet dienstags und donnerstags von 18:30 bis 20:00 Uhr statt.",
    ),
    (
        "en",
        "Kittens are vaccinated at nine weeks.",
        "Do you vaccinate ferrets?",
        "Ferrets are vaccinated at nine weeks.",
    ),
    (
        "fr",
        "Les chatons sont vaccinés à neuf semaines.",
        "Vaccinez-vous les furets ?",
        "Les furets sont vaccinés à neuf semaines.",
    ),
    ("de", "Klasse B: 290 € Grundbetrag.", "Was kostet Klasse C?", "Die Klasse C hat einen Grundbetrag von 290 €."),
    (
        "en",
        "| Service | Dog | Cat |\n|---|---|---|\n| Consultation | £46 | £38 |\n| Yearly booster | £58 | £54 |",
        "What is a booster for a cat?",
        "A booster for a cat costs £58.",
    ),
    ("en", "Dogs up to 20 kg are allowed.", "Is a dog of 40 kg allowed?", "Yes, dogs up to 40 kg are allowed."),
    (
        "en",
        "A pitch has room for six people.",
        "Is there a pitch for nine people?",
        "A pitch has room for nine people.",
    ),
    ("en", "The QX-7604 weighs 13 grams.", "How heavy is the QX-7606?", "The QX-7606 weighs 13 grams."),
    ("en", "The QX-7604 weighs 13 grams.", "How heavy is the QX-7606?", "It weighs 13 grams."),
    (
        "en",
        "We carry furniture up to the third floor.",
        "Do you carry furniture to the fourth floor?",
        "We carry furniture up to the fourth floor.",
    ),
    (
        "en",
        "We carry furniture up to the third floor.",
        "Do you carry furniture to the fourth floor?",
        "We carry furniture up to the third floor.",
    ),
    ("en", "Kittens are vaccinated at nine weeks.", "Do you vaccinate ferrets?", "Yes, ferrets are vaccinated."),
    ("en", "Parking costs 3 euros a day.", "What does parking cost in Leeds?", "Parking costs 3 euros a day."),
    ("en", "The hall is open Monday to Friday.", "Is the hall open on Sunday?", "The hall is open on Sunday."),
    ("en", "The hall is open Monday to Friday.", "Is the hall open on Sunday?", "The hall is open Monday to Friday."),
    (
        "en",
        "Return the lamp within 30 days with its receipt.",
        "Can I return the lamp without the receipt?",
        "Return the lamp within 30 days.",
    ),
    ("en", "Breakfast and towels are included.", "What is not included?", "Breakfast and towels are included."),
    (
        "de",
        "Wir tragen Möbel bis in den dritten Stock.",
        "Tragen Sie Möbel in den vierten Stock?",
        "Wir tragen Möbel bis in den vierten Stock.",
    ),
    ("de", "Hunde bis 20 kg sind erlaubt.", "Darf ein Hund mit 40 kg mit?", "Hunde bis 40 kg sind erlaubt."),
    ("de", "Katzen werden mit neun Wochen geimpft.", "Impfen Sie Frettchen?", "Ja, wir impfen Frettchen."),
    ("de", "Geöffnet ist von Montag bis Freitag.", "Ist am Sonntag geöffnet?", "Am Sonntag ist geöffnet."),
    (
        "fr",
        "Nous livrons jusqu'au troisième étage.",
        "Livrez-vous au quatrième étage ?",
        "Nous livrons jusqu'au quatrième étage.",
    ),
    ("es", "Entregamos hasta el tercer piso.", "¿Entregan en el cuarto piso?", "Entregamos hasta el cuarto piso."),
    ("it", "Consegniamo fino al terzo piano.", "Consegnate al quarto piano?", "Consegniamo fino al quarto piano."),
    (
        "nl",
        "Wij bezorgen tot de derde verdieping.",
        "Bezorgt u op de vierde verdieping?",
        "Wij bezorgen tot de vierde verdieping.",
    ),
    ("pt", "Entregamos até ao terceiro andar.", "Entregam no quarto andar?", "Entregamos até ao quarto andar."),
    (
        "fr",
        "Les chiens jusqu'à 20 kg sont admis.",
        "Un chien de 40 kg est-il admis ?",
        "Les chiens jusqu'à 40 kg sont admis.",
    ),
    ("es", "Se admiten perros de hasta 20 kg.", "¿Se admite un perro de 40 kg?", "Se admiten perros de hasta 40 kg."),
];

/// What must stand: the question's words are those of the passages, or the passages say what is beside them.
const SAID: [(&str, &str, &str, &str); 11] = [
    ("en", "Return the lamp within 30 days.", "Can I return it after 10 days?", "Return the lamp within 30 days."),
    ("en", "Ring the night service at the mill.", "It is 2 am, who do I ring?", "Ring the night service at the mill."),
    ("en", "Dogs up to 20 kg are allowed.", "Is a dog of 20 kg allowed?", "Dogs up to 20 kg are allowed."),
    (
        "en",
        "We carry furniture up to the third floor.",
        "Do you carry furniture to the 3rd floor?",
        "We carry furniture up to the third floor.",
    ),
    (
        "en",
        "Kittens are vaccinated at nine weeks.",
        "When do you jab kittens?",
        "Kittens are vaccinated at nine weeks.",
    ),
    ("en", "The hall is open Monday to Friday.", "Is the hall open on Tuesday?", "The hall is open Monday to Friday."),
    ("en", "The hall is closed on Sunday.", "Is the hall open on Sunday?", "No, the hall is closed on Sunday."),
    (
        "en",
        "Without a receipt we do not take the lamp back.",
        "Can I return the lamp without the receipt?",
        "Without a receipt we do not take the lamp back.",
    ),
    ("en", "The first hour costs 2 euros.", "What does the first hour cost?", "The first hour costs 2 euros."),
    (
        "de",
        "Wir tragen Möbel bis in den 3. Stock.",
        "Bis in den dritten Stock?",
        "Wir tragen Möbel bis in den dritten Stock.",
    ),
    ("de", "Am zweiten Sonntag ist geöffnet.", "Ist am zweiten Sonntag geöffnet?", "Am zweiten Sonntag ist geöffnet."),
];

fn checked(&(language, passage, question, output): &(&str, &str, &str, &str)) -> String {
    let passages = candidates(&[("Guide", "", passage)]);
    text_of(&verify_as(input(question, language, &passages), &[output], Ending::Whole)).to_owned()
}

#[test]
fn what_only_the_question_names_is_not_said_of_it() {
    let standing: Vec<_> =
        REPEATED.iter().filter(|row| !matches!(checked(row).as_str(), "refused" | "unusable")).collect();
    assert!(standing.is_empty(), "{standing:?}");
}

#[test]
fn what_the_passages_say_about_the_question_stands() {
    let fallen: Vec<_> = SAID.iter().filter(|row| matches!(checked(row).as_str(), "refused" | "unusable")).collect();
    assert!(fallen.is_empty(), "{fallen:?}");
}
